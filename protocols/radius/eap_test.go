package radius_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// request is an Access-Request with values of EAP-Message attributes.
func request(id byte, values ...string) []byte {
	attributes := ""
	for _, v := range values {
		attributes += string([]byte{79, byte(len(v) + 2)}) + v
	}
	n := 20 + len(attributes)
	return append([]byte{1, id, byte(n >> 8), byte(n)}, strings.Repeat("\x55", 16)+attributes...)
}

func TestEAP(t *testing.T) {
	identity := "\x02\x07\x00\x08\x01bob"
	notice := "\x01\x08\x01\x2c\x02" + strings.Repeat("x", 295) // 300 bytes
	client, server := dissecttest.Spot{Host: 1, Port: 40000}, dissecttest.Spot{Host: 2, Port: 1812}
	s := dissecttest.Session(t, protocols.All(), 1, dissecttest.Packets(
		dissecttest.Datagram(client, server, request(1, identity)),
		dissecttest.Datagram(client, server, request(2, notice[:253], notice[253:])),
		dissecttest.Datagram(client, server, request(3, identity, identity)),
		dissecttest.Datagram(client, server, request(4, notice[:253])),
	))
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{1, "eap.identity", "bob"},
		{1, "info", "Access-Request id=1"},
		{2, "eap.len", "300"},
		{2, "eap.type", "Notification (2)"},
		{3, "eap.identity", "bob"},
		{4, "eap.code", "Request (1)"},
	})
	for n := dissect.FrameNum(1); n <= 4; n++ {
		if got := s.Tree(n).ProtocolText(); got != "RADIUS" {
			t.Errorf("frame %d: the Protocol column has %q", n, got)
		}
	}
	if got := len(s.Tree(2).Sources()); got != 2 {
		t.Errorf("a message in two attributes gives %d sources of data, want the frame and the message", got)
	}
}
