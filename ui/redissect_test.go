package ui

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// lateDTLS is a datagram of DTLS, of which one alone says too little, many others, and more of the same that tell.
func lateDTLS() (before, after []dissecttest.Packet) {
	dtls := func(seq string) []byte {
		return udpPacket(1, 2, 40000, 40002,
			"\x17\xfe\xfd\x00\x01\x00\x00\x00\x00\x00"+seq+"\x00\x20"+strings.Repeat("e", 32))
	}
	list := [][]byte{udpPacket(1, 2, 41000, 53,
		"\x00\x01\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x00\x00\x01\x00\x01"),
		dtls("\x01")}
	for range dissect.LookAhead + 10 {
		list = append(list, udpPacket(3, 4, 42000, 42001, "other"))
	}
	all := dissecttest.Packets(append(list, dtls("\x02"), dtls("\x03"))...)
	return all[:len(list)], all
}

// TestEarlierPacketsBecomeWhatLaterOnesTell has packets be shown as data, and then as what packets that came long
// after them told. Cursor, marks and the filter stay as they were.
func TestEarlierPacketsBecomeWhatLaterOnesTell(t *testing.T) {
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
	until := func(done func() bool) {
		t.Helper()
		for range 3000 {
			if x.send(tick{}); done() {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("it does not come to that:\n%s", x.text())
	}
	rest := func(packets int) func() bool {
		return func() bool {
			f := x.m.packets.Filtered
			return x.m.packets.Session.Passed() == packets && x.m.packets.Session.Late() == 0 &&
				int(x.m.packets.All.UpTo()) == packets && (f == nil || int(f.Decided.Load()) == packets)
		}
	}
	before, all := lateDTLS()
	first := dissecttest.Pcap(1, before)
	w.Write(first)
	until(rest(len(before)))
	x.m.list.Follow = false
	x.m.list.Jump(2)
	x.m.marks.Set('a', 2)
	x.m.applyFilter("dtls || dns || data.len < 100")
	until(rest(len(before)))
	x.has("Data", "40000 → 40002")
	top := x.m.list.Top()

	w.Write(dissecttest.Pcap(1, all)[len(first):])
	until(func() bool { return x.m.packets.Session != s && rest(len(all))() })
	if x.m.selected.Tree.Protocol().Name() != "dtls" {
		t.Errorf("the tree of packet %d has no DTLS", x.m.selected.Frame)
	}
	if x.m.selected.Frame != 2 || x.m.list.Top() != top || x.m.marks.Frame('a') != 2 {
		t.Errorf("packet %d is selected, row %d on top, mark a on %d", x.m.selected.Frame, x.m.list.Top(),
			x.m.marks.Frame('a'))
	}
	x.has("DTLS", "dtls || dns || data.len < 100")
	x.m.applyFilter("dtls")
	until(rest(len(all)))
	if n := x.m.packets.Filtered.Matches.Len(); n != 3 {
		t.Errorf("%d packets are DTLS, want 3", n)
	}
	for _, p := range x.m.packets.All.Types() {
		if p.Protocol.Name() == "dtls" && p.Packets != 3 {
			t.Errorf("%d packets of DTLS are counted, want 3", p.Packets)
		}
	}
}

// TestAViewStaysWhileItIsOpen has the packets dissected once more be shown when the view is closed.
func TestAViewStaysWhileItIsOpen(t *testing.T) {
	_, all := lateDTLS()
	store, err := pcapfile.OpenBytes(context.Background(), "late.pcap", dissecttest.Pcap(1, all), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	x := &screen{t, newModel(context.Background(), Config{Registry: reg, Store: store, Session: s})}
	t.Cleanup(x.m.closeAll)
	x.m.views.OpenTab(1)
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	x.settle()
	if x.m.packets.Session != s || s.Late() != 1 || x.m.views.View() == nil {
		t.Fatalf("another session is shown in front of an open view, or nothing was late: %d", s.Late())
	}
	x.m.views.Close()
	x.settle()
	if x.m.packets.Session == s {
		t.Error("the packets are still shown as they were")
	}
}
