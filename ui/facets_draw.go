package ui

import (
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
	"remora/ui/typetree"
	"remora/ui/widget"
)

// facetsWidth is the least width of the panel beside the list; facetsRated is the least that has room for rates as numbers.
const (
	facetsWidth = 38
	facetsRated = 44
)

// facetColumns are the widths of counts, rates and lines of a panel: the greatest count has room, and none touches a rate.
func (m *model) facetColumns(w int) (packets, rate, line int) {
	c, _, _ := m.packets.All.All()
	packets = max(8, paint.Width(humanize.Group(int(c.Packets)))+1)
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
	f.top = widget.Clamp(f.top, max(0, f.Cur-h+1), max(0, min(f.Cur, len(f.Rows)-1)))
	out := make([]string, 0, r.h)
	out = append(out, m.facetHead(r.w))
	for i := f.top; len(out) < r.h; i++ {
		switch {
		case i < len(f.Rows):
			out = append(out, m.drawFacet(f.Rows[i], i == f.Cur, r.w))
		case i == 0 && f.Find != "":
			out = append(out, paint.Fit("  nothing here is called "+dissect.Escape(f.Find), r.w))
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
	if f.Find != "" {
		title += ": " + dissect.Escape(f.Find)
	} else if f.rest != "" {
		title += " of " + dissect.Escape(f.rest)
	}
	var head paint.Line
	head.Put(m.style.Pens.Dim, paint.Fit(title, max(8, w-packets-rate-lines-1))+paint.FitRight("packets", packets))
	if rate > 0 {
		head.Put(m.style.Pens.Dim, paint.FitRight("pkt/s", rate))
	}
	return head.End(w)
}

func (m *model) drawFacet(x ticks.Line, selected bool, w int) string {
	f := &m.facets
	var l paint.Line
	if selected && m.focus == paneFacets {
		l.Base = m.style.Pens.Selected
	}
	name, p := typetree.Name(&m.style, x)
	l.Put(paint.Pen{}, strings.Repeat("  ", typetree.Depth(x)))
	sign := "  "
	if x.Unfolds() {
		sign = m.style.Glyph("▸ ", "+ ")
		if f.IsUnfolded(x) {
			sign = m.style.Glyph("▾ ", "- ")
		}
	}
	l.Put(m.style.Pens.Dim, sign)
	tick, g := f.ticks.Tick(x), f.counted(x)
	if tick == ticks.Off || g.Packets == 0 {
		p = m.style.Pens.Dim
	}
	l.Put(p, [3]string{"[ ] ", m.style.Glyph("[▪] ", "[-] "), m.style.Glyph("[■] ", "[x] ")}[tick])
	packets, rate, lines := m.facetColumns(w)
	l.Put(p, paint.FitMiddle(name, max(4, w-l.Width-packets-rate-lines-1)))
	count := paint.Pen{}
	if g.Packets == 0 {
		count = m.style.Pens.Dim
	}
	l.Put(count, paint.FitRight(humanize.Group(int(g.Packets)), packets))
	if rate > 0 {
		l.Put(m.style.Pens.Dim, paint.FitRight(m.facetRate(x), rate))
	}
	l.Put(paint.Pen{}, " ")
	from, to := m.packets.Span()
	l.PutBars(&m.style.Pens, f.RateLine(x, lines, func(w int) string {
		return plot.Sparkline(f.tally.SpreadOf(g, from, to+1, w), w, m.style.ASCII)
	}))
	return paint.Clip(l.End(w), w)
}

// facetRate is how many packets a second a line has: of late in a live capture, else over all of it.
func (m *model) facetRate(x ticks.Line) string {
	f := &m.facets
	if m.packets.Store.Status().Live && len(f.late.samples) > 1 {
		return humanize.Short(f.late.rate(x.Key()))
	}
	from, to := m.packets.Span()
	return widget.PerSecond(f.counted(x).Packets, to-from)
}
