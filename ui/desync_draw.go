package ui

import (
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

func (v *desyncView) draw(m *model, r rect) []string {
	v.refresh(m)
	out := []string{m.rule(r.w, "Desync", "what each side was told of every frame")}
	if len(v.games) == 0 {
		if !v.busy(m) {
			out = append(out, fit("  no game is in this capture", r.w))
		}
		return append(out, m.blankLines(r.w, r.h-len(out))...)
	}
	return append(out, v.table.draw(rect{r.x, r.y + 1, r.w, r.h - 1}, len(v.rows), func(i int, selected bool) string {
		return v.line(m, v.rows[i], selected, r.w)
	})...)
}

func (v *desyncView) line(m *model, r desyncRow, selected bool, w int) string {
	var l line
	if selected {
		l.base = m.pens.selected
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
		l.put(m.pens.dim, "   and "+group(a.More)+" more")
	}
	return fitLine(l.end(w), w)
}

// gameLine names a game and its players.
func (v *desyncView) gameLine(m *model, l *line, a *stats.Accord, w int) {
	l.put(m.pens.hues[a.Game.Protocol.Hue()], " "+a.Game.Protocol.Title())
	l.put(m.pens.bold, "  "+dissect.Escape(a.Game.Title))
	var players []string
	for _, p := range a.Game.Players {
		if text := (dissect.End{Name: p.Name, Role: p.Role}).Label(); text != "" {
			players = append(players, dissect.Escape(text))
		}
	}
	if room := w - l.width - 4; room > 8 {
		l.put(m.pens.dim, "   "+fit(strings.Join(players, m.glyph(" · ", ", ")), room))
	}
}

// answerLine says what came of the game, and where it differs first.
func (v *desyncView) answerLine(m *model, l *line, a *stats.Accord, w int) {
	p, sign := m.pens.dim, m.glyph("·", ".")
	switch _, compared, differ := a.Counts(); {
	case differ > 0:
		p, sign = m.pens.bad, m.glyph("✗", "x")
	case compared > 0:
		p, sign = m.pens.good, m.glyph("✓", "+")
	}
	l.put(p, " "+sign+" "+a.Verdict())
	d := a.First()
	if d == nil || w < 100 {
		return
	}
	l.put(pen{}, "; first "+stats.TickTitle(d)+", "+v.when(m, d.Said[1].Frame))
}

// when is a packet with its time since the capture began.
func (v *desyncView) when(m *model, n dissect.FrameNum) string {
	return sinceText(m.s.Store().Time(int(n)-1)-m.epoch()) + ", packet " + group(int(n))
}

// subjectLine counts what was told of a subject.
func subjectLine(m *model, l *line, c *stats.Comparison, w int) {
	title, number := 18, 9
	if w < 100 {
		title, number = 15, 7
	}
	l.put(pen{}, "   "+fit(stats.SubjectTitle(c.About, c.Of), title))
	for _, part := range [...]struct {
		n    uint64
		text string
	}{{c.Told, " told"}, {c.Compared, " by two sides"}, {c.Compared - c.Differ, " agree"}} {
		l.put(m.pens.dim, fitRight(group(int(part.n)), number)+part.text)
	}
	if c.Differ > 0 {
		l.put(m.pens.bad, fitRight(group(int(c.Differ)), number)+" differ")
	}
}

// tickLine names a frame of which sides were told differently.
func (v *desyncView) tickLine(m *model, l *line, a *stats.Accord, d *dissect.Disagreement, w int) {
	l.put(m.pens.bad, "   "+m.glyph("✗", "x")+" ")
	l.put(pen{}, stats.TickTitle(d))
	if phase := a.Phase(d.Said[1].Frame); phase != "" && w-l.width > 20 {
		l.put(m.pens.dim, "   "+fit(dissect.Escape(phase), min(width(phase), max(0, w-l.width-4))))
	}
}

// saidLine is one side's word: the value, who told whom, the packet.
func (v *desyncView) saidLine(m *model, l *line, d *dissect.Disagreement, r desyncRow, w int) {
	said := d.Said[r.said]
	from, to := stats.Teller(m.s, said.Frame)
	p := pen{}
	if r.odd {
		p = m.pens.bad
	}
	right := "packet " + group(int(said.Frame))
	if w >= 100 {
		right = fitRight(sinceText(m.s.Store().Time(int(said.Frame)-1)-m.epoch()), 12) + "   " + fitRight(right, 16)
	}
	l.put(p, "       "+fit(dissect.Escape(said.Text(d.About)), clamp(w/4, 12, 26))+" ")
	room := max(0, w-l.width-width(right)-2)
	l.put(pen{}, fit(m.plain(dissect.Escape(from)+m.glyph(" → ", " > ")+dissect.Escape(to)), room))
	l.put(m.pens.dim, " "+right)
}
