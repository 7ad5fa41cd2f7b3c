package realnet

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
)

// FuzzPackets feeds datagrams each way behind a handshake of either layout: nothing may panic, and re-dissections must
// equal the first.
func FuzzPackets(f *testing.F) {
	for i, v := range vectors {
		next := vectors[(i+7)%len(vectors)]
		f.Add(i%2 == 0, dissecttest.Unhex(f, strings.TrimPrefix(v.bytes, ">")),
			dissecttest.Unhex(f, strings.TrimPrefix(next.bytes, ">")))
	}
	for _, b := range recorded(f) {
		f.Add(true, b, b)
		f.Add(false, b[:len(b)/2], b)
	}
	f.Fuzz(func(t *testing.T, documented bool, a, b []byte) {
		if len(a)+len(b) > 2000 {
			return
		}
		begin, answer := dissecttest.Unhex(t, a1), dissecttest.Unhex(t, a2)
		if documented {
			begin, answer = dissecttest.Unhex(t, d1), dissecttest.Unhex(t, d2)
		}
		s := dissecttest.Session(t, plugins(), 1,
			dissecttest.Packets(dissecttest.Datagram(client, server, begin), dissecttest.Datagram(server, client, answer),
				dissecttest.Datagram(server, client, dissecttest.Unhex(t, d4)), dissecttest.Datagram(client, server, a),
				dissecttest.Datagram(server, client, b), dissecttest.Datagram(server, client, a),
				dissecttest.Datagram(client, server, b),
				dissecttest.Datagram(server, second, a), dissecttest.Datagram(second, server, b),
				dissecttest.Datagram(server, client, b)), asAny)
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

// recorded are some payloads of each capture of this protocol in the repository.
func recorded(t testing.TB) (payloads [][]byte) {
	t.Helper()
	files, _ := filepath.Glob("../../fixtures/captures/realnet/*.pcapng")
	for _, name := range files {
		store, err := pcapfile.Open(context.Background(), name)
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
