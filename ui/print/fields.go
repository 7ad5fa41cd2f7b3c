package print

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// A Layout is how -T fields joins values: the settings of -E.
type Layout struct {
	Header     bool
	Separator  string // between fields; "" is a tab
	Aggregator string // between several values of one field; "" is a comma
	Occurrence byte   // f(irst), l(ast) or a(ll); 0 is all
	Quote      string // around each value: "", `"` or `'`
	Escape     bool   // control characters as \n, \t
}

// ParseLayout adds one word of -E: header=y, separator=/t, occurrence=f, aggregator=; or quote=d.
func (l *Layout) ParseLayout(word string) error {
	key, value, ok := strings.Cut(word, "=")
	yes := value == "y"
	if !ok {
		return fmt.Errorf("-E %s: it takes KEY=VALUE, as in header=y", dissect.Escape(word))
	}
	switch key {
	case "header", "bom", "escape":
		if value != "y" && value != "n" {
			return fmt.Errorf("-E %s takes y or n", key)
		}
		if key == "header" {
			l.Header = yes
		} else if key == "escape" {
			l.Escape = yes
		}
		return nil
	case "separator":
		l.Separator = special(value)
	case "aggregator":
		l.Aggregator = special(value)
	case "occurrence":
		if value != "f" && value != "l" && value != "a" {
			return fmt.Errorf("-E occurrence takes f (first), l (last) or a (all)")
		}
		l.Occurrence = value[0]
	case "quote":
		switch value {
		case "d":
			l.Quote = `"`
		case "s":
			l.Quote = "'"
		case "n":
			l.Quote = ""
		default:
			return fmt.Errorf("-E quote takes d (double), s (single) or n (none)")
		}
	default:
		return fmt.Errorf("-E %s: the keys are header, separator, occurrence, aggregator, quote, escape and bom", dissect.Escape(key))
	}
	return nil
}

// special is a separator with tshark's names for a tab and a space.
func special(v string) string {
	switch v {
	case "/t":
		return "\t"
	case "/s":
		return " "
	}
	return v
}

// A column is one -e: a field, or one of the summary's columns by its name (_ws.col.Info).
type column struct {
	name   string
	ids    map[dissect.FieldID]bool
	column func(p *Printer, t *dissect.Tree) string
}

// resolve finds the fields of -e.
func (p *Printer) resolve() error {
	reg := p.s.Registry()
	var wanted []*dissect.Field
	whole := p.opt.Format != "fields" && !((p.opt.Format == "json" || p.opt.Format == "ek") && len(p.opt.Fields) > 0)
	for _, name := range p.opt.Fields {
		c := column{name: name, ids: map[dissect.FieldID]bool{}}
		if c.column = summaryColumns[strings.ToLower(name)]; c.column != nil {
			whole = true
			p.cols = append(p.cols, c)
			continue
		}
		fields := reg.FieldsNamed(name)
		if len(fields) == 0 {
			return fmt.Errorf("-e %s: there is no such field; %s", dissect.Escape(name), nearest(reg, name))
		}
		for _, f := range fields {
			for _, m := range f.Members() {
				c.ids[m.ID()] = true
				wanted = append(wanted, m)
				if m.Type() == dissect.TypeProtocol {
					whole = true // its text is made of its fields
				}
			}
		}
		p.cols = append(p.cols, c)
	}
	if !whole {
		p.wants = reg.Wants(wanted...)
	}
	return nil
}

var summaryColumns = map[string]func(p *Printer, t *dissect.Tree) string{
	"_ws.col.number":        func(_ *Printer, t *dissect.Tree) string { return fmt.Sprint(t.Frame) },
	"_ws.col.time":          func(p *Printer, t *dissect.Tree) string { return p.opt.Time.Text(t.Time(), p.first(), p.previous(t)) },
	"_ws.col.source":        func(p *Printer, t *dissect.Tree) string { return p.end(t, t.Src) },
	"_ws.col.def_src":       func(p *Printer, t *dissect.Tree) string { return p.end(t, t.Src) },
	"_ws.col.destination":   func(p *Printer, t *dissect.Tree) string { return p.end(t, t.Dst) },
	"_ws.col.def_dst":       func(p *Printer, t *dissect.Tree) string { return p.end(t, t.Dst) },
	"_ws.col.protocol":      func(_ *Printer, t *dissect.Tree) string { return t.Protocol().Title() },
	"_ws.col.type":          func(_ *Printer, t *dissect.Tree) string { return t.Kind() },
	"_ws.col.length":        func(_ *Printer, t *dissect.Tree) string { return fmt.Sprint(t.Len()) },
	"_ws.col.packet_length": func(_ *Printer, t *dissect.Tree) string { return fmt.Sprint(t.Len()) },
	"_ws.col.info":          func(_ *Printer, t *dissect.Tree) string { return t.InfoLine() },
}

func (p *Printer) header() {
	for i, c := range p.cols {
		if i > 0 {
			p.w.WriteString(p.opt.Layout.separator())
		}
		p.w.WriteString(c.name)
	}
	p.w.WriteByte('\n')
}

func (l Layout) separator() string {
	if l.Separator == "" {
		return "\t"
	}
	return l.Separator
}

func (l Layout) aggregator() string {
	if l.Aggregator == "" {
		return ","
	}
	return l.Aggregator
}

// fields prints the chosen fields on one line.
func (p *Printer) fields(t *dissect.Tree) {
	l := p.opt.Layout
	for i := range p.cols {
		if i > 0 {
			p.w.WriteString(l.separator())
		}
		values := p.values(t, &p.cols[i])
		if len(values) == 0 {
			continue
		}
		switch l.Occurrence {
		case 'f':
			values = values[:1]
		case 'l':
			values = values[len(values)-1:]
		}
		p.w.WriteString(l.Quote)
		for j, v := range values {
			if j > 0 {
				p.w.WriteString(l.aggregator())
			}
			p.w.WriteString(dissect.Escape(v))
		}
		p.w.WriteString(l.Quote)
	}
	p.w.WriteByte('\n')
}

// values are all values of a column in a packet.
func (p *Printer) values(t *dissect.Tree, c *column) []string {
	if c.column != nil {
		return []string{c.column(p, t)}
	}
	var out []string
	for i := range t.Nodes {
		if c.ids[t.Nodes[i].Field] {
			out = append(out, show(t, i))
		}
	}
	return out
}

// show is a value as tshark's fields have it: protocols by the text of their line, labels by "1" where tshark
// prints their presence.
func show(t *dissect.Tree, i int) string {
	switch f := t.Field(i); {
	case f.Type() == dissect.TypeProtocol:
		return t.Label(i)
	case f.Type() == dissect.TypeNone && f.IsGroup():
		return t.Label(i)
	case f.Type() == dissect.TypeNone:
		return f.Label()
	}
	return t.Show(i)
}
