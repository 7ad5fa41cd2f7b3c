package ipv6_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/icmpv6"
	"remora/protocols/ipv6"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), ipv6.Plugin(), icmpv6.Plugin(), udp.Plugin(), data.Plugin()}
}

// header is an IPv6 header (RFC 8200 section 3) from 2001:db8::1 to 2001:db8::2 in front of a payload.
func header(next byte, payload []byte) []byte {
	b := []byte{0x60, 0x01, 0x23, 0x45, byte(len(payload) >> 8), byte(len(payload)), next, 64}
	b = append(b, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
	b = append(b, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)
	return append(b, payload...)
}

func datagram(payload string) []byte {
	n := 8 + len(payload)
	return append([]byte{0x03, 0xe8, 0x07, 0xd0, byte(n >> 8), byte(n), 0xab, 0xcd}, payload...)
}

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

var target = []byte{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9}

func packets() [][]byte {
	whole := datagram("abcdefghijklmnopqrstuvwx")
	return [][]byte{
		header(0, join([]byte{60, 0, 5, 2, 0, 0, 1, 0}, []byte{43, 0, 1, 4, 0, 0, 0, 0}, []byte{17, 2, 0, 1, 0, 0, 0, 0},
			target, datagram("x"))),
		header(44, join([]byte{17, 0, 0, 0x11, 0, 0, 0, 7}, whole[16:24])),
		header(44, join([]byte{17, 0, 0, 0x01, 0, 0, 0, 7}, whole[:16])),
		header(44, join([]byte{17, 0, 0, 0x18, 0, 0, 0, 7}, whole[24:])),
		header(58, join([]byte{135, 0, 0, 0, 0, 0, 0, 0}, target, []byte{1, 1, 2, 0, 0, 0, 0, 1})),
		header(58, join([]byte{136, 0, 0, 0, 0x60, 0, 0, 0}, target, []byte{2, 1, 2, 0, 0, 0, 0, 2})),
		header(58, join([]byte{134, 0, 0, 0, 64, 0xc0, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0},
			[]byte{3, 4, 64, 0xc0, 0, 0, 0, 9, 0, 0, 0, 8, 0, 0, 0, 0}, target, []byte{5, 1, 0, 0, 0, 0, 5, 0xdc})),
		header(58, []byte{128, 0, 0, 0, 0x12, 0x34, 0, 1, 'h', 'i'}),
		header(58, join([]byte{1, 4, 0, 0, 0, 0, 0, 0}, header(17, datagram("quoted")))),
		header(58, join([]byte{133, 0, 0, 0, 0, 0, 0, 0}, []byte{1, 0, 1, 1})),
		header(44, join([]byte{17, 0, 0, 0, 0, 0, 0, 8}, datagram("atomic"))),
	}
}

func TestPackets(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 229, dissecttest.Packets(packets()...))
	l := s.Dissector()
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "ipv6.hlim", "64"}, {1, "ipv6.hopopts.nxt", "Destination Options for IPv6 (60)"},
		{1, "ipv6.routing.segleft", "1"}, {1, "udp.dstport", "2000"}, {1, "ipv6.opt.router_alert", "MLD (0)"},
		{1, "ipv6.tclass.dscp", "Default (0)"}, {1, "ipv6.flow", "0x12345"}, {5, "ipv6.src_host", "2001:db8::1"},
		{2, "ipv6.reassembled.in", "4"}, {3, "ipv6.reassembled.in", "4"}, {4, "ipv6.fragment", "3,2,4"},
		{4, "ipv6.reassembled.length", "32"}, {4, "data.len", "24"},
		{5, "icmpv6.nd.ns.target_address", "fe80::9"}, {5, "icmpv6.opt.linkaddr", "02:00:00:00:00:01"},
		{6, "icmpv6.nd.na.flag.s", "Set"}, {6, "icmpv6.nd.na.flag.r", "Not set"},
		{7, "icmpv6.nd.ra.router_lifetime", "1800"}, {7, "icmpv6.opt.prefix", "fe80::9"}, {7, "icmpv6.opt.mtu", "1500"},
		{8, "icmpv6.echo.sequence_number", "1"}, {8, "data.data", "6869"}, {8, "icmpv6.checksum.status", "Bad"},
		{9, "udp.srcport", "1000"}, {10, "icmpv6.type", "Router Solicitation (133)"}, {11, "data.len", "6"},
	} {
		if got := dissecttest.All(l.Tree(c.frame), c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q\n%s", c.frame, c.field, got, c.want, dissecttest.Dump(l.Tree(c.frame)))
		}
	}
	for n, want := range map[dissect.FrameNum]string{
		2: "IPv6 fragment (off=16 more=y ident=0x00000007 nxt=17)",
		5: "Neighbor Solicitation for fe80::9 from 02:00:00:00:00:01",
		6: "Neighbor Advertisement fe80::9 (sol, ovr) is at 02:00:00:00:00:02",
		8: "Echo (ping) request id=0x1234, seq=1, hop limit=64 (no response found!)",
		9: "Destination Unreachable (Port unreachable)",
	} {
		if got := l.Tree(n).InfoLine(); got != want {
			t.Errorf("Info of frame %d is %q, want %q", n, got, want)
		}
	}
	if _, ok := dissecttest.Find(l.Tree(10), "icmpv6.invalid_option_length"); !ok {
		t.Error("an option of no length has no note")
	}
	if n := s.Conversations(); n != 3 {
		t.Errorf("%d conversations, want one of UDP, one along a route and one of pings: quoted packets have none", n)
	}
}

func TestStandard(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 229, dissecttest.Packets(packets()...))
	dissecttest.Declarations(t, plugins())
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, plugins(), s)
}
