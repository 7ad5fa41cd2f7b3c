package ui

import (
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/amount"
	"remora/ui/paint"
)

func (v *desyncView) draw(m *model, r rect) []string {
	v.refresh(m)
	out := []string{m.rule(r.w, "Games", "who plays, and what each side was told of every frame")}
	if len(v.games) == 0 {
		if !v.busy(m) {
			out = append(out, paint.Fit("  no game is in this capture; d on a packet reads its conversation as one of another protocol", r.w))
		}
		return append(out, m.blankLines(r.w, r.h-len(out))...)
	}
	return append(out, v.table.draw(rect{r.x, r.y + 1, r.w, r.h - 1}, len(v.rows), func(i int, selected bool) string {
		return v.line(m, v.rows[i], selected, r.w)
	})...)
}

func (v *desyncView) line(m *model, r desyncRow, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	a := &v.games[r.game]
	switch r.kind {
	case desyncGame:
		v.gameLine(m, &l, a, w)
	case desyncAnswer:
		v.answerLine(m, &l, a, w)
	case desyncSubject:
		subjectLine(m, &l, &a.Subjects[r.at], w)
	case desyncTick:
		v.tickLine(m, &l, a, &a.Disagreements[r.at], w)
	case desyncSaid:
		v.saidLine(m, &l, &a.Disagreements[r.at], r, w)
	case desyncMore:
		l.Put(m.pens.Dim, "   and "+amount.Group(a.More)+" more")
	}
	return paint.Clip(l.End(w), w)
}

// gameLine names a game and its players.
func (v *desyncView) gameLine(m *model, l *paint.Line, a *stats.Accord, w int) {
	l.Put(m.pens.Hues[a.Game.Protocol.Hue()], " "+a.Game.Protocol.Title())
	l.Put(m.pens.Bold, "  "+dissect.Escape(a.Game.Subtitle()))
	var players []string
	for _, p := range a.Game.Players {
		if text := (dissect.End{Name: p.Name, Role: p.Role}).Label(); text != "" {
			players = append(players, dissect.Escape(text))
		}
	}
	if room := w - l.Width - 4; room > 8 {
		l.Put(m.pens.Dim, "   "+paint.Fit(strings.Join(players, m.glyph(" · ", ", ")), room))
	}
}

// answerLine says what came of the game, and where it differs first.
func (v *desyncView) answerLine(m *model, l *paint.Line, a *stats.Accord, w int) {
	p, sign := m.pens.Dim, m.glyph("·", ".")
	switch _, compared, differ := a.Counts(); {
	case differ > 0:
		p, sign = m.pens.Bad, m.glyph("✗", "x")
	case compared > 0:
		p, sign = m.pens.Good, m.glyph("✓", "+")
	}
	l.Put(p, " "+sign+" "+groupNumbers(a.Verdict()))
	d := a.First()
	if d == nil || w < 100 {
		return
	}
	l.Put(paint.Pen{}, "; first "+stats.TickTitle(d)+", "+v.when(m, d.Said[1].Frame))
}

// when is a packet with its time since the capture began.
func (v *desyncView) when(m *model, n dissect.FrameNum) string {
	return sinceText(m.s.Store().Time(int(n)-1)-m.epoch()) + ", packet " + amount.Group(int(n))
}

// subjectLine counts what was told of a subject.
func subjectLine(m *model, l *paint.Line, c *stats.Comparison, w int) {
	title, number := 18, 9
	if w < 100 {
		title, number = 15, 7
	}
	l.Put(paint.Pen{}, "   "+paint.Fit(stats.SubjectTitle(c.About, c.Of), title))
	for _, part := range [...]struct {
		n    uint64
		text string
	}{{c.Told, " told"}, {c.Compared, " by two sides"}, {c.Compared - c.Differ, " agree"}} {
		if w < 72 && part.text == " by two sides" {
			continue // the sum of those that agree and those that differ
		}
		l.Put(m.pens.Dim, paint.FitRight(amount.Group(int(part.n)), number)+part.text)
	}
	if c.Differ > 0 {
		l.Put(m.pens.Bad, paint.FitRight(amount.Group(int(c.Differ)), number)+" differ")
	}
}

// tickLine names a frame of which sides were told differently.
func (v *desyncView) tickLine(m *model, l *paint.Line, a *stats.Accord, d *dissect.Disagreement, w int) {
	l.Put(m.pens.Bad, "   "+m.glyph("✗", "x")+" ")
	l.Put(paint.Pen{}, stats.TickTitle(d))
	if phase := a.Phase(d.Said[1].Frame); phase != "" && w-l.Width > 20 {
		l.Put(m.pens.Dim, "   "+paint.Fit(dissect.Escape(phase), min(paint.Width(phase), max(0, w-l.Width-4))))
	}
}

// saidLine is one side's word: the value, who told whom, the packet.
func (v *desyncView) saidLine(m *model, l *paint.Line, d *dissect.Disagreement, r desyncRow, w int) {
	said := d.Said[r.said]
	from, to := stats.Teller(m.s, said.Frame)
	p := paint.Pen{}
	if r.odd {
		p = m.pens.Bad
	}
	right := "packet " + amount.Group(int(said.Frame))
	if w >= 100 {
		right = paint.FitRight(sinceText(m.s.Store().Time(int(said.Frame)-1)-m.epoch()), 12) + "   " + paint.FitRight(right, 16)
	}
	l.Put(p, "       "+paint.Fit(dissect.Escape(said.Text(d.About)), clamp(w/4, 12, 26))+" ")
	room := max(0, w-l.Width-paint.Width(right)-2)
	l.Put(paint.Pen{}, paint.Fit(m.plain(dissect.Escape(from)+m.glyph(" → ", " > ")+dissect.Escape(to)), room))
	l.Put(m.pens.Dim, " "+right)
}
