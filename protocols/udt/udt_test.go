package udt_test

import (
	"encoding/binary"
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// words are numbers of four bytes in a datagram between two hosts.
func words(numbers ...uint32) []byte {
	var b []byte
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return dissecttest.IPv4(17, "192.0.2.1", "192.0.2.2", dissecttest.UDP(9000, 9001, b))
}

// made is a handshake, and what may follow it.
func made() [][]byte {
	const isn = 0x7ffffffe // numbers begin again soon
	return [][]byte{
		words(1<<31, 0, 0, 0, 4, 1, isn, 1500, 8192, 1, 7, 0, 0, 0, 0, 0),
		words(0, 0xe0000001, 5, 7, 0x61626364), // the number behind two others
		words(1<<31|2<<16, 1, 6, 7, 1, 100, 50, 8191, 1, 2),
		words(1<<31|2<<16, 2, 6, 7, 1),
		words(1<<31|3<<16, 0, 6, 7, 1, 1<<31|3, 5, 1<<31|9),
		words(1<<31|6<<16, 2, 6, 7), words(1<<31|9<<16, 2, 6, 7),
	}
}

func TestUDT(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(made()...))
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "UDT type: handshake"}, {Frame: 1, Field: "udt.hs.type", Want: "STREAM (1)"},
		{Frame: 1, Field: "udt.hs.isn", Want: "2147483646"},
		{Frame: 2, Field: "info", Want: "UDT type: data seqno: 2 msgno: 1"}, {Frame: 2, Field: "udt.msg.first", Want: "1"},
		{Frame: 2, Field: "data.data", Want: "61626364"}, {Frame: 2, Field: "udt.seqno", Want: "0"},
		{Frame: 3, Field: "info", Want: "UDT type: ack  seqno: 3"}, {Frame: 3, Field: "udt.linkcap", Want: "2"},
		{Frame: 4, Field: "udt.ack_seqno", Want: "1"}, {Frame: 4, Field: "udt.rtt", Want: ""},
		{Frame: 5, Field: "info", Want: "UDT type: nak missing:3,5-7"},
		{Frame: 6, Field: "info", Want: "UDT type: ack2"},
		{Frame: 7, Field: "info", Want: "UDT type: Unknown Control Type (9)"},
	})
}

func TestMade(t *testing.T) { dissecttest.RunMade(t, protocols.All(), 101, made()...) }
