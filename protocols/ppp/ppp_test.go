package ppp_test

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
	"remora/protocols/ppp"
	"remora/protocols/pppoe"
	"remora/protocols/udp"
)

const packets = "testdata/packets.hex"

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.LLC(), arp.Plugin(), ip.Plugin(), ipv6.Plugin(),
		icmp.Plugin(), icmpv6.Plugin(), udp.Plugin(), pppoe.Plugin(), pppoe.Discovery(), pppoe.Session(), ppp.Plugin(),
		ppp.LCP(), ppp.IPCP(), ppp.IPV6CP(), ppp.CCP(), ppp.PAP(), ppp.CHAP(), data.Plugin()}
}

// TestPackets holds packets of every kind, broken ones among them, against what tshark says of them.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "info", "Configuration Request"},
		{2, "info", "Configuration Ack"},
		{3, "info", "Configuration Reject"},
		{4, "info", "Configuration Nak"},
		{5, "info", "Echo Request"},
		{6, "info", "Echo Reply"},
		{7, "info", "Termination Request"},
		{8, "info", "Termination Ack"},
		{9, "info", "Protocol Reject"},
		{10, "info", "Code Reject"},
		{11, "info", "Authenticate-Request (Peer-ID='user', Password='secret')"},
		{12, "info", "Authenticate-Ack (Message='ok')"},
		{13, "info", "Authenticate-Nak (Message='no')"},
		{14, "info", "Challenge (NAME='server', VALUE=0x30313233343536373839616263646566)"},
		{15, "info", "Response (NAME='user', VALUE=0x30313233343536373839616263646566)"},
		{16, "info", "Success (MESSAGE='Welcome')"},
		{17, "info", "Failure (MESSAGE='Denied')"},
		{18, "info", "Configuration Request"},
		{19, "info", "Configuration Nak"},
		{20, "info", "Configuration Request"},
		{21, "info", "Echo (ping) request  id=0x0003, seq=1/256, ttl=64 (no response found!)"},
		{22, "info", "Echo (ping) request id=0x0003, seq=1, hop limit=64 (no response found!)"},
		{23, "info", "Echo (ping) request  id=0x0003, seq=1/256, ttl=64 (no response found!)"},
		{24, "info", "Configuration Request"},
		{25, "info", "PPP Unknown (0x0099)"},
		{1, "lcp.opt.mru", "1492"},
		{1, "lcp.opt.auth_protocol", "Password Authentication Protocol (0xc023)"},
		{11, "pap.password", "secret"},
		{18, "ipcp.opt.ip_address", "0.0.0.0"},
		{19, "ipcp.opt.ip_address", "192.0.2.10"},
		{23, "ppp.protocol", "Internet Protocol version 4 (0x0021)"},
	})
}
