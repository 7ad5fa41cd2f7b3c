// Package hex is the pane with the bytes of the selected packet, and what they would be, read as anything.
package hex

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/behaviour"
	"remora/ui/paint"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the pane may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() view.Scope
	// Style is how the screen draws.
	Style() *widget.Style
	// Focused tells whether the keys go to the pane, Width is its width, or 0 while it is not shown.
	Focused() bool
	Width() int
	// Height is how many lines it has.
	Height() int
	// Select makes a node of the tree the selected one.
	Select(node int)
	// Notify says something in the line above the keys.
	Notify(text string)
	// Later does work beside the screen, and then what it returns; stop ends ctx.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// A Pane is the state of the bytes. Which of them are selected the selected packet knows.
type Pane struct {
	c      Context
	packet *selected.Packet

	top       int    // first line
	seen      int    // the cursor that was brought into view last, plus one
	width     int    // bytes on a line; 0: what suits the width
	text      int    // the encoding of the text beside them
	diagram   bool   // the layer is drawn in place of the bytes
	diagramAt int    // where its lines begin
	size      [2]int // in which it was drawn last
	drawn     []diagramLine

	from int // where a selection of bytes began, plus one; 0 without

	habit behaviour.Behaviour // of the selected field, or of the bytes picked
	stop  func()              // ends the look at it
}

// New is the pane for the selected packet.
func New(c Context, packet *selected.Packet) *Pane { return &Pane{c: c, packet: packet} }

// byteWidths are the numbers of bytes on a line that can be chosen; 0 is 16, or 8 on narrow panes.
var byteWidths = []int{0, 8, 16, 32}

// PerLine is how many bytes stand on a line: as many as were chosen, or fewer where they do not fit.
func (p *Pane) PerLine(w int) int {
	if p.diagram {
		return p.diagramBits(w) / 8
	}
	n := p.width
	if n == 0 {
		n = 16
	}
	for n > 8 && w < 6+n*3+n/8+n {
		n /= 2
	}
	return n
}

// NextWidth puts another number of bytes on a line.
func (p *Pane) NextWidth() {
	i := slices.Index(byteWidths, p.width)
	p.width = byteWidths[(i+1)%len(byteWidths)]
	text := "16 bytes on a line, 8 where there is no room"
	if n := p.width; n > 0 {
		text = strconv.Itoa(n) + " bytes on a line"
		if w := p.c.Width(); w > 0 && p.PerLine(w) < n {
			text += ", where there is room; \\ makes more"
		}
	}
	p.c.Notify(text)
	p.seen = 0
}

// MoveTo puts the cursor on a byte and selects the field that owns it.
func (p *Pane) MoveTo(off int) {
	data := p.packet.Tree.Source(p.packet.Source)
	if len(data) == 0 {
		return
	}
	p.packet.Byte = max(0, min(off, len(data)-1))
	if i := p.packet.Tree.At(p.packet.Source, p.packet.Byte); i >= 0 {
		at, src := p.packet.Byte, p.packet.Source
		p.c.Select(i)
		p.packet.Byte, p.packet.Source = at, src
	}
	if p.from > 0 {
		p.Watch()
	}
}

// Pick begins a selection of bytes at the cursor, or ends it.
func (p *Pane) Pick() {
	if !p.c.Focused() {
		return
	}
	defer p.Watch()
	if p.from > 0 {
		p.from = 0
		return
	}
	p.from = p.packet.Byte + 1
	p.c.Notify("moving selects bytes; = filters by them, y copies them, v ends it")
}

// Unpick ends a selection of bytes; it tells whether there was one.
func (p *Pane) Unpick() bool {
	was := p.from > 0
	if p.from = 0; was {
		p.Watch()
	}
	return was
}

// Picked are the bytes selected, from the first to behind the last.
func (p *Pane) Picked() (lo, hi int, ok bool) {
	if p.from == 0 || !p.c.Focused() || p.packet.Tree == nil {
		return 0, 0, false
	}
	lo, hi = min(p.from-1, p.packet.Byte), max(p.from-1, p.packet.Byte)+1
	return lo, hi, hi <= len(p.packet.Tree.Source(p.packet.Source))
}

// NextSource shows the next data source.
func (p *Pane) NextSource() {
	if p.packet.Tree == nil {
		return
	}
	p.ShowSource((int(p.packet.Source) + 1) % len(p.packet.Tree.Sources()))
}

// ShowSource shows a data source from its first byte on.
func (p *Pane) ShowSource(i int) {
	if i != int(p.packet.Source) {
		p.packet.Source = uint8(i)
		p.packet.Byte, p.top, p.from = 0, 0, 0
	}
}

// clickSource shows the data source whose tab is at a column.
func (p *Pane) clickSource(x int) {
	at := 0
	for i, s := range p.packet.Tree.Sources() {
		if at += paint.Width(sourceTab(s)); x < at {
			p.ShowSource(i)
			return
		}
		at++
	}
}

// sourceTab is the name of a data source and its length.
func sourceTab(s dissect.Source) string {
	return fmt.Sprintf(" %s (%d) ", dissect.Escape(s.Name), len(s.Data))
}

// Draw draws exactly h lines of w cells.
func (p *Pane) Draw(w, h int) []string {
	out := make([]string, 0, h)
	if p.packet.Tree == nil {
		return blank(out, w, h)
	}
	if p.diagram {
		return p.drawDiagram(w, h, p.sourceTabs(w, out))
	}
	if h >= inspectLines+8 && w >= 60 {
		h -= inspectLines
		return append(p.drawBytesOf(w, h, out), p.drawInspector(w)...)
	}
	return p.drawBytesOf(w, h, out)
}

// drawBytesOf draws the tabs of the data sources and the lines of bytes.
func (p *Pane) drawBytesOf(w, h int, out []string) []string {
	out = p.sourceTabs(w, out)
	data := p.packet.Tree.Source(p.packet.Source)
	n := p.PerLine(w)
	room := max(1, h-len(out))
	if at := p.packet.Byte / n; p.seen == p.packet.Byte+1 {
		// the wheel may scroll away from the cursor
	} else if at < p.top || at >= p.top+room {
		p.top = max(0, at-room/3)
	}
	p.seen = p.packet.Byte + 1
	p.top = max(0, min(p.top, max(0, (len(data)-1)/n)))
	lo, hi := p.markedBytes()
	for off := p.top * n; off < len(data) && len(out) < h; off += n {
		out = append(out, p.drawBytes(data, off, n, lo, hi, w))
	}
	return blank(out, w, h)
}

// sourceTabs draws the tabs of the data sources where there are several.
func (p *Pane) sourceTabs(w int, out []string) []string {
	sources := p.packet.Tree.Sources()
	if int(p.packet.Source) >= len(sources) {
		p.packet.Source = 0
	}
	if len(sources) > 1 {
		out = append(out, p.drawTabs(w))
	}
	return out
}

func blank(out []string, w, h int) []string {
	for len(out) < h {
		out = append(out, strings.Repeat(" ", w))
	}
	return out
}

// markedBytes are the bytes of the selected field in the source that is shown.
func (p *Pane) markedBytes() (lo, hi int) {
	if lo, hi, ok := p.Picked(); ok {
		return lo, hi
	}
	if i := p.packet.Node; i >= 0 && p.packet.Tree.Nodes[i].Src == p.packet.Source {
		n := p.packet.Tree.Nodes[i]
		return int(n.Off), int(n.Off + n.Len)
	}
	return 0, 0
}

func (p *Pane) drawTabs(w int) string {
	var l paint.Line
	for i, s := range p.packet.Tree.Sources() {
		text := sourceTab(s)
		if i == int(p.packet.Source) {
			l.Put(p.c.Style().Pens.Selected, text)
		} else {
			l.Put(p.c.Style().Pens.Dim, text)
		}
		l.Put(paint.Pen{}, " ")
	}
	return paint.Clip(l.End(w), w)
}

// drawBytes draws one line: offset, bytes with those of the selected field marked, and their text.
func (p *Pane) drawBytes(data []byte, off, n, lo, hi, w int) string {
	var l paint.Line
	l.Put(p.c.Style().Pens.Dim, fmt.Sprintf(" %04x ", off))
	pick := func(i int) paint.Pen {
		switch {
		case i == p.packet.Byte && p.c.Focused():
			return p.c.Style().Pens.Selected
		case i >= lo && i < hi:
			return p.c.Style().Pens.Marked
		case data[i] == 0 || p.packet.Source == 0 && i < len(p.packet.SameBytes) && p.packet.SameBytes[i]:
			return p.c.Style().Pens.Dim
		}
		return paint.Pen{}
	}
	l.Runs(n, func(i int) (paint.Pen, string) {
		gap := " "
		if i > 0 && i%8 == 0 {
			gap = "  "
		}
		if off+i >= len(data) {
			return paint.Pen{}, gap + "  "
		}
		return pick(off + i), gap + widget.HexPair(data[off+i])
	}, true)
	l.Put(paint.Pen{}, "  ")
	cells := textCells(data[off:min(off+n, len(data))], byteTexts[p.text], lo-off, p.c.Style().Glyph("·", "."))
	l.Runs(n, func(i int) (paint.Pen, string) {
		if off+i >= len(data) {
			return paint.Pen{}, " "
		}
		return pick(off + i), cells[i]
	}, false)
	return paint.Clip(l.End(w), w)
}

// Update does what a key stands for in the bytes, and tells whether it stands for anything; n is the count before the
// key, or 0.
func (p *Pane) Update(a act.Action, n int) bool {
	if p.packet.Tree == nil {
		return false
	}
	switch a {
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		p.Step(widget.Step(a, max(1, n), max(1, p.c.Height()-1)), 0)
	case act.First, act.Last:
		if n > 0 { // the number of a packet
			return false
		}
		p.Edge(a == act.Last)
	case act.Left:
		p.Step(0, -max(1, n))
	case act.Right:
		p.Step(0, max(1, n))
	case act.Sort:
		p.NextSource()
	default:
		return false
	}
	return true
}

// Step moves the cursor by some lines, or by some bytes.
func (p *Pane) Step(lines, bytes int) {
	p.MoveTo(p.packet.Byte + lines*p.PerLine(p.c.Width()) + bytes)
}

// Edge moves the cursor to the first or the last byte.
func (p *Pane) Edge(last bool) {
	if last {
		p.MoveTo(len(p.packet.Tree.Source(p.packet.Source)) - 1)
	} else {
		p.MoveTo(0)
	}
}

// Wheel scrolls by n lines and leaves the cursor alone.
func (p *Pane) Wheel(n int) { p.top = max(0, p.top+n) }

// Click selects the byte at a cell of what was drawn, in the hex or the text column, or a data source's tab.
func (p *Pane) Click(x, y int) {
	n, tabs := p.PerLine(p.c.Width()), len(p.packet.Tree.Sources()) > 1
	switch {
	case tabs && y == 0:
		p.clickSource(x)
		return
	case p.diagram:
		p.clickDiagram(x, y)
		return
	case tabs:
		y--
	}
	col := x - 7
	text := 6 + 3*n + n/8 - 1 + 2
	byteAt := -1
	if c := x - text; c >= 0 && c < n {
		byteAt = c
	} else if at := col/25*8 + col%25/3; col >= 0 && col%25 < 24 && at < n {
		byteAt = at
	}
	if byteAt >= 0 {
		p.MoveTo((p.top+y)*n + byteAt)
	}
}
