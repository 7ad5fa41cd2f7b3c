package pcapng

import (
	"encoding/binary"
	"strings"
)

// U16 reads two bytes in either order. The flag is a branch that always goes the same way.
func U16(b []byte, big bool) uint16 {
	if big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// U32 reads four bytes in either order.
func U32(b []byte, big bool) uint32 {
	if big {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

// U64 reads the eight bytes of an option, which are in the order of the section as a whole.
func U64(b []byte, big bool) uint64 {
	if big {
		return uint64(U32(b, big))<<32 | uint64(U32(b[4:], big))
	}
	return uint64(U32(b[4:], big))<<32 | uint64(U32(b, big))
}

// Pad4 is n rounded up to a multiple of four.
func Pad4(n uint32) uint32 { return (n + 3) &^ 3 }

// Options calls each option: its code, and its value without padding. It stops at the end mark, at damage, or when
// each says so.
func Options(b []byte, big bool, each func(code uint16, v []byte) bool) {
	for len(b) >= 4 {
		code, n := U16(b, big), int(U16(b[2:], big))
		if code == OptEnd || n > len(b)-4 || !each(code, b[4:4+n]) {
			return
		}
		b = b[min(4+int(Pad4(uint32(n))), len(b)):]
	}
}

// Text is an option's string; some writers end it with a zero byte.
func Text(v []byte) string {
	return strings.ToValidUTF8(strings.TrimRight(string(v[:min(len(v), maxText)]), "\x00"), "�")
}

// AppendBlock appends a block: its type, and what body appends.
func AppendBlock(dst []byte, kind uint32, body func([]byte) []byte) []byte {
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

// AppendOption appends an option and pads it. Of a value it takes 65535 bytes at most.
func AppendOption(dst []byte, code uint16, v []byte) []byte {
	v = v[:min(len(v), 0xFFFF)]
	dst = binary.LittleEndian.AppendUint16(dst, code)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(v)))
	dst = append(dst, v...)
	for n := len(v); n%4 != 0; n++ {
		dst = append(dst, 0)
	}
	return dst
}

// AppendText appends a string option unless it is empty.
func AppendText(dst []byte, code uint16, t string) []byte {
	if t == "" {
		return dst
	}
	return AppendOption(dst, code, []byte(t))
}

// AppendComments keeps empty comments: whoever wrote them may have meant a mark.
func AppendComments(dst []byte, comments []string) []byte {
	for _, c := range comments {
		dst = AppendOption(dst, OptComment, []byte(c))
	}
	return dst
}

// AppendEnd appends the mark that ends a list of options.
func AppendEnd(dst []byte) []byte { return append(dst, 0, 0, 0, 0) }
