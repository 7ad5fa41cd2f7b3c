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
	Summary bool     // one line a packet; the default when nothing else is chosen
	Tree    bool     // -V
	Only    []string // -O: protocols whose trees are printed whole, all others as one line; it implies Tree
	Hex     bool     // -x
	Format  string   // text, fields, json, ek, pdml, psml, ps, tabs
	Fields  []string
	Layout  Layout // -E
	Time    Clock  // -t
	Names   bool   // roles and names of ends instead of addresses
	OneKey  bool   // json: a field that occurs several times is one key with an array

	Filtered bool    // not all packets are printed
	Cells    []Cell  // of summary lines; none: the usual columns
	Noted    []Noted // -z proto,colinfo

	Separator string  // -S: the line behind what is printed of a packet on several lines
	Dump      HexDump // --hexdump
	Creator   string  // of pdml and psml: the program
	File      string  // that is read, for pdml

	// Exact leaves out what Wireshark does not have, and in ek writes a key again for what stands below another field.
	Exact bool
	Tops  []string // -j: protocols and fields that json and ek write out, of all others only that they are there
	Whole []string // -J: the same with all that is below them
}

// A Printer writes packets in one form. What a write fails with is kept and comes back from all later calls. A Printer
// is for one goroutine.
type Printer struct {
	w         *bufio.Writer
	s         *dissect.Session
	opt       Options
	cols      []column
	texts     bool    // one of them takes lines that are no field
	colsOf    [][]int // by FieldID: the columns that take the field's values
	only      map[*dissect.Protocol]bool
	wants     *dissect.Wants
	write     func(t *dissect.Tree)
	at        Place
	since     *dissect.Field // the time since the packet displayed before; nil where all are
	precision []int8         // digits behind the second, by interface
	buf       []byte         // the packet being printed
	members   []member
	beside    []sibling
	ekKeys    ekList   // scratch
	ekNames   []ekKeys // by FieldID
	label     []byte   // scratch
	repeated  dissect.RepeatedLines
	keys      []jsonKeys // by FieldID
	index     []byte     // appendIndex, of packets of one second
	indexAt   int64
	all       bool // what is written lies below something that -J names
}

// New makes a printer. It fails when a field or a form is unknown; the error says which names come near.
func New(w io.Writer, s *dissect.Session, opt Options) (*Printer, error) {
	opt.Tree = opt.Tree || len(opt.Only) > 0
	p := &Printer{w: bufio.NewWriterSize(w, 64<<10), s: s, opt: opt}
	if err := p.check(); err != nil {
		return nil, err
	}
	if (opt.Format == "psml" || opt.Format == "ek" && opt.Summary || len(opt.Noted) > 0) && len(opt.Cells) == 0 {
		p.opt.Cells, _ = ParseCells(usualCells) // they are well-formed
	}
	if err := p.resolve(); err != nil {
		return nil, err
	}
	if err := p.resolveCells(); err != nil {
		return nil, err
	}
	if opt.Filtered {
		p.since = s.Registry().Field("frame.time_delta_displayed")
	}
	p.choose()
	if opt.Format == "ps" {
		p.w.WriteString(p.psStart()) //nolint:errcheck // the writer keeps its error
	}
	switch {
	case opt.Format == "fields":
		p.head()
	case opt.Format == "pdml" || opt.Format == "psml":
		if p.xmlHead(p.w); len(p.opt.Cells)+len(opt.Fields) == 0 {
			p.wants = dissect.TreeWants()
		}
	case len(p.opt.Cells) > 0: // their fields are looked for in whole trees
	case opt.Format != "json" && opt.Format != "jsonraw" && opt.Format != "ek" && !opt.Tree:
		if p.wants = p.s.Registry().RowWants(); opt.Hex {
			p.wants.WithBytes()
		}
	case len(opt.Fields) == 0 && (!opt.Summary || opt.Format == "json" || opt.Format == "ek"):
		p.wants = dissect.TreeWants()
	}
	return p, nil
}

func (p *Printer) choose() {
	switch p.opt.Format {
	case "fields":
		p.write = p.fields
	case "json", "jsonraw":
		p.write = p.json
	case "ek":
		p.write = p.ek
	case "pdml":
		p.write = p.pdml
	case "psml":
		p.write = p.psml
	case "ps":
		p.write = p.postscript
	default:
		p.write = p.text
	}
}

// check refuses forms and protocols that are not there.
func (p *Printer) check() error {
	if p.opt.Format != "" && !KnownForm(p.opt.Format) {
		return fmt.Errorf("-T %s: the forms are %s", dissect.Escape(p.opt.Format), strings.Join(Forms, ", "))
	}
	if p.opt.Format == "fields" && len(p.opt.Fields) == 0 {
		return fmt.Errorf("-T fields prints the fields that -e names: add one, as in -e frame.number -e ip.src")
	}
	p.only = map[*dissect.Protocol]bool{}
	for _, name := range p.opt.Only {
		proto := p.s.Registry().Protocol(name)
		if proto == nil && p.opt.Exact {
			continue // tshark has trees of nothing then
		}
		if proto == nil {
			return fmt.Errorf("-O %s: there is no such protocol; %s", dissect.Escape(name), p.s.Registry().SuggestProtocol(name))
		}
		p.only[proto] = true
	}
	return nil
}

// Wants are the fields that must be looked at for printing; nil means whole trees.
func (p *Printer) Wants() *dissect.Wants { return p.wants }

// ValuesAlone tells whether nothing is printed but the values of fields: Dissector.Values knows them sooner.
func (p *Printer) ValuesAlone() bool {
	return len(p.cols) > 0 && slices.Contains([]string{"fields", "json", "ek", "pdml"}, p.opt.Format)
}

// Packet prints one packet. The tree must have been looked at with Wants. An error may be about an earlier packet's
// text, as text is written in blocks.
func (p *Printer) Packet(t *dissect.Tree) error {
	p.buf = p.Append(p.buf[:0], t)
	_, err := p.w.Write(p.buf)
	if cap(p.buf) > maxKept {
		p.buf = nil
	}
	return err
}

// Append is Packet that appends to dst what it would print.
func (p *Printer) Append(dst []byte, t *dissect.Tree) []byte {
	kept := p.buf
	p.buf = dst
	if p.since != nil {
		p.sinceShown(t)
	}
	p.write(t)
	dst, p.buf = p.buf, kept
	p.at = p.at.Behind(t.Time(), t.Len())
	return dst
}

// sinceShown has the time since the packet displayed before count from the one that was printed, which only who prints
// knows.
func (p *Printer) sinceShown(t *dissect.Tree) {
	for i := range t.Nodes {
		if t.Nodes[i].Field == p.since.ID() {
			t.Nodes[i].Val = uint64(t.Time() - p.previous(t, Clock{}))
			return
		}
	}
}

// Fork makes a printer of the same form for another goroutine, which appends alone. After tells it behind what.
func (p *Printer) Fork() *Printer {
	q := &Printer{s: p.s, opt: p.opt, cols: slices.Clone(p.cols), colsOf: p.colsOf, only: p.only, wants: p.wants,
		since: p.since}
	for i := range q.cols {
		q.cols[i].text, q.cols[i].ends = nil, nil
	}
	q.choose()
	return q
}

// A Place is where a printer is.
type Place struct {
	Packets int   // that were printed
	Last    int64 // the time of the last one, in nanoseconds since 1970
	Bytes   int64 // of all of them, as they were on the wire
}

// Behind is the place behind one packet more.
func (at Place) Behind(time int64, size int) Place {
	return Place{at.Packets + 1, time, at.Bytes + int64(size)}
}

// Sums tells whether a column needs the Bytes of a Place.
func (p *Printer) Sums() bool {
	return p != nil && slices.ContainsFunc(p.opt.Cells, func(c Cell) bool { return c.sums })
}

// Place is where the printer is.
func (p *Printer) Place() Place { return p.at }

// After has the printer go on behind a place.
func (p *Printer) After(at Place) { p.at = at }

// Write prints what forks appended, in the order of the packets.
func (p *Printer) Write(text []byte) error {
	_, err := p.w.Write(text)
	return err
}

// maxKept is the longest output of one packet whose memory is used again.
const maxKept = 1 << 20

// Flush hands everything printed so far to the writer.
func (p *Printer) Flush() error { return p.w.Flush() }

// Close ends the output.
func (p *Printer) Close() error {
	if p.opt.Format == "json" || p.opt.Format == "jsonraw" {
		p.w.WriteString(p.jsonEnd())
	}
	if p.opt.Format == "pdml" || p.opt.Format == "psml" {
		p.w.WriteString(p.xmlEnd())
	}
	if p.opt.Format == "ps" {
		p.w.WriteString(psEnd)
	}
	return p.w.Flush()
}

// text prints the summary line, the tree and the bytes, whichever are asked for.
func (p *Printer) text(t *dissect.Tree) {
	if p.opt.Summary || !p.opt.Tree && !p.opt.Hex {
		p.summary(t)
	}
	if p.opt.Tree {
		p.tree(t)
		if !p.opt.Hex {
			p.buf = append(append(p.buf, p.opt.Separator...), '\n')
		}
	}
	if p.opt.Hex {
		if p.opt.Summary || p.opt.Tree {
			p.buf = append(p.buf, '\n')
		}
		p.hex(t)
		p.buf = append(append(p.buf, p.opt.Separator...), '\n')
	}
}

// hint names the declared name that comes near one that is not declared.
func hint(reg *dissect.Registry, name string) string {
	if best := filter.Suggest(reg, name); best != "" {
		return "did you mean " + best + "?"
	}
	return "remora --fields lists the names"
}

// Forms are the words that -T takes.
var Forms = []string{"text", "fields", "json", "jsonraw", "ek", "pdml", "psml", "ps", "tabs"}

// KnownForm tells whether -T takes the word.
func KnownForm(s string) bool { return slices.Contains(Forms, s) }
