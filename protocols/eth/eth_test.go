package eth_test

import (
	"bytes"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/arp"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), eth.VLAN(), eth.Bridge(), eth.LLC(), arp.Plugin(), data.Plugin()}
}

var addresses = []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1}

// question is "who has 192.0.2.2" (RFC 826); packet puts an operation, a sender and a target in its place.
func packet(op byte, sender, target byte) []byte {
	return []byte{0, 1, 8, 0, 6, 4, 0, op, 2, 0, 0, 0, 0, 1, 192, 0, 2, sender, 0, 0, 0, 0, 0, 0, 192, 0, 2, target}
}

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func packets() [][]byte {
	ask := packet(1, 1, 2)
	return [][]byte{
		join(addresses, []byte{8, 6}, ask, make([]byte, 18)),
		join(addresses, []byte{0x88, 0xa8, 0x60, 0x02, 0x81, 0x00, 0x10, 0x07, 8, 6}, packet(2, 1, 2)),
		join(addresses, []byte{0, 8, 0xaa, 0xaa, 3, 0, 0, 0, 8, 6}, ask),
		join(addresses, []byte{0, 36, 0xaa, 0xaa, 3, 0, 0, 0, 8, 6}, ask, []byte{1, 2, 3}),
		join(addresses, []byte{8, 6}, packet(1, 1, 1)),
		join(addresses, []byte{0, 5, 0xf0, 0xf0, 3, 'h', 'i'}, bytes.Repeat([]byte{0}, 41)),
		join(addresses, []byte{8, 6, 0, 6, 8, 0, 200, 4, 0, 1, 1, 2, 3}),
	}
}

func TestFrames(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(packets()...))
	l := s.Dissector()
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "eth.dst", "ff:ff:ff:ff:ff:ff"}, {1, "eth.dst.ig", "Group address (multicast/broadcast)"},
		{1, "eth.src.ig", "Individual address (unicast)"}, {1, "eth.dst_resolved", "ff:ff:ff:ff:ff:ff"},
		{1, "eth.src.oui", "131072"},
		{1, "eth.type", "ARP (0x0806)"}, {1, "eth.padding", "000000000000000000000000000000000000"},
		{1, "arp.dst.proto_ipv4", "192.0.2.2"},
		{2, "ieee8021ad.id", "2"}, {2, "ieee8021ad.dei", "0"}, {2, "vlan.id", "7"}, {2, "vlan.dei", "Eligible"},
		{2, "arp.opcode", "reply (2)"},
		{4, "llc.dsap", "SNAP (0xaa)"}, {4, "llc.type", "ARP (0x0806)"}, {4, "eth.trailer", "010203"}, {4, "eth.len", "36"},
		{6, "data.data", "6869"}, {6, "eth.padding", string(bytes.Repeat([]byte("00"), 41))},
	} {
		got := dissecttest.All(l.Tree(c.frame), c.field)
		if got != c.want {
			t.Errorf("frame %d: %s is %q, want %q\n%s", c.frame, c.field, got, c.want, dissecttest.Dump(l.Tree(c.frame)))
		}
	}
	for n, want := range map[dissect.FrameNum]string{1: "Who has 192.0.2.2? Tell 192.0.2.1",
		2: "192.0.2.1 is at 02:00:00:00:00:01", 5: "ARP Announcement for 192.0.2.1",
		6: "U, func=UI; DSAP NetBIOS Individual, SSAP NetBIOS Command"} {
		if got := l.Tree(n).InfoLine(); got != want {
			t.Errorf("Info of frame %d is %q, want %q", n, got, want)
		}
	}
}

func TestStandard(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(packets()...))
	dissecttest.Declarations(t, plugins())
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, plugins(), s)
}
