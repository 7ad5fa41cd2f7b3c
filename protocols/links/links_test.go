package links_test

import (
	"encoding/hex"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/arp"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/ipv6"
	"remora/protocols/ipx"
	"remora/protocols/links"
	"remora/protocols/udp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.LLC(), links.FDDI(), links.TokenRing(), links.FrameRelay(),
		arp.Plugin(), ip.Plugin(), ipv6.Plugin(), ipx.Plugin(), udp.Plugin(), data.Plugin()}
}

// datagram is an empty one of UDP in IPv4.
const datagram = "4500001c000100004011f96bc0a82c7bc0a82cd504d2162e0008d2f2"

// TestLinks holds a packet of each link layer against what tshark says of it.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		link   int
		packet string
		rows   []dissecttest.Row
	}{
		{10, "51" + "1000d4cd596f" + "00074a016e00" + "aaaa030000000800" + datagram, []dissecttest.Row{
			{1, "fddi.dst", "08:00:2b:b3:9a:f6"}, {1, "fddi.src", "00:e0:52:80:76:00"},
			{1, "frame.protocols", "fddi:llc:ip:udp"}, {1, "udp.dstport", "5678"}}},
		{10, "c3" + "1000d4cd596f" + "00074a016e00" + "0102", []dissecttest.Row{{1, "frame.protocols", "fddi:data"}}},
		{6, "1040" + "002035012b59" + "8006291793f8" + "0270" + "aaaa030000000800" + datagram, []dissecttest.Row{
			{1, "tr.src", "00:06:29:17:93:f8"}, {1, "tr.rif", "0270"}, {1, "frame.protocols", "tr:llc:ip:udp"}}},
		{6, "1040" + "002035012b59" + "0006291793f8" + "aaaa030000000800" + datagram, []dissecttest.Row{
			{1, "frame.protocols", "tr:llc:ip:udp"}}},
		{6, "1000" + "002035012b59" + "0006291793f8" + "0004", []dissecttest.Row{{1, "frame.protocols", "tr:data"}}},
		{107, "1841" + "0300" + "80" + "0000000806" + "000f0800020400080000" + "0ace01020304" + "000000000000",
			[]dissecttest.Row{{1, "fr.dlci", "100"}, {1, "frame.protocols", "fr:arp"}}},
		{107, "1841" + "03cc" + datagram, []dissecttest.Row{{1, "frame.protocols", "fr:ip:udp"}}},
		{107, "1841" + "03b0" + "00", []dissecttest.Row{{1, "frame.protocols", "fr:data"}}},
		{107, "1841" + "7f00", []dissecttest.Row{{1, "frame.protocols", "fr:data"}}},
		{1, "ffffffffffff00aa00a3e3a40028" + "ffff0028000100000028ffffffffffff04530000002800aa00a3e3a40453" +
			"0002391729e200010002", []dissecttest.Row{{1, "ipx.dst.net", "0x00000028"}, {1, "ipx.src.node", "00:aa:00:a3:e3:a4"},
			{1, "ipx.src.socket", "RIP (0x0453)"}, {1, "info", "RIP (0x0453)"}, {1, "data.len", "10"}}},
	} {
		s := dissecttest.Session(t, plugins(), c.link, dissecttest.Packets(bytesOf(t, c.packet)))
		dissecttest.Check(t, s, c.rows)
	}
}

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
