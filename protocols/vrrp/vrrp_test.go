package vrrp_test

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
	"remora/protocols/udp"
	"remora/protocols/vrrp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), ipv6.Plugin(),
		icmp.Plugin(), icmpv6.Plugin(), udp.Plugin(), vrrp.Plugin(), data.Plugin()}
}

// TestPackets holds packets of every kind, broken ones among them, against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "Announcement (v2)"},
		{2, "info", "Announcement (v2)"},
		{3, "info", "Announcement (v3)"},
		{4, "info", "Announcement (v2)"},
		{5, "info", "Announcement (v3)"},
		{6, "info", "Announcement (v2)"},
		{1, "vrrp.prio", "100 (Default priority for a backup VRRP router)"},
		{2, "vrrp.auth_string", "secret"},
		{2, "vrrp.ip_addr", "192.0.2.254,192.0.2.253"},
		{4, "vrrp.checksum.status", "Bad"},
		{3, "vrrp.short_adver_int", "100"},
	})
}
