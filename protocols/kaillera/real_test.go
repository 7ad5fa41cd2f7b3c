package kaillera

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestRealCaptures holds the dissector against datagrams of real clients and servers, to the last byte.
func TestRealCaptures(t *testing.T) {
	infos := map[string][]string{
		"kaillera-connect.pcap": {"PING are you there?", "PONG here I am", "TOO server full",
			"HELLO version 0.86 asks for a session port", "HELLOD00D session port 424242"},
		"kaillera-bundles.pcap": nil,
	}
	for name, want := range infos {
		t.Run(name, func(t *testing.T) {
			s := dissecttest.LoadReal(t, plugins(), name)
			l := s.Dissector()
			for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
				tree := l.Tree(n)
				if want != nil && tree.InfoLine() != want[n-1] {
					t.Errorf("frame %d: %q, want %q", n, tree.InfoLine(), want[n-1])
				}
				for _, bad := range []string{"_ws.malformed", "_ws.unclaimed", "kaillera.malformed", "kaillera.raw",
					"kaillera.extra"} {
					if text, ok := dissecttest.Find(tree, bad); ok {
						t.Errorf("frame %d has %s: %s", n, bad, text)
					}
				}
			}
			if name == "kaillera-bundles.pcap" {
				realBundles(t, s)
			}
			dissecttest.Redissections(t, s)
			dissecttest.Owned(t, s)
		})
	}
}

// realBundles checks what the bundles hold, as read by hand from the raw bytes: the types of their messages and some
// values.
func realBundles(t *testing.T, s *dissect.Session) {
	t.Helper()
	types := [][]uint64{{userLogin}, {serverInfo, userJoined, serverStatus}, {serverInfo, userJoined, serverStatus},
		{gameData, gameData, ready}, {gameData},
		{keepAlive, keepAlive, keepAlive}, {clientAck, userLogin}, {createGame, quitGame, createGame}}
	for i, want := range types {
		tree := s.Tree(dissect.FrameNum(i + 1))
		if len(tree.Messages) != len(want) {
			t.Errorf("frame %d has %d messages, want %d", i+1, len(tree.Messages), len(want))
			continue
		}
		for k, m := range tree.Messages {
			if m.Kind != want[k] {
				t.Errorf("frame %d, message %d is of type %#x, want %#x", i+1, k, m.Kind, want[k])
			}
		}
	}
	want(t, s, 1, "emulator", "Project 64k 0.13 (01 Aug 2003)", "user.connection", "LAN (1)")
	want(t, s, 2, "text", "定員30名", "~user.id", "395,392", "game.name", "Nintendo All-Star! Dairantou Smash Brothers (J)",
		"game.id", "61", "game.owner", "test", "game.seats", "1/2")
	want(t, s, 3, "~repeat", "repeat,repeat,repeat", "~first_seen", "2,2,2")
	want(t, s, 4, "n64.form", "controllers (0x20)", "data.width", "24 bytes")
	want(t, s, 5, "trailing.messages", "1", "trailing.bytes", "")
	want(t, s, 8, "~game.name", "SmashRemix0.9.7,Nintendo All-Star! Dairantou Smash Brothers (J)")
}
