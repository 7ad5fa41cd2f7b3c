package links_test

import (
	"encoding/hex"
	"fmt"
	"math/bits"
	"strings"
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
	"remora/protocols/null"
	"remora/protocols/raw"
	"remora/protocols/syslog"
	"remora/protocols/udp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.LLC(), links.FDDI(), links.TokenRing(), links.FrameRelay(),
		links.PKTAP(), links.Exported(), null.Plugin(), raw.Plugin(),
		arp.Plugin(), ip.Plugin(), ipv6.Plugin(), ipx.Plugin(), udp.Plugin(), syslog.Plugin(), data.Plugin()}
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

// pktapHeader is what macOS writes in front of a packet of curl on utun3, with so many bytes behind what is known.
func pktapHeader(dlt, more int) string {
	u32, text := func(v int) string { return fmt.Sprintf("%08x", bits.ReverseBytes32(uint32(v))) },
		func(s string, n int) string { return hex.EncodeToString(append([]byte(s), make([]byte, n-len(s))...)) }
	return u32(108+more) + u32(1) + u32(dlt) + text("utun3", 24) + u32(2) + u32(2) + u32(4) + u32(0) + u32(4711) +
		text("curl", 20) + u32(0) + "0100" + "0300" + u32(1) + text("launchd", 20) + strings.Repeat("00", more)
}

// TestPKTAP holds the names of processes against what tshark says, and what follows the header.
func TestPKTAP(t *testing.T) {
	for _, c := range []struct {
		packet, layers string
	}{
		{pktapHeader(0, 0) + "02000000" + datagram, "pktap:null:ip:udp"},
		{pktapHeader(1, 0) + "0200000000010200000000020800" + datagram, "pktap:eth:ethertype:ip:udp"},
		{pktapHeader(12, 48) + datagram, "pktap:raw:ip:udp"},
	} {
		s := dissecttest.Session(t, plugins(), 258, dissecttest.Packets(bytesOf(t, c.packet)))
		dissecttest.Check(t, s, []dissecttest.Row{{1, "frame.protocols", c.layers}, {1, "pktap.ifname", "utun3"},
			{1, "pktap.pid", "4711"}, {1, "pktap.cmdname", "curl"}, {1, "pktap.iftype", "1"}, {1, "pktap.ifunit", "3"},
			{1, "pktap.epid", "1"}, {1, "pktap.ecmdname", "launchd"}, {1, "udp.dstport", "5678"}})
	}
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 258, dissecttest.Packets(bytesOf(t, "6b000000"))),
		[]dissecttest.Row{{1, "pktap.hdrlen", "107"}, {1, "_ws.expert.message", "Header length is too short"}})
}

func TestStandardPKTAP(t *testing.T) {
	dissecttest.RunMade(t, plugins(), 258, bytesOf(t, pktapHeader(0, 4)+"02000000"+datagram), bytesOf(t, pktapHeader(1, 0)+
		"0200000000010200000000020800"+datagram))
}

// exportedHeader is what Wireshark writes in front of a packet of that protocol between 10.0.0.1 and 10.0.0.2.
func exportedHeader(name string, portType, srcPort, dstPort int) string {
	u32 := func(tag, v int) string { return fmt.Sprintf("%04x0004%08x", tag, v) }
	padded := name + strings.Repeat("\x00", -len(name)&3)
	return fmt.Sprintf("000c%04x%x", len(padded), padded) + u32(20, 0x0a000001) + u32(21, 0x0a000002) + u32(24, portType) +
		u32(25, srcPort) + u32(26, dstPort) + u32(30, 77) + "00000000"
}

// TestExported holds the header against what tshark says of it, and what follows it.
func TestExported(t *testing.T) {
	for _, c := range []struct {
		packet string
		rows   []dissecttest.Row
	}{
		{exportedHeader("ip", 0, 0, 0) + datagram, []dissecttest.Row{{1, "frame.protocols", "exported_pdu:ip:udp"},
			{1, "exported_pdu.prot_name", "ip"}, {1, "exported_pdu.ipv4_src", "10.0.0.1"},
			{1, "exported_pdu.ipv4_dst", "10.0.0.2"}, {1, "exported_pdu.orig_fno", "77"}, {1, "ip.src", "192.168.44.123"},
			{1, "udp.dstport", "5678"}}},
		{exportedHeader("nobody", 2, 1000, 2000) + "0102", []dissecttest.Row{
			{1, "frame.protocols", "exported_pdu:data"}, {1, "exported_pdu.src_port", "1000"},
			{1, "exported_pdu.port_type", "TCP (2)"}, {1, "exported_pdu.exported_pdu", "0102"}}},
		{exportedHeader("ipx", 3, 40000, 40001) + "0102", []dissecttest.Row{{1, "frame.protocols", "exported_pdu:data"},
			{1, "data.len", "2"}}},
		{exportedHeader("syslog", 3, 40000, 514) + "3c33343e6869", []dissecttest.Row{
			{1, "frame.protocols", "exported_pdu:syslog"}, {1, "syslog.msg", "hi"}}},
		{"0063000201020022000200010000" + "0000", []dissecttest.Row{{1, "frame.protocols", "exported_pdu"},
			{1, "exported_pdu.unknown_tag.val", "0102"}, {1, "exported_pdu.dissector_data", "0001"}}},
	} {
		s := dissecttest.Session(t, plugins(), 252, dissecttest.Packets(bytesOf(t, c.packet)))
		dissecttest.Check(t, s, c.rows)
	}
}

func TestStandardExported(t *testing.T) {
	dissecttest.RunMade(t, plugins(), 252, bytesOf(t, exportedHeader("ip", 0, 0, 0)+datagram),
		bytesOf(t, exportedHeader("sip", 3, 40000, 40001)+"0102"), bytesOf(t, exportedHeader("http", 2, 4000, 80)+"01"))
}

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
