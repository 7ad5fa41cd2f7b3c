package slow_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/slow"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), ip.Plugin(), udp.Plugin(), slow.Plugin(),
		slow.LACP(), data.Plugin()}
}

// TestPackets holds packets against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "v1 ACTOR 02:00:00:00:00:01 P: 1 K: 1 **DCSG*A PARTNER 02:00:00:00:00:01 P: 1 K: 1 **DCSG*A"},
		{2, "lacp.actor.state_str", "EF***GSA"},
		{1, "lacp.actor.state.collecting", "Enabled"},
		{1, "lacp.collector.max_delay", "5"},
		{5, "info", "Marker Protocol"},
	})
}
