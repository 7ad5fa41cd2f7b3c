package expert

import (
	"testing"

	"remora/protocols"
	"remora/ui/view/viewtest"
)

func file(t *testing.T, name string, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenFile(t, protocols.All(), "../../../fixtures/captures/"+name, w, h)
}

// TestNotesAreCountedAndFiltered: what a line counts is what its filter shows, and Enter below goes to a packet.
func TestNotesAreCountedAndFiltered(t *testing.T) {
	x := file(t, "lan/lan.pcapng", 120, 32)
	v := New(x)
	x.Show(v)
	if len(v.notes) == 0 {
		t.Fatal("no notes")
	}
	for _, k := range v.notes {
		if got := x.Matching(k.Field.Name()); got != k.Packets {
			t.Errorf("%s shows %d packets, counted %d", k.Field.Name(), got, k.Packets)
		}
	}
	frame := v.notes[0].Frames[0]
	if x.Keys("<tab><enter>"); x.View != nil || x.List().Current() != frame {
		t.Errorf("at packet %d, want %d", x.List().Current(), frame)
	}
	x.Show(v).Keys("<tab>o")
	if got := x.Scope().FilterText(); got != v.notes[0].Field.Name() {
		t.Errorf("the filter is %q", got)
	}
}

// TestNarrowSummaries: on a narrow screen what a note says stands in full rather than its filter, which the line below
// names then.
func TestNarrowSummaries(t *testing.T) {
	x := file(t, "lan/lan.pcapng", 60, 24)
	x.Show(New(x)).Has("Summary", "The time to live is nearly used up").HasNot("Filter")
	x.Has(x.View.(*View).notes[0].Field.Name() + "  ")
}

// TestPacketsHaveTitles: the packets below have the columns' titles where there is room, and a click still finds the
// packet that it points to.
func TestPacketsHaveTitles(t *testing.T) {
	x := file(t, "lan/lan.pcapng", 120, 32)
	v := New(x)
	x.Show(v).Has("  No. Info")
	top := 1 + v.upper(32) + 1
	if v.Click(5, top+v.headed(32-top)); !v.below || v.frames.Cur != 0 {
		t.Errorf("a click on the first packet: below %v, line %d", v.below, v.frames.Cur)
	}
	if got := v.headed(3); got != 0 {
		t.Errorf("titles take %d of three lines", got)
	}
}
