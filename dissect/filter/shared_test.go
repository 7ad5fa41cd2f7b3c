package filter_test

import (
	"context"
	"encoding/binary"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/internal/testall"
	"remora/protocols"
)

// ofConversations are filters that conversations can answer, alone and among others.
var ofConversations = []string{
	"ip.addr == 10.0.0.0/8", "ip.src == 127.0.0.1", "!(ip.addr == 127.0.0.1)", "ip.addr != 127.0.0.1",
	"all ip.addr == 127.0.0.0/8", "ip.src == ip.dst", "ip.src in {10.0.0.1..10.0.0.200, 127.0.0.1}", "ip.dst[0] == 7f",
	"ip.addr#1 == 127.0.0.1", "ip.addr#2", "@ip.src == 7f:00:00:01", "ip.addr", "count(ip.addr) > 2",
	"ipv6.addr == fe80::/10", "ipv6.dst == ff02::/16", "ipv6.src != ::1", "ipv6.src == ipv6.dst", "ipv6.addr",
	"udp.port == 53", "udp.srcport < udp.dstport", "udp.dstport in {53, 1024..40000}", "!(udp.port > 1024)", "udp.port",
	"udp.stream == 1", "udp.stream < 3", "udp.stream", "tcp.port == 443", "tcp.port in {80, 443, 6000..50000}",
	"tcp.dstport != 80", "tcp.stream == 0", "tcp.stream > 1", "!tcp.stream", "udp.port % 2 == 0",
	"vlan.id == 5", "vlan.id > 10", "vlan.id", "all vlan.id < 100", "vlan.id#2", "@vlan.id[0] < 20",
	"role", `role == "host"`, `role.src == "client"`, `role contains "P"`, "!role", "name", `name.dst matches "(?i)a"`,
	"dir == 1", "talk == 2", "talk > 2 && dir == 0", `frame.top == "udp" && udp.port`, "string(ip.src) == frame.path",
	"ip.addr == 127.0.0.1 && udp.port > 5000", "udp.port == 53 || tcp.port == 80", "ip.addr == 127.0.0.1 xor tcp",
	"udp.port > 5000 && frame.len > 100", "tcp.port == 80 || frame.number == 3", "!(udp.port > 5000 && udp.length > 60)",
	"tcp.stream == 0 && tcp.len > 0", "udp.port == 53 && dns.flags.response == 1", "udp.port xor udp.length > 60",
}

// ofRecords are filters that the record of a packet answers, with its conversation.
var ofRecords = []string{"frame.len > 100", "!(frame.len > 100)",
	"frame.number == 3 || frame.len < 80 && frame.cap_len > 60",
	"udp.port > 5000 xor frame.len > 100", "frame.len in {60..100}", "all tcp.port > 1000 || frame.number < 5"}

// asked holds what a filter says of each packet against what the packet itself says, and tells how many packets were
// not asked.
func asked(t *testing.T, s *dissect.Session, about string, filters []string) (unread int) {
	t.Helper()
	l := s.Dissector()
	for _, text := range filters {
		f, err := filter.Compile(s.Registry(), text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []dissect.FrameNum
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			match := filter.MatchReading(f, l, n)
			if match {
				want = append(want, n)
			}
			if f.Match(l, n) != match {
				t.Errorf("%s: %q is %v of packet %d, which says otherwise", about, text, !match, n)
				return 0
			}
			if filter.Unread(f, l, n) {
				unread++
			}
		}
		_ = filter.Scan(context.Background(), s, f, 1, dissect.FrameNum(s.Passed()),
			func(m []dissect.FrameNum, _ dissect.FrameNum) { got = append(got, m...) })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q finds %d packets in a scan, %d one by one", about, text, len(got), len(want))
		}
	}
	return unread
}

// TestConversationsAnswerForPackets asks all packets of the fixtures, as they are and with bytes changed.
func TestConversationsAnswerForPackets(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	r := rand.New(rand.NewPCG(7, 7))
	unread, values, files := 0, 0, 0
	_ = filepath.WalkDir("../../fixtures/captures", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".pcap") && !strings.HasSuffix(path, ".pcapng") {
			return err
		}
		if files++; files%testall.Of(7, 1) != 0 {
			return nil
		}
		s := dissecttest.LoadOf(t, reg, path)
		unread += asked(t, s, path, ofConversations)
		asked(t, s, path, ofRecords)
		other := changed(t, reg, s, r)
		asked(t, other, path+", changed", ofConversations)
		asked(t, other, path+", changed", ofRecords)
		values += askedForValues(t, s)
		return nil
	})
	if unread < 1000 {
		t.Errorf("only %d packets were not asked", unread)
	}
	if values < 1000 {
		t.Errorf("only %d packets were asked for values alone", values)
	}
}

// askedForValues is how many packets are asked for nothing but values.
func askedForValues(t *testing.T, s *dissect.Session) (packets int) {
	for _, text := range ofRecords {
		f, err := filter.Compile(s.Registry(), text)
		if err != nil {
			t.Fatal(err)
		}
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if filter.AsksValues(f, s, n) {
				packets++
			}
		}
	}
	return packets
}

// changed is a session of the same packets with bytes changed, ends cut off, and layers of IP, ICMP and virtual LANs
// put around.
func changed(t *testing.T, reg *dissect.Registry, s *dissect.Session, r *rand.Rand) *dissect.Session {
	t.Helper()
	var packets []dissecttest.Packet
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		b, err := s.Dissector().Bytes(n)
		if err != nil {
			t.Fatal(err)
		}
		b = slices.Clone(b)
		if len(b) > 34 && b[12] == 8 && b[13] == 0 {
			b = slices.Insert(b, 14, around(b, r)...)
		}
		if len(b) > 34 && r.IntN(4) == 0 {
			b = slices.Insert(b, 12, 0x81, 0, 0x20, byte(r.IntN(20)))
		}
		if len(b) > 34 && b[12] == 8 && r.IntN(8) == 0 {
			b = slices.Concat(b[:14], tunnel(b, r), b)
		}
		p := dissecttest.Packet{Data: b, Len: len(b)}
		for range r.IntN(3) * r.IntN(2) {
			b[r.IntN(min(len(b), 80))] = byte(r.IntN(256))
		}
		if r.IntN(10) == 0 {
			p.Data = b[:r.IntN(len(b))]
		}
		packets = append(packets, p)
	}
	return dissecttest.SessionOf(t, reg, s.Store().InterfaceLinkType(0), packets)
}

// around is what goes around the IPv4 packet in a frame of Ethernet: mostly nothing, IPv4, or an ICMP error, which
// quotes it.
func around(b []byte, r *rand.Rand) []byte {
	kind := r.IntN(8)
	if kind > 1 {
		return nil
	}
	header := slices.Concat([]byte{0x45, 0, 0, 0, 0, 0, 0, 0, 64, 4, 0, 0}, b[30:34], b[26:30])
	if kind == 1 {
		header[9] = 1
		header = append(header, 3, 3, 0, 0, 0, 0, 0, 0)
	}
	binary.BigEndian.PutUint16(header[2:], uint16(len(b)-14+len(header)))
	return header
}

// tunnel is the headers of a VXLAN around a frame.
func tunnel(b []byte, r *rand.Rand) []byte {
	be := binary.BigEndian
	header := []byte{0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, byte(r.IntN(4)), 192, 0, 2, 9}
	be.PutUint16(header[2:], uint16(len(b)+36))
	header = be.AppendUint16(be.AppendUint16(header, 50000), 4789)
	header = be.AppendUint16(header, uint16(len(b)+16))
	return append(header, 0, 0, 8, 0, 0, 0, 0, 0, 1, 0)
}
