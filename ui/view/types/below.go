package types

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/internal/sorting"
	"remora/ui/act"
	"remora/ui/compare"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
	"remora/ui/typetree"
	"remora/ui/widget"
)

// below draws the rate over time of the line under the cursor, or its gaps, with the curves that are pinned or else,
// beside it, the lengths. Top is the first line's place within the view.
func (v *View) below(w, h, top int, from, to int64) []string {
	c := &v.curve
	c.drawn.h = 0
	x, ok := v.at()
	if !ok || h < 3 {
		return widget.Blank(w, h)
	}
	c.follow(v.c)
	from, to = c.span(from, to)
	lines, pins := []ticks.Line{x}, []int{0}
	if !c.asGaps {
		lines, pins = v.pinned(x)
	}
	side, head := 0, 1
	if len(lines) > 1 && h > 4 {
		head = 2
	} else if lines = lines[:1]; w >= 100 {
		side = 34
	}
	rows, inner := h-head-1, max(2, w-side-9)
	first, _ := v.c.Scope().Span()
	d := &c.drawn
	d.top, d.h, d.w, d.from, d.to, d.zero = top+head, rows, inner, from, to, first

	cells, scale, pen, ends := v.curveCells(lines, pins, inner, rows, from, to)
	at := c.column(from, to, inner)
	c.mark(v.c.Style(), cells, at)
	out := []string{v.curveHead(x, len(lines) > 1, ends, side > 0, w)}
	if head == 2 {
		out = append(out, v.pinLegend(lines, pins, w))
	}
	curve := v.c.Style().CurveRows(cells, plot.Labels(scale, rows), at, c.cursorPen(v.c.Style()), pen, w-side-1)
	if side == 0 {
		for _, row := range curve {
			out = append(out, paint.Clip(paint.Pad(row, w), w))
		}
	} else {
		sizes := v.beside(x.Group(), side, rows)
		for i, row := range curve {
			out = append(out, paint.Clip(paint.Pad(row+" "+sizes[i], w), w))
		}
	}
	return append(out, v.c.Style().TimeAxis(v.c.Scope().Epoch, from, to, w-side-1, w))[:h]
}

// curveCells are the cells of what is drawn, the value at their upper border, the pens of the curves and, where each
// who sends has a curve, what these are called.
func (v *View) curveCells(lines []ticks.Line, pins []int, w, h int, from, to int64) (cells [][]plot.Cell, top float64,
	pen func(of int) paint.Pen, ends []string) {
	c := &v.curve
	if len(lines) > 1 {
		cells, top, c.drawn.step = v.overlaid(lines, pins, w, h, from, to)
		return cells, top, func(of int) paint.Pen { return v.curvePen(pins[len(lines)-1-of]) }, nil
	}
	if !c.asGaps {
		if cells, top, ends = c.endCells(v.c, lines[0], w, h, from, to); ends != nil {
			return cells, top, func(of int) paint.Pen { return v.c.Style().SeriesPen(of + 1) }, ends
		}
	}
	points := 2 * w
	if v.c.Style().ASCII {
		points = w
	}
	g := lines[0].Group()
	first, last := v.c.Scope().Span()
	source := func(from, to int64, n int) []float64 { return v.c.Scope().Tally().SpreadOf(g, from, to, n) }
	c.drawn.step = plot.Step(to-from, points, source(from, to+1, 1)[0])
	pen = func(int) paint.Pen { return v.c.Style().Pens.Accent }
	if c.asGaps {
		cells, top = c.gapCells(v.c, lines[0], from, to, w, h)
		return cells, top, pen, nil
	}
	values := plot.Rate(source, c.drawn.step, first, first, last, from, to, points)
	top = plot.NiceTop(values)
	// as the second one: of the clearer sign
	return plot.Lay([][]float64{nil, values}, w, h, top, false, v.c.Style().ASCII), top, pen, nil
}

// curveHead is the rule above the curve: what it is, whose curves there are, by what it is counted, and which keys move
// in it.
func (v *View) curveHead(x ticks.Line, several bool, ends []string, beside bool, w int) string {
	c := &v.curve
	name, _ := typetree.Name(v.c.Style(), x)
	if x.Dir >= 0 {
		name = dissect.Escape(x.Name()) + " " + name
	}
	title := name + ", packets/s"
	switch {
	case c.asGaps:
		title = name + ", gaps in ms"
	case several:
		title = "packets/s"
	case ends != nil && w < 100: // the names need the room
		title = name + ", pkt/s"
	}
	var l paint.Line
	dash, p := v.c.Style().Glyph("─", "-"), paint.Pen{}
	if c.focused {
		p = v.c.Style().Pens.Bold
	}
	l.Put(v.c.Style().Pens.Dim, dash+dash)
	l.Put(p, " "+paint.Fit(title, min(paint.Width(title), max(0, w-6))))
	endLegend(v.c.Style(), &l, ends)
	l.Put(p, " ")
	return v.c.Style().EndRule(&l, v.curveKeys(beside, w-l.Width-4), w)
}

// curveKeys is the right end of the rule: as much as there is room for of what the curve is counted by and of the keys.
// What stands beside the curve keeps its title.
func (v *View) curveKeys(beside bool, room int) string {
	by, title := plot.StepText(v.curve.drawn.step), ""
	if v.curve.asGaps {
		by = "a point for each packet"
	}
	if beside {
		title = "   lengths"
	}
	texts := []string{by + ", " + v.c.Style().Key(act.NextPane) + " moves here", by}
	if v.curve.focused {
		move := v.c.Style().Keys.Shown("h l", nil) + " move"
		shows := move + ", " + v.c.Style().Key(act.Open) + " shows the packets here"
		texts = []string{shows + ", " + by, shows, move}
	}
	for _, text := range texts {
		if text = " " + text + title + " "; paint.Width(text) <= room {
			return text
		}
	}
	return ""
}

// leastBeside is the height from which on there is room for gaps below the lengths.
const leastBeside = 9

// beside are the lengths of a line's packets and, where there is room, the gaps between them.
func (v *View) beside(g *stats.Group, w, h int) []string {
	if h < leastBeside || len(g.Gaps) < 2 || w == 0 {
		return v.sizes(g, w, h)
	}
	below := min(h/2, len(g.Gaps)+2)
	out := v.sizes(g, w, h-below)
	out = append(out, v.c.Style().Pens.Dim.Open+paint.Fit(paint.FitRight(gapsTitle(g), 13), w)+v.c.Style().Pens.Dim.Close)
	return append(out, v.gapLines(g, w, below-1)...)
}

// gapsTitle is what stands over the gaps: their unit only where no line has another one.
func gapsTitle(g *stats.Group) string {
	if slices.ContainsFunc(g.Gaps, inMicroseconds) {
		return "gaps"
	}
	return "gaps, ms"
}

// inMicroseconds tells whether a class of gaps would be all zeros in milliseconds.
func inMicroseconds(c stats.GapClass) bool { return c.From > 0 && c.To > 0 && c.To <= 100_000 }

// gapLines are how many gaps there were of each length; the rarest are put together where there is no room.
func (v *View) gapLines(g *stats.Group, w, h int) []string {
	classes := slices.Clone(g.Gaps)
	total, rest := uint64(0), uint64(0)
	for _, c := range classes {
		total += c.Gaps
	}
	if len(classes) > h {
		sorting.Stable(classes, func(a, b stats.GapClass) int { return cmp.Compare(b.Gaps, a.Gaps) })
		for _, c := range classes[h-1:] {
			rest += c.Gaps
		}
		classes = classes[:h-1]
		sorting.Func(classes, func(a, b stats.GapClass) int { return cmp.Compare(a.From, b.From) })
	}
	var out []string
	for _, c := range classes {
		out = append(out, shareLine(v.c.Style(), gapText(v.c.Style(), c), c.Gaps, total, w))
	}
	if rest > 0 {
		out = append(out, shareLine(v.c.Style(), "others", rest, 0, w))
	}
	for len(out) < h {
		out = append(out, strings.Repeat(" ", max(0, w)))
	}
	return out
}

// shareLine is a number beside a name, with a bar for its share of a whole; of nothing there is no bar.
func shareLine(style *widget.Style, name string, n, of uint64, w int) string {
	var l paint.Line
	bar := max(2, w-24)
	l.Put(paint.Pen{}, paint.FitRight(name, 13)+" ")
	if of > 0 {
		l.PutBars(&style.Pens, style.Bar(float64(n)/float64(of), bar))
	} else {
		l.Put(paint.Pen{}, strings.Repeat(" ", bar))
	}
	l.Put(paint.Pen{}, paint.FitRight(humanize.Group(int(n)), 10))
	return paint.Clip(l.End(w), w)
}

// gapText is the bounds of a class of gaps in milliseconds.
func gapText(style *widget.Style, c stats.GapClass) string {
	ms := func(ns int64) string {
		if ns >= 1e9 {
			return humanize.Group(int(ns / 1e6))
		}
		return strconv.FormatFloat(float64(ns)/1e6, 'g', 3, 64)
	}
	switch {
	case inMicroseconds(c):
		us := func(ns int64) string { return strconv.FormatFloat(float64(ns)/1e3, 'g', 3, 64) }
		return us(c.From) + style.Glyph("–", "-") + us(c.To) + style.Glyph(" µs", " us")
	case c.From == 0:
		return "< " + ms(c.To)
	case c.To == 0:
		return style.Glyph("≥ ", ">= ") + ms(c.From)
	}
	return ms(c.From) + style.Glyph("–", "-") + ms(c.To)
}

// sizes are the commonest lengths with how many packets have each, and below them how they come about.
func (v *View) sizes(g *stats.Group, w, h int) []string {
	why := v.explain(g)
	room := max(1, h-1)
	if len(why) > 0 {
		room = max(1, h-1-len(why))
	}
	sizes := slices.Clone(g.Sizes)
	sorting.Func(sizes, func(a, b stats.Size) int { return cmp.Compare(b.Packets, a.Packets) })
	sizes = sizes[:min(len(sizes), room)]
	sorting.Func(sizes, func(a, b stats.Size) int { return cmp.Compare(a.Length, b.Length) })
	var out []string
	rest := g.Packets
	for _, z := range sizes {
		out = append(out, shareLine(v.c.Style(), humanize.Group(int(z.Length)), z.Packets, g.Packets, w))
		rest -= min(rest, z.Packets)
	}
	if rest > 0 {
		out = append(out, shareLine(v.c.Style(), "others", rest, 0, w))
	}
	for _, text := range why {
		out = append(out, v.c.Style().Pens.Dim.Open+paint.Fit("   "+v.c.Style().Plain(text), w)+v.c.Style().Pens.Dim.Close)
	}
	for len(out) < h {
		out = append(out, strings.Repeat(" ", max(0, w)))
	}
	return out[:h]
}

// explain says how the two commonest lengths come about, when most are some bytes and n equal parts. Frames below
// conversations, as those of 802.11, have no such parts: their lengths only look like it.
func (v *View) explain(g *stats.Group) []string {
	if s := v.c.Scope().Session; g.Sample == 0 || int(g.Sample) > s.Passed() || s.ConversationOf(g.Sample) == 0 {
		return nil
	}
	header, known := v.headers[g.Sample]
	if !known {
		header = uint32(compare.Start(v.c.Scope().Session.Tree(g.Sample)))
		if v.headers == nil {
			v.headers = map[dissect.FrameNum]uint32{}
		}
		v.headers[g.Sample] = header
	}
	l, ok := stats.ExplainSizes(g.Sizes, header)
	if !ok {
		return nil
	}
	sizes := slices.Clone(g.Sizes)
	sorting.Stable(sizes, func(a, b stats.Size) int { return cmp.Compare(b.Packets, a.Packets) })
	var out []string
	for _, z := range sizes {
		if text := l.Explain(z.Length); text != "" && len(out) < 2 {
			out = append(out, text)
		}
	}
	return out
}
