package games

import (
	"strings"
	"testing"

	"remora/protocols"
	"remora/ui/view/viewtest"
)

func file(t *testing.T, name string, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenFile(t, protocols.All(), "../../../fixtures/captures/"+name, w, h)
}

// TestKeysWithoutGames presses every key that moves or acts in the view of a capture that holds no game.
func TestKeysWithoutGames(t *testing.T) {
	x := file(t, "lan/dns.pcap", 80, 20)
	if x.Scope().Session.HasGames() {
		t.Fatal("the capture holds a game")
	}
	for _, key := range []string{"F", "G", "5G", "gg", "j", "k", "<pgdown>", "<ctrl+u>", "<tab>", "%", "=", "gf",
		"<enter>"} {
		for _, next := range []string{"F", "G", "k", "<enter>"} {
			v := New(x)
			x.Show(v).Keys(key + next)
			if v.table.Cur != 0 {
				t.Fatalf("behind %s the cursor is at line %d of none", key, v.table.Cur)
			}
		}
	}
}

// TestDesync finds the disagreement, goes to both sides of it, filters by it and saves it.
func TestDesync(t *testing.T) {
	x := file(t, "kaillera/desync.pcapng", 120, 32)
	v := New(x)
	x.Show(v).Has("desync: 1 of 192 values compared differ", "first P1 input of frame 41", "P2 input", "02d8", "06d8")
	row := func(parts ...string) {
		t.Helper()
		for _, l := range strings.Split(x.Text(), "\n") {
			found := true
			for _, p := range parts {
				found = found && strings.Contains(l, p)
			}
			if found {
				return
			}
		}
		t.Errorf("no line has %q in\n%s", parts, x.Text())
	}
	row("02d8", "P1 amy → server", "packet 267")
	row("06d8", "server → P2 bob", "packet 272")
	if x.Keys("%<enter>"); x.List().Current() != 267 || x.View != nil { // the first side
		t.Errorf("at packet %d", x.List().Current())
	}
	if x.Show(v).Keys("%<enter>"); x.List().Current() != 272 { // from there the other one
		t.Errorf("at packet %d", x.List().Current())
	}
	x.Show(v).Keys("o")
	if got := x.Scope().FilterText(); got != "frame.number in {272}" &&
		!strings.HasPrefix(got, "frame.number in {267, 272") || x.Matching(got) != 4 {
		t.Errorf("filter %q", got)
	}
	sheet := v.Sheet()
	if rows := sheet.Rows(); len(rows) != 3+4 {
		t.Errorf("%d rows of the sheet", len(rows))
	}
	x = file(t, "kaillera/n64.pcapng", 120, 32)
	x.Show(New(x)).Has("In sync (123 values compared)").Keys("o%<enter>")
	for _, wh := range [][2]int{{60, 12}, {80, 20}, {120, 32}, {200, 46}} {
		x := file(t, "aoe2/trouble.pcapng", wh[0], wh[1])
		for _, x.Style().ASCII = range []bool{false, true} {
			x.Show(New(x)).Keys("G")
		}
	}
}

// TestStalls are told beside the desync: who was waited for, since when and how long; Enter leads to the packet that
// ended one.
func TestStalls(t *testing.T) {
	for _, wh := range [][2]int{{60, 12}, {80, 20}, {120, 32}} {
		x := file(t, "kaillera/lossy.pcapng", wh[0], wh[1])
		x.Show(New(x)).Has("stall at ", "209.1 ms, waiting for P3 cid", " 989").Keys("jj<enter>")
		if x.View != nil || x.List().Current() != 989 {
			t.Errorf("Enter leads to packet %d", x.List().Current())
		}
	}
}

// TestGamesBeginAtThePacketsOwn opens the games at the one that the selected packet is of.
func TestGamesBeginAtThePacketsOwn(t *testing.T) {
	x := file(t, "../demo.pcapng.zst", 120, 32)
	x.GoTo(177)
	v := New(x)
	x.Show(v)
	if r := v.at(); r.kind != gameRow || v.games[r.game].Game.Protocol.Name() != "aoe2" {
		t.Errorf("the cursor is at line %d, %+v:\n%s", v.table.Cur, r, x.Text())
	}
}
