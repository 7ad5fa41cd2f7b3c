package ui

import (
	"strings"

	"remora/ui/paint"
)

// box frames lines of plain text.
func (m *model) box(title string, body []string, w int, foot string) []string {
	h, v := m.glyph("─", "-"), m.glyph("│", "|")
	corner := func(unicode string) string { return m.glyph(unicode, "+") }
	title = h + " " + title + " "
	if foot != "" {
		foot = " " + foot + " " + h
	}
	out := []string{corner("╭") + title + strings.Repeat(h, max(0, w-2-paint.Width(title))) + corner("╮")}
	for _, b := range body {
		out = append(out, v+paint.KeepColumns(paint.Clip(paint.Pad(b, w-2), w-2))+v)
	}
	return append(out, corner("╰")+strings.Repeat(h, max(0, w-2-paint.Width(foot)))+foot+corner("╯"))
}
