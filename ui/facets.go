package ui

import (
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
)

// facets is the panel of protocols and packet types with their counts and rates. What it ticks is a display filter, and
// what any filter shows is what it ticks: it compares the packets shown with all of them.
type facets struct {
	open     bool
	cur, top int
	unfolded map[string]bool
	ticks    ticks

	rows  []facet
	all   []stats.Protocol
	shown map[string]uint64 // packets shown, by line
	lines map[string]string // the rates drawn since the last count, by line
	upTo  [2]dissect.FrameNum
	of    *shown
	next  time.Time
}

// facetsWidth is the least width of the panel beside the list; facetsRated is the least that has room for rates as numbers.
const (
	facetsWidth = 38
	facetsRated = 43
)

// facetColumns are the widths of counts, rates and lines of a panel.
func facetColumns(w int) (packets, rate, line int) {
	if w < facetsRated {
		return 10, 0, 6
	}
	return 8, 6, 5
}

// refreshFacets counts anew, at most ten times a second.
func (m *model) refreshFacets() {
	f := &m.facets
	now := [2]dissect.FrameNum{m.all.UpTo(), m.tally().UpTo()}
	if now == f.upTo && f.of == m.shown {
		return
	}
	if t := time.Now(); t.Before(f.next) && f.of == m.shown && !m.settled() {
		return
	} else {
		f.next = t.Add(100 * time.Millisecond)
	}
	f.upTo, f.of = now, m.shown
	f.all = m.all.Types()
	f.shown, f.lines = map[string]uint64{}, map[string]string{}
	list := f.all
	if m.shown != nil {
		list = m.shown.tally.Types()
	}
	for i := range list {
		f.countShown(&list[i])
	}
	f.layRows()
}

func (f *facets) countShown(p *stats.Protocol) {
	f.shown[facet{proto: p, dir: -1}.key()] = p.Packets
	for i := range p.Types {
		t := &p.Types[i]
		f.shown[facet{p, t, -1}.key()] = t.Packets
		for dir := range t.Ways {
			f.shown[facet{p, t, dir}.key()] = t.Ways[dir].Packets
		}
	}
}

// key names a line.
func (x facet) key() string {
	k := x.proto.Protocol.Name()
	if x.kind != nil {
		k += "\x00" + typeName(x.kind)
	}
	if x.dir >= 0 {
		k += "\x00" + itoa(x.dir)
	}
	return k
}

func (x facet) group() *stats.Group {
	switch {
	case x.kind == nil:
		return &x.proto.Group
	case x.dir < 0:
		return &x.kind.Group
	}
	return &x.kind.Ways[x.dir]
}

// term is the filter for exactly this line's packets.
func (x facet) term() string {
	switch {
	case x.kind == nil:
		return protocolTerm(x.proto.Protocol)
	case x.dir < 0:
		return oneOf(x.kind.Field, []string{typeName(x.kind)})
	}
	return oneOf(x.kind.Field, []string{typeName(x.kind)}) + " && dir == " + [2]string{"forth", "back"}[x.dir]
}

// layRows lists the lines that are unfolded. The line under the cursor stays under it.
func (f *facets) layRows() {
	at := ""
	if f.cur < len(f.rows) {
		at = f.rows[f.cur].key()
	}
	f.rows = f.rows[:0]
	for i := range f.all {
		p := &f.all[i]
		f.rows = append(f.rows, facet{proto: p, dir: -1})
		if !typed(p) || !f.isUnfolded(f.rows[len(f.rows)-1]) {
			continue
		}
		for k := range p.Types {
			x := facet{p, &p.Types[k], -1}
			f.rows = append(f.rows, x)
			if f.isUnfolded(x) {
				f.rows = append(f.rows, facet{p, x.kind, 0}, facet{p, x.kind, 1})
			}
		}
	}
	for i, x := range f.rows {
		if x.key() == at {
			f.cur = i
		}
	}
	f.cur = clamp(f.cur, 0, max(0, len(f.rows)-1))
}

// typed tells whether a protocol has packet types.
func typed(p *stats.Protocol) bool { return p.Protocol.KindField() != nil }

// isUnfolded: by hand, else protocols with few types are open.
func (f *facets) isUnfolded(x facet) bool {
	if open, ok := f.unfolded[x.key()]; ok {
		return open
	}
	return x.kind == nil && len(x.proto.Types) <= 12 && len(x.proto.Types) > 1
}

// act handles what a key does in the panel.
func (m *model) facetAct(a action, n int) bool {
	f := &m.facets
	m.refreshFacets()
	switch a {
	case actDown, actUp, actPageDown, actPageUp, actHalfDown, actHalfUp:
		f.cur += step(a, max(1, n), max(1, m.layout().facets.h-1))
	case actFirst:
		f.cur = 0
	case actLast:
		f.cur = len(f.rows) - 1
	case actRight, actLeft, actOpen:
		f.fold(a)
	case actSelect:
		m.tickFacet(true)
	case actOnly:
		m.onlyFacet()
	case actHide:
		m.tickFacet(false)
	default:
		return false
	}
	f.cur = clamp(f.cur, 0, max(0, len(f.rows)-1))
	return true
}

// step is how many lines a key moves.
func step(a action, n, page int) int {
	switch a {
	case actDown:
		return n
	case actUp:
		return -n
	case actPageDown:
		return page * n
	case actPageUp:
		return -page * n
	case actHalfDown:
		return max(1, page/2)
	}
	return -max(1, page/2)
}

// fold opens and closes the line under the cursor; closing what is closed goes up to what holds it.
func (f *facets) fold(a action) {
	if f.cur >= len(f.rows) {
		return
	}
	x := f.rows[f.cur]
	if f.unfolded == nil {
		f.unfolded = map[string]bool{}
	}
	open := f.isUnfolded(x)
	switch {
	case a == actLeft && (!open || x.dir >= 0):
		for f.cur > 0 && depthOf(f.rows[f.cur]) >= depthOf(x) { // to the line above that holds this one
			f.cur--
		}
	case x.dir < 0:
		f.unfolded[x.key()] = a == actRight || a == actOpen && !open
		f.layRows()
	}
}

func depthOf(x facet) int {
	switch {
	case x.kind == nil:
		return 0
	case x.dir < 0:
		return 1
	}
	return 2
}

// tickFacet ticks a line or takes its tick away; hiding only ever takes it away.
func (m *model) tickFacet(turn bool) {
	f := &m.facets
	if f.cur >= len(f.rows) {
		return
	}
	x := f.rows[f.cur]
	on := turn && f.shown[x.key()] == 0
	text := ""
	if m.shown != nil {
		text = m.shown.filter.String()
	}
	switch {
	case text == "" || text != f.ticks.text: // a filter of another origin, or none
		if text != "" {
			m.combine(map[bool]string{true: x.term(), false: "!(" + x.term() + ")"}[on], map[bool]string{true: "||", false: "&&"}[on])
			return
		}
		f.ticks = newTicks(true)
	}
	f.ticks.set(x, on)
	m.applyFilter(f.ticks.text)
}

// onlyFacet shows this line's packets alone.
func (m *model) onlyFacet() {
	f := &m.facets
	if f.cur >= len(f.rows) {
		return
	}
	f.ticks = newTicks(false)
	f.ticks.set(f.rows[f.cur], true)
	m.applyFilter(f.ticks.text)
}

func (m *model) drawFacets(r rect) []string {
	m.refreshFacets()
	f := &m.facets
	h := r.h - 1
	f.top = clamp(f.top, max(0, f.cur-h+1), max(0, min(f.cur, len(f.rows)-1)))
	out := make([]string, 0, r.h)
	var head line
	packets, rate, lines := facetColumns(r.w)
	head.put(m.pens.dim, fit("  Facets", max(8, r.w-packets-rate-lines-1))+fitRight("packets", packets))
	if rate > 0 {
		head.put(m.pens.dim, fitRight("pkt/s", rate))
	}
	out = append(out, head.end(r.w))
	from, to := m.span()
	for i := f.top; len(out) < r.h; i++ {
		if i >= len(f.rows) {
			out = append(out, strings.Repeat(" ", r.w))
			continue
		}
		out = append(out, m.drawFacet(f.rows[i], i == f.cur, r.w, from, to))
	}
	return out
}

func (m *model) drawFacet(x facet, selected bool, w int, from, to int64) string {
	var l line
	if selected && m.focus == paneFacets {
		l.base = m.pens.selected
	}
	shown, all := m.facets.shown[x.key()], x.group().Packets
	box := m.glyph("[■] ", "[x] ")
	switch {
	case shown == 0:
		box = "[ ] "
	case shown < all:
		box = m.glyph("[▪] ", "[-] ")
	}
	name, p := facetName(m, x)
	l.put(pen{}, strings.Repeat("  ", depthOf(x)))
	sign := "  "
	if x.dir < 0 && (x.kind != nil || typed(x.proto)) {
		sign = m.glyph("▸ ", "+ ")
		if m.facets.isUnfolded(x) {
			sign = m.glyph("▾ ", "- ")
		}
	}
	l.put(m.pens.dim, sign)
	if shown == 0 {
		p = m.pens.dim
	}
	l.put(p, box)
	packets, rate, lines := facetColumns(w)
	l.put(p, fitMiddle(name, max(4, w-l.width-packets-rate-lines-1)))
	l.put(pen{}, fitRight(group(int(all)), packets))
	if rate > 0 {
		l.put(m.pens.dim, fitRight(perSecond(all, to-from), rate))
	}
	l.put(pen{}, " ")
	l.putBars(&m.pens, m.facets.rateLine(x, lines, func(w int) string {
		return sparkline(m.all.SpreadOf(x.group(), from, to+1, w), w, m.cfg.ASCII)
	}))
	return fitLine(l.end(w), w)
}

func facetName(m *model, x facet) (string, pen) {
	hue := m.pens.hues[x.proto.Protocol.Hue()]
	switch {
	case x.kind == nil:
		return x.proto.Protocol.Title(), hue
	case x.dir == 0:
		return m.glyph("→ ", "> ") + "forth", pen{}
	case x.dir == 1:
		return m.glyph("← ", "< ") + "back", pen{}
	case x.kind.Field == nil:
		return "no type", m.pens.dim
	case x.kind.Name == "":
		return x.kind.Field.NumberText(x.kind.Value), hue
	}
	return dissect.Escape(x.kind.Name), hue
}

// rateLine is a line's rate over time, drawn once for each count: putting many types together takes its time.
func (f *facets) rateLine(x facet, w int, draw func(w int) string) string {
	k := x.key() + "\x00" + itoa(w)
	if f.lines == nil {
		f.lines = map[string]string{}
	}
	s, ok := f.lines[k]
	if !ok {
		s = draw(w)
		f.lines[k] = s
	}
	return s
}
