package ui

import "testing"

// TestEmptyListsExplainThemselves: how many packets there would be without the last term, and the ways out.
func TestEmptyListsExplainThemselves(t *testing.T) {
	for _, wh := range screens {
		x := open(t, wh[0], wh[1], Config{}).keys("/dns<enter>/<ctrl+u>dns && udp.length > 30 && udp.srcport == 7<enter>")
		x.has("no packet matches", "2 without the last term, udp.srcport == 7", "u goes back to the filter before")
		if wh[0] >= 80 {
			x.has("X shows all 82")
		}
		x.keys("u")
		if got := x.m.packets.FilterText(); got != "dns" {
			t.Errorf("u leads to %q", got)
		}
	}
	x := open(t, 120, 36, Config{}).keys("/udp.srcport == 7<enter>")
	x.has("no packet matches")
	x.hasNot("without")
	if open(t, 120, 36, Config{}).keys("/dns && udp.srcport == 7<enter><esc>").m.list.FewerBusy() {
		t.Error("the count goes on behind another filter")
	}
}
