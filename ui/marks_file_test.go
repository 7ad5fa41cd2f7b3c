package ui

import (
	"path/filepath"
	"slices"
	"testing"

	"remora/dissect"
	"remora/ui/marks"
)

// TestMarksGoAlongWithTheFile saves marks, opens the file again, moves and removes some, and saves in place.
func TestMarksGoAlongWithTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept.pcapng")
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36)
	x.keys("5Gma9GmB2G;a remark<enter>2Gmc")
	x.keys("12G <up>")
	x.keys("qn") // only the comment is unsaved
	x.keys(":w " + path + "<enter>")
	x.has("82 packets saved")

	x = openFile(t, path, 120, 36)
	if m := x.m.marks; string(m.Letters()) != "Bac" || m.Frame('a') != 5 || m.Frame('B') != 9 || m.Frame('c') != 2 ||
		m.Changed() {
		t.Fatalf("the marks are %q, on %v", string(m.Letters()), m.All())
	}
	if picked := x.m.marks.Picked(); !slices.Equal(picked, []dissect.FrameNum{12}) {
		t.Errorf("picked are %v", picked)
	}
	if got := x.m.packets.Store.Comments(1); !slices.Equal(got, []string{"a remark", "mark c"}) {
		t.Errorf("the comments of a marked packet are %q", got)
	}
	if x.m.packets.Store.CommentsChanged() {
		t.Error("reading marks makes them unsaved")
	}
	x.keys("'a")
	if x.m.selected.Frame != 5 {
		t.Errorf("'a goes to %d", x.m.selected.Frame)
	}
	x.keys("ma" + "7GmB" + "12G 14G ") // takes a away, moves B, picks another packet
	if x.m.packets.Store.CommentsChanged() {
		t.Error("a mark alone makes the file unsaved")
	}
	x.keys(":w<enter>")
	x.has("82 packets saved")

	x = openFile(t, path, 120, 36)
	if m := x.m.marks; string(m.Letters()) != "Bc" || m.Frame('B') != 7 || m.Frame('c') != 2 {
		t.Errorf("after all that the marks are %q, on %v", string(m.Letters()), m.All())
	}
	if picked := x.m.marks.Picked(); !slices.Equal(picked, []dissect.FrameNum{14}) {
		t.Errorf("after all that picked are %v", picked)
	}
	if x.m.packets.Store.HasComment(4) || x.m.packets.Store.HasComment(11) || x.m.packets.Store.HasComment(8) {
		t.Error("a mark that was taken away left its comment")
	}
}

// TestMarksAreNoLossForPcap saves to a format without comments: marks alone ask nothing.
func TestMarksAreNoLossForPcap(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36).keys("5Gma")
	x.keys(":w " + filepath.Join(t.TempDir(), "x.pcap") + "<enter>")
	x.hasNot("Save without comments?")
	x.has("saved")
	for text, want := range map[string]rune{"mark a": 'a', "mark Z": 'Z', "mark 1": 0, "mark ab": 0, "a mark": 0,
		"mark ": 0} {
		if got := marks.OfComment(text); got != want {
			t.Errorf("%q is the mark %q, want %q", text, got, want)
		}
	}
}
