// Package readline edits one line of text with the keys that people know from a shell.
package readline

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/paint"
)

// An Input is a line of text with a cursor and readline's keys.
type Input struct {
	Text    []rune
	Cur     int // before which character the cursor stands
	History []string
	at      int       // place in the history
	Mark    paint.Pen // of what is wrong with the text
}

// Set takes another text, with the cursor behind it and at the end of the history.
func (in *Input) Set(s string) { in.Text, in.Cur, in.at = []rune(s), len([]rune(s)), len(in.History) }

// Value is the text.
func (in *Input) Value() string { return string(in.Text) }

// Offset is the cursor as a byte offset.
func (in *Input) Offset() int { return len(string(in.Text[:in.Cur])) }

// Insert writes at the cursor. Control characters become spaces.
func (in *Input) Insert(s string) {
	r := []rune(strings.Map(func(c rune) rune {
		if c < 0x20 || c == 0x7f {
			return ' '
		}
		return c
	}, s))
	in.Text = append(in.Text[:in.Cur:in.Cur], append(r, in.Text[in.Cur:]...)...)
	in.Cur += len(r)
}

// Do edits the line; it reports whether the action was one for editing.
func (in *Input) Do(does act.Action) bool {
	word := func(from, step int) int {
		for from+min(step, 0) >= 0 && from+min(step, 0) < len(in.Text) && in.Text[from+min(step, 0)] == ' ' {
			from += step
		}
		for from+min(step, 0) >= 0 && from+min(step, 0) < len(in.Text) && in.Text[from+min(step, 0)] != ' ' {
			from += step
		}
		return from
	}
	switch does {
	case act.LineLeft:
		in.Cur = max(0, in.Cur-1)
	case act.LineRight:
		in.Cur = min(len(in.Text), in.Cur+1)
	case act.LineStart:
		in.Cur = 0
	case act.LineEnd:
		in.Cur = len(in.Text)
	case act.LineWordLeft:
		in.Cur = word(in.Cur, -1)
	case act.LineWordRight:
		in.Cur = word(in.Cur, 1)
	case act.LineRubOut:
		if in.Cur > 0 {
			in.Text = append(in.Text[:in.Cur-1], in.Text[in.Cur:]...)
			in.Cur--
		}
	case act.LineDelete:
		if in.Cur < len(in.Text) {
			in.Text = append(in.Text[:in.Cur], in.Text[in.Cur+1:]...)
		}
	case act.LineCutBefore:
		in.Text, in.Cur = append([]rune(nil), in.Text[in.Cur:]...), 0
	case act.LineCutAfter:
		in.Text = in.Text[:in.Cur]
	case act.LineCutWord:
		from := word(in.Cur, -1)
		in.Text = append(in.Text[:from], in.Text[in.Cur:]...)
		in.Cur = from
	default:
		return false
	}
	return true
}

// Recall goes through the history.
func (in *Input) Recall(step int) {
	at := in.at + step
	if at < 0 || at > len(in.History) {
		return
	}
	text := ""
	if at < len(in.History) {
		text = in.History[at]
	}
	in.Set(text)
	in.at = at
}

// Remember adds a text to the history, unless it is the last one there.
func (in *Input) Remember(s string) {
	if s != "" && (len(in.History) == 0 || in.History[len(in.History)-1] != s) {
		in.History = append(in.History, s)
	}
}

// Draw draws the text with its cursor within w cells, of which there are at least ten; the culprits of errors are
// underlined.
func (in *Input) Draw(l *paint.Line, w int, culprits ...[2]int) {
	w = max(10, w)
	cells := append(in.cells(), " ") // the cursor may stand behind the text
	from, used := in.Cur, paint.Width(cells[in.Cur])
	for from > 0 && used+paint.Width(cells[from-1]) <= w {
		from--
		used += paint.Width(cells[from])
	}
	at := len(string(in.Text[:from]))
	for i, left := from, w; i < len(cells); i++ {
		if left -= paint.Width(cells[i]); left < 0 {
			return
		}
		p := paint.Pen{}
		if slices.ContainsFunc(culprits, func(c [2]int) bool { return at >= c[0] && at < c[1] }) {
			p = in.Mark
		}
		if i == in.Cur {
			p = paint.SGR("7")
		}
		if i < len(in.Text) {
			at += len(string(in.Text[i]))
		}
		l.Put(p, cells[i])
	}
}

// cells are the characters of the text as they are drawn: what must not reach the terminal is escaped.
func (in *Input) cells() []string {
	out, marks := make([]string, len(in.Text), len(in.Text)+1), 0
	for i, c := range in.Text {
		out[i] = dissect.Escape(string(c))
		if marks++; !unicode.Is(unicode.M, c) {
			marks = 0
		} else if marks > 2 { // piled up, as Escape sees it in a whole text
			out[i] = fmt.Sprintf(`\u%04X`, c)
		}
	}
	return out
}
