package print

import (
	"strconv"
	"unicode/utf8"

	"remora/dissect"
)

// summary prints tshark's line: number, time, source, arrow, destination, protocol, length, info.
func (p *Printer) summary(t *dissect.Tree) {
	if len(p.opt.Cells) > 0 {
		p.formatted(t)
		return
	}
	sep := byte(' ')
	if p.opt.Format == "tabs" {
		sep = '\t'
	}
	b := p.buf
	b = right(p.appendNumber(b, t), len(b), 5)
	b = append(b, sep)
	b = right(p.appendTime(b, t), len(b), 10)
	b = append(b, sep)
	b = right(p.appendSource(b, t), len(b), 12)
	b = append(append(append(b, sep), "→"...), sep)
	b = left(p.appendDestination(b, t), len(b), 12)
	b = append(b, sep)
	b = append(p.appendProtocol(b, t), sep)
	b = append(p.appendLength(b, t), sep)
	p.buf = append(p.appendInfo(b, t), '\n')
}

const blanks = "                "

// right moves what stands in b from at on to the right end of a cell of the width.
func right(b []byte, at, width int) []byte {
	free := width - utf8.RuneCount(b[at:])
	if free <= 0 {
		return b
	}
	end := len(b)
	b = append(b, blanks[:free]...)
	copy(b[at+free:], b[at:end])
	copy(b[at:], blanks[:free])
	return b
}

// left fills the cell that began at at with blanks.
func left(b []byte, at, width int) []byte {
	if free := width - utf8.RuneCount(b[at:]); free > 0 {
		b = append(b, blanks[:free]...)
	}
	return b
}

func (p *Printer) appendNumber(dst []byte, t *dissect.Tree) []byte {
	return strconv.AppendUint(dst, uint64(p.s.Number(t.Frame)), 10)
}

func (p *Printer) appendTime(dst []byte, t *dissect.Tree) []byte {
	return p.opt.Time.Append(dst, t.Time(), p.first(), p.previous(t, p.opt.Time), p.digits(t))
}

func (p *Printer) appendSource(dst []byte, t *dissect.Tree) []byte {
	return p.appendEnd(dst, t, t.Src)
}

func (p *Printer) appendDestination(dst []byte, t *dissect.Tree) []byte {
	return p.appendEnd(dst, t, t.Dst)
}

func (p *Printer) appendProtocol(dst []byte, t *dissect.Tree) []byte {
	return append(dst, t.ProtocolText()...)
}

func (p *Printer) appendType(dst []byte, t *dissect.Tree) []byte { return append(dst, t.Kind()...) }

func (p *Printer) appendLength(dst []byte, t *dissect.Tree) []byte {
	return strconv.AppendInt(dst, int64(t.Len()), 10)
}

func (p *Printer) appendInfo(dst []byte, t *dissect.Tree) []byte { return t.AppendInfoLine(dst) }

// appendEnd is how one end is called: by its name where names are on, else by its address.
func (p *Printer) appendEnd(dst []byte, t *dissect.Tree, e dissect.Endpoint) []byte {
	if p.opt.Names {
		if label := t.EndOf(e).Label(); label != "" {
			return append(dst, dissect.Escape(label)...)
		}
	}
	if name := p.s.AddrName(e.Addr, t.Frame); name != "" {
		return append(dst, dissect.Escape(name)...)
	}
	return e.Addr.AppendTo(dst)
}

func (p *Printer) first() int64 { return p.s.Store().Time(0) }

// previous is the time of the packet that -t d and dd count from, or of this one when there is none.
func (p *Printer) previous(t *dissect.Tree, c Clock) int64 {
	if c.Captured {
		return p.s.Store().Meta(int(p.s.Before(t.Frame)) - 1).Time
	}
	if p.at.Packets == 0 {
		return t.Time()
	}
	return p.at.Last
}

// digits is how many digits behind the second the packet's time stamp carries.
func (p *Printer) digits(t *dissect.Tree) int {
	store := p.s.Store()
	id := store.Meta(int(t.Frame) - 1).Interface
	for id >= len(p.precision) {
		p.precision = append(p.precision, int8(shownDigits(store.Interface(len(p.precision)).TimeDigits())))
	}
	return int(p.precision[id])
}
