package erspan_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The packets were made with scapy 2.5; the values are what tshark 4.0 prints for them.
const packets = "testdata/packets.hex"

func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, packets)
	s := dissecttest.Session(t, protocols.All(), link, made)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "erspan.version", Want: "Type II (1)"},
		{Frame: 1, Field: "erspan.vlan", Want: "100"},
		{Frame: 1, Field: "erspan.spanid", Want: "85"},
		{Frame: 1, Field: "erspan.index", Want: "74565"},
		{Frame: 1, Field: "udp.dstport", Want: "9"},
		{Frame: 2, Field: "udp.dstport", Want: "9"},
		{Frame: 3, Field: "erspan.timestamp", Want: "305419896"},
		{Frame: 3, Field: "erspan.direction", Want: "Ingress"},
		{Frame: 3, Field: "udp.dstport", Want: "9"},
		{Frame: 4, Field: "erspan.pid1.vsmid", Want: "564"},
		{Frame: 4, Field: "erspan.pid1.port_index", Want: "1432778632"},
		{Frame: 4, Field: "udp.dstport", Want: "9"},
		{Frame: 5, Field: "erspan.pid3.port_index", Want: "4660"},
		{Frame: 8, Field: "erspan.platform", Want: "2000000155667788"},
		{Frame: 9, Field: "ip.src", Want: "10.0.0.1,1.1.1.1"},
	})
	dissecttest.Mutations(t, protocols.All(), s, 45)
}
