package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
)

// below draws the rate over time of the line under the cursor, and beside it the lengths.
func (v *typesView) below(m *model, w, h int, from, to int64) []string {
	x, ok := v.at()
	if !ok {
		return m.blankLines(w, h)
	}
	name, _ := facetName(m, x)
	side := 0
	if w >= 100 {
		side = 34
	}
	g := x.Group()
	rows := h - 2
	points := max(2, w-side-9)
	if !m.cfg.ASCII {
		points *= 2
	}
	first, last := m.span()
	source := func(from, to int64, n int) []float64 { return m.tally().SpreadOf(g, from, to, n) }
	step := plot.Step(to-from, points, float64(v.packets(m, g, from, to)))
	values := plot.Rate(source, step, first, first, last, from, to, points)
	right := plot.StepText(step)
	if side > 0 {
		right += "   lengths"
	}
	lines, pins := v.pinned(x)
	if len(lines) > 1 && rows > 2 {
		return v.belowPinned(m, lines, pins, w, h, from, to)
	}
	out := []string{m.rule(w, name+", packets a second", right)}
	curve := m.plot(values, w-side-1, max(1, rows))
	sizes := v.beside(m, g, side, max(1, rows))
	for i := range curve {
		l := curve[i] + " "
		if side > 0 {
			l += sizes[i]
		}
		out = append(out, paint.Clip(paint.Pad(l, w), w))
	}
	out = append(out, m.timeAxis(from, to, w-side-1, w))
	return out[:h]
}

// belowPinned draws the curves of several lines, in the place of one curve and its lengths.
func (v *typesView) belowPinned(m *model, lines []ticks.Line, pins []int, w, h int, from, to int64) []string {
	rows, step := v.overlaid(m, lines, pins, w-1, h-3, from, to)
	out := []string{m.rule(w, "packets a second", plot.StepText(step)), v.pinLegend(m, lines, pins, w)}
	for _, row := range rows {
		out = append(out, paint.Clip(paint.Pad(row, w), w))
	}
	return append(out, m.timeAxis(from, to, w-1, w))[:h]
}

// leastBeside is the height from which on there is room for gaps below the lengths.
const leastBeside = 9

// beside are the lengths of a line's packets and, where there is room, the gaps between them.
func (v *typesView) beside(m *model, g *stats.Group, w, h int) []string {
	if h < leastBeside || len(g.Gaps) < 2 || w == 0 {
		return v.sizes(m, g, w, h)
	}
	below := min(h/2, len(g.Gaps)+2)
	out := v.sizes(m, g, w, h-below)
	out = append(out, m.pens.Dim.Open+paint.Fit("   gaps, ms", w)+m.pens.Dim.Close)
	return append(out, v.gapLines(m, g, w, below-1)...)
}

// gapLines are how many gaps there were of each length; the rarest are put together where there is no room.
func (v *typesView) gapLines(m *model, g *stats.Group, w, h int) []string {
	classes := slices.Clone(g.Gaps)
	total, rest := uint64(0), uint64(0)
	for _, c := range classes {
		total += c.Gaps
	}
	if len(classes) > h {
		slices.SortStableFunc(classes, func(a, b stats.GapClass) int { return cmp.Compare(b.Gaps, a.Gaps) })
		for _, c := range classes[h-1:] {
			rest += c.Gaps
		}
		classes = classes[:h-1]
		slices.SortFunc(classes, func(a, b stats.GapClass) int { return cmp.Compare(a.From, b.From) })
	}
	var out []string
	for _, c := range classes {
		out = append(out, m.shareLine(gapText(m, c), c.Gaps, total, w))
	}
	if rest > 0 {
		out = append(out, m.shareLine("others", rest, 0, w))
	}
	for len(out) < h {
		out = append(out, strings.Repeat(" ", max(0, w)))
	}
	return out
}

// shareLine is a number beside a name, with a bar for its share of a whole; of nothing there is no bar.
func (m *model) shareLine(name string, n, of uint64, w int) string {
	var l paint.Line
	bar := max(2, w-24)
	l.Put(paint.Pen{}, paint.FitRight(name, 11)+" ")
	if of > 0 {
		l.PutBars(&m.pens, m.bar(float64(n)/float64(of), bar))
	} else {
		l.Put(paint.Pen{}, strings.Repeat(" ", bar))
	}
	l.Put(paint.Pen{}, paint.FitRight(amount.Group(int(n)), 10))
	return paint.Clip(l.End(w), w)
}

// gapText is the bounds of a class of gaps in milliseconds.
func gapText(m *model, c stats.GapClass) string {
	ms := func(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'g', 3, 64) }
	switch {
	case c.From == 0:
		return "< " + ms(c.To)
	case c.To == 0:
		return m.glyph("≥ ", ">= ") + ms(c.From)
	}
	return ms(c.From) + m.glyph("–", "-") + ms(c.To)
}

// sizes are the commonest lengths with how many packets have each, and below them how they come about.
func (v *typesView) sizes(m *model, g *stats.Group, w, h int) []string {
	why := v.explain(m, g)
	room := max(1, h-1)
	if len(why) > 0 {
		room = max(1, h-1-len(why))
	}
	sizes := slices.Clone(g.Sizes)
	slices.SortFunc(sizes, func(a, b stats.Size) int { return cmp.Compare(b.Packets, a.Packets) })
	sizes = sizes[:min(len(sizes), room)]
	slices.SortFunc(sizes, func(a, b stats.Size) int { return cmp.Compare(a.Length, b.Length) })
	var out []string
	rest := g.Packets
	for _, z := range sizes {
		out = append(out, m.shareLine(amount.Group(int(z.Length)), z.Packets, g.Packets, w))
		rest -= min(rest, z.Packets)
	}
	if rest > 0 {
		out = append(out, m.shareLine("others", rest, 0, w))
	}
	for _, text := range why {
		out = append(out, m.pens.Dim.Open+paint.Fit("   "+m.plain(text), w)+m.pens.Dim.Close)
	}
	for len(out) < h {
		out = append(out, strings.Repeat(" ", max(0, w)))
	}
	return out[:h]
}

// explain says how the two commonest lengths come about, when most are some bytes and n equal parts.
func (v *typesView) explain(m *model, g *stats.Group) []string {
	if g.Sample == 0 || int(g.Sample) > m.s.Passed() {
		return nil
	}
	header, known := v.headers[g.Sample]
	known = known && v.of == m.s
	if !known {
		header = uint32(protocolStart(m.looker.Tree(g.Sample)))
		if v.headers == nil || v.of != m.s {
			v.headers, v.of = map[dissect.FrameNum]uint32{}, m.s
		}
		v.headers[g.Sample] = header
	}
	l, ok := stats.ExplainSizes(g.Sizes, header)
	if !ok {
		return nil
	}
	sizes := slices.Clone(g.Sizes)
	slices.SortStableFunc(sizes, func(a, b stats.Size) int { return cmp.Compare(b.Packets, a.Packets) })
	var out []string
	for _, z := range sizes {
		if text := l.Explain(z.Length); text != "" && len(out) < 2 {
			out = append(out, text)
		}
	}
	return out
}

func (m *model) blankLines(w, h int) []string {
	out := make([]string, h)
	for i := range out {
		out[i] = strings.Repeat(" ", w)
	}
	return out
}
