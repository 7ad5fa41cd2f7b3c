package touhou

import (
	"testing"

	"remora/dissect/dissecttest"
)

// FuzzPackets feeds two datagrams each way: nothing may panic, and later looks must equal the first.
func FuzzPackets(f *testing.F) {
	for i, v := range vectors {
		f.Add(unhex(f, v.bytes), unhex(f, vectors[(i+7)%len(vectors)].bytes))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 2000 {
			return
		}
		s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(datagram(client, host, unhex(t, t1)), datagram(host, client, a), datagram(client, host, b),
			datagram(client, spectator, a), datagram(spectator, client, b), datagram(host, client, b)))
		l := s.Looker()
		for n := s.Tree(1).Frame; int(n) <= s.Passed(); n++ {
			tree := l.Tree(n)
			dissecttest.Sound(t, tree)
			if first, again := dissecttest.Dump(tree), dissecttest.Dump(l.Tree(n)); first != again {
				t.Errorf("frame %d looks different the second time:\n%s\n%s", n, first, again)
			}
		}
	})
}
