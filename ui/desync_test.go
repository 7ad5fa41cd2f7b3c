package ui

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/ui/paint"
)

func recorded(name string) string { return filepath.Join("..", "fixtures", "captures", name) }

func TestDesyncGolden(t *testing.T) {
	for name, file := range map[string]string{"desync": "kaillera/desync.pcapng", "desync-world": "aoe2/trouble.pcapng", "desync-state": "touhou/desync.pcapng"} {
		for _, wh := range screens {
			x := openFile(t, recorded(file), wh[0], wh[1]).keys("gd")
			dissecttest.Compare(t, filepath.Join("testdata", name+"-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"), trimmed(x.text()))
		}
	}
}

// TestGamesLeadToTheirMessages: the key line names the games where there are any, a game in which nothing differs opens at its
// first packet, and its messages can be followed from there.
func TestGamesLeadToTheirMessages(t *testing.T) {
	x := openFile(t, recorded("kaillera/evening.pcapng"), 80, 24)
	x.has("gd games", "gf follow")
	x.hasNot("F newest")
	x.keys("gd")
	x.has("── Games ", "P1 amy · P2 bob · P3 cid", "Enter its first packet", "gf its messages")
	first := x.m.s.Games()[0].First
	x.keys("<enter>")
	if x.m.cur != first || x.m.over != nil {
		t.Errorf("at packet %d, want %d", x.m.cur, first)
	}
	x.keys("gdgf")
	x.settle()
	x.has("Follow game 1 Kaillera Chess", "x show copies")
	x.keys("x")
	x.has("CREATE_GAME     #", "x fold copies")
	if y := open(t, 80, 24, Config{}).keys("gd"); !strings.Contains(y.text(), "no game") && !y.m.s.HasGames() {
		t.Errorf("without games:\n%s", y.text())
	}
}

func TestDesync(t *testing.T) {
	x := openFile(t, recorded("kaillera/desync.pcapng"), 120, 36).keys("gd")
	x.has("desync: 1 of 192 values compared differ", "first P1 input of frame 41", "P2 input", "02d8", "06d8")
	row := func(parts ...string) {
		t.Helper()
		for _, l := range strings.Split(x.text(), "\n") {
			found := true
			for _, p := range parts {
				found = found && strings.Contains(l, p)
			}
			if found {
				return
			}
		}
		t.Errorf("no line has %q in\n%s", parts, x.text())
	}
	row("02d8", "P1 amy → server", "packet 267")
	row("06d8", "server → P2 bob", "packet 272")
	x.keys("%<enter>") // the first side
	if x.m.cur != 267 || x.m.over != nil {
		t.Errorf("at packet %d", x.m.cur)
	}
	x.keys("gd%<enter>") // from there the other one
	if x.m.cur != 272 {
		t.Errorf("at packet %d", x.m.cur)
	}
	x.keys("gd=")
	if got := x.m.filterText(); got != "frame.number in {272}" && !strings.HasPrefix(got, "frame.number in {267, 272") {
		t.Errorf("filter %q", got)
	}
	if x.m.rows() != 4 {
		t.Errorf("%d packets shown", x.m.rows())
	}
	x.keys("gd<tab>gg")
	sh := x.m.desync.sheet(x.m)
	if rows := sh.rows(); len(rows) != 3+4 {
		t.Errorf("%d rows of the sheet", len(rows))
	}

	x = openFile(t, recorded("kaillera/n64.pcapng"), 120, 36).keys(":desync<enter>")
	x.has("nothing differs: 123 values compared")
	x.keys("=%<enter>")
	x = open(t, 120, 36, Config{}).keys("gd")
	t.Log(x.text())
	for _, wh := range screens {
		x := openFile(t, recorded("aoe2/trouble.pcapng"), wh[0], wh[1]).keys("gd")
		for _, x.m.cfg.ASCII = range []bool{false, true} {
			for i, l := range strings.Split(x.keys("G").text(), "\n") {
				if paint.Width(l) != wh[0] {
					t.Errorf("%v: line %d is %d wide: %q", wh, i, paint.Width(l), l)
				}
			}
		}
	}
}

// TestGamesBeginAtThePacketsOwn opens the games at the one that the selected packet is of, and later as they were left.
func TestGamesBeginAtThePacketsOwn(t *testing.T) {
	x := openFile(t, "../fixtures/demo.pcapng", 120, 36).keys("177Ggd")
	v := x.m.desync
	if r := v.row(); r.kind != desyncGame || v.games[r.game].Game.Protocol.Name() != "aoe2" {
		t.Errorf("the cursor is at line %d, %+v:\n%s", v.table.cur, r, x.text())
	}
	x.keys("ggqgd")
	if v.table.cur != 0 {
		t.Errorf("opened again it is at line %d, not where it was left", v.table.cur)
	}
}

// TestPlayersStandInTheirOrder: by their numbers, not as they came, and a game's title does not say its protocol twice.
func TestPlayersStandInTheirOrder(t *testing.T) {
	openFile(t, recorded("kaillera/evening.pcapng"), 120, 36).keys("gd").has("P1 bob · P2 amy · eve")
	x := openFile(t, recorded("realnet/documented.pcapng"), 80, 24).keys("gd")
	x.has("real-net  server 127.0.70.1:12345", "nothing to compare: no packet tells what a frame held", "1 game, nothing to compare")
	x.hasNot("real-net server")
}
