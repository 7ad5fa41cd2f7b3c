package capture

import (
	"encoding/binary"
	"net/netip"
)

// pcapng is written in little-endian order, with time stamps in nanoseconds.

const writtenResolution = 9

// packetBlock is the size of an enhanced packet block without options.
func packetBlock(capLen int) int { return epbHeader + int(pad4(uint32(capLen))) + 4 }

// putPacket writes an enhanced packet block without options to the front of b.
func putPacket(b []byte, iface int, time int64, length uint32, data []byte) {
	n := packetBlock(len(data))
	b = b[:n]
	le := binary.LittleEndian
	t := uint64(time)
	le.PutUint32(b[n-8:], 0) // padding, when there is some; the rest is written over
	le.PutUint32(b[0:], blockPacket)
	le.PutUint32(b[4:], uint32(n))
	le.PutUint32(b[8:], uint32(iface))
	le.PutUint32(b[12:], uint32(t>>32))
	le.PutUint32(b[16:], uint32(t))
	le.PutUint32(b[20:], uint32(len(data)))
	le.PutUint32(b[24:], length)
	le.PutUint32(b[n-4:], uint32(n))
	copy(b[epbHeader:], data)
}

// appendBlock appends a block: its type, and what body appends.
func appendBlock(dst []byte, kind uint32, body func([]byte) []byte) []byte {
	le := binary.LittleEndian
	start := len(dst)
	dst = le.AppendUint32(dst, kind)
	dst = le.AppendUint32(dst, 0)
	dst = pad(body(dst))
	n := uint32(len(dst)-start) + 4
	le.PutUint32(dst[start+4:], n)
	return le.AppendUint32(dst, n)
}

// pad fills up to a multiple of four; blocks begin at such places.
func pad(b []byte) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func appendOption(dst []byte, code uint16, v []byte) []byte {
	v = v[:min(len(v), 0xFFFF)]
	dst = binary.LittleEndian.AppendUint16(dst, code)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(v)))
	dst = append(dst, v...)
	for n := len(v); n%4 != 0; n++ {
		dst = append(dst, 0)
	}
	return dst
}

// appendText appends a string option unless it is empty.
func appendText(dst []byte, code uint16, t string) []byte {
	if t == "" {
		return dst
	}
	return appendOption(dst, code, []byte(t))
}

// appendComments keeps empty comments: whoever wrote them may have meant a mark.
func appendComments(dst []byte, comments []string) []byte {
	for _, c := range comments {
		dst = appendOption(dst, optComment, []byte(c))
	}
	return dst
}

func appendEnd(dst []byte) []byte { return append(dst, 0, 0, 0, 0) }

func appendSection(dst []byte, s Section) []byte {
	return appendBlock(dst, blockSection, func(b []byte) []byte {
		b = binary.LittleEndian.AppendUint32(b, byteOrderMagic)
		b = append(b, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF) // version 1.0, length not stated
		b = appendComments(b, s.Comments)
		b = appendText(b, shbHardware, s.Hardware)
		b = appendText(b, shbOS, s.OS)
		b = appendText(b, shbApp, s.Application)
		return appendEnd(b)
	})
}

func appendInterface(dst []byte, i Interface) []byte {
	le := binary.LittleEndian
	return appendBlock(dst, blockInterface, func(b []byte) []byte {
		b = le.AppendUint16(b, uint16(i.LinkType))
		b = le.AppendUint16(b, 0)
		b = le.AppendUint32(b, i.SnapLen)
		b = appendComments(b, i.Comments)
		b = appendText(b, ifName, i.Name)
		b = appendText(b, ifDescription, i.Description)
		for _, a := range i.Addresses {
			b = appendAddress(b, a)
		}
		if len(i.MAC) == 6 {
			b = appendOption(b, ifMAC, i.MAC)
		}
		if i.Speed != 0 {
			b = appendOption(b, ifSpeed, le.AppendUint64(nil, i.Speed))
		}
		b = appendOption(b, ifTSResol, []byte{writtenResolution})
		if i.Filter != "" {
			b = appendOption(b, ifFilter, append([]byte{0}, i.Filter...))
		}
		b = appendText(b, ifOS, i.OS)
		if i.FCSLen >= 0 {
			b = appendOption(b, ifFCSLen, []byte{byte(i.FCSLen)})
		}
		b = appendText(b, ifHardware, i.Hardware)
		return appendEnd(b)
	})
}

func appendAddress(b []byte, p netip.Prefix) []byte {
	a := p.Addr()
	if a.Is4() {
		mask := uint32(0xFFFFFFFF)
		if n := p.Bits(); n < 32 {
			mask = ^(mask >> n)
		}
		ip := a.As4()
		return appendOption(b, ifIPv4, binary.BigEndian.AppendUint32(ip[:], mask))
	}
	ip := a.As16()
	return appendOption(b, ifIPv6, append(ip[:], byte(p.Bits())))
}

// appendStats appends an interface statistics block; when is in nanoseconds since 1970.
func appendStats(dst []byte, iface int, when, started int64, c InterfaceCounts) []byte {
	le := binary.LittleEndian
	stamp := func(t int64) []byte {
		return le.AppendUint32(le.AppendUint32(nil, uint32(uint64(t)>>32)), uint32(t))
	}
	return appendBlock(dst, blockStats, func(b []byte) []byte {
		b = le.AppendUint32(b, uint32(iface))
		b = append(b, stamp(when)...)
		b = appendOption(b, isbStart, stamp(started))
		b = appendOption(b, isbEnd, stamp(when))
		b = appendOption(b, isbIfRecv, le.AppendUint64(nil, c.Received))
		b = appendOption(b, isbIfDrop, le.AppendUint64(nil, c.IfDropped))
		if c.Filtered > 0 {
			b = appendOption(b, isbFilterAccept, le.AppendUint64(nil, c.Filtered))
		}
		b = appendOption(b, isbOSDrop, le.AppendUint64(nil, c.Dropped))
		b = appendOption(b, isbUserDelivered, le.AppendUint64(nil, c.Received))
		return appendEnd(b)
	})
}
