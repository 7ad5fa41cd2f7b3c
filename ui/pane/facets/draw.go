package facets

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

// Width is the least width of the panel beside the list; rated is the least that has room for rates as numbers.
const (
	Width = 38
	rated = 44
)

// widths are the widths of counts, rates and lines of a panel: the greatest count has room, and none touches a rate.
func (p *Pane) widths(w int) (packets, rate, line int) {
	c, _, _ := p.packets.All.All()
	packets = max(8, paint.Width(humanize.Group(int(c.Packets)))+1)
	if w < rated+packets-8 {
		return max(10, packets), 0, 6
	}
	return packets, 7, 5
}

// Wide is the least width of a panel that has room for rates as numbers.
func (p *Pane) Wide() int {
	packets, _, _ := p.widths(1 << 10)
	return rated + packets - 8
}

// Draw draws exactly h lines of w cells.
func (p *Pane) Draw(w, h int) []string {
	p.refresh()
	p.top = widget.Clamp(p.top, max(0, p.Cur-h+2), max(0, min(p.Cur, len(p.Rows)-1)))
	out := make([]string, 0, h)
	out = append(out, p.head(w))
	for i := p.top; len(out) < h; i++ {
		switch {
		case i < len(p.Rows):
			out = append(out, p.drawLine(p.Rows[i], i == p.Cur, w))
		case i == 0 && p.Find != "":
			out = append(out, paint.Fit("  nothing here is called "+dissect.Escape(p.Find), w))
		default:
			out = append(out, strings.Repeat(" ", w))
		}
	}
	return out
}

// head titles the panel: what is searched in it, or that the counts are of what else the filter asks.
func (p *Pane) head(w int) string {
	packets, rate, lines := p.widths(w)
	title := "  Facets"
	if p.Find != "" {
		title += ": " + dissect.Escape(p.Find)
	} else if p.rest != "" {
		title += " of " + dissect.Escape(p.rest)
	}
	var head paint.Line
	head.Put(p.c.Style().Pens.Dim, paint.Fit(title, max(8, w-packets-rate-lines-1))+paint.FitRight("packets", packets))
	if rate > 0 {
		head.Put(p.c.Style().Pens.Dim, paint.FitRight("pkt/s", rate))
	}
	return head.End(w)
}

func (p *Pane) drawLine(x ticks.Line, selected bool, w int) string {
	var l paint.Line
	style := p.c.Style()
	if selected && p.c.Focused() {
		l.Base = style.Pens.Selected
	}
	name, pen := typetree.Name(style, x)
	l.Put(paint.Pen{}, strings.Repeat("  ", typetree.Depth(x)))
	sign := "  "
	if x.Unfolds() {
		sign = style.Glyph("▸ ", "+ ")
		if p.IsUnfolded(x) {
			sign = style.Glyph("▾ ", "- ")
		}
	}
	l.Put(style.Pens.Dim, sign)
	tick, g := p.ticks.Tick(x), p.counted(x)
	if tick == ticks.Off || g.Packets == 0 {
		pen = style.Pens.Dim
	}
	l.Put(pen, [3]string{"[ ] ", style.Glyph("[▪] ", "[-] "), style.Glyph("[■] ", "[x] ")}[tick])
	packets, rate, lines := p.widths(w)
	l.Put(pen, paint.FitMiddle(name, max(4, w-l.Width-packets-rate-lines-1)))
	count := paint.Pen{}
	if g.Packets == 0 {
		count = style.Pens.Dim
	}
	l.Put(count, paint.FitRight(humanize.Group(int(g.Packets)), packets))
	if rate > 0 {
		l.Put(style.Pens.Dim, paint.FitRight(p.rate(x), rate))
	}
	l.Put(paint.Pen{}, " ")
	from, to := p.packets.Span()
	l.PutBars(&style.Pens, p.RateLine(x, lines, func(w int) string {
		return plot.Sparkline(p.tally.SpreadOf(g, from, to+1, w), w, style.ASCII)
	}))
	return paint.Clip(l.End(w), w)
}

// rate is how many packets a second a line has: of late in a live capture, else over all of it.
func (p *Pane) rate(x ticks.Line) string {
	if p.packets.Store.Status().Live && len(p.late.samples) > 1 {
		return humanize.Short(p.late.rate(x.Key()))
	}
	from, to := p.packets.Span()
	return widget.PerSecond(p.counted(x).Packets, to-from)
}
