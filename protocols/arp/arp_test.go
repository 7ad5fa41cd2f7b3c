package arp_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/arp"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), arp.Plugin(), data.Plugin()}
}

type row = dissecttest.Row

var (
	start = []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 8, 6, 0, 1, 8, 0, 6, 4, 0}
	mac1  = []byte{2, 0, 0, 0, 0, 1}
	mac2  = []byte{2, 0, 0, 0, 0, 2}
	none  = make([]byte, 6)
)

// packet is RFC 826's packet between 192.0.2.x; x of 0 stands for 0.0.0.0.
func packet(op byte, mac []byte, from byte, to []byte, target byte) []byte {
	b := append(append([]byte(nil), start...), op)
	for _, e := range []struct {
		mac []byte
		ip  byte
	}{{mac, from}, {to, target}} {
		ip := []byte{192, 0, 2, e.ip}
		if e.ip == 0 {
			ip = make([]byte, 4)
		}
		b = append(append(b, e.mac...), ip...)
	}
	return b
}

func packets() [][]byte {
	infiniband := append([]byte(nil), start[:14]...)
	infiniband = append(infiniband, 0, 32, 8, 0, 2, 4, 0, 1, 7, 7, 192, 0, 2, 1, 0, 0, 192, 0, 2, 2)
	return [][]byte{
		packet(1, mac1, 1, none, 2), packet(2, mac2, 2, mac1, 1), packet(1, mac1, 0, none, 9), packet(1, mac1, 1, none, 1),
		packet(1, mac1, 1, start[:6], 1),
		packet(2, mac1, 1, mac1, 1), packet(3, mac1, 0, mac2, 0), packet(9, mac1, 1, mac2, 2), packet(10, mac1, 1, mac2, 2),
		infiniband,
	}
}

func TestPackets(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(packets()...))
	dissecttest.Check(t, s, []row{
		{1, "info", "Who has 192.0.2.2? Tell 192.0.2.1"}, {1, "arp.opcode", "request (1)"},
		{1, "arp.src.hw_mac", "02:00:00:00:00:01"}, {1, "arp.isgratuitous", ""},
		{2, "info", "192.0.2.2 is at 02:00:00:00:00:02"}, {3, "info", "Who has 192.0.2.9? (ARP Probe)"},
		{3, "arp.isprobe", "True"},
		{4, "info", "ARP Announcement for 192.0.2.1"}, {4, "arp.isannouncement", "True"},
		{5, "info", "Gratuitous ARP for 192.0.2.1 (Request)"}, {5, "arp.isgratuitous", "True"},
		{6, "info", "Gratuitous ARP for 192.0.2.1 (Reply)"}, {7, "info", "Who is 02:00:00:00:00:02? Tell 02:00:00:00:00:01"},
		{8, "info", "02:00:00:00:00:01 is at 192.0.2.1"}, {9, "info", "ARP NAK"},
		{10, "arp.src.hw", "0707"}, {10, "arp.src.proto_ipv4", "192.0.2.1"},
		{10, "info", "Who has 192.0.2.2? Tell 192.0.2.1"},
	})
	tree := s.Tree(3)
	if got, want := tree.Label(tree.Find(s.Registry().Field("arp.opcode"))-5),
		"Address Resolution Protocol (ARP Probe)"; got != want {
		t.Errorf("the probe is titled %q, want %q", got, want)
	}
}

func TestStandard(t *testing.T) { dissecttest.RunMade(t, plugins(), 1, packets()...) }
