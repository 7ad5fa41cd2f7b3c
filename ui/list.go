package ui

import (
	"strings"

	"remora/dissect"
	"remora/ui/print"
)

// row is the text of one packet in the list.
type row struct {
	cells    [8]string
	short    [2]string // what source and destination are called where there is little room; "" for addresses
	hue      dissect.Hue
	severity dissect.Severity
	conv     uint32
}

const (
	colNo = iota
	colTime
	colSource
	colDest
	colProto
	colType
	colLen
	colInfo
)

var columnTitles = [8]string{"No.", "Time", "Source", "Destination", "Protocol", "Type", "Length", "Info"}

// columnWidths are the widths for a screen: narrow screens drop whole columns by rank before any is cut. They depend on the
// screen and on the size of the capture's numbers alone, so nothing moves because a packet came.
func (m *model) columnWidths(w int) [8]int {
	cols := [8]int{max(5, len(group(m.store.Len()))), 11, 21, 21, 8, 19, 6, 0}
	if m.clockWide() {
		cols[colTime] = 26
	}
	if w < 140 {
		cols[colSource], cols[colDest], cols[colType] = 17, 17, 16
	}
	if w < 110 {
		cols[colSource], cols[colDest], cols[colType] = 15, 15, 14
	}
	if w < 90 {
		cols[colSource], cols[colDest], cols[colProto] = 12, 12, 0
		cols[colTime] = min(cols[colTime], 10)
	}
	if w < 70 {
		cols[colLen], cols[colSource], cols[colDest], cols[colType] = 0, 10, 10, 11
	}
	used := 3
	for _, c := range cols[:colInfo] {
		if c > 0 {
			used += c + 1
		}
	}
	cols[colInfo] = max(0, w-used)
	return cols
}

// cached is the row of a packet; rows are kept while they are on the screen.
func (m *model) cached(n dissect.FrameNum) row {
	if r, ok := m.rowCache[n]; ok {
		return r
	}
	if len(m.rowCache) > 1024 {
		clear(m.rowCache)
	}
	t := m.looker.Tree(n)
	clock, _ := print.ParseClock(m.clock)
	before := t.Time()
	if n > 1 {
		before = m.store.Meta(int(n) - 2).Time
	}
	r := row{hue: t.Protocol().Hue(), severity: t.Severity}
	if t.Conv != nil {
		r.conv = t.Conv.ID
	}
	var src, dst string
	src, r.short[0] = m.endText(t, t.Src)
	dst, r.short[1] = m.endText(t, t.Dst)
	r.cells = [8]string{group(int(n)), strings.TrimSpace(clock.Text(t.Time(), m.store.Meta(0).Time, before)), src, dst,
		t.Protocol().Title(), dissect.Escape(t.Kind()), itoa(t.Len()), t.Info()}
	m.rowCache[n] = r
	return r
}

// endText is how one end is called: role and name where known, else its address. short is the role or name alone.
func (m *model) endText(t *dissect.Tree, e dissect.Endpoint) (text, short string) {
	if m.names {
		if end := m.s.End(e, t.Frame); end.Label() != "" {
			short = end.Role
			if short == "" {
				short = end.Name
			}
			return dissect.Escape(end.Label()), dissect.Escape(short)
		}
	}
	return e.String(), ""
}

// drawList draws the column titles and the rows.
func (m *model) drawList(r rect) []string {
	cols := m.columnWidths(r.w)
	out := make([]string, 0, r.h)
	var head line
	head.put(pen{}, "   ")
	for c, w := range cols {
		if w > 0 {
			if c == colNo || c == colLen {
				head.put(m.pens.dim, fitRight(columnTitles[c], w)+" ")
			} else {
				head.put(m.pens.dim, fit(columnTitles[c], w)+" ")
			}
		}
	}
	out = append(out, fitLine(head.end(r.w), r.w))
	rows := m.rows()
	for i := range r.h - 1 {
		at := m.top + i
		if at >= rows {
			if at == 0 && i == 0 {
				out = append(out, m.emptyList(r.w))
				continue
			}
			out = append(out, strings.Repeat(" ", r.w))
			continue
		}
		out = append(out, m.drawRow(m.frame(at), cols, r.w))
	}
	m.pill(out, r)
	return out
}

// emptyList explains an empty list.
func (m *model) emptyList(w int) string {
	text := "   waiting for packets"
	switch {
	case m.shown != nil && m.settled():
		text = "   no packet matches; Esc shows all " + group(m.s.Passed()) + " again"
	case m.shown != nil:
		text = "   no packet matches so far"
	case m.store.Status().Done:
		text = "   the capture holds no packets"
	}
	return fit(text, w)
}

func (m *model) drawRow(n dissect.FrameNum, cols [8]int, w int) string {
	r := m.cached(n)
	var l line
	selected := n == m.cur
	if selected && m.focus == paneList {
		l.base = m.pens.selected
	}
	mark := " "
	switch {
	case selected:
		mark = m.glyph("▸", ">")
	case r.conv != 0 && r.conv == m.curConv:
		mark = m.glyph("│", "|")
	}
	l.put(m.pens.accent, mark)
	switch {
	case r.severity >= dissect.Error:
		l.put(m.pens.bad, m.glyph("✗", "x"))
	case r.severity >= dissect.Warn:
		l.put(m.pens.warn, "!")
	default:
		l.put(pen{}, " ")
	}
	l.put(pen{}, " ")
	for c, cw := range cols {
		if cw == 0 {
			continue
		}
		p := pen{}
		text := r.cells[c]
		switch c {
		case colNo, colLen:
			text = fitRight(text, cw)
		case colSource, colDest:
			text = fitEnd(text, r.short[c-colSource], cw)
		case colProto, colType:
			p, text = m.pens.hues[r.hue], fit(text, cw)
		default:
			text = fit(text, cw)
		}
		if c == colNo || c == colTime {
			p = m.pens.dim
		}
		l.put(p, text)
		if c != colInfo {
			l.put(pen{}, " ")
		}
	}
	if selected && m.focus != paneList {
		return m.pens.bold.open + l.end(w) + m.pens.bold.close
	}
	return l.end(w)
}

// fitEnd fits an end into a column: whole, else by its short name; of an address the end is kept, where addresses differ.
func fitEnd(text, short string, w int) string {
	switch {
	case width(text) <= w:
		return fit(text, w)
	case short != "":
		return fit(short, w)
	}
	return fitTail(text, w)
}

// pill says how many packets came below while the list stands still.
func (m *model) pill(out []string, r rect) {
	if m.follow || m.top+r.h-1 >= m.rows() || !m.store.Status().Live {
		m.known = m.rows()
	}
	fresh := m.rows() - m.known
	if fresh <= 0 || len(out) < 2 || m.frozen > 0 {
		return
	}
	text := " " + m.glyph("▼ ", "v ") + group(fresh) + " new "
	out[len(out)-1] = cutLine(out[len(out)-1], r.w-width(text)) + m.pens.selected.open + text + m.pens.selected.close
}

// move puts the cursor on a row, within the list, and keeps it in view.
func (m *model) moveTo(row int) {
	rows := m.rows()
	if rows == 0 {
		m.cur, m.top = 0, 0
		return
	}
	row = max(0, min(row, rows-1))
	m.select_(m.frame(row))
	m.keepInView(row)
}

func (m *model) keepInView(row int) {
	h := max(1, m.layout().list.h-1)
	if row < m.top {
		m.top = row
	}
	if row >= m.top+h {
		m.top = row - h + 1
	}
	m.top = max(0, min(m.top, max(0, m.rows()-1)))
}

// select_ makes a packet the selected one: tree and bytes show it at once.
func (m *model) select_(n dissect.FrameNum) {
	if n == m.cur && m.tree != nil {
		return
	}
	m.cur = n
	m.tree = m.looker.Tree(n).Clone()
	m.curConv = m.s.ConversationOf(n)
	m.settleTree()
}

// jumpTo goes to a packet and remembers where it came from. A packet that the filter hides is shown beside the list.
func (m *model) jumpTo(n dissect.FrameNum) {
	if n == 0 || int(n) > m.s.Passed() {
		m.notice = "there is no packet " + group(int(n))
		return
	}
	m.back = append(m.back, m.cur)
	m.follow = false
	row := m.row(n)
	m.select_(n)
	if row < m.rows() {
		h := max(1, m.layout().list.h-1)
		if row < m.top || row >= m.top+h {
			m.top = max(0, row-h/2)
		}
	}
	if m.shown != nil && (row >= m.rows() || m.frame(row) != n) {
		m.notice = "packet " + group(int(n)) + " is hidden by the filter"
	}
}
