package types

import (
	"math"
	"slices"
	"strconv"

	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
	"remora/ui/typetree"
	"remora/ui/widget"
)

// maxZoom is how often the time shown can be halved.
const maxZoom = 20

// A pinned line's curve stays below while the cursor goes to others.

// maxPins is how many curves are kept beside that of the line under the cursor.
const maxPins = 4

// turnPin keeps the curve of a line, or lets it go.
func (v *View) turnPin(x ticks.Line) {
	key := x.Key()
	if i := slices.Index(v.pins, key); i >= 0 {
		v.pins = slices.Delete(v.pins, i, i+1)
		return
	}
	if len(v.pins) == maxPins {
		v.c.Notify("no more than " + strconv.Itoa(maxPins) + " curves can be pinned; Space on one of them lets it go")
		return
	}
	v.pins = append(v.pins, key)
}

// pinSign stands behind the sign of a pinned line, in its curve's colour.
func (v *View) pinSign(x ticks.Line, sign string) (string, paint.Pen, bool) {
	i := slices.Index(v.pins, x.Key())
	if i < 0 {
		return sign, paint.Pen{}, false
	}
	return sign[:len(sign)-1] + v.c.Style().Glyph("•", "*"), v.c.Style().SeriesPen(i + 1), true
}

// pinned are the lines whose curves are drawn: that under the cursor and the pinned ones that still have packets, with
// the number of the pin, from 1; 0 is the line under the cursor when it is not pinned.
func (v *View) pinned(x ticks.Line) (lines []ticks.Line, pins []int) {
	lines, pins = []ticks.Line{x}, []int{slices.Index(v.pins, x.Key()) + 1}
	found := map[string]ticks.Line{}
	put := func(l ticks.Line) {
		if key := l.Key(); slices.Contains(v.pins, key) {
			found[key] = l
		}
	}
	for i := range v.panel.All {
		p := &v.panel.All[i]
		put(ticks.Line{Proto: p, Dir: -1})
		for k := range p.Types {
			for dir := -1; dir < 2; dir++ {
				put(ticks.Line{Proto: p, Kind: &p.Types[k], Dir: dir})
			}
		}
	}
	for i, key := range v.pins {
		if l, ok := found[key]; ok && key != x.Key() {
			lines, pins = append(lines, l), append(pins, i+1)
		}
	}
	return lines, pins
}

// overlaid draws the curves of the line under the cursor and of the pinned ones, all by the same intervals. Top is the
// value at the upper border.
func (v *View) overlaid(lines []ticks.Line, pins []int, w, h int, from, to int64) (cells [][]plot.Cell, top float64,
	step int64) {
	points, signed := w, v.signed(pins)
	if !signed {
		points *= 2
	}
	first, last := v.c.Scope().Span()
	fewest := math.Inf(1)
	for _, x := range lines {
		fewest = min(fewest, max(1, v.c.Scope().Tally().SpreadOf(x.Group(), from, to+1, 1)[0]))
	}
	step = plot.Step(to-from, points, fewest)
	var curves [][]float64
	var all []float64
	for i := len(lines) - 1; i >= 0; i-- { // that under the cursor last, above the others
		g := lines[i].Group()
		source := func(from, to int64, n int) []float64 { return v.c.Scope().Tally().SpreadOf(g, from, to, n) }
		values := plot.Rate(source, step, first, first, last, from, to, points)
		curves, all = append(curves, values), append(all, values...)
	}
	top = plot.NiceTop(all)
	return plot.Lay(curves, w, h, top, false, signed), top, step
}

// curvePen is the colour of a pinned curve, or of the one under the cursor, 0: the colour of text, which no pin has.
func (v *View) curvePen(pin int) paint.Pen {
	if pin == 0 {
		return paint.Pen{}
	}
	return v.c.Style().SeriesPen(pin)
}

// signed tells whether the curves need signs to be told apart.
func (v *View) signed(pins []int) bool {
	var used []paint.Pen
	for _, pin := range pins {
		used = append(used, v.curvePen(pin))
	}
	return v.c.Style().Signed(used)
}

// pinLegend names the curves.
func (v *View) pinLegend(lines []ticks.Line, pins []int, w int) string {
	var l paint.Line
	signed := v.signed(pins)
	for i, x := range lines {
		name, _ := typetree.Name(v.c.Style(), x)
		if x.Dir >= 0 {
			name = x.Name() + " " + name
		}
		at := len(lines) - 1 - i
		sign := widget.LegendSign(at, signed)
		l.Put(v.curvePen(pins[i]), "  "+sign+" ")
		l.Put(paint.Pen{}, name)
	}
	return paint.Clip(l.End(w), w)
}
