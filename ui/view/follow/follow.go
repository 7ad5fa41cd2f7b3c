// Package follow reads one conversation or game: who says what, in order.
package follow

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/term"
	"remora/ui/transcript"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View reads one conversation or game. Closing it leaves no filter behind.
type View struct {
	transcript.Script
	c      view.Context
	stream *follow.Stream
	stop   func()
	table  widget.Table

	want     int              // the unit that the cursor goes to once it is laid out, or -1
	title    string           // of a game
	from     dissect.FrameNum // the packet that the cursor goes to at the start, 0 once it is there
	searched int              // how many units were searched for it
	find     string
	found    []int // lines that hold what is searched, as far as they were looked through
	looked   int   // lines looked through for it
	waits    bool  // for further lines to search, and has said so
	sought   int   // where a search goes on once more lines are laid out, or -1

	players map[dissect.Endpoint]dissect.End // of a game
	ones    map[endRole]dissect.Endpoint
	other   string // what else can be followed here, or ""

	dissector *dissect.Dissector
	facts     followFacts
	taps      [2]widget.Rect // where the words for the reading and for who speaks are drawn
}

// laidAtOnce bounds the lines laid out for one picture, and those looked through for one key, so that nothing waits.
const laidAtOnce = 50_000

// New reads a conversation from a packet on.
func New(c view.Context, t *follow.Stream, at dissect.FrameNum) *View {
	s := c.Scope().Session
	v := &View{c: c, stream: t, want: -1, sought: -1, from: at, dissector: s.GuardedDissector()}
	v.Direction, v.Here = -1, at
	if t.Game() == 0 && (t.Conversation().Transport == dissect.TableTCP || t.Mode() != follow.Transport) {
		v.Reading = transcript.Text
	}
	v.Stream = func(u *follow.Unit) (from, to dissect.Endpoint) {
		c := t.Session().Conversation(u.Conv)
		if u.Dir == 1 {
			return v.oneEnd(c.B), v.oneEnd(c.A)
		}
		return v.oneEnd(c.A), v.oneEnd(c.B)
	}
	v.Known = t.Game() != 0
	v.Joined = t.Game() == 0 && t.Conversation().Transport == dissect.TableTCP
	for _, g := range s.Games() {
		if g.ID == t.Game() {
			v.title = dissect.Escape(g.Protocol.Title() + " " + g.Subtitle())
		}
	}
	v.stop = c.Go("following", func(ctx context.Context) { t.Collect(ctx) })
	if ways, at := v.directions(); len(ways) > 1 {
		v.other = directionName(ways[(at+1)%len(ways)])
	}
	return v
}

// Update handles the keys that move in the messages, search them, choose a direction and go to a packet.
func (v *View) Update(a act.Action, n int) bool {
	v.lay(view.Width(v.c))
	v.sought = -1 // who moves does not want to be moved
	switch {
	case v.table.Update(a, n, len(v.Lines), view.Height(v.c)-3-v.rawHeight(view.Height(v.c))):
	case a == act.Right || a == act.Left:
		v.Direction = map[act.Action][3]int{act.Right: {0, 1, -1}, act.Left: {1, -1, 0}}[a][v.Direction+1]
		v.relay(view.Width(v.c))
	case a == act.Reading:
		v.Reading = v.Reading.Next()
		v.relay(view.Width(v.c))
	case a == act.OpenBelow || a == act.CloseBelow || a == act.Open && v.folded(v.table.Cur):
		if at := v.Unfold(v.table.Cur); at >= 0 {
			v.relayAt(view.Width(v.c), at)
		}
	case a == act.Hide && v.Reading.ShowsMessages():
		v.Copies = !v.Copies
		v.relay(view.Width(v.c))
	case a == act.ConversationNext || a == act.ConversationPrev:
		v.nextConversation(direction(a == act.ConversationNext))
	case a == act.Open:
		if u, ok := v.unit(); ok {
			v.c.Close()
			v.c.GoTo(u.Frame)
		}
	case a == act.Only:
		v.c.Close()
		v.c.Filter(v.filter())
	case a == act.Find:
		v.c.Prompt(view.Prompt{Label: " search: ", Accept: v.search})
	case a == act.FindNext || a == act.FindPrev:
		v.next(direction(a == act.FindNext))
	case a == act.Save:
		v.c.Prompt(view.Prompt{Label: " save bytes to: ", Accept: v.export})
	case a == act.ByteWidth:
		v.savePart()
	case a == act.Sort:
		v.followOther()
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// filter is the one for the packets that are followed.
func (v *View) filter() string {
	var terms []string
	for _, c := range v.stream.Conversations() {
		terms = append(terms, v.c.Scope().Drilldown().Conversation(c))
	}
	if len(terms) == 1 {
		return terms[0]
	}
	for i := range terms {
		terms[i] = term.Bracketed(terms[i])
	}
	return strings.Join(terms, " || ")
}

// Close ends the reading.
func (v *View) Close() { v.stop() }

// Click selects a message; a second click opens it.
func (v *View) Click(x, y int) {
	switch {
	case v.taps[0].Has(x, y):
		v.Update(act.Reading, 1)
	case v.taps[1].Has(x, y):
		v.Update(act.Right, 1)
	}
	h := view.Height(v.c)
	if i := v.table.Top + y - 2; y > 1 && y < h-v.rawHeight(h) && i < len(v.Lines) {
		if v.table.Cur == i { // a second click is Enter
			v.Update(act.Open, 1)
			return
		}
		v.table.Cur = i
	}
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	first := [2]string{"Enter", "packet"}
	if v.folded(v.table.Cur) {
		first[1] = "unfold"
	}
	copies := "show copies"
	if v.Copies {
		copies = "fold copies"
	}
	out := [][2]string{{"h l", "direction"}, {"v", "view"}, {"Ctrl-F", "search"}, {"n N", "next"}, first, {"e", "export"},
		{"=", "filter to it"}, {"}", "next"}, {"w", "save"}, {"W", "save this part"},
		{"q", "back"}}
	if v.other != "" {
		out = slices.Insert(out, 2, [2]string{"s", v.other})
	}
	if v.Sums.Copies > 0 && v.Reading.ShowsMessages() {
		out = slices.Insert(out, 2, [2]string{"x", copies})
	}
	return out
}

// Status says how many packets and bytes were followed, and how far.
func (v *View) Status() string {
	upTo, done, full, bytes := v.stream.State()
	text := ""
	if v.find != "" {
		text = v.matchText() + "   "
	}
	text += humanize.Packets(v.stream.Len()) + ", " + humanize.Bytes(int64(bytes[0])) + " and " +
		humanize.Bytes(int64(bytes[1]))
	switch {
	case full:
		text += ", the rest is left out"
	case !done:
		text += ", looked at " + strconv.Itoa(int(upTo)*100/max(1, v.c.Scope().Session.Passed())) + " %"
	}
	if v.Reading.ShowsMessages() {
		text += v.sumsText()
	}
	return text
}

// sumsText says how many turns there were and whose, and how many messages were needed.
func (v *View) sumsText() string {
	s := &v.Sums
	text := ", " + humanize.Of(s.Turns[0]+s.Turns[1], "turn")
	if v.stream.Game() == 0 && v.Direction < 0 {
		text += " (" + v.c.Style().Glyph("→ ", "> ") + humanize.Group(s.Turns[0]) + ", " + v.c.Style().
			Glyph("← ", "< ") + humanize.Group(s.Turns[1]) + ")"
	}
	if text += ", " + humanize.Of(s.Messages, "message"); s.Copies > 0 {
		text += ", " + humanize.Group(s.Messages-s.Copies) + " needed, " +
			humanize.Percent(uint64(s.Copies), uint64(s.Messages)) + " % are copies"
	}
	return text
}

// Busy reports whether the conversation is still read or searched.
func (v *View) Busy() bool {
	_, done, _, _ := v.stream.State()
	return !done || v.Laid() < v.stream.Len() || v.sought >= 0 || v.find != "" && v.looked < len(v.Lines)
}

// lay lays out what has come, and moves the cursor to the line that it belongs to.
func (v *View) lay(w int) {
	if room := v.room(w); room != v.Width {
		v.Width = room
		if unit := v.cursorUnit(); unit >= 0 { // the screen has another width
			v.Relay()
			v.found, v.looked, v.table, v.want = v.found[:0], 0, widget.Table{}, unit
		}
	}
	at := v.cursorUnit()
	_, done, _, _ := v.stream.State()
	v.lookAgain()
	v.Lay(v.stream, done, laidAtOnce)
	if v.from != 0 {
		if i := v.unitFrom(v.from, done); i >= 0 {
			v.want, v.from = i, 0
		} else if done {
			v.from = 0
		}
	}
	switch {
	case v.want >= 0 && v.Laid() > v.want:
		v.table.Cur, v.want = max(0, v.LineOf(v.want)), -1
	case at >= 0 && v.cursorUnit() != at: // the last lines were laid out anew
		v.table.Cur = max(0, v.LineOf(at))
	}
	if v.looked > len(v.Lines) {
		v.looked, v.found = 0, v.found[:0]
	}
}

// lookAgain has the last line searched once more where packets to come may go on with it.
func (v *View) lookAgain() {
	last := len(v.Lines) - 1
	if !v.Joined || last < 0 || v.looked <= last || v.Laid() == v.stream.Len() {
		return
	}
	v.looked = last
	if n := len(v.found) - 1; n >= 0 && v.found[n] == last {
		v.found = v.found[:n]
	}
}

// room is how many cells a line has behind who says it, or 0 where its length does not depend on them.
func (v *View) room(w int) int {
	switch v.Reading {
	case transcript.Text:
		return w - 12
	case transcript.Bytes, transcript.Array:
		return w - 4
	}
	return 0
}

// cursorUnit is the unit of the line under the cursor, or -1.
func (v *View) cursorUnit() int {
	if v.table.Cur < len(v.Lines) {
		return v.Lines[v.table.Cur].Unit
	}
	return -1
}

// unitFrom is the unit of a packet; once all have come and it has none, the first of a later one; -1 where none is
// known yet. Before the end, units of several conversations are not in the order of packets.
func (v *View) unitFrom(n dissect.FrameNum, done bool) int {
	for ; v.searched < v.stream.Len(); v.searched++ {
		if v.stream.Unit(v.searched).Frame == n {
			return v.searched
		}
	}
	if i := sort.Search(v.stream.Len(), func(i int) bool { return v.stream.Unit(i).Frame >= n }); done &&
		i < v.stream.Len() {
		return i
	}
	return -1
}

// relay begins the layout anew, with the same unit under the cursor.
func (v *View) relay(w int) { v.relayAt(w, v.cursorUnit()) }

func (v *View) relayAt(w, unit int) {
	v.Relay()
	v.found, v.looked = v.found[:0], 0
	v.table, v.want = widget.Table{}, unit
	v.lay(w)
}

// folded tells whether a line stands for a run.
func (v *View) folded(i int) bool { return i < len(v.Lines) && v.Lines[i].Folded() }

func (v *View) unit() (follow.Unit, bool) {
	if i := v.cursorUnit(); i >= 0 {
		return v.stream.Unit(i), true
	}
	return follow.Unit{}, false
}

func direction(forward bool) int {
	if forward {
		return 1
	}
	return -1
}
