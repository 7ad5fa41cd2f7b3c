package ui

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
)

// marked opens a file with a folder for what is kept between runs.
func marked(t *testing.T, path, state string) *screen {
	t.Helper()
	x := openFile(t, path, 120, 36)
	x.m.marks.In(newLists(state, viewContext{x.m}).marks)
	x.m.rememberFile(path)
	x.m.marks.Clear()
	x.settle()
	return x
}

// TestMarksAndCommentsDoNotMix: marks are kept beside the file, in which there are the words of comments alone.
func TestMarksAndCommentsDoNotMix(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "kept.pcapng")
	x := marked(t, sampleFile(t, "talk.pcap"), state)
	x.keys("5Gma9GmB2G;a remark<enter>2Gmc")
	x.keys("12G <up>")
	x.keys("qn") // only the comment is unsaved
	x.keys(":w " + path + "<enter>")
	x.has("82 packets saved")

	x = marked(t, path, state)
	if m := x.m.marks; string(m.Letters()) != "Bac" || m.Frame('a') != 5 || m.Frame('B') != 9 || m.Frame('c') != 2 {
		t.Fatalf("the marks are %q, on %v", string(m.Letters()), m.All())
	}
	if picked := x.m.marks.Picked(); !slices.Equal(picked, []dissect.FrameNum{12}) {
		t.Errorf("picked are %v", picked)
	}
	if got := x.m.packets.Store.Commented(); !slices.Equal(got, []int{1}) ||
		!slices.Equal(x.m.packets.Store.Comments(1), []string{"a remark"}) {
		t.Errorf("the comments are %v, of a marked packet %q", got, x.m.packets.Store.Comments(1))
	}
	if tshark, err := exec.LookPath("tshark"); err == nil {
		out, err := exec.Command(tshark, "-r", path, "-Y", "frame.comment", "-T", "fields", "-e", "frame.comment").Output()
		if err != nil || strings.TrimSpace(string(out)) != "a remark" {
			t.Errorf("tshark reads %q (%v)", out, err)
		}
	}
	x.keys("'a")
	if x.m.selected.Frame != 5 {
		t.Errorf("'a goes to %d", x.m.selected.Frame)
	}
	x.keys("ma" + "7GmB" + "12G 14G ") // takes a away, moves B, picks another packet
	if x.m.saver.Unsaved() != "" {
		t.Error("a mark alone makes the file unsaved")
	}
	x.keys("/frame.number in {7..9}<enter>:w " + filepath.Join(dir, "part.pcap") + "<enter>")
	x.has("3 packets saved")

	x = marked(t, path, state)
	if m := x.m.marks; string(m.Letters()) != "Bc" || m.Frame('B') != 7 || m.Frame('c') != 2 ||
		!slices.Equal(m.Picked(), []dissect.FrameNum{14}) {
		t.Errorf("after all that the marks are %q, on %v", string(m.Letters()), m.All())
	}
	x = marked(t, filepath.Join(dir, "part.pcap"), state)
	if m := x.m.marks; string(m.Letters()) != "B" || m.Frame('B') != 1 || len(m.Picked()) > 0 {
		t.Errorf("in a part the marks are %q, on %v", string(m.Letters()), m.All())
	}
	if _, err := os.Stat(filepath.Join(state, "marks")); err != nil {
		t.Error(err)
	}
}

// TestMarksAreNoLossForPcap saves to a format without comments: marks alone ask nothing.
func TestMarksAreNoLossForPcap(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36).keys("5Gma")
	x.keys(":w " + filepath.Join(t.TempDir(), "x.pcap") + "<enter>")
	x.hasNot("Save without comments?")
	x.has("saved")
}
