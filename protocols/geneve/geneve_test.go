package geneve_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/arp"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/geneve"
	"remora/protocols/icmp"
	"remora/protocols/icmpv6"
	"remora/protocols/ip"
	"remora/protocols/ipv6"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), ipv6.Plugin(),
		icmp.Plugin(), icmpv6.Plugin(), udp.Plugin(), geneve.Plugin(), data.Plugin()}
}

// TestPackets holds packets of every kind, broken ones among them, against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "Echo (ping) request  id=0x0003, seq=1/256, ttl=64 (no response found!)"},
		{2, "info", "Echo (ping) request  id=0x0003, seq=1/256, ttl=64 (no response found!)"},
		{3, "info", "Echo (ping) request id=0x0003, seq=1, hop limit=64 (no response found!)"},
		{4, "info", "Echo (ping) request  id=0x0003, seq=1/256, ttl=64 (no response found!)"},
		{1, "geneve.vni", "0x000064 (100)"},
		{3, "geneve.option.class", "Open Virtual Networking (OVN) (0x0102),In-band Network Telemetry (INT) (0x0103)"},
	})
}
