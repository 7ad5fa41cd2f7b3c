package macc_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets with what tshark says of them.
var files = []dissecttest.HexRows{{Path: "testdata/packets.hex", Rows: []dissecttest.Row{
	{1, "info", "Pause: pause_time: 65535 quanta"},
	{3, "macc.cbfc.enbv.c7", "True"},
	{3, "macc.cbfc.pause_time.c7", "8"},
	{3, "info", "Class Based Flow Control [CBFC] Pause"},
}}}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }
