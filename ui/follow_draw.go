package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/amount"
	"remora/ui/dialogue"
	"remora/ui/paint"
)

func (v *followView) draw(m *model, r rect) []string {
	v.lay(r.w)
	v.meetPlayers(m)
	v.goOn(m)
	v.countMatches(m)
	out := []string{v.head(m, r), ""}
	switch v.Reading {
	case dialogue.Ladder:
		out[1] = v.ladderHead(m, r.w)
	case dialogue.Messages:
		out[1] = m.pens.Dim.Open + v.messageHead(m, r.w) + m.pens.Dim.Close
	default:
		out[1] = m.pens.Dim.Open + strings.Repeat(m.glyph("─", "-"), r.w) + m.pens.Dim.Close
	}
	below := v.rawHeight(r.h)
	lines := v.table.draw(rect{r.x, r.y + 2, r.w, r.h - 2 - below}, len(v.Lines), func(i int, sel bool) string { return v.row(m, i, sel, r.w) })
	if _, done, _, _ := v.talk.State(); len(v.Lines) == 0 && done && len(lines) > 1 {
		lines[1] = m.pens.Dim.Open + paint.Fit("   "+v.nothing(), r.w) + m.pens.Dim.Close
	}
	out = append(out, lines...)
	return append(out, v.raw(m, r.w, below)...)
}

// nothing says why there is nothing to read.
func (v *followView) nothing() string {
	switch {
	case v.Way >= 0:
		return "nothing was said this way; the other one, or both: h l"
	case v.talk.What() == follow.TLS, v.talk.What() == follow.QUIC:
		return "nothing could be decrypted: there are no keys for it; --keylog, or secrets within the capture, bring them"
	case v.Reading.Said():
		return "no messages"
	}
	return "no bytes were carried"
}

// head says what is followed and how.
func (v *followView) head(m *model, r rect) string {
	var l paint.Line
	l.Put(m.pens.Bold, " Follow ")
	right := [2]string{v.Reading.String(), [3]string{"both ways", "only " + m.glyph("→", ">"), "only " + m.glyph("←", "<")}[v.Way+1]}
	down := m.glyph(" ▾", " v")
	rightWidth := paint.Width(right[0]) + paint.Width(right[1]) + 2*paint.Width(down) + 3
	room := max(10, r.w-l.Width-rightWidth-1)
	if g := v.talk.Game(); g != 0 {
		l.Put(m.pens.Accent, "game "+strconv.Itoa(int(g))+" ")
		title := paint.Fit(v.title, min(paint.Width(v.title), room-l.Width+8))
		l.Put(paint.Pen{}, title)
		for _, full := range [2]bool{true, false} {
			if text := "   " + v.gameEnds(m, full); paint.Width(text) <= room-l.Width+6 {
				l.Put(m.pens.Dim, text)
				break
			}
		}
	} else {
		l.Put(m.pens.Accent, strings.ToUpper(v.talk.What())+strings.Repeat(" ", min(1, len(v.talk.What()))))
		c := v.talk.Conversation()
		each := min(40, (room-l.Width+5)/2)
		l.Put(paint.Pen{}, strings.TrimRight(m.endCell(c.A, each), " ")+v.arrow(m)+strings.TrimRight(m.endCell(c.B, each), " "))
	}
	l.Put(paint.Pen{}, strings.Repeat(" ", max(1, r.w-l.Width-rightWidth)))
	for k, word := range right {
		v.taps[k] = rect{r.x + l.Width, r.y, paint.Width(word + down), 1}
		l.Put(paint.Pen{}, word)
		l.Put(m.pens.Dim, down+strings.Repeat(" ", 2-k))
	}
	return paint.Clip(l.End(r.w), r.w)
}

// arrow stands between both ends: who speaks.
func (v *followView) arrow(m *model) string {
	return [3]string{m.glyph(" ⇄ ", " <> "), m.glyph(" → ", " > "), m.glyph(" ← ", " < ")}[v.Way+1]
}

// gameEnds are the ends of a game: the one that talks to everybody in the middle of two, else in front of the others. In full
// they have their addresses.
func (v *followView) gameEnds(m *model, full bool) string {
	called := func(e dissect.Endpoint) string {
		if name := v.endName(m, e, ""); name != "" && full {
			return name + " " + m.address(e, dissect.FrameNum(m.s.Passed()))
		} else if name != "" {
			return name
		}
		return e.String()
	}
	convs := v.talk.Conversations()
	seen, order := map[dissect.Endpoint]int{}, []dissect.Endpoint(nil)
	for _, c := range convs {
		for _, e := range [2]dissect.Endpoint{v.oneEnd(m, c.A), v.oneEnd(m, c.B)} {
			if seen[e]++; seen[e] == 1 {
				order = append(order, e)
			}
		}
	}
	hub := slices.MaxFunc(order, func(a, b dissect.Endpoint) int { return seen[a] - seen[b] })
	var names []string
	for _, e := range order {
		if e != hub || len(order) == 2 {
			names = append(names, called(e))
		}
	}
	middle := called(hub)
	switch arrow := v.arrow(m); {
	case len(order) == 2:
		return names[0] + arrow + names[1]
	case len(names) == 2:
		return names[0] + arrow + middle + arrow + names[1]
	default:
		return middle + arrow + strings.Join(names, ", ")
	}
}

// wayPen is the colour of who speaks.
func (v *followView) wayPen(m *model, dir int) paint.Pen {
	if dir == 1 {
		return m.pens.Hues[dissect.HueMagenta]
	}
	return m.pens.Hues[dissect.HueBlue]
}

func (v *followView) row(m *model, i int, selected bool, w int) string {
	line := v.Lines[i]
	u := v.talk.Unit(line.Unit)
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	p := v.wayPen(m, u.Dir)
	switch v.Reading {
	case dialogue.Messages:
		if line.Folded() {
			v.run(m, &l, u, line, w)
		} else {
			v.message(m, &l, u, i, p, w)
		}
	case dialogue.Ladder:
		v.rung(m, &l, u, line, p, w)
	default:
		arrow := m.glyph(" → ", " > ")
		if u.Dir == 1 {
			arrow = m.glyph(" ← ", " < ")
		}
		if line.At > 0 {
			arrow = "   "
		}
		l.Put(p, arrow)
		if u.Missing > 0 && line.At == 0 {
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
		return 8, 7, 10, 13
	case w < 100:
		return 8, 8, 12, 15
	case w < 160:
		return 11, 10, 16, 20
	}
	return 11, 10, 24, 24
}

func (v *followView) messageHead(m *model, w int) string {
	time, since, who, kind := messageColumns(w)
	head := paint.FitRight("time s", time) + " " + paint.FitRight(m.glyph("Δ ms", "delta ms"), since) + "  " + paint.Fit("who", who) + " " + paint.Fit("type", kind) + " what it says"
	if v.countsCopies(w) {
		return paint.Fit(head, w-8) + " copies "
	}
	return paint.Fit(head, w)
}

// countsCopies tells whether there is a column for the copies that packets hold.
func (v *followView) countsCopies(w int) bool {
	return v.Reading == dialogue.Messages && v.Sums.Copies > 0 && !v.Copies && w >= 100
}

// run draws a line that stands for many packets: how many of which types, which they are, how long they took.
func (v *followView) run(m *model, l *paint.Line, u follow.Unit, line dialogue.Line, w int) {
	time, _, _, _ := messageColumns(w)
	last := v.talk.Unit(line.Last)
	right := "packets " + amount.Group(int(u.Frame)) + m.glyph("–", "-") + amount.Group(int(last.Frame)) + ", " + spanText(last.Time-u.Time)
	if l.Base.Open != "" && w >= 100 {
		right = "Enter unfolds   " + right
	}
	right += "  "
	l.Put(m.pens.Dim, strings.Repeat(" ", max(2, time-5))+m.glyph("⋯ ", "... "))
	text := runText(v.Run(line))
	l.Put(m.pens.Dim, paint.Fit(text, min(paint.Width(text), max(0, w-l.Width-1))))
	if room := w - l.Width - paint.Width(right); room >= 2 {
		l.Put(m.pens.Dim, strings.Repeat(" ", room)+right)
	}
	l.Put(m.pens.Dim, strings.Repeat(" ", max(0, w-l.Width)))
}

// runText counts the packets of a run by their types.
func runText(r dialogue.Run) string {
	var parts []string
	for _, k := range r.Kinds {
		parts = append(parts, amount.Group(k.N)+" "+dissect.Escape(k.Name))
	}
	text := strings.Join(parts, ", ")
	if r.Runs > 1 {
		text += " in " + amount.Group(r.Runs) + " runs"
	}
	return text
}

// spanText is a time that is no moment.
func spanText(ns int64) string {
	if ns < 1e9 {
		return milliseconds(ns) + " ms"
	}
	return strconv.FormatFloat(float64(ns)/1e9, 'f', 1, 64) + " s"
}

// message draws one message.
func (v *followView) message(m *model, l *paint.Line, u follow.Unit, i int, p paint.Pen, w int) {
	wTime, wSince, who, wKind := messageColumns(w)
	line, since := v.Lines[i], ""
	if i > 0 && v.Lines[i-1].End() != line.Unit {
		since = "+" + milliseconds(u.Time-v.talk.Unit(v.Lines[i-1].End()).Time)
	}
	when := paint.FitRight(fmt.Sprintf("%.3f", float64(u.Time-m.epoch())/1e9), wTime)
	if i > 0 && v.Lines[i-1].Unit == line.Unit {
		when = strings.Repeat(" ", wTime) // the same packet
	}
	l.Put(m.pens.Dim, when+" "+paint.FitRight(since, wSince)+" ")
	sign, worst := v.remark(m, u.Frame)
	l.Put(worst, sign)
	say := dialogue.Said(&u, line)
	kind, text := p, paint.Pen{}
	if say.Repeat || dialogue.Bare(&u) {
		p, kind, text = m.pens.Dim, m.pens.Dim, m.pens.Dim
	}
	if u.Dir == 0 {
		l.Put(p, paint.Fit(v.speaker(m, &u, 0, who-2)+m.glyph(" →", " >"), who)+" ")
	} else {
		l.Put(p, paint.Fit(m.glyph("← ", "< ")+v.speaker(m, &u, 1, who-2), who)+" ")
	}
	l.Put(kind, paint.FitMiddle(dissect.Escape(say.Kind), wKind)+" ")
	right := v.aside(m, &u, line, w)
	room := max(0, w-l.Width)
	if paint.Width(right)+16 > room {
		right = ""
	}
	times := ""
	if line.Times > 1 {
		times = m.glyph("  × ", "  x ") + strconv.Itoa(line.Times)
	}
	l.Put(text, ansi.Truncate(say.Text, max(0, room-paint.Width(right)-paint.Width(times)-1), "…"))
	l.Put(m.pens.Accent, times)
	if right != "" {
		l.Put(m.pens.Dim, strings.Repeat(" ", max(0, w-l.Width-paint.Width(right))))
		l.Put(m.pens.Dim, right)
	}
}

// aside is what stands at the right of a message: the packet that one came from, and how many copies of earlier messages lie
// in the same packet.
func (v *followView) aside(m *model, u *follow.Unit, line dialogue.Line, w int) (text string) {
	if u.Frame == v.Here {
		text = m.glyph("  ◂ here", "  < here")
	}
	if !v.countsCopies(w) {
		return text + strings.Repeat(" ", min(1, len(text)))
	}
	if line.Again == 0 {
		return text + strings.Repeat(" ", 8*min(1, len(text)))
	}
	return text + paint.FitRight("+"+strconv.Itoa(line.Again), 7) + " "
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

// meetPlayers looks up what the players of a game are called.
func (v *followView) meetPlayers(m *model) {
	if v.talk.Game() == 0 {
		return
	}
	for _, g := range m.s.Games() {
		if g.ID != v.talk.Game() {
			continue
		}
		v.players = map[dissect.Endpoint]dissect.End{}
		for _, p := range g.Players {
			v.players[p.Endpoint] = dissect.End{Role: p.Role, Name: p.Name}
		}
	}
}

// endOf is what protocols call an end: what it was in the game, else what it was last.
func (v *followView) endOf(m *model, e dissect.Endpoint) dissect.End {
	last := m.end(e, dissect.FrameNum(m.s.Passed()))
	p, ok := v.players[e]
	if !ok || last.Label() == "" { // none are to be shown
		return last
	}
	if p.Role == "" {
		p.Role = last.Role
	}
	if p.Name == "" {
		p.Name = last.Name
	}
	return p
}

// speaker is what an end is called where there is little room: its role and name, or its role.
func (v *followView) speaker(m *model, u *follow.Unit, way, w int) string {
	c := m.s.Conversation(u.Conv)
	e := c.A
	if way == 1 {
		e = c.B
	}
	if end := v.endOf(m, e); paint.Width(end.Label()) > w && end.Role != "" && v.plainRole(m, e, end.Role) {
		return dissect.Escape(end.Role)
	}
	other := string(rune('A' + way))
	if v.talk.Game() != 0 {
		other = e.String() // there may be more ends than two
	}
	return v.endName(m, e, other)
}

// plainRole tells whether a role is of one end alone in what is followed, so that it says who it is.
func (v *followView) plainRole(m *model, e dissect.Endpoint, role string) bool {
	for _, o := range v.Rails.Ends {
		if o != e && v.endOf(m, o).Role == role {
			return false
		}
	}
	return true
}

// endName is what protocols call an end, or else what it is called here.
func (v *followView) endName(m *model, e dissect.Endpoint, other string) string {
	if label := v.endOf(m, e).Label(); label != "" {
		return dissect.Escape(label)
	}
	return other
}
