package aoe2

import (
	"encoding/binary"
	"fmt"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
	"remora/protocols/udp"
)

// head is the head of a DirectPlay message of so many bytes, with the port 2300 to answer to.
func playHeader(size int, command, dialect uint16) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0xFAB00000|uint32(size))
	b = append(b, 2, 0, 0x08, 0xFC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	b = append(b, "play"...)
	b = binary.LittleEndian.AppendUint16(b, command)
	return binary.LittleEndian.AppendUint16(b, dialect)
}

var aoeGUID = []byte{0x60, 0xa2, 0x69, 0xfb, 0x31, 0x50, 0xd3, 0x11, 0xa2, 0xd4, 0x00, 0x60, 0x97, 0xba, 0x65, 0x50}

func enumQuestion(guid []byte) []byte {
	b := append(playHeader(52, 2, 14), guid...)
	return append(b, 0, 0, 0, 0, 0x11, 0, 0, 0)
}

func enumAnswer(name string) []byte {
	body := binary.LittleEndian.AppendUint32(nil, 80)
	body = binary.LittleEndian.AppendUint32(body, 0x44)
	body = append(body, "0123456789abcdef"...)
	body = append(body, aoeGUID...)
	for _, v := range []uint32{8, 3, 0, 0, 0, 0, 1, 2, 3, 4} {
		body = binary.LittleEndian.AppendUint32(body, v)
	}
	body = binary.LittleEndian.AppendUint32(body, 92)
	for _, c := range name {
		body = append(body, byte(c), 0)
	}
	body = append(body, 0, 0)
	return append(playHeader(28+len(body), 1, 14), body...)
}

// ipv4 is a packet of IPv4 and TCP or UDP between 10.0.0.1 and 10.0.0.2.
func ipv4(from byte, protocol byte, ports [2]uint16, seq uint32, payload []byte) []byte {
	carried := dissecttest.UDP(ports[0], ports[1], payload)
	if protocol == dissecttest.ProtocolTCP {
		carried = dissecttest.TCP(ports[0], ports[1], seq, 0, 0x18, payload)
	}
	return dissecttest.IPv4(protocol, fmt.Sprintf("10.0.0.%d", from), fmt.Sprintf("10.0.0.%d", 3-from), carried)
}

func realStack() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), tcp.Plugin(), Plugin(), Session(),
		data.Plugin()}
}

// TestSessionSearch searches over UDP and is answered over TCP, where messages share and span segments, on ports that
// nobody knows.
func TestSessionSearch(t *testing.T) {
	answer := enumAnswer("Hosty's game")
	ping := append(playHeader(36, 0x16, 14), 1, 2, 3, 4, 5, 6, 7, 8)
	two := append(append([]byte(nil), answer...), ping...)
	packets := dissecttest.Packets(
		ipv4(1, 17, [2]uint16{40000, searchPort}, 0, enumQuestion(aoeGUID)),
		ipv4(2, 6, [2]uint16{50000, 2300}, 100, two[:50]),
		ipv4(2, 6, [2]uint16{50000, 2300}, 150, two[50:]),
		ipv4(1, 17, [2]uint16{40000, searchPort}, 0,
			enumQuestion([]byte{0x82, 0xe9, 0x22, 0x34, 0x89, 0x1a, 0xd1, 0x11, 0xb0, 0x93, 0x00, 0xa0, 0x24, 0xc7, 0x47,
				0x76})),
		ipv4(1, 6, [2]uint16{50001, 6000}, 7, ping),
		ipv4(1, 17, [2]uint16{2350, 2350}, 0, ping),
	)
	s := dissecttest.Session(t, realStack(), 101, packets)
	for n, want := range map[dissect.FrameNum]string{
		1: "ENUM_SESSIONS for Age of Empires II, answers to port 2300",
		3: `ENUM_SESSIONS_REPLY +1 Age of Empires II "Hosty's game", 3 of 8 players | PING (36 bytes)`,
		4: "ENUM_SESSIONS for Age of Empires, answers to port 2300", 5: "PING (36 bytes)", 6: "PING (36 bytes)",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d reads %q, want %q\n%s", n, got, want, dissecttest.Dump(s.Tree(n)))
		}
	}
	for _, c := range []struct {
		n           dissect.FrameNum
		field, want string
	}{
		{1, "size", "52 bytes"}, {1, "token", "remote (0xfab)"}, {1, "family", "2"}, {1, "port", "2300"},
		{1, "ip", "0.0.0.0"}, {1, "signature", "play"}, {1, "dialect", "DirectX 9 (14)"},
		{1, "type", "ENUM_SESSIONS (0x0002)"}, {1, "game.guid", "{FB69A260-5031-11D3-A2D4-006097BA6550}"},
		{1, "flags", "0x00000011"}, {1, "password.offset", "0"}, {1, "found_in", "3"},
		{3, "search_in", "1"}, {3, "session.size", "80 bytes"}, {3, "players", "3"}, {3, "maxplayers", "8"},
		{3, "session.name", "Hosty's game"}, {3, "session.user", "0x00000001"}, {3, "session.name.offset", "92"},
		{4, "game.guid", "{3422E982-1A89-11D1-B093-00A024C74776}"}, {4, "game.other", ""}, {5, "data", "0102030405060708"},
	} {
		if got, _ := dissecttest.Find(s.Tree(c.n), "dplay."+c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q", c.n, c.field, got, c.want)
		}
	}
	if got, ok := dissecttest.Find(s.Tree(1), "dplay.game.other"); ok {
		t.Errorf("the game is another: %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, realStack(), s)
}

// TestSessionBounds takes streams that lie: sizes too small or too large, and searches from many ends.
func TestSessionBounds(t *testing.T) {
	var packets []dissecttest.Packet
	for i := range 600 {
		packets = append(packets,
			dissecttest.Packets(ipv4(1, 17, [2]uint16{uint16(1000 + i), searchPort}, 0,
				append(enumQuestion(aoeGUID)[:6], append([]byte{byte(i >> 8), byte(i)}, enumQuestion(aoeGUID)[8:]...)...)))...)
	}
	for i, b := range [][]byte{{}, {1}, {0x1b, 0, 0xb0, 0xfa}, {0xff, 0xff, 0xbf, 0xfa}, playHeader(28, 1, 9),
		playHeader(1<<20-1, 1, 9), []byte("hello, world, this is not DirectPlay at all")} {
		packets = append(packets, dissecttest.Packets(ipv4(1, 6, [2]uint16{uint16(3000 + i), 2301}, 1, b))...)
	}
	s := dissecttest.Session(t, realStack(), 101, packets)
	dissecttest.Redissections(t, s)
	if cutSession([]byte{0x1b, 0, 0xb0, 0xfa}) != -4 || cutSession([]byte{1, 2}) != 0 ||
		cutSession(playHeader(52, 2, 9)) != 52 {
		t.Error("messages are cut wrongly")
	}
}
