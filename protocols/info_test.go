package protocols

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestATypeWithoutTextHidesItsTransport: behind a layer that has a packet type and writes nothing, the Info column does not
// show the ports and flags of its transport; a layer without a type leaves them.
func TestATypeWithoutTextHidesItsTransport(t *testing.T) {
	silent := dissect.NewProtocol("silent", "Silent", "A protocol that says its type alone.")
	kind := silent.Kind("type", "Type", dissect.Values{12: "PINGREQ"}, "What it is.")
	other := dissect.NewProtocol("untyped", "Untyped", "A protocol without a type.")
	number := other.Uint8("number", "Number", "A number.")
	plugins := append(All(),
		dissect.Plugin{Protocol: silent, TCP: []uint16{7401}, Dissect: func(d *dissect.D) { d.Kind(kind) }},
		dissect.Plugin{Protocol: other, TCP: []uint16{7402}, Dissect: func(d *dissect.D) { d.Uint(number) }})
	for port, want := range map[uint16]string{7401: "PINGREQ", 7402: "40000 → 7402 [PSH, ACK] Seq=1 Ack=1 Win=64000 Len=1"} {
		s := dissecttest.Session(t, plugins, 101, dissecttest.Stream(port, "C:\x0c"))
		if got := s.Tree(3).InfoLine(); got != want {
			t.Errorf("port %d: the line is %q, want %q", port, got, want)
		}
	}
}

// TestMessagesOfOnePacketLineUp: where a packet carries several messages of a protocol, the Info column has a part for each, which
// its type begins, in their order; one that writes nothing has its type alone.
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
