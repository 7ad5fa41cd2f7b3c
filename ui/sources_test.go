package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/dissect/dissecttest"
	"remora/internal/home"
	"remora/protocols"
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
	if err := home.NewList(state, "recent", 9).Add(file); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("SUDO_UID", "")
	x := &screen{t, newModel(context.Background(), Config{Registry: dissecttest.Registry(t, protocols.All()), State: state, Settings: Settings{TimeFormat: "r"},
		Open: func(path string) (*capture.Store, error) {
			return capture.Open(context.Background(), path, capture.Options{})
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

func TestChooseByCursorAndForget(t *testing.T) {
	x, _ := choose(t)
	x.keys("G")
	x.keys("d")
	x.m.chooser.looking = false
	x.send(tick{})
	x.hasNot("Recent")
}

func TestChooserSaysWhatIsWrong(t *testing.T) {
	x, file := choose(t)
	x.keys("/port")
	x.has("✗ ")
	x.keys("<esc>")
	x.m.chooser.filter.set("udp.port == 53")
	x.m.chooser.check()
	x.has("this is a display filter")
	x.keys("o" + file[:len(file)-6] + "<tab>")
	x.has("game.pcap")
	x.m.chooser.file.set(filepath.Dir(file))
	x.keys("<enter>")
	if x.m.chooser == nil || len(x.m.chooser.message) == 0 || !strings.Contains(x.text(), "directory") {
		t.Errorf("a directory was opened, or nothing was said:\n%s", x.text())
	}
}
