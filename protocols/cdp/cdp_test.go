package cdp_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/arp"
	"remora/protocols/cdp"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/icmp"
	"remora/protocols/icmpv6"
	"remora/protocols/ip"
	"remora/protocols/ipv6"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), ipv6.Plugin(),
		icmp.Plugin(), icmpv6.Plugin(), udp.Plugin(), cdp.Plugin(), data.Plugin()}
}

// TestPackets holds packets of every kind, broken ones among them, against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "Device ID: router.example  Port ID: GigabitEthernet0/1"},
		{2, "info", "Device ID: phone  Port ID: Port 1"},
		{3, "info", "Device ID: r1"},
		{4, "info", "Device ID: r11"},
		{1, "cdp.platform", "WS-C2960"},
		{1, "cdp.native_vlan", "1"},
		{1, "cdp.nrgyz.ip_address", "192.0.2.1,192.0.2.1"},
		{1, "cdp.duplex", "Full"},
		{2, "cdp.voice_vlan", "100"},
	})
}
