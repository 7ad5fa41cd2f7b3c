package udp_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// tunnelPort carries a bare UDP datagram inside another.
const tunnelPort = 9999

func tunnel() dissect.Plugin {
	p := dissect.NewProtocol("toytunnel", "TUNNEL", "UDP in UDP.")
	return dissect.Plugin{Protocol: p, UDP: []uint16{tunnelPort},
		Dissect: func(d *dissect.D) { d.Next(dissect.TableIP, 17) }}
}

// to is UDP from port 1000 to another around a payload.
func to(port uint16, payload []byte) []byte {
	h := binary.BigEndian.AppendUint16([]byte{0x03, 0xe8}, port)
	h = binary.BigEndian.AppendUint16(h, uint16(8+len(payload)))
	return append(append(h, 0, 0), payload...)
}

// TestPreviousFrame holds the time since the frame before against a plain list, over conversations that speak in every
// frame, at the very distance to which the index is searched, one frame further, rarely, and inside tunnels.
func TestPreviousFrame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const frames = 6000
	var packets []dissecttest.Packet
	var want []string
	last, now := map[uint16]int64{}, int64(0)
	for n := range frames {
		var ports []uint16
		switch {
		case n == 100 || n == 356 || n == 613 || n == 5000:
			ports = []uint16{3000}
		case n%1700 == 3:
			ports = []uint16{tunnelPort, 4000}
		case n%1000 == 7:
			ports = []uint16{4000}
		case n == 4444: // the tunnel in itself
			ports = []uint16{tunnelPort, tunnelPort}
		case n%3 == 0:
			ports = []uint16{tunnelPort, 2000 + uint16(r.IntN(40))}
		default:
			ports = []uint16{2000 + uint16(r.IntN(1500))}
		}
		gap := int64(1000 + r.IntN(1_000_000)*1000)
		now += gap
		var payload []byte
		for i := len(ports) - 1; i >= 0; i-- {
			payload = to(ports[i], payload)
		}
		packets = append(packets, dissecttest.Packet{Data: packet(17, 1, 2, payload), Gap: gap})
		var deltas []string
		for _, p := range ports {
			delta := int64(0)
			if at, ok := last[p]; ok {
				delta = now - at
			}
			last[p] = now
			deltas = append(deltas, fmt.Sprintf("%d.%09d", delta/1e9, delta%1e9))
		}
		want = append(want, strings.Join(deltas, ","))
	}
	s := dissecttest.Session(t, append(plugins(), tunnel()), 228, packets)
	delta := s.Registry().Wants(s.Registry().Field("udp.time_delta"))
	l := s.Dissector()
	for _, i := range r.Perm(frames) {
		n := dissect.FrameNum(i + 1)
		tree := l.Redissect(n, delta)
		var got []string
		for j := range tree.Nodes {
			if tree.Field(j).Name() == "udp.time_delta" {
				got = append(got, tree.Show(j))
			}
		}
		if strings.Join(got, ",") != want[i] {
			t.Fatalf("frame %d: %v since the frame before, want %s", n, got, want[i])
		}
	}
	dissecttest.Fields(t, s)
}
