package follow

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// talk makes a TCP stream whose client says text in segments, sent in the given order; some are sent again.
func talk(t *testing.T, text []byte, cut int, order func(n int) []int) *Stream {
	t.Helper()
	var segments [][]byte
	seq := uint32(0xfffffff0) // numbers wrap
	packets := [][]byte{segmentOf(seq, 2, nil)}
	for at := 0; at < len(text); at += cut {
		segments = append(segments, segmentOf(seq+1+uint32(at), 0x18, text[at:min(len(text), at+cut)]))
	}
	for _, i := range order(len(segments)) {
		packets = append(packets, segments[i])
	}
	s := dissecttest.Session(t, protocols.All(), 1, dissecttest.Packets(packets...))
	f := New(s, 1)
	f.Collect(context.Background())
	return f
}

// segmentOf is an Ethernet frame with a segment from 10.0.0.1:4000 to 10.0.0.2:9999.
func segmentOf(seq uint32, flags byte, data []byte) []byte {
	tcp := dissecttest.TCP(4000, 9999, seq, 1, flags, data)
	return dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolTCP, "10.0.0.1", "10.0.0.2", tcp))
}

func said(f *Stream) (out []byte, missing int) {
	for i := range f.Len() {
		out = append(out, f.Unit(i).Data...)
		missing += f.Unit(i).Missing
	}
	return out, missing
}

func TestStreamsComeInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	text := make([]byte, 5000)
	for i := range text {
		text[i] = byte(rng.Uint32())
	}
	for _, cut := range []int{1000, 333, 50} {
		f := talk(t, text, cut, func(n int) []int {
			order := make([]int, n)
			for i := range order {
				order[i] = i
			}
			for i := range order { // neighbours change places, and every fourth comes twice
				if j := min(n-1, i+rng.IntN(4)); i%3 == 0 {
					order[i], order[j] = order[j], order[i]
				}
			}
			for i := 0; i < n; i += 4 {
				order = append(order, i)
			}
			return order
		})
		if got, missing := said(f); !bytes.Equal(got, text) || missing != 0 {
			t.Errorf("cut %d: %d bytes and %d missing, want %d", cut, len(got), missing, len(text))
		}
	}
}

func TestALossIsSaid(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), maxHeld+200)
	f := talk(t, text, 10, func(n int) []int {
		var order []int
		for i := range n {
			if i != 3 {
				order = append(order, i)
			}
		}
		return order
	})
	got, missing := said(f)
	if missing != 10 || len(got) != len(text)-10 {
		t.Errorf("%d bytes, %d missing", len(got), missing)
	}
	short := talk(t, text[:100], 10, func(int) []int { return []int{0, 1, 3, 4, 6} }) // the losses are near the end
	if got, missing := said(short); missing != 20 || len(got) != 50 {
		t.Errorf("%d bytes, %d missing", len(got), missing)
	}
}

func TestDatagramsAreUnits(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "../../fixtures/captures/touhou/vanilla.pcapng")
	for id := uint32(1); int(id) <= s.Conversations(); id++ {
		f := New(s, id)
		f.Collect(context.Background())
		n := 0
		for k := dissect.FrameNum(1); int(k) <= s.Passed(); k++ {
			if s.ConversationOf(k) == id {
				n++
			}
		}
		if f.Len() != n {
			t.Errorf("conversation %d: %d units of %d packets", id, f.Len(), n)
		}
		for i := range f.Len() {
			if u := f.Unit(i); len(u.Data) == 0 || u.Kind == "" {
				t.Errorf("frame %d: %+v", u.Frame, u)
			}
		}
	}
}
