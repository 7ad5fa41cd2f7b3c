package igmp_test

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
	"remora/protocols/igmp"
	"remora/protocols/ip"
	"remora/protocols/ipv6"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), ipv6.Plugin(),
		icmp.Plugin(), icmpv6.Plugin(), udp.Plugin(), igmp.Plugin(), data.Plugin()}
}

// TestPackets holds packets of every kind, broken ones among them, against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "Membership Query"},
		{2, "info", "Membership Report"},
		{3, "info", "Membership Query, general"},
		{4, "info", "Membership Query, specific for group 239.1.2.3"},
		{5, "info", "Membership Report group 239.1.2.3"},
		{6, "info", "Leave Group 239.1.2.3"},
		{7, "info", "Membership Query, general"},
		{8, "info", "Membership Query, specific for group 239.1.2.3, sources {192.0.2.9, 192.0.2.10}"},
		{9, "info", "Membership Report / Join group 239.1.2.3 for any sources"},
		{10, "info", "Membership Report / Leave group 239.1.2.3 / Join group 239.1.2.4 for source {192.0.2.9} / Group " +
			"239.1.2.5, new sources {192.0.2.9, 192.0.2.8}"},
		{11, "info", "Membership Report / Group 239.1.2.3, block source {192.0.2.9} / Join group 239.1.2.4 for any sources"},
		{12, "info", "Membership Report group 239.1.2.3"},
		{13, "info", "Unknown Type:0x99"},
		{3, "igmp.max_resp", "10.0 sec (0x64)"},
		{8, "igmp.saddr", "192.0.2.9,192.0.2.10"},
		{10, "igmp.record_type", "Change To Include Mode (3),Mode Is Include (1),Allow New Sources (5)"},
		{12, "igmp.checksum.status", "Bad"},
		{7, "igmp.version", "3"},
	})
}
