package print

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
)

// tree prints the lines of the packet's tree; with -O only the protocols named there are more than a line.
func (p *Printer) tree(t *dissect.Tree) {
	if len(p.opt.Only) > 0 {
		p.lines(t, 0, len(t.Nodes))
		return
	}
	r := &p.repeated
	if r.LeavesOut == nil {
		r.LeavesOut = func(f *dissect.Field) bool { return p.leavesOut(f) || p.dumps(f) }
	}
	r.Begin(t)
	for i := 0; i < len(t.Nodes); {
		at := len(p.buf)
		b, to, known := r.Append(p.buf, t, i)
		if p.buf = b; known {
			i = to
			continue
		}
		i = p.lines(t, i, to)
		r.Keep(p.buf[at:])
	}
}

// lines prints the lines of the nodes [i, to), and tells where it goes on.
func (p *Printer) lines(t *dissect.Tree, i, to int) int {
	open := true
	for ; i < to; i++ {
		n, f := &t.Nodes[i], t.Field(i)
		if n.Depth == 0 {
			open = len(p.opt.Only) == 0 || p.only[f.Protocol()]
		}
		if f.IsHidden() || n.Depth > 0 && !open {
			continue
		}
		if t.IsHidden(i) || p.leavesOut(f) { // and all below it
			i = t.End(i) - 1
			continue
		}
		if isPlainExpert(t, i) {
			p.expertLines(t, i)
			continue
		}
		p.indent(int(n.Depth))
		p.buf = append(t.AppendLabel(p.buf, i), '\n')
		if f.Type() == dissect.TypeEther && t.End(i) > i+1 {
			p.addressLines(t, i)
		}
		if open && p.dumps(f) {
			p.dump(t.Bytes(i))
		}
	}
	return i
}

// dumps tells whether the bytes of a protocol are printed below its line: those that none takes, where not all of the
// packet are.
func (p *Printer) dumps(f *dissect.Field) bool {
	return f.Type() == dissect.TypeProtocol && f.Protocol().Name() == "data" && !p.opt.Hex
}

// dump prints the bytes of a part of the packet.
func (p *Printer) dump(b []byte) {
	p.buf = append(p.buf, '\n')
	for off := 0; off < len(b); off += 16 {
		p.buf = HexLine(p.buf, off, b[off:min(off+16, len(b))])
	}
}

// indent begins a line of the tree.
func (p *Printer) indent(depth int) {
	for deep := 4 * depth; deep > 0; deep -= len(blanks) {
		p.buf = append(p.buf, blanks[:min(deep, len(blanks))]...)
	}
}

// isPlainExpert tells whether a node is an expert info whose lines are still to be made. Those of scripts bring them.
func isPlainExpert(t *dissect.Tree, i int) bool {
	return t.Field(i).IsExpert() && (t.End(i) == i+1 || !strings.HasPrefix(unbracketed(t.Label(i)), "Expert Info ("))
}

// expertLines prints an expert info as Wireshark does: its text, and below it what it is about and how grave it is.
func (p *Printer) expertLines(t *dissect.Tree, i int) {
	depth, f := int(t.Nodes[i].Depth), t.Field(i)
	p.indent(depth)
	p.buf = append(p.appendExpert(append(p.buf, '['), t, i), "]\n"...)
	p.indent(depth + 1)
	p.buf = append(t.AppendLabel(p.buf, i), '\n')
	p.indent(depth + 1)
	p.buf = append(append(append(p.buf, "[Severity level: "...), f.Severity().String()...), "]\n"...)
	p.indent(depth + 1)
	p.buf = append(append(append(p.buf, "[Group: "...), f.Group().String()...), "]\n"...)
}

// appendExpert is the text of an expert info, with what it is about and how grave it is.
func (p *Printer) appendExpert(dst []byte, t *dissect.Tree, i int) []byte {
	f := t.Field(i)
	dst = append(append(append(dst, "Expert Info ("...), f.Severity().String()...), '/')
	dst = append(append(dst, f.Group().String()...), "): "...)
	p.label = t.AppendLabel(p.label[:0], i)
	return append(dst, unbracketed(p.label)...)
}

// addressLines prints the other names of an address with something below it, which are no hidden fields in Wireshark.
func (p *Printer) addressLines(t *dissect.Tree, i int) {
	p.label = t.AppendLabel(p.label[:0], i)
	for _, a := range t.Field(i).Aliases() {
		p.indent(int(t.Nodes[i].Depth) + 1)
		p.buf = append(append(p.buf, a.Label()...), p.label[len(t.Field(i).Label()):]...)
		p.buf = append(p.buf, '\n')
	}
}

// hex prints the bytes of the frame, and of what was made of them.
func (p *Printer) hex(t *dissect.Tree) {
	sources := t.Sources()
	for _, s := range sources {
		if len(sources) > 1 && !p.opt.Dump.Frame {
			p.buf = append(p.buf, dissect.Escape(s.Name)...)
			p.buf = append(p.buf, " ("...)
			p.buf = strconv.AppendInt(p.buf, int64(len(s.Data)), 10)
			p.buf = append(p.buf, " bytes):\n"...)
		}
		for off := 0; off < len(s.Data); off += 16 {
			p.buf = p.opt.Dump.line(p.buf, off, s.Data[off:min(off+16, len(s.Data))])
		}
		if p.opt.Dump.Frame {
			return
		}
	}
}

const hexDigits = "0123456789abcdef"

// HexDump is how --hexdump changes the hex dump.
type HexDump struct {
	Frame     bool // the frame alone, nothing that was made of it
	Delimited bool // the characters stand between bars
	Bare      bool // no characters
}

// Parse takes a word of --hexdump. Later words take the place of earlier ones about the same.
func (h *HexDump) Parse(word string) error {
	switch word {
	case "all", "frames":
		h.Frame = word == "frames"
	case "ascii", "delimit", "noascii":
		h.Delimited, h.Bare = word == "delimit", word == "noascii"
	default:
		return fmt.Errorf("%q is an invalid value for --hexdump <hexoption>; it takes all, frames, ascii, delimit and "+
			"noascii",
			dissect.Escape(word))
	}
	return nil
}

// line appends a line of the dump.
func (h *HexDump) line(dst []byte, off int, b []byte) []byte {
	dst = HexLine(dst, off, b)
	if !h.Bare && !h.Delimited {
		return dst
	}
	at := len(dst) - 1 - len(b) // of the characters
	if h.Bare {
		return append(dst[:at], '\n')
	}
	dst = slices.Insert(dst[:len(dst)-1], at, '|')
	return append(dst, '|', '\n')
}

// HexLine appends one line of a hex dump: offset, up to 16 bytes, and their ASCII.
func HexLine(dst []byte, off int, b []byte) []byte {
	digits := 4
	for off>>(4*digits) != 0 {
		digits++
	}
	for i := 4 * (digits - 1); i >= 0; i -= 4 {
		dst = append(dst, hexDigits[off>>i&15])
	}
	dst = append(dst, "  "...)
	for i := range 16 {
		if i < len(b) {
			dst = append(dst, hexDigits[b[i]>>4], hexDigits[b[i]&15], ' ')
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
