package soaprun

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin(), Plugin(), data.Plugin()}
}

// headers are those of IPv4 and TCP without options.
const headers = 40

// The flags of TCP.
const (
	fin = 1
	syn = 2
	rst = 4
	ack = 16
)

// A talk builds the capture of one connection, segment by segment.
type talk struct {
	t       testing.TB
	port    uint16    // of the server
	next    [2]uint32 // sequence numbers: of the client, of the server
	packets []dissecttest.Packet
	as      []dissect.DecodeAs
}

const (
	client = iota
	host
)

// newTalk opens a connection to a server's port.
func newTalk(t testing.TB, port uint16) *talk {
	k := midTalk(t, port)
	k.put(client, k.next[client], syn, nil)
	k.put(host, k.next[host], syn|ack, nil)
	k.next[0]++
	k.next[1]++
	k.put(client, k.next[client], ack, nil)
	return k
}

// midTalk is a connection that the capture missed the start of.
func midTalk(t testing.TB, port uint16) *talk {
	return &talk{t: t, port: port, next: [2]uint32{1000, 900_000}}
}

// put adds a segment as it is.
func (k *talk) put(from int, seq uint32, flags byte, payload []byte) dissect.FrameNum {
	ends, ports := [2]string{"10.0.0.1", "10.0.0.2"}, [2]uint16{50000, k.port}
	acked := uint32(0)
	if flags&ack != 0 || flags == 0 {
		acked = k.next[1-from]
		flags |= ack
	}
	tcp := dissecttest.TCP(ports[from], ports[1-from], seq, acked, flags, payload)
	packet := dissecttest.IPv4(dissecttest.ProtocolTCP, ends[from], ends[1-from], tcp)
	k.packets = append(k.packets, dissecttest.Packet{Data: packet, Gap: 1e6})
	return dissect.FrameNum(len(k.packets))
}

// say sends bytes in order, in one segment.
func (k *talk) say(from int, b []byte) dissect.FrameNum {
	n := k.put(from, k.next[from], ack, b)
	k.next[from] += uint32(len(b))
	return n
}

// hex sends bytes as they stand in documents.
func (k *talk) hex(from int, text string) dissect.FrameNum {
	return k.say(from, dissecttest.Unhex(k.t, text))
}

// pieces sends bytes in segments of the given sizes, the last size again and again.
func (k *talk) pieces(from int, b []byte, sizes ...int) (last dissect.FrameNum) {
	for i := 0; len(b) > 0; i++ {
		n := min(sizes[min(i, len(sizes)-1)], len(b))
		last = k.say(from, b[:n])
		b = b[n:]
	}
	return last
}

// lose moves on by n bytes that the capture does not have.
func (k *talk) lose(from, n int) { k.next[from] += uint32(n) }

// end closes a direction.
func (k *talk) end(from int) dissect.FrameNum {
	n := k.put(from, k.next[from], fin|ack, nil)
	k.next[from]++
	return n
}

func (k *talk) session() *dissect.Session {
	return dissecttest.Session(k.t, plugins(), 101, k.packets, k.as...)
}

// kinds are the types of all messages of a session, in order.
func kinds(s *dissect.Session) string {
	var out []string
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		tree := l.Tree(n)
		for i := range tree.Nodes {
			if f := tree.Field(i); f == fType {
				out = append(out, f.KindName(tree.Nodes[i].Val))
			}
		}
	}
	return strings.Join(out, " ")
}

// marked are the names of all notes of this protocol and of lost or bad bytes on a frame.
func marked(s *dissect.Session, n dissect.FrameNum) string {
	var out []string
	for i := range s.ExpertInfos() {
		if m := s.ExpertInfo(i); m.Frame == n {
			if name := s.Registry().FieldByID(m.Field).Name(); strings.HasPrefix(name, "soaprun.") ||
				strings.HasPrefix(name, "_ws.") {
				out = append(out, strings.TrimPrefix(name, "soaprun."))
			}
		}
	}
	return strings.Join(out, " ")
}

// value is the first value of a field of a frame.
func value(s *dissect.Session, n dissect.FrameNum, field string) string {
	v, _ := dissecttest.Find(s.Tree(n), field)
	return v
}
