package ui

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
)

// TestPickedPacketsAreSavedAlone: Tab in the line that asks for a file turns from the packets shown to those picked,
// whatever the filter is.
func TestPickedPacketsAreSavedAlone(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36)
	path := filepath.Join(t.TempDir(), "picked.pcapng")
	x.keys("gg  /dns<enter>w").has("save shown packets to", "Tab: those picked")
	x.keys("<tab>").has("save 2 picked packets to", "Tab: those shown")
	x.keys(path + "<enter>").has("2 packets saved")
	store, err := pcapfile.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for !store.Status().Done {
		x.settle()
	}
	if store.Len() != 2 || store.Time(1) != x.m.packets.Store.Time(1) {
		t.Errorf("%d packets", store.Len())
	}
	x.keys("w").has("save shown packets to") // and not those picked again
}

// TestPicksComeBack: Esc pressed once too often costs nothing.
func TestPicksComeBack(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("gg   ")
	x.has("3 picked")
	x.keys("<esc>").has("u picks them again")
	if n := len(x.m.marks.Picked()); n != 0 {
		t.Errorf("%d are picked", n)
	}
	if x.keys("u"); len(x.m.marks.Picked()) != 3 {
		t.Errorf("%d came back", len(x.m.marks.Picked()))
	}
}

// TestTheLineOfAViewIsTheFilter: what filters by a field in the list does so by the line in a view.
func TestTheLineOfAViewIsTheFilter(t *testing.T) {
	x := open(t, 120, 36, Config{})
	for keys, want := range map[string]string{"=": "udp", "o": "udp", "as": "udp", "aA": "!(udp)"} {
		x.keys("gggcX").keys("3G" + keys)
		if got := x.m.packets.FilterText(); got != want {
			t.Errorf("%s filters by %q, want %q", keys, got, want)
		}
		x.keys("qX")
	}
	x.keys("gc").keys("3G=").keys("<enter>")
	if got := x.m.packets.FilterText(); got != "udp" {
		t.Errorf("the same filter twice is %q", got)
	}
}

// TestAHexDumpIsImported, with the options of text2pcap behind its name.
func TestAHexDumpIsImported(t *testing.T) {
	var got []string
	x := open(t, 120, 36, Config{Import: func(path, options string) (*capture.Store, error) {
		got = append(got, path, options)
		return nil, errors.New("no hex dump")
	}})
	x.keys(":import a b.txt -u 1,2 -a<enter>:import c-d.txt<enter>").has("no hex dump")
	if text := strings.Join(got, "|"); text != "a b.txt|-u 1,2 -a|c-d.txt|" {
		t.Errorf("it is told %q", text)
	}
}

// TestWordsFindWhatANewcomerLooksFor in the palette.
func TestWordsFindWhatANewcomerLooksFor(t *testing.T) {
	x := open(t, 120, 36, Config{})
	for words, want := range map[string]string{"slowest": ":response-times", "picked save": ":w FILE",
		"hex dump": ":import FILE"} {
		x.keys(":" + words).has(want)
		x.keys("<esc>")
	}
}
