package touhou

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestRealCapture holds the dissector against real traffic of the game. The counts were taken from the raw bytes.
func TestRealCapture(t *testing.T) {
	s := dissecttest.LoadReal(t, plugins(), "touhou-play-and-spectate.pcap")
	want := map[string]int{"HELLO": 25, "PUNCH": 6, "OLLEH": 25, "CHAIN": 89, "INIT_REQUEST": 5, "INIT_SUCCESS": 2,
		"INIT_ERROR": 1, "REDIRECT": 2,
		"GAME_LOADED": 9, "GAME_LOADED_ACK": 2, "GAME_INPUT": 1803, "GAME_MATCH": 5, "GAME_MATCH_ACK": 4,
		"GAME_MATCH_REQUEST": 6,
		"GAME_REPLAY":        27, "GAME_REPLAY_REQUEST": 28}
	punched := 0
	got, answered, l := map[string]int{}, map[string]int{}, s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		tree := l.Tree(n)
		got[tree.Kind()]++
		if _, ok := dissecttest.Find(tree, "touhou.request_in"); ok {
			answered[tree.Kind()]++
		}
		if _, ok := dissecttest.Find(tree, "touhou.punch_in"); ok {
			punched++
		}
	}
	for kind, n := range want {
		if got[kind] != n {
			t.Errorf("%d %s, want %d", got[kind], kind, n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("types %v, want %v", got, want)
	}
	// Six OLLEHs answer PUNCHes; all else that answers has its request.
	if punched != 6 {
		t.Errorf("%d OLLEHs answer PUNCHes", punched)
	}
	for kind, n := range map[string]int{"OLLEH": 19, "GAME_REPLAY": 27, "INIT_SUCCESS": 2, "INIT_ERROR": 1, "REDIRECT": 2,
		"GAME_LOADED_ACK": 2, "GAME_MATCH_ACK": 4} {
		if answered[kind] != n {
			t.Errorf("%d of %d %s have their request", answered[kind], n, kind)
		}
	}
	bad := map[string]bool{}
	for _, name := range []string{"_ws.malformed", "touhou.length.bad", "touhou.input.conflict", "touhou.input.echo",
		"touhou.replay.differs", "touhou.chain.disagrees",
		"touhou.olleh.rivals", "touhou.olleh.unasked", "touhou.chain.lost", "touhou.children.many", "touhou.chain.unseen",
		"touhou.match.differs"} {
		bad[name] = true
	}
	for i := range s.ExpertInfos() {
		m := s.ExpertInfo(i)
		for _, f := range s.Registry().Protocols() {
			for _, field := range f.Fields() {
				if field.ID() == m.Field && bad[field.Name()] {
					t.Errorf("frame %d: %s", m.Frame, field.Name())
				}
			}
		}
	}
	dissecttest.Owned(t, s)
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestRealSession checks who plays, who watches and who was sent away.
func TestRealSession(t *testing.T) {
	s := dissecttest.LoadReal(t, plugins(), "touhou-play-and-spectate.pcap")
	roles := map[uint16]string{10800: "host youmu", 52513: "client youmu", 51390: "spectator 1", 50780: "youmu"}
	for e, end := range s.Ends() {
		if want, ok := roles[e.Port]; ok && end.Label() != want {
			t.Errorf("%s is %q, want %q", e, end.Label(), want)
		}
	}
	games := s.Games()
	if len(games) != 1 {
		t.Fatalf("%d games", len(games))
	}
	var phases []string
	for _, p := range games[0].Phases {
		phases = append(phases, p.Name)
	}
	if got := strings.Join(phases,
		"; "); got != "connecting; character select; match 1: Reimu vs Sanae at Youkai Mountain" {
		t.Errorf("phases are %q", got)
	}
	if len(games[0].Players) != 3 || games[0].Title != "youmu vs youmu" {
		t.Errorf("game %+v", games[0])
	}
	l := s.Dissector()
	for n, want := range map[dissect.FrameNum]string{1246: "punched_in 1251", 1251: "hello_in 1246",
		1271: "request_in 1270", 1486: "depth 2", 12: "request_in 11",
		1242: "redirected_in 1223", 1223: "followed_in 1242", 1485: "redirected_in 1438", 1249: "redirected_in 1223",
		1253: "punch_in 1251", 1244: "request_in 1242"} {
		name, value, _ := strings.Cut(want, " ")
		if got, _ := dissecttest.Find(l.Tree(n), "touhou."+name); got != value {
			t.Errorf("frame %d: %s is %q, want %s", n, name, got, value)
		}
	}
}

// TestForeignTraffic checks that other games' datagrams are left alone.
func TestForeignTraffic(t *testing.T) {
	for _, name := range []string{"kaillera-bundles.pcap", "kaillera-connect.pcap", "soaprun-original-server.pcap"} {
		s := dissecttest.LoadReal(t, plugins(), name)
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if tree := s.Tree(n); tree.Protocol() == proto {
				t.Errorf("%s: frame %d was taken for Touhou:\n%s", name, n, dissecttest.Dump(tree))
			}
		}
	}
}
