package soaprun

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// FuzzStreams feeds bytes to both directions in segments of a size of their own: nothing may panic, re-dissections must
// equal the first, and no byte may be left without a field.
func FuzzStreams(f *testing.F) {
	for i, v := range vectors {
		f.Add(dissecttest.Unhex(f, v.bytes), dissecttest.Unhex(f, vectors[(i+5)%len(vectors)].bytes), byte(i*7), i%2 == 0)
	}
	f.Add([]byte(ask), []byte(s12), byte(9), false)
	f.Fuzz(func(t *testing.T, a, b []byte, size byte, greeted bool) {
		if len(a)+len(b) > 3000 || (len(a)+len(b))/(1+int(size)) > 100 { // every segment is looked at many times
			return
		}
		k := newTalk(t, livePort)
		if greeted {
			k.hex(host, s1)
			k.hex(client, s5)
			k.say(host, roomBytes(1, 1, 0, nil))
			k.hex(client, s6)
		}
		step := 1 + int(size)
		k.pieces(client, a, step)
		k.pieces(host, b, step)
		k.lose(client, int(size)%3)
		k.pieces(client, b, step)
		k.pieces(host, a, step)
		k.end(host)
		k.end(client)
		s := k.session()
		l := s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := l.Tree(n)
			dissecttest.Sound(t, tree)
			if first, again := dissecttest.Dump(tree), dissecttest.Dump(l.Tree(n)); first != again {
				t.Errorf("frame %d looks different the second time:\n%s\n%s", n, first, again)
			}
		}
	})
}
