package ui

import (
	"maps"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
)

// compile makes a filter with what filters depend on here, the selected packet included.
func (m *model) compile(text string) (*filter.Filter, error) {
	f, err := filter.CompileWith(m.reg, text, m.cfg.Filters)
	if err != nil {
		return nil, err
	}
	if f.References() && m.tree != nil {
		f = f.With(m.tree)
	}
	return f, nil
}

// facetAt is the line under the cursor.
func (m *model) facetAt() (facet, bool) {
	f := &m.facets
	if f.cur >= len(f.rows) {
		return facet{}, false
	}
	return f.rows[f.cur], true
}

// tickFacet ticks a line or takes its tick away. A protocol that has none takes the ticks of its types as they were kept.
func (m *model) tickFacet() {
	x, ok := m.facetAt()
	if !ok {
		return
	}
	on := m.facets.ticks.tick(x) != tickOn
	if on && x.kind == nil && m.facets.ticks.tick(x) == tickOff && m.recallTicks(x) {
		return
	}
	m.facets.ticks.set(x, on)
	m.useTicks(x)
}

// hideLine takes a line's tick away.
func (m *model) hideLine() {
	if x, ok := m.facetAt(); ok {
		m.hideFacet(x)
	}
}

// hideFacet shows all but a line's packets of what is shown.
func (m *model) hideFacet(x facet) {
	m.facets.ticks.set(x, false)
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
	f.ticks = newTicks(false)
	if x.kind == nil {
		if kept := m.keptTicks(x.proto.Protocol); kept != nil && !was.alone(x.proto.Protocol, kept) {
			m.recallTicks(x)
			return
		}
	}
	f.ticks.set(x, true)
	m.useTicks(x)
}

// alone tells whether a protocol's ticks are the only ones, and are these.
func (t *ticks) alone(p *dissect.Protocol, these *protoTicks) bool {
	now := t.protos[p]
	return !t.base && now != nil && len(t.protos) == 1 && now.same(these)
}

// recallTicks gives a protocol the ticks that were kept for it, if there are some.
func (m *model) recallTicks(x facet) bool {
	p := x.proto.Protocol
	kept := m.keptTicks(p)
	if kept == nil {
		return false
	}
	m.facets.ticks.protos[p] = kept
	m.useTicks(x)
	m.notice = p.Title() + " as it was ticked last" + "; again: all of it"
	return true
}

// useTicks makes the ticks the filter, beside what else it asks, and keeps those of a line's protocol.
func (m *model) useTicks(x facet) {
	f := &m.facets
	m.keepTicks(x.proto.Protocol)
	text := f.rest
	if ticked := f.ticks.filter(m.speller()); ticked != "" {
		text = chained(f.rest, ticked)
	}
	m.applyFilter(text)
	f.own = f.rest == ""
}

// chained joins two filters by "and" without brackets that nobody needs.
func chained(a, b string) string {
	if a == "" {
		return b
	}
	return orBracketed(a) + " && " + orBracketed(b)
}

// orBracketed brackets a filter with an "or" in it.
func orBracketed(s string) string {
	for _, op := range []string{"||", " or ", " xor ", "^^"} {
		if strings.Contains(s, op) {
			return "(" + s + ")"
		}
	}
	return s
}

// leaveFilter ends a filter that is not shown any more, unless the facets count by it.
func (m *model) leaveFilter(was *shown) {
	f := &m.facets
	switch {
	case was == nil:
	case f.open && f.rest != "" && !f.ticks.all() && was.filter.String() == f.rest && was.failed.Load() == nil:
		m.dropOther(was)
	default:
		was.cancel()
	}
}

// forgetFacets is for another capture.
func (m *model) forgetFacets() {
	f := &m.facets
	*f = facets{open: f.open, unfolded: f.unfolded, sort: f.sort, ticks: newTicks(true)}
}

// readTicks reads the filter that is on.
func (m *model) readTicks(text string) {
	f := &m.facets
	f.own = false
	f.rest, f.ticks = m.speller().read(text)
}

// What was ticked of a protocol's types is kept between runs: a line holds the protocol, + where these types are ticked or -
// where all others are, and the types.

// keepTicks keeps those of a protocol, or forgets them when all of it is ticked.
func (m *model) keepTicks(p *dissect.Protocol) {
	now := m.facets.ticks.protos[p]
	if now == nil || now.whole() && !now.on || len(now.ways) > 0 {
		return
	}
	list, head := m.lists.ticks, p.Name()+"\t"
	line := ""
	if !now.whole() {
		sign := "+"
		if now.on {
			sign = "-"
		}
		line = head + strings.Join(append([]string{sign}, slices.Sorted(maps.Keys(now.except))...), "\t")
	}
	m.later(func() {
		forget(list, head)
		if line != "" {
			list.Add(line)
		}
	})
}

// keptTicks are those kept of a protocol, or nil.
func (m *model) keptTicks(p *dissect.Protocol) *protoTicks {
	for _, line := range m.lists.ticks.Lines() {
		words := strings.Split(line, "\t")
		if len(words) < 3 || words[0] != p.Name() {
			continue
		}
		out := newProtoTicks(words[1] == "-")
		for _, w := range words[2:] {
			out.except[w] = true
		}
		return out
	}
	return nil
}
