package dissecttest

import (
	"encoding/binary"
	"net/netip"

	"remora/dissect"
)

// The protocols and the kind of what IPv4 and Ethernet carry.
const (
	ProtocolTCP = 6
	ProtocolUDP = 17
	kindIPv4    = 0x0800
)

// Ethernet puts an IPv4 packet into a frame from 02:00:00:00:00:01 to 02:00:00:00:00:02.
func Ethernet(packet []byte) []byte {
	b := []byte{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}
	return append(binary.BigEndian.AppendUint16(b, kindIPv4), packet...)
}

// IPv4 is a packet between two addresses with what a protocol carries, with the checksums of its header and of TCP.
func IPv4(protocol byte, from, to string, payload []byte) []byte {
	const head = 20
	b := make([]byte, head, head+len(payload))
	b[0], b[8], b[9] = 0x45, 64, protocol
	binary.BigEndian.PutUint16(b[2:], uint16(cap(b)))
	copy(b[12:], netip.MustParseAddr(from).AsSlice())
	copy(b[16:], netip.MustParseAddr(to).AsSlice())
	binary.BigEndian.PutUint16(b[10:], dissect.Checksum(b))
	b = append(b, payload...)
	if protocol == ProtocolTCP && len(payload) >= 20 {
		pseudo := append(append([]byte{}, b[12:head]...), 0, ProtocolTCP, 0, 0)
		binary.BigEndian.PutUint16(pseudo[10:], uint16(len(payload)))
		binary.BigEndian.PutUint16(b[head+16:], dissect.Checksum(pseudo, b[head:]))
	}
	return b
}

// UDP is a datagram without a checksum.
func UDP(from, to uint16, payload []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, from)
	b = binary.BigEndian.AppendUint16(b, to)
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(payload)))
	return append(append(b, 0, 0), payload...)
}

// TCP is a segment without options. Its checksum is made when IPv4 carries it.
func TCP(from, to uint16, seq, ack uint32, flags byte, payload []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, from)
	b = binary.BigEndian.AppendUint16(b, to)
	b = binary.BigEndian.AppendUint32(b, seq)
	b = binary.BigEndian.AppendUint32(b, ack)
	b = append(b, 0x50, flags)
	b = binary.BigEndian.AppendUint16(b, 64000) // the window
	return append(append(b, 0, 0, 0, 0), payload...)
}
