package tcp_test

import (
	"context"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

// plain is a capture of a plain stream: two segments of data, one acknowledgment, and so on.
func plain(tb testing.TB) (*dissect.Registry, *capture.Store) {
	tb.Helper()
	var frames [][]byte
	for i := uint32(0); i < 10_000; i++ {
		frames = append(frames, pkt(false, 1+200*i, 1, PA, make([]byte, 100)),
			pkt(false, 101+200*i, 1, PA, make([]byte, 100)), pkt(true, 1, 201+200*i, A, nil))
	}
	store, err := pcapfile.OpenBytes(context.Background(), "bench", dissecttest.Pcap(101, dissecttest.Packets(frames...)),
		capture.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { store.Close() })
	store.Wait()
	return dissecttest.Registry(tb, []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin()}), store
}

func pass(tb testing.TB, reg *dissect.Registry, store *capture.Store) {
	tb.Helper()
	s, err := dissect.NewSession(reg, store)
	if err == nil {
		err = s.Pass(context.Background())
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// TestFirstPassAllocates holds that a plain segment needs no memory of its own in the first pass: what it leaves goes
// into columns.
func TestFirstPassAllocates(t *testing.T) {
	reg, store := plain(t)
	if n := testing.AllocsPerRun(2, func() { pass(t, reg, store) }) / float64(store.Len()); n > 0.1 {
		t.Errorf("%.2f allocations for each segment", n)
	}
}

// BenchmarkFirstPass is the cost of a plain segment in the first pass, reading of the capture included.
func BenchmarkFirstPass(b *testing.B) {
	reg, store := plain(b)
	b.ReportAllocs()
	for b.Loop() {
		pass(b, reg, store)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*store.Len()), "ns/packet")
}
