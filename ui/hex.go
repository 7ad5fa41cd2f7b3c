package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/paint"
	"remora/ui/widget"
)

// hexPane is the state of the bytes.
type hexPane struct {
	src   uint8 // data source
	cur   int   // byte under the cursor
	top   int   // first line
	seen  int   // the cursor that was brought into view last, plus one
	width int   // bytes on a line; 0: what suits the width
	text  int   // the encoding of the text beside them
	from  int   // where a selection of bytes began, plus one; 0 without
}

// byteWidths are the numbers of bytes on a line that can be chosen; 0 is 16, or 8 on narrow panes.
var byteWidths = []int{0, 8, 16, 32}

// perLine is how many bytes stand on a line: as many as were chosen, or fewer where they do not fit.
func (m *model) perLine(w int) int {
	n := m.hex.width
	if n == 0 {
		n = 16
	}
	for n > 8 && w < 6+n*3+n/8+n {
		n /= 2
	}
	return n
}

// nextByteWidth puts another number of bytes on a line.
func (m *model) nextByteWidth() {
	i := slices.Index(byteWidths, m.hex.width)
	m.hex.width = byteWidths[(i+1)%len(byteWidths)]
	m.notice = "16 bytes on a line, 8 where there is no room"
	if n := m.hex.width; n > 0 {
		m.notice = strconv.Itoa(n) + " bytes on a line"
		if p := m.layout().hex; p.w > 0 && m.perLine(p.w) < n {
			m.notice += ", where there is room; \\ makes more"
		}
	}
	m.hex.seen = 0
}

// moveHex puts the cursor on a byte and selects the field that owns it.
func (m *model) moveHex(off int) {
	data := m.tree.Source(m.hex.src)
	if len(data) == 0 {
		return
	}
	m.hex.cur = max(0, min(off, len(data)-1))
	if i := m.tree.At(m.hex.src, m.hex.cur); i >= 0 {
		at, src := m.hex.cur, m.hex.src
		m.selectNode(i)
		m.hex.cur, m.hex.src = at, src
	}
	if m.hex.from > 0 {
		m.watch()
	}
}

// pickBytes begins a selection of bytes at the cursor, or ends it.
func (m *model) pickBytes() {
	if m.focus != paneHex {
		return
	}
	defer m.watch()
	if m.hex.from > 0 {
		m.hex.from = 0
		return
	}
	m.hex.from = m.hex.cur + 1
	m.notice = "moving selects bytes; = filters by them, y copies them, v ends it"
}

// pickedBytes are the bytes selected, from the first to behind the last.
func (m *model) pickedBytes() (lo, hi int, ok bool) {
	if m.hex.from == 0 || m.focus != paneHex || m.tree == nil {
		return 0, 0, false
	}
	lo, hi = min(m.hex.from-1, m.hex.cur), max(m.hex.from-1, m.hex.cur)+1
	return lo, hi, hi <= len(m.tree.Source(m.hex.src))
}

// nextSource shows the next data source.
func (m *model) nextSource() {
	if m.tree == nil {
		return
	}
	m.showSource((int(m.hex.src) + 1) % len(m.tree.Sources()))
}

// showSource shows a data source from its first byte on.
func (m *model) showSource(i int) {
	if i != int(m.hex.src) {
		m.hex.src = uint8(i)
		m.hex.cur, m.hex.top, m.hex.from = 0, 0, 0
	}
}

// clickSource shows the data source whose tab is at a column.
func (m *model) clickSource(x int) {
	at := 0
	for i, s := range m.tree.Sources() {
		if at += paint.Width(sourceTab(s)); x < at {
			m.showSource(i)
			return
		}
		at++
	}
}

// sourceTab is the name of a data source and its length.
func sourceTab(s dissect.Source) string {
	return fmt.Sprintf(" %s (%d) ", dissect.Escape(s.Name), len(s.Data))
}

func (m *model) drawHex(r rect) []string {
	out := make([]string, 0, r.h)
	if m.tree == nil {
		return blank(out, r)
	}
	if r.h >= inspectLines+8 && r.w >= 60 {
		r.h -= inspectLines
		return append(m.drawBytesOf(r, out), m.drawInspector(r.w)...)
	}
	return m.drawBytesOf(r, out)
}

// drawBytesOf draws the tabs of the data sources and the lines of bytes.
func (m *model) drawBytesOf(r rect, out []string) []string {
	sources := m.tree.Sources()
	if int(m.hex.src) >= len(sources) {
		m.hex.src = 0
	}
	if len(sources) > 1 {
		out = append(out, m.drawTabs(r.w))
	}
	data := sources[m.hex.src].Data
	n := m.perLine(r.w)
	h := max(1, r.h-len(out))
	if at := m.hex.cur / n; m.hex.seen == m.hex.cur+1 {
		// the wheel may scroll away from the cursor
	} else if at < m.hex.top || at >= m.hex.top+h {
		m.hex.top = max(0, at-h/3)
	}
	m.hex.seen = m.hex.cur + 1
	m.hex.top = max(0, min(m.hex.top, max(0, (len(data)-1)/n)))
	lo, hi := m.markedBytes()
	for off := m.hex.top * n; off < len(data) && len(out) < r.h; off += n {
		out = append(out, m.drawBytes(data, off, n, lo, hi, r.w))
	}
	return blank(out, r)
}

func blank(out []string, r rect) []string {
	for len(out) < r.h {
		out = append(out, strings.Repeat(" ", r.w))
	}
	return out
}

// markedBytes are the bytes of the selected field in the source that is shown.
func (m *model) markedBytes() (lo, hi int) {
	if lo, hi, ok := m.pickedBytes(); ok {
		return lo, hi
	}
	if i := m.selectedNode(); i >= 0 && m.tree.Nodes[i].Src == m.hex.src {
		n := m.tree.Nodes[i]
		return int(n.Off), int(n.Off + n.Len)
	}
	return 0, 0
}

func (m *model) drawTabs(w int) string {
	var l paint.Line
	for i, s := range m.tree.Sources() {
		text := sourceTab(s)
		if i == int(m.hex.src) {
			l.Put(m.style.Pens.Selected, text)
		} else {
			l.Put(m.style.Pens.Dim, text)
		}
		l.Put(paint.Pen{}, " ")
	}
	return paint.Clip(l.End(w), w)
}

// drawBytes draws one line: offset, bytes with those of the selected field marked, and their text.
func (m *model) drawBytes(data []byte, off, n, lo, hi, w int) string {
	var l paint.Line
	l.Put(m.style.Pens.Dim, fmt.Sprintf(" %04x ", off))
	pick := func(i int) paint.Pen {
		switch {
		case i == m.hex.cur && m.focus == paneHex:
			return m.style.Pens.Selected
		case i >= lo && i < hi:
			return m.style.Pens.Marked
		case data[i] == 0 || m.hex.src == 0 && i < len(m.before.bytes) && m.before.bytes[i]:
			return m.style.Pens.Dim
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
	cells := textCells(data[off:min(off+n, len(data))], byteTexts[m.hex.text], lo-off, m.style.Glyph("·", "."))
	l.Runs(n, func(i int) (paint.Pen, string) {
		if off+i >= len(data) {
			return paint.Pen{}, " "
		}
		return pick(off + i), cells[i]
	}, false)
	return paint.Clip(l.End(w), w)
}
