package ui

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

func recorded(name string) string { return filepath.Join("..", "fixtures", "captures", name) }

func TestDesyncGolden(t *testing.T) {
	for name, file := range map[string]string{"desync": "kaillera/desync.pcapng", "desync-world": "aoe2/trouble.pcapng",
		"desync-state": "touhou/desync.pcapng"} {
		for _, wh := range screens {
			x := openFile(t, recorded(file), wh[0], wh[1]).keys("gd")
			dissecttest.Compare(t, filepath.Join("testdata", name+"-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"),
				trimmed(x.text()))
		}
	}
}

// TestGamesLeadToTheirMessages: the key line names the games where there are any, a game in which nothing differs opens
// at its first packet, and its messages can be followed from there.
func TestGamesLeadToTheirMessages(t *testing.T) {
	x := openFile(t, recorded("kaillera/evening.pcapng"), 80, 24)
	x.has("gd games", "gf follow")
	x.hasNot("F newest")
	x.keys("gd")
	x.has("── Games ", "P1 amy · P2 bob · P3 cid", "Enter its first packet", "gf its messages")
	first := x.m.packets.Session.Games()[0].First
	x.keys("<enter>")
	if x.m.selected.Frame != first || x.m.views.Over() != nil {
		t.Errorf("at packet %d, want %d", x.m.selected.Frame, first)
	}
	x.keys("gdgf")
	x.settle()
	x.has("Follow game 1 Kaillera Chess", "x show copies")
	x.keys("x")
	x.has("CREATE_GAME     #", "x fold copies")
	if y := open(t, 80, 24, Config{}).keys("gd"); !strings.Contains(y.text(), "no game") &&
		!y.m.packets.Session.HasGames() {
		t.Errorf("without games:\n%s", y.text())
	}
}

// TestPlayersStandInTheirOrder: by their numbers, not as they came, and a game's title does not say its protocol twice.
func TestPlayersStandInTheirOrder(t *testing.T) {
	openFile(t, recorded("kaillera/evening.pcapng"), 120, 36).keys("gd").has("P1 bob · P2 amy · eve")
	x := openFile(t, recorded("realnet/documented.pcapng"), 80, 24).keys("gd")
	x.has("real-net  server 127.0.70.1:12345", "nothing to compare: no packet tells what a frame held",
		"1 game, nothing to compare")
	x.hasNot("real-net server")
}
