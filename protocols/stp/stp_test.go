package stp_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/arp"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/icmp"
	"remora/protocols/icmpv6"
	"remora/protocols/ip"
	"remora/protocols/ipv6"
	"remora/protocols/stp"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), ipv6.Plugin(),
		icmp.Plugin(), icmpv6.Plugin(), udp.Plugin(), stp.Plugin(), stp.Multiple(), data.Plugin()}
}

// TestPackets holds packets of every kind, broken ones among them, against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "Conf. Root = 32768/1/02:00:00:00:00:01  Cost = 4  Port = 0x8002"},
		{2, "info", "Topology Change Notification"},
		{3, "info", "Conf. TC + Root = 32768/1/02:00:00:00:00:01  Cost = 4  Port = 0x8002"},
		{4, "info", "RST. Root = 32768/1/02:00:00:00:00:01  Cost = 4  Port = 0x8002"},
		{5, "info", "RST. TC + Root = 32768/1/02:00:00:00:00:01  Cost = 4  Port = 0x8002"},
		{7, "info", "Conf. Root = 32768/1/02:00:00:00:00:01  Cost = 4  Port = 0x8002"},
		{8, "info", "Unknown BPDU type (85)"},
		{4, "stp.flags.port_role", "Designated (3)"},
		{4, "stp.root.hw", "02:00:00:00:00:01"},
		{1, "stp.bridge.ext", "100"},
		{1, "stp.max_age", "20"},
		{6, "mstp.config_name", "region1"},
		{7, "stp.pvst.origvlan", "100"},
	})
}
