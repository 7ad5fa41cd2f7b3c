package aoe2

import (
	"path/filepath"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// FuzzPackets feeds two datagrams each way between three players: nothing may panic, and re-dissections must equal the
// first. The seeds are the vectors, the actions, and the recorded games' packets of each length.
func FuzzPackets(f *testing.F) {
	for i, v := range vectors {
		f.Add(dissecttest.Unhex(f, v.bytes), dissecttest.Unhex(f, vectors[(i+7)%len(vectors)].bytes))
	}
	for _, a := range actions {
		f.Add(dissecttest.Unhex(f, action(a.bytes)), dissecttest.Unhex(f, a10))
	}
	f.Add(enumQuestion(aoeGUID), enumAnswer("x"))
	recorded := payloads(f)
	for i, b := range recorded {
		f.Add(b, recorded[(i+1)%len(recorded)])
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 2000 {
			return
		}
		s := dissecttest.Session(t, plugins(), 1,
			dissecttest.Packets(dissecttest.Datagram(host, second, dissecttest.Unhex(t, a4)),
				dissecttest.Datagram(host, second, a), dissecttest.Datagram(second, host, b),
				dissecttest.Datagram(host, third, a), dissecttest.Datagram(third, second, b),
				dissecttest.Datagram(second, host, b)))
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

// payloads are the UDP payloads of the recorded games, one of each length.
func payloads(f *testing.F) (out [][]byte) {
	files, _ := filepath.Glob("../../fixtures/captures/aoe2/*.pcapng")
	seen := map[int]bool{}
	for _, path := range files {
		s := dissecttest.Load(f, plugins(), path)
		l := s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			b, err := l.Bytes(n)
			if err != nil {
				f.Fatal(err)
			}
			if len(b) > headers && !seen[len(b)] {
				seen[len(b)] = true
				out = append(out, append([]byte(nil), b[headers:]...))
			}
		}
	}
	return out
}
