package ospf_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// files are packets recorded between programs or put together by hand, some of them broken; the values are those of
// tshark 4.0, but for what only one of the two reads.
var files = []dissecttest.HexRows{
	{"testdata/packets.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "LS Update"},
		{Frame: 5, Field: "info", Want: "Hello Packet"},
		{Frame: 10, Field: "info", Want: "Unknown (9)"},
		{Frame: 11, Field: "info", Want: "LS Acknowledge"},
		{Frame: 12, Field: "info", Want: "LS Request"},
		{Frame: 22, Field: "info", Want: "Unknown (7)"},
		{Frame: 23, Field: "info", Want: "DB Description"},
		{Frame: 5, Field: "ospf.auth.simple", Want: "secret"},
		{Frame: 6, Field: "ospf.auth.crypt.data", Want: "44444444444444444444444444444444"},
		{Frame: 7, Field: "ospf.lls.ext.options", Want: "0x00000003"},
		{Frame: 1, Field: "ospf.lsa.router.linktype", Want: "1,2,3,4,9"},
		{Frame: 1, Field: "ospf.lsa.router.metric0", Want: "10,10,10,1,1"},
		{Frame: 1, Field: "ospf.ls.metric", Want: "32"},
		{Frame: 1, Field: "ospf.lsa", Want: "Router-LSA (1)"},
		{Frame: 2, Field: "ospf.lsa",
			Want: "Summary-LSA (IP network) (3),Summary-LSA (ASBR) (4),AS-External-LSA (ASBR) (5),NSSA AS-External-LSA " +
				"(7),Group Membership LSA (6)"},
		{Frame: 2, Field: "ospf.lsa.asext.type",
			Want: "Type 2 (metric is larger than any other link state path),Type 1 (metric is specified in the same units as " +
				"interface cost)"},
		{Frame: 2, Field: "ospf.lsa.asext.extrttag", Want: "99,99"},
		{Frame: 3, Field: "ospf.mpls.linkid", Want: "10.0.0.2"},
		{Frame: 3, Field: "ospf.mpls.link_max_bw", Want: "1.25e+08,1.25e+08"},
		{Frame: 3, Field: "ospf.mpls.linkcolor", Want: "0x00000005"},
		{Frame: 4, Field: "ospf.v2.grace.period", Want: "60"},
		{Frame: 4, Field: "ospf.v2.grace.reason", Want: "Software Restart (1)"},
		{Frame: 4, Field: "ospf.dynhostname", Want: "router1.example"},
		{Frame: 18, Field: "ospf.dynhostname", Want: "r1"},
		{Frame: 17, Field: "ospf.v3.address_prefix.ipv6", Want: "2001:db8:1::,2001:db8:1::,2001:db8:1::"},
		{Frame: 18, Field: "ospf.v3.address_prefix.ipv6", Want: "2001:db8:1::,2001:db8:1::,2001:db8:2::1"},
		{Frame: 17, Field: "ospf.v3.as.external.flags", Want: "0x07,0x00"},
		{Frame: 17, Field: "ospf.v3.lsa.destination_router_id", Want: "5.5.5.5"},
		{Frame: 17, Field: "ospf.instance_id", Want: "IPv6 unicast AF (0)"},
		{Frame: 20, Field: "ospf.instance_id", Want: "IPv4 unicast AF (64)"},
	}},
	{"testdata/recorded.hex", []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Hello Packet"},
		{Frame: 10, Field: "info", Want: "DB Description"},
		{Frame: 15, Field: "info", Want: "LS Request"},
		{Frame: 18, Field: "info", Want: "LS Update"},
		{Frame: 22, Field: "info", Want: "LS Acknowledge"},
		{Frame: 1, Field: "ospf.hello.designated_router", Want: "0.0.0.0"},
		{Frame: 7, Field: "ospf.hello.active_neighbor", Want: "1.1.1.2"},
		{Frame: 9, Field: "ospf.hello.active_neighbor", Want: "1.1.1.1"},
		{Frame: 10, Field: "ospf.dbd", Want: "0x07"},
		{Frame: 13, Field: "ospf.dbd", Want: "0x00"},
		{Frame: 10, Field: "ospf.db.dd_sequence", Want: "303921893"},
		{Frame: 11, Field: "ospf.db.dd_sequence", Want: "22665"},
		{Frame: 15, Field: "ospf.link_state_id", Want: "1.1.1.1,10.78.1.0"},
		{Frame: 17, Field: "ospf.link_state_id", Want: "1.1.1.2,10.78.2.0"},
		{Frame: 18, Field: "ospf.lsa.router.linkid", Want: "10.77.0.0"},
		{Frame: 19, Field: "ospf.lsa.router.linkid", Want: "10.77.0.0,10.77.0.2"},
		{Frame: 19, Field: "ospf.lsa.network.attchrtr", Want: "1.1.1.1,1.1.1.2"},
		{Frame: 24, Field: "ospf.v3.lsa", Want: "0x0008,0x2001,0x4005"},
		{Frame: 30, Field: "ospf.v3.lsa", Want: "0x2001,0x4005"},
		{Frame: 24, Field: "ospf.v3.lsa.fc", Want: "Link-LSA (8),Router-LSA (1),AS-External-LSA (5)"},
		{Frame: 30, Field: "ospf.v3.lsa.fc", Want: "Router-LSA (1),AS-External-LSA (5)"},
		{Frame: 30, Field: "ospf.v3.lsa.neighbor_router_id", Want: "1.1.1.2"},
		{Frame: 1, Field: "ospf.checksum.status", Want: "Good"},
		{Frame: 37, Field: "ospf.ri.options", Want: "0x10"},
	}},
}

func TestPackets(t *testing.T) { dissecttest.CheckHex(t, protocols.All(), files) }

func TestHostile(t *testing.T) { dissecttest.MutateHex(t, protocols.All(), files, 34) }
