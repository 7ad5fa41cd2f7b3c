package ui

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"sort"
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
	live    bool // packets may still come
	reading int
	way     int // -1 both, else one direction
	table   table

	laid  int              // units laid out so far
	lines []int            // of each line: its unit
	first []int            // of each line: its first byte, or the fold's last unit
	part  []int            // of each line: the message within the unit, when it has several
	want  int              // the unit that the cursor goes to once it is laid out, or -1
	title string           // of a game
	from  dissect.FrameNum // the packet that the cursor goes to at the start, 0 once it is there
	find  string
}

// laidAtOnce bounds the lines laid out for one picture, and those looked through for one key, so that nothing waits.
const laidAtOnce = 50_000

// foldFrom is how many messages of one type in a row are folded into a line.
const foldFrom = 12

// followTalk opens the conversation with an ID; 0 has none.
func (m *model) followTalk(id uint32) {
	if id == 0 {
		m.notice = "this packet belongs to no conversation"
		return
	}
	m.openFollow(follow.New(m.s, id), m.cur)
}

// openFollow reads a conversation from a packet on.
func (m *model) openFollow(t *follow.Talk, at dissect.FrameNum) {
	ctx, cancel := context.WithCancel(m.ctx)
	v := &followView{talk: t, cancel: cancel, live: !m.store.Status().Done, way: -1, want: -1, from: at}
	if t.Game() == 0 && t.Conversation().Transport == dissect.TableTCP {
		v.reading = readText
	}
	for _, g := range m.s.Games() {
		if g.ID == t.Game() {
			v.title = dissect.Escape(g.Protocol.Title() + " " + g.Title)
		}
	}
	go func() {
		defer m.guard("following")
		t.Collect(ctx)
	}()
	m.openOver(v)
}

// followOther goes on to what else can be followed here: what TLS or HTTP carries, the game that the conversation is part of.
func (v *followView) followOther(m *model) {
	c := v.talk.Conversation()
	var ways []*follow.Talk
	at := 0
	add := func(t *follow.Talk) {
		if t != nil {
			if t.What() == v.talk.What() && t.Game() == v.talk.Game() {
				at = len(ways)
			}
			ways = append(ways, t)
		}
	}
	add(follow.New(m.s, c.ID))
	for _, what := range []string{follow.TLS, follow.HTTP} {
		if follow.Carries(m.s, c.ID, what) {
			add(follow.NewOf(m.s, c.ID, what))
		}
	}
	for _, g := range m.s.Games() {
		if slices.Contains(g.Convs, c.ID) {
			add(follow.NewGame(m.s, g.ID))
		}
	}
	if len(ways) == 1 {
		m.notice = "this conversation carries nothing else that can be followed"
		return
	}
	frame := m.cur
	if u, ok := v.unit(); ok {
		frame = u.Frame
	}
	v.cancel()
	m.openFollow(ways[(at+1)%len(ways)], frame)
}

// lay breaks units into lines, as far as they have come.
func (v *followView) lay(w int) {
	n := v.talk.Len()
units:
	for end := len(v.lines) + laidAtOnce; v.laid < n && len(v.lines) < end; {
		u := v.talk.Unit(v.laid)
		if v.from != 0 && u.Frame >= v.from {
			v.want, v.from = v.laid, 0
		}
		if v.way >= 0 && u.Dir != v.way {
			v.laid++
			continue
		}
		switch v.reading {
		case readMessages:
			if !v.layMessage(u, n) {
				break units
			}
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
	if v.want >= 0 && v.laid > v.want {
		v.table.cur = max(0, sort.SearchInts(v.lines, v.want+1)-1)
		for v.table.cur > 0 && v.lines[v.table.cur-1] == v.lines[v.table.cur] {
			v.table.cur--
		}
		v.want = -1
	}
}

func (v *followView) put(unit, first int) {
	v.lines, v.first, v.part = append(v.lines, unit), append(v.first, first), append(v.part, 0)
}

// layMessage puts the messages of a packet on lines of their own, or a long run of one type on one: the line's first is then
// the run's last unit. A run that may go on waits, unless it is live: how it looks must not hang on when its packets were read.
func (v *followView) layMessage(u follow.Unit, n int) bool {
	if k := len(v.lines); k > 0 && v.find == "" && u.Kind != "" && v.first[k-1] == v.laid-1 && v.first[k-1] > v.lines[k-1] && v.talk.Unit(v.laid-1).Kind == u.Kind {
		v.first[k-1] = v.laid // the run goes on
		v.laid++
		return true
	}
	end := v.laid
	for u.Kind != "" && end+1 < n && v.find == "" {
		if next := v.talk.Unit(end + 1); next.Kind != u.Kind {
			break
		}
		end++
	}
	if _, done, _, _ := v.talk.State(); !done && !v.live && end == n-1 && v.find == "" {
		return false
	}
	if end-v.laid+1 < foldFrom || v.find != "" {
		for k := range max(1, len(u.Parts)) {
			v.put(v.laid, v.laid)
			v.part[len(v.part)-1] = k
		}
		v.laid++
		return true
	}
	v.put(v.laid, end)
	v.laid = end + 1
	return true
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
	at := -1
	if v.table.cur < len(v.lines) {
		at = v.lines[v.table.cur]
	}
	v.laid, v.lines, v.first, v.part = 0, v.lines[:0], v.first[:0], v.part[:0]
	v.table, v.want = table{}, at
	v.lay(w)
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
	case v.table.act(a, n, len(v.lines), m.body().h-3-v.rawHeight(m.body().h)):
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
		m.applyFilter(v.filter())
	case a == actFilter:
		m.startEdit(editFind, v.find)
	case a == actFindNext || a == actFindPrev:
		v.next(m, direction(a == actFindNext))
	case a == actSave:
		m.startEdit(editExport, "")
	case a == actSort:
		v.followOther(m)
	case a == actQuit || a == actClearFilter:
		v.close(m)
	default:
		return false
	}
	return true
}

// filter is the one for the packets that are followed.
func (v *followView) filter() string {
	var terms []string
	for _, c := range v.talk.Conversations() {
		terms = append(terms, talkFilter(c))
	}
	if len(terms) == 1 {
		return terms[0]
	}
	for i := range terms {
		terms[i] = bracketed(terms[i])
	}
	return strings.Join(terms, " || ")
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
	i := v.table.cur + step
	for tried := 0; i >= 0 && i < len(v.lines); i += step {
		if strings.Contains(strings.ToLower(v.lineText(m, i)), strings.ToLower(v.find)) {
			v.table.cur = i
			return
		}
		if tried++; tried >= laidAtOnce {
			v.table.cur = i
			m.notice = "not in the last " + group(tried) + " lines; the search goes on from here"
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

// export has what is read written to a file, beside the screen: messages as lines of text, else the bytes of the directions
// shown.
func (v *followView) export(m *model, path string) {
	talk, way, messages := v.talk, v.way, v.reading == readMessages
	epoch := m.epoch()
	m.notice = "saving to " + path
	m.pending = append(m.pending, func() any {
		defer m.guard("saving")
		n, err := exportTalk(talk, expandHome(path), way, messages, epoch)
		return exported{path, n, err}
	})
}

// exported is the end of writing a conversation to a file.
type exported struct {
	path string
	n    int
	err  error
}

func (m *model) onExported(e exported) {
	m.notice = group(e.n) + " bytes saved to " + e.path
	if e.err != nil {
		m.notice = "not saved: " + e.err.Error()
	}
}

func exportTalk(t *follow.Talk, path string, way int, messages bool, epoch int64) (total int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(f)
	for i := 0; i < t.Len() && err == nil; i++ {
		u := t.Unit(i)
		if way >= 0 && u.Dir != way {
			continue
		}
		n := 0
		if messages {
			n, err = w.WriteString(messageText(&u, epoch))
		} else {
			n, err = w.Write(u.Data)
		}
		total += n
	}
	if err == nil {
		err = w.Flush()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return total, err
}

// messageText is the messages of a packet as lines: seconds, packet, direction, type, what it says.
func messageText(u *follow.Unit, epoch int64) string {
	head := fmt.Sprintf("%.6f\t%d\t%s\t", float64(u.Time-epoch)/1e9, u.Frame, [2]string{"A>B", "B>A"}[u.Dir&1])
	if len(u.Parts) == 0 {
		return head + dissect.Escape(u.Kind) + "\t" + u.Info + "\n"
	}
	var b strings.Builder
	for _, p := range u.Parts {
		b.WriteString(head + dissect.Escape(p.Kind) + "\t" + p.Text + "\n")
	}
	return b.String()
}

func (v *followView) click(_ *model, r rect, x, y int) {
	if i := v.table.top + y - r.y - 2; y > r.y+1 && i < len(v.lines) {
		v.table.cur = i
	}
}

func (v *followView) wheel(_ *model, n int) { v.table.cur = max(0, v.table.cur+n) }

func (v *followView) hints() [][2]string {
	return [][2]string{{"v", "messages, text, bytes"}, {"h l", "who speaks"}, {"/", "search"}, {"n N", "next"}, {"Enter", "packet"}, {"o", "filter to it"}, {"s", "TLS, HTTP, game"}, {"w", "save"}, {"q", "back"}}
}

func (v *followView) status(m *model) string {
	upTo, done, full, bytes := v.talk.State()
	text := fmt.Sprintf("%s, %s and %s", packetsText(v.talk.Len()), bytesText(int64(bytes[0])), bytesText(int64(bytes[1])))
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
		l.put(p, fit(v.speaker(m, &u, 0)+m.glyph(" →", " >"), 14)+" ")
	} else {
		l.put(p, fit(m.glyph("← ", "< ")+v.speaker(m, &u, 1), 14)+" ")
	}
	say := follow.Part{Kind: u.Kind, Text: u.Info, Repeat: u.Repeat}
	if k := v.part[i]; k < len(u.Parts) {
		say = u.Parts[k]
	}
	kind, text := p, pen{}
	if say.Repeat {
		kind, text = m.pens.dim, m.pens.dim
	}
	l.put(kind, fit(dissect.Escape(say.Kind), 20)+" ")
	l.put(text, say.Text)
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

// lineText is the text of a line, for drawing and searching.
func (v *followView) lineText(m *model, i int) string {
	u := v.talk.Unit(v.lines[i])
	switch v.reading {
	case readMessages:
		if k := v.part[i]; k < len(u.Parts) {
			return dissect.Escape(u.Parts[k].Kind) + " " + u.Parts[k].Text
		}
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
	v.export(m, text)
}

func (v *followView) busy(*model) bool {
	_, done, _, _ := v.talk.State()
	return !done || v.laid < v.talk.Len()
}
