package ui

import (
	"context"
	"io"
	"regexp"
	"runtime"
	"strconv"
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

// pouring opens a screen on a stream that keeps little; pour sends the packets of packets() so many times more, and
// waits.
func pouring(t *testing.T, keep int64) (x *screen, pour func(rounds int)) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	r, w := io.Pipe()
	b := dissecttest.Pcap(1, packets())
	store, err := pcapfile.OpenReader(context.Background(), "endless", r,
		capture.Options{Keep: keep, SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	x = &screen{t,
		newModel(context.Background(), Config{Registry: reg, Store: store, Session: s, Settings: Settings{TimeFormat: "r"}})}
	t.Cleanup(func() { w.Close(); x.m.closeAll() })
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	w.Write(b[:24])
	n := 0
	return x, func(rounds int) {
		t.Helper()
		for range rounds {
			w.Write(b[24:])
		}
		n += rounds * len(packets())
		for range 3000 {
			if x.send(tick{}); s.Passed() == n && int(x.m.packets.All.UpTo()) == n &&
				(x.m.packets.Filtered == nil || int(x.m.packets.Filtered.Decided.Load()) == n) {
				x.send(tick{})
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("%d of %d packets passed", s.Passed(), n)
	}
}

// TestTheOldestLeaveTheScreen reads a packet while it leaves: the screen says so, and the list begins at the first one
// that is still there.
func TestTheOldestLeaveTheScreen(t *testing.T) {
	x, pour := pouring(t, 1<<20)
	pour(1)
	x.typed("F")
	x.m.list.Follow = false
	x.typed("gg")
	if x.m.selected.Frame != 1 {
		t.Fatalf("packet %d is selected", x.m.selected.Frame)
	}
	pour(700)
	first := dissect.FrameNum(x.m.packets.Store.First() + 1)
	if first < 10_000 {
		t.Fatalf("packets from %d on are there", first)
	}
	x.has("packet 1 has left: the capture keeps 1 MiB")
	if x.m.selected.Frame < first-2000 || x.m.list.Top() < int(first)-2000 {
		t.Errorf("packet %d is selected, row %d on top, the first is %d", x.m.selected.Frame, x.m.list.Top(), first)
	}
	x.m.list.Jump(2) // as a link does
	x.has("packet 2 was evicted: the first one that is kept is ")
	x.typed("G")
	x.has("kept ", " left")
	x.typed("gg")
	if x.m.selected.Frame != first {
		t.Errorf("gg goes to packet %d, the first is %d", x.m.selected.Frame, first)
	}
	x.typed("5G")
	if x.m.selected.Frame < first {
		t.Errorf("5G goes to packet %d", x.m.selected.Frame)
	}
	x.typed("/udp<enter>")
	pour(1)
	x.typed("gg")
	if x.m.selected.Frame < first || x.m.packets.Filtered.Matches.Len() > x.m.packets.Session.Passed()-int(first)+1 {
		t.Errorf("filtered, gg goes to packet %d of %d", x.m.selected.Frame, x.m.packets.Filtered.Matches.Len())
	}
	kept, text := x.m.packets.Store.Len()-x.m.packets.Store.First(), x.text()
	if n, all := countShown(t, text); n > kept || all > kept || n == 0 {
		t.Errorf("%d of %d are shown, %d packets are there", n, all, kept)
	}
	for _, view := range []string{"gt", "gc", "gn", "gi", "gr", "q", "gp"} {
		x.typed(view)
		x.text()
	}
}

// countShown reads "12 of 34" off the filter line.
func countShown(t *testing.T, text string) (n, all int) {
	t.Helper()
	line := strings.ReplaceAll(strings.ReplaceAll(strings.Split(text, "\n")[1], "\u202f", ""), "\u00a0", "")
	found := regexp.MustCompile(`✓ ([\d ]+) of ([\d ]+)`).FindStringSubmatch(line)
	if found == nil {
		t.Fatalf("no count in %q", line)
	}
	n, _ = strconv.Atoi(strings.ReplaceAll(found[1], " ", ""))
	all, _ = strconv.Atoi(strings.ReplaceAll(found[2], " ", ""))
	return n, all
}

// TestMemoryStaysFlat pours in many times what is kept: the heap does not follow.
func TestMemoryStaysFlat(t *testing.T) {
	x, pour := pouring(t, 1<<20)
	x.typed("/udp<enter>")
	pour(1500)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	pour(4500)
	grown := int64(heap()) - int64(before)
	perPacket := float64(grown) / float64(4500*len(packets()))
	if t.Logf("%.1f bytes a packet more", perPacket); perPacket > 8 {
		t.Errorf("the memory grows by %.1f bytes a packet", perPacket)
	}
}

// typed presses keys while packets may still come: it does not wait for rest.
func (x *screen) typed(keys string) {
	for _, part := range strings.Split(strings.ReplaceAll(keys, "<enter>", "\r"), "") {
		k := tea.KeyPressMsg{Code: []rune(part)[0], Text: part}
		if part == "\r" {
			k = tea.KeyPressMsg{Code: tea.KeyEnter}
		}
		x.send(k)
		x.send(tick{})
	}
}
