package teredo_test

import (
	"encoding/binary"
	"net/netip"
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

// bubble is a packet of IPv6 with nothing in it.
func bubble(from, to string) []byte {
	b := []byte{0x60, 0, 0, 0, 0, 0, 59, 21}
	b = append(b, netip.MustParseAddr(from).AsSlice()...)
	return append(b, netip.MustParseAddr(to).AsSlice()...)
}

func datagram(port uint16, parts ...string) []byte {
	all := ""
	for _, p := range parts {
		all += p
	}
	return dissecttest.IPv4(17, "192.0.2.1", "192.0.2.2", dissecttest.UDP(40000, port, []byte(all)))
}

func TestPackets(t *testing.T) {
	const auth = "\x00\x01\x02\x03idabc12345678\x00"
	origin := "\x00\x00" + string(binary.BigEndian.AppendUint16(nil, ^uint16(1234))) + "\x3f\xff\xfd\xfe"
	local, ours := string(bubble("fe80::1", "ff02::2")), string(bubble("2001:0:c000:201::1", "2001:db8::1"))
	s := dissecttest.Session(t, plugins(), 101, dissecttest.Packets(
		datagram(3544, auth, origin, local), datagram(3544, local), datagram(5001, ours), datagram(5002, ours, "more"),
		datagram(5003, local)))
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
