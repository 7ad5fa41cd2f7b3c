package ui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/capture/live"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// fragile is a protocol whose dissector panics over some packets.
var (
	fragile    = dissect.NewProtocol("fragile", "Fragile", "Fails over packets that begin with 9.")
	fragileKey = fragile.Uint8("key", "Key", "What it fails over.")
)

func dissectFragile(d *dissect.D) {
	key := d.Uint(fragileKey)
	if key == 9 {
		panic("index out of \x1b[31mrange")
	}
	d.Info().Set("key {key}")
}

// TestADissectorPanicsBehindTheScreen: the packet says that its dissector failed, wherever the screen asks for it, and
// everything else goes on.
func TestADissectorPanicsBehindTheScreen(t *testing.T) {
	var list [][]byte
	for i := range 30 {
		list = append(list, udpPacket(1, 2, 4000, 9199, string(rune(i%10))+"rest"))
	}
	plugins := append(protocols.All(), dissect.Plugin{Protocol: fragile, Dissect: dissectFragile, UDP: []uint16{9199}})
	reg := dissecttest.Registry(t, plugins)
	reg.Strict = false
	store, err := pcapfile.OpenBytes(context.Background(), "fragile.pcap",
		dissecttest.Pcap(1, dissecttest.Packets(list...)), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	x := &screen{t,
		newModel(context.Background(), Config{Registry: reg, Store: store, Session: s, Settings: Settings{TimeFormat: "r"}})}
	t.Cleanup(x.m.closeAll)
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	x.settle()
	if x.has("key 8", "30 packets"); s.Passed() != 30 {
		t.Errorf("the first pass ends at packet %d of 30", s.Passed())
	}
	x.keys("10G<tab>zRG").has("The dissector fragile failed", "Key: 9")
	if text, _ := x.m.copier.Text('t'); !strings.Contains(text, "index out of") || strings.Contains(text, "\x1b") {
		t.Errorf("the tree does not say why:\n%q", text)
	}
	if strings.Contains(x.m.render(), "\x1b[31mrange") {
		t.Error("the words of the panic reach the terminal as they are")
	}
	x.keys("<esc>/fragile.key == 9<enter>").has("3 of 30")
	x.keys("/<ctrl+u>fragile<enter>gg").has("30 of 30")
	x.keys("gn").has("A dissector failed on this packet")
	x.keys("gtgp10G*").has("fragile")
	x.keys("1G<esc>11G<tab>zRG").has("Key: 0")
}

// A failing lookup panics as soon as the screen asks it for names.
type failingLookup struct{}

func (failingLookup) Changes() uint64 { panic("no names") }
func (failingLookup) Busy() bool      { return true }

// TestAPanicKeepsUnsavedPackets ends the screen by a panic while it shows packets that are in no file.
func TestAPanicKeepsUnsavedPackets(t *testing.T) {
	dir := t.TempDir()
	pcap := dissecttest.Pcap(1, packets())
	store, err := pcapfile.OpenReader(context.Background(), "pipe", strings.NewReader(string(pcap)),
		capture.Options{SpoolDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	store.Wait()
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(context.Background(),
		Config{Registry: reg, Store: store, Session: s, Names: Names{Lookup: failingLookup{}}})
	n := store.Len()
	err = run(context.Background(), m.look.program, m.cfg, tea.WithInput(nil), tea.WithOutput(io.Discard),
		tea.WithWindowSize(80, 24))
	m.closeAll()
	if err == nil || !errors.Is(err, tea.ErrProgramPanic) || !strings.Contains(err.Error(), "kept in "+dir) {
		t.Fatalf("%v", err)
	}
	left, err := live.Recover(dir)
	if err != nil || len(left) != 1 || left[0].Packets != n {
		t.Errorf("left are %+v (%v), want one capture of %d packets", left, err, n)
	}
}
