package aoe2

import (
	"math/rand/v2"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestFlood sends packets of every command with random ids, turns, counts and bodies from many ends: nothing may panic
// or hang, re-dissections must equal the first, and the games that are remembered must not grow without end.
func TestFlood(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var all []byte
	for cmd := range commands {
		all = append(all, byte(cmd))
	}
	var packets []dissecttest.Packet
	for i := range 6000 {
		b := make([]byte, 12+r.IntN(220))
		for j := range b {
			b[j] = byte(r.Uint32())
			if r.IntN(3) == 0 {
				b[j] = 0xff
			}
		}
		b[8] = all[r.IntN(len(all))]
		if r.IntN(4) > 0 { // ids that are near each other
			copy(b, []byte{byte(2 * r.IntN(20)), 1, 2, 3, byte(2 * r.IntN(20)), 1, 2, 3})
		}
		if r.IntN(2) == 0 {
			copy(b[4:], []byte{0, 0, 0, 0})
		}
		if b[8] == cmdAction && len(b) > headerLong {
			for id := range actionNames {
				b[headerLong] = byte(id)
				break
			}
		}
		gap := int64(r.IntN(1e9))
		packets = append(packets,
			dissecttest.Packet{Data: dissecttest.Datagram(spot{byte(i), 2350}, spot{byte(r.IntN(40)), uint16(2300 + r.IntN(5))},
				b), Gap: gap})
	}
	s := dissecttest.Session(t, plugins(), 1, packets)
	dissecttest.Redissections(t, s)
	for _, g := range s.Games() {
		if len(g.Players) > 256 || len(g.Phases) > 1024 {
			t.Errorf("a game of %d players and %d phases", len(g.Players), len(g.Phases))
		}
	}
}

// TestBounds holds what is remembered of searches to its limit.
func TestBounds(t *testing.T) {
	var s search
	for i := range 5000 {
		s.add(dissect.Endpoint{Addr: dissect.IPv4Addr([]byte{10, 0, byte(i >> 8), byte(i)}), Port: 1}, 1)
	}
	if s.open.Len() != maxSearches {
		t.Errorf("%d searches are remembered", s.open.Len())
	}
}
