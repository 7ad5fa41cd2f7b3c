package print

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
)

// ek prints a packet as two lines of newline-separated JSON, the form that bulk loaders take: an index line, and the
// layers with flat keys ("ip_ip_src"). A field that occurs twice has an array.
func (p *Printer) ek(t *dissect.Tree) {
	b := append(p.buf, `{"index":{"_index":"`...)
	b = append(p.appendIndex(b, t), "\",\"_type\":\"doc\"}}\n{\"timestamp\":\""...)
	b = strconv.AppendInt(b, t.Time()/1e6, 10)
	p.buf = append(b, '"', ',')
	if p.opt.Summary && len(p.cols) == 0 {
		p.ekCells(t)
		if !p.opt.Tree {
			p.buf[len(p.buf)-1] = '}'
			p.buf = append(p.buf, '\n')
			return
		}
	}
	p.buf = append(p.buf, `"layers":{`...)
	if len(p.cols) > 0 {
		p.ekFields(t)
	} else {
		p.ekTree(t)
	}
	p.buf = append(p.buf, "}}\n"...)
}

// ekCells prints the columns of the summary line, by their titles.
func (p *Printer) ekCells(t *dissect.Tree) {
	for i := range p.opt.Cells {
		c := &p.opt.Cells[i]
		p.buf = append(appendQuoted(p.buf, strings.ToLower(notInKeys.Replace(c.title))), ':')
		p.label = p.appendCell(p.label[:0], t, c)
		p.buf = append(appendQuoted(p.buf, p.label), ',')
	}
}

var notInKeys = strings.NewReplacer(".", "_", "-", "_", " ", "_")

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
		if p.leavesOut(t.Field(i)) {
			continue
		}
		p.comma(&first)
		if name := t.Field(i).Name(); t.IsHidden(i) && t.Field(i).Type() == dissect.TypeNone && t.End(i) == i+1 {
			above := name[:max(0, strings.LastIndexByte(name, '.'))] // no layer, but a field in front of one
			p.buf = append(appendQuoted(p.buf, flat(above+"."+name)), ":null"...)
			continue
		}
		layer := flat(t.Field(i).Protocol().Name())
		if p.opt.Exact && p.opt.Hex && t.Nodes[i].Len > 0 {
			p.buf = append(appendRaw(append(appendQuoted(p.buf, layer+"_raw"), `:"`...), t, i), `",`...)
		}
		p.buf = append(appendQuoted(p.buf, layer), ':')
		several := slices.ContainsFunc(starts[at+1:], same)
		if several {
			p.buf = append(p.buf, '[')
		}
		firstOne := true
		for _, j := range starts[at:] {
			if same(j) {
				p.comma(&firstOne)
				if f := t.Field(j); !p.shows(f) {
					p.buf = append(appendQuoted(append(p.buf, `{"filtered":`...), f.Name()), '}')
				} else {
					end := p.showAll(f)
					p.ekLayer(t, layer, j, t.End(j))
					end()
				}
			}
		}
		if several {
			p.buf = append(p.buf, ']')
		}
	}
}

// An ekEntry is a key of a layer: one of the fields of that name, and its nodes. With Exact what lies below fields of
// different names has keys of its own.
type ekEntry struct {
	field  *dissect.Field
	below  int // the number of the name of the field around it
	before int // the entry in front of this one that has the same name, or -1
	nodes  []int
}

// An ekList holds the keys of a layer in the order in which they come. It is used again for the next layer.
type ekList struct {
	entries []ekEntry
	numbers map[string]int
	names   []int    // by FieldID: the number of the field's name
	last    []ekLast // by the number of a name
	layer   uint64
	isText  func(*dissect.Field) bool
}

// An ekLast is the entry that a name had last, and in which layer.
type ekLast struct {
	layer uint64
	entry int
}

func (l *ekList) reset() {
	l.entries = l.entries[:0]
	l.layer++
}

// name is the number of a field's name. All groups share one.
func (l *ekList) name(f *dissect.Field) int {
	for int(f.ID()) >= len(l.names) {
		l.names = append(l.names, 0)
	}
	n := &l.names[f.ID()]
	if *n == 0 {
		if l.numbers == nil {
			l.numbers = map[string]int{}
		}
		name := f.Name()
		if l.isText(f) {
			name = ""
		}
		if *n = l.numbers[name]; *n == 0 {
			*n = len(l.numbers) + 1
			l.numbers[name] = *n
		}
	}
	for *n >= len(l.last) {
		l.last = append(l.last, ekLast{})
	}
	return *n
}

func (l *ekList) add(below int, f *dissect.Field, i int) {
	last, before := &l.last[l.name(f)], -1
	if last.layer == l.layer {
		before = last.entry
		for at := before; at >= 0; at = l.entries[at].before {
			if e := &l.entries[at]; e.below == below {
				e.nodes = append(e.nodes, i)
				return
			}
		}
	}
	at := len(l.entries)
	if at < cap(l.entries) { // what an earlier layer had there has room for nodes
		l.entries = l.entries[:at+1]
	} else {
		l.entries = append(l.entries, ekEntry{})
	}
	e := &l.entries[at]
	*e = ekEntry{f, below, before, append(e.nodes[:0], i)}
	last.layer, last.entry = l.layer, at
}

// collectEK lists the nodes [from, to), which lie below a node. A group has no key of its own in bulk loads, and one
// called text with Exact.
func (p *Printer) collectEK(t *dissect.Tree, l *ekList, below, from, to int) {
	parent := 0
	if p.opt.Exact {
		parent = l.name(t.Field(below))
	}
	all := p.siblings(t, from, to)
	for _, s := range all {
		i, f := s.node, t.Field(s.node)
		if s.alias >= 0 {
			l.add(parent, f.Aliases()[s.alias], i)
			continue
		}
		if isPlainExpert(t, i) {
			l.add(parent, p.s.Registry().Field("_ws.expert"), i)
			continue
		}
		if !f.IsText() || p.opt.Exact {
			l.add(parent, f, i)
		}
		if p.shows(f) {
			end := p.showAll(f)
			p.collectEK(t, l, i, i+1, t.End(i))
			end()
		}
	}
	p.release(all)
}

// ekLayer writes the fields of the layer that node i is, each key once.
func (p *Printer) ekLayer(t *dissect.Tree, layer string, i, to int) {
	l := &p.ekKeys
	l.isText = p.isText
	l.reset()
	p.collectEK(t, l, i, i+1, to)
	p.buf = append(p.buf, '{')
	first := true
	for i := range l.entries {
		p.comma(&first)
		p.ekField(t, layer, l.entries[i].field, l.entries[i].nodes)
	}
	p.buf = append(p.buf, '}')
}

// ekField writes what the nodes have for one key.
func (p *Printer) ekField(t *dissect.Tree, layer string, f *dissect.Field, nodes []int) {
	if isPlainExpert(t, nodes[0]) {
		p.ekValues(ekExpert, nodes, func(dst []byte, i int) []byte { return appendEKExpert(dst, layer, t, i) })
		return
	}
	if p.isText(f) {
		p.ekValues(ekText, nodes, func(dst []byte, i int) []byte { return appendQuoted(dst, unbracketed(t.Label(i))) })
		return
	}
	key := p.ekKeyOf(layer, f)
	if p.opt.Hex && (!p.opt.Exact || t.Nodes[nodes[0]].Len > 0) {
		p.ekValues(key.raw, nodes,
			func(dst []byte, i int) []byte { return append(appendRaw(append(dst, '"'), t, i), '"') })
		p.buf = append(p.buf, ',')
	}
	p.ekValues(key.value, nodes, func(dst []byte, i int) []byte {
		if !p.shows(f) {
			return append(appendQuoted(append(dst, `{"filtered":`...), f.Name()), '}')
		}
		return appendEK(dst, t, i)
	})
}

// An ekKeys are the keys of a field in a layer, quoted and with a colon behind.
type ekKeys struct {
	layer      string
	value, raw []byte
}

var ekText, ekExpert = []byte(`"text":`), []byte(`"_ws_expert":`)

// appendEKExpert writes an expert info as Wireshark has it: with what it says below what it is.
func appendEKExpert(dst []byte, layer string, t *dissect.Tree, i int) []byte {
	f := t.Field(i)
	dst = append(appendQuoted(append(dst, '{'), layer+"_"+flat(f.Name())), `:null,"_ws_expert__ws_expert_message":`...)
	dst = appendQuoted(dst, unbracketed(t.Label(i)))
	return fmt.Appendf(dst, `,"_ws_expert__ws_expert_severity":"%d","_ws_expert__ws_expert_group":"%d"}`,
		f.Severity().Number(), f.Group().Number())
}

// ekKeyOf makes the keys once for the fields that stand in one layer, as nearly all do.
func (p *Printer) ekKeyOf(layer string, f *dissect.Field) *ekKeys {
	for int(f.ID()) >= len(p.ekNames) {
		p.ekNames = append(p.ekNames, ekKeys{})
	}
	k := &p.ekNames[f.ID()]
	if k.value == nil || k.layer != layer {
		key := layer + "_" + flat(f.Name())
		*k = ekKeys{layer, append(appendQuoted(nil, key), ':'), append(appendQuoted(nil, key+"_raw"), ':')}
	}
	return k
}

func (p *Printer) ekValues(key []byte, nodes []int, value func(dst []byte, i int) []byte) {
	p.buf = append(p.buf, key...)
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
