package filter

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
)

// An Error is a mistake in a filter, or a doubt about one, with its place.
type Error struct {
	Text     string // the whole filter
	Pos, End int    // the culprit, as byte offsets in Text
	Msg      string // what is wrong
	Hint     string // what may have been meant; may be ""
}

// Error is the message and the hint in one line.
func (e *Error) Error() string {
	msg := dissect.Escape(e.Msg)
	if e.Hint != "" {
		return msg + " (" + dissect.Escape(e.Hint) + ")"
	}
	return msg
}

// Caret shows the filter and, in a second line, marks the culprit with ^~~~.
func (e *Error) Caret() string {
	before := dissect.Escape(e.Text[:e.Pos])
	culprit := dissect.Escape(e.Text[e.Pos:e.End])
	width := max(1, ansi.StringWidth(culprit))
	return "    " + before + culprit + dissect.Escape(e.Text[e.End:]) + "\n    " +
		strings.Repeat(" ", ansi.StringWidth(before)) + "^" + strings.Repeat("~", width-1)
}

// nearest is the declared name that comes closest to a wrong one, or "".
func nearest(reg *dissect.Registry, name string) string { return nearestOf(reg.FieldNames(), name) }

// nearestOf is the name that comes closest to a wrong one, or "". One that differs in the case of letters alone is closest.
func nearestOf(names []string, name string) string {
	best, at := "", 1+len(name)/3
	lower := strings.ToLower(name)
	for _, have := range names {
		d := distance(name, have, at)
		if d > 0 && lower == have {
			d = 0
		}
		if d < at || d == at && best == "" {
			best, at = have, d
		}
	}
	return best
}

// distance is how many letters must change to make b of a, or limit+1 when it is more than limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost = 1 + min(diagonal, row[j], row[j-1])
			}
			diagonal, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}

// Nearest is the declared name that comes closest to a wrong one, or "".
func Nearest(reg *dissect.Registry, name string) string { return nearest(reg, name) }
