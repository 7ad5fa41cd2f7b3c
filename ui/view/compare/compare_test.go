package compare

import (
	"strings"
	"testing"

	"remora/protocols"
	"remora/ui/view/viewtest"
)

func sample(t *testing.T, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenSample(t, protocols.All(), w, h)
}

// TestComparesTwoPackets of a type: what differs, by how much, what is usual, and the next one.
func TestComparesTwoPackets(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x, 3, 7, [2]string{"picked", "picked"})
	x.Show(v).Has("A and B picked", "Of frame", "each time").Keys("x").Has("earlier")
	x.Keys("*")
	next, ok := x.View.(*View)
	if !ok || next.b.Frame != 9 {
		t.Fatalf("* leads to %v", x.View)
	}
	x.Keys("yy")
	if !strings.Contains(x.Copied, "touhou.input.frame") {
		t.Errorf("copied %q", x.Copied)
	}
	if x.Keys("<enter>"); x.List().Current() != 9 || x.View != nil {
		t.Errorf("Enter leads to %d", x.List().Current())
	}
}

// TestBytesOfTheField: the line of counts has the bytes of the field under the cursor, in both packets.
func TestBytesOfTheField(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x, 1, 2, [2]string{"picked", "picked"})
	x.Show(v)
	for i, row := range v.lines {
		if row.B >= 0 && v.b.Field(row.B).Name() == "dns.count.answers" {
			v.table.Cur = i
		}
	}
	if got := v.Status(); !strings.Contains(got, "; bytes A 00 00, B 00 01") {
		t.Errorf("the status is %q", got)
	}
}

// TestTheHeadFits: where there is little room the ends go, and then the types, but neither packet is cut.
func TestTheHeadFits(t *testing.T) {
	for _, w := range []int{40, 60, 80, 120, 200} {
		x := sample(t, w, 16)
		x.Show(New(x, 3, 7, [2]string{"picked", "picked"}))
		head := strings.Split(x.Text(), "\n")[0]
		if strings.Contains(head, "…") || !strings.Contains(head, " A ") || !strings.Contains(head, " B ") ||
			!strings.Contains(head, "differ") {
			t.Errorf("at %d cells: %q", w, head)
		}
	}
}
