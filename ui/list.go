package ui

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/rules"
	"remora/ui/widget"
)

// row is the text of one packet in the list.
type row struct {
	cells    []string  // by column
	short    [2]string // what source and destination are called where there is little room; "" for addresses
	comment  bool
	ignored  bool
	hue      dissect.Hue
	severity dissect.Severity
	repeat   bool // nothing in it is new
	conv     uint32
	rule     *rules.Ready // the coloring rule that matches
}

// cached is the row of a packet; rows are kept while they are on the screen.
func (m *model) cached(n dissect.FrameNum) row {
	if r, ok := m.rowCache[n]; ok {
		return r
	}
	if len(m.rowCache) > 1024 {
		clear(m.rowCache)
	}
	if m.packets.Ignored[n] {
		return ignoredRow(m.columns, n)
	}
	t := m.packets.Dissector.Tree(n)
	r := row{comment: m.packets.Store.HasComment(int(n) - 1), hue: t.Protocol().Hue(), severity: t.Severity, conv: m.packets.Session.ConversationOf(n), repeat: allRepeats(t)}
	for _, c := range m.columns {
		text := ""
		switch c.kind {
		case colSource:
			text, r.short[0] = m.endText(t, t.Src)
		case colDest:
			text, r.short[1] = m.endText(t, t.Dst)
		case colDeltaTalk, colDeltaType:
			text = m.gapCell(c.kind, n)
		default:
			text = m.cell(c, t)
		}
		r.cells = append(r.cells, text)
	}
	r.rule = m.coloring.of(m.packets.Dissector, n)
	m.rowCache[n] = r
	return r
}

// allRepeats tells whether a packet holds messages and all of them came before.
func allRepeats(t *dissect.Tree) bool {
	for _, msg := range t.Messages {
		if msg.RepeatOf == 0 {
			return false
		}
	}
	return len(t.Messages) > 0
}

// endText is how one end is called: role and name where known, else its address. short is the role or name alone.
func (m *model) endText(t *dissect.Tree, e dissect.Endpoint) (text, short string) {
	if end := m.end(e, t.Frame); end.Label() != "" {
		short = end.Role
		if short == "" {
			short = end.Name
		}
		return dissect.Escape(end.Label()), dissect.Escape(short)
	}
	return m.address(e, t.Frame), ""
}

// end is what protocols told of an end up to a packet; nothing where that is not shown.
func (m *model) end(e dissect.Endpoint, n dissect.FrameNum) dissect.End {
	if !m.names || m.cfg.NoEnds {
		return dissect.End{}
	}
	return m.packets.Session.End(e, n)
}

// address is an endpoint with its address by name, where it has one.
func (m *model) address(e dissect.Endpoint, n dissect.FrameNum) string {
	name := m.packets.Session.AddrName(e.Addr, n)
	switch {
	case name == "":
		return e.String()
	case e.Port == 0:
		return dissect.Escape(name)
	}
	return dissect.Escape(name) + ":" + strconv.Itoa(int(e.Port))
}

// rename draws anew what shows names.
func (m *model) rename() {
	clear(m.rowCache)
	if m.packets.Session == nil {
		return
	}
	m.packets.Session.ShowNames(m.names)
	if m.selected.Refresh() {
		m.tree.Lay() // what has left meanwhile has fewer lines
	}
}

// drawList draws the column titles and the rows.
func (m *model) drawList(r rect) []string {
	cols := m.placeColumns(r.w)
	out := append(make([]string, 0, r.h), m.drawHead(cols, r.w))
	rows := m.packets.Rows()
	for i := range r.h - 1 {
		at := m.top + i
		if at >= rows {
			if rows == 0 && i == 0 {
				empty := m.explainEmpty(r.w)
				out = append(out, empty[:min(len(empty), r.h-1)]...)
			}
			if len(out) > i+1 {
				continue
			}
			out = append(out, strings.Repeat(" ", r.w))
			continue
		}
		out = append(out, m.drawRow(at, cols, r.w))
	}
	m.pill(out, r)
	return out
}

func (m *model) drawRow(at int, cols []placedColumn, w int) string {
	n := m.packets.Frame(at)
	if n == 0 { // its packet left while the list was drawn
		return strings.Repeat(" ", w)
	}
	r := m.cached(n)
	var l paint.Line
	selected := n == m.selected.Frame
	if selected && m.focus == paneList {
		l.Base = m.style.Pens.Selected
	} else if p, ok := m.talkPen(r.conv); ok {
		l.Base = p
	} else if r.rule != nil {
		l.Base = r.rule.Pen
	}
	m.drawMargin(&l, n, r, selected)
	m.drawCells(&l, r, cols, n)
	if selected && m.focus != paneList {
		return m.style.Pens.Bold.Open + paint.Clip(l.End(w), w) + m.style.Pens.Bold.Close
	}
	return paint.Clip(l.End(w), w)
}

// drawCells draws the columns of a packet's row.
func (m *model) drawCells(l *paint.Line, r row, cols []placedColumn, n dissect.FrameNum) {
	for _, c := range cols {
		p, text := paint.Pen{}, r.cells[c.at]
		switch c.kind {
		case colNo, colDeltaTalk, colDeltaType:
			p = m.style.Pens.Dim
		case colTime: // these two depend on the packets around
			p, text = m.style.Pens.Dim, m.timeWithin(n, c.w)
		case colDelta:
			p, text = m.style.Pens.Dim, m.deltaText(n)
		case colProto, colType:
			p = m.style.Pens.Hues[r.hue]
		}
		if r.repeat || r.ignored {
			p = m.style.Pens.Dim
		}
		switch {
		case c.kind == colSource || c.kind == colDest:
			text = widget.FitEnd(text, r.short[c.kind-colSource], c.w)
		case c.right:
			text = paint.FitRight(text, c.w)
		case c.kind == colType:
			text = paint.FitMiddle(shortType(text, c.w), c.w)
		default:
			text = paint.Fit(text, c.w)
		}
		l.Put(p, text)
		if c.gap > 1 {
			l.Put(m.style.Pens.Dim, m.style.Glyph("→ ", "> "))
		} else {
			l.Put(paint.Pen{}, strings.Repeat(" ", c.gap))
		}
	}
}

// pill says how many packets came below while the list stands still.
func (m *model) pill(out []string, r rect) {
	if m.follow || m.top+r.h-1 >= m.packets.Rows() || !m.packets.Store.Status().Live {
		m.known = m.packets.Rows()
	}
	fresh := m.packets.Rows() - m.known
	if m.packets.Order != nil && m.packets.Store.Status().Live {
		if fresh = m.packets.Unsorted(); m.sorted.keep.on {
			fresh = 0 // they come in soon
		}
	}
	if fresh <= 0 || len(out) < 2 || m.packets.Frozen > 0 {
		return
	}
	text := " " + m.style.Glyph("▼ ", "v ") + humanize.Group(fresh) + " new "
	if m.packets.Order != nil {
		text = " " + m.style.Glyph("▼ ", "v ") + humanize.Group(fresh) + " new below, unsorted; F sorts them in "
	}
	out[len(out)-1] = paint.Cut(out[len(out)-1], r.w-paint.Width(text)) + m.style.Pens.Selected.Open + text + m.style.Pens.Selected.Close
}

// move puts the cursor on a row, within the list, and keeps it in view.
func (m *model) moveTo(row int) {
	rows := m.packets.Rows()
	if rows == 0 {
		m.top = 0 // the selected packet stays selected: it is only hidden
		return
	}
	row = max(m.packets.First(), min(row, rows-1))
	m.select_(m.packets.Frame(row))
	m.anchor = 0 // a filter that is not done yet must not lead back
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
	m.top = max(0, min(m.top, max(0, m.packets.Rows()-1)))
}

// select_ makes a packet the selected one: tree and bytes show it at once.
func (m *model) select_(n dissect.FrameNum) {
	if m.selected.Select(n) {
		m.tree.Settle()
		m.hex.Watch()
	}
}

// jumpTo goes to a packet and remembers where it came from. A packet that the filter hides is shown beside the list.
func (m *model) jumpTo(n dissect.FrameNum) {
	if n == 0 || int(n) > m.packets.Session.Passed() {
		m.notice = "there is no packet " + humanize.Group(int(n))
		return
	}
	if m.hasLeft(n) {
		return
	}
	m.leave()
	m.follow = false
	row := m.packets.Row(n)
	m.select_(n)
	if m.anchor != 0 { // a filter is not done yet: it shall lead here
		m.anchor = n
	}
	if row < m.packets.Rows() {
		h := max(1, m.layout().list.h-1)
		if row < m.top || row >= m.top+h {
			m.top = max(0, row-h/2)
		}
	}
	if m.packets.Filtered != nil && (row >= m.packets.Rows() || m.packets.Frame(row) != n) {
		m.notice = "packet " + humanize.Group(int(n)) + " is hidden by the filter"
	}
}

// shortType leaves out what a packet type's name has in brackets where the whole does not fit: "Echo (ping) request".
func shortType(name string, w int) string {
	from, to := strings.Index(name, " ("), strings.Index(name, ") ")
	if from < 1 || to < from || paint.Width(name) <= w {
		return name
	}
	return name[:from] + name[to+1:]
}
