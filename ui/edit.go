package ui

import (
	"fmt"
	"strings"
	"unicode"

	"remora/dissect"
	"remora/ui/paint"
)

// input is a line of text with a cursor and readline's keys.
type input struct {
	text    []rune
	cur     int
	history []string
	at      int       // place in the history
	mark    paint.Pen // of what is wrong with the text
}

func (in *input) set(s string) { in.text, in.cur, in.at = []rune(s), len([]rune(s)), len(in.history) }

func (in *input) value() string { return string(in.text) }

// offset is the cursor as a byte offset.
func (in *input) offset() int { return len(string(in.text[:in.cur])) }

func (in *input) insert(s string) {
	r := []rune(strings.Map(func(c rune) rune {
		if c < 0x20 || c == 0x7f {
			return ' '
		}
		return c
	}, s))
	in.text = append(in.text[:in.cur:in.cur], append(r, in.text[in.cur:]...)...)
	in.cur += len(r)
}

// key edits the line; it reports whether the key was one for editing.
func (in *input) key(name string) bool {
	word := func(from, step int) int {
		for from+min(step, 0) >= 0 && from+min(step, 0) < len(in.text) && in.text[from+min(step, 0)] == ' ' {
			from += step
		}
		for from+min(step, 0) >= 0 && from+min(step, 0) < len(in.text) && in.text[from+min(step, 0)] != ' ' {
			from += step
		}
		return from
	}
	switch name {
	case "left", "ctrl+b":
		in.cur = max(0, in.cur-1)
	case "right", "ctrl+f":
		in.cur = min(len(in.text), in.cur+1)
	case "home", "ctrl+a":
		in.cur = 0
	case "end", "ctrl+e":
		in.cur = len(in.text)
	case "alt+b", "ctrl+left":
		in.cur = word(in.cur, -1)
	case "alt+f", "ctrl+right":
		in.cur = word(in.cur, 1)
	case "backspace", "ctrl+h":
		if in.cur > 0 {
			in.text = append(in.text[:in.cur-1], in.text[in.cur:]...)
			in.cur--
		}
	case "delete":
		if in.cur < len(in.text) {
			in.text = append(in.text[:in.cur], in.text[in.cur+1:]...)
		}
	case "ctrl+u":
		in.text, in.cur = append([]rune(nil), in.text[in.cur:]...), 0
	case "ctrl+k":
		in.text = in.text[:in.cur]
	case "ctrl+w":
		from := word(in.cur, -1)
		in.text = append(in.text[:from], in.text[in.cur:]...)
		in.cur = from
	default:
		return false
	}
	return true
}

// recall goes through the history.
func (in *input) recall(step int) {
	at := in.at + step
	if at < 0 || at > len(in.history) {
		return
	}
	text := ""
	if at < len(in.history) {
		text = in.history[at]
	}
	in.set(text)
	in.at = at
}

func (in *input) remember(s string) {
	if s != "" && (len(in.history) == 0 || in.history[len(in.history)-1] != s) {
		in.history = append(in.history, s)
	}
}

// draw draws the text with its cursor within w cells; the culprit of an error is underlined.
func (in *input) draw(l *paint.Line, w int, culprit [2]int) {
	from := max(0, in.cur-max(10, w)+1)
	at, marks := len(string(in.text[:from])), 0
	for i := from; i <= len(in.text) && i-from < max(10, w); i++ {
		s := " "
		if i < len(in.text) {
			s = dissect.Escape(string(in.text[i]))
			if marks++; !unicode.Is(unicode.M, in.text[i]) {
				marks = 0
			} else if marks > 2 { // piled up, as Escape sees it in a whole text
				s = fmt.Sprintf(`\u%04X`, in.text[i])
			}
		}
		p := paint.Pen{}
		if at >= culprit[0] && at < culprit[1] {
			p = in.mark
		}
		if i == in.cur {
			p = paint.SGR("7")
		}
		if i < len(in.text) {
			at += len(string(in.text[i]))
		}
		l.Put(p, s)
	}
}
