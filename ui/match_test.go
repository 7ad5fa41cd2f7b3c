package ui

import (
	"path/filepath"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/ui/control"
)

// openCaptured shows a recorded capture.
func openCaptured(t *testing.T, name string, w, h int, cfg Config) *screen {
	t.Helper()
	x := open(t, w, h, cfg)
	store, err := pcapfile.Open(t.Context(), filepath.Join("../fixtures/captures", name), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x.m.show(control.Opened{Store: store})
	x.settle()
	return x
}

// TestPageOfGamesAlone: --page games has the whole screen, from the first line to the last; Enter leads from a stall to
// its packet, gm back to the page under the header, and q from the page to the packets.
func TestPageOfGamesAlone(t *testing.T) {
	x := openCaptured(t, "kaillera/lossy.pcapng", 80, 24, Config{Page: "games"})
	lines := strings.Split(x.text(), "\n")
	if len(lines) != 24 || !strings.HasPrefix(lines[0], " Kaillera  Chess") {
		t.Fatalf("%d lines:\n%s", len(lines), x.text())
	}
	x.has("209.1 ms, waiting for P3 cid")
	x.hasNot("Packet types")
	x.keys("<enter>").has("Packets")
	if x.m.selected.Frame != 989 {
		t.Errorf("Enter leads to packet %d", x.m.selected.Frame)
	}
	x.keys("gm").has("Packets", "waiting for P3 cid", "last minute")
	x.keys("q").hasNot("waiting for P3 cid")
	x.keys(":match<enter>").has("waiting for P3 cid")
	x.m.foot.Notice = ""
	x = openCaptured(t, "kaillera/lossy.pcapng", 80, 24, Config{Page: "games"})
	x.keys("q").has("Packets")
	x.hasNot("waiting for P3 cid")
	if x.m.ending.quit {
		t.Error("q on the page ends the program")
	}
}
