package anonymise

import (
	"encoding/binary"
	"fmt"
)

var be = binary.BigEndian

// Link types whose packets can be anonymised (LINKTYPE_ values).
const (
	linkNull     = 0
	linkEthernet = 1
	linkRaw      = 101
	linkLoop     = 108
	linkSLL      = 113
	linkIPv4     = 228
	linkIPv6     = 229
	linkSLL2     = 276
)

// Check says why packets of a link type cannot be anonymised, or nil.
func (m *Mapper) Check(link int, name string) error {
	switch link {
	case linkNull, linkEthernet, linkRaw, 12, 14, linkLoop, linkSLL, linkIPv4, linkIPv6, linkSLL2:
		return nil
	}
	return fmt.Errorf("packets of %s cannot be anonymised: only those of Ethernet, of loopback interfaces, of all "+
		"interfaces "+
		"(any) and of IP alone can", name)
}

// Packet returns what may be shown of a packet. It changes its own copy.
func (m *Mapper) Packet(link int, packet []byte) []byte {
	b := append([]byte(nil), packet...)
	switch link {
	case linkEthernet:
		return b[:m.frame(b)]
	case linkNull, linkLoop:
		return b[:min(len(b), 4)+m.ip(from(b, 4))]
	case linkSLL:
		if len(b) < 16 {
			return nil
		}
		clear(b[12:14]) // an address is six bytes long
		m.ethernet(b[6:12])
		return b[:16+m.network(be.Uint16(b[14:]), b[16:])]
	case linkSLL2:
		if len(b) < 20 {
			return nil
		}
		clear(b[18:20])
		m.ethernet(b[12:18])
		return b[:20+m.network(be.Uint16(b), b[20:])]
	case linkRaw, 12, 14, linkIPv4, linkIPv6:
		return b[:m.ip(b)]
	}
	return nil
}

func from(b []byte, n int) []byte { return b[min(n, len(b)):] }

// frame anonymises a frame of Ethernet, and returns how much of it may be shown. So do the others below.
func (m *Mapper) frame(b []byte) int {
	if len(b) < 14 {
		return 0
	}
	m.ethernet(b[:6])
	m.ethernet(b[6:12])
	at := 14
	kind := be.Uint16(b[12:])
	for tags := 0; (kind == 0x8100 || kind == 0x88a8) && len(b) >= at+4 && tags < 4; tags++ {
		kind = be.Uint16(b[at+2:])
		at += 4
	}
	return at + m.network(kind, b[at:])
}

func (m *Mapper) network(kind uint16, b []byte) int {
	switch kind {
	case 0x0800, 0x86dd:
		return m.ip(b)
	case 0x0806:
		return m.arp(b)
	}
	return 0
}

func (m *Mapper) arp(b []byte) int {
	if len(b) < 28 || be.Uint16(b) != 1 || be.Uint16(b[2:]) != 0x0800 || b[4] != 6 || b[5] != 4 {
		return 0
	}
	m.ethernet(b[8:14])
	m.ipv4(b[14:18])
	m.ethernet(b[18:24])
	m.ipv4(b[24:28])
	return 28
}

func (m *Mapper) ip(b []byte) int {
	switch {
	case len(b) < 20:
	case b[0]>>4 == 4:
		return m.four4(b)
	case b[0]>>4 == 6 && len(b) >= 40:
		return m.six6(b)
	}
	return 0
}

func (m *Mapper) four4(b []byte) int {
	head := int(b[0]&15) * 4
	if head < 20 || head > len(b) {
		return 0
	}
	m.ipv4(b[12:16])
	m.ipv4(b[16:20])
	for i := 20; i < head; i++ { // options tell of routes
		b[i] = 1
	}
	be.PutUint16(b[10:], 0)
	be.PutUint16(b[10:], fold(sum(b[:head])))
	whole := int(be.Uint16(b[2:])) - head
	if whole < 0 { // the card cuts what is sent at once
		whole = len(b) - head
	}
	fragment := be.Uint16(b[6:])
	if fragment&0x1fff != 0 { // the rest of a datagram
		return head
	}
	body := b[head:]
	if whole >= 0 && whole < len(body) { // what is behind it fills the frame
		body = body[:whole]
	}
	pseudo := sum(b[12:20]) + uint32(b[9])
	return head + m.transport(b[9], body, whole, pseudo, fragment&0x2000 != 0)
}

func (m *Mapper) six6(b []byte) int {
	m.ipv6(b[8:24])
	m.ipv6(b[24:40])
	clear(b[1:4]) // the flow label tells flows of one host apart
	next, at, whole, more := b[6], 40, int(be.Uint16(b[4:])), false
	for n := 0; n < 8; n++ {
		switch {
		case next == 0 || next == 60: // options
			if len(b) < at+8 || len(b) < at+8+8*int(b[at+1]) {
				return at
			}
			next, at, whole = b[at], at+8+8*int(b[at+1]), whole-8-8*int(b[at+1])
			continue
		case next == 44:
			if len(b) < at+8 {
				return at
			}
			if be.Uint16(b[at+2:])&0xfff8 != 0 {
				return at + 8
			}
			more = b[at+3]&1 != 0
			next, at, whole = b[at], at+8, whole-8
			continue
		}
		break
	}
	body := b[at:]
	if whole >= 0 && whole < len(body) {
		body = body[:whole]
	}
	return at + m.transport(next, body, whole, sum(b[8:40])+uint32(next), more)
}

// transport anonymises what IP carries. Whole is how long it was, pseudo the sum of its pseudo header without that
// length; of a fragment no checksum can be had.
func (m *Mapper) transport(kind uint8, b []byte, whole int, pseudo uint32, fragment bool) (shown int) {
	var checksum int
	switch kind {
	case 6:
		if len(b) < 20 || int(b[12]>>4)*4 < 20 || int(b[12]>>4)*4 > len(b) {
			return 0
		}
		shown, checksum = int(b[12]>>4)*4, 16
		options(b[20:shown])
	case 17:
		if len(b) < 8 {
			return 0
		}
		shown, checksum = 8, 6
		if src, dst := be.Uint16(b), be.Uint16(b[2:]); isNames(src) || isNames(dst) {
			shown += m.names(b[8:])
		}
	case 1, 58:
		if len(b) < 8 {
			return 0
		}
		shown, checksum = m.control(kind, b), 2
		if kind == 1 {
			return m.mend(b, shown, checksum, 0, fragment)
		}
	case 4, 41:
		return m.ip(b)
	default:
		return 0
	}
	if kind == 17 && be.Uint16(b[6:]) == 0 { // it had none
		return shown
	}
	return m.mend(b, shown, checksum, pseudo+uint32(whole), fragment)
}

// options leaves of the options of TCP those that tell nothing about who speaks.
func options(b []byte) {
	for len(b) > 0 && b[0] != 0 {
		if b[0] == 1 {
			b = b[1:]
			continue
		}
		if len(b) < 2 || b[1] < 2 || int(b[1]) > len(b) {
			clear(b)
			return
		}
		n := int(b[1])
		if b[0] > 5 && b[0] != 8 { // neither sizes, selective acknowledgements nor times
			for i := range n {
				b[i] = 1
			}
		}
		b = b[n:]
	}
}

// mend works out a checksum as if what is cut were zeros, which add nothing to it.
func (m *Mapper) mend(b []byte, shown, checksum int, pseudo uint32, fragment bool) int {
	if be.PutUint16(b[checksum:], 0); fragment {
		return shown
	}
	v := fold(sum(b[:shown]) + pseudo)
	if v == 0 {
		v = 0xffff
	}
	be.PutUint16(b[checksum:], v)
	return shown
}

// control anonymises a message of ICMP: the addresses in it, and the packet that it is about.
func (m *Mapper) control(kind uint8, b []byte) int {
	t := b[0]
	switch {
	case kind == 1 && (t == 3 || t == 4 || t == 11 || t == 12):
		return 8 + m.ip(b[8:])
	case kind == 1 && t == 5:
		m.ipv4(b[4:8])
		return 8 + m.ip(b[8:])
	case kind == 58 && t < 128:
		return 8 + m.ip(b[8:])
	case kind == 58 && t >= 133 && t <= 137:
		return m.neighbours(t, b)
	}
	return 8
}

// neighbours anonymises the messages by which hosts of IPv6 find each other (RFC 4861).
func (m *Mapper) neighbours(t uint8, b []byte) int {
	at := map[uint8]int{133: 8, 134: 16, 135: 24, 136: 24, 137: 40}[t]
	if len(b) < at {
		return 8
	}
	for i := 8; t >= 135 && i < at; i += 16 {
		m.ipv6(b[i : i+16])
	}
	for len(b) >= at+8 && b[at+1] > 0 && len(b) >= at+8*int(b[at+1]) {
		end := at + 8*int(b[at+1])
		switch {
		case b[at] <= 2 && end-at == 8:
			m.ethernet(b[at+2 : at+8])
		case b[at] == 3 && end-at == 32:
			m.ipv6(b[at+16 : end])
		case b[at] != 5: // but the MTU
			clear(b[at+2 : end])
		}
		at = end
	}
	return at
}

// sum adds bytes up as checksums of the internet do (RFC 1071).
func sum(b []byte) (n uint32) {
	for i := 0; i+1 < len(b); i += 2 {
		n += uint32(b[i])<<8 | uint32(b[i+1])
	}
	if len(b)%2 == 1 {
		n += uint32(b[len(b)-1]) << 8
	}
	return n
}

func fold(n uint32) uint16 {
	for n > 0xffff {
		n = n>>16 + n&0xffff
	}
	return ^uint16(n)
}
