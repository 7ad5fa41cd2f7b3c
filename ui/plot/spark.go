package plot

import (
	"strings"
)

// Sparkline draws the newest values that fit into w cells.
func Sparkline(values []float64, w int, ascii bool) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if ascii {
		levels = []rune("_.:-=+*#")
	}
	values = values[max(0, len(values)-w):]
	top := 1.0
	for _, v := range values {
		top = max(top, v)
	}
	out := []rune(strings.Repeat(" ", w-len(values)))
	for _, v := range values {
		out = append(out, levels[min(len(levels)-1, int(v/top*float64(len(levels)-1)+0.5))])
	}
	return string(out)
}
