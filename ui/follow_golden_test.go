package ui

import (
	"path/filepath"
	"strconv"
	"testing"

	"remora/dissect/dissecttest"
)

// TestFollowGolden holds how a game of many packets is read, at every size.
func TestFollowGolden(t *testing.T) {
	for _, wh := range screens {
		x := openFile(t, recorded("kaillera/evening.pcapng"), wh[0], wh[1]).keys("400Ggf")
		dissecttest.Compare(t, filepath.Join("testdata", "follow-game-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"),
			trimmed(x.text()))
	}
}
