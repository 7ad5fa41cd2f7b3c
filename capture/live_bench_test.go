//go:build cgo

package capture

import (
	"context"
	"testing"
	"time"

	"github.com/google/gopacket"
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
	at := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		at = at.Add(3 * time.Microsecond)
		if err := l.packet(data, &gopacket.CaptureInfo{Timestamp: at, CaptureLength: 100, Length: 100}); err != nil {
			b.Fatal(err)
		}
	}
}
