package stats

import (
	"math/rand/v2"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

func datagram(from, to uint16, payload []byte) []byte {
	udp := dissecttest.UDP(from, to, payload)
	return dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolUDP, "10.0.0.1", "10.0.0.2", udp))
}

// TestUnknownTrafficIsGrouped: input at 60 Hz, noise, text and questions are told apart by how they look alone.
func TestUnknownTrafficIsGrouped(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var packets []dissecttest.Packet
	add := func(gap int64, frame []byte) {
		p := dissecttest.Packets(frame)[0]
		p.Gap = gap
		packets = append(packets, p)
	}
	for i := range 120 {
		add(16e6, datagram(50000, 7001, append([]byte{0xca, 0xfe, byte(i)}, make([]byte, 29)...)))
		noise := make([]byte, 100+rng.IntN(300))
		for k := range noise {
			noise[k] = byte(rng.Uint32())
		}
		add(rng.Int64N(600e3), datagram(50001, 7002, noise))
		if i%10 == 0 {
			add(1e3, datagram(50002, 7003, []byte("hello there, how are you?\r\n"[:15+i/10])))
			add(1e3, datagram(7003, 50002, []byte("fine\n")))
		}
	}
	s := dissecttest.Session(t, protocols.All(), 1, packets)
	u := NewUndissected(s)
	var frames []dissect.FrameNum
	for n := range s.Passed() {
		frames = append(frames, dissect.FrameNum(n+1))
	}
	u.Frames(s.Dissector(), frames, dissect.FrameNum(len(frames)))
	want := map[uint16][]string{7001: {"like input at 61 Hz", "32 bytes", "begins with cafe"},
		7002: {"bytes", "encrypted"}, 7003: {"question and answer", "text"}}
	for _, g := range u.Groups() {
		for _, part := range want[g.Port] {
			if !strings.Contains(g.Guess(), part) {
				t.Errorf("port %d looks %q, without %q (%+v)", g.Port, g.Guess(), part, g.Content)
			}
		}
		delete(want, g.Port)
		if g.Mixed || g.Carrier.Name() != "udp" {
			t.Errorf("in %s, mixed %v", g.Carrier.Name(), g.Mixed)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
