package follow

import (
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/paint"
	"remora/ui/transcript"
	"remora/ui/widget"
)

// Where the first line of the ladder stands: behind the time.
const firstRail = 14

func ladderSigns(style *widget.Style) transcript.Signs {
	return transcript.Signs{Bar: style.Glyph("│", "|"), Dash: style.Glyph("─", "-"), Left: style.Glyph("◂", "<"),
		Right: style.Glyph("▸", ">")}
}

// ladderHead names the ends above their lines.
func (v *View) ladderHead(w int) string {
	gap, rails := v.Rails.Room(w)
	var l paint.Line
	l.Put(paint.Pen{}, "   ")
	for i := range rails {
		name := ""
		if i < len(v.Rails.Ends) {
			e := v.Rails.Ends[i]
			name = v.endName(e, e.String())
			if i == rails-1 && len(v.Rails.Ends) > rails {
				name = "others"
			}
		}
		at := firstRail + i*gap - min(gap-1, paint.Width(name))/2
		l.Put(paint.Pen{}, strings.Repeat(" ", max(1, at-l.Width)))
		l.Put(v.c.Style().Pens.Bold, paint.Fit(name, min(gap-1, paint.Width(name))))
	}
	return paint.Clip(l.End(w), w)
}

// rung draws one message: when, an arrow with its type between the lines of both ends, what it says.
func (v *View) rung(l *paint.Line, u follow.Unit, line transcript.Line, p paint.Pen, w int) {
	gap, rails := v.Rails.Room(w)
	a, b := v.Stream(&u)
	from, to := min(v.Rails.Of(a), rails-1), min(v.Rails.Of(b), rails-1)
	say := transcript.Said(&u, line)
	l.Put(v.c.Style().Pens.Dim, paint.FitRight(fmt.Sprintf("%.3f", float64(u.Time-v.c.Scope().Epoch)/1e9), 11)+"   ")
	if line.Folded() {
		v.foldedRung(l, line, gap, rails, w)
		return
	}
	times := ""
	if line.Times > 1 {
		times = v.c.Style().Glyph(" ×", " x") + strconv.Itoa(line.Times)
	}
	low, high := min(from, to), max(from, to)
	bar := v.c.Style().Glyph("│", "|")
	for range low {
		l.Put(v.c.Style().Pens.Dim, bar+strings.Repeat(" ", gap-1))
	}
	kind, text := p, paint.Pen{}
	if say.Repeat || transcript.Bare(&u) {
		kind, text = v.c.Style().Pens.Dim, v.c.Style().Pens.Dim
	}
	if low == high { // both ends share a line
		l.Put(kind, v.c.Style().Glyph("●", "o"))
	} else {
		l.Put(kind, ladderSigns(v.c.Style()).Arrow(dissect.Escape(say.Kind)+times, (high-low)*gap+1, from > to))
	}
	for range rails - 1 - high {
		l.Put(v.c.Style().Pens.Dim, strings.Repeat(" ", gap-1)+bar)
	}
	right := v.aside(&u, line, w)
	l.Put(text, "  "+paint.Fit(say.Text, max(0, w-l.Width-2-paint.Width(right))))
	l.Put(v.c.Style().Pens.Dim, right)
}

// foldedRung draws the lines on past a run, which may be of both ways and between several ends.
func (v *View) foldedRung(l *paint.Line, line transcript.Line, gap, rails, w int) {
	for i := range rails {
		l.Put(v.c.Style().Pens.Dim, v.c.Style().Glyph("┊", ":"))
		if i+1 < rails {
			l.Put(v.c.Style().Pens.Dim, strings.Repeat(" ", gap-1))
		}
	}
	l.Put(v.c.Style().Pens.Dim, "  "+v.c.Style().Glyph("⋯ ", "... ")+paint.Fit(runText(v.Run(line)), max(0, w-l.Width-6)))
}
