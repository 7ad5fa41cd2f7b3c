package ui

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
)

// The ways a conversation can be read.
const (
	readMessages = iota
	readText
	readHex
	readings
)

var readingNames = [readings]string{"messages", "text", "bytes"}

// followView reads one conversation: who says what, in order. Closing it leaves no filter behind.
type followView struct {
	talk    *follow.Talk
	cancel  context.CancelFunc
	reading int
	way     int // -1 both, else one direction
	table   table

	laid  int   // units laid out so far
	lines []int // of each line: its unit
	first []int // of each line: its first byte, or the fold's last unit
	find  string
}

// foldFrom is how many messages of one type in a row are folded into a line.
const foldFrom = 12

// followTalk opens the conversation with an ID; 0 has none.
func (m *model) followTalk(id uint32) {
	if id == 0 {
		m.notice = "this packet belongs to no conversation"
		return
	}
	ctx, cancel := context.WithCancel(m.ctx)
	v := &followView{talk: follow.New(m.s, id), cancel: cancel, way: -1}
	if m.s.Conversation(id).Transport == dissect.TableTCP {
		v.reading = readText
	}
	go func() {
		defer m.guard("following")
		v.talk.Collect(ctx)
	}()
	m.openOver(v)
}

// lay breaks units into lines, as far as they have come.
func (v *followView) lay(w int) {
	for n := v.talk.Len(); v.laid < n; {
		u := v.talk.Unit(v.laid)
		if v.way >= 0 && u.Dir != v.way {
			v.laid++
			continue
		}
		switch v.reading {
		case readMessages:
			v.layMessage(u, n)
			continue
		case readText:
			v.layText(u, max(20, w-12))
		default:
			for at := 0; at < len(u.Data); at += 16 {
				v.put(v.laid, at)
			}
		}
		if u.Missing > 0 && len(u.Data) == 0 {
			v.put(v.laid, 0)
		}
		v.laid++
	}
}

func (v *followView) put(unit, first int) {
	v.lines, v.first = append(v.lines, unit), append(v.first, first)
}

// layMessage puts a message on a line, or a long run of one type: the line's first is then the run's last unit.
func (v *followView) layMessage(u follow.Unit, n int) {
	end := v.laid
	for u.Kind != "" && end+1 < n {
		if next := v.talk.Unit(end + 1); next.Kind != u.Kind {
			break
		}
		end++
	}
	if end-v.laid+1 < foldFrom || v.find != "" {
		v.put(v.laid, v.laid)
		v.laid++
		return
	}
	if k := len(v.lines); k > 0 && end == n-1 && v.first[k-1] >= v.laid { // the run goes on
		v.first[k-1] = end
	} else {
		v.put(v.laid, end)
	}
	v.laid = end + 1
}

func (v *followView) layText(u follow.Unit, w int) {
	for at := 0; at < len(u.Data); {
		v.put(v.laid, at)
		at += textLine(u.Data[at:], w)
	}
}

// textLine is how many bytes go on one line: up to a line break or the width.
func textLine(b []byte, w int) int {
	b = b[:min(len(b), w)]
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// relay begins the layout anew, with the same unit under the cursor.
func (v *followView) relay(w int) {
	at := 0
	if v.table.cur < len(v.lines) {
		at = v.lines[v.table.cur]
	}
	v.laid, v.lines, v.first = 0, v.lines[:0], v.first[:0]
	v.lay(w)
	v.table = table{}
	for i, unit := range v.lines {
		if unit <= at {
			v.table.cur = i
		}
	}
}

func (v *followView) unit() (follow.Unit, bool) {
	if v.table.cur < len(v.lines) {
		return v.talk.Unit(v.lines[v.table.cur]), true
	}
	return follow.Unit{}, false
}

func (v *followView) act(m *model, a action, n int) bool {
	v.lay(m.w)
	switch {
	case v.table.act(a, n, len(v.lines), m.body().h-3):
	case a == actRight || a == actLeft:
		v.way = map[action][3]int{actRight: {0, 1, -1}, actLeft: {1, -1, 0}}[a][v.way+1]
		v.relay(m.w)
	case a == actReading:
		v.reading = (v.reading + 1) % readings
		v.relay(m.w)
	case a == actOpen:
		if u, ok := v.unit(); ok {
			v.close(m)
			m.jumpTo(u.Frame)
		}
	case a == actOnly:
		v.close(m)
		m.applyFilter(talkFilter(v.talk.Conversation()))
	case a == actFilter:
		m.startEdit(editFind, v.find)
	case a == actFindNext || a == actFindPrev:
		v.next(m, direction(a == actFindNext))
	case a == actSave:
		m.startEdit(editExport, "")
	case a == actQuit || a == actClearFilter:
		v.close(m)
	default:
		return false
	}
	return true
}

func (v *followView) close(m *model) {
	v.cancel()
	m.over = nil
}

// next goes to the next line that holds what is searched.
func (v *followView) next(m *model, step int) {
	if v.find == "" {
		m.notice = "/ says what to look for"
		return
	}
	for i := v.table.cur + step; i >= 0 && i < len(v.lines); i += step {
		if strings.Contains(strings.ToLower(v.lineText(m, i)), strings.ToLower(v.find)) {
			v.table.cur = i
			return
		}
	}
	m.notice = "there is no further " + v.find
}

// search begins a search.
func (v *followView) search(m *model, text string) {
	v.find = text
	v.relay(m.w)
	if text != "" {
		v.table.cur--
		v.next(m, 1)
	}
}

// export writes the bytes of the directions shown to a file.
func (v *followView) export(path string) (int, error) {
	f, err := os.Create(expandHome(path))
	if err != nil {
		return 0, err
	}
	total := 0
	for i := range v.talk.Len() {
		if u := v.talk.Unit(i); v.way < 0 || u.Dir == v.way {
			n, err := f.Write(u.Data)
			if total += n; err != nil {
				f.Close()
				return total, err
			}
		}
	}
	return total, f.Close()
}

func (v *followView) click(_ *model, r rect, x, y int) {
	if i := v.table.top + y - r.y - 2; y > r.y+1 && i < len(v.lines) {
		v.table.cur = i
	}
}

func (v *followView) wheel(_ *model, n int) { v.table.cur = max(0, v.table.cur+n) }

func (v *followView) hints() [][2]string {
	return [][2]string{{"v", "messages, text, bytes"}, {"h l", "who speaks"}, {"/", "search"}, {"n N", "next"}, {"Enter", "packet"}, {"o", "filter to it"}, {"w", "save bytes"}, {"q", "back"}}
}

func (v *followView) status(m *model) string {
	upTo, done, full, bytes := v.talk.State()
	text := fmt.Sprintf("%s packets, %s and %s", group(v.talk.Len()), bytesText(int64(bytes[0])), bytesText(int64(bytes[1])))
	switch {
	case full:
		text += ", the rest is left out"
	case !done:
		text += ", looked at " + itoa(int(upTo)*100/max(1, m.s.Passed())) + " %"
	}
	if v.find != "" {
		text += `   searching "` + dissect.Escape(v.find) + `"`
	}
	return text
}

func (v *followView) draw(m *model, r rect) []string {
	v.lay(r.w)
	c := v.talk.Conversation()
	var head line
	arrow := m.glyph(" ⇄ ", " <> ")
	if v.way == 0 {
		arrow = m.glyph(" → ", " > ")
	} else if v.way == 1 {
		arrow = m.glyph(" ← ", " < ")
	}
	head.put(m.pens.bold, " Follow ")
	head.put(pen{}, strings.TrimRight(m.endCell(c.A, 40), " ")+arrow+strings.TrimRight(m.endCell(c.B, 40), " "))
	right := readingNames[v.reading] + "  " + [3]string{"both ways", "only " + m.glyph("→", ">"), "only " + m.glyph("←", "<")}[v.way+1] + " "
	if room := r.w - head.width - width(right); room > 0 {
		head.put(pen{}, strings.Repeat(" ", room))
		head.put(m.pens.dim, right)
	}
	out := []string{fitLine(head.end(r.w), r.w), m.pens.dim.open + strings.Repeat(m.glyph("─", "-"), r.w) + m.pens.dim.close}
	return append(out, v.table.draw(rect{r.x, r.y + 2, r.w, r.h - 2}, len(v.lines), func(i int, sel bool) string { return v.row(m, i, sel, r.w) })...)
}

func (v *followView) row(m *model, i int, selected bool, w int) string {
	u := v.talk.Unit(v.lines[i])
	var l line
	if selected {
		l.base = m.pens.selected
	}
	p := m.pens.hues[dissect.HueBlue]
	if u.Dir == 1 {
		p = m.pens.hues[dissect.HueMagenta]
	}
	if v.reading == readMessages {
		v.message(m, &l, u, i, p, w)
	} else {
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
	l.put(m.pens.dim, fitRight(fmt.Sprintf("%.3f", float64(u.Time-m.epoch())/1e9), 11)+" "+fitRight(since, 10)+"  ")
	if u.Dir == 0 {
		l.put(p, fit(v.speaker(m, 0)+m.glyph(" →", " >"), 14)+" ")
	} else {
		l.put(p, fit(m.glyph("← ", "< ")+v.speaker(m, 1), 14)+" ")
	}
	kind := p
	if u.Repeat {
		kind = m.pens.dim
	}
	l.put(kind, fit(dissect.Escape(u.Kind), 20)+" ")
	if u.Repeat {
		l.put(m.pens.dim, u.Info)
	} else {
		l.put(pen{}, u.Info)
	}
}

// speaker is what an end is called where there is little room.
func (v *followView) speaker(m *model, way int) string {
	c := v.talk.Conversation()
	e := c.A
	if way == 1 {
		e = c.B
	}
	if end := m.end(e, dissect.FrameNum(m.s.Passed())); end.Label() != "" {
		return dissect.Escape(end.Label())
	}
	return string(rune('A' + way))
}

// lineText is the text of a line, for drawing and searching.
func (v *followView) lineText(m *model, i int) string {
	u := v.talk.Unit(v.lines[i])
	switch v.reading {
	case readMessages:
		return dissect.Escape(u.Kind) + " " + u.Info
	case readText:
		data := u.Data[min(len(u.Data), v.first[i]):]
		return printable(m, data[:textLine(data, max(20, m.w-12))])
	}
	data := u.Data[min(len(u.Data), v.first[i]):]
	return hexLine(m, v.first[i], data[:min(16, len(data))])
}

// printable shows bytes as text: what is no printable text becomes dots, line breaks end lines.
func printable(m *model, b []byte) string {
	return dissect.Escape(strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\n':
			return -1
		case r == '\t':
			return ' '
		case r < 0x20 || r == 0x7f || r == 0xfffd:
			return []rune(m.glyph("·", "."))[0]
		}
		return r
	}, string(b)))
}

func hexLine(m *model, off int, b []byte) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%08x ", off)
	for i := range 16 {
		if i == 8 {
			s.WriteByte(' ')
		}
		if i < len(b) {
			s.WriteString(" " + hexPair(b[i]))
		} else {
			s.WriteString("   ")
		}
	}
	s.WriteString("  ")
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			s.WriteString(m.glyph("·", "."))
		} else {
			s.WriteByte(c)
		}
	}
	return s.String()
}

// followEdit takes what was typed for the view: what to search, or where the bytes go.
func (m *model) followEdit(v *followView, e edit, text string) {
	if e == editFind {
		v.search(m, text)
		return
	}
	if text == "" {
		return
	}
	if n, err := v.export(text); err != nil {
		m.notice = "not saved: " + err.Error()
	} else {
		m.notice = group(n) + " bytes saved to " + text
	}
}

func (v *followView) busy(*model) bool {
	_, done, _, _ := v.talk.State()
	return !done || v.laid < v.talk.Len()
}
