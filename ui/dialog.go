package ui

import (
	"strings"
)

// box frames lines of plain text.
func (m *model) box(title string, body []string, w int, foot string) []string {
	h, v := m.glyph("─", "-"), m.glyph("│", "|")
	corner := func(unicode string) string { return m.glyph(unicode, "+") }
	title = h + " " + title + " "
	if foot != "" {
		foot = " " + foot + " " + h
	}
	out := []string{corner("╭") + title + strings.Repeat(h, max(0, w-2-width(title))) + corner("╮")}
	for _, b := range body {
		out = append(out, v+keepColumns(fitLine(fitStyled(b, w-2), w-2))+v)
	}
	return append(out, corner("╰")+strings.Repeat(h, max(0, w-2-width(foot)))+foot+corner("╯"))
}

// fitStyled pads a text that may hold sequences.
func fitStyled(s string, n int) string {
	if w := width(s); w < n {
		return s + strings.Repeat(" ", n-w)
	}
	return s
}

// wrap breaks a text into lines of at most n cells.
func wrap(s string, n int) []string {
	var out []string
	at := ""
	for _, word := range strings.Fields(s) {
		if at != "" && width(at)+1+width(word) > n {
			out = append(out, at)
			at = ""
		}
		if at != "" {
			at += " "
		}
		at += word
	}
	return append(out, at)
}
