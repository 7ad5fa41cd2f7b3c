package dissect

import (
	"encoding/binary"
	"math/bits"
)

// onesComplement adds up b as 16-bit numbers in network order with end-around carry, as RFC 1071 has it.
func onesComplement(sum uint32, b []byte) uint32 {
	var s uint64 = uint64(sum)
	for len(b) >= 8 {
		v := binary.BigEndian.Uint64(b)
		var c uint64
		s, c = bits.Add64(s, v, 0)
		s += c
		b = b[8:]
	}
	for len(b) >= 2 {
		s2, c := bits.Add64(s, uint64(binary.BigEndian.Uint16(b)), 0)
		s, b = s2+c, b[2:]
	}
	if len(b) == 1 {
		s2, c := bits.Add64(s, uint64(b[0])<<8, 0)
		s = s2 + c
	}
	for s>>16 != 0 {
		s = s>>16 + s&0xffff
	}
	return uint32(s)
}

// Checksum is the Internet checksum (RFC 1071) over the parts, which all but the last have even lengths. Over data
// that holds a right checksum it is 0.
func Checksum(parts ...[]byte) uint16 {
	var sum uint32
	for _, p := range parts {
		sum = onesComplement(sum, p)
	}
	return ^uint16(sum)
}

// Correct is what a checksum should be that is sum, where Checksum over the data with it is left.
func Correct(sum, left uint16) uint16 {
	v := uint32(sum) + uint32(left)
	return uint16(v + v>>16)
}

// PseudoSum is the checksum over the pseudo header of the innermost IP addresses (RFC 768, RFC 8200 section 8.1) and a
// transport's bytes: 0 when the checksum among them is right.
func (hd *Ends) PseudoSum(protocol byte, segment []byte) uint16 {
	d := (*D)(hd)
	var b [40]byte
	src, dst := d.Src.Addr, d.Dst.Addr
	if src.kind == AddrIPv4 {
		binary.BigEndian.PutUint32(b[:], uint32(src.lo))
		binary.BigEndian.PutUint32(b[4:], uint32(dst.lo))
		b[9] = protocol
		binary.BigEndian.PutUint16(b[10:], uint16(len(segment)))
		return Checksum(b[:12], segment)
	}
	s, t := src.bytes16(), dst.bytes16()
	copy(b[:], s[:])
	copy(b[16:], t[:])
	binary.BigEndian.PutUint32(b[32:], uint32(len(segment)))
	b[39] = protocol
	return Checksum(b[:], segment)
}
