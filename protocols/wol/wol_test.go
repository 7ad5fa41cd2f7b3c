package wol_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/udp"
	"remora/protocols/wol"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), ip.Plugin(), udp.Plugin(), wol.Plugin(), data.Plugin()}
}

// TestPackets holds packets against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "MagicPacket for 02:00:00:00:00:02"},
		{2, "info", "MagicPacket for 02:00:00:00:00:02"},
		{3, "info", "MagicPacket for 02:00:00:00:00:02, password 1.2.3.4"},
		{4, "wol.mac", ""},
	})
}

func TestStandard(t *testing.T) { dissecttest.Run(t, plugins(), dissecttest.HexPcap(t, packets)) }
