package tree

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/listed"
	"remora/ui/paint"
	"remora/ui/selected"
	"remora/ui/view/viewtest"
)

// screen shows the pane alone.
type screen struct {
	*viewtest.Screen
	t      *testing.T
	packet *selected.Packet
	list   *listed.Packets
	pane   *Pane
	chosen int // how often a line was chosen
	gone   dissect.FrameNum
}

func (x *screen) Focused() bool           { return true }
func (x *screen) Height() int             { return x.H }
func (x *screen) Chose()                  { x.chosen++ }
func (x *screen) GoTo(n dissect.FrameNum) { x.gone = n }

// open shows the tree of a packet of the sample.
func open(t *testing.T, w, h int, n dissect.FrameNum) *screen {
	t.Helper()
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), w, h), t: t}
	s := x.Scope()
	x.list = &listed.Packets{Session: s.Session, Store: s.Session.Store(), Dissector: s.Session.Dissector(), All: s.All}
	x.packet = selected.New(x.list, x.Later)
	x.pane = New(x, x.packet)
	x.sel(n)
	return x
}

// sel selects a packet.
func (x *screen) sel(n dissect.FrameNum) {
	x.packet.Select(n)
	x.pane.Settle()
}

// field is the name of the selected field.
func (x *screen) field() string { return x.packet.Tree.Field(x.packet.Node).Name() }

// text is the picture of the pane, whose lines must have its width.
func (x *screen) text() string {
	x.t.Helper()
	lines := x.pane.Draw(x.W, x.H)
	if len(lines) != x.H {
		x.t.Errorf("%d lines of %d", len(lines), x.H)
	}
	for i, l := range lines {
		if w := paint.Width(l); w != x.W {
			x.t.Errorf("line %d is %d wide, not %d: %s", i, w, x.W, l)
		}
	}
	return ansi.Strip(strings.Join(lines, "\n"))
}

func (x *screen) has(parts ...string) {
	x.t.Helper()
	for _, p := range parts {
		if text := x.text(); !strings.Contains(text, p) {
			x.t.Errorf("%q is not in\n%s", p, text)
		}
	}
}

// TestKeysOfTheTree move by lines and pages, fold and unfold; a count before g and G is the number of a packet.
func TestKeysOfTheTree(t *testing.T) {
	x := open(t, 80, 6, 5)
	x.pane.FoldAll(true)
	for _, step := range []struct {
		does      act.Action
		count, at int
	}{{act.First, 0, 0}, {act.Down, 3, 3}, {act.PageDown, 0, 8}, {act.HalfDown, 2, 12}, {act.PageUp, 1, 7}, {act.Up, 0, 6},
		{act.Last, 0, x.pane.Lines() - 1}, {act.First, 0, 0}} {
		if !x.pane.Update(step.does, step.count) || x.pane.Line() != step.at {
			t.Errorf("%d %s leads to line %d, want %d", step.count, step.does.Name(), x.pane.Line(), step.at)
		}
	}
	all := x.pane.Lines()
	if !x.pane.Update(act.Left, 0) || x.pane.Lines() == all {
		t.Error("the layer stays open")
	}
	if !x.pane.Update(act.Open, 0) || x.pane.Lines() != all || !x.pane.Update(act.Right, 0) {
		t.Error("the layer is not opened again")
	}
	if x.pane.Update(act.Last, 5) || x.pane.Update(act.Sort, 0) {
		t.Error("a key that is none of the tree's is taken")
	}
}

// TestFieldStaysSelected: the packet's own protocol is open and selected at first, and the field chosen in one packet
// is selected in the next one.
func TestFieldStaysSelected(t *testing.T) {
	x := open(t, 80, 30, 3)
	x.has("▾ ", "▸ Ethernet II")
	if x.field() != "touhou" {
		t.Fatalf("%s is selected at first", x.field())
	}
	x.packet.Byte = 0
	x.pane.Step(2)
	field, off := x.field(), int(x.packet.Tree.Nodes[x.packet.Node].Off)
	if field == "touhou" || x.packet.Byte != off || x.chosen != 1 {
		t.Errorf("%s is selected, byte %d, of which %d choices", field, x.packet.Byte, x.chosen)
	}
	x.sel(5)
	if x.field() != field || x.packet.Byte != int(x.packet.Tree.Nodes[x.packet.Node].Off) {
		t.Errorf("in the next packet %s is selected, byte %d", x.field(), x.packet.Byte)
	}
}

// TestFolding opens and closes nodes; closing what is closed goes to its parent.
func TestFolding(t *testing.T) {
	x := open(t, 80, 60, 1)
	some := x.pane.Lines()
	x.pane.FoldAll(true)
	all := x.pane.Lines()
	x.pane.Edge(false)
	x.pane.FoldBelow(false)
	if first := x.pane.Lines(); all <= some || first >= all {
		t.Errorf("%d lines at first, %d of all, %d without the first node's", some, all, first)
	}
	x.pane.FoldAll(false)
	if n := x.pane.Lines(); n >= some || x.packet.Tree.Parent(x.packet.Node) >= 0 {
		t.Errorf("%d lines with all closed, node %d selected", n, x.packet.Node)
	}
	x.pane.FoldAll(true)
	x.pane.Edge(true)
	leaf := x.packet.Node
	x.pane.Fold(-1)
	if x.packet.Node != x.packet.Tree.Parent(leaf) {
		t.Errorf("closing node %d selects %d", leaf, x.packet.Node)
	}
}

// TestSelectOpensWhatHides: a node below closed ones is shown when it is selected, and the byte under the cursor stays.
func TestSelectOpensWhatHides(t *testing.T) {
	x := open(t, 80, 10, 1)
	x.pane.FoldAll(false)
	i := x.packet.Tree.Find(x.Scope().Session.Registry().Field("udp.dstport"))
	x.packet.Byte = 37
	if x.pane.Select(i); x.packet.Node != i || x.packet.Byte != 37 {
		t.Errorf("node %d is selected, not %d, and byte %d", x.packet.Node, i, x.packet.Byte)
	}
	x.has("Destination Port: 53")
}

// TestLinksLeadOn: Enter on a link goes to its packet, a second click on a line is Enter.
func TestLinksLeadOn(t *testing.T) {
	x := open(t, 80, 60, 2)
	if x.packet.Partner() != 1 {
		t.Fatalf("the partner of 2 is %d", x.packet.Partner())
	}
	for i := range x.packet.Tree.Nodes {
		if x.packet.Tree.Field(i).Type() == dissect.TypeFrame {
			x.pane.Select(i)
		}
	}
	x.pane.Enter()
	if x.gone != 1 {
		t.Errorf("the link leads to %d", x.gone)
	}
	x.pane.Edge(false)
	before := x.pane.Lines()
	x.pane.Click(0)
	if x.pane.Lines() == before {
		t.Error("a click on the selected line changes nothing")
	}
}

// TestIgnoredPacketSaysSo: nothing of a packet that is ignored is shown but its first line.
func TestIgnoredPacketSaysSo(t *testing.T) {
	x := open(t, 80, 10, 1)
	x.list.Ignored = map[dissect.FrameNum]bool{1: true}
	x.pane.Settle()
	x.has("the packet is ignored; i takes it back")
	if x.pane.Lines() != 1 {
		t.Errorf("%d lines are shown", x.pane.Lines())
	}
}

// TestExplain says what a field is and who tells of it.
func TestExplain(t *testing.T) {
	x := open(t, 80, 30, 1)
	x.pane.Select(x.packet.Tree.Find(x.Scope().Session.Registry().Field("udp.dstport")))
	title, lines := x.pane.Explain()
	if text := strings.Join(lines, " "); title != "Destination Port" || !strings.Contains(text, "udp.dstport") ||
		!strings.Contains(text, "bytes 36–37") {
		t.Errorf("%s: %s", title, text)
	}
}

func TestBitsMakeRoomForTheirName(t *testing.T) {
	const label = ".... .... .... 0000 0000 0000 0011 0100 = Size: 52"
	for n, want := range map[int]string{60: label, 20: "Size: 52", 6: "Size:…"} {
		if got := strings.TrimRight(fitLabel(label, n), " "); got != want {
			t.Errorf("in %d cells it is %q, want %q", n, got, want)
		}
	}
}
