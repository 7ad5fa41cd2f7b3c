package ui

import (
	"path/filepath"
	"strconv"
	"testing"

	"remora/dissect/dissecttest"
)

// players are the keys that lead to what players sent.
const players = "gc<tab><tab><tab><tab><tab><wait>"

func TestPlayersGolden(t *testing.T) {
	for _, wh := range screens {
		x := openFile(t, recorded("kaillera/desync.pcapng"), wh[0], wh[1]).keys(players + "jl")
		dissecttest.Compare(t, filepath.Join("testdata", "players-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"), trimmed(x.text()))
	}
}

// TestPlayersAreFiltered holds the packets that a line's filter lets through against what the line counts.
func TestPlayersAreFiltered(t *testing.T) {
	x := openFile(t, recorded("kaillera/desync.pcapng"), 120, 36).keys(players + "jl")
	v := x.m.view().(*talkersView)
	if len(v.playerRows) < 5 {
		t.Fatalf("%d lines", len(v.playerRows))
	}
	for at, r := range v.playerRows[:5] {
		count := r.all
		if r.kind != nil {
			count = r.kind.Count
		} else if r.who != nil {
			count = r.who.Count
		}
		text := r.filter(x.m.doors())
		y := openFile(t, recorded("kaillera/desync.pcapng"), 120, 36).keys("/" + text + "<enter>")
		if got := y.m.rows(); r.who != nil && got != int(count.Packets) || got == 0 {
			t.Errorf("line %d: %s lets %d packets through, counted %d", at, text, got, count.Packets)
		}
	}
	x.keys("h")
	if r := v.playerRows[v.tables[partPlayers].cur]; r.who == nil || r.kind != nil || v.unfolded[r.key()] {
		t.Error("the player stays unfolded")
	}
	open(t, 80, 24, Config{}).keys("/dns<enter>" + players).has("no game is in the packets shown")
}
