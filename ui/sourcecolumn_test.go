package ui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/ui/columns"
	"remora/ui/control"
)

// TestColumnOfTheFile shows two files as one: a column says which, and goes again with them.
func TestColumnOfTheFile(t *testing.T) {
	x := open(t, 120, 36, Config{State: t.TempDir()})
	none := func() {
		t.Helper()
		if i := slices.IndexFunc(x.m.list.Columns, func(c columns.Column) bool { return c.Title == "File" }); i >= 0 {
			t.Errorf("there is a column of files:\n%s", x.text())
		}
	}
	none()
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"left.pcap", "right.pcap"} {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[len(paths)-1], dissecttest.Pcap(1, packets()[:4]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	show := func(paths ...string) {
		store, err := pcapfile.OpenAll(context.Background(), paths, capture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := dissect.NewSession(x.m.cfg.Registry, store)
		if err != nil {
			t.Fatal(err)
		}
		x.m.show(control.Opened{Store: store, Session: s})
		x.settle()
	}
	show(paths...)
	x.has("8 packets", "File", "left.pcap + right.pcap")
	x.keys("j")
	for _, line := range x.m.lists.columns.Lines() {
		if strings.Contains(line, "frame.file") {
			t.Errorf("the column is kept for the next run: %q", line)
		}
	}
	show(paths[0])
	none()
}
