package aoe2

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// documented are the bytes that the notes print, one packet or part of one a line, of the folder that REMORA_CAPTURES
// names.
func documented(t *testing.T) (lines [][]string) {
	t.Helper()
	folder := os.Getenv("REMORA_CAPTURES")
	if folder == "" {
		t.Skip("REMORA_CAPTURES names no folder of captures")
	}
	text, err := os.ReadFile(filepath.Join(folder, "aoe2-documented-packets.hex"))
	if err != nil {
		t.Skip(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if parts := strings.Fields(line); len(parts) == 3 && !strings.HasPrefix(line, "#") {
			lines = append(lines, parts)
		}
	}
	return lines
}

const header3e = "4423010000000000 3e020000 58020000 280a0000"

// TestDocumentedPackets decodes to the last byte what was printed of real traffic: no action has bytes left over, none
// is unknown, none is short, and all are recognised at once or after one more.
func TestDocumentedPackets(t *testing.T) {
	actions := 0
	for _, p := range documented(t) {
		k := newTalk(t)
		var n dissect.FrameNum
		switch p[0] {
		case "packet":
			n = k.Say(1, host, second, p[2])
		case "body":
			n = k.Say(1, host, second, strings.Replace(header3e, "3e", "43", 1)+p[2])
		case "header":
			n = k.Say(1, host, second, p[2]+"0400 2500 3000")
		case "action":
			n = k.Say(1, host, second, header3e+p[2])
			actions++
		default:
			t.Fatalf("line of kind %q", p[0])
		}
		s := k.Session()
		tree := s.Tree(n)
		for _, name := range []string{"_ws.unclaimed", "_ws.malformed", "aoe2.trailing", "aoe2.action.data",
			"aoe2.action.unknown.type", "aoe2.action.length", "aoe2.action.selected.bad", "aoe2.length.bad",
			"aoe2.chat.length.bad", "aoe2.chat.form"} {
			if _, bad := dissecttest.Find(tree, name); bad {
				t.Errorf("%s %s has %s:\n%s", p[0], p[1], name, dissecttest.Dump(tree))
			}
		}
		if p[0] == "packet" {
			if got := tree.InfoLine(); got != "CHAT P2 to P2, P3: abcdefghi" {
				t.Errorf("the chat reads %q", got)
			}
		}
		if p[0] == "action" {
			if got, _ := dissecttest.Find(tree, "aoe2.action"); !strings.HasSuffix(got, "(0x"+p[1]+")") {
				t.Errorf("action %s is %s", p[1], got)
			}
			size, fits, _ := measure(dissecttest.Unhex(t, p[2]))
			if !fits || size != len(p[2])/2 {
				t.Errorf("action %s: %d of %d bytes, fits %v", p[1], size, len(p[2])/2, fits)
			}
		}
	}
	if actions < 40 {
		t.Errorf("only %d actions", actions)
	}
}

// TestDocumentedSentences says what the real actions say.
func TestDocumentedSentences(t *testing.T) {
	want := map[string]string{
		"00": "PRIMARY_ACTION P2 sends the same units to object 0x1a57 at", "01": "STOP player 0x00012344 stops 1 object",
		"10": "WAYPOINT P1 sets a waypoint at tile (49, 23) for the same units",
		"65": "RESEARCH P1 researches Two-Handed Swordsman", "66": "BUILD P1 lets 2 units build a House at (144, 68)",
		"69": "BUILD_WALL P1 lets 2 units build a Palisade Wall from tile (160, 74) to (172, 71)",
		"6a": "DELETE P2 deletes object 0x69f", "7a": "SELL P1 sells 100 stone at object",
		"7b": "BUY P1 buys 500 wood at object", "0b": "RESIGN P3 resigns", "6c": "TRIBUTE P3 gives P1 100 gold, fee 0.2",
		"77": "TRAIN player 0x00012344 trains 5 × Spearman", "12": "STANCE player 0x00012344 sets 1 unit to stand ground",
		"1b": "SAVE_GAME P1 saves the game as xyz.msx", "73": "FLARE P4 sends a flare to (99.5, 179.5)",
		"64": "AI_TRAIN P3 trains a Cavalry Archer", "1f": "AI_WAYPOINTS player 0x00012344 sends 4 units over 9 waypoints",
		"7f": "TOWN_BELL player 0x00012344 rings the bell", "72": "TOGGLE_GATE player 0x00012344 opens or closes gate",
	}
	got := map[string][]string{}
	for _, p := range documented(t) {
		if p[0] != "action" {
			continue
		}
		k := newTalk(t)
		n := k.Say(1, host, second, header3e+p[2])
		got[p[1]] = append(got[p[1]], k.Session().Tree(n).InfoLine())
	}
	for id, text := range want {
		found := false
		for _, line := range got[id] {
			found = found || strings.HasPrefix(line, text)
		}
		if !found {
			t.Errorf("no action %s reads %q; there are %s", id, text, fmt.Sprintf("%q", got[id]))
		}
	}
}
