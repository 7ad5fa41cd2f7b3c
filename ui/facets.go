package ui

import (
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/shown"
	"remora/ui/ticks"
)

// facets is the panel of protocols and packet types with their counts and rates. Its ticks and the filter say the same: the
// filter is made of the ticks, and the ticks are read from it. What the filter asks beside them narrows the counts, so that a
// count is always what a tick would bring.
type facets struct {
	open     bool
	cur, top int
	unfolded map[string]bool
	ticks    ticks.Set
	rest     string // what the filter asks beside the ticks
	own      bool   // the filter was made of the ticks
	edited   bool   // it was, and its text was changed since
	find     string // narrows the lines
	sort     int
	touched  bool // the lines stay in their places
	spell    *ticks.Speller

	rows   []ticks.Line
	all    []stats.Protocol
	counts map[string]stats.Group // without the ticks, by line
	tally  *stats.Tally           // that counted them
	lines  map[string]string      // the rates drawn since the last count, by line
	ranks  map[string]int         // the places of the lines
	late   lateRates
	other  *shown.Packets // the filter without the ticks, where nothing else counts that

	upTo [2]dissect.FrameNum
	of   *shown.Packets
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
	return sp.Way(x.Proto.Protocol, x.Word(), x.Dir)
}

// layRows lists the lines that are unfolded. The line under the cursor stays under it.
func (f *facets) layRows() {
	at := ""
	if f.cur < len(f.rows) {
		at = f.rows[f.cur].Key()
	}
	f.rows = f.rows[:0]
	for i := range f.all {
		p := &f.all[i]
		x := ticks.Line{Proto: p, Dir: -1}
		kinds := f.found(p)
		if kinds == nil && !f.finds(p.Protocol.Title(), p.Protocol.Name()) {
			continue
		}
		f.rows = append(f.rows, x)
		if !f.isUnfolded(x) {
			continue
		}
		f.rows = append(f.rows, x.Ways()...)
		if !ticks.Typed(p) {
			continue
		}
		for k := range p.Types {
			if kinds != nil && !kinds[k] {
				continue
			}
			x := ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1}
			f.rows = append(f.rows, x)
			if f.isUnfolded(x) {
				f.rows = append(f.rows, x.Ways()...)
			}
		}
	}
	for i, x := range f.rows {
		if x.Key() == at {
			f.cur = i
		}
	}
	f.cur = clamp(f.cur, 0, max(0, len(f.rows)-1))
}

// finds tells whether one of the names holds what is searched.
func (f *facets) finds(names ...string) bool {
	for _, name := range names {
		if strings.Contains(strings.ToLower(name), strings.ToLower(f.find)) {
			return true
		}
	}
	return false
}

// found are the types of a protocol that hold what is searched, by their places; nil: the protocol's own name does, or none.
func (f *facets) found(p *stats.Protocol) map[int]bool {
	if f.find == "" || f.finds(p.Protocol.Title(), p.Protocol.Name()) || !ticks.Typed(p) {
		return nil
	}
	var out map[int]bool
	for k := range p.Types {
		if x := (ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1}); f.finds(x.Word()) {
			if out == nil {
				out = map[int]bool{}
			}
			out[k] = true
		}
	}
	return out
}

// isUnfolded: by hand, or where something is searched; else protocols with few types are open, and one that is alone.
func (f *facets) isUnfolded(x ticks.Line) bool {
	if open, ok := f.unfolded[x.Key()]; ok {
		return open
	}
	if x.Kind != nil || !ticks.Typed(x.Proto) { // directions are opened by hand alone
		return false
	}
	return f.find != "" || len(x.Proto.Types) > 1 && (len(x.Proto.Types) <= 12 || len(f.all) == 1)
}

// facetAct handles what a key does in the panel.
func (m *model) facetAct(a act.Action, n int) bool {
	f := &m.facets
	m.refreshFacets()
	switch a {
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		f.cur += step(a, max(1, n), max(1, m.layout().facets.h-1))
	case act.First:
		f.cur = 0
	case act.Last:
		f.cur = len(f.rows) - 1
	case act.Right, act.Left, act.Open:
		f.fold(a)
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
		m.startEdit(editFacet, f.find)
	case act.ClearFilter:
		return m.endFacetFind()
	default:
		return false
	}
	f.touched = true
	f.cur = clamp(f.cur, 0, max(0, len(f.rows)-1))
	return true
}

// endFacetFind shows all lines again; it tells whether some were missing.
func (m *model) endFacetFind() bool {
	if m.facets.find == "" {
		return false
	}
	m.findFacets("")
	return true
}

// findFacets narrows the lines to those that hold a text.
func (m *model) findFacets(text string) {
	f := &m.facets
	f.find = text
	f.layRows()
	for i, x := range f.rows { // to the first that was meant, not what holds it
		if text != "" && (f.finds(x.Word()) && x.Kind != nil || x.Kind == nil && f.finds(x.Proto.Protocol.Title(), x.Proto.Protocol.Name())) {
			f.cur = i
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
		f.touched, f.find, f.ranks, f.upTo = false, "", nil, [2]dissect.FrameNum{}
	}
}

// step is how many lines a key moves.
func step(a act.Action, n, page int) int {
	switch a {
	case act.Down:
		return n
	case act.Up:
		return -n
	case act.PageDown:
		return page * n
	case act.PageUp:
		return -page * n
	case act.HalfDown:
		return max(1, page/2)
	}
	return -max(1, page/2)
}

// fold opens and closes the line under the cursor; closing what is closed goes up to what holds it.
func (f *facets) fold(a act.Action) {
	if f.cur >= len(f.rows) {
		return
	}
	x := f.rows[f.cur]
	if f.unfolded == nil {
		f.unfolded = map[string]bool{}
	}
	open := f.isUnfolded(x)
	switch {
	case a == act.Left && (!open || x.Dir >= 0):
		for f.cur > 0 && depthOf(f.rows[f.cur]) >= depthOf(x) { // to the line above that holds this one
			f.cur--
		}
	case x.Dir < 0:
		f.unfolded[x.Key()] = a == act.Right || a == act.Open && !open
		f.layRows()
	}
}

func depthOf(x ticks.Line) int {
	switch {
	case x.Kind == nil:
		return 0
	case x.Dir < 0 || !ticks.Typed(x.Proto):
		return 1
	}
	return 2
}
