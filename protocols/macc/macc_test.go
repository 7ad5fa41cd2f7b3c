package macc_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/macc"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), ip.Plugin(), udp.Plugin(), macc.Plugin(), data.Plugin()}
}

// TestPackets holds packets against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "Pause: pause_time: 65535 quanta"},
		{3, "macc.cbfc.enbv.c7", "True"},
		{3, "macc.cbfc.pause_time.c7", "8"},
		{3, "info", "Class Based Flow Control [CBFC] Pause"},
	})
}

func TestStandard(t *testing.T) { dissecttest.Run(t, plugins(), dissecttest.HexPcap(t, packets)) }
