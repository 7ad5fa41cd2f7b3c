package realnet

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestRecognition looks at conversations between ports that nobody knows. Packets that the server sends begin with ">";
// taken is the first of them that is real-net, 0 for none.
func TestRecognition(t *testing.T) {
	now := uint64(1704067200_000000)
	good := ">00 00 00 01" + us(now) + us(250)
	cases := []struct {
		name  string
		bytes []string
		gap   int64
		taken int
	}{
		{"handshake as built", []string{a1, good}, 1, 2},
		{"handshake as documented", []string{d1, ">" + d2}, 1, 2},
		{"reliable Init", []string{"00 01 00 00 00", ">" + d2}, 1, 2},
		{"refused as built", []string{a1, ">" + a5full}, 1, 2},
		{"refused as documented", []string{d1, ">" + d3}, 1, 2},
		{"Accept long after the Init", []string{a1, good}, 16000, 0},
		{"Accept without an Init", []string{good}, 1, 0},
		{"two Accepts", []string{good, good}, 1, 2},
		{"both Accepts as built", []string{good, "00 01 00 01" + us(5) + us(15)}, 1, 0},
		{"Init again and again", []string{a1, a1, a1, a1}, 1, 0},
		{"zeros both ways", []string{a1, ">" + a1, a1, ">" + a1}, 1, 0},
		{"five zeros both ways", []string{d1, ">" + d1, d1, ">" + d1}, 1, 0},
		{"an Accept that overtook its Init", []string{good, a1}, 1, 2},
		{"an Accept as documented that overtook its Init", []string{">" + d2, d1}, 1, 2},
		{"an Accept long before an Init", []string{good, a1}, 16000, 0},
		{"an Accept before an Init of its own side", []string{good, ">" + a1}, 1, 0},
		{"the answer from the same side", []string{a1, good[1:]}, 1, 0},
		{"an Accept of another day", []string{a1, ">00 00 00 01" + us(now+2*86400_000000) + us(250)}, 1, 0},
		{"an Accept that took long", []string{a1, ">00 00 00 01" + us(now) + us(10_000_000)}, 1, 0},
		{"an Accept as documented to an Init as built", []string{a1, ">" + d2}, 1, 0},
		{"an Accept as built to an Init as documented", []string{d1, good}, 1, 0},
		{"sent before received", []string{d1, ">00 01 01 00 01" + us(5) + us(4) + "80841e00"}, 1, 0},
		{"no interval", []string{d1, ">00 01 01 00 01" + us(4) + us(5) + "00000000"}, 1, 0},
		{"another sequence", []string{d1, ">00 01 02 00 01" + us(4) + us(5) + "80841e00"}, 1, 0},
		{"a Reject of another reason", []string{a1, ">00 00 00 02 02"}, 1, 0},
		{"a Reject whose text is none", []string{d1, ">00 00 00 00 02 02 00 01"}, 1, 0},
		{"a Reject whose text goes on", []string{d1, ">00 00 00 00 02 02 61 61 61"}, 1, 0},
		{"Acks", []string{a4, ">" + a4, a4, ">" + a4}, 1, 0},
		{"Messages", []string{d7, ">" + d7, d7}, 1, 0},
		{"tables and replication", []string{">" + d4, ">" + d5, ">" + d5}, 1, 0},
	}
	for _, c := range cases {
		k := newTalk(t)
		var frames []dissect.FrameNum
		for _, b := range c.bytes {
			from, to := end{7, 40000}, end{8, 40001}
			if s, ok := strings.CutPrefix(b, ">"); ok {
				from, to, b = to, from, s
			}
			frames = append(frames, k.Say(c.gap, from, to, b))
		}
		s := k.Session()
		for i, n := range frames {
			if got, want := s.Tree(n).Protocol() == proto, c.taken > 0; got != want {
				t.Errorf("%s: packet %d is taken: %v", c.name, i+1, got)
			}
		}
	}
}

// TestKnownServer checks that a second client of a server is known from its first packet on.
func TestKnownServer(t *testing.T) {
	k := newTalk(t)
	k.handshake()
	n := k.Say(1, second, server, d1)
	no := k.Say(1, end{9, 7}, server, "5a5a5a5a5a")
	s := k.Session()
	want(t, s, n, "type", "CONNECTION_INIT")
	if s.Tree(no).Protocol() == proto {
		t.Error("anything that reaches the server is taken")
	}
}

// TestRandom sends random bytes, and bytes that begin like packets, between unknown ports.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	k := newTalk(t)
	for i := range 4000 {
		b := make([]byte, 3+r.IntN(60))
		for j := range b {
			b[j] = byte(r.Uint32() & r.Uint32())
		}
		b[0] = byte(r.IntN(8))
		from, to := end{7, uint16(40000 + i/40)}, end{8, 41000}
		if i%2 == 1 {
			from, to = to, from
		}
		k.Packets = append(k.Packets, dissecttest.Packet{Data: dissecttest.Datagram(from, to, b)})
	}
	s := k.Session()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		if s.StackTop(s.LayerStackOf(n)) == proto {
			t.Fatalf("frame %d was taken:\n%s", n, dissecttest.Dump(s.Tree(n)))
		}
	}
}

// TestForeignTraffic checks that the traffic of all other captures is left alone.
func TestForeignTraffic(t *testing.T) {
	files, _ := filepath.Glob("../../fixtures/captures/*/*.pcap*")
	if more := os.Getenv("REMORA_CAPTURES"); more != "" {
		found, _ := filepath.Glob(filepath.Join(more, "*.pcap*"))
		files = append(files, found...)
	}
	looked := 0
	for _, name := range files {
		if strings.HasSuffix(name, ".tree") || filepath.Base(filepath.Dir(name)) == "realnet" {
			continue
		}
		s := dissecttest.Load(t, plugins(), name)
		looked += s.Passed()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if s.StackTop(s.LayerStackOf(n)) == proto {
				t.Errorf("%s: frame %d was taken for real-net:\n%s", name, n, dissecttest.Dump(s.Tree(n)))
			}
		}
	}
	if looked < 1000 {
		t.Errorf("only %d frames of other protocols were looked at", looked)
	}
}
