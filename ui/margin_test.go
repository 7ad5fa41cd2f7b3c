package ui

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/ui/columns"
	listpane "remora/ui/pane/list"
)

// margin is what stands in front of a packet's row.
func (x *screen) margin(n dissect.FrameNum) string {
	x.t.Helper()
	p := x.m.room.layout().list
	row := strings.Split(x.text(), "\n")[p.y+1+x.m.packets.Row(n)-x.m.list.Top()]
	return string([]rune(row)[:listpane.Margin])
}

// TestBracketJoinsTheConversation follows the bracket of a conversation from its first to its last packet, past marks,
// a comment and a filter.
func TestBracketJoinsTheConversation(t *testing.T) {
	x := open(t, 120, 50, Config{}).keys("5G")
	for n, want := range map[dissect.FrameNum]string{3: " ┌  ", 4: "    ", 5: "▸   ", 7: " │  "} {
		if got := x.margin(n); got != want {
			t.Errorf("packet %d has %q in front, want %q", n, got, want)
		}
	}
	x.keys("ma7G")
	if got := x.margin(5); got != "a│  " {
		t.Errorf("a marked packet of the conversation has %q in front", got)
	}
	x.keys("G")
	x.keys("k") // the last of the game
	if got := x.margin(81); got != "▸   " {
		t.Errorf("the selected packet has %q in front", got)
	}
	x.keys("kk")
	if got := x.margin(81); got != " └  " {
		t.Errorf("the last packet has %q in front", got)
	}
	x.keys("gg")
	if got := x.margin(2); got != " ├  " {
		t.Errorf("the answer has %q in front", got)
	}
	x.keys(":sort -No.<enter>")
	x.keys("5G")
	if got := x.margin(3); got != " │  " {
		t.Errorf("in a sorted list the first packet has %q in front", got)
	}
}

func TestGapsToTheConversationAndTheType(t *testing.T) {
	x := open(t, 200, 50, Config{})
	x.m.palette.Do("column Δ conv")
	x.m.palette.Do("column Δ type")
	x.keys("5G")
	x.has("Δ conv", "Δ type", "2.00")
	cells := x.m.list.Cells(2)
	conv, kind := -1, -1
	for i, c := range x.m.list.Columns {
		switch c.Kind {
		case columns.DeltaConversation:
			conv = i
		case columns.DeltaType:
			kind = i
		}
	}
	if conv < 0 || kind < 0 || cells[conv] != "1.00" || cells[kind] != "" {
		t.Errorf("the answer comes %q after the question and %q after an answer before", cells[conv], cells[kind])
	}
	x.m.palette.Do("sort -Δ conv")
	x.keys("gg")
	if first := x.m.packets.Frame(0); x.m.list.Cells(first)[conv] != "2.00" {
		t.Errorf("sorted by the gap in the conversation, packet %d comes first", first)
	}
}

// TestInfoUnfoldsInTheLastLines: what the list cuts stands there whole, and only that.
func TestInfoUnfoldsInTheLastLines(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("2G")
	x.has("10.0.0.2:53 → 10.0.0.1:40000  DNS  91  Standard query response 0x1234 A www.example.org A 192.0.2.1")
	x = open(t, 60, 16, Config{}).keys("2G")
	x.has(" Standard query response 0x1234 A www.example.org A 192")
	x = open(t, 200, 50, Config{}).keys("3G")
	if n := strings.Count(x.text(), "select f 0 client"); n != 1 {
		t.Errorf("Info that fits stands on the screen %d times", n)
	}
}

func TestFoldBelow(t *testing.T) {
	x := open(t, 120, 50, Config{}).keys("2G<tab>")
	x.keys("zMgg")
	x.m.tree.MoveTo(x.m.tree.Lines() - 1) // the answer's own protocol
	shut := x.m.tree.Lines()
	x.keys("zO")
	all, below := x.m.tree.Lines(), 0
	for i, j := x.m.selected.Node, x.m.selected.Node+1; j < x.m.selected.Tree.End(i); j++ {
		if !x.m.selected.Tree.Field(j).IsHidden() {
			below++
		}
	}
	if all-shut != below || below < 20 {
		t.Errorf("all below is open: %d lines more, want %d", all-shut, below)
	}
	x.keys("zC")
	if got := x.m.tree.Lines(); got != shut {
		t.Errorf("closed again there are %d lines, want %d", got, shut)
	}
}
