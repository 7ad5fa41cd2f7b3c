package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect/dissecttest"
	"remora/internal/userdirs"
	"remora/protocols"
	"remora/ui/control"
)

// choose opens the screen of sources, with a file that can be opened.
func choose(t *testing.T) (*screen, string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "game.pcap")
	if err := os.WriteFile(file, dissecttest.Pcap(1, packets()), 0o600); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(dir, "state")
	if err := userdirs.NewList(state, "recent", 9).Add(file); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("SUDO_UID", "")
	x := &screen{t,
		newModel(context.Background(),
			Config{Registry: dissecttest.Registry(t, protocols.All()), State: state, Settings: Settings{TimeFormat: "r"},
				Open: func(path string) (*capture.Store, error) {
					return pcapfile.Open(context.Background(), path, capture.Options{})
				},
				Live: func(capture.Options) (*capture.Store, error) { return nil, errors.New("no capture in this test") }})}
	t.Cleanup(x.m.closeAll)
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	x.send(tick{})
	return x, file
}

func TestChooseARecentFile(t *testing.T) {
	x, file := choose(t)
	x.has("Interfaces", "lo", "Recent", "game.pcap", "captures everything")
	x.keys("1")
	x.has("82 packets")
	if got := x.m.lists.recent.Lines(); len(got) != 1 || got[0] != file {
		t.Errorf("recent files: %q", got)
	}
}

// TestChooserFields changes how packets will be captured, with the keys that the line of settings names.
func TestChooserFields(t *testing.T) {
	x, _ := choose(t)
	x.keys("b64 MiB<enter>n96<enter>aduration:60 packets:5<enter>w/tmp/none.pcapng<enter>p")
	want := capture.Options{Keep: 64 << 20, SnapLen: 96, NoPromisc: true, Write: "/tmp/none.pcapng",
		Stop: capture.StopRules{Duration: time.Minute, Packets: 5}}
	if got := x.m.cfg.Capture; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	x.has("64 MiB", "96 B", "duration:60 packets:5", "/tmp/none.pcapng")
	x.keys("bmuch")
	x.has("is not a size")
	x.keys("<enter>")
	x.has("is not a size")
	x.keys("<esc>")
	if x.m.cfg.Capture.Keep != 64<<20 {
		t.Error("Esc does not leave it as it was")
	}
}

func TestChooserByMouse(t *testing.T) {
	x, file := choose(t)
	x.text()
	at := func(what string) (y int) {
		for i, l := range strings.Split(x.text(), "\n") {
			if strings.Contains(l, what) {
				return i
			}
		}
		t.Fatalf("no %q:\n%s", what, x.text())
		return 0
	}
	click := func(x0, y int) { x.send(tea.MouseClickMsg{X: x0, Y: y, Button: tea.MouseLeft}) }
	click(4, at("] lo "))
	x.has("[x] lo ")
	click(20, at("Capture filter"))
	x.keys("port")
	x.has("✗ ")
	x.keys("<ctrl+u><esc>")
	click(20, at("game.pcap"))
	if x.m.chooser == nil {
		t.Fatal("one click opens a file")
	}
	click(20, at("game.pcap"))
	x.settle()
	x.has("82 packets")
	if x.m.capture.file != file {
		t.Errorf("%q is open", x.m.capture.file)
	}
}

// TestOpenFromTheScreen goes from one capture to the choice and back, and to another file, and plays it.
func TestOpenFromTheScreen(t *testing.T) {
	x, file := choose(t)
	x.keys("1")
	x.has("82 packets")
	x.keys("<ctrl+o>")
	x.has("Choose a capture source", "q back")
	x.keys("q")
	x.has("82 packets")
	other := filepath.Join(filepath.Dir(file), "other.pcap")
	if err := os.WriteFile(other, dissecttest.Pcap(1, packets()[:7]), 0o600); err != nil {
		t.Fatal(err)
	}
	x.keys(":open " + other + "<enter>")
	x.has("7 packets")
	var speed float64
	play := func(path string, s float64) (*capture.Store, error) {
		speed = s
		return pcapfile.Open(context.Background(), path, capture.Options{Pace: 1e6})
	}
	x.m.control = control.New(controlContext{favouritesContext{viewContext{x.m}}},
		control.Sources{Open: x.m.cfg.Open, Play: play}, x.m.saver)
	x.keys(":play 20<enter>")
	if speed != 20 {
		t.Errorf("played at %g", speed)
	}
	x.has("7 packets")
	x.keys(":open /none/such.pcap<enter>")
	x.has("nor a folder")
}

func TestSessionsOfRecentFiles(t *testing.T) {
	l := newLists(t.TempDir(), viewContext{})
	l.keepSessions("/a b.pcap", 2)
	l.keepSessions("/a b.pcap", 3)
	l.keepSessions("/c.pcap", 1)
	if got := l.sessionCounts(); len(got) != 2 || got["/a b.pcap"] != 3 || got["/c.pcap"] != 1 {
		t.Errorf("%v", got)
	}
}

// TestHelpWhereASourceIsChosen shows the keys of the chooser, and Enter does what the line says.
func TestHelpWhereASourceIsChosen(t *testing.T) {
	x, _ := choose(t)
	x.keys("?")
	x.has("Choosing a source", "capture on another machine, over ssh", "Enter runs the line")
	x.hasNot("next packet of the same type")
	x.keys("another mach<enter>")
	x.has("ssh://")
	x.keys("<esc>?<esc>")
	x.has("Choose a capture source")
	x.hasNot("Enter runs the line")
}
