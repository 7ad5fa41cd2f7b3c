package ui

import (
	"path/filepath"
	"strconv"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/dissect/dissecttest"
)

// TestFollowGolden holds how a game of many packets is read, at every size.
func TestFollowGolden(t *testing.T) {
	for _, wh := range screens {
		x := openFile(t, recorded("kaillera/evening.pcapng"), wh[0], wh[1]).keys("400Ggf")
		dissecttest.Compare(t, filepath.Join("testdata", "follow-game-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"), trimmed(x.text()))
	}
}

// TestFollowFits: bytes are laid out anew for another width, and the cursor stays on its packet.
func TestFollowFits(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("1Ggfvv<end>")
	unit := x.m.over.(*followView).cursorUnit()
	x.send(tea.WindowSizeMsg{Width: 60, Height: 16})
	x.settle()
	x.has("0018  03 6f 72 67")
	if got := x.m.over.(*followView).cursorUnit(); got != unit {
		t.Errorf("the cursor is on %d, was on %d", got, unit)
	}
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	x.settle()
	x.has("0010  07 65 78 61 6d 70 6c 65  03 6f 72 67 00 00 01 00")
}
