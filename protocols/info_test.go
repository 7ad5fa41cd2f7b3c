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
