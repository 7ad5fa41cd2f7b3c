package ui

import (
	"errors"
	"fmt"
	"strings"
)

// Mistakes are all that is wrong with the settings, each in a line.
type Mistakes []string

// Error is the first, with the number of the others.
func (e Mistakes) Error() string { return e.first(1) }

// first are so many of them in one line, and the number of the others.
func (e Mistakes) first(n int) string {
	text := strings.Join(e[:min(n, len(e))], " | ")
	if rest := len(e) - n; rest > 0 {
		text += fmt.Sprintf(" (and %d more)", rest)
	}
	return text
}

// mistaken is a notice about an error: of mistakes as many as there is room for, at least one.
func (m *model) mistaken(begin string, err error) string {
	var all Mistakes
	if !errors.As(err, &all) {
		return begin + err.Error()
	}
	return m.foot.Most(len(all), func(n int) string { return begin + all.first(n) })
}
