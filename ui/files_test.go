package ui

import (
	"os"
	"path/filepath"
	"testing"

	"remora/dissect/dissecttest"
)

// write puts the first packets of the sample into a file.
func write(t *testing.T, path string, n int) {
	t.Helper()
	if err := os.WriteFile(path, dissecttest.Pcap(1, packets()[:n]), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestStoryFileSet goes through the files of a ring and lists them; what is not saved is asked for first.
func TestStoryFileSet(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"lan_00001_20240131120000.pcap", "lan_00002_20240131120100.pcap",
		"lan_00003_20240131120200.pcap", "other.pcap"} {
		write(t, filepath.Join(dir, name), 10+i)
	}
	x := openFile(t, filepath.Join(dir, "lan_00001_20240131120000.pcap"), 120, 36)
	x.keys("/dns<enter>]f").has("lan_00002_20240131120100.pcap is number 2 of the 3 files of the set", "2 of 11")
	x.keys("]f]f").has("this is number 3 of the 3 files of the set")
	x.keys("[f<wait>X2G<wait>;mine<enter>[f").has("Open another file?", "Unsaved comments")
	x.keys("n").has("11 packets")
	x.keys("[fd").has("lan_00001", "10 packets")
	x.keys("gF").has("3 captures", "lan_00003")
	x.hasNot("other.pcap")
	x.keys("j<enter>").has("11 packets")
	x = openFile(t, filepath.Join(dir, "other.pcap"), 120, 36).keys(":file-set<enter>")
	x.has("the file is of no set")
	x.keys("]f").has("the file is of no set")
}

// TestStoryReload reads a file that has grown anew: filter and packet stay.
func TestStoryReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grows.pcap")
	write(t, path, 20)
	x := openFile(t, path, 120, 36).keys("/touhou<enter><wait>9G")
	write(t, path, 40)
	x.keys("<ctrl+r>").has("read anew", "of 40")
	if x.m.selected.Frame != 9 || x.m.packets.FilterText() != "touhou" {
		t.Errorf("at packet %d with %q", x.m.selected.Frame, x.m.packets.FilterText())
	}
	x.keys("X12G;mine<enter>:reload<enter>").has("Read it anew?", "Unsaved comments")
	x.keys("d").has("read anew", "40 packets")
	if x.m.selected.Frame != 12 || len(x.m.comments.Frames()) > 0 {
		t.Errorf("at packet %d, comments on %v", x.m.selected.Frame, x.m.comments.Frames())
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	x.keys(":reload<enter>").has("no such file", "40 packets") // what was read stays
	open(t, 120, 36, Config{}).keys(":reload<enter>").has("this capture is in none")
}

// TestStoryClose closes a capture after asking, without leaving, and opens another one.
func TestStoryClose(t *testing.T) {
	x, _ := choose(t)
	x.keys("1").has("82 packets")
	x.keys("2G;mine<enter><space>gt:close<enter>").has("Close the capture?", "Unsaved comments")
	x.keys("n").has("[Packet types")
	x.keys("<ctrl+w>cd").has("Interfaces", "Recent", "game.pcap")
	if x.m.packets.Store != nil || x.m.ending.quit {
		t.Error("the capture is open still, or the program left")
	}
	x.keys("?").has("Choosing a source")
	x.keys("<esc>1").has("[Packets]", "82 packets")
	if len(x.m.comments.Frames()) > 0 {
		t.Error("something of the capture that was closed is left")
	}
	open(t, 80, 24, Config{}).keys(":close<enter>").has("there is nothing else to choose here")
	x.keys(":close<enter>q")
	if !x.m.ending.quit {
		t.Error("q does not leave where nothing is open")
	}
}
