package print

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"remora/dissect"
)

// json prints a packet as tshark's -T json does: an array of documents with the layers as nested objects. A field that
// occurs twice is a key that occurs twice.
func (p *Printer) json(t *dissect.Tree) {
	if p.n == 0 {
		p.w.WriteString("[\n")
	} else {
		p.w.WriteString(",\n")
	}
	fmt.Fprintf(p.w, "  {\n    \"_index\": %q,\n    \"_type\": \"doc\",\n    \"_score\": null,\n    \"_source\": {\n      \"layers\": ", p.index(t))
	if len(p.cols) > 0 {
		p.jsonFields(t)
	} else {
		j := jsonTree{p: p, t: t, indent: 6}
		j.object(0, len(t.Nodes))
	}
	p.w.WriteString("\n    }\n  }")
}

// index is tshark's name for the day's packets.
func (p *Printer) index(t *dissect.Tree) string {
	return time.Unix(0, t.Time()).UTC().Format("packets-2006-01-02")
}

func (p *Printer) jsonFields(t *dissect.Tree) {
	p.w.WriteString("{")
	first := true
	for i := range p.cols {
		values := p.values(t, &p.cols[i])
		if len(values) == 0 {
			continue
		}
		if !first {
			p.w.WriteString(",")
		}
		first = false
		fmt.Fprintf(p.w, "\n        %s: [", quote(p.cols[i].name))
		for j, v := range values {
			if j > 0 {
				p.w.WriteString(",")
			}
			fmt.Fprintf(p.w, "\n          %s", quote(v))
		}
		p.w.WriteString("\n        ]")
	}
	p.w.WriteString("\n      }")
}

// jsonTree writes the nodes of one packet as nested objects.
type jsonTree struct {
	p      *Printer
	t      *dissect.Tree
	indent int
}

// object writes the nodes [from, to), which lie one level below what holds them.
func (j *jsonTree) object(from, to int) {
	j.p.w.WriteString("{")
	j.indent += 2
	for i := from; i < to; {
		if i > from {
			j.p.w.WriteString(",")
		}
		end := j.t.End(i)
		j.member(i, end)
		i = end
	}
	j.indent -= 2
	j.line()
	j.p.w.WriteString("}")
}

func (j *jsonTree) line() {
	j.p.w.WriteByte('\n')
	for range j.indent {
		j.p.w.WriteByte(' ')
	}
}

// member writes one node: its value, its children, or both, as "name" and "name_tree".
func (j *jsonTree) member(i, end int) {
	f := j.t.Field(i)
	key := f.Name()
	hasValue := f.Type() != dissect.TypeProtocol && !f.IsGroup()
	if hasValue {
		j.line()
		fmt.Fprintf(j.p.w, "%s: %s", quote(key), quote(show(j.t, i)))
		for _, a := range f.Aliases() {
			j.p.w.WriteByte(',')
			j.line()
			fmt.Fprintf(j.p.w, "%s: %s", quote(a.Name()), quote(j.t.Show(i)))
		}
		if end == i+1 {
			return
		}
		j.p.w.WriteByte(',')
		key += "_tree"
	} else if f.IsGroup() {
		key = j.t.Label(i)
	}
	j.line()
	fmt.Fprintf(j.p.w, "%s: ", quote(key))
	j.object(i+1, end)
}

// quote makes a JSON string. Bytes that are no UTF-8 become U+FFFD.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ek prints a packet as two lines of newline-separated JSON, the form that bulk loaders take: an index line, and the
// layers with flat keys ("ip_ip_src"). A field that occurs twice has an array.
func (p *Printer) ek(t *dissect.Tree) {
	fmt.Fprintf(p.w, "{\"index\":{\"_index\":%q,\"_type\":\"doc\"}}\n", p.index(t))
	fmt.Fprintf(p.w, "{\"timestamp\":\"%d\",\"layers\":{", t.Time()/1e6)
	if len(p.cols) > 0 {
		p.ekFields(t)
	} else {
		p.ekTree(t)
	}
	p.w.WriteString("}}\n")
}

func (p *Printer) ekFields(t *dissect.Tree) {
	first := true
	for i := range p.cols {
		values := p.values(t, &p.cols[i])
		if len(values) == 0 {
			continue
		}
		p.comma(&first)
		fmt.Fprintf(p.w, "%s:[", quote(flat(p.cols[i].name)))
		for j, v := range values {
			if j > 0 {
				p.w.WriteByte(',')
			}
			p.w.WriteString(quote(v))
		}
		p.w.WriteByte(']')
	}
}

func (p *Printer) ekTree(t *dissect.Tree) {
	first := true
	for i := 0; i < len(t.Nodes); {
		end := t.End(i)
		p.comma(&first)
		layer := flat(t.Field(i).Protocol().Name())
		fmt.Fprintf(p.w, "%s:{", quote(layer))
		p.ekLayer(t, layer, i+1, end)
		p.w.WriteByte('}')
		i = end
	}
}

// ekLayer writes the fields of one layer, each key once.
func (p *Printer) ekLayer(t *dissect.Tree, layer string, from, to int) {
	first := true
	written := map[dissect.FieldID]bool{}
	for i := from; i < to; i++ {
		f := t.Field(i)
		if f.IsGroup() || written[f.ID()] {
			continue
		}
		written[f.ID()] = true
		var values []string
		for k := i; k < to; k++ {
			if t.Nodes[k].Field == f.ID() {
				values = append(values, p.ekValue(t, k))
			}
		}
		p.comma(&first)
		fmt.Fprintf(p.w, "%s:", quote(layer+"_"+flat(f.Name())))
		if len(values) == 1 {
			p.w.WriteString(values[0])
		} else {
			fmt.Fprintf(p.w, "[%s]", strings.Join(values, ","))
		}
	}
}

// ekValue writes booleans as such and everything else as text; times are in ISO 8601.
func (p *Printer) ekValue(t *dissect.Tree, i int) string {
	switch n := t.Nodes[i]; t.Field(i).Type() {
	case dissect.TypeBool:
		return fmt.Sprint(n.Val != 0)
	case dissect.TypeTime:
		return quote(time.Unix(0, int64(n.Val)).UTC().Format("2006-01-02T15:04:05.000000000Z"))
	}
	return quote(show(t, i))
}

func (p *Printer) comma(first *bool) {
	if !*first {
		p.w.WriteByte(',')
	}
	*first = false
}

// flat is a filter name as a key: dots and dashes become underscores.
func flat(name string) string { return strings.NewReplacer(".", "_", "-", "_").Replace(name) }
