package kaillera

import (
	"math/rand/v2"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// FuzzDatagrams feeds two datagrams each way into a session whose game runs: nothing may panic, and re-dissections must
// equal the first.
func FuzzDatagrams(f *testing.F) {
	for i, v := range vectors {
		f.Add(dissecttest.Unhex(f, v.bytes), dissecttest.Unhex(f, vectors[(i+7)%len(vectors)].bytes))
	}
	for _, path := range []string{"evening", "lossy", "n64"} {
		s := dissecttest.Load(f, plugins(), "../../fixtures/captures/kaillera/"+path+".pcapng")
		l, last := s.Dissector(), []byte{1}
		for n := 1; n <= s.Passed(); n += 97 {
			if b, err := l.Bytes(dissect.FrameNum(n)); err == nil && len(b) > headers {
				f.Add(append([]byte(nil), b[headers:]...), last)
				last = append([]byte(nil), b[headers:]...)
			}
		}
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 2000 {
			return
		}
		s := dissecttest.Session(t, plugins(), 1,
			dissecttest.Packets(dissecttest.Datagram(amy, srv, dissecttest.Unhex(t, login1)),
				dissecttest.Datagram(srv, amy, dissecttest.Unhex(t, "01 02 00 06 00 11 00 02 00 01 02")),
				dissecttest.Datagram(srv, amy, dissecttest.Unhex(t, "01 03 00 02 00 15 00")), dissecttest.Datagram(srv, amy, a),
				dissecttest.Datagram(amy, srv, b), dissecttest.Datagram(bob, srv, a), dissecttest.Datagram(srv, bob, b),
				dissecttest.Datagram(amy, srv, a)))
		l := s.Dissector()
		for n := s.Tree(1).Frame; int(n) <= s.Passed(); n++ {
			tree := l.Tree(n)
			dissecttest.Sound(t, tree)
			if first, again := dissecttest.Dump(tree), dissecttest.Dump(l.Tree(n)); first != again {
				t.Errorf("frame %d looks different the second time:\n%s\n%s", n, first, again)
			}
		}
	})
}

// TestHostile feeds messages of all types with numbers, counts and lengths made up: state stays bounded, re-dissections
// equal the first.
func TestHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	k := newTalk(t)
	for i := range 3000 {
		b := []byte{byte(1 + r.IntN(4))}
		for range int(b[0]) {
			body := make([]byte, 1+r.IntN(30))
			for j := range body {
				if body[j] = byte(r.Uint32()); r.IntN(3) > 0 {
					body[j] &= 1
				}
			}
			body[0] = byte(r.IntN(0x1a))
			size := len(body)
			if r.IntN(20) == 0 {
				size = r.IntN(1 << 16)
			}
			number := i + r.IntN(4)
			b = append(b, byte(number), byte(number>>8), byte(size), byte(size>>8))
			b = append(b, body...)
		}
		from, to := end{byte(2 + i%5), 50000}, srv
		if i%2 == 0 {
			from, to = to, from
		}
		k.Packets = append(k.Packets, dissecttest.Packet{Data: dissecttest.Datagram(from, to, b)})
	}
	s := k.Session()
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
}

// TestBounds fills a cache: what is remembered does not grow beyond its bounds.
func TestBounds(t *testing.T) {
	var c window
	c.clear()
	for i := range 1000 {
		c.put(ref{frame: dissect.FrameNum(i + 1), n: 2}, 2)
	}
	if r, _, how := c.find(0); how != hitFound || r.frame != 745 {
		t.Errorf("the oldest entry is of frame %d", r.frame)
	}
}
