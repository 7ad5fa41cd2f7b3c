package ui

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/dialogue"
	"remora/ui/term"
)

// followView reads one conversation: who says what, in order. Closing it leaves no filter behind.
type followView struct {
	dialogue.Script
	talk   *follow.Talk
	cancel context.CancelFunc
	table  table

	want   int              // the unit that the cursor goes to once it is laid out, or -1
	title  string           // of a game
	from   dissect.FrameNum // the packet that the cursor goes to at the start, 0 once it is there
	find   string
	found  []int // lines that hold what is searched, as far as they were looked through
	looked int   // lines looked through for it
	sought int   // where a search goes on once more lines are laid out, or -1

	players map[dissect.Endpoint]dissect.End // of a game
	ones    map[endRole]dissect.Endpoint
	other   string // what else can be followed here, or ""

	looker *dissect.Looker
	facts  followFacts
	taps   [2]rect // where the words for the reading and for who speaks are drawn
}

// laidAtOnce bounds the lines laid out for one picture, and those looked through for one key, so that nothing waits.
const laidAtOnce = 50_000

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
	v := &followView{talk: t, cancel: cancel, want: -1, sought: -1, from: at, looker: m.s.Looker()}
	v.Way, v.Here = -1, at
	if t.Game() == 0 && (t.Conversation().Transport == dissect.TableTCP || t.What() != follow.Transport) {
		v.Reading = dialogue.Text
	}
	v.Talk = func(u *follow.Unit) (from, to dissect.Endpoint) {
		c := t.Session().Conversation(u.Conv)
		if u.Dir == 1 {
			return v.oneEnd(m, c.B), v.oneEnd(m, c.A)
		}
		return v.oneEnd(m, c.A), v.oneEnd(m, c.B)
	}
	v.Known = t.Game() != 0
	for _, g := range m.s.Games() {
		if g.ID == t.Game() {
			v.title = dissect.Escape(g.Protocol.Title() + " " + g.Subtitle())
		}
	}
	go func() {
		defer m.guard("following")
		t.Collect(ctx)
	}()
	if ways, at := v.ways(m); len(ways) > 1 {
		v.other = wayName(ways[(at+1)%len(ways)])
	}
	m.openOver(v)
}

func (v *followView) act(m *model, a act.Action, n int) bool {
	v.lay(m.w)
	v.sought = -1 // who moves does not want to be moved
	switch {
	case v.table.act(a, n, len(v.Lines), m.body().h-3-v.rawHeight(m.body().h)):
	case a == act.Right || a == act.Left:
		v.Way = map[act.Action][3]int{act.Right: {0, 1, -1}, act.Left: {1, -1, 0}}[a][v.Way+1]
		v.relay(m.w)
	case a == act.Reading:
		v.Reading = v.Reading.Next()
		v.relay(m.w)
	case a == act.Select || a == act.Open && v.folded(v.table.cur):
		if at := v.Unfold(v.table.cur); at >= 0 {
			v.relayAt(m.w, at)
		}
	case a == act.Hide && v.Reading.Said():
		v.Copies = !v.Copies
		v.relay(m.w)
	case a == act.TalkNext || a == act.TalkPrev:
		v.nextTalk(m, direction(a == act.TalkNext))
	case a == act.Open:
		if u, ok := v.unit(); ok {
			m.leaveOver(nil)
			m.jumpTo(u.Frame)
		}
	case a == act.Only || a == act.UseField:
		m.leaveOver(nil)
		m.applyFilter(v.filter(m))
	case a == act.Filter:
		m.startEdit(editFind, v.find)
	case a == act.FindNext || a == act.FindPrev:
		v.next(m, direction(a == act.FindNext))
	case a == act.Save:
		m.startEdit(editExport, "")
	case a == act.Sort:
		v.followOther(m)
	case a == act.Quit || a == act.ClearFilter:
		m.leaveOver(nil)
	default:
		return false
	}
	return true
}

// filter is the one for the packets that are followed.
func (v *followView) filter(m *model) string {
	var terms []string
	for _, c := range v.talk.Conversations() {
		terms = append(terms, m.doors().Conversation(c))
	}
	if len(terms) == 1 {
		return terms[0]
	}
	for i := range terms {
		terms[i] = term.Bracketed(terms[i])
	}
	return strings.Join(terms, " || ")
}

// stop ends the reading.
func (v *followView) stop() { v.cancel() }

func (v *followView) click(m *model, r rect, x, y int) {
	switch {
	case v.taps[0].has(x, y):
		v.act(m, act.Reading, 1)
	case v.taps[1].has(x, y):
		v.act(m, act.Right, 1)
	}
	if i := v.table.top + y - r.y - 2; y > r.y+1 && y < r.y+r.h-v.rawHeight(r.h) && i < len(v.Lines) {
		if v.table.cur == i { // a second click is Enter
			v.act(m, act.Open, 1)
			return
		}
		v.table.cur = i
	}
}

func (v *followView) wheel(_ *model, n int) { v.table.cur = max(0, v.table.cur+n) }

func (v *followView) hints() [][2]string {
	first := [2]string{"Enter", "packet"}
	if v.folded(v.table.cur) {
		first[1] = "unfold"
	}
	copies := "show copies"
	if v.Copies {
		copies = "fold copies"
	}
	out := [][2]string{{"h l", "who speaks"}, {"v", "view"}, {"/", "search"}, {"n N", "next"}, first, {"e", "export"}, {"=", "filter to it"}, {"}", "next"}, {"w", "save"}, {"q", "back"}}
	if v.other != "" {
		out = slices.Insert(out, 2, [2]string{"s", v.other})
	}
	if v.Sums.Copies > 0 && v.Reading.Said() {
		out = slices.Insert(out, 2, [2]string{"x", copies})
	}
	return out
}

func (v *followView) status(m *model) string {
	upTo, done, full, bytes := v.talk.State()
	text := ""
	if v.find != "" {
		text = v.matchText() + "   "
	}
	text += amount.Packets(v.talk.Len()) + ", " + amount.Bytes(int64(bytes[0])) + " and " + amount.Bytes(int64(bytes[1]))
	switch {
	case full:
		text += ", the rest is left out"
	case !done:
		text += ", looked at " + strconv.Itoa(int(upTo)*100/max(1, m.s.Passed())) + " %"
	}
	if v.Reading.Said() {
		text += v.sumsText(m)
	}
	return text
}

// sumsText says how many turns there were and whose, and how many messages were needed.
func (v *followView) sumsText(m *model) string {
	s := &v.Sums
	text := ", " + amount.Of(s.Turns[0]+s.Turns[1], "turn")
	if v.talk.Game() == 0 && v.Way < 0 {
		text += " (" + m.glyph("→ ", "> ") + amount.Group(s.Turns[0]) + ", " + m.glyph("← ", "< ") + amount.Group(s.Turns[1]) + ")"
	}
	if text += ", " + amount.Of(s.Messages, "message"); s.Copies > 0 {
		text += ", " + amount.Group(s.Messages-s.Copies) + " needed, " + amount.Percent(uint64(s.Copies), uint64(s.Messages)) + " % are copies"
	}
	return text
}

func (v *followView) busy(*model) bool {
	_, done, _, _ := v.talk.State()
	return !done || v.Laid() < v.talk.Len() || v.sought >= 0 || v.find != "" && v.looked < len(v.Lines)
}

// lay lays out what has come, and moves the cursor to the line that it belongs to.
func (v *followView) lay(w int) {
	if room := v.room(w); room != v.Width {
		v.Width = room
		if unit := v.cursorUnit(); unit >= 0 { // the screen has another width
			v.Relay()
			v.found, v.looked, v.table, v.want = v.found[:0], 0, table{}, unit
		}
	}
	at := v.cursorUnit()
	_, done, _, _ := v.talk.State()
	v.Lay(v.talk, done, laidAtOnce)
	if v.from != 0 {
		if i := v.unitFrom(v.from); i >= 0 {
			v.want, v.from = i, 0
		} else if done {
			v.from = 0
		}
	}
	switch {
	case v.want >= 0 && v.Laid() > v.want:
		v.table.cur, v.want = max(0, v.LineOf(v.want)), -1
	case at >= 0 && v.cursorUnit() != at: // the last lines were laid out anew
		v.table.cur = max(0, v.LineOf(at))
	}
	if v.looked > len(v.Lines) {
		v.looked, v.found = 0, v.found[:0]
	}
}

// room is how many cells a line has behind who says it, or 0 where its length does not depend on them.
func (v *followView) room(w int) int {
	switch v.Reading {
	case dialogue.Text:
		return w - 12
	case dialogue.Bytes, dialogue.Array:
		return w - 4
	}
	return 0
}

// cursorUnit is the unit of the line under the cursor, or -1.
func (v *followView) cursorUnit() int {
	if v.table.cur < len(v.Lines) {
		return v.Lines[v.table.cur].Unit
	}
	return -1
}

// unitFrom is the first unit of a packet or of one behind it, or -1 where none has come yet.
func (v *followView) unitFrom(n dissect.FrameNum) int {
	if i := sort.Search(v.talk.Len(), func(i int) bool { return v.talk.Unit(i).Frame >= n }); i < v.talk.Len() {
		return i
	}
	return -1
}

// relay begins the layout anew, with the same unit under the cursor.
func (v *followView) relay(w int) { v.relayAt(w, v.cursorUnit()) }

func (v *followView) relayAt(w, unit int) {
	v.Relay()
	v.found, v.looked = v.found[:0], 0
	v.table, v.want = table{}, unit
	v.lay(w)
}

// folded tells whether a line stands for a run.
func (v *followView) folded(i int) bool { return i < len(v.Lines) && v.Lines[i].Folded() }

func (v *followView) unit() (follow.Unit, bool) {
	if i := v.cursorUnit(); i >= 0 {
		return v.talk.Unit(i), true
	}
	return follow.Unit{}, false
}
