package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/term"
)

// The ways a conversation can be read.
const (
	readMessages = iota
	readText
	readHex
	readLadder
	readings
)

var readingNames = [readings]string{"messages", "text", "bytes", "ladder"}

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

	unfolded [][2]int // runs of units that are shown one by one
	fresh    bool     // repeats are left out
	ladder   ladder
	sums     followSums
	found    []int // lines that hold what is searched, as far as they were looked through
	looked   int   // lines looked through for it
	sought   int   // where a search goes on once more lines are laid out, or -1
}

// followSums are counts of what was laid out.
type followSums struct {
	turns, messages, repeats int
	last                     int // who spoke, 1 and 2; 0 nobody
}

// messages tells whether messages are shown rather than bytes.
func (v *followView) messages() bool { return v.reading == readMessages || v.reading == readLadder }

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
	v := &followView{talk: t, cancel: cancel, live: !m.store.Status().Done, way: -1, want: -1, sought: -1, from: at}
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

func (v *followView) act(m *model, a act.Action, n int) bool {
	v.lay(m.w)
	v.sought = -1 // who moves does not want to be moved
	switch {
	case v.table.act(a, n, len(v.lines), m.body().h-3-v.rawHeight(m.body().h)):
	case a == act.Right || a == act.Left:
		v.way = map[act.Action][3]int{act.Right: {0, 1, -1}, act.Left: {1, -1, 0}}[a][v.way+1]
		v.relay(m.w)
	case a == act.Reading:
		v.reading = (v.reading + 1) % readings
		v.relay(m.w)
	case a == act.Select || a == act.Open && v.folded(v.table.cur):
		v.unfold(m)
	case a == act.Hide && v.messages():
		v.fresh = !v.fresh
		v.relay(m.w)
	case a == act.TalkNext || a == act.TalkPrev:
		v.nextTalk(m, direction(a == act.TalkNext))
	case a == act.Open:
		if u, ok := v.unit(); ok {
			v.close(m)
			m.jumpTo(u.Frame)
		}
	case a == act.Only || a == act.UseField:
		v.close(m)
		m.applyFilter(v.filter())
	case a == act.Filter:
		m.startEdit(editFind, v.find)
	case a == act.FindNext || a == act.FindPrev:
		v.next(m, direction(a == act.FindNext))
	case a == act.Save:
		m.startEdit(editExport, "")
	case a == act.Sort:
		v.followOther(m)
	case a == act.Quit || a == act.ClearFilter:
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
		terms[i] = term.Bracketed(terms[i])
	}
	return strings.Join(terms, " || ")
}

func (v *followView) close(m *model) {
	v.cancel()
	m.over = nil
}

func (v *followView) click(_ *model, r rect, x, y int) {
	if i := v.table.top + y - r.y - 2; y > r.y+1 && i < len(v.lines) {
		v.table.cur = i
	}
}

func (v *followView) wheel(_ *model, n int) { v.table.cur = max(0, v.table.cur+n) }

func (v *followView) hints() [][2]string {
	first := [2]string{"Enter", "packet"}
	if v.folded(v.table.cur) {
		first[1] = "unfold"
	}
	repeats := "hide repeats"
	if v.fresh {
		repeats = "show repeats"
	}
	return [][2]string{first, {"v", "view"}, {"h l", "who speaks"}, {"x", repeats}, {"/", "search"}, {"n N", "next"}, {"=", "filter to it"}, {"}", "next talk"}, {"s", "TLS, HTTP, game"}, {"w e", "save"}, {"q", "back"}}
}

func (v *followView) status(m *model) string {
	upTo, done, full, bytes := v.talk.State()
	text := fmt.Sprintf("%s, %s and %s", amount.Packets(v.talk.Len()), amount.Bytes(int64(bytes[0])), amount.Bytes(int64(bytes[1])))
	switch {
	case full:
		text += ", the rest is left out"
	case !done:
		text += ", looked at " + strconv.Itoa(int(upTo)*100/max(1, m.s.Passed())) + " %"
	}
	if v.messages() {
		text += v.sums.text(v.fresh)
	}
	if v.find != "" {
		text += v.matchText()
	}
	return text
}

func (v *followView) busy(*model) bool {
	_, done, _, _ := v.talk.State()
	return !done || v.laid < v.talk.Len() || v.sought >= 0 || v.find != "" && v.looked < len(v.lines)
}
