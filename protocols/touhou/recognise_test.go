package touhou

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestRecognition looks at datagrams between ports that nobody knows: what is enough at once, what in a row, and what
// must be left alone.
func TestRecognition(t *testing.T) {
	a, b := end{7, 40000}, end{8, 40001}
	cases := []struct {
		name  string
		bytes string
		one   bool // one is enough
		two   bool // two in a row are
	}{
		{"HELLO", t1, true, true}, {"PUNCH", t3, true, true}, {"REDIRECT", t7, true, true}, {"INIT_REQUEST", t4, true, true},
		{"INIT_SUCCESS", t5, true, true}, {"short INIT_SUCCESS", "06 0000 0000 10000000 0000 0000", true, true},
		{"inputs", t8, false, true}, {"GAME_MATCH", t10, true, true}, {"GAME_REPLAY", t11, true, true},
		{"OLLEH", "03", false, false}, {"CHAIN", t6b, false, false}, {"QUIT", "0b", false, false},
		{"TIME", t14, false, false}, {"LOADED", "0d0103", false, false},
		{"overwritten GAME_REPLAY", t12, false, false},
		{"WireGuard handshake", "01000000" + strings.Repeat("5a", 144), false, false},
		{"WireGuard data", "04000000" + strings.Repeat("5a", 28), false, false},
		{"DNS", "1234 0100 0001 0000 0000 0000 03777777 00 0001 0001", false, false},
		{"HELLO to 0.0.0.0", strings.Replace(t1, "c0000201", "00000201", 1), false, false},
		{"HELLO to a group", strings.Replace(t1, "c0000201", "e0000201", 1), false, false},
		{"inputs of no scene", "0d 03 2c 01 00 00 07 02 1000 0000", false, false},
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

// TestWeakPackets checks that packets that say little count where an end is known, and on the game's own port where
// there are two in a row.
func TestWeakPackets(t *testing.T) {
	k := newTalk(t)
	k.Say(1, end{7, 40000}, end{8, 40001}, t1)
	known := k.Say(1, end{8, 40001}, end{9, 40002}, "03")
	port := k.Say(1, end{5, 1234}, end{6, defaultPort}, "0b")
	k.Say(1, end{5, 1234}, end{6, defaultPort}, "0b")
	once := k.Say(1, end{5, 1235}, end{6, defaultPort}, "0b")
	wrong := k.Say(1, end{4, 1234}, end{3, defaultPort}, "0b00")
	s := k.Session()
	for n, taken := range map[dissect.FrameNum]bool{known: true, port: true, once: false, wrong: false} {
		if got := s.Tree(n).Protocol() == proto; got != taken {
			t.Errorf("frame %d is taken: %v\n%s", n, got, dissecttest.Dump(s.Tree(n)))
		}
	}
}
