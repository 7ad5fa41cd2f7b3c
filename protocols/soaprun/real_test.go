package soaprun

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestRealCapture holds the dissector against the traffic of the original server. The counts were taken from the raw
// bytes.
func TestRealCapture(t *testing.T) {
	s := dissecttest.LoadReal(t, plugins(), "soaprun-original-server.pcap")
	want := map[string]int{"DISPATCH_REQUEST": 3, "DISPATCH_ADMIN": 1, "DISPATCH_REPLY": 4, "WLCM": 2, "Prtc": 4,
		"Test": 16, "Dlog": 4, "Void": 6, "mAtt": 4, "Room": 22,
		"myPo": 20, "Flds": 26, "ChCl": 1, "DrFl": 1, "HNPU": 3, "mCrp": 1, "HVen": 1, "Bye.": 1}
	got, answers, answered, l := map[string]int{}, 0, 0, s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		tree := l.Tree(n)
		if tree.Protocol() != proto {
			continue
		}
		got[tree.Kind()]++
		if from, _ := dissecttest.Find(tree, "soaprun.from"); from == "server" && tree.Kind() != "WLCM" {
			answers++
			if _, ok := dissecttest.Find(tree, "soaprun.request_in"); ok {
				answered++
			}
		}
		if notes := marked(s, n); strings.Contains(notes, "malformed") || strings.Contains(notes, "length") ||
			strings.Contains(notes, "sync") || strings.Contains(notes, "unasked") {
			t.Errorf("frame %d: %s", n, notes)
		}
	}
	for kind, n := range want {
		if got[kind] != n {
			t.Errorf("%d %s, want %d", got[kind], kind, n)
		}
	}
	if len(got) != len(want) || answers == 0 || answers != answered {
		t.Errorf("types %v; %d of %d answers have their question", got, answered, answers)
	}
	dissecttest.Owned(t, s)
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

// TestRealSession looks at what is known of the real players, of the server and of its rooms.
func TestRealSession(t *testing.T) {
	s := dissecttest.LoadReal(t, plugins(), "soaprun-original-server.pcap")
	for n, want := range map[dissect.FrameNum]string{
		18:  `DISPATCH_REPLY closed, 127.0.0.1:1002 "Server closed!" "see you" "そう" "bye"`,
		153: "Flds walking green with sword; sees 1 player, 4 entities; player gets sword; Sword 19 is held",
		157: "Flds walking blue with shield; sees 1 player, 14 entities; player gets shield; rain begins; Shield 35 is held",
		163: "Flds dying green with sword; sees 1 player, 15 entities; player dies",
		175: "Flds ghost blue; sees 1 player, 1 entity; player becomes a ghost; player loses shield",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: %q, want %q", n, got, want)
		}
	}
	view := strings.Split(dissecttest.All(s.Tree(86), "soaprun.room.row"), ",")
	if len(view) != 16 || view[0] != "   15  #########xxx#########" || view[7] != "   22  x....xx+++@+++......x" {
		t.Errorf("the view is\n%s", strings.Join(view, "\n"))
	}
	if got := value(s, 46, "soaprun.dispatch.in"); got != "8" {
		t.Errorf("the server was named in %q", got)
	}
	games := s.Games()
	if len(games) != 1 || len(games[0].Players) != 3 || games[0].Title != "Soaprun at 127.0.0.1:1002" ||
		len(games[0].Phases) != 2 || games[0].Phases[1].Name != "rain" {
		t.Errorf("games %+v", games)
	}
}
