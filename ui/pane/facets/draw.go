package facets

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
	"remora/ui/typetree"
	"remora/ui/widget"
)

// Width is the least width of the panel beside the list.
const Width = 30

// The widths of rates, as numbers and over time.
const (
	rateWidth = 8
	lineWidth = 5
)

// widths are the widths of names, counts, rates and rates over time of a panel. Names have the room that they need, and
// rates over time what that leaves: the greatest count has room, and none touches a rate.
func (p *Pane) widths(w int) (name, packets, rate, line int) {
	c, _, _ := p.packets.All.All()
	packets = max(8, paint.Width(humanize.Group(int(c.Packets)))+1)
	need := p.nameWidth()
	switch room := w - need - packets - 1; {
	case room >= rateWidth+lineWidth:
		rate, line = rateWidth, lineWidth
	case room >= lineWidth:
		line = lineWidth
	}
	name = max(8, w-packets-rate-line-1)
	if spare := name - max(need, paint.Width(p.title())); spare > 0 && line > 0 {
		name, line = name-spare, line+spare
	}
	return name, packets, rate, line
}

// Wide is the width of a panel that has room for all that it says.
func (p *Pane) Wide() int {
	p.refresh()
	_, packets, _, _ := p.widths(Width)
	return max(Width, p.nameWidth()+packets+rateWidth+lineWidth+1)
}

// tickWidth is the width of the signs in front of a name.
const tickWidth = 6

// nameWidth is the width of the longest name, with its ticks: of all, so that nothing moves as lines are unfolded.
func (p *Pane) nameWidth() int {
	style, widest := p.c.Style(), len("  Facets")
	take := func(x ticks.Line) {
		name, _ := typetree.Name(style, x)
		widest = max(widest, 2*typetree.Depth(x)+tickWidth+paint.Width(name))
	}
	for i := range p.All {
		of := &p.All[i]
		take(ticks.Line{Proto: of, Dir: -1})
		for k := range of.Types {
			take(ticks.Line{Proto: of, Kind: &of.Types[k], Dir: -1})
		}
	}
	return widest
}

// Draw draws exactly h lines of w cells.
func (p *Pane) Draw(w, h int) []string {
	p.refresh()
	lines := p.lines()
	cur := slices.Index(lines, p.Cur)
	p.top = widget.Clamp(p.top, max(0, cur-h+2), max(0, min(cur, len(lines)-1)))
	out := make([]string, 0, h)
	out = append(out, p.head(w))
	for i := p.top; len(out) < h; i++ {
		switch {
		case i < len(lines) && lines[i] < 0:
			out = append(out, p.drawRule(w))
		case i < len(lines):
			out = append(out, p.drawLine(p.Rows[lines[i]], lines[i] == p.Cur, w))
		case i == 0 && p.Find != "":
			out = append(out, paint.Fit("  nothing here is called "+dissect.Escape(p.Find), w))
		default:
			out = append(out, strings.Repeat(" ", w))
		}
	}
	return out
}

// lines are what stands below the head: the rows by their numbers, and -1 for the rules over those without packets.
func (p *Pane) lines() []int {
	var out []int
	ruled := [2]bool{}
	for i, x := range p.Rows {
		depth := min(typetree.Depth(x), 1)
		if depth == 0 {
			ruled[1] = p.Empty[x.Key()] // what holds it stands below a rule already
		}
		if p.Empty[x.Key()] && !ruled[depth] && x.Dir < 0 {
			out, ruled[depth] = append(out, -1), true
		}
		out = append(out, i)
	}
	return out
}

// rowAt is the number of the row in a line of the panel; ok tells whether there is one.
func (p *Pane) rowAt(y int) (i int, ok bool) {
	lines := p.lines()
	if at := p.top + y - 1; y > 0 && at < len(lines) && lines[at] >= 0 {
		return lines[at], true
	}
	return 0, false
}

// drawRule parts what has packets from what the filter leaves none of.
func (p *Pane) drawRule(w int) string {
	s := p.c.Style()
	var l paint.Line
	text := "no packets "
	dash := s.Glyph("─", "-")
	l.Put(s.Pens.Dim, paint.Fit("  "+strings.Repeat(dash, 2)+" "+text+strings.Repeat(dash, max(0, w)), w))
	return l.End(w)
}

// title is what is searched in the panel, or that the counts are of what else the filter asks.
func (p *Pane) title() string {
	switch {
	case p.Find != "":
		return "  Facets: " + dissect.Escape(p.Find)
	case p.typed && p.packets.Filtered != nil:
		return "  Facets of " + dissect.Escape(p.packets.FilterText())
	case p.rest != "":
		return "  Facets of " + dissect.Escape(p.rest)
	}
	return "  Facets"
}

// head titles the panel.
func (p *Pane) head(w int) string {
	name, packets, rate, _ := p.widths(w)
	var head paint.Line
	head.Put(p.c.Style().Pens.Dim, paint.Fit(p.title(), name)+paint.FitRight("packets", packets))
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
	tick, g := p.Tick(x), p.counted(x)
	if tick == ticks.Off || g.Packets == 0 {
		pen = style.Pens.Dim
	}
	l.Put(pen, [3]string{"[ ] ", style.Glyph("[▪] ", "[-] "), style.Glyph("[■] ", "[x] ")}[tick])
	names, packets, rate, lines := p.widths(w)
	l.Put(pen, paint.Fit(name, max(4, names-l.Width)))
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
	if lines > 0 {
		l.PutBars(&style.Pens, p.RateLine(x, lines, func(w int) string {
			return plot.Sparkline(p.tally.SpreadOf(g, from, to+1, w), w, style.ASCII)
		}))
	}
	return paint.Clip(l.End(w), w)
}

// rate is how many packets a second a line has: of late in a live capture, else over all of it.
func (p *Pane) rate(x ticks.Line) string {
	if p.packets.Store.Status().Live && len(p.late.samples) > 1 {
		return humanize.Aligned(p.late.rate(x.Key()))
	}
	from, to := p.packets.Span()
	return widget.PerSecond(p.counted(x).Packets, to-from)
}
