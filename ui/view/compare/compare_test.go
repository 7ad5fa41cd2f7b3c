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
