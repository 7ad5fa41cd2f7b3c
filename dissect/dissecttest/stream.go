package dissecttest

import (
	"fmt"
	"testing"

	"remora/dissect"
)

// The ends of Stream.
const (
	streamClient = "192.0.2.10"
	streamServer = "192.0.2.2"
)

// Stream makes packets of link type 101 (raw IP) of a connection from port 40000 to a port of a server. Each text is a
// segment: it starts with "C:" when the client sends it, with "S:" when the server does.
func Stream(port uint16, texts ...string) []Packet {
	seq := [2]uint32{1000, 5000}
	var out []Packet
	send := func(from int, flags byte, text string) {
		src, dst, sport, dport := streamClient, streamServer, uint16(40000), port
		if from == 1 {
			src, dst, sport, dport = dst, src, dport, sport
		}
		out = append(out, Packet{Data: segment(src, dst, sport, dport, seq[from], seq[1-from], flags, text)})
		seq[from] += uint32(len(text)) + uint32(flags&3+1)/2
	}
	send(0, 2, "")
	send(1, 0x12, "")
	for _, t := range texts {
		from := 0
		if t[0] == 'S' {
			from = 1
		}
		send(from, 0x18, t[2:])
	}
	send(0, 0x11, "")
	send(1, 0x11, "")
	return out
}

// segment is an IPv4 packet with a TCP segment.
func segment(src, dst string, sport, dport uint16, seq, ack uint32, flags byte, text string) []byte {
	if flags&0x10 == 0 {
		ack = 0
	}
	return IPv4(ProtocolTCP, src, dst, TCP(sport, dport, seq, ack, flags, []byte(text)))
}

// Posted is a session of HTTP requests that carry texts of one media type: the first is in frame 3, behind the
// handshake.
func Posted(t testing.TB, plugins []dissect.Plugin, mediaType string, texts ...string) *dissect.Session {
	t.Helper()
	var lines []string
	for _, text := range texts {
		lines = append(lines,
			fmt.Sprintf("C:POST / HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", mediaType, len(text),
				text))
	}
	return Session(t, plugins, 101, Stream(80, lines...))
}
