package ui

import (
	"remora/dissect/filter"
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
		out = append(out, v+fitLine(fitStyled(b, w-2), w-2)+v)
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

// helpLines are the lines of the help.
func (m *model) helpLines(w int) []string {
	var out []string
	if m.helpPage == 1 {
		return strings.Split(strings.TrimRight(filter.Help(), "\n"), "\n")
	}
	for i, g := range Keys() {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, " "+m.pens.bold.open+g.Title+m.pens.bold.close)
		for _, k := range g.Keys {
			keyWidth := 24
			room := max(20, w-keyWidth-6)
			for j, part := range wrap(k.Help, room) {
				keys := ""
				if j == 0 {
					keys = k.Keys
				}
				out = append(out, "   "+fit(keys, keyWidth)+" "+part)
			}
		}
	}
	return out
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

func (m *model) overHelp(lines []string) {
	w := min(m.w-4, 100+8*m.helpPage)
	body := m.helpLines(w - 2)
	h := min(len(body), m.h-5)
	m.helpTop = max(0, min(m.helpTop, len(body)-h))
	foot := "? other page" + m.glyph(" · ", ", ") + "q closes"
	if len(body) > h {
		foot = m.glyph("↑ ↓ ", "") + "scroll" + m.glyph(" · ", ", ") + foot
	}
	over(lines, m.box([2]string{"Keys", "The filter language"}[m.helpPage], body[m.helpTop:m.helpTop+h], w, foot), (m.w-w)/2, 1)
}
