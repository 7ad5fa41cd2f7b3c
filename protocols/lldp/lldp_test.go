package lldp_test

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
	"remora/protocols/lldp"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), ipv6.Plugin(),
		icmp.Plugin(), icmpv6.Plugin(), udp.Plugin(), lldp.Plugin(), data.Plugin()}
}

// TestPackets holds packets of every kind, broken ones among them, against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "MA/02:00:00:00:00:01 IN/eth0 120 SysN=switch.example SysD=A switch, version 1"},
		{2, "info", "LA/local MA/02:00:00:00:00:01 120"},
		{3, "info", "NA/192.0.2.1 LA/p7 120"},
		{4, "info", "MA/02:00:00:00:00:01 IN/eth0 0"},
		{5, "info", "Invalid Chassis ID TLV"},
		{6, "info", "MA/02:00:00:00:00:01 IN/eth0 120"},
		{1, "lldp.tlv.system.name", "switch.example"},
		{1, "lldp.tlv.system_cap.router", "Set"},
		{1, "lldp.mgn.addr.ip4", "192.0.2.1"},
		{3, "lldp.chassis.id.ip4", "192.0.2.1"},
		{4, "lldp.time_to_live", "0"},
		{2, "lldp.ieee.802_1.port_vlan.id", "100 (0x0064)"},
		{2, "lldp.ieee.802_1.vlan.name", "vlan"},
		{2, "lldp.ieee.802_1.proto.id", "888e01"},
		{2, "lldp.ieee.802_3.pmd_auto_neg_advertised_caps.100base_txfd", "Capable"},
		{2, "lldp.ieee.802_3.max_frame_size", "1500"},
		{2, "lldp.ieee.802_3.aggregated_port_id", "255"},
		{3, "lldp.media.vlan_id", "50"},
		{3, "lldp.media.dscp", "46"},
		{3, "lldp.media.model", "Maker"},
		{3, "lldp.unknown_subtype.content", "78797a"},
	})
}
