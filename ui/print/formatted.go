package print

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
)

// A Cell is one column of summary lines, as Wireshark's format of columns has it.
type Cell struct {
	title  string
	append columnText
	left   bool
	width  int
	field  string // of a custom column
	code   string // of a column that protocols fill: the last of their fields in the packet
	filled []dissect.FieldID
	sums   bool // see Printer.Sums
	bare   bool // addresses stand there without their names
	nth    int  // which of its values, from 1; 0: all
	named  bool // by their names
}

// standardCells are the columns by their codes.
var standardCells = map[string]Cell{
	"%m": {append: (*Printer).appendNumber, width: 5}, "%t": {append: (*Printer).appendTime, width: 10},
	"%s": {append: (*Printer).appendSource, width: 12},
	"%d": {append: (*Printer).appendDestination, width: 12, left: true},
	"%p": {append: (*Printer).appendProtocol}, "%L": {append: (*Printer).appendLength},
	"%i": {append: (*Printer).appendNoted},

	"%Rt": timeCell("r", 10), "%Tt": timeCell("d", 0), "%Gt": timeCell("dd", 0), "%At": timeCell("a", 0),
	"%Yt": timeCell("ad", 0), "%YDOYt": timeCell("adoy", 0), "%Aut": timeCell("u", 0), "%Yut": timeCell("ud", 0),
	"%YDOYut": timeCell("udoy", 0),

	"%rs": {append: (*Printer).appendSource, width: 12},
	"%rd": {append: (*Printer).appendDestination, width: 12, left: true},
	"%us": {append: sourceAddress, width: 12}, "%ud": {append: destinationAddress, width: 12, left: true},

	"%S": {append: portOf(true, true)}, "%D": {append: portOf(false, true)}, "%rS": {append: portOf(true, true)},
	"%rD": {append: portOf(false, true)}, "%uS": {append: portOf(true, false)}, "%uD": {append: portOf(false, false)},

	"%hs": {code: "%hs", width: 12}, "%rhs": {code: "%hs", width: 12}, "%uhs": {code: "%hs", width: 12, bare: true},
	"%hd": {code: "%hd", width: 12, left: true}, "%rhd": {code: "%hd", width: 12, left: true},
	"%uhd": {code: "%hd", width: 12, left: true, bare: true},
	"%ns":  {append: networkOf(true, true), width: 12}, "%rns": {append: networkOf(true, true), width: 12},
	"%uns": {append: networkOf(true, false), width: 12},
	"%nd":  {append: networkOf(false, true), width: 12, left: true},
	"%rnd": {append: networkOf(false, true), width: 12, left: true},
	"%und": {append: networkOf(false, false), width: 12, left: true},

	"%a": {append: func(_ *Printer, dst []byte, t *dissect.Tree) []byte { return append(dst, severityOf(t)...) }},
	"%B": {sums: true, append: func(p *Printer, dst []byte, t *dissect.Tree) []byte {
		return strconv.AppendInt(dst, p.at.Bytes+int64(t.Len()), 10)
	}},
	"%q": {code: "%q"}, "%f": {code: "%f"}, "%y": {code: "%y"}, "%F": {code: "%F"}, "%e": {code: "%e"},
	"%x": {code: "%x"}, "%V": {code: "%V"}, "%I": {code: "%I"}, "%E": {code: "%E"}, // nothing here fills the last three
}

func severityOf(t *dissect.Tree) string {
	if t.Severity == dissect.Silent {
		return ""
	}
	return t.Severity.String()
}

// networkOf is the address of one end, by its name where it is to have one, unless it is that of a network card.
func networkOf(source, named bool) columnText {
	return func(p *Printer, dst []byte, t *dissect.Tree) []byte {
		end := t.Dst
		if source {
			end = t.Src
		}
		switch {
		case end.Addr.Kind() == dissect.AddrEther || end.Addr == dissect.Addr{}:
			return dst
		case named:
			return p.appendEnd(dst, t, end)
		}
		return end.Addr.AppendTo(dst)
	}
}

// timeCell is a column of times in the form of a word of -t.
func timeCell(form string, width int) Cell {
	c := Clock{form: form, Captured: form == "d"}
	return Cell{width: width, append: func(p *Printer, dst []byte, t *dissect.Tree) []byte {
		return c.Append(dst, t.Time(), p.first(), p.previous(t, c), p.digits(t))
	}}
}

func sourceAddress(_ *Printer, dst []byte, t *dissect.Tree) []byte { return t.Src.Addr.AppendTo(dst) }

func destinationAddress(_ *Printer, dst []byte, t *dissect.Tree) []byte {
	return t.Dst.Addr.AppendTo(dst)
}

// portOf is the port of one end, where it has one: its name where names of ports are on, or its number.
func portOf(source, named bool) columnText {
	return func(p *Printer, dst []byte, t *dissect.Tree) []byte {
		port := t.Dst.Port
		if source {
			port = t.Src.Port
		}
		if port == 0 {
			return dst
		}
		if name := t.PortName(port); named && name != "" {
			return append(dst, dissect.Escape(name)...)
		}
		return strconv.AppendUint(dst, uint64(port), 10)
	}
}

// ParseCells reads titles and codes in turn, as "Info" and "%i".
func ParseCells(words []string) ([]Cell, error) {
	if len(words)%2 != 0 {
		return nil, fmt.Errorf("titles and formats come in turn, as in \"Info\",\"%%i\"")
	}
	var cells []Cell
	for i := 1; i < len(words); i += 2 {
		c, known := standardCells[words[i]]
		custom, ok := strings.CutPrefix(words[i], "%Cus:")
		if !known && !ok {
			return nil, fmt.Errorf("%s: -G column-formats lists the formats", dissect.Escape(words[i]))
		}
		if ok {
			parts := strings.Split(custom, ":")
			c.field = parts[0]
			if len(parts) > 1 {
				c.nth, _ = strconv.Atoi(parts[1])
			}
			c.named = len(parts) > 2 && parts[2] == "R"
		}
		c.title = words[i-1]
		cells = append(cells, c)
	}
	return cells, nil
}

// resolveCells looks whether there are the fields of custom columns, and which fields fill others.
func (p *Printer) resolveCells() error {
	for i := range p.opt.Cells {
		c := &p.opt.Cells[i]
		if c.code != "" {
			c.filled = p.filling(c.code)
		}
		if c.field != "" && len(p.s.Registry().FieldsNamed(c.field)) == 0 {
			return fmt.Errorf("gui.column.format: there is no field %s; %s", dissect.Escape(c.field), p.suggest(c.field))
		}
	}
	return nil
}

// filling are the fields that fill a column.
func (p *Printer) filling(code string) (out []dissect.FieldID) {
	for _, proto := range p.s.Registry().Protocols() {
		for _, f := range proto.Fields() {
			if in, _ := f.Column(); in == code {
				out = append(out, f.ID())
			}
		}
	}
	return out
}

// formatted prints a summary line of the columns that a person has chosen.
func (p *Printer) formatted(t *dissect.Tree) {
	for i, c := range p.opt.Cells {
		if i > 0 {
			p.buf = append(p.buf, p.gap(i)...)
		}
		at := len(p.buf)
		p.buf = p.appendCell(p.buf, t, &c)
		if c.left {
			p.buf = left(p.buf, at, c.width)
		} else {
			p.buf = right(p.buf, at, c.width)
		}
	}
	p.buf = append(p.buf, '\n')
}

func (p *Printer) appendCell(dst []byte, t *dissect.Tree, c *Cell) []byte {
	switch {
	case c.field != "":
		return p.appendCustom(dst, t, c)
	case c.code != "":
		return p.appendFilled(dst, t, c)
	}
	return c.append(p, dst, t)
}

// appendFilled appends the last value in the packet of the fields that fill a column.
func (p *Printer) appendFilled(dst []byte, t *dissect.Tree, c *Cell) []byte {
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		if !slices.Contains(c.filled, t.Nodes[i].Field) {
			continue
		}
		addr := t.Address(i)
		_, text := t.Field(i).Column()
		switch {
		case text != nil:
			return append(dst, text(t.Nodes[i].Val)...)
		case addr == dissect.Addr{}:
			return appendValue(dst, t, i)
		case c.bare:
			return addr.AppendTo(dst)
		}
		return p.appendEnd(dst, t, dissect.Endpoint{Addr: addr})
	}
	return dst
}

// gap is what stands in front of a column: an arrow between sender and receiver.
func (p *Printer) gap(i int) string {
	if p.opt.Format == "tabs" {
		return "\t"
	}
	if p.opt.Cells[i].left && p.opt.Cells[i-1].width == p.opt.Cells[i].width {
		return " → "
	}
	return " "
}

// appendCustom appends the values of a field, with commas between.
func (p *Printer) appendCustom(dst []byte, t *dissect.Tree, c *Cell) []byte {
	n := 0
	for i := range t.Nodes {
		f := t.Field(i)
		if f.Name() != c.field {
			continue
		}
		if n++; c.nth > 0 && n != c.nth {
			continue
		}
		if n > 1 && c.nth == 0 {
			dst = append(dst, ',')
		}
		if name := f.Values()[t.Nodes[i].Val]; c.named && name != "" {
			dst = append(dst, name...)
		} else {
			dst = appendValue(dst, t, i)
		}
	}
	return dst
}
