package ui

import (
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/dialogue"
	"remora/ui/paint"
)

// Where the first line of the ladder stands: behind the time.
const firstRail = 14

func (m *model) ladderSigns() dialogue.Signs {
	return dialogue.Signs{Bar: m.glyph("│", "|"), Dash: m.glyph("─", "-"), Left: m.glyph("◂", "<"), Right: m.glyph("▸", ">")}
}

// ladderHead names the ends above their lines.
func (v *followView) ladderHead(m *model, w int) string {
	gap, rails := v.Rails.Room(w)
	var l paint.Line
	l.Put(paint.Pen{}, "   ")
	for i := range rails {
		name := ""
		if i < len(v.Rails.Ends) {
			e := v.Rails.Ends[i]
			name = v.endName(m, e, e.String())
			if i == rails-1 && len(v.Rails.Ends) > rails {
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
func (v *followView) rung(m *model, l *paint.Line, u follow.Unit, line dialogue.Line, p paint.Pen, w int) {
	gap, rails := v.Rails.Room(w)
	a, b := v.Talk(&u)
	from, to := min(v.Rails.Of(a), rails-1), min(v.Rails.Of(b), rails-1)
	say := dialogue.Said(&u, line)
	l.Put(m.pens.Dim, paint.FitRight(fmt.Sprintf("%.3f", float64(u.Time-m.epoch())/1e9), 11)+"   ")
	if line.Folded() {
		v.foldedRung(m, l, line, gap, rails, w)
		return
	}
	times := ""
	if line.Times > 1 {
		times = m.glyph(" ×", " x") + strconv.Itoa(line.Times)
	}
	low, high := min(from, to), max(from, to)
	bar := m.glyph("│", "|")
	for range low {
		l.Put(m.pens.Dim, bar+strings.Repeat(" ", gap-1))
	}
	kind, text := p, paint.Pen{}
	if say.Repeat || dialogue.Bare(&u) {
		kind, text = m.pens.Dim, m.pens.Dim
	}
	if low == high { // both ends share a line
		l.Put(kind, m.glyph("●", "o"))
	} else {
		l.Put(kind, m.ladderSigns().Arrow(dissect.Escape(say.Kind)+times, (high-low)*gap+1, from > to))
	}
	for range rails - 1 - high {
		l.Put(m.pens.Dim, strings.Repeat(" ", gap-1)+bar)
	}
	right := v.aside(m, &u, line, w)
	l.Put(text, "  "+paint.Fit(say.Text, max(0, w-l.Width-2-paint.Width(right))))
	l.Put(m.pens.Dim, right)
}

// foldedRung draws the lines on past a run, which may be of both ways and between several ends.
func (v *followView) foldedRung(m *model, l *paint.Line, line dialogue.Line, gap, rails, w int) {
	for i := range rails {
		l.Put(m.pens.Dim, m.glyph("┊", ":"))
		if i+1 < rails {
			l.Put(m.pens.Dim, strings.Repeat(" ", gap-1))
		}
	}
	l.Put(m.pens.Dim, "  "+m.glyph("⋯ ", "... ")+paint.Fit(runText(v.Run(line)), max(0, w-l.Width-6)))
}
