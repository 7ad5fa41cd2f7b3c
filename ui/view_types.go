package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/dissect/stats"
)

// typesView lists protocols, packet types and directions of the packets shown: how many, how fast, how regular, how long.
// Below is the rate of the line under the cursor, and the lengths of its packets.
type typesView struct {
	panel facets // the lines and what is unfolded
	table table
	sort  int
}

var typeSorts = [...]string{"packets", "bytes", "gap", "name"}

// refresh takes the counts of the packets shown.
func (v *typesView) refresh(m *model) {
	f := &v.panel
	upTo := m.tally().UpTo()
	now := time.Now()
	if f.rows != nil && f.of == m.shown && (f.upTo[0] == upTo || now.Before(f.next) && !m.settled()) {
		return
	}
	f.upTo[0], f.of, f.next, f.lines = upTo, m.shown, now.Add(200*time.Millisecond), nil
	f.all = m.tally().Types()
	v.order()
	f.layRows()
}

func (v *typesView) order() {
	by := func(a, b *stats.Group, an, bn string) int {
		switch v.sort {
		case 1:
			return cmp.Compare(b.Bytes, a.Bytes)
		case 2:
			return cmp.Compare(a.Gap, b.Gap)
		case 3:
			return strings.Compare(an, bn)
		}
		return cmp.Compare(b.Packets, a.Packets)
	}
	slices.SortStableFunc(v.panel.all, func(a, b stats.Protocol) int {
		return by(&a.Group, &b.Group, a.Protocol.Title(), b.Protocol.Title())
	})
	for i := range v.panel.all {
		slices.SortStableFunc(v.panel.all[i].Types, func(a, b stats.Type) int { return by(&a.Group, &b.Group, a.Name, b.Name) })
	}
}

func (v *typesView) at() (facet, bool) {
	if v.table.cur < len(v.panel.rows) {
		return v.panel.rows[v.table.cur], true
	}
	return facet{}, false
}

func (v *typesView) act(m *model, a action, n int) bool {
	v.refresh(m)
	x, ok := v.at()
	switch {
	case v.table.act(a, n, len(v.panel.rows), m.body().h/2):
	case !ok:
		return false
	case a == actRight, a == actLeft:
		v.panel.cur = v.table.cur
		v.panel.fold(a)
		v.table.cur = v.panel.cur
	case a == actOpen:
		m.closeView()
		m.combine(m.term(x), "&&")
	case a == actOnly:
		m.applyFilter(m.term(x))
	case a == actHide:
		m.hideFacet(x)
	case a == actSort:
		v.sort = (v.sort + 1) % len(typeSorts)
		v.order()
		v.panel.layRows()
	default:
		return false
	}
	return true
}

func (v *typesView) click(m *model, r rect, x, y int) {
	if i := v.table.top + y - r.y - 1; y > r.y && i < len(v.panel.rows) {
		v.table.cur = i
	}
}

func (v *typesView) wheel(_ *model, n int) { v.table.cur = max(0, v.table.cur+n) }

func (v *typesView) hints() [][2]string {
	return [][2]string{{"Enter", "these packets"}, {"o", "only this"}, {"x", "hide this"}, {"l h", "unfold"}, {"s", "sort"}, {"/", "filter"}, {"q", "back"}}
}

func (v *typesView) status(m *model) string {
	c, _, _ := m.tally().All()
	return group(int(c.Packets)) + " packets counted, sorted by " + typeSorts[v.sort]
}

func (v *typesView) draw(m *model, r rect) []string {
	v.refresh(m)
	below := r.h / 2
	if r.h < 16 {
		below = 0
	}
	if need := len(v.panel.rows) + 2; r.h-below > need {
		below = r.h - need
	}
	cols := typeColumns(r.w)
	out := []string{v.head(m, cols, r.w)}
	from, to := m.span()
	all, _, _ := m.tally().All()
	out = append(out, v.table.draw(rect{r.x, r.y + 1, r.w, r.h - below - 1}, len(v.panel.rows), func(i int, selected bool) string {
		return v.row(m, v.panel.rows[i], selected, cols, r.w, from, to, all)
	})...)
	if below > 0 {
		out = append(out, v.below(m, r.w, below, from, to)...)
	}
	return out
}

// typeColumns are the widths: name, packets, share, rate, line, gap, jitter, bytes.
func typeColumns(w int) [8]int {
	c := [8]int{28, 11, 6, 9, 0, 9, 8, 8}
	if w < 100 {
		c = [8]int{24, 10, 0, 8, 0, 8, 7, 0}
	}
	used := 2
	for _, n := range c {
		used += n + 1
	}
	c[4] = max(6, w-used-1)
	return c
}

func (v *typesView) head(m *model, c [8]int, w int) string {
	var l line
	title := "over the capture"
	if c[4] < width(title) {
		title = "over time"
	}
	for i, title := range []string{"Type", "packets", "%", "pkt/s", title, "gap ms", "jitter", "bytes"} {
		switch {
		case c[i] == 0:
		case i == 0:
			l.put(m.pens.dim, fit("  "+title, c[i]+2)+" ")
		case i == 4:
			l.put(m.pens.dim, fit(title, c[i])+" ")
		default:
			l.put(m.pens.dim, fitRight(title, c[i])+" ")
		}
	}
	return fitLine(l.end(w), w)
}

func (v *typesView) row(m *model, x facet, selected bool, c [8]int, w int, from, to int64, all stats.Count) string {
	var l line
	if selected {
		l.base = m.pens.selected
	}
	g := x.group()
	name, hue := facetName(m, x)
	sign := "  "
	if x.dir < 0 && (x.kind != nil || typed(x.proto)) {
		sign = m.glyph("▸ ", "+ ")
		if v.panel.isUnfolded(x) {
			sign = m.glyph("▾ ", "- ")
		}
	}
	l.put(pen{}, strings.Repeat("  ", depthOf(x)))
	l.put(m.pens.dim, sign)
	l.put(hue, fit(name, c[0]+2-l.width)+" ")
	l.put(pen{}, fitRight(group(int(g.Packets)), c[1])+" ")
	if c[2] > 0 {
		l.put(m.pens.dim, fitRight(percent(g.Packets, all.Packets), c[2])+" ")
	}
	l.put(pen{}, fitRight(perSecond(g.Packets, to-from), c[3])+" ")
	l.putBars(&m.pens, v.panel.rateLine(x, c[4], func(w int) string {
		return sparkline(m.tally().SpreadOf(g, from, to+1, w), w, m.cfg.ASCII)
	})+" ")
	l.put(pen{}, fitRight(secondsAsMs(g.Gap), c[5])+" ")
	l.put(m.pens.dim, fitRight(secondsAsMs(g.Jitter), c[6])+" ")
	if c[7] > 0 {
		l.put(pen{}, fitRight(sizeRange(g), c[7]))
	}
	return fitLine(l.end(w), w)
}

func percent(n, of uint64) string {
	if of == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(n)*100/float64(of), 'f', 1, 64)
}

func perSecond(n uint64, span int64) string {
	return shortNumber(float64(n) * 1e9 / float64(max(1, span)))
}

func secondsAsMs(s float64) string {
	switch {
	case s <= 0:
		return "–"
	case s >= 10:
		return group(int(s * 1000))
	}
	return strconv.FormatFloat(s*1000, 'f', 2, 64)
}

// sizeRange is the length of all packets, or the shortest and the longest.
func sizeRange(g *stats.Group) string {
	switch k := len(g.Sizes); {
	case k == 0:
		return ""
	case k == 1 && g.OtherSizes == 0:
		return itoa(int(g.Sizes[0].Length))
	case g.OtherSizes > 0:
		return "≈ " + itoa(int(g.Bytes/max(1, g.Packets)))
	default:
		return itoa(int(g.Sizes[0].Length)) + "–" + itoa(int(g.Sizes[k-1].Length))
	}
}

// below draws the rate over time of the line under the cursor, and beside it the lengths.
func (v *typesView) below(m *model, w, h int, from, to int64) []string {
	x, ok := v.at()
	if !ok {
		return m.blankLines(w, h)
	}
	name, _ := facetName(m, x)
	out := []string{m.rule(w, name+", packets a second", "lengths")}
	side := 0
	if w >= 100 {
		side = 34
	}
	g := x.group()
	rows := h - 2
	values := m.tally().SpreadOf(g, from, to+1, 2*max(2, w-side-9))
	span := float64(to-from) / 1e9 / float64(len(values))
	for i := range values {
		values[i] /= max(span, 1e-9)
	}
	curve := m.plot(values, w-side-1, max(1, rows))
	sizes := v.sizes(m, g, side, max(1, rows))
	for i := range curve {
		l := curve[i] + " "
		if side > 0 {
			l += sizes[i]
		}
		out = append(out, fitLine(fitStyled(l, w), w))
	}
	out = append(out, m.timeAxis(from, to, w-side-1, w))
	return out[:h]
}

func (v *typesView) sizes(m *model, g *stats.Group, w, h int) []string {
	sizes := slices.Clone(g.Sizes)
	slices.SortFunc(sizes, func(a, b stats.Size) int { return cmp.Compare(b.Packets, a.Packets) })
	sizes = sizes[:min(len(sizes), max(1, h-1))]
	slices.SortFunc(sizes, func(a, b stats.Size) int { return cmp.Compare(a.Length, b.Length) })
	var out []string
	rest := g.Packets
	for _, z := range sizes {
		var l line
		l.put(pen{}, fitRight(itoa(int(z.Length)), 6)+" ")
		l.putBars(&m.pens, m.bar(float64(z.Packets)/float64(max(1, g.Packets)), max(4, w-20))+" ")
		l.put(pen{}, fitRight(group(int(z.Packets)), 10))
		out = append(out, l.end(w))
		rest -= min(rest, z.Packets)
	}
	if rest > 0 {
		out = append(out, fit("others "+strings.Repeat(" ", max(0, w-19))+fitRight(group(int(rest)), 10), w))
	}
	for len(out) < h {
		out = append(out, strings.Repeat(" ", max(0, w)))
	}
	return out[:h]
}

func (m *model) blankLines(w, h int) []string {
	out := make([]string, h)
	for i := range out {
		out[i] = strings.Repeat(" ", w)
	}
	return out
}

func (v *typesView) busy(*model) bool { return false } // the counts are those that every screen waits for
