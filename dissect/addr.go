package dissect

import (
	"encoding/binary"
	"net/netip"
	"strconv"
)

// An AddrKind says what sort of address an Addr holds.
type AddrKind uint8

// The sorts of addresses.
const (
	AddrNone AddrKind = iota
	AddrIPv4
	AddrIPv6
	AddrEther
)

// An Addr is an address of any sort, comparable and free of pointers.
type Addr struct {
	hi, lo uint64
	kind   AddrKind
}

// IPv4Addr makes an Addr of the first 4 bytes of b, or the zero Addr when there are fewer.
func IPv4Addr(b []byte) Addr {
	if len(b) < 4 {
		return Addr{}
	}
	return Addr{lo: uint64(binary.BigEndian.Uint32(b)), kind: AddrIPv4}
}

// IPv6Addr makes an Addr of the first 16 bytes of b, or the zero Addr when there are fewer.
func IPv6Addr(b []byte) Addr {
	if len(b) < 16 {
		return Addr{}
	}
	return Addr{hi: binary.BigEndian.Uint64(b), lo: binary.BigEndian.Uint64(b[8:]), kind: AddrIPv6}
}

// EtherAddr makes an Addr of the first 6 bytes of b, or the zero Addr when there are fewer.
func EtherAddr(b []byte) Addr {
	if len(b) < 6 {
		return Addr{}
	}
	return Addr{lo: uint64(binary.BigEndian.Uint16(b))<<32 | uint64(binary.BigEndian.Uint32(b[2:])), kind: AddrEther}
}

// Kind is the sort of the address; AddrNone for the zero Addr.
func (a Addr) Kind() AddrKind { return a.kind }

// IsZero reports whether there is no address.
func (a Addr) IsZero() bool { return a.kind == AddrNone }

// Uint64 is the value of an IPv4 or Ethernet address as a number in network order.
func (a Addr) Uint64() uint64 { return a.lo }

// Netip is the IP address, or the zero netip.Addr for others.
func (a Addr) Netip() netip.Addr {
	switch a.kind {
	case AddrIPv4:
		return netip.AddrFrom4([4]byte{byte(a.lo >> 24), byte(a.lo >> 16), byte(a.lo >> 8), byte(a.lo)})
	case AddrIPv6:
		return netip.AddrFrom16(a.bytes16())
	}
	return netip.Addr{}
}

func (a Addr) bytes16() (b [16]byte) {
	binary.BigEndian.PutUint64(b[:], a.hi)
	binary.BigEndian.PutUint64(b[8:], a.lo)
	return b
}

// AppendBytes appends the address as it stands in packets.
func (a Addr) AppendBytes(b []byte) []byte {
	switch a.kind {
	case AddrIPv4:
		return binary.BigEndian.AppendUint32(b, uint32(a.lo))
	case AddrIPv6:
		all := a.bytes16()
		return append(b, all[:]...)
	case AddrEther:
		return append(b, byte(a.lo>>40), byte(a.lo>>32), byte(a.lo>>24), byte(a.lo>>16), byte(a.lo>>8), byte(a.lo))
	}
	return b
}

// String writes the address the usual way; no address is "".
func (a Addr) String() string { return string(a.AppendTo(make([]byte, 0, 48))) }

// An Endpoint is one end of a conversation: an address and, where the transport has them, a port.
type Endpoint struct {
	Addr Addr
	Port uint16
}

// is compares the parts that differ most often first.
func (e *Endpoint) is(o *Endpoint) bool {
	return e.Addr.lo == o.Addr.lo && e.Port == o.Port && e.Addr.hi == o.Addr.hi && e.Addr.kind == o.Addr.kind
}

// String is "address:port", or the address alone when there is no port.
func (e Endpoint) String() string {
	return string(e.AppendTo(make([]byte, 0, 56)))
}

// AppendTo appends what String returns.
func (e Endpoint) AppendTo(dst []byte) []byte {
	switch {
	case e.Port == 0:
		return e.Addr.AppendTo(dst)
	case e.Addr.kind == AddrIPv6:
		dst = append(e.Addr.AppendTo(append(dst, '[')), "]:"...)
	default:
		dst = append(e.Addr.AppendTo(dst), ':')
	}
	return strconv.AppendUint(dst, uint64(e.Port), 10)
}
