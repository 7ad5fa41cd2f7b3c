package ui

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

// TestCopyWhatWasPutTogether copies the bytes of the data source that is shown, not those of a line of the tree that
// lies in another.
func TestCopyWhatWasPutTogether(t *testing.T) {
	full := udpPacket(1, 2, 4000, 4001, strings.Repeat("in pieces ", 4))
	fragment := func(flags byte, at byte, data []byte) []byte {
		b := slices.Clone(full[:34])
		b[16], b[17], b[20], b[21] = 0, byte(20+len(data)), flags, at
		return append(b, data...)
	}
	whole := full[34:]
	x := openPackets(t, 120, 36, Config{}, dissecttest.Packets(fragment(0x20, 0, whole[:24]), fragment(0, 3, whole[24:])))
	x.keys("2G<tab>gg") // the frame
	if len(x.m.selected.Tree.Sources()) != 2 {
		t.Fatalf("%d data sources", len(x.m.selected.Tree.Sources()))
	}
	x.keys("<tab>s")
	if got, _ := x.m.copyText('h'); got != hex.EncodeToString(whole) {
		t.Errorf("of the datagram that was put together %s is copied", got)
	}
	x.keys("lllvll") // a selection goes first
	if got, _ := x.m.copyText('h'); len(got) != 6 {
		t.Errorf("of three bytes that were selected %s is copied", got)
	}
}
