package dissect_test

import (
	"context"
	"testing"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestPanicAtTheEndOfTheBudget: a dissector that panics when its budget is nearly used up costs its packet, not the program.
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
	store, err := capture.OpenBytes(t.Context(), "test", dissecttest.Pcap(1, packets), capture.Options{})
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
