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
		dissecttest.Compare(t, filepath.Join("testdata", "players-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"),
			trimmed(x.text()))
	}
}
