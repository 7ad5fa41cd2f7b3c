package ui

import (
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/filtered"
	"remora/ui/term"
	"remora/ui/ticks"
	"remora/ui/typetree"
)

// compile makes a filter with what filters depend on here, the selected packet included.
func (m *model) compile(text string) (*filter.Filter, error) {
	f, err := m.typing.compiled, error(nil) // as it was typed: a filter is compiled once
	m.typing.compiled = nil
	if f == nil || f.String() != text {
		f, err = filter.CompileWith(m.reg, text, m.cfg.Filters)
	}
	if err != nil {
		return nil, err
	}
	if f.References() && m.selected.Tree != nil {
		f = f.With(m.selected.Tree)
	}
	return f, nil
}

// facetAt is the line under the cursor.
func (m *model) facetAt() (ticks.Line, bool) {
	f := &m.facets
	if f.Cur >= len(f.Rows) {
		return ticks.Line{}, false
	}
	return f.Rows[f.Cur], true
}

// tickFacet ticks a line or takes its tick away. A protocol that has none takes the ticks of its types as they were kept.
func (m *model) tickFacet() {
	x, ok := m.facetAt()
	if !ok {
		return
	}
	on := m.facets.ticks.Tick(x) != ticks.On
	if on && x.Kind == nil && m.facets.ticks.Tick(x) == ticks.Off && m.recallTicks(x) {
		return
	}
	m.facets.ticks.Set(x, on)
	m.useTicks(x)
}

// tickAll ticks everything: what else the filter asks stays.
func (m *model) tickAll() {
	f := &m.facets
	f.ticks = ticks.New(true)
	m.applyFilter(f.rest)
}

// hideLine takes a line's tick away.
func (m *model) hideLine() {
	if x, ok := m.facetAt(); ok {
		m.hideFacet(x)
	}
}

// hideFacet shows all but a line's packets of what is shown.
func (m *model) hideFacet(x ticks.Line) {
	m.facets.ticks.Set(x, false)
	m.useTicks(x)
}

// onlyFacet shows this line's packets alone: of a protocol with the ticks that were kept for its types, and when it is alone
// already, all of them.
func (m *model) onlyFacet() {
	x, ok := m.facetAt()
	if !ok {
		return
	}
	f := &m.facets
	was := f.ticks
	f.ticks = ticks.New(false)
	if x.Kind == nil {
		if kept := m.keptTicks(x.Proto.Protocol); kept != nil && !was.Alone(x.Proto.Protocol, kept) {
			m.recallTicks(x)
			return
		}
	}
	f.ticks.Set(x, true)
	m.useTicks(x)
}

// recallTicks gives a protocol the ticks that were kept for it, if there are some.
func (m *model) recallTicks(x ticks.Line) bool {
	p := x.Proto.Protocol
	kept := m.keptTicks(p)
	if kept == nil {
		return false
	}
	m.facets.ticks.Take(p, kept)
	m.useTicks(x)
	m.notice = p.Title() + " as it was ticked last" + "; again: all of it"
	return true
}

// useTicks makes the ticks the filter, beside what else it asks, and keeps those of a line's protocol.
func (m *model) useTicks(x ticks.Line) {
	f := &m.facets
	m.keepTicks(x.Proto.Protocol)
	text := f.rest
	if ticked := f.ticks.Filter(m.speller()); ticked != "" {
		text = term.And(f.rest, ticked)
	}
	m.applyFilter(text)
	f.own = f.rest == ""
}

// leaveFilter ends a filter that is not shown any more, unless the facets count by it.
func (m *model) leaveFilter(was *filtered.Packets) {
	f := &m.facets
	switch {
	case was == nil:
	case f.open && f.rest != "" && !f.ticks.All() && was.Filter.String() == f.rest && was.Failed.Load() == nil:
		m.dropOther(was)
	default:
		was.Cancel()
	}
}

// forgetFacets is for another capture.
func (m *model) forgetFacets() {
	f := &m.facets
	*f = facets{open: f.open, Lines: typetree.Lines{Unfolded: f.Unfolded}, sort: f.sort, ticks: ticks.New(true)}
}

// readTicks reads the filter that is on.
func (m *model) readTicks(text string) {
	f := &m.facets
	f.own, f.edited = false, false
	f.rest, f.ticks = m.speller().Read(text)
}

// What was ticked of a protocol's types is kept between runs: a line holds the protocol, + where these types are ticked or -
// where all others are, and the types.

// keepTicks keeps those of a protocol, or forgets them when all of it is ticked.
func (m *model) keepTicks(p *dissect.Protocol) {
	words, ok := m.facets.ticks.Words(p)
	if !ok {
		return
	}
	list, head := m.lists.ticks, p.Name()+"\t"
	line := ""
	if len(words) > 0 {
		line = head + strings.Join(words, "\t")
	}
	m.later(func() {
		forget(list, head)
		if line != "" {
			list.Add(line)
		}
	})
}

// keptTicks are those kept of a protocol, or nil.
func (m *model) keptTicks(p *dissect.Protocol) *ticks.Types {
	for _, line := range m.lists.ticks.Lines() {
		words := strings.Split(line, "\t")
		if len(words) < 3 || words[0] != p.Name() {
			continue
		}
		return ticks.OfWords(words[1:])
	}
	return nil
}

func (m *model) speller() *ticks.Speller {
	if sp := m.facets.spell; sp != nil && sp.Session() == m.packets.Session {
		return sp
	}
	m.facets.spell = ticks.NewSpeller(m.packets.Session, m.reg, m.cfg.Filters)
	return m.facets.spell
}
