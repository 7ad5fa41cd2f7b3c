package follow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/transcript"
	"remora/ui/widget"
)

// Draw draws the conversation as messages, text or bytes.
func (v *View) Draw(w, h int) []string {
	v.lay(w)
	v.meetPlayers()
	v.goOn()
	v.countMatches()
	out := []string{v.head(w), ""}
	switch v.Reading {
	case transcript.Ladder:
		out[1] = v.ladderHead(w)
	case transcript.Messages:
		out[1] = v.c.Style().Pens.Dim.Open + v.messageHead(w) + v.c.Style().Pens.Dim.Close
	default:
		out[1] = v.c.Style().Pens.Dim.Open + strings.Repeat(v.c.Style().Glyph("─", "-"), w) + v.c.Style().Pens.Dim.Close
	}
	below := v.rawHeight(h)
	lines := v.table.Draw(w, h-2-below, len(v.Lines), func(i int, sel bool) string { return v.row(i, sel, w) })
	if _, done, _, _ := v.stream.State(); len(v.Lines) == 0 && done && len(lines) > 1 {
		lines[1] = v.c.Style().Pens.Dim.Open + paint.Fit("   "+v.nothing(), w) + v.c.Style().Pens.Dim.Close
	}
	out = append(out, lines...)
	return append(out, v.raw(w, below)...)
}

// nothing says why there is nothing to read.
func (v *View) nothing() string {
	switch {
	case v.Direction >= 0:
		return "nothing was sent this way; the other one, or both: h l"
	case v.stream.Decrypts():
		return "nothing could be decrypted: there are no keys for it; " + v.keyFlags() +
			"secrets within the capture bring them"
	case v.Reading.ShowsMessages():
		return "no messages"
	}
	return "no bytes were carried"
}

// keyFlags are the flags that name files with secrets.
func (v *View) keyFlags() (out string) {
	for _, k := range v.stream.Session().Registry().Keys() {
		out += "--" + k.Flag + " or "
	}
	return out
}

// head says what is followed and how.
func (v *View) head(w int) string {
	var l paint.Line
	l.Put(v.c.Style().Pens.Bold, " Follow ")
	right := [2]string{v.Reading.String(),
		[3]string{"both ways", "only " + v.c.Style().Glyph("→", ">"), "only " + v.c.Style().Glyph("←", "<")}[v.Direction+1]}
	down := v.c.Style().Glyph(" ▾", " v")
	rightWidth := paint.Width(right[0]) + paint.Width(right[1]) + 2*paint.Width(down) + 3
	room := max(10, w-l.Width-rightWidth-1)
	if g := v.stream.Game(); g != 0 {
		l.Put(v.c.Style().Pens.Accent, "game "+strconv.Itoa(int(g))+" ")
		title := paint.Fit(v.title, min(paint.Width(v.title), room-l.Width+8))
		l.Put(paint.Pen{}, title)
		for _, full := range [2]bool{true, false} {
			if text := "   " + v.gameEnds(full); paint.Width(text) <= room-l.Width+6 {
				l.Put(v.c.Style().Pens.Dim, text)
				break
			}
		}
	} else {
		l.Put(v.c.Style().Pens.Accent, strings.ToUpper(v.stream.Mode())+strings.Repeat(" ", min(1, len(v.stream.Mode()))))
		c := v.stream.Conversation()
		each := min(40, (room-l.Width+5)/2)
		l.Put(paint.Pen{},
			strings.TrimRight(v.c.Scope().EndCell(c.A, each), " ")+v.arrow()+
				strings.TrimRight(v.c.Scope().EndCell(c.B, each), " "))
	}
	l.Put(paint.Pen{}, strings.Repeat(" ", max(1, w-l.Width-rightWidth)))
	for k, word := range right {
		v.taps[k] = widget.Rect{X: l.Width, Y: 0, W: paint.Width(word + down), H: 1}
		l.Put(paint.Pen{}, word)
		l.Put(v.c.Style().Pens.Dim, down+strings.Repeat(" ", 2-k))
	}
	return paint.Clip(l.End(w), w)
}

// arrow stands between both ends: who speaks.
func (v *View) arrow() string {
	return [3]string{v.c.Style().Glyph(" ⇄ ", " <> "), v.c.Style().Glyph(" → ", " > "),
		v.c.Style().Glyph(" ← ", " < ")}[v.Direction+1]
}

// gameEnds are the ends of a game: the one that talks to everybody in the middle of two, else in front of the others.
// In full they have their addresses.
func (v *View) gameEnds(full bool) string {
	called := func(e dissect.Endpoint) string {
		if name := v.endName(e, ""); name != "" && full {
			return name + " " + v.c.Scope().Address(e, dissect.FrameNum(v.c.Scope().Session.Passed()))
		} else if name != "" {
			return name
		}
		return e.String()
	}
	convs := v.stream.Conversations()
	seen, order := map[dissect.Endpoint]int{}, []dissect.Endpoint(nil)
	for _, c := range convs {
		for _, e := range [2]dissect.Endpoint{v.oneEnd(c.A), v.oneEnd(c.B)} {
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
	switch arrow := v.arrow(); {
	case len(order) == 2:
		return names[0] + arrow + names[1]
	case len(names) == 2:
		return names[0] + arrow + middle + arrow + names[1]
	default:
		return middle + arrow + strings.Join(names, ", ")
	}
}

// directionPen is the colour of who speaks.
func (v *View) directionPen(dir int) paint.Pen {
	if dir == 1 {
		return v.c.Style().Pens.Hues[dissect.HueMagenta]
	}
	return v.c.Style().Pens.Hues[dissect.HueBlue]
}

func (v *View) row(i int, selected bool, w int) string {
	line := v.Lines[i]
	u := v.stream.Unit(line.Unit)
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	p := v.directionPen(u.Dir)
	switch v.Reading {
	case transcript.Messages:
		if line.Folded() {
			v.run(&l, u, line, w)
		} else {
			v.message(&l, u, i, p, w)
		}
	case transcript.Ladder:
		v.rung(&l, u, line, p, w)
	default:
		arrow := v.c.Style().Glyph(" → ", " > ")
		if u.Dir == 1 {
			arrow = v.c.Style().Glyph(" ← ", " < ")
		}
		if line.At > 0 {
			arrow = "   "
		}
		l.Put(p, arrow)
		if u.Missing > 0 && line.At == 0 {
			l.Put(v.c.Style().Pens.Bad, fmt.Sprintf("[%s bytes were not captured] ", humanize.Group(u.Missing)))
		}
		l.Put(p, paint.Fit(v.lineText(i), max(0, w-l.Width)))
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

func (v *View) messageHead(w int) string {
	time, since, who, kind := messageColumns(w)
	head := paint.FitRight("time s", time) + " " + paint.FitRight(v.c.Style().Glyph("Δ ms", "delta ms"), since) + "  " +
		paint.Fit("direction", who) + " " + paint.Fit("type", kind) + " info"
	if v.countsCopies(w) {
		return paint.Fit(head, w-8) + " copies "
	}
	return paint.Fit(head, w)
}

// countsCopies tells whether there is a column for the copies that packets hold.
func (v *View) countsCopies(w int) bool {
	return v.Reading == transcript.Messages && v.Sums.Copies > 0 && !v.Copies && w >= 100
}

// run draws a line that stands for many packets: how many of which types, which they are, how long they took.
func (v *View) run(l *paint.Line, u follow.Unit, line transcript.Line, w int) {
	time, _, _, _ := messageColumns(w)
	last := v.stream.Unit(line.Last)
	right := "packets " + humanize.Group(int(u.Frame)) + v.c.Style().
		Glyph("–", "-") + humanize.Group(int(last.Frame)) + ", " + widget.Span(last.Time-u.Time)
	if l.Base.Open != "" && w >= 100 {
		right = "Enter unfolds   " + right
	}
	right += "  "
	l.Put(v.c.Style().Pens.Dim, strings.Repeat(" ", max(2, time-5))+v.c.Style().Glyph("⋯ ", "... "))
	text := runText(v.Run(line))
	l.Put(v.c.Style().Pens.Dim, paint.Fit(text, min(paint.Width(text), max(0, w-l.Width-1))))
	if room := w - l.Width - paint.Width(right); room >= 2 {
		l.Put(v.c.Style().Pens.Dim, strings.Repeat(" ", room)+right)
	}
	l.Put(v.c.Style().Pens.Dim, strings.Repeat(" ", max(0, w-l.Width)))
}

// runText counts the packets of a run by their types.
func runText(r transcript.Run) string {
	var parts []string
	for _, k := range r.Kinds {
		parts = append(parts, humanize.Group(k.N)+" "+dissect.Escape(k.Name))
	}
	text := strings.Join(parts, ", ")
	if r.Runs > 1 {
		text += " in " + humanize.Group(r.Runs) + " runs"
	}
	return text
}

// message draws one message.
func (v *View) message(l *paint.Line, u follow.Unit, i int, p paint.Pen, w int) {
	wTime, wSince, who, wKind := messageColumns(w)
	line, since := v.Lines[i], ""
	if i > 0 && v.Lines[i-1].End() != line.Unit {
		since = "+" + widget.Milliseconds(u.Time-v.stream.Unit(v.Lines[i-1].End()).Time)
	}
	when := paint.FitRight(fmt.Sprintf("%.3f", float64(u.Time-v.c.Scope().Epoch)/1e9), wTime)
	if i > 0 && v.Lines[i-1].Unit == line.Unit {
		when = strings.Repeat(" ", wTime) // the same packet
	}
	l.Put(v.c.Style().Pens.Dim, when+" "+paint.FitRight(since, wSince)+" ")
	sign, worst := v.remark(u.Frame)
	l.Put(worst, sign)
	say := transcript.Said(&u, line)
	kind, text := p, paint.Pen{}
	if say.Repeat || transcript.Bare(&u) {
		p, kind, text = v.c.Style().Pens.Dim, v.c.Style().Pens.Dim, v.c.Style().Pens.Dim
	}
	if u.Dir == 0 {
		l.Put(p, paint.Fit(v.speaker(&u, 0, who-2)+v.c.Style().Glyph(" →", " >"), who)+" ")
	} else {
		l.Put(p, paint.Fit(v.c.Style().Glyph("← ", "< ")+v.speaker(&u, 1, who-2), who)+" ")
	}
	l.Put(kind, paint.FitWords(dissect.Escape(say.Kind), wKind)+" ")
	right := v.aside(&u, line, w)
	room := max(0, w-l.Width)
	if paint.Width(right)+16 > room {
		right = ""
	}
	times := ""
	if line.Times > 1 {
		times = v.c.Style().Glyph("  × ", "  x ") + strconv.Itoa(line.Times)
	}
	l.Put(text, ansi.Truncate(say.Text, max(0, room-paint.Width(right)-paint.Width(times)-1), "…"))
	l.Put(v.c.Style().Pens.Accent, times)
	if right != "" {
		l.Put(v.c.Style().Pens.Dim, strings.Repeat(" ", max(0, w-l.Width-paint.Width(right))))
		l.Put(v.c.Style().Pens.Dim, right)
	}
}

// aside is what stands at the right of a message: the packet that one came from, and how many copies of earlier
// messages lie in the same packet.
func (v *View) aside(u *follow.Unit, line transcript.Line, w int) (text string) {
	if u.Frame == v.Here {
		text = v.c.Style().Glyph("  ◂ here", "  < here")
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
func (v *View) remark(n dissect.FrameNum) (string, paint.Pen) {
	if int(n) > v.c.Scope().Session.Passed() {
		return " ", paint.Pen{}
	}
	switch v.c.Scope().Session.SeverityOf(n) {
	case dissect.Error:
		return v.c.Style().Glyph("✗", "x"), v.c.Style().Pens.Bad
	case dissect.Warn:
		return "!", v.c.Style().Pens.Warn
	}
	return " ", paint.Pen{}
}

// meetPlayers looks up what the players of a game are called.
func (v *View) meetPlayers() {
	if v.stream.Game() == 0 {
		return
	}
	for _, g := range v.c.Scope().Session.Games() {
		if g.ID != v.stream.Game() {
			continue
		}
		v.players = map[dissect.Endpoint]dissect.End{}
		for _, p := range g.Players {
			v.players[p.Endpoint] = dissect.End{Role: p.Role, Name: p.Name}
		}
	}
}

// endOf is what protocols call an end: what it was in the game, else what it was last.
func (v *View) endOf(e dissect.Endpoint) dissect.End {
	last := v.c.Scope().End(e, dissect.FrameNum(v.c.Scope().Session.Passed()))
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
func (v *View) speaker(u *follow.Unit, dir, w int) string {
	c := v.c.Scope().Session.Conversation(u.Conv)
	e := c.A
	if dir == 1 {
		e = c.B
	}
	if end := v.endOf(e); paint.Width(end.Label()) > w && end.Role != "" && v.plainRole(e, end.Role) {
		return dissect.Escape(end.Role)
	}
	other := string(rune('A' + dir))
	if v.stream.Game() != 0 {
		other = e.String() // there may be more ends than two
	}
	return v.endName(e, other)
}

// plainRole tells whether a role is of one end alone in what is followed, so that it says who it is.
func (v *View) plainRole(e dissect.Endpoint, role string) bool {
	for _, o := range v.Rails.Ends {
		if o != e && v.endOf(o).Role == role {
			return false
		}
	}
	return true
}

// endName is what protocols call an end, or else what it is called here.
func (v *View) endName(e dissect.Endpoint, other string) string {
	if label := v.endOf(e).Label(); label != "" {
		return dissect.Escape(label)
	}
	return other
}
