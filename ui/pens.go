package ui

import (
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/bidi"

	"remora/dissect"
)

// A pen is the pair of sequences around styled text, made once. Drawing appends strings; nothing is styled cell by cell.
type pen struct{ open, close string }

func sgr(codes string) pen {
	if codes == "" {
		return pen{}
	}
	return pen{"\x1b[" + codes + "m", "\x1b[m"}
}

// pens are the roles of colour on the screen. Every colour has a sign or a word beside it, so none is needed to read.
type pens struct {
	dim, bold, accent, selected, marked pen
	bars, barsOn                        pen // of bars, and of those in the selected row; the latter changes the ink alone
	good, warn, bad                     pen
	found                               pen // what a search found
	hues                                [7]pen
}

// hueOrder are the hues as penNames names them.
var hueOrder = []dissect.Hue{dissect.HueBlue, dissect.HueGreen, dissect.HueCyan, dissect.HueMagenta, dissect.HueYellow, dissect.HueRed}

// newPens makes the pens of a theme. The background stays the terminal's own. Without colour only weight, underline and
// reverse remain.
func newPens(c colours, colour bool) pens {
	p := pens{bold: sgr("1"), selected: sgr("7"), marked: sgr("4;1"), dim: sgr("2"), accent: sgr("1"), warn: sgr("1"), bad: sgr("1"), good: pen{}, found: sgr("4;1")}
	if !colour {
		return p
	}
	ink := func(n int) pen {
		if n < 0 {
			return pen{}
		}
		return sgr(inkCode(n, false))
	}
	p.dim = ink(c.dim)
	if c.bar >= 0 {
		p.selected = sgr(inkCode(c.bar, true) + ";" + inkCode(c.onBar, false) + ";1")
	}
	p.bars, p.barsOn = ink(c.bars), ink(c.barsOnBar)
	p.accent, p.good, p.warn, p.bad = ink(c.cyan), ink(c.blue), ink(c.yellow), ink(c.red)
	p.found = ink(c.magenta)
	if c.magenta >= 0 {
		p.found = sgr("4;" + inkCode(c.magenta, false))
	}
	for i, n := range []int{c.blue, c.green, c.cyan, c.magenta, c.yellow, c.red} {
		p.hues[hueOrder[i]] = ink(n)
	}
	return p
}

// wantsColour follows NO_COLOR: any value that is not empty switches colour off.
func wantsColour() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// darkFromEnv guesses the background from COLORFGBG ("15;0"), which some terminals set. Dark unless it says light.
func darkFromEnv() bool {
	v := os.Getenv("COLORFGBG")
	last := v[strings.LastIndexByte(v, ';')+1:]
	return last != "7" && last != "15"
}

// width is how many cells a text takes.
func width(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// fit cuts or pads a text to n cells; a cut ends in an ellipsis.
func fit(s string, n int) string {
	if n <= 0 {
		return ""
	}
	w := width(s)
	if w > n {
		s = ansi.Truncate(s, n, "…")
		w = width(s)
	}
	if w < n {
		s += strings.Repeat(" ", n-w)
	}
	return s
}

// fitRight is fit with the padding in front.
func fitRight(s string, n int) string {
	if w := width(s); w < n {
		return strings.Repeat(" ", n-w) + s
	}
	return fit(s, n)
}

// fitTail keeps the end of a text: addresses differ there.
func fitTail(s string, n int) string {
	if w := width(s); w > n && n > 1 {
		return ansi.TruncateLeft(s, w-n+1, "…")
	}
	return fit(s, n)
}

// fitMiddle keeps both ends of a text: the types of a protocol often begin alike, as requests and their replies do.
func fitMiddle(s string, n int) string {
	w := width(s)
	if w <= n || n < 8 {
		return fit(s, n)
	}
	tail := (n - 1) / 2
	return fit(ansi.Truncate(s, n-1-tail, "")+"…"+ansi.TruncateLeft(s, w-tail, ""), n)
}

// A line collects the styled parts of one row of the screen.
type line struct {
	b     strings.Builder
	width int // cells used
	base  pen // what the row is drawn in, between the parts
}

func (l *line) put(p pen, s string) {
	if s == "" {
		return
	}
	l.width += width(s)
	s = keepColumns(s)
	if l.base.open != "" { // a selected row keeps one look
		l.b.WriteString(s)
		return
	}
	l.b.WriteString(p.open)
	l.b.WriteString(s)
	l.b.WriteString(p.close)
}

// putBars puts bars, which keep a colour of their own in the selected row, too: as bright as its text they would be all one sees.
func (l *line) putBars(p *pens, s string) {
	if l.base.open == "" || p.barsOn.open == "" {
		l.put(p.bars, s)
		return
	}
	l.width += width(s)
	l.b.WriteString(p.barsOn.open + s + l.base.open)
}

// keepColumns keeps text that is written from right to left from pulling what stands behind it over to its other side, as
// terminals do that put such text in order: a mark of no width ends its reach. Escape lets no such mark through from outside.
func keepColumns(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xd6 && strings.ContainsFunc(s[i:], rightToLeft) { // Hebrew begins with this byte
			return s + leftToRightMark
		}
	}
	return s
}

const leftToRightMark = "\u200e"

// rightToLeft tells whether a character is written from right to left, or is a number of such a script.
func rightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.R, bidi.AL, bidi.AN:
		return true
	}
	return false
}

// end pads the row to n cells and returns it.
func (l *line) end(n int) string {
	if l.width < n {
		l.b.WriteString(strings.Repeat(" ", n-l.width))
	}
	if l.base.open != "" {
		return l.base.open + l.b.String() + l.base.close
	}
	return l.b.String()
}

// group writes a number with a space between its thousands.
func group(n int) string {
	s := itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// packetsText is a number of packets in words.
func packetsText(n int) string {
	if n == 1 {
		return "1 packet"
	}
	return group(n) + " packets"
}

func itoa(n int) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
