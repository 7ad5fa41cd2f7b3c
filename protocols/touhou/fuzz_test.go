package touhou

import (
	"testing"

	"remora/dissect/dissecttest"
)

// FuzzPackets feeds two datagrams each way: nothing may panic, and re-dissections must equal the first.
func FuzzPackets(f *testing.F) {
	for i, v := range vectors {
		f.Add(dissecttest.Unhex(f, v.bytes), dissecttest.Unhex(f, vectors[(i+7)%len(vectors)].bytes))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 2000 {
			return
		}
		s := dissecttest.Session(t, plugins(), 1,
			dissecttest.Packets(dissecttest.Datagram(client, host, dissecttest.Unhex(t, t1)),
				dissecttest.Datagram(host, client, a), dissecttest.Datagram(client, host, b),
				dissecttest.Datagram(client, spectator, a), dissecttest.Datagram(spectator, client, b),
				dissecttest.Datagram(host, client, b)))
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
