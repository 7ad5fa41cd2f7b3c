package quic

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// Bytes of a stream out of order, over one another and twice; messages are a length and as many bytes.
func TestFlow(t *testing.T) {
	length := func(_ uint64, b []byte) int { return 1 + int(b[0]) }
	dissecttest.InFirstPass(t, func(d *dissect.D) {
		var f flow
		for i, c := range []struct {
			off   uint64
			data  string
			want  string
			again bool
		}{
			{3, "\x01c", "", false},
			{0, "\x02a", "", false},
			{1, "xb", "\x02ab\x01c", false}, // the first that came wins
			{0, "\x02ab", "\x02ab", true},
			{1, "ab", "", true}, // no message began there
			{5, "", "", true},
			{5, "\x03de", "", false},
			{7, "ef\x01", "\x03def", false},
			{9, "\x01g", "\x01g", false},
		} {
			_, got, again := f.take(d, piece{Off: c.off}, []byte(c.data), length)
			if string(got) != c.want || again != c.again {
				t.Errorf("step %d: %q (again: %v), not %q (%v)", i, got, again, c.want, c.again)
			}
		}
	})
}

// What waits for too long a message is dropped, and the message passed over.
func TestFlowTooLong(t *testing.T) {
	const long = 3 * maxWaiting
	length := func(off uint64, b []byte) int {
		if off == 0 {
			return long
		}
		return 1
	}
	dissecttest.InFirstPass(t, func(d *dissect.D) {
		var f flow
		part := make([]byte, 1<<14)
		for off := uint64(0); off < long; off += uint64(len(part)) {
			if _, got, _ := f.take(d, piece{Off: off}, part, length); got != nil || f.size > maxWaiting {
				t.Fatalf("at %d: %d bytes are handed on, %d wait", off, len(got), f.size)
			}
		}
		if _, got, _ := f.take(d, piece{Off: long}, []byte("x"), length); !bytes.Equal(got, []byte("x")) {
			t.Errorf("behind the long message %q is handed on", got)
		}
	})
}

// TestTinyPieces floods a message that does not end with pieces of a byte, in any order, and counts what waits.
func TestTinyPieces(t *testing.T) {
	length := func(uint64, []byte) int { return 1 << 20 }
	for name, off := range map[string]func(i int) uint64{
		"in order": func(i int) uint64 { return uint64(i) }, "backward": func(i int) uint64 { return uint64(1<<20 - i) },
		"with holes": func(i int) uint64 { return uint64(2 * i) },
	} {
		dissecttest.InFirstPass(t, func(d *dissect.D) {
			var f flow
			for i := range 20_000 {
				if _, got, _ := f.take(d, piece{Off: off(i)}, []byte("x"), length); got != nil ||
					len(f.waits) > tinyPieces+2+f.size/pieceSize {
					t.Fatalf("%s: %d bytes are handed on, %d pieces wait", name, len(got), len(f.waits))
				}
			}
		})
	}
}

// TestEdge holds where a flow is complete against the plain account of its bytes.
func TestEdge(t *testing.T) {
	dissecttest.InFirstPass(t, func(d *dissect.D) {
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 2))
			var f flow
			size := 1 + r.IntN(60)
			came := make([]bool, size+1)
			for range 60 {
				off := r.IntN(size)
				n := 1 + r.IntN(min(9, size-off))
				_, _, _ = f.take(d, piece{Off: uint64(off)}, make([]byte, n), func(off uint64, _ []byte) int { return 7 })
				for i := range n {
					came[off+i] = true
				}
				if edge := uint64(slices.Index(came, false)); f.edge != edge || f.done != edge/7*7 {
					t.Fatalf("seed %d: the edge is %d, not %d; %d are handed on", seed, f.edge, edge, f.done)
				}
			}
		}
	})
}

// Much that waits far ahead stays as it is while short messages come in front of it.
func TestFlowFarAhead(t *testing.T) {
	length := func(_ uint64, b []byte) int { return 1 }
	dissecttest.InFirstPass(t, func(d *dissect.D) {
		var f flow
		for i := range uint64(200) {
			f.take(d, piece{Off: 5000 - 2*i}, []byte("z"), length)
		}
		f.take(d, piece{Off: 90}, []byte("over the end of others"), length)
		for i := range uint64(90) {
			r, got, _ := f.take(d, piece{Off: i}, []byte("a"), length)
			if want := i == 89; (len(got) > 1) != want || r.Count == 0 || f.size < 200 && !want {
				t.Fatalf("at %d: %q of %d pieces is handed on, %d bytes wait", i, got, r.Count, f.size)
			}
		}
		if len(f.waits) != 200 || f.size != 200 || f.done != 112 {
			t.Errorf("%d pieces of %d bytes wait behind %d", len(f.waits), f.size, f.done)
		}
	})
}

// A side may open streams without end: the first ones and the latest are followed.
func TestStreamsBounded(t *testing.T) {
	var s side
	first := s.stream(3)
	for n := range uint64(5000) {
		s.stream(n)
	}
	latest := s.stream(4999)
	if s.stream(3) != first || s.stream(4999) != latest || s.streams.Len() > maxStreams {
		t.Errorf("%d streams are followed", s.streams.Len())
	}
}
