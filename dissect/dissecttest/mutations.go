package dissecttest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"remora/dissect"
	"remora/internal/testall"
)

// Bounds of the packets that Mutations makes of a capture.
const (
	maxMutated = 4000
	fewMutated = 250
)

// Mutations dissects the packets of a session with bytes of their payloads changed: lengths and counts that lie, other
// types, ends in the middle. Nothing may panic, nodes stay inside their bytes, and re-dissections equal the first. from
// is how many bytes of headers in front stay as they are, so that the packets still find their protocol.
func Mutations(t *testing.T, plugins []dissect.Plugin, s *dissect.Session, from int) {
	t.Helper()
	mutations(t, plugins, s, testall.Of(fewMutated, maxMutated), func(*dissect.Tree) int { return from })
}

// Bounds of the packets that Run makes of a capture in this way.
const (
	maxEach = 600
	fewEach = 60
)

// last is where the last layer of a packet starts, among the packet's own bytes.
func last(tree *dissect.Tree) int {
	from := 0
	for _, n := range tree.Nodes {
		if n.Depth == 0 && n.Src == 0 && n.Len > 0 {
			from = max(from, int(n.Off))
		}
	}
	return from
}

// mutations is Mutations with a limit, and with headers of which each packet has its own length.
func mutations(t *testing.T, plugins []dissect.Plugin, s *dissect.Session, limit int, headers func(*dissect.Tree) int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	l := s.Dissector()
	var out []Packet
	each := max(1, limit/max(1, s.Passed()))
	step := dissect.FrameNum(max(1, s.Passed()/limit))
	for n := dissect.FrameNum(1); int(n) <= s.Passed() && len(out) < limit; n += step {
		from := headers(l.Tree(n))
		whole, err := l.Bytes(n)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole) <= from {
			continue
		}
		for range min(each, 200) {
			b := bytes.Clone(whole)
			for range 1 + r.IntN(4) {
				at := from + r.IntN(len(b)-from)
				b[at] = [...]byte{0, 0xff, 0x7f, 0x80, byte(r.Uint32()), b[at] + 1, b[at] - 1}[r.IntN(7)]
			}
			out = append(out, Packet{Data: b})
		}
	}
	if len(out) == 0 {
		return // packets that hold no more than their headers
	}
	link := s.Store().LinkType(0)
	Redissections(t, Session(t, plugins, link, out))
}
