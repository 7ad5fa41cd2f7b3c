package icmpv6_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/icmpv6"
	"remora/protocols/ipv6"
	"remora/protocols/raw"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), ipv6.Plugin(), icmpv6.Plugin(), data.Plugin()}
}

type row = dissecttest.Row

var target = []byte{0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x16}

// message is an ICMPv6 message with a right checksum (RFC 4443 section 2.3) in an IPv6 packet from fe80::1 to ff02::16.
func message(kind, code byte, rest ...byte) []byte {
	m := append([]byte{kind, code, 0, 0}, rest...)
	b := []byte{0x60, 0, 0, 0, byte(len(m) >> 8), byte(len(m)), 58, 255, 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		1}
	b = append(b, target...)
	sum := dissect.Checksum(b[8:40], []byte{0, 0, byte(len(m) >> 8), byte(len(m)), 0, 0, 0, 58}, m)
	m[2], m[3] = byte(sum>>8), byte(sum)
	return append(b, m...)
}

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func packets() [][]byte {
	lla, zero := []byte{1, 1, 2, 0, 0, 0, 0, 1}, make([]byte, 4)
	prefix := join([]byte{3, 4, 64, 0xc0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 8, 0, 0, 0, 0}, target)
	dns := join([]byte{25, 3, 0, 0, 0, 0, 2, 88}, target)
	search := []byte{31, 3, 0, 0, 0, 0, 2, 88, 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 4, 't', 'e', 's', 't', 0, 0, 0}
	route := []byte{24, 2, 48, 8, 0, 0, 7, 8, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0}
	redirected := join([]byte{4, 7, 0, 0, 0, 0, 0, 0}, message(1, 4, 0, 0, 0, 0))
	record := join([]byte{6, 1, 0, 1}, target, target, []byte("auxd"))
	return [][]byte{
		message(128, 0, 0x12, 0x34, 0, 1, 'h', 'i'), message(133, 0, join(zero, lla)...),
		message(134, 0,
			join([]byte{64, 0xc8, 7, 8, 0, 0, 0, 0, 0, 0, 3, 0xe8}, prefix, dns, search, route,
				[]byte{5, 1, 0, 0, 0, 0, 5, 0xdc}, []byte{14, 1, 1, 2, 3, 4, 5, 6}, []byte{99, 1, 1, 2, 3, 4, 5, 6})...),
		message(135, 0, join(zero, target, lla)...), message(136, 0, join([]byte{0xe0, 0, 0, 0}, target)...),
		message(137, 0, join(zero, target, target, redirected)...),
		message(130, 0, join([]byte{3, 0xe8, 0, 0}, target)...),
		message(130, 0, join([]byte{0x85, 0, 0, 0}, target, []byte{10, 0x90, 0, 1}, target)...),
		message(143, 0, join([]byte{0, 0, 0, 2}, []byte{4, 0, 0, 0}, target, record)...),
		message(139, 0, join([]byte{0, 2, 0, 2}, make([]byte, 8), target)...),
		message(2, 0, join([]byte{0, 0, 5, 0}, message(129, 0, 0, 0, 0, 0))...), message(200, 0, 1, 2),
		message(161, 0, 0, 9, 1, 0x46), message(145, 0, join(zero, target)...),
	}
}

func TestMessages(t *testing.T) {
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 101, dissecttest.Packets(packets()...)), []row{
		{1, "info", "Echo (ping) request id=0x1234, seq=1, hop limit=255 (multicast)"}, {1, "icmpv6.checksum.status", "Good"},
		{1, "data.data", "6869"},
		{2, "info", "Router Solicitation from 02:00:00:00:00:01"}, {2, "icmpv6.opt.src_linkaddr", "02:00:00:00:00:01"},
		{3, "icmpv6.nd.ra.flag",
			"0xc8, Managed address configuration, Other configuration, Prf (Default Router Preference): High"},
		{3, "icmpv6.nd.ra.router_lifetime", "1800"}, {3, "icmpv6.opt.prefix.valid_lifetime", "Infinity (4294967295)"},
		{3, "icmpv6.opt.prefix.flag.l", "Set"},
		{3, "icmpv6.opt.prefix", "ff02::16,2001:db8::"}, {3, "icmpv6.opt.rdnss", "ff02::16"},
		{3, "icmpv6.opt.dnssl", "example.test"}, {3, "icmpv6.opt.route_info.flag.route_preference", "High (1)"},
		{3, "icmpv6.opt.mtu", "1500"}, {3, "icmpv6.opt.nonce", "010203040506"},
		{3, "icmpv6.opt.type", "Prefix information (3),Recursive DNS Server (25),DNS Search List Option (31),Route " +
			"Information (24),MTU (5),Nonce (14),99"},
		{4, "info", "Neighbor Solicitation for ff02::16 from 02:00:00:00:00:01"},
		{5, "info", "Neighbor Advertisement ff02::16 (rtr, sol, ovr)"}, {5, "icmpv6.nd.na.flag.s", "Set"},
		{6, "icmpv6.type", "Redirect (137),Destination Unreachable (1)"},
		{7, "icmpv6.mld.maximum_response_delay", "1000"}, {8, "icmpv6.mld.maximum_response_code", "43008"},
		{8, "icmpv6.mld.qqi", "256"}, {8, "icmpv6.mld.source_address", "ff02::16"},
		{9, "icmpv6.mldr.mar.record_type", "Changed to exclude (4),Block old sources (6)"},
		{9, "icmpv6.mldr.mar.auxiliary_data", "61757864"},
		{10, "icmpv6.ni.query.subject_ipv6", "ff02::16"}, {11, "icmpv6.mtu", "1280"}, {11, "info", "Packet Too Big"},
		{12, "icmpv6.data", "0102"}, {13, "icmpv6.ext.echo.rsp.state", "Reachable (2)"},
		{14, "icmpv6.mip6.home_agent_address", "ff02::16"},
	})
}

func TestOptionText(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(packets()...))
	tree := s.Tree(3)
	var got []string
	for i := range tree.Nodes {
		if tree.Field(i).Name() == "icmpv6.opt" {
			got = append(got, tree.Label(i))
		}
	}
	want := []string{"ICMPv6 Option (Prefix information : ff02::16/64)", "ICMPv6 Option (Recursive DNS Server ff02::16)",
		"ICMPv6 Option (DNS Search List Option example.test)", "ICMPv6 Option (Route Information : High 2001:db8::/48)",
		"ICMPv6 Option (MTU : 1500)", "ICMPv6 Option (Nonce)", "ICMPv6 Option (Unknown 99)"}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("the options are %q, want %q", got, want)
		}
	}
}

func TestStandard(t *testing.T) { dissecttest.RunMade(t, plugins(), 101, packets()...) }
