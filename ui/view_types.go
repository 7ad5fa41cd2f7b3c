package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
)

// typesView lists protocols, packet types and directions of the packets shown: how many, how fast, how regular, how long.
// Below is the rate of the line under the cursor, and the lengths of its packets.
type typesView struct {
	panel facets // the lines and what is unfolded
	table table
	sort  int

	pins    []string                    // keys of the lines whose curves stay
	window  int                         // of typeWindows: what time rates and lines are of
	headers map[dissect.FrameNum]uint32 // of a type's sample packet: how many bytes lie in front of its protocol
	of      *dissect.Session            // whose packets these are
}

// typeWindows are the times that rates can be of, the newest so many seconds; 0 is the whole capture.
var typeWindows = [...]int64{0, 60, 10}

// span is the time that rates and lines are of.
func (v *typesView) span(m *model) (from, to int64) {
	from, to = m.span()
	if w := typeWindows[v.window]; w > 0 {
		from = max(from, to-w*1e9)
	}
	return from, to
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

func (v *typesView) at() (ticks.Line, bool) {
	if v.table.cur < len(v.panel.rows) {
		return v.panel.rows[v.table.cur], true
	}
	return ticks.Line{}, false
}

func (v *typesView) act(m *model, a act.Action, n int) bool {
	v.refresh(m)
	x, ok := v.at()
	switch {
	case v.table.act(a, n, len(v.panel.rows), m.body().h/2):
	case !ok:
		return false
	case a == act.Right, a == act.Left:
		v.panel.cur = v.table.cur
		v.panel.fold(a)
		v.table.cur = v.panel.cur
	case a == act.Open:
		m.closeView()
		m.narrow(m.term(x))
	case a == act.Only:
		m.applyFilter(m.term(x))
	case a == act.Hide:
		m.hideFacet(x)
	case a == act.Sort, a == act.Measure:
		by := v.sort + 1
		if a == act.Measure {
			by = max(0, 1-v.sort) // bytes, or else packets
		}
		v.sort = by % len(typeSorts)
		v.order()
		v.panel.layRows()
	case a == act.Select:
		v.turnPin(m, x)
	case a == act.Time:
		v.window = (v.window + 1) % len(typeWindows)
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
	return [][2]string{{"Enter", "these packets"}, {"o", "only this"}, {"x", "hide this"}, {"l h", "unfold"}, {"Space", "pin"}, {"s", "sort"}, {"t", "time"}, {"e", "export"}, {"/", "filter"}, {"q", "back"}}
}

func (v *typesView) status(m *model) string {
	c, _, _ := m.tally().All()
	return amount.Group(int(c.Packets)) + " packets counted, sorted by " + typeSorts[v.sort]
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
	from, to := v.span(m)
	all, _, _ := m.tally().All()
	out := append([]string{v.head(m, cols, r.w)}, v.table.draw(rect{r.x, r.y + 1, r.w, r.h - below - 1}, len(v.panel.rows), func(i int, selected bool) string {
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
	if w < 72 {
		c = [8]int{20, 8, 0, 6, 0, 7, 7, 0}
	}
	used := 2
	for _, n := range c {
		if n > 0 {
			used += n + 1
		}
	}
	if c[4] = w - used - 1; c[4] < 6 {
		c[4] = 0
	}
	return c
}

func (v *typesView) head(m *model, c [8]int, w int) string {
	var l paint.Line
	title := "over the capture"
	if w := typeWindows[v.window]; w > 0 {
		title = "last " + strconv.Itoa(int(w)) + " s"
	}
	if c[4] < paint.Width(title) {
		title = "over time"
	}
	if c[4] < paint.Width(title) {
		title = ""
	}
	for i, title := range []string{"Type", "packets", "%", "pkt/s", title, "gap ms", "jitter", "bytes"} {
		switch {
		case c[i] == 0:
		case i == 0:
			l.Put(m.pens.Dim, paint.Fit("  "+title, c[i]+2)+" ")
		case i == 4:
			l.Put(m.pens.Dim, paint.Fit(title, c[i])+" ")
		default:
			l.Put(m.pens.Dim, paint.FitRight(title, c[i])+" ")
		}
	}
	return paint.Clip(l.End(w), w)
}

func (v *typesView) row(m *model, x ticks.Line, selected bool, c [8]int, w int, from, to int64, all stats.Count) string {
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	g := x.Group()
	name, hue := facetName(m, x)
	sign := "  "
	if x.Dir < 0 && (x.Kind != nil || ticks.Typed(x.Proto)) {
		sign = m.glyph("▸ ", "+ ")
		if v.panel.isUnfolded(x) {
			sign = m.glyph("▾ ", "- ")
		}
	}
	l.Put(paint.Pen{}, strings.Repeat("  ", depthOf(x)))
	if pinned, pen, ok := v.pinSign(m, x, sign); ok {
		l.Put(pen, pinned)
	} else {
		l.Put(m.pens.Dim, sign)
	}
	l.Put(hue, paint.Fit(name, c[0]+2-l.Width)+" ")
	l.Put(paint.Pen{}, paint.FitRight(amount.Group(int(g.Packets)), c[1])+" ")
	if c[2] > 0 {
		l.Put(m.pens.Dim, paint.FitRight(amount.Percent(g.Packets, all.Packets), c[2])+" ")
	}
	l.Put(paint.Pen{}, paint.FitRight(perSecond(v.packets(m, g, from, to), to-from), c[3])+" ")
	if c[4] > 0 {
		l.PutBars(&m.pens, v.panel.rateLine(x, c[4], func(w int) string {
			return plot.Sparkline(m.tally().SpreadOf(g, from, to+1, w), w, m.cfg.ASCII)
		})+" ")
	}
	l.Put(paint.Pen{}, paint.FitRight(m.plain(secondsAsMs(g.Gap)), c[5])+" ")
	l.Put(m.pens.Dim, paint.FitRight(m.plain(secondsAsMs(g.Jitter)), c[6])+" ")
	if c[7] > 0 {
		l.Put(paint.Pen{}, paint.FitRight(m.plain(sizeRange(g)), c[7]))
	}
	return paint.Clip(l.End(w), w)
}

// packets is how many packets of a group the time shown has.
func (v *typesView) packets(m *model, g *stats.Group, from, to int64) uint64 {
	if typeWindows[v.window] == 0 {
		return g.Packets
	}
	return uint64(m.tally().SpreadOf(g, from, to+1, 1)[0] + 0.5)
}

func perSecond(n uint64, span int64) string {
	return amount.Short(float64(n) * 1e9 / float64(max(1, span)))
}

func secondsAsMs(s float64) string {
	switch {
	case s <= 0:
		return "–"
	case s >= 10:
		return amount.Group(int(s * 1000))
	}
	return strconv.FormatFloat(s*1000, 'f', 2, 64)
}

// sizeRange is the length of all packets, or the shortest and the longest.
func sizeRange(g *stats.Group) string {
	switch k := len(g.Sizes); {
	case k == 0:
		return ""
	case k == 1 && g.OtherSizes == 0:
		return strconv.Itoa(int(g.Sizes[0].Length))
	case g.OtherSizes > 0:
		return "≈ " + strconv.Itoa(int(g.Bytes/max(1, g.Packets)))
	default:
		return strconv.Itoa(int(g.Sizes[0].Length)) + "–" + strconv.Itoa(int(g.Sizes[k-1].Length))
	}
}

func (v *typesView) busy(*model) bool { return false } // the counts are those that every screen waits for
