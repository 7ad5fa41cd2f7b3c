package flow

import (
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/view/viewtest"
)

// TestPacketsAreArrows: each packet is an arrow from its source to its destination, with its type on it; ports are told
// apart when that is wanted, and Enter leads to the packet.
func TestPacketsAreArrows(t *testing.T) {
	x := viewtest.OpenSample(t, protocols.All(), 200, 20)
	x.Show(New(x)).Has("10.0.0.1", "10.0.0.5", "82 packets between 5 ends")
	lines := strings.Split(x.Text(), "\n")
	if q, a := lines[2], lines[3]; !strings.Contains(q, "▸│") || !strings.Contains(a, "│◂") ||
		!strings.Contains(q, "www.example.org") {
		t.Errorf("a question and its answer are\n%s\n%s", q, a)
	}
	x.Keys("4j"+"v").Has("10.0.0.1:40000", "82 packets between 6 ends")
	if at := x.View.(*View).table.Cur; at != 4 {
		t.Errorf("the cursor went to line %d", at)
	}
	if rows := x.View.(*View).Sheet().Rows(); len(rows) != 82 || rows[0][2] != "10.0.0.1:40000" {
		t.Errorf("%d lines are exported, the first %v", len(rows), rows[0])
	}
	x.Keys("<enter>")
	if x.List().Current() != 5 {
		t.Errorf("Enter led to packet %d", x.List().Current())
	}
}

// TestSomePacketsWithNotes: the packets that were asked for, in their order, a note in the place of one's Info.
func TestSomePacketsWithNotes(t *testing.T) {
	x := viewtest.OpenSample(t, protocols.All(), 120, 20)
	x.Show(Of(x, "A call", []dissect.FrameNum{1, 2, 7}, map[dissect.FrameNum]string{7: "51 packets follow"}))
	x.Has("A call", "51 packets follow", "3 packets between 3 ends").HasNot("10.0.0.5")
}

// TestEndsWithMostArrowsHaveLines: where there is room for few ends those that say most have a line, in their order.
func TestEndsWithMostArrowsHaveLines(t *testing.T) {
	g, end := &graph{}, func(n byte) dissect.Endpoint {
		return dissect.Endpoint{Addr: dissect.IPv4Addr([]byte{10, 0, 0, n})}
	}
	for i, ends := range [][2]byte{{1, 2}, {3, 4}, {5, 4}, {4, 5}, {4, 5}} {
		g.add(dissect.FrameNum(i+1), end(ends[0]), end(ends[1]), false)
	}
	at, own := g.lines(3)
	if !slices.Equal(own, []int{3, 4}) || !slices.Equal(at, []int{2, 2, 2, 0, 1}) {
		t.Errorf("lines of their own have %v, all are at %v", own, at)
	}
	if at, own = g.lines(5); len(own) != 5 || !slices.Equal(at, own) {
		t.Errorf("with room for all, %v have lines, at %v", own, at)
	}
}

// TestFlowFitsEverySize also with more ends than there is room for.
func TestFlowFitsEverySize(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {200, 50}} {
		x := viewtest.OpenSample(t, protocols.All(), size[0], size[1])
		x.Show(New(x)).Has("Flow graph").Keys("G" + "v").Has("82 packets")
	}
}
