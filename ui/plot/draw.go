// Package plot works out curves for a terminal and draws them in dots of braille, in blocks or in the signs of ASCII:
// heights, axes at round values and times, and how much there was a second. It knows no packet and paints nothing.
package plot

import (
	"math"
	"strings"

	"remora/ui/paint"
)

// Braille is a curve under its top in h lines of w cells, each of two by four dots. Values that are no numbers leave a
// gap.
func Braille(values []float64, w, h int, top float64) []string {
	dots := make([][]byte, h)
	for i := range dots {
		dots[i] = make([]byte, w)
	}
	bits := [4][2]byte{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	put := func(x, y int) {
		y = max(0, min(y, 4*h-1))
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

// Stars is a curve as Braille draws it, in stars.
func Stars(values []float64, w, h int, top float64) []string {
	rows := make([][]byte, h)
	for i := range rows {
		rows[i] = []byte(strings.Repeat(" ", w))
	}
	for x := range w {
		if v := sample(values, x, w); !math.IsNaN(v) {
			rows[h-1-max(0, min(int(v/top*float64(h-1)+0.5), h-1))][x] = '*'
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

// NiceTop is a round number that no value exceeds.
func NiceTop(values []float64) float64 {
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

// Bar is a bar of up to w cells for a share of one.
func Bar(share float64, w int, ascii bool) string {
	if ascii {
		return paint.Fit(strings.Repeat("#", max(0, min(int(share*float64(w)+0.5), w))), w)
	}
	eighths := max(0, min(int(share*float64(w)*8+0.5), w*8))
	if share > 0 {
		eighths = max(1, eighths)
	}
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return paint.Fit(s, w)
}
