package ui

import (
	"math"
	"strings"

	"remora/ui/paint"
)

// plot draws values as a curve with an axis, h lines of w cells: in dots of braille, or in stars.
func (m *model) plot(values []float64, w, h int) []string {
	top := niceTop(values)
	labels := axisLabels(top, h)
	inner := max(2, w-8)
	var rows []string
	if m.cfg.ASCII {
		rows = starPlot(values, inner, h, top)
	} else {
		rows = braillePlot(values, inner, h, top)
	}
	out := make([]string, 0, h)
	for i, row := range rows {
		out = append(out, m.pens.Dim.Open+m.axisEdge(labels, i)+m.pens.Dim.Close+m.pens.Accent.Open+paint.Fit(row, inner)+m.pens.Accent.Close)
	}
	return out
}

// braillePlot is the curve in cells of two by four dots.
func braillePlot(values []float64, w, h int, top float64) []string {
	dots := make([][]byte, h)
	for i := range dots {
		dots[i] = make([]byte, w)
	}
	bits := [4][2]byte{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	put := func(x, y int) {
		y = clamp(y, 0, 4*h-1)
		dots[h-1-y/4][x/2] |= bits[3-y%4][x%2]
	}
	before := -1
	for x := range 2 * w {
		v := sample(values, x, 2*w)
		if math.IsNaN(v) {
			before = -1
			continue
		}
		y := int(v / top * float64(4*h-1))
		put(x, y)
		for ; before >= 0 && before != y; before += sign(y - before) {
			put(x, before) // joined to the point before
		}
		before = y
	}
	out := make([]string, h)
	for i, row := range dots {
		var b strings.Builder
		for _, d := range row {
			if d == 0 {
				b.WriteByte(' ')
			} else {
				b.WriteRune(rune(0x2800) + rune(d))
			}
		}
		out[i] = b.String()
	}
	return out
}

func starPlot(values []float64, w, h int, top float64) []string {
	rows := make([][]byte, h)
	for i := range rows {
		rows[i] = []byte(strings.Repeat(" ", w))
	}
	for x := range w {
		if v := sample(values, x, w); !math.IsNaN(v) {
			rows[h-1-clamp(int(v/top*float64(h-1)+0.5), 0, h-1)][x] = '*'
		}
	}
	out := make([]string, h)
	for i, r := range rows {
		out[i] = string(r)
	}
	return out
}

func sign(v int) int {
	if v < 0 {
		return -1
	}
	return 1
}

// sample is the value at the x-th of n points.
func sample(values []float64, x, n int) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return values[min(len(values)-1, x*len(values)/n)]
}

// niceTop is a round number that no value exceeds.
func niceTop(values []float64) float64 {
	top := 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			top = max(top, v)
		}
	}
	if top <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(top)))
	for _, f := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8, 10} {
		if f*unit >= top {
			return f * unit
		}
	}
	return 10 * unit
}

// bar is a bar of up to w cells for a share of one.
func (m *model) bar(share float64, w int) string {
	if m.cfg.ASCII {
		return paint.Fit(strings.Repeat("#", clamp(int(share*float64(w)+0.5), 0, w)), w)
	}
	eighths := clamp(int(share*float64(w)*8+0.5), 0, w*8)
	if share > 0 {
		eighths = max(1, eighths)
	}
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return paint.Fit(s, w)
}
