package ui

import (
	"fmt"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/amount"
	"remora/ui/paint"
)

// The ladder draws each message as an arrow between upright lines, one for each end: who talks to whom is seen at once, also
// where there are more ends than two.

// A ladder is which ends have a line, in the order in which they spoke.
type ladder struct {
	ends []dissect.Endpoint
	at   map[dissect.Endpoint]int
}

// maxRails bounds the lines that are told apart; what is more shares the last one.
const maxRails = 24

// rail is the line of an end.
func (l *ladder) rail(e dissect.Endpoint) int {
	if i, ok := l.at[e]; ok {
		return i
	}
	if l.at == nil {
		l.at = map[dissect.Endpoint]int{}
	}
	if len(l.ends) >= maxRails {
		return maxRails - 1
	}
	l.at[e] = len(l.ends)
	l.ends = append(l.ends, e)
	return len(l.ends) - 1
}

// meet gives the ends of a unit their lines.
func (v *followView) meet(c *dissect.Conversation) {
	v.ladder.rail(c.A)
	v.ladder.rail(c.B)
}

// railGap is how many cells lie between neighbouring lines, and how many lines there is room for beside times and texts.
func (v *followView) railGap(w int) (gap, rails int) {
	room := max(24, w-14-w/3)
	rails = clamp(len(v.ladder.ends), 2, max(2, room/12+1))
	return clamp(room/(rails-1), 12, 26), rails
}

// Where the first line stands: behind the time.
const firstRail = 14

// ladderHead names the ends above their lines.
func (v *followView) ladderHead(m *model, w int) string {
	gap, rails := v.railGap(w)
	now := dissect.FrameNum(m.s.Passed())
	var l paint.Line
	l.Put(paint.Pen{}, "   ")
	for i := range rails {
		name := ""
		if i < len(v.ladder.ends) {
			e := v.ladder.ends[i]
			if name = dissect.Escape(m.end(e, now).Label()); name == "" {
				name = e.String()
			}
			if i == rails-1 && len(v.ladder.ends) > rails {
				name = "others"
			}
		}
		at := firstRail + i*gap - min(gap-1, paint.Width(name))/2
		l.Put(paint.Pen{}, strings.Repeat(" ", max(1, at-l.Width)))
		l.Put(m.pens.Bold, paint.Fit(name, min(gap-1, paint.Width(name))))
	}
	return paint.Clip(l.End(w), w)
}

// rung draws one message: when, an arrow with its type between the lines of both ends, what it says.
func (v *followView) rung(m *model, l *paint.Line, u follow.Unit, i int, p paint.Pen, w int) {
	gap, rails := v.railGap(w)
	c := m.s.Conversation(u.Conv)
	from, to := v.ladder.rail(c.A), v.ladder.rail(c.B)
	if u.Dir == 1 {
		from, to = to, from
	}
	from, to = min(from, rails-1), min(to, rails-1)
	say, many := v.said(u, i), ""
	if last := v.first[i]; last > v.lines[i] {
		many = m.glyph(" ×", " x") + amount.Group(last-v.lines[i]+1)
	}
	l.Put(m.pens.Dim, paint.FitRight(fmt.Sprintf("%.3f", float64(u.Time-m.epoch())/1e9), 11)+"   ")
	low, high := min(from, to), max(from, to)
	bar := m.glyph("│", "|")
	for range low {
		l.Put(m.pens.Dim, bar+strings.Repeat(" ", gap-1))
	}
	kind := p
	if say.Repeat {
		kind = m.pens.Dim
	}
	if low == high { // both ends share a line
		l.Put(kind, m.glyph("●", "o"))
	} else {
		l.Put(kind, arrowText(m, dissect.Escape(say.Kind)+many, (high-low)*gap+1, from > to))
	}
	for range rails - 1 - high {
		l.Put(m.pens.Dim, strings.Repeat(" ", gap-1)+bar)
	}
	text := paint.Pen{}
	if say.Repeat {
		text = m.pens.Dim
	}
	if many == "" {
		l.Put(text, "  "+paint.Fit(say.Text, max(0, w-l.Width-2)))
	}
}

// arrowText is an arrow of w cells with a word in its middle, from one line to another.
func arrowText(m *model, word string, w int, back bool) string {
	inner := max(0, w-4)
	word = paint.Fit(word, min(paint.Width(word), inner))
	if word != "" && paint.Width(word)+2 <= inner {
		word = " " + word + " "
	}
	dash := m.glyph("─", "-")
	left := (inner - paint.Width(word)) / 2
	shaft := strings.Repeat(dash, left) + word + strings.Repeat(dash, max(0, inner-left-paint.Width(word)))
	if back {
		return m.glyph("│◂", "|<") + shaft + dash + m.glyph("│", "|")
	}
	return m.glyph("│", "|") + dash + shaft + m.glyph("▸│", ">|")
}
