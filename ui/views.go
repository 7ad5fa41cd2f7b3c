package ui

import (
	"context"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/compare"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/source"
	"remora/ui/view"
	compareview "remora/ui/view/compare"
	"remora/ui/view/expert"
	followview "remora/ui/view/follow"
	"remora/ui/view/games"
	"remora/ui/view/plot"
	"remora/ui/view/statistics"
	"remora/ui/view/types"
)

// The tabs of the header.
const (
	tabPackets = iota
	tabTypes
	tabStatistics
	tabExpert
	tabs
)

// tabNames are the names of the tabs, short ones on a narrow screen.
func (m *model) tabNames() [tabs]string {
	names := [tabs]string{"Packets", "Packet types", "Statistics", "Expert info"}
	if m.w < 100 {
		names = [tabs]string{"Packets", "Types", "Statistics", "Expert"}
	}
	if n := m.packets.Session.ExpertInfos(); n > 0 {
		names[tabExpert] += " " + humanize.Group(n)
	}
	return names
}

// openTab goes to one of the views of the header.
func (m *model) openTab(tab int) {
	m.tab, m.notice = tab, ""
	m.leaveOver(nil)
	c := viewContext{m}
	if m.views[tab] == nil {
		switch tab {
		case tabTypes:
			m.views[tab] = types.New(c)
		case tabStatistics:
			m.views[tab] = statistics.New(c)
		case tabExpert:
			m.views[tab] = expert.New(c)
		}
	}
	tellOpened(m.views[tab])
}

// tellOpened tells a view that wants to know it that it is opened, again or for the first time.
func tellOpened(v view.View) {
	if o, ok := v.(interface{ Open() }); ok {
		o.Open()
	}
}

// view is what stands in the place of the packets, or nil.
func (m *model) view() view.View {
	if m.over != nil {
		return m.over
	}
	return m.views[m.tab]
}

// openOver lays a view over the others, until it is closed.
func (m *model) openOver(v view.View) {
	m.leaveOver(v)
	m.notice = ""
	tellOpened(v)
}

// leaveOver puts another view, or none, in the place of what lies over the tabs, whose work ends.
func (m *model) leaveOver(v view.View) {
	if m.over != nil && m.over != v {
		m.over.Close()
	}
	m.over = v
}

// endViews ends the views of a capture that is closed.
func (m *model) endViews() {
	m.leaveOver(nil)
	for _, v := range m.views {
		if v != nil {
			v.Close()
		}
	}
	if m.plot != nil {
		m.plot.End()
	}
	m.views, m.tab, m.games, m.plot = [tabs]view.View{}, tabPackets, nil, nil
}

// openPlot opens the plot with further fields, which are drawn beside those that it has.
func (m *model) openPlot(fields ...*dissect.Field) {
	if m.plot == nil || m.plot.Empty() {
		m.plot = plot.New(viewContext{m})
	}
	m.openOver(m.plot)
	for _, f := range fields {
		m.plot.Add(f)
	}
}

// plotField plots the selected field.
func (m *model) plotField() {
	i := m.selected.Node
	if m.selected.Tree == nil || i < 0 || !stats.Plottable(m.selected.Tree.Field(i)) {
		m.notice = "select a number in the tree to plot it"
		return
	}
	m.openPlot(m.selected.Tree.Field(i))
}

// plotCommand plots the fields that are named.
func (m *model) plotCommand(arg string) {
	for _, name := range strings.FieldsFunc(arg, func(r rune) bool { return r == ',' || r == ' ' }) {
		f := m.reg.Field(name)
		if f == nil || !stats.Plottable(f) {
			m.notice = "no field of numbers is called " + dissect.Escape(name)
			return
		}
		m.openPlot(f)
	}
}

// openGames opens the games as they were left.
func (m *model) openGames() {
	if m.games == nil {
		m.games = games.New(viewContext{m})
	}
	m.openOver(m.games)
}

// followHere opens what the selected packet is best read as.
func (m *model) followHere() {
	if t := followview.Here(viewContext{m}); t != nil {
		viewContext{m}.Follow(t, m.selected.Frame)
		return
	}
	m.notice = "this packet belongs to no conversation"
}

// compare opens the comparison of two packets: those picked, the one picked and the selected one, the last mark on one of its
// type and the selected one, or the selected one and the last of its type.
func (m *model) compare() {
	if m.selected.Tree == nil {
		return
	}
	a, b := m.selected.Before, m.selected.Frame
	if a == 0 {
		a = compare.SameBefore(m.packets.Session, m.selected.Frame)
	}
	why := [2]string{"is the one before of its type", "the selected packet"}
	picked := m.marks.Picked()
	switch letter, at := m.markToCompare(); {
	case len(picked) >= 2:
		a, b, why = picked[0], picked[1], [2]string{"picked", "picked"}
	case len(picked) == 1 && picked[0] != m.selected.Frame:
		a, why[0] = picked[0], "picked"
	case at != 0:
		a, why[0] = at, "is mark "+string(letter)
	}
	if a == 0 || b == 0 {
		m.notice = "pick two packets with Space, or select one whose type came before"
		return
	}
	if a > b {
		a, b, why[0], why[1] = b, a, why[1], why[0]
	}
	m.openOver(compareview.New(viewContext{m}, a, b, why))
}

// markToCompare is the mark set last, where it is on another packet of the selected one's type.
func (m *model) markToCompare() (rune, dissect.FrameNum) {
	letter, at := m.marks.Last()
	if at == 0 || at == m.selected.Frame || int(at) > m.packets.Session.Passed() {
		return 0, 0
	}
	x, y := m.packets.Session.LayerStackOf(at), m.packets.Session.LayerStackOf(m.selected.Frame)
	if m.packets.Session.StackTop(x) != m.packets.Session.StackTop(y) || m.packets.Session.KindText(x) != m.packets.Session.KindText(y) {
		return 0, 0
	}
	return letter, at
}

// startExport asks where the numbers of the view go.
func (m *model) startExport() {
	v, ok := m.view().(view.Exporter)
	if !ok {
		m.notice = "e saves the numbers of packet types, statistics, expert info and the other views that count; w saves packets"
		return
	}
	m.startEdit(editSheet, v.Sheet().Name+".csv")
}

// exportSheet writes what the view shows to a file: an array of objects when the file is called .json, else CSV.
func (m *model) exportSheet(path string) {
	v, ok := m.view().(view.Exporter)
	if !ok || path == "" {
		return
	}
	s := v.Sheet()
	path = source.ExpandHome(path)
	m.notice = "saving to " + path
	viewContext{m}.Later("saving", func(context.Context) func() {
		n, err := s.Write(path)
		return func() { m.notice = export.Done(path, humanize.Group(n)+" lines", err) }
	})
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

// viewTakes gives a key to the view; what no view knows is done as everywhere.
func (m *model) viewTakes(a act.Action, n int) bool {
	v := m.view()
	if v == nil {
		return false
	}
	if v.Update(a, n) {
		return true
	}
	switch a {
	case act.Quit, act.ClearFilter:
		if a == act.ClearFilter && (m.finding.seeking != nil || m.saving != nil || m.list.Sorting() != nil) {
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
	for i, name := range m.tabNames() {
		if i == m.tab && m.over == nil {
			l.Put(paint.Pen{}, "["+name+"]")
		} else {
			l.Put(m.style.Pens.Dim, " "+name+" ")
		}
	}
	l.Put(paint.Pen{}, " ")
	if m.w >= 100 {
		l.Put(m.style.Pens.Dim, "   "+m.elapsed()+" ")
	}
	return l.Text(), l.Width
}

// elapsed is the time that the capture covers, in hours, minutes and seconds.
func (m *model) elapsed() string {
	from, to := m.packets.Span()
	t := int((to - from) / 1e9)
	return humanize.Two(t/3600) + ":" + humanize.Two(t/60%60) + ":" + humanize.Two(t%60)
}

// clickTab opens the view whose name is at a column of the header.
func (m *model) clickTab(x int) {
	_, w := m.drawViews()
	at := m.w - w
	if x < at { // the name of where the packets come from
		m.choose()
		return
	}
	for i, name := range m.tabNames() {
		if x >= at && x < at+len(name)+2 {
			m.openTab(i)
			return
		}
		at += len(name) + 2
	}
}
