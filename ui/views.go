package ui

import (
	"strings"
	"time"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
)

// A view takes the place of list, tree and bytes. The packets' own view is none of these: it is there when no other is.
// Closing a view leaves everything else as it was.
type view interface {
	// draw draws exactly r.h lines of r.w cells.
	draw(m *model, r rect) []string
	// act does what a key stands for here, and tells whether it stands for anything.
	act(m *model, a act.Action, n int) bool
	// click is a press of the left button at a place within r; wheel turns by n lines.
	click(m *model, r rect, x, y int)
	wheel(m *model, n int)
	// hints are the keys that matter here; status is the line above them.
	hints() [][2]string
	status(m *model) string
	// busy tells whether something goes on beside the screen that the view waits for.
	busy(m *model) bool
}

// The tabs of the header.
const (
	tabPackets = iota
	tabTypes
	tabTalkers
	tabNotes
	tabs
)

var tabNames = [tabs]string{"Packets", "Types", "Talkers", "Notes"}

// openTab goes to one of the views of the header.
func (m *model) openTab(tab int) {
	m.tab, m.notice = tab, ""
	m.leaveOver(nil)
	if tab != tabPackets && m.views[tab] == nil {
		switch tab {
		case tabTypes:
			m.views[tab] = &typesView{}
		case tabTalkers:
			m.views[tab] = &talkersView{}
		case tabNotes:
			m.views[tab] = &notesView{}
		}
	}
	if v, ok := m.views[tabTalkers].(*talkersView); ok && tab == tabTalkers {
		v.upTo, v.steady = 0, false
	}
	if v, ok := m.views[tabTypes].(*typesView); ok && tab == tabTypes { // whoever comes here anew sees the lines in order
		v.panel.ranks, v.panel.next, v.panel.upTo[0] = nil, time.Time{}, ^dissect.FrameNum(0)
	}
}

// view is what stands in the place of the packets, or nil.
func (m *model) view() view {
	if m.over != nil {
		return m.over
	}
	return m.views[m.tab]
}

// openOver lays a view over the others, until it is closed.
func (m *model) openOver(v view) {
	m.leaveOver(v)
	m.notice = ""
}

// A stopper is a view with work beside the screen that is for nobody once the view has been left.
type stopper interface{ stop() }

// leaveOver puts another view, or none, in the place of what lies over the tabs, whose work ends.
func (m *model) leaveOver(v view) {
	if old, works := m.over.(stopper); works && m.over != v {
		old.stop()
	}
	m.over = v
}

// closeView goes back: from what lies over the tabs to them, from another tab to the packets.
func (m *model) closeView() {
	if m.over != nil {
		m.leaveOver(nil)
		return
	}
	m.tab = tabPackets
}

// body is the room for a view.
func (m *model) body() rect { return rect{0, 2, m.w, m.h - 4} }

// viewAct gives a key to the view; what no view knows is done as everywhere.
func (m *model) viewAct(a act.Action, n int) bool {
	v := m.view()
	if v == nil {
		return false
	}
	if v.act(m, a, n) {
		return true
	}
	switch a {
	case act.Quit, act.ClearFilter:
		if a == act.ClearFilter && (m.finding.seeking != nil || m.saving != nil || m.sorted.under != nil) {
			m.escape()
			return true
		}
		m.closeView()
		return true
	case act.Down, act.Up, act.Left, act.Right, act.First, act.Last, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp, act.Open, act.NextPane, act.PrevPane,
		act.Comment, act.Ignore, act.Select, act.Only, act.Hide, act.Zoom, act.Facets, act.Partner, act.SameNext, act.SamePrev, act.TalkNext, act.TalkPrev:
		return true // means nothing here, and must not move what is not seen
	}
	return false
}

// drawViews draws the names of the views; the one that is open has brackets; what lies over them
// has a title of its own.
func (m *model) drawViews() (text string, width int) {
	var l paint.Line
	for i, name := range tabNames {
		if i == tabNotes {
			if n := m.s.Marks(); n > 0 {
				name += " " + amount.Group(n)
			}
		}
		if i == m.tab && m.over == nil {
			l.Put(paint.Pen{}, "["+name+"]")
		} else {
			l.Put(m.pens.Dim, " "+name+" ")
		}
	}
	l.Put(paint.Pen{}, " ")
	if m.w >= 100 {
		l.Put(m.pens.Dim, "   "+m.elapsed()+" ")
	}
	return l.Text(), l.Width
}

// elapsed is the time that the capture covers, in hours, minutes and seconds.
func (m *model) elapsed() string {
	from, to := m.span()
	t := int((to - from) / 1e9)
	return amount.Two(t/3600) + ":" + amount.Two(t/60%60) + ":" + amount.Two(t%60)
}

// clickTab opens the view whose name is at a column of the header.
func (m *model) clickTab(x int) {
	_, w := m.drawViews()
	at := m.w - w
	if x < at { // the name of where the packets come from
		m.choose()
		return
	}
	for i, name := range tabNames {
		if i == tabNotes && m.s.Marks() > 0 {
			name += " " + amount.Group(m.s.Marks())
		}
		if x >= at && x < at+len(name)+2 {
			m.openTab(i)
			return
		}
		at += len(name) + 2
	}
}

// A table is a list of lines with a cursor.
type table struct{ cur, top int }

// act moves the cursor.
func (t *table) act(a act.Action, n, rows, page int) bool {
	switch a {
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		t.cur += step(a, max(1, n), max(1, page))
	case act.First:
		t.cur = max(0, n-1)
	case act.Last:
		t.cur = rows - 1
		if n > 0 {
			t.cur = n - 1
		}
	default:
		return false
	}
	t.cur = clamp(t.cur, 0, max(0, rows-1))
	return true
}

// draw draws the lines that fit, each by a function.
func (t *table) draw(r rect, rows int, row func(i int, selected bool) string) []string {
	t.cur = clamp(t.cur, 0, max(0, rows-1))
	if t.cur < t.top {
		t.top = t.cur
	}
	if t.cur >= t.top+r.h {
		t.top = t.cur - r.h + 1
	}
	t.top = clamp(t.top, 0, max(0, rows-1))
	out := make([]string, 0, r.h)
	for i := t.top; len(out) < r.h; i++ {
		if i >= rows {
			out = append(out, strings.Repeat(" ", r.w))
			continue
		}
		out = append(out, row(i, i == t.cur))
	}
	return out
}

// emptyView fills a view without lines: the reason why no packet is there, or else what there is none of.
func (m *model) emptyView(w, h int, none string) []string {
	text := paint.Fit("  "+none, w)
	if m.rows() == 0 {
		text = m.emptyList(w)
	}
	return append([]string{text}, m.blankLines(w, h-1)...)
}

// rule draws a line with a title on the left and a text on the right.
func (m *model) rule(w int, title, right string) string { return m.ruleOf(w, title, right, false) }

// ruleOf is a rule whose title stands out where the keys move in what lies below.
func (m *model) ruleOf(w int, title, right string, focused bool) string {
	var l paint.Line
	dash, p := m.glyph("─", "-"), paint.Pen{}
	if focused {
		p = m.pens.Bold
	}
	l.Put(m.pens.Dim, dash+dash)
	if title != "" {
		l.Put(p, " "+paint.Fit(title, min(paint.Width(title), max(0, w-6)))+" ")
	}
	if right != "" {
		right = " " + right + " "
	}
	return m.endRule(&l, right, w)
}
