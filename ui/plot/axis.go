package plot

import (
	"math"
	"strconv"

	"remora/ui/humanize"
)

// Labels are the values that stand beside a picture of h lines from zero up to top, a round number: top, zero, and
// round numbers in equal steps between, where there is room for at least two lines between them.
func Labels(top float64, h int) map[int]string {
	out := map[int]string{}
	if h < 1 {
		return out
	}
	parts := 1
	for _, n := range roundParts(top) {
		if (h-1)/n >= 3 {
			parts = n
			break
		}
	}
	for i := range parts + 1 {
		row := h - 1 - int(float64(i)/float64(parts)*(float64(4*h)-1))/4 // the line that holds the dot
		out[row] = humanize.Short(top * float64(i) / float64(parts))
	}
	return out
}

// roundParts are the numbers of equal steps to a round number that are round themselves, most first.
func roundParts(top float64) []int {
	head := top / math.Pow(10, math.Floor(math.Log10(top)+1e-9))
	switch math.Round(head * 10) {
	case 15, 30, 60:
		return []int{3}
	case 50:
		return []int{5}
	}
	return []int{4, 2}
}

// timeSteps are the distances in seconds that marks of time may have.
var timeSteps = []float64{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 4 * 3600, 6 * 3600, 12 * 3600,
	86400}

// TimeStep is a round number of seconds that takes at least the share of a span that a label needs.
func TimeStep(least float64) float64 {
	if least <= 0 || math.IsNaN(least) {
		return 1
	}
	for _, s := range timeSteps {
		if s >= least && least > 0.5 {
			return s
		}
	}
	if least > 1 { // days
		return 86400 * math.Ceil(least/86400)
	}
	unit := math.Pow(10, math.Floor(math.Log10(least)))
	for _, f := range []float64{1, 2, 5} {
		if f*unit >= least*(1-1e-9) {
			return f * unit
		}
	}
	return 10 * unit
}

// TimeLabel writes a time with the digits that its step asks for, in days where it steps by days.
func TimeLabel(s, step float64) string {
	if step >= 86400 {
		return strconv.FormatFloat(math.Round(s/86400), 'f', 0, 64) + " d"
	}
	if s >= 600 || s <= -600 {
		return humanize.Duration(s)
	}
	if step < 0.1 && s < 1 && s > -1 {
		return strconv.FormatFloat(math.Round(s*1e9/1e3)/1e3, 'f', -1, 64) + " ms"
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	return strconv.FormatFloat(s, 'f', digits, 64) + " s"
}
