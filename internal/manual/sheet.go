package manual

import (
	"strings"

	"github.com/spf13/pflag"

	"remora/dissect"
)

// The measures of a topic: it fits the narrowest usual terminal.
const (
	sheetWidth = 79
	termWidth  = 24
)

// A sheet is a topic as it grows: lines of at most sheetWidth columns.
type sheet struct{ b strings.Builder }

func (p *sheet) line(s string) { p.b.WriteString(s + "\n") }

// text is written as it is.
func (p *sheet) text(s string) { p.b.WriteString(s) }

// entry is a term with what it means beside it; below it, where the term is long.
func (p *sheet) entry(term, meaning string) {
	const indent = "  "
	lines := wrapped(dissect.Escape(meaning), sheetWidth-len(indent)-termWidth)
	width := termWidth
	if term == "" {
		lines, width = wrapped(dissect.Escape(meaning), sheetWidth-len(indent)), 0
	}
	first := indent + dissect.Escape(term)
	if len([]rune(term)) > width-2 && term != "" {
		p.line(first)
		first = ""
	}
	for _, l := range lines {
		p.line(first + strings.Repeat(" ", max(0, len(indent)+width-len([]rune(first)))) + l)
		first = ""
	}
	if first != "" && len(lines) == 0 {
		p.line(first)
	}
}

func (p *sheet) entries(list [][2]string) {
	for _, e := range list {
		p.entry(e[0], e[1])
	}
}

func (p *sheet) flag(f *pflag.Flag) {
	if !f.Hidden {
		p.entry(flagWords(f))
	}
}

// wrapped breaks a text into lines at its blanks. A word that is longer stands alone.
func wrapped(s string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
