package teredo_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/icmpv6"
	"remora/protocols/ip"
	"remora/protocols/ipv6"
	"remora/protocols/raw"
	"remora/protocols/teredo"
	"remora/protocols/udp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), ipv6.Plugin(), icmpv6.Plugin(), udp.Plugin(),
		teredo.Plugin(), data.Plugin()}
}

// TestPackets holds packets with what may stand in front of them, on Teredo's port and on others.
func TestPackets(t *testing.T) {
	link, made := dissecttest.HexFile(t, "testdata/packets.hex")
	s := dissecttest.Session(t, plugins(), link, made)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "teredo.auth.id", Want: "6964"},
		{Frame: 1, Field: "teredo.auth.value", Want: "616263"},
		{Frame: 1, Field: "teredo.auth.nonce", Want: "3132333435363738"},
		{Frame: 1, Field: "teredo.auth.conf", Want: "00"},
		{Frame: 1, Field: "teredo.orig.port", Want: "1234"},
		{Frame: 1, Field: "teredo.orig.addr", Want: "192.0.2.1"},
		{Frame: 1, Field: "ipv6.dst", Want: "ff02::2"},
		{Frame: 2, Field: "ipv6.dst", Want: "ff02::2"},
		{Frame: 3, Field: "ipv6.dst", Want: "2001:db8::1"}, // on another port, by its addresses
		{Frame: 4, Field: "ipv6.dst", Want: ""},            // of another length
		{Frame: 5, Field: "ipv6.dst", Want: ""},            // once alone says too little
	})
	dissecttest.Owned(t, s)
	dissecttest.Redissections(t, s)
	dissecttest.Truncations(t, plugins(), s)
}

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, plugins()) }
