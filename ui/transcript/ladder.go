package transcript

import (
	"strings"

	"remora/dissect"
	"remora/ui/paint"
)

// The ladder draws each message as an arrow between upright lines, one for each end: who talks to whom is seen at once,
// also where there are more ends than two.

// Rails are which ends have a line, in the order in which they spoke.
type Rails struct {
	Ends []dissect.Endpoint
	Name int // the width of the longest name above the lines
	at   map[dissect.Endpoint]int
}

// maxRails bounds the lines that are told apart; what is more shares the last one.
const maxRails = 24

// Of is the line of an end. An end that has none gets the next.
func (r *Rails) Of(e dissect.Endpoint) int {
	if i, ok := r.at[e]; ok {
		return i
	}
	if r.at == nil {
		r.at = map[dissect.Endpoint]int{}
	}
	if len(r.Ends) >= maxRails {
		return maxRails - 1
	}
	r.at[e] = len(r.Ends)
	r.Ends = append(r.Ends, e)
	return len(r.Ends) - 1
}

// Room is how many cells lie between neighbouring lines, and for how many lines there is room beside times and texts.
func (r *Rails) Room(w int) (gap, rails int) {
	room := max(24, w-14-w/3)
	least := min(max(r.Name+1, 12), 17)
	rails = min(max(len(r.Ends), 2), max(2, room/least+1))
	return min(max(room/(rails-1), least), 26), rails
}

// Signs are what arrows and lines are drawn of.
type Signs struct{ Bar, Dash, Left, Right string }

// Arrow is an arrow of w cells with a word in its middle, from one line to another.
func (s Signs) Arrow(word string, w int, back bool) string {
	inner := max(0, w-4)
	word = paint.FitWords(word, min(paint.Width(word), inner))
	if word != "" && paint.Width(word)+2 <= inner {
		word = " " + word + " "
	}
	left := (inner - paint.Width(word)) / 2
	shaft := strings.Repeat(s.Dash, left) + word + strings.Repeat(s.Dash, max(0, inner-left-paint.Width(word)))
	if back {
		return s.Bar + s.Left + shaft + s.Dash + s.Bar
	}
	return s.Bar + s.Dash + shaft + s.Right + s.Bar
}
