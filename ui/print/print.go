// Package print writes dissected packets as text: summary lines, trees and hex dumps, fields, JSON. The forms are
// tshark's, so that scripts written for it keep working.
package print

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
)

// Options say what is printed of each packet.
type Options struct {
	Summary bool   // one line a packet; the default when nothing else is chosen
	Tree    bool   // -V
	Hex     bool   // -x
	Format  string // text, fields, json, ek, tabs
	Fields  []string
	Layout  Layout // -E
	Time    Clock  // -t
	Names   bool   // roles and names of ends instead of addresses
}

// A Printer writes packets in one form.
type Printer struct {
	w      *bufio.Writer
	s      *dissect.Session
	opt    Options
	cols   []column
	wants  *dissect.Wants
	write  func(t *dissect.Tree)
	n      int
	before int64 // time of the packet printed last
	buf    []byte
}

// New makes a printer. It fails when a field or a form is unknown; the error says which names come near.
func New(w io.Writer, s *dissect.Session, opt Options) (*Printer, error) {
	p := &Printer{w: bufio.NewWriterSize(w, 64<<10), s: s, opt: opt}
	if err := p.resolve(); err != nil {
		return nil, err
	}
	switch opt.Format {
	case "", "text":
		p.write = p.text
	case "tabs":
		p.write = p.text
	case "fields":
		if len(opt.Fields) == 0 {
			return nil, fmt.Errorf("-T fields prints the fields that -e names: add one, as in -e frame.number -e ip.src")
		}
		p.write = p.fields
		if opt.Layout.Header {
			p.header()
		}
	case "json":
		p.write = p.json
	case "ek":
		p.write = p.ek
	default:
		return nil, fmt.Errorf("-T %s: the forms are text, fields, json, ek and tabs", opt.Format)
	}
	return p, nil
}

// Wants are the fields that must be looked at for printing; nil means whole trees.
func (p *Printer) Wants() *dissect.Wants { return p.wants }

// Packet prints one packet. The tree must have been looked at with Wants.
func (p *Printer) Packet(t *dissect.Tree) {
	p.write(t)
	p.n++
	p.before = t.Time()
}

// Flush hands everything printed so far to the writer.
func (p *Printer) Flush() error { return p.w.Flush() }

// Close ends the output.
func (p *Printer) Close() error {
	if p.opt.Format == "json" {
		if p.n == 0 {
			p.w.WriteString("[\n\n]\n")
		} else {
			p.w.WriteString("\n]\n")
		}
	}
	return p.w.Flush()
}

// text prints the summary line, the tree and the bytes, whichever are asked for.
func (p *Printer) text(t *dissect.Tree) {
	plain := !p.opt.Tree && !p.opt.Hex
	if p.opt.Summary || plain {
		p.summary(t)
	}
	if p.opt.Tree {
		p.tree(t)
	}
	if p.opt.Hex {
		p.hex(t)
	}
	if !plain && (p.opt.Tree || p.opt.Hex) {
		p.w.WriteByte('\n')
	}
}

// summary prints tshark's line: number, time, source, arrow, destination, protocol, length, info.
func (p *Printer) summary(t *dissect.Tree) {
	parts := []string{
		fmt.Sprintf("%5d", t.Frame),
		fmt.Sprintf("%10s", p.opt.Time.Text(t.Time(), p.first(), p.previous(t))),
		fmt.Sprintf("%12s", p.end(t, t.Src)), "→", fmt.Sprintf("%-12s", p.end(t, t.Dst)),
		t.Protocol().Title(), fmt.Sprint(t.Len()), t.InfoLine(),
	}
	sep := " "
	if p.opt.Format == "tabs" {
		sep = "\t"
	}
	for i, part := range parts {
		if i > 0 {
			p.w.WriteString(sep)
		}
		p.w.WriteString(part)
	}
	p.w.WriteByte('\n')
}

// end is how one end is called: by its name where names are on, else by its address.
func (p *Printer) end(t *dissect.Tree, e dissect.Endpoint) string {
	if p.opt.Names {
		if label := p.s.End(e, t.Frame).Label(); label != "" {
			return dissect.Escape(label)
		}
	}
	return e.Addr.String()
}

func (p *Printer) first() int64 {
	return p.s.Store().Meta(0).Time
}

// previous is the time of the packet printed before, or of this one when it is the first.
func (p *Printer) previous(t *dissect.Tree) int64 {
	if p.opt.Time.Captured {
		if t.Frame > 1 {
			return p.s.Store().Meta(int(t.Frame) - 2).Time
		}
		return t.Time()
	}
	if p.n == 0 {
		return t.Time()
	}
	return p.before
}

func (p *Printer) tree(t *dissect.Tree) {
	for i, n := range t.Nodes {
		if t.Field(i).IsHidden() {
			continue
		}
		for range n.Depth {
			p.w.WriteString("    ")
		}
		p.w.WriteString(t.Label(i))
		p.w.WriteByte('\n')
	}
}

func (p *Printer) hex(t *dissect.Tree) {
	sources := t.Sources()
	for _, s := range sources {
		if len(sources) > 1 {
			fmt.Fprintf(p.w, "%s (%d bytes):\n", s.Name, len(s.Data))
		}
		for off := 0; off < len(s.Data); off += 16 {
			p.buf = HexLine(p.buf[:0], off, s.Data[off:min(off+16, len(s.Data))])
			p.w.Write(p.buf)
		}
		if len(s.Data) == 0 {
			continue
		}
		if len(sources) > 1 {
			p.w.WriteByte('\n')
		}
	}
}

// HexLine appends one line of a hex dump: offset, up to 16 bytes, and their ASCII.
func HexLine(dst []byte, off int, b []byte) []byte {
	dst = fmt.Appendf(dst, "%04x  ", off)
	for i := range 16 {
		if i < len(b) {
			dst = fmt.Appendf(dst, "%02x ", b[i])
		} else {
			dst = append(dst, "   "...)
		}
	}
	dst = append(dst, "  "...)
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			c = '.'
		}
		dst = append(dst, c)
	}
	return append(dst, '\n')
}

// nearest is a hint at the declared name that comes near one that is not declared.
func nearest(reg *dissect.Registry, name string) string {
	if best := filter.Nearest(reg, name); best != "" {
		return "did you mean " + best + "?"
	}
	return "remora --fields lists the names"
}

// Forms are the words that -T takes.
var Forms = []string{"text", "fields", "json", "ek", "tabs"}

// KnownForm tells whether -T takes the word.
func KnownForm(s string) bool { return slices.Contains(Forms, strings.ToLower(s)) }
