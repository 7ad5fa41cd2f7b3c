package icmp_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/icmp"
	"remora/protocols/ip"
	"remora/protocols/raw"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), icmp.Plugin(), data.Plugin()}
}

type row = dissecttest.Row

// message is an ICMP message with a right checksum in an IPv4 packet.
func message(kind, code byte, rest ...byte) []byte {
	m := append([]byte{kind, code, 0, 0}, rest...)
	sum := dissect.Checksum(m)
	m[2], m[3] = byte(sum>>8), byte(sum)
	return wrap(m)
}

func wrap(m []byte) []byte {
	n := 20 + len(m)
	b := []byte{0x45, 0, byte(n >> 8), byte(n), 0, 1, 0, 0, 64, 1, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2}
	sum := dissect.Checksum(b)
	b[10], b[11] = byte(sum>>8), byte(sum)
	return append(b, m...)
}

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// parts are extensions (RFC 4884) with one MPLS label stack entry: label 16000, class 3, last, time to live 63.
func parts() []byte {
	b := []byte{0x20, 0, 0, 0, 0, 8, 1, 1, 0x03, 0xe8, 0x07, 63}
	sum := dissect.Checksum(b)
	b[2], b[3] = byte(sum>>8), byte(sum)
	return b
}

func packets() [][]byte {
	sent := []byte{0x80, 0, 0x92, 0x65, 0x10, 0x27, 0, 0} // 2024-01-01 00:00:00.01 UTC, little-endian
	inner := wrap([]byte{8, 0, 0, 0, 0, 1, 0, 1})
	padded := append(inner, make([]byte, 128-len(inner))...)
	bad := message(8, 0, 0, 1, 0, 9, 1)
	bad[22] ^= 1
	return [][]byte{
		message(8, 0, join([]byte{0, 1, 0, 2}, sent, []byte("data"))...),
		message(0, 0, join([]byte{0, 1, 0, 2}, sent, []byte("data"))...), message(8, 0, 0, 1, 0, 3),
		message(3, 4, join([]byte{0, 0, 5, 0x78}, inner)...), message(11, 0, join([]byte{0, 32, 0, 0}, padded, parts())...),
		message(5, 1, join([]byte{192, 0, 2, 9}, inner)...),
		message(9, 0, 1, 2, 7, 8, 192, 0, 2, 1, 0xff, 0xff, 0xff, 0xfe),
		message(14, 0, 0, 1, 0, 1, 0, 0, 0, 0, 5, 36, 211, 32, 0x80, 0, 0, 1),
		message(42, 0, join([]byte{0, 9, 1, 1}, parts())...), message(200, 0), bad,
		message(12, 0, join([]byte{20, 0, 0, 0}, inner)...),
	}
}

func TestMessages(t *testing.T) {
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 101, dissecttest.Packets(packets()...)), []row{
		{1, "info", "Echo (ping) request  id=0x0001, seq=2/512, ttl=64 (reply in 2)"},
		{1, "icmp.type", "8 (Echo (ping) request)"}, {1, "icmp.resp_in", "2"},
		{1, "icmp.data_time", "Jan  1, 2024 00:00:00.010000000 UTC"},
		{1, "icmp.data_time_relative", "-0.009000000"}, {1, "data.data", "64617461"}, {1, "icmp.checksum.status", "Good"},
		{2, "info", "Echo (ping) reply    id=0x0001, seq=2/512, ttl=64 (request in 1)"}, {2, "icmp.resptime", "1.000 ms"},
		{2, "icmp.resp_to", "1"},
		{3, "info", "Echo (ping) request  id=0x0001, seq=3/768, ttl=64 (no response found!)"},
		{4, "info", "Destination unreachable (Fragmentation needed)"}, {4, "icmp.mtu", "1400"},
		{4, "ip.src", "192.0.2.1,192.0.2.1"},
		{5, "info", "Time-to-live exceeded (Time to live exceeded in transit)"}, {5, "icmp.length", "32"},
		{5, "icmp.length.original_datagram", "128"}, {5, "icmp.mpls.label", "16000"}, {5, "icmp.mpls.exp", "3"},
		{5, "icmp.mpls.s", "Set"}, {5, "icmp.mpls.ttl", "63"}, {5, "icmp.ext.checksum.status", "Good"},
		{6, "info", "Redirect             (Redirect for host)"}, {6, "icmp.redir_gw", "192.0.2.9"},
		{7, "icmp.router_address", "192.0.2.1"}, {7, "icmp.pref_level", "-2"}, {7, "icmp.lifetime", "1800 (30 minutes)"},
		{8, "icmp.originate_timestamp", "0 (0 seconds after midnight UTC)"},
		{8, "icmp.receive_timestamp", "86299424 (23 hours, 58 minutes, 19.424 seconds after midnight UTC)"},
		{8, "icmp.transmit_timestamp", "2147483649 (0.001 seconds after midnight UTC)"},
		{9, "icmp.ext.echo.seq", "1 (0x01)"}, {9, "icmp.ext.echo.req.local", "Set"},
		{9, "icmp.ext.class", "MPLS Label Stack Class (1)"}, {10, "info", "Unknown ICMP (obsolete or malformed?)"},
		{11, "icmp.checksum.status", "Bad"}, {12, "icmp.pointer", "20"}, {12, "icmp.unused", "000000"},
	})
}

// TestNotes checks that a ping without an answer and a bad checksum are noted.
func TestNotes(t *testing.T) {
	l := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(packets()...)).Dissector()
	for n, field := range map[dissect.FrameNum]string{3: "icmp.resp_not_found", 11: "icmp.checksum_bad"} {
		if _, ok := dissecttest.Find(l.Tree(n), field); !ok {
			t.Errorf("frame %d has no %s\n%s", n, field, dissecttest.Dump(l.Tree(n)))
		}
	}
	if _, ok := dissecttest.Find(l.Tree(1), "icmp.no_resp"); ok {
		t.Error("an answered ping is said to have no answer")
	}
}

func TestStandard(t *testing.T) { dissecttest.RunMade(t, plugins(), 101, packets()...) }
