package ksy

import (
	"path/filepath"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// BenchmarkGallery looks at the frames of a capture that are of a protocol, dissected by the built-in plugin, by
// the description, and by neither: what the two cost beyond the last is the protocol's share.
func BenchmarkGallery(b *testing.B) {
	for _, c := range []struct{ name, capture, own string }{{"dns_packet", "dns.pcap", "dns"},
		{"ipv4_packet", "http.pcap", "ip"}, {"tcp_segment", "http.pcap", "tcp"},
		{"websocket", "websocket.pcapng", "websocket"}} {
		path := filepath.Join("..", "..", "fixtures", "captures", "lan", c.capture)
		without, err := dissect.NewRegistry(protocols.All()...)
		if err != nil {
			b.Fatal(err)
		}
		without.Remove(c.own)
		builtin := dissecttest.Load(b, protocols.All(), path)
		var frames []dissect.FrameNum
		for n := dissect.FrameNum(1); int(n) <= builtin.Passed(); n++ {
			if builtin.StackHas(builtin.LayerStackOf(n), builtin.Registry().Protocol(c.own)) {
				frames = append(frames, n)
			}
		}
		for _, how := range []struct {
			name string
			s    *dissect.Session
		}{{"builtin", builtin}, {"described", dissecttest.LoadOf(b, described(b, c.name), path)},
			{"neither", dissecttest.LoadOf(b, without, path)}} {
			l := how.s.Dissector()
			b.Run(c.name+"/"+how.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					for _, n := range frames {
						l.Tree(n)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(frames)), "ns/frame")
			})
		}
	}
}
