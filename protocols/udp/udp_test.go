package udp_test

import (
	"context"
	"fmt"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/icmp"
	"remora/protocols/ip"
	"remora/protocols/null"
	"remora/protocols/raw"
	"remora/protocols/sll"
	"remora/protocols/udp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), null.Plugin(), sll.Plugin(), ip.Plugin(), icmp.Plugin(),
		udp.Plugin(), data.Plugin()}
}

// packet is IPv4 (192.0.2.src to 192.0.2.dst) around a payload.
func packet(proto, src, dst byte, payload []byte) []byte {
	return dissecttest.IPv4(proto, fmt.Sprintf("192.0.2.%d", src), fmt.Sprintf("192.0.2.%d", dst), payload)
}

// datagram is UDP (RFC 768) from 1000 to 2000 with a length and a checksum of the caller's choice.
func datagram(length byte, sum uint16, payload string) []byte {
	return append([]byte{0x03, 0xe8, 0x07, 0xd0, 0, length, byte(sum >> 8), byte(sum)}, payload...)
}

// right is the checksum of datagram(10, ?, "hi") between 192.0.2.1 and 192.0.2.2, worked out as RFC 768 says.
func right() uint16 {
	pseudo := []byte{192, 0, 2, 1, 192, 0, 2, 2, 0, 17, 0, 10}
	return dissect.Checksum(pseudo, datagram(10, 0, "hi"))
}

func echo(kind byte, seq byte) []byte {
	b := []byte{kind, 0, 0, 0, 0x12, 0x34, 0, seq, 'p', 'i', 'n', 'g'}
	sum := dissect.Checksum(b)
	b[2], b[3] = byte(sum>>8), byte(sum)
	return b
}

func packets() [][]byte {
	return [][]byte{
		packet(17, 1, 2, datagram(10, right(), "hi")),
		packet(17, 1, 2, datagram(10, right()+1, "hi")),
		packet(17, 2, 1, datagram(10, 0, "hi")),
		packet(17, 1, 2, datagram(200, 0, "hi")),
		packet(17, 1, 2, datagram(3, 0, "hi")),
		packet(17, 1, 2, datagram(9, 0, "hi")),
		packet(1, 1, 2, echo(8, 1)),
		packet(1, 2, 1, echo(0, 1)),
		packet(1, 1, 2, echo(8, 2)),
		packet(1, 2, 1, append([]byte{3, 3, 0, 0, 0, 0, 0, 0}, packet(17, 1, 2, datagram(10, right(), "hi"))[:28]...)),
		packet(1, 2, 1, append([]byte{5, 1, 0, 0, 192, 0, 2, 9}, packet(17, 1, 2, datagram(10, 0, "hi"))...)),
		packet(1, 2, 1, []byte{13, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5}),
	}
}

func TestPackets(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 228, dissecttest.Packets(packets()...))
	l := s.Dissector()
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "udp.checksum.status", "Good"}, {1, "udp.stream", "0"}, {1, "udp.payload", "6869"},
		{2, "udp.checksum.status", "Bad"}, {3, "udp.checksum.status", "Not present"}, {6, "data.data", "68"},
		{7, "icmp.resp_in", "8"}, {8, "icmp.resp_to", "7"}, {8, "icmp.resptime", "1.000 ms"},
		{8, "icmp.checksum.status", "Good"}, {8, "data.data", "70696e67"},
		{7, "icmp.seq_le", "256 (0x0100)"}, {9, "icmp.resp_in", ""}, {10, "udp.dstport", "2000"},
		{10, "ip.src", "192.0.2.2,192.0.2.1"}, {10, "udp.stream", "0"},
		{11, "icmp.redir_gw", "192.0.2.9"}, {12, "icmp.receive_timestamp", "4 (0.004 seconds after midnight UTC)"},
	} {
		if got := dissecttest.All(l.Tree(c.frame), c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q\n%s", c.frame, c.field, got, c.want, dissecttest.Dump(l.Tree(c.frame)))
		}
	}
	for n, want := range map[dissect.FrameNum]string{1: "1000 → 2000 Len=2",
		8:  "Echo (ping) reply    id=0x1234, seq=1/256, ttl=64 (request in 7)",
		10: "Destination unreachable (Port unreachable)"} {
		if got := l.Tree(n).InfoLine(); got != want {
			t.Errorf("Info of frame %d is %q, want %q", n, got, want)
		}
	}
	for _, n := range []dissect.FrameNum{4, 5} {
		if _, ok := dissecttest.Find(l.Tree(n), "udp.length.bad"); !ok {
			t.Errorf("frame %d: the length is impossible and has no note", n)
		}
	}
	if _, ok := dissecttest.Find(l.Tree(10), "_ws.malformed"); ok {
		t.Error("a quoted packet that is cut short by rule counts as malformed")
	}
}

// TestLinks puts the same packet behind every link header without Ethernet.
func TestLinks(t *testing.T) {
	inner := packets()[0]
	for name, c := range map[string]struct {
		link   int
		header []byte
	}{
		"raw": {101, nil}, "raw 12": {12, nil}, "ipv4": {228, nil},
		"null, little": {0, []byte{2, 0, 0, 0}}, "null, big": {0, []byte{0, 0, 0, 2}}, "loop": {108, []byte{0, 0, 0, 2}},
		"cooked":   {113, []byte{0, 4, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0, 8, 0}},
		"cooked 2": {276, []byte{8, 0, 0, 0, 0, 0, 0, 3, 0, 1, 4, 6, 2, 0, 0, 0, 0, 1, 0, 0}},
	} {
		s := dissecttest.Session(t, plugins(), c.link,
			dissecttest.Packets(append(append([]byte(nil), c.header...), inner...)))
		if got := dissecttest.All(s.Tree(1), "udp.dstport"); got != "2000" {
			t.Errorf("%s: port is %q\n%s", name, got, dissecttest.Dump(s.Tree(1)))
		}
		dissecttest.Owned(t, s)
		dissecttest.Fields(t, s)
		dissecttest.Truncations(t, plugins(), s)
	}
}

func TestStandard(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 228, dissecttest.Packets(packets()...))
	dissecttest.Declarations(t, plugins())
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, plugins(), s)
}

// BenchmarkFirstPass is the cost of one packet of IPv4 and UDP in the first pass, reading of the capture included.
func BenchmarkFirstPass(b *testing.B) {
	frames := make([][]byte, 50_000)
	for i := range frames {
		frames[i] = packets()[0]
	}
	store, err := pcapfile.OpenBytes(context.Background(), "bench", dissecttest.Pcap(228, dissecttest.Packets(frames...)),
		capture.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	reg := dissecttest.Registry(b, plugins())
	b.ReportAllocs()
	for b.Loop() {
		s, err := dissect.NewSession(reg, store)
		if err == nil {
			err = s.Pass(context.Background())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(frames)), "ns/packet")
}
