// Package svg draws what a terminal shows as a picture.
package svg

import (
	"fmt"
	"strconv"
	"strings"

	"remora/ui/paint"
)

// Sizes of a cell of the picture, in pixels.
const (
	cellWide = 8.4
	cellHigh = 17
)

// Draw draws a screen of w by h cells, lines of text with the terminal's sequences, on a dark ground or a light one.
func Draw(screen string, w, h int, dark bool) string {
	ground, ink := "#fbfbf8", "#24242a"
	if dark {
		ground, ink = "#16161c", "#d8d8e0"
	}
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" `+
			`font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">`+"\n", float64(w)*cellWide+16,
		h*cellHigh+16)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", ground)
	for y, l := range strings.Split(screen, "\n") {
		for _, r := range styledRuns(l) {
			r.draw(&b, y, ground, ink)
		}
	}
	return b.String() + "</svg>"
}

// A styledRun is text in one look, from a column on.
type styledRun struct {
	text  string
	x     int
	style textStyle
}

// A textStyle is what the terminal's sequences have turned on; colours are as SVG writes them, "" is the terminal's
// own.
type textStyle struct {
	fg, bg                          string
	bold, faint, underlined, turned bool
}

func (r *styledRun) draw(b *strings.Builder, y int, ground, ink string) {
	fg, bg := r.style.fg, r.style.bg
	if fg == "" {
		fg = ink
	}
	if r.style.turned {
		if bg == "" {
			bg = ground
		}
		fg, bg = bg, fg
	}
	x, n := 8+float64(r.x)*cellWide, float64(paint.Width(r.text))*cellWide
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x, 8+y*cellHigh, n, cellHigh, bg)
	}
	if strings.TrimSpace(r.text) == "" {
		return
	}
	more := ""
	if r.style.bold {
		more += ` font-weight="bold"`
	}
	if r.style.faint {
		more += ` opacity="0.7"`
	}
	if r.style.underlined {
		more += ` text-decoration="underline"`
	}
	fmt.Fprintf(b,
		`<text x="%.1f" y="%d" fill="%s"%s xml:space="preserve" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+
			"\n", x, 8+y*cellHigh+13, fg, more, n, escaped.Replace(strings.Map(inXML, strings.ToValidUTF8(r.text, "\uFFFD"))))
}

// inXML drops the characters that cannot stand in XML at all (XML 1.0, section 2.2).
func inXML(c rune) rune {
	if c < 0x20 || c == 0xfffe || c == 0xffff {
		return -1
	}
	return c
}

// styledRuns takes a drawn line apart at its sequences.
func styledRuns(l string) []styledRun {
	var out []styledRun
	var now textStyle
	x := 0
	for l != "" {
		at := strings.Index(l, "\x1b[")
		text := l
		if at >= 0 {
			text = l[:at]
		}
		if text != "" {
			out = append(out, styledRun{text, x, now})
			x += paint.Width(text)
		}
		if at < 0 {
			break
		}
		l = l[at+2:]
		end := strings.IndexFunc(l, func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			break
		}
		if l[end] == 'm' {
			now.apply(strings.Split(l[:end], ";"))
		}
		l = l[end+1:]
	}
	return out
}

// apply does what the numbers of one sequence say.
func (k *textStyle) apply(codes []string) {
	for i := 0; i < len(codes); i++ {
		n, _ := strconv.Atoi(codes[i])
		switch {
		case n == 0:
			*k = textStyle{}
		case n == 1:
			k.bold = true
		case n == 2:
			k.faint = true
		case n == 4:
			k.underlined = true
		case n == 7:
			k.turned = true
		case n == 22:
			k.bold, k.faint = false, false
		case n == 24:
			k.underlined = false
		case n == 27:
			k.turned = false
		case n == 39:
			k.fg = ""
		case n == 49:
			k.bg = ""
		case n >= 30 && n <= 37:
			k.fg = paletteColour(n - 30)
		case n >= 90 && n <= 97:
			k.fg = paletteColour(n - 82)
		case n >= 40 && n <= 47:
			k.bg = paletteColour(n - 40)
		case n >= 100 && n <= 107:
			k.bg = paletteColour(n - 92)
		case n == 38 || n == 48:
			colour, used := manyColours(codes[i+1:])
			if i += used; n == 38 {
				k.fg = colour
			} else {
				k.bg = colour
			}
		}
	}
}

// manyColours reads what follows 38 or 48: 5 and a number, or 2 and three parts. It tells how many codes it took.
func manyColours(codes []string) (string, int) {
	number := func(i int) int {
		n, _ := strconv.Atoi(codes[i])
		return max(0, min(n, 255))
	}
	switch {
	case len(codes) >= 2 && codes[0] == "5":
		return paletteColour(number(1)), 2
	case len(codes) >= 4 && codes[0] == "2":
		return fmt.Sprintf("#%02x%02x%02x", number(1), number(2), number(3)), 4
	}
	return "", len(codes)
}

// paletteColour is a colour of the 256 that terminals have: sixteen of their own, a cube, greys.
func paletteColour(n int) string {
	own := []string{"#2e2e38", "#d05858", "#5fa35f", "#b08a35", "#5f8fd0", "#a870b8", "#4fa3a3", "#c8c8d0", "#707080",
		"#ff8080", "#87d787", "#dfb860", "#87b5ff", "#d7a0e0", "#80d0d0", "#ffffff"}
	switch {
	case n < 16:
		return own[n]
	case n >= 232:
		v := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", v, v, v)
	}
	part := func(v int) int {
		if v == 0 {
			return 0
		}
		return 55 + 40*v
	}
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", part(n/36), part(n/6%6), part(n%6))
}

// escaped has characters that mean something in XML as it writes them. Package html, which has it, brings all of HTML's
// names of characters along.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
