package ui

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
)

// facetsWidth is the least width of the panel beside the list; facetsRated is the least that has room for rates as numbers.
const (
	facetsWidth = 38
	facetsRated = 44
)

// facetColumns are the widths of counts, rates and lines of a panel: the greatest count has room, and none touches a rate.
func (m *model) facetColumns(w int) (packets, rate, line int) {
	c, _, _ := m.all.All()
	packets = max(8, paint.Width(amount.Group(int(c.Packets)))+1)
	if w < facetsRated+packets-8 {
		return max(10, packets), 0, 6
	}
	return packets, 7, 5
}

// facetsWide is the least width of a panel that has room for rates as numbers.
func (m *model) facetsWide() int {
	packets, _, _ := m.facetColumns(1 << 10)
	return facetsRated + packets - 8
}

func (m *model) drawFacets(r rect) []string {
	m.refreshFacets()
	f := &m.facets
	h := r.h - 1
	f.top = clamp(f.top, max(0, f.cur-h+1), max(0, min(f.cur, len(f.rows)-1)))
	out := make([]string, 0, r.h)
	out = append(out, m.facetHead(r.w))
	for i := f.top; len(out) < r.h; i++ {
		switch {
		case i < len(f.rows):
			out = append(out, m.drawFacet(f.rows[i], i == f.cur, r.w))
		case i == 0 && f.find != "":
			out = append(out, paint.Fit("  nothing here is called "+dissect.Escape(f.find), r.w))
		default:
			out = append(out, strings.Repeat(" ", r.w))
		}
	}
	return out
}

// facetHead titles the panel: what is searched in it, or that the counts are of what else the filter asks.
func (m *model) facetHead(w int) string {
	f := &m.facets
	packets, rate, lines := m.facetColumns(w)
	title := "  Facets"
	if f.find != "" {
		title += ": " + dissect.Escape(f.find)
	} else if f.rest != "" {
		title += " of " + dissect.Escape(f.rest)
	}
	var head paint.Line
	head.Put(m.pens.Dim, paint.Fit(title, max(8, w-packets-rate-lines-1))+paint.FitRight("packets", packets))
	if rate > 0 {
		head.Put(m.pens.Dim, paint.FitRight("pkt/s", rate))
	}
	return head.End(w)
}

func (m *model) drawFacet(x ticks.Line, selected bool, w int) string {
	f := &m.facets
	var l paint.Line
	if selected && m.focus == paneFacets {
		l.Base = m.pens.Selected
	}
	name, p := facetName(m, x)
	l.Put(paint.Pen{}, strings.Repeat("  ", depthOf(x)))
	sign := "  "
	if x.Unfolds() {
		sign = m.glyph("▸ ", "+ ")
		if f.isUnfolded(x) {
			sign = m.glyph("▾ ", "- ")
		}
	}
	l.Put(m.pens.Dim, sign)
	tick, g := f.ticks.Tick(x), f.counted(x)
	if tick == ticks.Off || g.Packets == 0 {
		p = m.pens.Dim
	}
	l.Put(p, [3]string{"[ ] ", m.glyph("[▪] ", "[-] "), m.glyph("[■] ", "[x] ")}[tick])
	packets, rate, lines := m.facetColumns(w)
	l.Put(p, paint.FitMiddle(name, max(4, w-l.Width-packets-rate-lines-1)))
	count := paint.Pen{}
	if g.Packets == 0 {
		count = m.pens.Dim
	}
	l.Put(count, paint.FitRight(amount.Group(int(g.Packets)), packets))
	if rate > 0 {
		l.Put(m.pens.Dim, paint.FitRight(m.facetRate(x), rate))
	}
	l.Put(paint.Pen{}, " ")
	from, to := m.span()
	l.PutBars(&m.pens, f.rateLine(x, lines, func(w int) string {
		return plot.Sparkline(f.tally.SpreadOf(g, from, to+1, w), w, m.cfg.ASCII)
	}))
	return paint.Clip(l.End(w), w)
}

// facetRate is how many packets a second a line has: of late in a live capture, else over all of it.
func (m *model) facetRate(x ticks.Line) string {
	f := &m.facets
	if m.store.Status().Live && len(f.late.samples) > 1 {
		return amount.Short(f.late.rate(x.Key()))
	}
	from, to := m.span()
	return perSecond(f.counted(x).Packets, to-from)
}

func facetName(m *model, x ticks.Line) (string, paint.Pen) {
	hue := m.pens.Hues[x.Proto.Protocol.Hue()]
	switch {
	case x.Kind == nil:
		return x.Proto.Protocol.Title(), hue
	case x.Dir == 0:
		return m.glyph("→ ", "> ") + "forth", paint.Pen{}
	case x.Dir == 1:
		return m.glyph("← ", "< ") + "back", paint.Pen{}
	case x.Kind.Field == nil:
		return "no type", m.pens.Dim
	case x.Kind.Name == "":
		return x.Kind.Field.NumberText(x.Kind.Value), hue
	}
	return dissect.Escape(x.Kind.Name), hue
}

// rateLine is a line's rate over time, drawn once for each count: putting many types together takes its time.
func (f *facets) rateLine(x ticks.Line, w int, draw func(w int) string) string {
	k := x.Key() + "\x00" + strconv.Itoa(w)
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
