package wol_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets with what tshark says of them.
var files = []dissecttest.HexRows{{Path: "testdata/packets.hex", Rows: []dissecttest.Row{
	{1, "info", "MagicPacket for 02:00:00:00:00:02"},
	{2, "info", "MagicPacket for 02:00:00:00:00:02"},
	{3, "info", "MagicPacket for 02:00:00:00:00:02, password 1.2.3.4"},
	{4, "wol.mac", ""},
}}}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }
