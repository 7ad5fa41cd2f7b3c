package pppoe_test

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
	"remora/protocols/pppoe"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), ipv6.Plugin(),
		icmp.Plugin(), icmpv6.Plugin(), udp.Plugin(), pppoe.Plugin(), pppoe.Discovery(), pppoe.Session(), data.Plugin()}
}

// TestPackets holds packets of every kind, broken ones among them, against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "Active Discovery Initiation (PADI)"},
		{2, "info", "Active Discovery Offer (PADO) AC-Name='bras1'"},
		{3, "info", "Active Discovery Request (PADR)"},
		{4, "info", "Active Discovery Session-confirmation (PADS)"},
		{5, "info", "Active Discovery Terminate (PADT)"},
		{6, "info", "Active Discovery Offer (PADO)"},
		{7, "info", "Active Discovery Initiation (PADI)"},
		{8, "info", "Unknown"},
		{2, "pppoed.tags.ac_name", "bras1"},
		{2, "pppoed.tags.service_name", "internet"},
		{5, "pppoed.tags.generic_error", "goodbye"},
		{4, "pppoe.session_id", "0x0007"},
	})
}
