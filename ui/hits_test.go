package ui

import (
	"testing"
)

// TestHitsAreCounted finds a text, counts it, and goes through it both ways; the filter that is on counts, too.
func TestHitsAreCounted(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("40G")
	x.m.search.Text = "GAME_INPUT"
	x.keys("n")
	if x.m.selected.Frame != 41 {
		t.Fatalf("n went to %d", x.m.selected.Frame)
	}
	x.has("20 of 40 found")
	x.keys("N")
	if x.m.selected.Frame != 39 {
		t.Errorf("N went to %d", x.m.selected.Frame)
	}
	x.keys("ggn")
	if x.m.selected.Frame != 3 {
		t.Errorf("from the first packet n went to %d", x.m.selected.Frame)
	}
	x.keys("N")
	x.has("there is no further one")
	x.keys("/udp.srcport == 6000 || frame.number == 5<enter>")
	x.keys("n")
	x.has("of 1 found")
	x.keys("<esc>")
	if x.m.search.Marked() || x.m.packets.Filtered == nil {
		t.Error("the first Esc ends the search, not the filter")
	}
}
