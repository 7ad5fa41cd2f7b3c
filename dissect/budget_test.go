package dissect_test

import (
	"context"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestPanicAtTheEndOfTheBudget: a dissector that panics when its budget is nearly used up costs its packet, not the
// program.
func TestPanicAtTheEndOfTheBudget(t *testing.T) {
	p := dissect.Plugin{Protocol: loops, UDP: []uint16{7}, Dissect: func(d *dissect.D) {
		for n := 0; n < dissect.MaxSteps-100; n++ {
			d.Spend(0) // a step
		}
		for range 6 { // of 16 steps each; what is left does not do for another
			d.Expert(nOdd)
		}
		panic("at the end")
	}}
	reg := dissecttest.Registry(t, dissecttest.OverUDP(p))
	reg.Strict = false
	packets := dissecttest.Packets(dissecttest.Datagram(near, far, []byte{1}))
	store, err := pcapfile.OpenBytes(t.Context(), "test", dissecttest.Pcap(1, packets), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Pass(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s.Tree(1).Find(reg.Field("_ws.plugin_error")) < 0 {
		t.Error("the packet does not say that its dissector failed")
	}
}

// TestGivenUpFramesAreForgotten: what is known of frames that were given up goes with them, and they stay counted.
func TestGivenUpFramesAreForgotten(t *testing.T) {
	p := dissect.Plugin{Protocol: loops, UDP: []uint16{7}, Dissect: func(d *dissect.D) {
		if d.Left() == 1 {
			d.Spend(32 * dissect.MaxSteps)
		}
	}}
	packets := make([]dissecttest.Packet, 1<<15)
	for i := range packets {
		packets[i].Data = dissecttest.Datagram(near, far, []byte{0, 0})
	}
	packets[0].Data = dissecttest.Datagram(near, far, []byte{1})
	packets[len(packets)-1] = packets[0]
	store, err := pcapfile.OpenBytes(t.Context(), "test", dissecttest.Pcap(1, packets), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := dissect.NewSession(dissecttest.Registry(t, dissecttest.OverUDP(p)), store)
	if err != nil {
		t.Fatal(err)
	}
	s.SetRetention(dissect.Retention{Frames: 1 << 10})
	if err := s.Pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.GivenUp() != 2 || dissect.HeldGivenUp(s) != 1 {
		t.Errorf("%d frames were given up, %d of them are held; want 2 and 1", s.GivenUp(), dissect.HeldGivenUp(s))
	}
}
