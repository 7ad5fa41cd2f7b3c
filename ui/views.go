package ui

import (
	"remora/ui/act"
	"remora/ui/view"
)

// startExport asks where the numbers of the view go.
func (m *model) startExport() {
	v, ok := m.views.View().(view.Exporter)
	if !ok {
		m.notice = "e saves the numbers of packet types, statistics, expert info and the other views that count; w saves " +
			"packets"
		return
	}
	m.line.Open(view.Prompt{
		Label: " save these numbers to: ", Text: v.Sheet().Name + ".csv", Forget: true, Accept: m.views.Export,
	})
}

// viewTakes gives a key to the view; what no view knows is done as everywhere.
func (m *model) viewTakes(a act.Action, n int) bool {
	v := m.views.View()
	if v == nil {
		return false
	}
	if v.Update(a, n) {
		return true
	}
	switch a {
	case act.Quit, act.ClearFilter:
		if a == act.ClearFilter && (m.search.Seeking() || m.saver.Busy() || m.list.Sorting() != nil) {
			m.escape()
			return true
		}
		m.views.Close()
		return true
	case act.Down, act.Up, act.Left, act.Right, act.First, act.Last, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp,
		act.Open, act.NextPane, act.PrevPane,
		act.Comment, act.Ignore, act.Select, act.Only, act.Hide, act.Zoom, act.Facets, act.Partner, act.SameNext,
		act.SamePrev, act.TalkNext, act.TalkPrev:
		return true // means nothing here, and must not move what is not seen
	}
	return false
}
