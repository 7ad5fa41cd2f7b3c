package realnet

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"remora/capture"
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
	for _, b := range recorded(f) {
		f.Add(true, b, b)
		f.Add(false, b[:len(b)/2], b)
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

// recorded are some payloads of each capture of this protocol in the repository.
func recorded(t testing.TB) (payloads [][]byte) {
	t.Helper()
	files, _ := filepath.Glob("../../fixtures/captures/realnet/*.pcapng")
	for _, name := range files {
		store, err := capture.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		store.Wait()
		r := store.NewReader()
		for i := 0; i < store.Len(); i += 1 + store.Len()/20 {
			b, err := r.Bytes(i)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > headers {
				payloads = append(payloads, append([]byte(nil), b[headers:]...))
			}
		}
		store.Close()
	}
	if len(payloads) < 30 {
		t.Fatalf("only %d payloads in %d captures", len(payloads), len(files))
	}
	return payloads
}
