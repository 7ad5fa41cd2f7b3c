package print

import (
	"slices"
	"strconv"
	"time"

	"remora/dissect"
)

// ek prints a packet as two lines of newline-separated JSON, the form that bulk loaders take: an index line, and the
// layers with flat keys ("ip_ip_src"). A field that occurs twice has an array.
func (p *Printer) ek(t *dissect.Tree) {
	b := append(p.buf, `{"index":{"_index":"`...)
	b = append(p.appendIndex(b, t), "\",\"_type\":\"doc\"}}\n{\"timestamp\":\""...)
	b = strconv.AppendInt(b, t.Time()/1e6, 10)
	p.buf = append(b, `","layers":{`...)
	if len(p.cols) > 0 {
		p.ekFields(t)
	} else {
		p.ekTree(t)
	}
	p.buf = append(p.buf, "}}\n"...)
}

func (p *Printer) ekFields(t *dissect.Tree) {
	p.collect(t)
	first := true
	for i := range p.cols {
		c := &p.cols[i]
		if len(c.ends) == 0 {
			continue
		}
		p.comma(&first)
		p.buf = append(appendQuoted(p.buf, flat(c.name)), ":["...)
		for j := range c.ends {
			if j > 0 {
				p.buf = append(p.buf, ',')
			}
			p.buf = appendQuoted(p.buf, c.value(j))
		}
		p.buf = append(p.buf, ']')
	}
}

// ekTree prints the layers. A protocol that occurs twice, as in a tunnel, has an array of objects.
func (p *Printer) ekTree(t *dissect.Tree) {
	var starts []int
	for i := 0; i < len(t.Nodes); i = t.End(i) {
		starts = append(starts, i)
	}
	first := true
	for at, i := range starts {
		same := func(j int) bool { return t.Nodes[j].Field == t.Nodes[i].Field }
		if slices.ContainsFunc(starts[:at], same) {
			continue
		}
		p.comma(&first)
		layer := flat(t.Field(i).Protocol().Name())
		p.buf = append(appendQuoted(p.buf, layer), ':')
		several := slices.ContainsFunc(starts[at+1:], same)
		if several {
			p.buf = append(p.buf, '[')
		}
		firstOne := true
		for _, j := range starts[at:] {
			if same(j) {
				p.comma(&firstOne)
				p.ekLayer(t, layer, j+1, t.End(j))
			}
		}
		if several {
			p.buf = append(p.buf, ']')
		}
	}
}

// ekLayer writes the fields of one layer, each key once.
func (p *Printer) ekLayer(t *dissect.Tree, layer string, from, to int) {
	var order []*dissect.Field
	nodes := map[*dissect.Field][]int{}
	add := func(f *dissect.Field, i int) {
		if nodes[f] == nil {
			order = append(order, f)
		}
		nodes[f] = append(nodes[f], i)
	}
	for i := from; i < to; i++ {
		f := t.Field(i)
		if f.IsGroup() || isColumn(f) {
			continue
		}
		add(f, i)
		for _, a := range f.Aliases() {
			add(a, i)
		}
	}
	p.buf = append(p.buf, '{')
	first := true
	for _, f := range order {
		p.comma(&first)
		if p.opt.Hex {
			p.ekValues(layer+"_"+flat(f.Name())+"_raw", nodes[f], func(dst []byte, i int) []byte {
				return append(appendRaw(append(dst, '"'), t, i), '"')
			})
			p.buf = append(p.buf, ',')
		}
		p.ekValues(layer+"_"+flat(f.Name()), nodes[f], func(dst []byte, i int) []byte { return appendEK(dst, t, i) })
	}
	p.buf = append(p.buf, '}')
}

func (p *Printer) ekValues(key string, nodes []int, value func(dst []byte, i int) []byte) {
	p.buf = append(appendQuoted(p.buf, key), ':')
	if len(nodes) == 1 {
		p.buf = value(p.buf, nodes[0])
		return
	}
	p.buf = append(p.buf, '[')
	for k, i := range nodes {
		if k > 0 {
			p.buf = append(p.buf, ',')
		}
		p.buf = value(p.buf, i)
	}
	p.buf = append(p.buf, ']')
}

// appendEK writes booleans as such, times in ISO 8601, nothing as null, and everything else as text.
func appendEK(dst []byte, t *dissect.Tree, i int) []byte {
	switch n := t.Nodes[i]; t.Field(i).Type() {
	case dissect.TypeNone:
		return append(dst, "null"...)
	case dissect.TypeBool:
		return strconv.AppendBool(dst, n.Val != 0)
	case dissect.TypeTime:
		return time.Unix(0, int64(n.Val)).UTC().AppendFormat(dst, `"2006-01-02T15:04:05.000000000Z"`)
	}
	return appendText(dst, t, i)
}
