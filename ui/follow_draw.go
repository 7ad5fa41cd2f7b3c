package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/amount"
	"remora/ui/paint"
)

func (v *followView) draw(m *model, r rect) []string {
	v.lay(r.w)
	v.goOn(m)
	v.countMatches(m)
	c := v.talk.Conversation()
	var head paint.Line
	arrow := m.glyph(" ⇄ ", " <> ")
	if v.way == 0 {
		arrow = m.glyph(" → ", " > ")
	} else if v.way == 1 {
		arrow = m.glyph(" ← ", " < ")
	}
	head.Put(m.pens.Bold, " Follow ")
	if g := v.talk.Game(); g != 0 {
		head.Put(m.pens.Accent, "game "+strconv.Itoa(int(g))+" ")
		head.Put(paint.Pen{}, v.title)
	} else {
		head.Put(m.pens.Accent, strings.ToUpper(v.talk.What())+strings.Repeat(" ", min(1, len(v.talk.What()))))
		head.Put(paint.Pen{}, strings.TrimRight(m.endCell(c.A, 40), " ")+arrow+strings.TrimRight(m.endCell(c.B, 40), " "))
	}
	right := readingNames[v.reading] + "  " + [3]string{"both ways", "only " + m.glyph("→", ">"), "only " + m.glyph("←", "<")}[v.way+1] + " "
	if room := r.w - head.Width - paint.Width(right); room > 0 {
		head.Put(paint.Pen{}, strings.Repeat(" ", room))
		head.Put(m.pens.Dim, right)
	}
	out := []string{paint.Clip(head.End(r.w), r.w), m.pens.Dim.Open + strings.Repeat(m.glyph("─", "-"), r.w) + m.pens.Dim.Close}
	switch v.reading {
	case readLadder:
		out[1] = v.ladderHead(m, r.w)
	case readMessages:
		out[1] = m.pens.Dim.Open + messageHead(m, r.w) + m.pens.Dim.Close
	}
	below := v.rawHeight(r.h)
	out = append(out, v.table.draw(rect{r.x, r.y + 2, r.w, r.h - 2 - below}, len(v.lines), func(i int, sel bool) string { return v.row(m, i, sel, r.w) })...)
	return append(out, v.raw(m, r.w, below)...)
}

// wayPen is the colour of who speaks.
func (v *followView) wayPen(m *model, dir int) paint.Pen {
	if dir == 1 {
		return m.pens.Hues[dissect.HueMagenta]
	}
	return m.pens.Hues[dissect.HueBlue]
}

func (v *followView) row(m *model, i int, selected bool, w int) string {
	u := v.talk.Unit(v.lines[i])
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	p := v.wayPen(m, u.Dir)
	switch v.reading {
	case readMessages:
		v.message(m, &l, u, i, p, w)
	case readLadder:
		v.rung(m, &l, u, i, p, w)
	default:
		arrow := m.glyph(" → ", " > ")
		if u.Dir == 1 {
			arrow = m.glyph(" ← ", " < ")
		}
		if v.first[i] > 0 {
			arrow = "   "
		}
		l.Put(p, arrow)
		if u.Missing > 0 && v.first[i] == 0 {
			l.Put(m.pens.Bad, fmt.Sprintf("[%s bytes were not captured] ", amount.Group(u.Missing)))
		}
		l.Put(p, paint.Fit(v.lineText(m, i), max(0, w-l.Width)))
	}
	return paint.Clip(l.End(w), w)
}

// messageColumns are the widths of the time, of what passed since the line above, of who speaks and of the type.
func messageColumns(w int) (time, since, who, kind int) {
	switch {
	case w < 72:
		return 9, 9, 10, 13
	case w < 100:
		return 9, 9, 12, 15
	}
	return 11, 10, 14, 20
}

func messageHead(m *model, w int) string {
	time, since, who, kind := messageColumns(w)
	return paint.Fit(paint.FitRight("time s", time)+" "+paint.FitRight(m.glyph("Δ ms", "delta ms"), since)+"  "+paint.Fit("who", who)+" "+paint.Fit("type", kind)+" what it says", w)
}

// message draws one message, or a run of one type.
func (v *followView) message(m *model, l *paint.Line, u follow.Unit, i int, p paint.Pen, w int) {
	if last := v.first[i]; last > v.lines[i] {
		l.Put(m.pens.Dim, paint.Fit("      "+m.glyph("⋯ ", "... ")+amount.Group(last-v.lines[i]+1)+" "+dissect.Escape(u.Kind)+", packets "+amount.Group(int(u.Frame))+" to "+amount.Group(int(v.talk.Unit(last).Frame)), w))
		return
	}
	wTime, wSince, who, wKind := messageColumns(w)
	since := ""
	if i > 0 {
		since = "+" + milliseconds(u.Time-v.talk.Unit(max(v.lines[i-1], v.first[i-1])).Time)
	}
	l.Put(m.pens.Dim, paint.FitRight(fmt.Sprintf("%.3f", float64(u.Time-m.epoch())/1e9), wTime)+" "+paint.FitRight(since, wSince)+" ")
	sign, worst := v.remark(m, u.Frame)
	l.Put(worst, sign)
	if u.Dir == 0 {
		l.Put(p, paint.Fit(v.speaker(m, &u, 0)+m.glyph(" →", " >"), who)+" ")
	} else {
		l.Put(p, paint.Fit(m.glyph("← ", "< ")+v.speaker(m, &u, 1), who)+" ")
	}
	say := v.said(u, i)
	kind, text := p, paint.Pen{}
	if say.Repeat {
		kind, text = m.pens.Dim, m.pens.Dim
	}
	l.Put(kind, paint.FitMiddle(dissect.Escape(say.Kind), wKind)+" ")
	l.Put(text, ansi.Truncate(say.Text, max(0, w-l.Width), "…"))
}

// said is the message on a line.
func (v *followView) said(u follow.Unit, i int) follow.Part {
	if k := v.part[i]; k < len(u.Parts) {
		return u.Parts[k]
	}
	return follow.Part{Kind: u.Kind, Text: u.Info, Repeat: u.Repeat}
}

// remark is the sign of a packet with a warning or an error.
func (v *followView) remark(m *model, n dissect.FrameNum) (string, paint.Pen) {
	if int(n) > m.s.Passed() {
		return " ", paint.Pen{}
	}
	switch m.s.SeverityOf(n) {
	case dissect.Error:
		return m.glyph("✗", "x"), m.pens.Bad
	case dissect.Warn:
		return "!", m.pens.Warn
	}
	return " ", paint.Pen{}
}

// speaker is what an end is called where there is little room.
func (v *followView) speaker(m *model, u *follow.Unit, way int) string {
	c := m.s.Conversation(u.Conv)
	e := c.A
	if way == 1 {
		e = c.B
	}
	if end := m.end(e, dissect.FrameNum(m.s.Passed())); end.Label() != "" {
		return dissect.Escape(end.Label())
	}
	if v.talk.Game() != 0 {
		return e.String() // there may be more ends than two
	}
	return string(rune('A' + way))
}
