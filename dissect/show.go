package dissect

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"time"
)

// Show is the value of node i as tshark's -T fields writes it: numbers in the field's base, booleans as 1 and 0,
// bytes as hex, times in full. Strings are not escaped.
func (t *Tree) Show(i int) string {
	if t.Field(i).typ == TypeString {
		return t.Text(i)
	}
	return string(t.AppendShow(nil, i))
}

// AppendShow appends what Show returns. Unlike it, it needs no memory of its own for most values, so that printing
// a field of every packet of a long capture stays cheap.
func (t *Tree) AppendShow(dst []byte, i int) []byte {
	f, n := t.Field(i), &t.Nodes[i]
	switch f.typ {
	case TypeProtocol:
		return append(dst, f.proto.name...)
	case TypeUint:
		return f.appendUint(dst, n.Val)
	case TypeFrame:
		return f.appendUint(dst, uint64(t.session.Number(FrameNum(n.Val))))
	case TypeInt:
		return strconv.AppendInt(dst, int64(n.Val), 10)
	case TypeBool:
		if n.Val != 0 {
			return append(dst, '1')
		}
		return append(dst, '0')
	case TypeFloat:
		return append(dst, floatText(f, n.Val)...)
	case TypeIPv4:
		return Addr{lo: n.Val, kind: AddrIPv4}.AppendTo(dst)
	case TypeEther:
		return Addr{lo: n.Val, kind: AddrEther}.AppendTo(dst)
	case TypeIPv6:
		return IPv6Addr(t.Bytes(i)).AppendTo(dst)
	case TypeGUID:
		return append(dst, guidText(t.Bytes(i))...)
	case TypeBytes:
		return hex.AppendEncode(dst, t.Bytes(i))
	case TypeString:
		return append(dst, t.TextBytes(i)...)
	case TypeTime:
		if f.null && n.Val == 0 {
			return append(dst, "NULL"...)
		}
		if f.format != nil {
			return append(dst, f.format(n.Val)...)
		}
		return t.appendTime(dst, int64(n.Val))
	case TypeSpan:
		return AppendSpan(dst, int64(n.Val), 9)
	}
	return dst
}

// appendUint writes a number in the field's base, the one that tshark prints where the tree has two. Hexadecimal is as
// wide as the bytes read, masked or not.
func (f *Field) appendUint(dst []byte, v uint64) []byte {
	switch f.base {
	case Hex, HexThenDecimal:
		return appendHex(dst, v, 2*int(f.size))
	case Octal:
		return strconv.AppendUint(append(dst, '0'), v, 8)
	}
	return strconv.AppendUint(dst, v, 10)
}

// appendHex writes "0x" and the digits, padded to a width; more only for a packet type with a sub-type, which takes two
// bytes.
func appendHex(dst []byte, v uint64, width int) []byte {
	for width < 16 && v>>(4*width) != 0 {
		width += 2
	}
	return appendPadded(append(dst, '0', 'x'), v, max(1, min(width, 16)))
}

func appendPadded(dst []byte, v uint64, width int) []byte {
	for i := 4 * (width - 1); i >= 0; i -= 4 {
		dst = append(dst, "0123456789abcdef"[v>>i&15])
	}
	return dst
}

// AppendTo appends what String returns.
func (a Addr) AppendTo(dst []byte) []byte {
	switch a.kind {
	case AddrIPv4, AddrIPv6:
		return a.Netip().AppendTo(dst)
	case AddrEther:
		for i := 40; i >= 0; i -= 8 {
			c := byte(a.lo >> i)
			dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			if i > 0 {
				dst = append(dst, ':')
			}
		}
	}
	return dst
}

// zone is the time zone that absolute times are written in.
func (s *Session) zone() *time.Location {
	if s == nil || s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// AppendTime appends a point in time (nanoseconds since 1970) as Wireshark writes it: the month's short name, the day
// padded by a space, and nine digits after the second.
func AppendTime(dst []byte, ns int64, zone *time.Location) []byte {
	return time.Unix(0, ns).In(zone).AppendFormat(dst, "Jan _2, 2006 15:04:05.000000000 MST")
}

// A drawnTime is a point in time as AppendTime wrote it last: within a second only the digits behind it change.
type drawnTime struct {
	second int64
	zone   *time.Location
	text   []byte
	digits int // where they are
}

func (t *Tree) appendTime(dst []byte, ns int64) []byte {
	zone := t.session.zone()
	if t.by == nil || ns < 0 {
		return AppendTime(dst, ns, zone)
	}
	w := &t.by.time
	if w.zone != zone || w.second != ns/1e9 {
		*w = drawnTime{second: ns / 1e9, zone: zone, text: AppendTime(w.text[:0], ns, zone)}
		w.digits = bytes.IndexByte(w.text, '.') + 1
	}
	at := len(dst) + w.digits
	dst = append(dst, w.text...)
	putDigits(dst[at:at+9], uint64(ns%1e9))
	return dst
}

// putDigits writes a number with leading zeros.
func putDigits(dst []byte, v uint64) {
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = '0' + byte(v%10)
		v /= 10
	}
}

// AppendSpan appends a duration (nanoseconds) in seconds, cut off after the given number of digits (0 to 9).
func AppendSpan(dst []byte, ns int64, digits int) []byte {
	u := uint64(ns)
	if ns < 0 {
		dst, u = append(dst, '-'), uint64(-ns)
	}
	dst = strconv.AppendUint(dst, u/1e9, 10)
	if digits <= 0 {
		return dst
	}
	var all [9]byte
	putDigits(all[:], u%1e9)
	return append(append(dst, '.'), all[:digits]...)
}

// Address is the value of an IPv4, IPv6 or Ethernet node; no address for other nodes.
func (t *Tree) Address(i int) Addr {
	switch t.Field(i).typ {
	case TypeIPv4:
		return Addr{lo: t.Nodes[i].Val, kind: AddrIPv4}
	case TypeEther:
		return Addr{lo: t.Nodes[i].Val, kind: AddrEther}
	case TypeIPv6:
		return IPv6Addr(t.Bytes(i))
	}
	return Addr{}
}

// Template is what the text of the field's node is made of (see Summary and Protocol.Summary), or "".
func (f *Field) Template() string { return f.rare.summary }
