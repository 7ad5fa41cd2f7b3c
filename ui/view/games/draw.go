package games

import (
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// Draw draws the players, the phases and the disagreements of each game.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	out := []string{v.c.Style().Rule(w, "Games", "who plays, and what each side was told of every frame")}
	if len(v.games) == 0 {
		if !v.Busy() {
			return append(out, view.Says(w, h-1, view.NoGame(v.c))...)
		}
		return append(out, widget.Blank(w, h-len(out))...)
	}
	return append(out, v.table.Draw(w, h-1, len(v.rows), func(i int, selected bool) string {
		return v.line(v.rows[i], selected, w)
	})...)
}

func (v *View) line(r row, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	a := &v.games[r.game]
	switch r.kind {
	case gameRow:
		v.gameLine(&l, a, w)
	case verdictRow:
		v.verdictLine(&l, a, w)
	case stallRow:
		v.stallLine(&l, r, w)
	case moreStallsRow:
		m := v.run[r.game]
		l.Put(v.c.Style().Pens.Dim, "   and "+humanize.Of(len(m.Stalls)-mostStalls+m.More, "stall")+" more, "+
			widget.Span(m.Stalled)+" in all: "+v.c.Style().Key(act.Match)+" has them")
	case subjectRow:
		subjectLine(v.c, &l, &a.Subjects[r.at], w)
	case tickRow:
		v.tickLine(&l, a, &a.Disagreements[r.at], w)
	case reportRow:
		v.reportLine(&l, &a.Disagreements[r.at], r, w)
	case moreRow:
		l.Put(v.c.Style().Pens.Dim, "   and "+humanize.Group(a.More)+" more")
	}
	return paint.Clip(l.End(w), w)
}

// gameLine names a game and its players.
func (v *View) gameLine(l *paint.Line, a *stats.SyncReport, w int) {
	l.Put(v.c.Style().Pens.Hues[a.Game.Protocol.Hue()], " "+a.Game.Protocol.Title())
	l.Put(v.c.Style().Pens.Bold, "  "+dissect.Escape(a.Game.Subtitle()))
	var players []string
	for _, p := range a.Game.Players {
		if text := (dissect.End{Name: p.Name, Role: p.Role}).Label(); text != "" {
			players = append(players, dissect.Escape(text))
		}
	}
	if room := w - l.Width - 4; room > 8 {
		l.Put(v.c.Style().Pens.Dim, "   "+paint.Fit(strings.Join(players, v.c.Style().Glyph(" · ", ", ")), room))
	}
}

// verdictLine says what came of the game, and where it differs first.
func (v *View) verdictLine(l *paint.Line, a *stats.SyncReport, w int) {
	p, sign := v.c.Style().Pens.Dim, v.c.Style().Glyph("·", ".")
	switch _, compared, differ := a.Counts(); {
	case differ > 0:
		p, sign = v.c.Style().Pens.Bad, v.c.Style().Glyph("✗", "x")
	case compared > 0:
		p, sign = v.c.Style().Pens.Good, v.c.Style().Glyph("✓", "+")
	}
	l.Put(p, " "+sign+" "+widget.GroupNumbers(a.Verdict()))
	d := a.FirstDisagreement()
	if d == nil || w < 100 {
		return
	}
	l.Put(paint.Pen{}, "; first "+stats.TickTitle(d)+", "+v.when(d.Reports[1].Frame))
}

// when is a packet with its time since the capture began.
func (v *View) when(n dissect.FrameNum) string {
	return sinceText(v.c.Scope().Session.Store().Time(int(n)-1)-v.c.Scope().Epoch) + ", packet " + humanize.Group(int(n))
}

// ongoing is how near to the newest packet a stall ends that is not over.
const ongoing = int64(1e9)

// stallLine says who is or was waited for, since when and how long.
func (v *View) stallLine(l *paint.Line, r row, w int) {
	m := v.run[r.game]
	s, st := &m.Stalls[r.at], v.c.Style()
	since := sinceText(s.From - v.c.Scope().Epoch)
	text := "stall at " + since + ", " + widget.Span(s.To-s.From)
	if r.at == len(m.Stalls)-1 && !m.Game.Over && v.c.Scope().Arriving() && m.Last-s.To < ongoing {
		text = "stalls since " + since + ", " + widget.Span(s.To-s.From)
	}
	if len(s.For) > 0 {
		text += ", waiting for " + dissect.Escape(strings.Join(s.For, ", "))
	} else {
		text += ", nobody's input was missing"
	}
	right := "packet " + humanize.Group(int(s.Frame))
	if paint.Width(text) > w-5-paint.Width(right) {
		right = humanize.Group(int(s.Frame))
	}
	l.Put(st.Pens.Warn, "   "+paint.Fit(text, max(0, w-5-paint.Width(right))))
	l.Put(st.Pens.Dim, " "+right)
}

// subjectLine counts what was told of a subject.
func subjectLine(in view.Context, l *paint.Line, c *stats.Comparison, w int) {
	title, number := 18, 9
	if w < 100 {
		title, number = 15, 7
	}
	l.Put(paint.Pen{}, "   "+paint.Fit(stats.SubjectTitle(c.About, c.Of), title))
	for _, part := range [...]struct {
		n    uint64
		text string
	}{{c.Reported, " told"}, {c.Compared, " by two sides"}, {c.Compared - c.Differ, " agree"}} {
		if w < 72 && part.text == " by two sides" {
			continue // the sum of those that agree and those that differ
		}
		if c.Compared == 0 && part.n == 0 {
			l.Put(in.Style().Pens.Dim, "   by one side alone")
			break
		}
		l.Put(in.Style().Pens.Dim, paint.FitRight(humanize.Group(int(part.n)), number)+part.text)
	}
	if c.Differ > 0 {
		l.Put(in.Style().Pens.Bad, paint.FitRight(humanize.Group(int(c.Differ)), number)+" differ")
	}
}

// tickLine names a frame of which sides were told differently.
func (v *View) tickLine(l *paint.Line, a *stats.SyncReport, d *dissect.Disagreement, w int) {
	l.Put(v.c.Style().Pens.Bad, "   "+v.c.Style().Glyph("✗", "x")+" ")
	l.Put(paint.Pen{}, stats.TickTitle(d))
	if phase := a.Phase(d.Reports[1].Frame); phase != "" && w-l.Width > 20 {
		l.Put(v.c.Style().Pens.Dim, "   "+paint.Fit(dissect.Escape(phase), min(paint.Width(phase), max(0, w-l.Width-4))))
	}
}

// reportLine is one side's word: the value, who told whom, the packet.
func (v *View) reportLine(l *paint.Line, d *dissect.Disagreement, r row, w int) {
	said := d.Reports[r.report]
	from, to := stats.SenderReceiver(v.c.Scope().Session, said.Frame)
	p := paint.Pen{}
	if r.odd {
		p = v.c.Style().Pens.Bad
	}
	right := "packet " + humanize.Group(int(said.Frame))
	if w >= 100 {
		right = paint.FitRight(sinceText(v.c.Scope().Session.Store().Time(int(said.Frame)-1)-v.c.Scope().Epoch), 12) + "   " +
			paint.FitRight(right, 16)
	}
	l.Put(p, "       "+paint.Fit(dissect.Escape(said.Text(d.About)), widget.Clamp(w/4, 12, 26))+" ")
	room := max(0, w-l.Width-paint.Width(right)-2)
	l.Put(paint.Pen{},
		paint.Fit(v.c.Style().Plain(dissect.Escape(from)+v.c.Style().Glyph(" → ", " > ")+dissect.Escape(to)), room))
	l.Put(v.c.Style().Pens.Dim, " "+right)
}
