// Package paint writes styled text for a terminal: the pens of a theme, text cut and padded to cells, and the rows that
// are put together from both. It knows nothing of what is drawn.
package paint

import (
	"os"
	"strings"

	"remora/dissect"
)

// A Pen is the pair of sequences around styled text, made once. Drawing appends strings; nothing is styled cell by
// cell.
type Pen struct{ Open, Close string }

// SGR is the pen of a terminal's codes ("1;31"); none are plain text.
func SGR(codes string) Pen {
	if codes == "" {
		return Pen{}
	}
	return Pen{"\x1b[" + codes + "m", "\x1b[m"}
}

// Pens are the roles of colour on the screen. Every colour has a sign or a word beside it, so none is needed to read.
type Pens struct {
	Dim, Bold, Accent, Selected, Marked Pen
	Bars, barsOn                        Pen // of bars, and of those in the selected row; the latter changes the ink alone
	Good, Warn, Bad                     Pen
	Found                               Pen // what a search found
	Hues                                [7]Pen
}

// HueOrder are the hues as PenNames names them.
var HueOrder = []dissect.Hue{dissect.HueBlue, dissect.HueGreen, dissect.HueCyan, dissect.HueMagenta, dissect.HueYellow,
	dissect.HueRed}

// NewPens makes the pens of a theme. Dark is how the terminal's background looks, few that it has no more than sixteen
// colours. The background stays the terminal's own. Without colour only weight, underline and reverse remain.
func NewPens(theme string, dark, few, colour bool) Pens {
	c := coloursOf(theme, dark, few)
	p := Pens{Bold: SGR("1"), Selected: SGR("7"), Marked: SGR("4;1"), Dim: SGR("2"), Bars: SGR("2"), Accent: SGR("1"),
		Warn: SGR("1"), Bad: SGR("1"), Good: Pen{}, Found: SGR("4;1")}
	if !colour {
		return p
	}
	ink := func(n int) Pen {
		if n < 0 {
			return Pen{}
		}
		return SGR(inkCode(n, false))
	}
	p.Dim = ink(c.dim)
	if c.bar >= 0 {
		p.Selected = SGR(inkCode(c.bar, true) + ";" + inkCode(c.onBar, false) + ";1")
	}
	p.Bars, p.barsOn = ink(c.bars), ink(c.barsOnBar)
	p.Accent, p.Good, p.Warn, p.Bad = ink(c.cyan), ink(c.blue), ink(c.yellow), ink(c.red)
	p.Found = ink(c.magenta)
	if c.magenta >= 0 {
		p.Found = SGR("4;" + inkCode(c.magenta, false))
	}
	for i, n := range []int{c.blue, c.green, c.cyan, c.magenta, c.yellow, c.red} {
		p.Hues[HueOrder[i]] = ink(n)
	}
	return p
}

// WantsColour follows NO_COLOR: any value that is not empty switches colour off.
func WantsColour() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// DarkFromEnv guesses the background from COLORFGBG ("15;0"), which some terminals set. Dark unless it says light.
func DarkFromEnv() bool {
	v := os.Getenv("COLORFGBG")
	last := v[strings.LastIndexByte(v, ';')+1:]
	return last != "7" && last != "15"
}
