package ui

import (
	"context"
	"io"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestTheAnswerComesLater selects a question before its answer is there: once it is, tree and brackets show it, and the
// field selected stays selected.
func TestTheAnswerComesLater(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	r, w := io.Pipe()
	defer w.Close()
	store, err := pcapfile.OpenReader(context.Background(), "slow", r, capture.Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	x := &screen{t,
		newModel(context.Background(), Config{Registry: reg, Store: store, Session: s, Settings: Settings{TimeFormat: "r"}})}
	t.Cleanup(x.m.closeAll)
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	question, both := dissecttest.Pcap(1, packets()[:1]), dissecttest.Pcap(1, packets()[:2])
	until := func(done func() bool) {
		t.Helper()
		for range 3000 {
			if x.send(tick{}); done() {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatal("it does not come to that")
	}
	w.Write(question)
	until(func() bool { return x.m.selected.Tree != nil })
	x.m.list.Follow = false
	field, nodes := x.m.tree.Line(), len(x.m.selected.Tree.Nodes)
	w.Write(both[len(question):])
	until(func() bool { return len(x.m.selected.Linked) > 0 })
	if x.m.selected.Frame != 1 || x.m.selected.Linked[0] != 2 || len(x.m.selected.Tree.Nodes) <= nodes {
		t.Errorf("packet %d has links to %v", x.m.selected.Frame, x.m.selected.Linked)
	}
	if x.m.tree.Line() != field {
		t.Errorf("line %d of the tree is selected, it was %d", x.m.tree.Line(), field)
	}
	x.has("├")
}
