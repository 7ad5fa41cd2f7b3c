package paint

import (
	"math"
	"testing"
)

// TestColoursCanBeRead works out the contrast of every colour, as WCAG 2 defines it: at least 4.5 to 1, and 7 to 1 for
// high contrast. The terminal's own sixteen are taken from the palettes of xterm, of the Linux console and of GNOME's
// terminal.
func TestColoursCanBeRead(t *testing.T) {
	black, white := [3]float64{}, [3]float64{255, 255, 255}
	for name, theme := range map[string]struct {
		colours
		back  [3]float64
		least float64
	}{"dark": {darkColours, [3]float64{0x1c, 0x1c, 0x24}, 4.5}, "light": {lightColours, [3]float64{0xf4, 0xf2, 0xea}, 4.5},
		"high-contrast, dark":  {highDarkColours, [3]float64{0x1c, 0x1c, 0x24}, 7},
		"high-contrast, light": {highLightColours, [3]float64{0xf4, 0xf2, 0xea}, 7},
		"16, dark":             {fewDarkColours, black, 4.5}, "16, light": {fewLightColours, white, 4.5}} {
		c := theme.colours
		for ink, n := range map[string]int{"dim": c.dim, "blue": c.blue, "green": c.green, "cyan": c.cyan,
			"magenta": c.magenta, "yellow": c.yellow, "red": c.red} {
			for palette, colour := range rgb(n) {
				if got := contrast(colour, theme.back); got < theme.least {
					t.Errorf("%s %s (%d, %s) has a contrast of %.1f", name, ink, n, palette, got)
				}
			}
		}
		for palette, colour := range rgb(c.bars) {
			if got := contrast(colour, theme.back); got < 3 {
				t.Errorf("%s bars (%d, %s) have a contrast of %.1f", name, c.bars, palette, got)
			}
		}
		if c.bar < 0 {
			continue
		}
		if got := contrast(rgb(max(0, c.barsOnBar))["any"], rgb(c.bar)["any"]); c.barsOnBar >= 0 && got < 3 {
			t.Errorf("%s: bars in the selection have a contrast of %.1f", name, got)
		}
		if got := contrast(rgb(c.onBar)["any"], rgb(c.bar)["any"]); got < theme.least {
			t.Errorf("%s: the selection has a contrast of %.1f", name, got)
		}
	}
}

// palettes are the sixteen colours as terminals have them.
var palettes = map[string][16]uint32{
	"xterm": {0, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
		0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff},
	"linux": {0, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa, 0x555555, 0xff5555, 0x55ff55,
		0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff},
	"gnome": {0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf, 0x555753, 0xef2929, 0x8ae234,
		0xfce94f, 0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec},
}

// rgb is one of the 256 colours, by palette for the first sixteen: from 16 on a cube of six steps, from 232 on greys.
// The terminal's own text colour is none.
func rgb(n int) map[string][3]float64 {
	switch {
	case n < 0:
		return nil
	case n < 16:
		out := map[string][3]float64{}
		for name, p := range palettes {
			out[name] = [3]float64{float64(p[n] >> 16), float64(p[n] >> 8 & 255), float64(p[n] & 255)}
		}
		return out
	case n >= 232:
		v := float64(8 + 10*(n-232))
		return map[string][3]float64{"any": {v, v, v}}
	}
	steps := [6]float64{0, 95, 135, 175, 215, 255}
	n -= 16
	return map[string][3]float64{"any": {steps[n/36], steps[n/6%6], steps[n%6]}}
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
