package ui

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/capture/live"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// liveScreen captures datagrams that send sends from one address of the loopback net to another. Keys are a person's
// own.
func liveScreen(t *testing.T, keys map[string]string) (x *screen, send func(sizes ...int)) {
	t.Helper()
	own := dissecttest.Loopback()
	sender, receiver := own+".2", own+".1"
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	store, err := live.Start(ctx,
		capture.Options{Interfaces: []string{"lo"}, Filter: "udp and net " + own + ".0/24", SpoolDir: t.TempDir()})
	if err != nil {
		t.Skip(err)
	}
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	x = &screen{t,
		newModel(ctx, Config{Registry: reg, Store: store, Session: s, Settings: Settings{TimeFormat: "r", Keys: keys}})}
	t.Cleanup(x.m.closeAll)
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	to, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(receiver)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { to.Close() })
	from, err := net.DialUDP("udp4", &net.UDPAddr{IP: net.ParseIP(sender)}, to.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { from.Close() })
	return x, func(sizes ...int) {
		want := s.Passed() + len(sizes)
		for _, n := range sizes {
			if _, err := from.Write(make([]byte, n)); err != nil {
				t.Fatal(err)
			}
		}
		x.until("the packets to arrive", func() bool { return s.Passed() >= want })
	}
}

// until sends ticks until something holds.
func (x *screen) until(what string, holds func() bool) {
	x.t.Helper()
	for range 2000 {
		x.send(tick{})
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	x.t.Fatalf("waited in vain for %s:\n%s", what, x.text())
}

// press presses keys without waiting for rest: a live screen has none.
func (x *screen) press(keys string) {
	for _, k := range keys {
		x.send(tea.KeyPressMsg{Code: k, Text: string(k)})
	}
}

// TestLiveListStaysOrIsKeptSorted sorts a live list: what comes then waits below, until one asks for it to be sorted
// in.
func TestLiveListStaysOrIsKeptSorted(t *testing.T) {
	x, send := liveScreen(t, nil)
	send(30, 10, 20)
	x.m.palette.Do("sort -len")
	x.until("the list to be sorted", func() bool { return x.m.packets.Order != nil })
	lens := func() string {
		text := ""
		for i := range x.m.packets.Rows() {
			text += fmt.Sprint(x.m.packets.Store.Meta(int(x.m.packets.Frame(i))-1).Len-42) + " "
		}
		return text
	}
	if got := lens(); got != "30 20 10 " {
		t.Fatalf("sorted: %s", got)
	}
	x.press("gg")
	send(40, 15)
	if got := lens(); got != "30 20 10 40 15 " {
		t.Errorf("while one reads: %s", got)
	}
	x.has("2 new below, unsorted; F sorts them in", "sorted by Len")
	x.press("j")
	cur := x.m.selected.Frame
	x.press("F")
	x.until("them to be sorted in", func() bool { return x.m.packets.Unsorted() == 0 })
	if got := lens(); got != "40 30 20 15 10 " || x.m.selected.Frame != cur || x.m.list.Follow {
		t.Errorf("followed: %s, packet %d, was %d", got, x.m.selected.Frame, cur)
	}
	x.hasNot("unsorted")
	x.has("kept so")
	x.press("gg")
	send(50)
	x.until("it to be sorted in", func() bool { return x.m.packets.Unsorted() == 0 })
	if x.m.packets.Row(x.m.selected.Frame) != 0 || x.m.selected.Frame != dissect.FrameNum(6) {
		t.Errorf("the cursor was on the first line and is on packet %d", x.m.selected.Frame)
	}
	x.press("F")
	send(60)
	x.until("the packet to be listed", func() bool { return x.m.packets.Unsorted() == 1 })
	time.Sleep(1100 * time.Millisecond) // longer than a list waits before it is sorted: nothing may happen
	x.send(tick{})
	if x.m.packets.Unsorted() != 1 {
		t.Error("F again lets the list stand still")
	}
}

// TestALiveListNamesThePersonsKeys: what is said of a live capture names the keys that do it now.
func TestALiveListNamesThePersonsKeys(t *testing.T) {
	x, send := liveScreen(t, map[string]string{"J": "list.follow", "X": "capture.toggle"})
	send(30, 10)
	x.m.palette.Do("sort -len")
	x.until("the list to be sorted", func() bool { return x.m.packets.Order != nil })
	send(20)
	x.has("1 new below, unsorted; J sorts them in")
	x.press("J")
	x.has("J again lets it stand still")
	x.press("X")
	x.has("the capture is stopped; X starts a new one")
}
