package ui

import (
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/filtered"
	"remora/ui/ticks"
	"remora/ui/typetree"
	"remora/ui/widget"
)

// facets is the panel of protocols and packet types with their counts and rates. Its ticks and the filter say the same: the
// filter is made of the ticks, and the ticks are read from it. What the filter asks beside them narrows the counts, so that a
// count is always what a tick would bring.
type facets struct {
	typetree.Lines
	open    bool
	top     int
	ticks   ticks.Set
	rest    string // what the filter asks beside the ticks
	own     bool   // the filter was made of the ticks
	edited  bool   // it was, and its text was changed since
	sort    int
	touched bool // the lines stay in their places
	spell   *ticks.Speller

	counts map[string]stats.Group // without the ticks, by line
	tally  *stats.Tally           // that counted them
	late   lateRates
	other  *filtered.Packets // the filter without the ticks, where nothing else counts that

	upTo [2]dissect.FrameNum
	of   *filtered.Packets
	next time.Time
}

// term is the filter for exactly a line's packets.
func (m *model) term(x ticks.Line) string {
	sp := m.speller()
	switch {
	case x.Kind == nil:
		return sp.Protocol(x.Proto.Protocol)
	case x.Dir < 0:
		return sp.Types(x.Proto.Protocol, []string{x.Word()})
	}
	return sp.Direction(x.Proto.Protocol, x.Word(), x.Dir)
}

// facetAct handles what a key does in the panel.
func (m *model) facetAct(a act.Action, n int) bool {
	f := &m.facets
	m.refreshFacets()
	switch a {
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		f.Cur += widget.Step(a, max(1, n), max(1, m.layout().facets.h-1))
	case act.First:
		f.Cur = 0
	case act.Last:
		f.Cur = len(f.Rows) - 1
	case act.Right, act.Left, act.Open:
		f.Fold(a)
	case act.Select:
		m.tickFacet()
	case act.Only:
		m.onlyFacet()
	case act.Hide:
		m.hideLine()
	case act.FacetsAll:
		m.tickAll()
	case act.Sort:
		m.sortFacets()
		return true
	case act.Find:
		m.startEdit(editFacet, f.Find)
	case act.ClearFilter:
		return m.endFacetFind()
	default:
		return false
	}
	f.touched = true
	f.Cur = widget.Clamp(f.Cur, 0, max(0, len(f.Rows)-1))
	return true
}

// endFacetFind shows all lines again; it tells whether some were missing.
func (m *model) endFacetFind() bool {
	if m.facets.Find == "" {
		return false
	}
	m.findFacets("")
	return true
}

// findFacets narrows the lines to those that hold a text.
func (m *model) findFacets(text string) {
	f := &m.facets
	f.Find = text
	f.Lay()
	for i, x := range f.Rows { // to the first that was meant, not what holds it
		if text != "" && (f.Finds(x.Word()) && x.Kind != nil || x.Kind == nil && f.Finds(x.Proto.Protocol.Title(), x.Proto.Protocol.Name())) {
			f.Cur = i
			return
		}
	}
}

// openFacets opens the panel, in order, or closes it.
func (m *model) openFacets() {
	f := &m.facets
	f.open = !f.open
	m.focus = paneList
	if f.open {
		m.focus, m.zoomed = paneFacets, false
		f.touched, f.Find, f.Ranks, f.upTo = false, "", nil, [2]dissect.FrameNum{}
	}
}
