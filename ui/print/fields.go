package print

import (
	"fmt"
	"slices"
	"strings"

	"remora/dissect"
)

// A column is one -e: a field, or one of the summary's columns by its name (_ws.col.Info). It collects the values of
// one packet.
type column struct {
	name   string
	lines  bool                                                 // the lines of the tree that are no field
	append func(p *Printer, dst []byte, t *dissect.Tree) []byte // of a summary column
	text   []byte                                               // all values, one behind the other
	ends   []int                                                // where each ends
}

func (c *column) value(i int) []byte {
	if i == 0 {
		return c.text[:c.ends[0]]
	}
	return c.text[c.ends[i-1]:c.ends[i]]
}

// resolve finds the fields of -e and what must be looked at for them.
func (p *Printer) resolve() error {
	reg := p.s.Registry()
	var wanted []*dissect.Field
	whole, row, info := len(p.opt.Fields) == 0, false, false
	for i, name := range p.opt.Fields {
		c := column{name: name, append: summaryColumns[strings.ToLower(name)]}
		p.cols = append(p.cols, c)
		if c.append != nil {
			row, info = true, info || strings.EqualFold(name, "_ws.col.info")
			continue
		}
		fields := reg.FieldsNamed(name)
		if name == linesName && len(fields) == 0 {
			p.cols[i].lines, p.texts, whole = true, true, true
			continue
		}
		if len(fields) == 0 {
			return fmt.Errorf("-e %s: there is no such field; %s", dissect.Escape(name), p.suggest(name))
		}
		for _, f := range fields {
			for _, m := range f.Members() {
				p.assign(m.ID(), i)
				wanted = append(wanted, m)
				whole = whole || m.Type() == dissect.TypeProtocol // its text is made of its fields
			}
		}
	}
	switch {
	case whole:
	case info:
		p.wants = reg.RowWants(wanted...)
	case row:
		p.wants = reg.ColumnWants(wanted...)
	default:
		p.wants = reg.Wants(wanted...)
	}
	return nil
}

// linesName is the -e of lines of the tree that are no field in Wireshark.
const linesName = "text"

// suggest is a hint at the name that may have been meant.
func (p *Printer) suggest(name string) string {
	if strings.HasPrefix(strings.ToLower(name), "_ws.col.") {
		return "the columns are _ws.col.Number, Time, Source, Destination, Protocol, Type, Length and Info"
	}
	return hint(p.s.Registry(), name)
}

// assign makes values of the field go to a column.
func (p *Printer) assign(id dissect.FieldID, column int) {
	for int(id) >= len(p.colsOf) {
		p.colsOf = append(p.colsOf, nil)
	}
	if !slices.Contains(p.colsOf[id], column) {
		p.colsOf[id] = append(p.colsOf[id], column)
	}
}

type columnText = func(p *Printer, dst []byte, t *dissect.Tree) []byte

var summaryColumns = map[string]columnText{
	"_ws.col.no.":           (*Printer).appendNumber,
	"_ws.col.number":        (*Printer).appendNumber,
	"_ws.col.time":          (*Printer).appendTime,
	"_ws.col.source":        (*Printer).appendSource,
	"_ws.col.def_src":       (*Printer).appendSource,
	"_ws.col.destination":   (*Printer).appendDestination,
	"_ws.col.def_dst":       (*Printer).appendDestination,
	"_ws.col.protocol":      (*Printer).appendProtocol,
	"_ws.col.type":          (*Printer).appendType,
	"_ws.col.length":        (*Printer).appendLength,
	"_ws.col.packet_length": (*Printer).appendLength,
	"_ws.col.info":          (*Printer).appendInfo,
}

// head begins the output of -T fields.
func (p *Printer) head() {
	if p.opt.Layout.BOM {
		p.w.WriteString("\ufeff")
	}
	if !p.opt.Layout.Header {
		return
	}
	for i := range p.cols {
		if i > 0 {
			p.w.WriteString(p.opt.Layout.separator())
		}
		p.w.WriteString(p.cols[i].name)
	}
	p.w.WriteByte('\n')
}

// fields prints the chosen fields on one line.
func (p *Printer) fields(t *dissect.Tree) {
	p.collect(t)
	l := &p.opt.Layout
	b := p.buf
	for i := range p.cols {
		c := &p.cols[i]
		if i > 0 {
			b = append(b, l.separator()...)
		}
		if len(c.ends) == 0 {
			continue
		}
		b = append(b, l.Quote...)
		for j := range c.ends {
			if j > 0 {
				b = append(b, l.aggregator()...)
			}
			b = appendQuoteless(b, c.value(j), l.Quote)
		}
		b = append(b, l.Quote...)
	}
	p.buf = append(b, '\n')
}

// appendQuoteless appends a value, escaped, with each quotation mark doubled if there are marks around it.
func appendQuoteless(dst, value []byte, quote string) []byte {
	at := len(dst)
	dst = appendEscaped(dst, value)
	if quote == "" {
		return dst
	}
	for i := at; i < len(dst); i++ {
		if dst[i] == quote[0] {
			dst = slices.Insert(dst, i, quote[0])
			i++
		}
	}
	return dst
}

// appendEscaped appends text from a packet, safe to print.
func appendEscaped(dst, text []byte) []byte {
	for _, c := range text {
		if c < 0x20 || c >= 0x7f {
			return append(dst, dissect.Escape(string(text))...)
		}
	}
	return append(dst, text...)
}

// collect gathers the values of all columns in one walk over the packet's nodes.
func (p *Printer) collect(t *dissect.Tree) {
	for i := range p.cols {
		c := &p.cols[i]
		c.text, c.ends = c.text[:0], c.ends[:0]
		if c.append != nil {
			c.text = c.append(p, c.text, t)
			c.ends = append(c.ends, len(c.text))
		}
	}
	for i := range t.Nodes {
		id := t.Nodes[i].Field
		if p.texts && t.Field(i).IsLine() && !t.IsHidden(i) {
			p.line(t, i)
		}
		if int(id) >= len(p.colsOf) {
			continue
		}
		for _, at := range p.colsOf[id] {
			p.cols[at].add(t, i, p.opt.Layout.Occurrence)
		}
	}
}

// line adds the text of a line to the columns of such.
func (p *Printer) line(t *dissect.Tree, i int) {
	for k := range p.cols {
		if c := &p.cols[k]; c.lines && c.takes(p.opt.Layout.Occurrence) {
			c.text = append(c.text, unbracketed(t.Label(i))...)
			c.ends = append(c.ends, len(c.text))
		}
	}
}

func (c *column) add(t *dissect.Tree, i int, occurrence byte) {
	if c.takes(occurrence) {
		c.text = appendValue(c.text, t, i)
		c.ends = append(c.ends, len(c.text))
	}
}

// takes makes room for a value, if it is an occurrence that is wanted.
func (c *column) takes(occurrence byte) bool {
	switch {
	case len(c.ends) > 0 && occurrence == 'f':
		return false
	case occurrence == 'l':
		c.text, c.ends = c.text[:0], c.ends[:0]
	}
	return true
}

// appendValue appends a value as tshark's fields have it: protocols by the text of their line if it tells more than
// which protocol it is, else by their name; and "1" for nodes that only say that something is there.
func appendValue(dst []byte, t *dissect.Tree, i int) []byte {
	switch f := t.Field(i); f.Type() {
	case dissect.TypeProtocol:
		if !strings.Contains(f.Template(), "{") {
			return append(dst, f.Name()...)
		}
		return append(dst, t.Label(i)...)
	case dissect.TypeNone:
		return append(dst, '1')
	}
	return t.AppendShow(dst, i)
}

// SummaryColumns are the names of the summary's columns that -e takes besides fields.
func SummaryColumns() []string {
	var out []string
	for name := range summaryColumns {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
