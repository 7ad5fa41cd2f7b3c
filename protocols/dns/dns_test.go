package dns_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

var header = []byte{0x12, 0x34, 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0}

// query asks for www.example.com A.
var query = append(append([]byte{}, header...), "\x03www\x07example\x03com\x00\x00\x01\x00\x01"...)

// answer has a CNAME and an address, with compressed names, and an OPT record.
var answer = append(append([]byte{0x12, 0x34, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 1}, query[12:]...),
	"\xc0\x0c\x00\x05\x00\x01\x00\x00\x00\x3c\x00\x07\x04host\xc0\x10"+
		"\xc0\x2d\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc0\x00\x02\x01"+"\x00\x00\x29\x10\x00\x00\x00\x80\x00\x00\x00"...)

func ip(proto byte, out bool, payload []byte) []byte {
	if out {
		return dissecttest.IPv4(proto, "10.0.0.1", "10.0.0.2", payload)
	}
	return dissecttest.IPv4(proto, "10.0.0.2", "10.0.0.1", payload)
}

func udp(out bool, payload []byte) []byte {
	if out {
		return ip(dissecttest.ProtocolUDP, out, dissecttest.UDP(32768, 53, payload))
	}
	return ip(dissecttest.ProtocolUDP, out, dissecttest.UDP(53, 32768, payload))
}

func tcp(seq uint32, payload []byte) []byte {
	return ip(dissecttest.ProtocolTCP, false, dissecttest.TCP(53, 32768, seq, 0, 0x18, payload))
}

func TestQuestionAndAnswer(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(udp(true, query), udp(false, answer)))
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "dns.qry.name", "www.example.com"}, {1, "dns.qry.type", "A (Host Address) (1)"}, {1, "dns.response_in", "2"},
		{1, "dns.type", "QUERY"}, {1, "dns.flags.recdesired", "Do query recursively"},
		{2, "dns.response_to", "1"}, {2, "dns.time", "0.001000000"}, {2, "dns.a", "192.0.2.1"},
		{2, "dns.cname", "host.example.com"}, {2, "dns.resp.name", "www.example.com,host.example.com,<Root>"},
		{2, "dns.rr.udp_payload_size", "4096"}, {2, "dns.type", "RESPONSE"},
	} {
		if got := dissecttest.All(s.Tree(c.frame), c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q", c.frame, c.field, got, c.want)
		}
	}
	if got, want := s.Tree(2).InfoLine(),
		"Standard query response 0x1234 A www.example.com CNAME host.example.com A 192.0.2.1 OPT"; got != want {
		t.Errorf("Info is %q, want %q", got, want)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, protocols.All(), s)
}

// TestOverTCP sends two messages in pieces: the length is split, the order is wrong, one piece comes twice.
func TestOverTCP(t *testing.T) {
	message := append([]byte{0, byte(len(answer))}, answer...)
	both := append(append([]byte{}, message...), message...)
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(
		tcp(1000, both[:1]), tcp(1001, both[1:30]), tcp(1050, both[50:90]), tcp(1001, both[1:30]), tcp(1030, both[30:50]),
		tcp(1090, both[90:])))
	found := 0
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		tree := s.Tree(n)
		for i := range tree.Nodes {
			if tree.Field(i).Name() == "dns.a" {
				found++
				if tree.Value(i) != "192.0.2.1" {
					t.Errorf("frame %d: address %s", n, tree.Value(i))
				}
			}
		}
	}
	if found != 2 {
		t.Errorf("%d of 2 messages came out of the stream", found)
	}
	if in, _ := dissecttest.Find(s.Tree(1), "tcp.reassembled_in"); in != "5" {
		t.Errorf("the first piece's message is said to end in frame %q, want 5", in)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

func TestHostileNames(t *testing.T) {
	var packets [][]byte
	for _, name := range []string{
		"\xc0\x0c",                // points at itself
		"\xc0\xff",                // points forward
		"\x3f" + "short",          // longer than the message
		"\x40abc",                 // no label has this length
		"\x01a\xc0\x0c",           // a circle through a label
		string(make([]byte, 300)), // roots
	} {
		packets = append(packets, udp(true, append(append([]byte{}, header...), name+"\x00\x01\x00\x01"...)))
	}
	many := append([]byte{0, 1, 1, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 40_000)...)
	packets = append(packets, udp(true, many))
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(packets...))
	dissecttest.Redissections(t, s)
	for n := dissect.FrameNum(1); n <= 5; n++ {
		_, bad := dissecttest.Find(s.Tree(n), "dns.name.bad")
		_, malformed := dissecttest.Find(s.Tree(n), "_ws.malformed")
		if !bad && !malformed {
			t.Errorf("frame %d has no note:\n%s", n, dissecttest.Dump(s.Tree(n)))
		}
	}
}

// TestManyQuestions asks several things from one port, one of them twice, and answers in another order.
func TestManyQuestions(t *testing.T) {
	numbered := func(b []byte, id byte) []byte { return append([]byte{0, id}, b[2:]...) }
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(
		udp(true, numbered(query, 1)), udp(true, numbered(query, 2)), udp(true, numbered(query, 3)),
		udp(true, numbered(query, 2)),
		udp(false, numbered(answer, 3)), udp(false, numbered(answer, 1)), udp(false, numbered(answer, 2)),
		udp(false, numbered(answer, 1)),
		udp(true, numbered(query, 1)), udp(false, numbered(answer, 1)), udp(false, numbered(answer, 4))))
	for n, want := range map[dissect.FrameNum]string{1: "6", 2: "7", 3: "5", 4: "", 9: "10"} {
		if got := dissecttest.All(s.Tree(n), "dns.response_in"); got != want {
			t.Errorf("question %d is answered in %q, want %q", n, got, want)
		}
	}
	for n, want := range map[dissect.FrameNum]string{5: "3", 6: "1", 7: "2", 8: "", 10: "9", 11: ""} {
		if got := dissecttest.All(s.Tree(n), "dns.response_to"); got != want {
			t.Errorf("answer %d is to %q, want %q", n, got, want)
		}
	}
	for n, field := range map[dissect.FrameNum]string{4: "dns.retransmission", 8: "dns.retransmission",
		11: "dns.unsolicited"} {
		if got := dissecttest.All(s.Tree(n), field); got == "" {
			t.Errorf("frame %d has no %s", n, field)
		}
	}
	dissecttest.Redissections(t, s)
}
