package ui

import (
	"path/filepath"
	"strconv"
	"testing"

	"remora/dissect/dissecttest"
)

// TestTypesEndsGolden draws the curves of those who send: with colours, and with signs where there are none.
func TestTypesEndsGolden(t *testing.T) {
	for _, wh := range screens {
		x := openFile(t, recorded("kaillera/n64.pcapng"), wh[0], wh[1]).keys("gtlj<wait><tab>")
		dissecttest.Compare(t, filepath.Join("testdata", "types-ends-"+strconv.Itoa(wh[0])+"x"+strconv.Itoa(wh[1])+".txt"),
			trimmed(x.text()))
		x.m.style.ASCII = true
		if x.keys(""); x.m.room.body().h > 12 {
			x.has(".. ", "** ")
			x.hasNot("━━")
		}
	}
}

// TestTypesEndsNeedNames: without names of ends, with a pinned line and with gaps there is what there was.
func TestTypesEndsNeedNames(t *testing.T) {
	x := openFile(t, recorded("kaillera/n64.pcapng"), 120, 36).keys("gtlj<wait>")
	x.has("━━ server")
	for _, keys := range []string{"v", "v<space>j"} {
		x.keys(keys)
		x.hasNot("━━ server")
	}
	x.keys("k<space><wait>")
	x.has("━━ server")
	x.m.naming.on = false
	x.keys("kj<wait>")
	x.hasNot("━━")
}
