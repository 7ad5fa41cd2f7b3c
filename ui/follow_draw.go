package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/dissect/follow"
)

func (v *followView) draw(m *model, r rect) []string {
	v.lay(r.w)
	v.goOn(m)
	v.countMatches(m)
	c := v.talk.Conversation()
	var head line
	arrow := m.glyph(" ⇄ ", " <> ")
	if v.way == 0 {
		arrow = m.glyph(" → ", " > ")
	} else if v.way == 1 {
		arrow = m.glyph(" ← ", " < ")
	}
	head.put(m.pens.bold, " Follow ")
	if g := v.talk.Game(); g != 0 {
		head.put(m.pens.accent, "game "+itoa(int(g))+" ")
		head.put(pen{}, v.title)
	} else {
		head.put(m.pens.accent, strings.ToUpper(v.talk.What())+strings.Repeat(" ", min(1, len(v.talk.What()))))
		head.put(pen{}, strings.TrimRight(m.endCell(c.A, 40), " ")+arrow+strings.TrimRight(m.endCell(c.B, 40), " "))
	}
	right := readingNames[v.reading] + "  " + [3]string{"both ways", "only " + m.glyph("→", ">"), "only " + m.glyph("←", "<")}[v.way+1] + " "
	if room := r.w - head.width - width(right); room > 0 {
		head.put(pen{}, strings.Repeat(" ", room))
		head.put(m.pens.dim, right)
	}
	out := []string{fitLine(head.end(r.w), r.w), m.pens.dim.open + strings.Repeat(m.glyph("─", "-"), r.w) + m.pens.dim.close}
	if v.reading == readLadder {
		out[1] = v.ladderHead(m, r.w)
	}
	below := v.rawHeight(r.h)
	out = append(out, v.table.draw(rect{r.x, r.y + 2, r.w, r.h - 2 - below}, len(v.lines), func(i int, sel bool) string { return v.row(m, i, sel, r.w) })...)
	return append(out, v.raw(m, r.w, below)...)
}

// wayPen is the colour of who speaks.
func (v *followView) wayPen(m *model, dir int) pen {
	if dir == 1 {
		return m.pens.hues[dissect.HueMagenta]
	}
	return m.pens.hues[dissect.HueBlue]
}

func (v *followView) row(m *model, i int, selected bool, w int) string {
	u := v.talk.Unit(v.lines[i])
	var l line
	if selected {
		l.base = m.pens.selected
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
		l.put(p, arrow)
		if u.Missing > 0 && v.first[i] == 0 {
			l.put(m.pens.bad, fmt.Sprintf("[%s bytes were not captured] ", group(u.Missing)))
		}
		l.put(p, fit(v.lineText(m, i), max(0, w-l.width)))
	}
	return fitLine(l.end(w), w)
}

// message draws one message, or a run of one type.
func (v *followView) message(m *model, l *line, u follow.Unit, i int, p pen, w int) {
	if last := v.first[i]; last > v.lines[i] {
		l.put(m.pens.dim, fit("      "+m.glyph("⋯ ", "... ")+group(last-v.lines[i]+1)+" "+dissect.Escape(u.Kind)+", packets "+group(int(u.Frame))+" to "+group(int(v.talk.Unit(last).Frame)), w))
		return
	}
	since := ""
	if i > 0 {
		since = "+" + milliseconds(u.Time-v.talk.Unit(max(v.lines[i-1], v.first[i-1])).Time)
	}
	l.put(m.pens.dim, fitRight(fmt.Sprintf("%.3f", float64(u.Time-m.epoch())/1e9), 11)+" "+fitRight(since, 10)+" ")
	sign, worst := v.remark(m, u.Frame)
	l.put(worst, sign)
	if u.Dir == 0 {
		l.put(p, fit(v.speaker(m, &u, 0)+m.glyph(" →", " >"), 14)+" ")
	} else {
		l.put(p, fit(m.glyph("← ", "< ")+v.speaker(m, &u, 1), 14)+" ")
	}
	say := v.said(u, i)
	kind, text := p, pen{}
	if say.Repeat {
		kind, text = m.pens.dim, m.pens.dim
	}
	l.put(kind, fit(dissect.Escape(say.Kind), 20)+" ")
	l.put(text, ansi.Truncate(say.Text, max(0, w-l.width), "…"))
}

// said is the message on a line.
func (v *followView) said(u follow.Unit, i int) follow.Part {
	if k := v.part[i]; k < len(u.Parts) {
		return u.Parts[k]
	}
	return follow.Part{Kind: u.Kind, Text: u.Info, Repeat: u.Repeat}
}

// remark is the sign of a packet with a warning or an error.
func (v *followView) remark(m *model, n dissect.FrameNum) (string, pen) {
	if int(n) > m.s.Passed() {
		return " ", pen{}
	}
	switch m.s.SeverityOf(n) {
	case dissect.Error:
		return m.glyph("✗", "x"), m.pens.bad
	case dissect.Warn:
		return "!", m.pens.warn
	}
	return " ", pen{}
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
