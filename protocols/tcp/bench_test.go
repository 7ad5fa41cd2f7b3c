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

// BenchmarkFirstPass is the cost of a plain segment in the first pass, reading of the capture included: two of data,
// one acknowledgment, and so on.
func BenchmarkFirstPass(b *testing.B) {
	var frames [][]byte
	for i := uint32(0); i < 10_000; i++ {
		frames = append(frames, pkt(false, 1+200*i, 1, PA, make([]byte, 100)),
			pkt(false, 101+200*i, 1, PA, make([]byte, 100)), pkt(true, 1, 201+200*i, A, nil))
	}
	store, err := pcapfile.OpenBytes(context.Background(), "bench", dissecttest.Pcap(101, dissecttest.Packets(frames...)),
		capture.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	reg := dissecttest.Registry(b, []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin()})
	b.ReportAllocs()
	for b.Loop() {
		s, err := dissect.NewSession(reg, store)
		if err == nil {
			err = s.Pass(context.Background())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(frames)), "ns/packet")
}
