package kaillera

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestRecognition looks at datagrams between ports that nobody knows: what is enough at once, what in a row, and what
// must be left alone.
func TestRecognition(t *testing.T) {
	a, b := end{7, 40000}, end{8, 40001}
	const alive, cache, go1 = "01 05 00 02 00 09 00", "01 05 00 03 00 13 00 05", "01 05 00 02 00 15 00"
	cases := []struct {
		name  string
		bytes string
		one   bool // one is enough
		two   bool // two in a row are
	}{
		{"HELLO", v1, true, true}, {"HELLO 0.86", "48454c4c4f302e383600", true, true}, {"HELLOD00D", v2, true, true},
		{"login", login1, true, true}, {"V3", v3, true, true}, {"V5", v5, true, true}, {"V8", v8, true, true},
		{"V9", v9, true, true}, {"V11", v11, true, true},
		{"V4", v4, false, true}, {"V6", v6, false, true}, {"V7", v7, false, true}, {"V10", v10, false, true},
		{"V12", v12, false, true}, {"V12 of the server", v13, false, true},
		{"login as message 1", strings.Replace(login1, "01 00 00", "01 01 00", 1), false, true},
		{"PING", "50494e4700", false, false}, {"PONG", "504f4e4700", false, false}, {"TOO", "544f4f00", false, false},
		{"KEEP_ALIVE alone", alive, false, false}, {"GAME_CACHE alone", cache, false, false},
		{"READY alone", go1, false, false},
		{"two KEEP_ALIVEs", "02 05 00 02 00 09 00 04 00 02 00 09 00", true, true},
		{"beyond the end", "05 00 00 10 00 03 41", false, false}, {"no position", "01 00 00 02 00 13 00", false, false},
		{"numbers that go up", "02 04 00 02 00 09 00 05 00 02 00 09 00", false, false},
		{"a byte too many", "02 05 00 02 00 09 00 04 00 02 00 09 00 00", false, false},
		{"16 messages", "10" + bundleOf(16), false, false}, {"15 messages", "0f" + bundleOf(15), true, true},
		{"a type of the extension", "02 05 00 02 00 09 00 04 00 05 00 18 00 01 00 00", false, false},
		{"ACK with other counters", strings.Replace(v3, "03 00 00 00 00 00 0e", "04 00 00 00 00 00 0e", 1), false, false},
		{"connection type 7", strings.Replace(login1, "2e 30 00 01", "2e 30 00 07", 1), false, false},
		{"status 3", "01 08 00 09 00 0e 00 11 00 00 00 03 02 04", false, false},
		{"data of another length", "01 06 00 08 00 12 00 05 00 01 00 02 00", false, false},
		{"HELLO without NUL", "48454c4c4f302e3833", false, false},
		{"HELLO of no version", "48454c4c4f20776f726c6400", false, false},
		{"HELLO with more behind", "48454c4c4f302e38330041", false, false},
		{"HELLOD00D port 0", "48454c4c4f44303044 30 00", false, false},
		{"HELLOD00D port 65536", "48454c4c4f44303044 3635353336 00", false, false},
		{"n02 P2P", "01 00 a1 00", false, false},
		{"DNS", "1234 0100 0001 0000 0000 0000 03777777 00 0001 0001", false, false},
		{"NTP", "1b" + strings.Repeat("00", 47), false, false},
		{"QUIC", "c0 00000001 08 0102030405060708 00" + strings.Repeat("5a", 60), false, false},
		{"zeros", strings.Repeat("00", 30), false, false}, {"ones", strings.Repeat("01", 30), false, false},
	}
	for _, c := range cases {
		k := newTalk(t)
		first := k.Say(1, a, b, c.bytes)
		if got := k.Session().Tree(first).Protocol() == proto; got != c.one {
			t.Errorf("%s: taken at once: %v", c.name, got)
		}
		second := k.Say(1, a, b, c.bytes)
		s := k.Session()
		if got := s.Tree(second).Protocol() == proto; got != c.two {
			t.Errorf("%s: taken the second time: %v", c.name, got)
		}
		if got := s.Tree(first).Protocol() == proto; got != c.two {
			t.Errorf("%s: taken when there is a second one: %v", c.name, got)
		}
	}
}

func bundleOf(n int) string {
	var b strings.Builder
	for i := n; i > 0; i-- {
		b.WriteString(string("0123456789abcdef"[i>>4]) + string("0123456789abcdef"[i&15]) + "00020009 00")
	}
	return b.String()
}

// TestWeakDatagrams checks that datagrams that say little count where an end is known, and on the control port.
func TestWeakDatagrams(t *testing.T) {
	k := newTalk(t)
	k.Say(1, end{7, 40000}, end{8, 40001}, v1)
	known := k.Say(1, end{9, 40002}, end{8, 40001}, "50494e4700")
	port := k.Say(1, end{5, 1234}, srv, "50494e4700")
	wrong := k.Say(1, end{4, 1234}, end{3, controlPort}, "00112233445566778899")
	s := k.Session()
	for n, taken := range map[dissect.FrameNum]bool{known: true, port: true, wrong: false} {
		if got := s.Tree(n).Protocol() == proto; got != taken {
			t.Errorf("frame %d is taken: %v\n%s", n, got, dissecttest.Dump(s.Tree(n)))
		}
	}
}

// TestDecodeAs takes a port for Kaillera because people say so.
func TestDecodeAs(t *testing.T) {
	k := newTalk(t)
	n := k.Say(1, end{7, 40000}, end{8, 7000}, "01 05 00 03 00 13 00 05")
	s := dissecttest.Session(t, plugins(), 1, k.Packets,
		dissect.DecodeAs{Table: dissect.TableUDP, Value: 7000, Protocol: "kaillera"})
	want(t, s, n, "cache.position", "5")
}

// TestRandomBytes feeds random datagrams, some with a plausible head: none is Kaillera's.
func TestRandomBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	k := newTalk(t)
	for i := range 20_000 {
		b := make([]byte, 1+r.IntN(60))
		for j := range b {
			b[j] = byte(r.Uint32())
			if i%2 == 0 {
				b[j] &= 3
			}
		}
		if i%3 == 0 {
			b[0] = byte(1 + r.IntN(3))
		}
		k.Packets = append(k.Packets,
			dissecttest.Packet{Data: dissecttest.Datagram(end{byte(i % 250), uint16(20000 + i)}, end{251, 30000}, b)})
	}
	s := k.Session()
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		if tree := l.Tree(n); tree.Protocol() == proto {
			t.Errorf("random bytes are taken:\n%s", dissecttest.Dump(tree))
		}
	}
}

// TestOtherCaptures takes nothing of the captures of other protocols.
func TestOtherCaptures(t *testing.T) {
	files, _ := filepath.Glob("../../fixtures/captures/*/*.pcap*")
	if len(files) == 0 {
		t.Fatal("there are no captures")
	}
	for _, path := range append(files, dissecttest.Captures(t, "../../fixtures/captures/kaillera")...) {
		if strings.Contains(path, "kaillera") || strings.HasSuffix(path, ".tree") {
			continue
		}
		s := dissecttest.Load(t, plugins(), path)
		l := s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if tree := l.Tree(n); tree.Protocol() == proto {
				t.Errorf("%s: frame %d is taken:\n%s", path, n, dissecttest.Dump(tree))
			}
		}
	}
}

// TestPortsOfOthers has servers and clients on ports that belong to other protocols: those keep what does not look like
// Kaillera for sure.
func TestPortsOfOthers(t *testing.T) {
	other := dissect.NewProtocol("other", "Other", "Owns ports.")
	all := other.Bytes("all", "All", "The bytes.")
	k := newTalk(t)
	k.Plugins = append(k.Plugins,
		dissect.Plugin{Protocol: other, UDP: []uint16{53, 5060}, Dissect: func(d *dissect.D) { d.Rest(all) }})
	hello := k.Say(1, end{2, 40000}, end{1, 53}, v1)
	accept := k.Say(1, end{1, 53}, end{2, 40000}, strings.Replace(v2, "32 37 38 38 39", "35 30 36 30", 1))
	login := k.Say(1, end{3, 5060}, end{4, 40001}, login1)
	theirs := k.Say(1, end{5, 40000}, end{6, 53}, "01 05 00 02 00 09 00")
	s := k.Session()
	for n, mine := range map[dissect.FrameNum]bool{hello: true, accept: true, login: true, theirs: false} {
		if got := s.Tree(n).Protocol() == proto; got != mine {
			t.Errorf("frame %d is ours: %v", n, got)
		}
	}
}
