//go:build cgo

package capture

import (
	"context"
	"testing"
)

// BenchmarkAppendLive is what a packet costs from libpcap's buffer to the index and the spool.
func BenchmarkAppendLive(b *testing.B) {
	s, _ := newStore(context.Background(), "bench")
	defer s.stop()
	s.counters = []*counter{{name: "bench"}}
	s.ifaces.Append(Interface{LinkType: 1})
	if err := s.startSpool(Options{SpoolDir: b.TempDir()}); err != nil {
		b.Fatal(err)
	}
	defer s.spool.discard()
	l := &listener{s: s, count: s.counters[0]}
	data := make([]byte, 100)
	at := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		at += 3000
		if err := l.packet(livePacket{data, at, 100}); err != nil {
			b.Fatal(err)
		}
	}
}
