package filter

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/internal/suggest"
)

// An Error is a mistake in a filter, or a doubt about one, with its place.
type Error struct {
	Text     string // the whole filter
	Pos, End int    // the culprit, as byte offsets in Text
	Msg      string // what is wrong
	Hint     string // what may have been meant; may be ""

	More []*Error // what else is wrong with the filter, in the order of its text
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

// Carets is Caret with the places of everything that is wrong.
func (e *Error) Carets() string {
	first, marks, _ := strings.Cut(e.Caret(), "\n")
	for _, m := range e.More {
		_, more, _ := strings.Cut(m.Caret(), "\n")
		if len(more) > len(marks) {
			marks += more[len(marks):]
		}
	}
	return first + "\n" + marks
}

// Suggest is the declared name that comes closest to a wrong one, or "".
func Suggest(reg *dissect.Registry, name string) string { return suggest.One(name, reg.FieldNames()) }
