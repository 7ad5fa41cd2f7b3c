package ui

import (
	"math"
	"testing"
)

// TestColoursCanBeRead works out the contrast of every colour, as WCAG 2 defines it: at least 4.5 to 1.
func TestColoursCanBeRead(t *testing.T) {
	for name, theme := range map[string]struct {
		colours
		back [3]float64
	}{"dark": {darkColours, [3]float64{0x1c, 0x1c, 0x24}}, "light": {lightColours, [3]float64{0xf4, 0xf2, 0xea}}} {
		c := theme.colours
		for ink, n := range map[string]int{"dim": c.dim, "blue": c.blue, "green": c.green, "cyan": c.cyan, "magenta": c.magenta, "yellow": c.yellow, "red": c.red} {
			if got := contrast(rgb(n), theme.back); got < 4.5 {
				t.Errorf("%s %s (%d) has a contrast of %.1f", name, ink, n, got)
			}
		}
		if got := contrast(rgb(c.onBar), rgb(c.bar)); got < 4.5 {
			t.Errorf("%s: the selection has a contrast of %.1f", name, got)
		}
	}
}

// rgb is one of the 256 colours: from 16 on a cube of six steps, from 232 on greys.
func rgb(n int) [3]float64 {
	if n >= 232 {
		v := float64(8 + 10*(n-232))
		return [3]float64{v, v, v}
	}
	steps := [6]float64{0, 95, 135, 175, 215, 255}
	n -= 16
	return [3]float64{steps[n/36], steps[n/6%6], steps[n%6]}
}

func contrast(a, b [3]float64) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c [3]float64) float64 {
	var l [3]float64
	for i, v := range c {
		if v /= 255; v <= 0.03928 {
			l[i] = v / 12.92
		} else {
			l[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
}
