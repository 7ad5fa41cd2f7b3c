package kaillera

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestRealCaptures holds the dissector against datagrams of real clients and servers, to the last byte.
func TestRealCaptures(t *testing.T) {
	infos := map[string][]string{
		"kaillera-connect.pcap": {"PING are you there?", "PONG here I am", "TOO server full", "HELLO version 0.86 asks for a session port", "HELLOD00D session port 424242"},
		"kaillera-bundles.pcap": nil,
	}
	for name, want := range infos {
		t.Run(name, func(t *testing.T) {
			s := load(t, name)
			l := s.Looker()
			for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
				tree := l.Tree(n)
				t.Log(dissecttest.Dump(tree))
				if want != nil && tree.InfoLine() != want[n-1] {
					t.Errorf("frame %d: %q, want %q", n, tree.InfoLine(), want[n-1])
				}
				for _, bad := range []string{"_ws.malformed", "_ws.unclaimed", "kaillera.malformed", "kaillera.raw", "kaillera.extra"} {
					if text, ok := dissecttest.Find(tree, bad); ok {
						t.Errorf("frame %d has %s: %s", n, bad, text)
					}
				}
			}
			dissecttest.Looks(t, s)
			dissecttest.Owned(t, s)
		})
	}
}
