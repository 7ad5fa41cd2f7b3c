package search

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/protocols"
	"remora/ui/complete"
	"remora/ui/filtered"
	"remora/ui/find"
	"remora/ui/listed"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/view/viewtest"
)

// screen is the sample with a selected packet, and remembers what the search asked for.
type screen struct {
	*viewtest.Screen
	search *Search
	packet *selected.Packet
	list   *listed.Packets
	place  int
	node   int
	off    int
}

func (x *screen) Place() int { return x.place }
func (x *screen) Complete(text string, _ int) []complete.Offer {
	return complete.Words(text, [][2]string{{"dns", ""}})
}
func (x *screen) SelectNode(node int) { x.node = node }
func (x *screen) MoveByte(off int)    { x.off = off }
func (x *screen) GoTo(n dissect.FrameNum) {
	x.search.Leave()
	x.packet.Select(n)
}

func open(t *testing.T) *screen {
	t.Helper()
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), 120, 30)}
	s := x.Scope()
	x.list = &listed.Packets{Session: s.Session, Store: s.Session.Store(), Dissector: s.Session.Dissector(),
		All: stats.NewTally(s.Session)}
	x.packet = selected.New(x.list, x.Later)
	x.search = New(x, x.list, x.packet)
	x.packet.Select(1)
	t.Cleanup(x.search.EndHits)
	return x
}

// next goes on by some places, and waits for what goes on beside the screen.
func (x *screen) next(step, n int) dissect.FrameNum {
	x.search.Next(step, n)
	for x.search.Seeking() {
		x.Settle()
	}
	return x.packet.Frame
}

// TestWhatIsSearchedIsTyped: Tab goes on to the next thing to look at, and Enter in the empty line searches the same
// again.
func TestWhatIsSearchedIsTyped(t *testing.T) {
	x := open(t)
	x.search.Open()
	p := x.Asked
	for _, label := range []string{"text", "the details", "find bytes", "regular expression", "by filter", "text"} {
		if !strings.Contains(p.Mode(), label) {
			t.Errorf("%q stands in front, want %q", p.Mode(), label)
		}
		p.Take(view.Typed{})
	}
	if _, problem := p.Check("(", 1); x.search.Mode != find.Details || problem != "" {
		t.Errorf("in mode %d there is the problem %q", x.search.Mode, problem)
	}
	x.search.Mode = find.Pattern
	if _, problem := p.Check("(", 1); problem == "" {
		t.Error("a regular expression that is wrong is none")
	}
	x.search.Mode = find.Filter
	offers, _ := p.Check("dn", 2)
	if len(offers) != 1 {
		t.Fatalf("offered are %v", offers)
	}
	if _, ok := p.Take(view.Typed{Text: "dn", Offer: &offers[0]}); ok {
		t.Error("Tab does not take what is offered for a filter")
	}
	x.search.Mode, x.search.Text = find.Anything, "owned"
	if says, _ := p.Says(view.Typed{}); !strings.Contains(says, "finds owned again") {
		t.Errorf("it says %q", says)
	}
	if again, ok := p.Resolve(view.Typed{}); again != "owned" || !ok {
		t.Errorf("Enter takes %q", again)
	}
	if x.Type("owned"); x.packet.Frame != 4 {
		t.Errorf("found in %d", x.packet.Frame)
	}
}

// TestFindGoesFromPacketToPacket finds a text in the packets shown, some at once, and says when there is no more.
func TestFindGoesFromPacketToPacket(t *testing.T) {
	x := open(t)
	if x.search.Find(1); x.Asked == nil {
		t.Error("nothing was asked for")
	}
	x.search.Text = "owned"
	if n := x.next(1, 1); n != 4 {
		t.Fatalf("the first one is %d", n)
	}
	if n := x.next(1, 3); n != 10 {
		t.Errorf("three further is %d", n)
	}
	for x.search.Busy() {
		runtime.Gosched()
	}
	if text := x.search.HitsText(); !strings.Contains(text, "4 of 40 found") {
		t.Errorf("of what is found it says %q", text)
	}
	sum := 0.0
	from, to := x.list.Store.Time(0), x.list.Store.Time(81)+1
	for _, v := range x.search.Spread(from, to, 50) {
		sum += v
	}
	if int(sum+0.5) != 40 {
		t.Errorf("over time there are %v", sum)
	}
	x.search.Back()
	if x.packet.Frame != 4 { // three places were one jump
		t.Errorf("back leads to %d", x.packet.Frame)
	}
	x.search.Forward()
	if x.packet.Frame != 10 {
		t.Errorf("forward leads to %d", x.packet.Frame)
	}
	x.packet.Select(82)
	if x.next(1, 1); x.Notice != "there is no further one of 40 found" {
		t.Errorf("behind the last one: %q", x.Notice)
	}
	if x.search.EndHits(); x.search.Marked() || x.search.HitsText() != "" {
		t.Error("what was found is marked still")
	}
}

// TestFindLooksInThePaneFirst: in the tree it finds a node, in the bytes a byte.
func TestFindLooksInThePaneFirst(t *testing.T) {
	x := open(t)
	x.place, x.packet.Node = InTree, 0
	x.search.Open()
	if x.search.Text = "Destination Port"; x.search.Mode != find.Details {
		t.Errorf("in the tree the search begins with %v", x.search.Mode)
	}
	x.search.Find(1)
	if f := x.packet.Tree.Field(x.node); f.Name() != "udp.dstport" {
		t.Errorf("the node found is %s", f.Name())
	}
	x.place = InBytes
	x.search.Open()
	x.search.Text = "0x9c40"
	if x.search.Find(1); x.off != 34 || x.packet.Frame != 1 {
		t.Errorf("byte %d of packet %d", x.off, x.packet.Frame)
	}
	x.place = InList
	if x.search.Open(); x.search.Mode != find.Anything {
		t.Errorf("in the list the search begins with %v", x.search.Mode)
	}
}

// TestNextOfItsKind goes along packets of one type, of one conversation, and those linked.
func TestNextOfItsKind(t *testing.T) {
	x := open(t)
	x.search.Partner()
	if x.packet.Frame != 2 {
		t.Errorf("the partner of 1 is %d", x.packet.Frame)
	}
	x.packet.Select(3)
	if x.search.SameType(2); x.packet.Frame != 7 {
		t.Errorf("two of its type on is %d", x.packet.Frame)
	}
	if x.search.SameConversation(-1); x.packet.Frame != 5 {
		t.Errorf("one back in the conversation is %d", x.packet.Frame)
	}
	f, err := x.Scope().Compile("udp.srcport == 6000")
	if err != nil {
		t.Fatal(err)
	}
	x.list.Filtered = filtered.Start(x.list.Session, f, nil)
	t.Cleanup(x.list.Filtered.Cancel)
	for int(x.list.Filtered.Decided.Load()) < x.list.Session.Passed() {
		runtime.Gosched()
	}
	if x.search.Seek(1, func(dissect.FrameNum) bool { return true }); x.packet.Frame != 6 {
		t.Errorf("from a hidden packet the next one shown is %d", x.packet.Frame)
	}
	if x.search.Seek(1, func(dissect.FrameNum) bool { return false }); x.Notice != "there is no further one" {
		t.Errorf("%q", x.Notice)
	}
}

// TestSeekGoesOnInTheBackground: beyond some rows a search goes on beside the screen; one that was given up changes
// nothing.
func TestSeekGoesOnInTheBackground(t *testing.T) {
	x := open(t)
	var looked []dissect.FrameNum
	n, at := seekRows(context.Background(), &seeking{}, x.list.Frames(), 0, 82, 1, 10, func(n dissect.FrameNum) bool {
		looked = append(looked, n)
		return false
	})
	if n != 0 || at != 10 || !slices.Equal(looked, []dissect.FrameNum{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("found %d, go on at %d, looked at %v", n, at, looked)
	}
	x.search.seekAs(1, 10, "much", func(n dissect.FrameNum) bool { return n == 40 }, nil)
	if !x.search.Seeking() || !strings.HasPrefix(x.search.Progress(), "searching much, looked at 0 of 81") {
		t.Errorf("%q", x.search.Progress())
	}
	given := x.search.seeking
	if x.Settle(); x.packet.Frame != 40 || x.search.Seeking() {
		t.Errorf("at packet %d", x.packet.Frame)
	}
	if x.search.found(given, 50); x.packet.Frame != 40 {
		t.Errorf("a search that was given up leads to %d", x.packet.Frame)
	}
}
