package protocols

import (
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestATypeWithoutTextHidesItsTransport: behind a layer that has a packet type and writes nothing, the Info column does
// not show the ports and flags of its transport; a layer without a type leaves them.
func TestATypeWithoutTextHidesItsTransport(t *testing.T) {
	silent := dissect.NewProtocol("silent", "Silent", "A protocol that says its type alone.")
	kind := silent.Kind("type", "Type", dissect.Values{12: "PINGREQ"}, "What it is.")
	other := dissect.NewProtocol("untyped", "Untyped", "A protocol without a type.")
	number := other.Uint8("number", "Number", "A number.")
	plugins := append(All(),
		dissect.Plugin{Protocol: silent, TCP: []uint16{7401}, Dissect: func(d *dissect.D) { d.Kind(kind) }},
		dissect.Plugin{Protocol: other, TCP: []uint16{7402}, Dissect: func(d *dissect.D) { d.Uint(number) }})
	for port, want := range map[uint16]string{7401: "PINGREQ",
		7402: "40000 → 7402 [PSH, ACK] Seq=1 Ack=1 Win=64000 Len=1"} {
		s := dissecttest.Session(t, plugins, 101, dissecttest.Stream(port, "C:\x0c"))
		if got := s.Tree(3).InfoLine(); got != want {
			t.Errorf("port %d: the line is %q, want %q", port, got, want)
		}
	}
}

// TestMessagesOfOnePacketLineUp: where a packet carries several messages of a protocol, the Info column has a part for
// each, which its type begins, in their order; one that writes nothing has its type alone.
func TestMessagesOfOnePacketLineUp(t *testing.T) {
	p := dissect.NewProtocol("lines-up", "Lines up", "Messages of a type, and a number where the type is odd.")
	kind := p.Kind("type", "Type", dissect.Values{1: "PUBLISH", 2: "PINGREQ", 3: "ACK"}, "What it is.")
	number := p.Uint8("number", "Number", "A number.")
	plugins := append(All(), dissect.Plugin{
		Protocol: p, TCP: []uint16{7403}, Message: func(b []byte) int { return 2 },
		Dissect: func(d *dissect.D) {
			if odd := d.Kind(kind)&1 != 0; odd {
				d.Info().Setf("%d", d.Peek(0))
			}
			d.Uint(number)
		},
	})
	for sent, want := range map[string]string{
		"C:\x01\x05":                         "PUBLISH 5",
		"C:\x01\x05\x01\x06":                 "PUBLISH 5 | PUBLISH 6",
		"C:\x01\x05\x02\x00\x03\x07":         "PUBLISH +2 5 | PINGREQ | ACK 7",
		"C:\x02\x00\x01\x05":                 "PINGREQ +1 | PUBLISH 5",
		"C:\x02\x00\x02\x00":                 "PINGREQ | PINGREQ",
		"C:\x03\x01\x02\x00\x02\x00\x01\x02": "ACK +2 1 | PINGREQ | PINGREQ | PUBLISH 2",
	} {
		s := dissecttest.Session(t, plugins, 101, dissecttest.Stream(7403, sent))
		if got := s.Tree(3).InfoLine(); got != want {
			t.Errorf("%q: the line is %q, want %q", sent, got, want)
		}
	}
}

// summing are protocols whose Info column says one thing of all messages of a packet, as Wireshark's does, or writes
// them by other words than their types.
var summing = []string{"telnet", "irc", "imap", "pop", "smtp", "ssh"}

// TestTypesAndInfoAgree goes through the packets of the protocols' captures that carry several messages: the Info
// column names the type of each, in the order in which the messages come.
func TestTypesAndInfoAgree(t *testing.T) {
	held := map[string]int{}
	for name, path := range recorded(t) {
		s := dissecttest.Load(t, All(), path)
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := s.Tree(n)
			p, line := tree.Protocol(), tree.InfoLine()
			types := typesOf(tree, p)
			if len(types) < 2 || slices.Contains(summing, p.Name()) {
				continue
			}
			held[p.Name()]++
			rest := line
			for _, word := range types {
				_, behind, ok := strings.Cut(rest, word)
				if !ok {
					t.Errorf("%s: frame %d is of the types %q, its line is %q", name, n, types, line)
					break
				}
				rest = behind
			}
		}
	}
	for _, name := range []string{"tls", "dtls", "rtcp"} {
		if held[name] == 0 {
			t.Errorf("no packet of %s carries several messages: %v", name, held)
		}
	}
}

// typesOf are the types of a protocol's messages in a packet.
func typesOf(tree *dissect.Tree, p *dissect.Protocol) (out []string) {
	for _, m := range tree.Messages {
		if m.Protocol == p && m.HasKind {
			out = append(out, p.KindField().KindName(m.Kind))
		}
	}
	return out
}

// TestMessagesOfPipelinesAreApart: requests that were sent at once stand beside each other.
func TestMessagesOfPipelinesAreApart(t *testing.T) {
	asked := "\x00\x1d\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03www\x07example\x00\x00\x01\x00\x01"
	for port, c := range map[uint16][3]string{
		53: {asked, asked, "Standard query 0x1234 A www.example Standard query 0x1234 A www.example"},
		80: {"GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD /b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a HTTP/1.1 HEAD /b HTTP/1.1"},
		554: {"OPTIONS rtsp://a RTSP/1.0\r\nCSeq: 1\r\n\r\n", "DESCRIBE rtsp://a RTSP/1.0\r\nCSeq: 2\r\n\r\n",
			"OPTIONS rtsp://a RTSP/1.0 DESCRIBE rtsp://a RTSP/1.0"},
	} {
		s := dissecttest.Session(t, All(), 101, dissecttest.Stream(port, "C:"+c[0]+c[1]))
		if got := s.Tree(3).InfoLine(); got != c[2] {
			t.Errorf("port %d: the line is %q, want %q", port, got, c[2])
		}
	}
}
