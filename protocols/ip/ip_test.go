package ip_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/icmp"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), raw.Plugin(), ip.Plugin(), icmp.Plugin(), udp.Plugin(),
		data.Plugin()}
}

// header makes an IPv4 header (RFC 791 section 3.1) with a right checksum in front of a payload.
func header(flagsAndOffset uint16, proto byte, options, payload []byte) []byte {
	b := []byte{0x45 + byte(len(options)/4), 0, 0, 0, 0xbe, 0xef, byte(flagsAndOffset >> 8), byte(flagsAndOffset), 64,
		proto, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2}
	b = append(b, options...)
	n := len(b) + len(payload)
	b[2], b[3] = byte(n>>8), byte(n)
	sum := dissect.Checksum(b)
	b[10], b[11] = byte(sum>>8), byte(sum)
	return append(b, payload...)
}

// datagram is UDP from 1000 to 2000 without a checksum.
func datagram(payload string) []byte {
	n := 8 + len(payload)
	return append([]byte{0x03, 0xe8, 0x07, 0xd0, byte(n >> 8), byte(n), 0, 0}, payload...)
}

func expect(t *testing.T, tree *dissect.Tree, field, want string) {
	t.Helper()
	if got := dissecttest.All(tree, field); got != want {
		t.Errorf("frame %d: %s is %q, want %q\n%s", tree.Frame, field, got, want, dissecttest.Dump(tree))
	}
}

func has(t *testing.T, tree *dissect.Tree, field string) {
	t.Helper()
	if _, ok := dissecttest.Find(tree, field); !ok {
		t.Errorf("frame %d: no %s\n%s", tree.Frame, field, dissecttest.Dump(tree))
	}
}

// TestHeader takes the header whose checksum RFC 1071's readers know: 45 00 00 73 ... b8 61.
func TestHeader(t *testing.T) {
	known := []byte{0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 0xc0, 0xa8, 0, 1, 0xc0, 0xa8, 0, 0xc7}
	known = append(known, datagram(strings.Repeat("x", 0x73-28))...)
	bad := append([]byte(nil), known...)
	bad[11]++
	s := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(known, bad))
	l := s.Dissector()
	tree := l.Tree(1)
	expect(t, tree, "ip.checksum.status", "Good")
	expect(t, tree, "ip.flags.df", "Set")
	expect(t, tree, "ip.ttl", "64")
	expect(t, tree, "ip.src", "192.168.0.1")
	expect(t, tree, "udp.checksum.status", "Not present")
	tree = l.Tree(2)
	expect(t, tree, "ip.checksum.status", "Bad")
	has(t, tree, "ip.checksum_bad.expert")
}

func TestLengths(t *testing.T) {
	trailer := append(header(0, 17, nil, datagram("hi")), 0xaa, 0xbb)
	offload := header(0, 17, nil, datagram("hi"))
	offload[2], offload[3] = 0, 0
	lies := header(0, 17, nil, datagram("hi"))
	lies[2] = 0x10
	tiny := header(0, 17, nil, datagram("hi"))
	tiny[0] = 0x42
	s := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(trailer, offload, lies, tiny))
	l := s.Dissector()
	expect(t, l.Tree(1), "data.data", "6869")
	expect(t, l.Tree(2), "data.data", "6869")
	has(t, l.Tree(3), "ip.bogus_ip_length")
	has(t, l.Tree(4), "ip.bogus_header_length")
}

func TestOptions(t *testing.T) {
	route := []byte{7, 11, 8, 10, 0, 0, 1, 0, 0, 0, 0, 0}
	alert := []byte{148, 4, 0, 0}
	strict := []byte{137, 11, 4, 10, 0, 0, 1, 10, 0, 0, 2, 0}
	bad := []byte{7, 40, 4, 0}
	stamps := []byte{68, 12, 13, 1, 10, 0, 0, 1, 0, 0, 0, 9}
	var frames [][]byte
	for _, o := range [][]byte{route, alert, strict, bad, stamps} {
		frames = append(frames, header(0, 17, o, datagram("x")))
	}
	s := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(frames...))
	l := s.Dissector()
	expect(t, l.Tree(1), "ip.rec_rt", "10.0.0.1")
	expect(t, l.Tree(1), "ip.empty_rt", "0.0.0.0")
	has(t, l.Tree(2), "ip.opt.ra")
	expect(t, l.Tree(3), "ip.cur_rt", "192.0.2.2")
	expect(t, l.Tree(3), "ip.src_rt", "10.0.0.1")
	expect(t, l.Tree(3), "ip.dst", "10.0.0.2")
	has(t, l.Tree(4), "ip.opt.len.invalid")
	expect(t, l.Tree(5), "ip.opt.time_stamp_addr", "10.0.0.1")
	expect(t, l.Tree(5), "ip.opt.time_stamp", "9")
}

// TestFragments sends a datagram of 8 + 24 bytes in three parts, the last one first, and one part twice.
func TestFragments(t *testing.T) {
	whole := datagram("abcdefghijklmnopqrstuvwx")
	s := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(
		header(0x0003, 17, nil, whole[24:]),
		header(0x2000, 17, nil, whole[:16]),
		header(0x2000|1, 17, nil, whole[8:24]),
	))
	l := s.Dissector()
	expect(t, l.Tree(1), "ip.reassembled_in", "3")
	expect(t, l.Tree(2), "ip.reassembled_in", "3")
	tree := l.Tree(3)
	expect(t, tree, "ip.fragment", "2,3,1")
	expect(t, tree, "ip.reassembled.length", "32")
	expect(t, tree, "udp.dstport", "2000")
	expect(t, tree, "data.len", "24")
	expect(t, tree, "ip.fragment.overlap", "True")
	if got := tree.Sources()[1].Name; got != "Reassembled IPv4" {
		t.Errorf("the data source is called %q", got)
	}
	if got := l.Tree(1).InfoLine(); got != "Fragmented IP protocol (proto=UDP 17, off=24, ID=beef) [Reassembled in #3]" {
		t.Errorf("Info of a fragment is %q", got)
	}
}

func TestStandard(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(
		header(0, 17, nil, datagram("x")),
		header(0, 17, []byte{7, 7, 4, 0, 0, 0, 0, 1}, datagram("x")),
		header(0x2000, 17, nil, datagram("abcdefgh")), header(2, 17, nil, []byte("tail")),
		header(0, 1, nil, append([]byte{3, 3, 0, 0, 0, 0, 0, 0}, header(0, 17, nil, datagram("quoted"))...))))
	dissecttest.Declarations(t, plugins())
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, plugins(), s)
}

// TestOldMeanings reads the second byte as a type of service (RFC 791) and the first flag as that of evil (RFC 3514).
func TestOldMeanings(t *testing.T) {
	low, urgent := header(0x8000, 17, nil, datagram("x")), header(0, 17, nil, datagram("x"))
	low[1], urgent[1] = 0x10, 0xe8
	reg := dissecttest.Registry(t, plugins())
	for name, on := range map[string]bool{"ip.decode_tos_as_diffserv": false, "ip.security_flag": true} {
		reg.SetPreference(reg.Preference(name), dissect.Setting{On: on})
	}
	s := dissecttest.SessionOf(t, reg, 101, dissecttest.Packets(low, urgent, low, low))
	dissecttest.Redissections(t, s)
	l := s.Dissector()
	for _, n := range []dissect.FrameNum{1, 3, 4} {
		tree := l.Tree(n)
		expect(t, tree, "ip.tos", "0x10 (Minimize delay)")
		expect(t, tree, "ip.tos.delay", "Low")
		expect(t, tree, "ip.tos.cost", "Normal")
		expect(t, tree, "ip.flags", "0x4, Security flag")
		expect(t, tree, "ip.flags.sf", "Evil")
		expect(t, tree, "ip.flags.rb", "")
		expect(t, tree, "ip.dsfield", "")
		has(t, tree, "ip.evil_packet")
	}
	tree := l.Tree(2)
	expect(t, tree, "ip.tos", "0xe8 (Maximize throughput)")
	expect(t, tree, "ip.tos.precedence", "network control (7)")
	expect(t, tree, "ip.flags.sf", "Not evil")
	expect(t, tree, "ip.evil_packet", "")
}

// TestSecurity tells the option of RFC 791 from that of RFC 1108 by its length and its level.
func TestSecurity(t *testing.T) {
	old := []byte{130, 11, 0xf1, 0x35, 0, 7, 'A', 'B', 'x', 'y', 'z', 0}
	other := append([]byte(nil), old...)
	other[2] = 0x12
	s := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(header(0, 17, old, datagram("x")),
		header(0, 17, other, datagram("x"))))
	tree := s.Dissector().Tree(1)
	expect(t, tree, "ip.opt.sec_rfc791_sec", "Confidential (0xf135)")
	expect(t, tree, "ip.opt.sec_rfc791_comp", "7")
	expect(t, tree, "ip.opt.sec_rfc791_hr", "AB")
	expect(t, tree, "ip.opt.sec_rfc791_tcc", "xyz")
	expect(t, tree, "ip.opt.sec_cl", "")
	tree = s.Dissector().Tree(2)
	expect(t, tree, "ip.opt.sec_cl", "0x12")
	expect(t, tree, "ip.opt.sec_rfc791_sec", "")
}
