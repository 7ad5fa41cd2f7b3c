package realnet

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// FuzzPackets feeds datagrams each way behind a handshake of either layout: nothing may panic, and later looks must equal
// the first.
func FuzzPackets(f *testing.F) {
	for i, v := range vectors {
		next := vectors[(i+7)%len(vectors)]
		f.Add(i%2 == 0, unhex(f, strings.TrimPrefix(v.bytes, ">")), unhex(f, strings.TrimPrefix(next.bytes, ">")))
	}
	f.Fuzz(func(t *testing.T, documented bool, a, b []byte) {
		if len(a)+len(b) > 2000 {
			return
		}
		begin, answer := unhex(t, a1), unhex(t, a2)
		if documented {
			begin, answer = unhex(t, d1), unhex(t, d2)
		}
		s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(datagram(client, server, begin), datagram(server, client, answer),
			datagram(server, client, unhex(t, d4)), datagram(client, server, a), datagram(server, client, b), datagram(server, client, a), datagram(client, server, b),
			datagram(server, second, a), datagram(second, server, b), datagram(server, client, b)), asAny)
		l := s.Looker()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := l.Tree(n)
			dissecttest.Sound(t, tree)
			if first, again := dissecttest.Dump(tree), dissecttest.Dump(l.Tree(n)); first != again {
				t.Errorf("frame %d looks different the second time:\n%s\n%s", n, first, again)
			}
		}
	})
}
