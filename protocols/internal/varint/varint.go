// Package varint reads numbers of variable length as QUIC writes them (RFC 9000 section 16): the first two bits tell of
// how many bytes they are.
package varint

import "remora/dissect"

// Read reads a number under a field; false tells that it is cut off.
func Read(d *dissect.D, f *dissect.Field) (uint64, bool) {
	n := 1 << (d.Peek(0) >> 6)
	if n > d.Left() {
		d.Skip(n)
		return 0, false
	}
	v := d.PeekUint(0, n) & (1<<(8*n-2) - 1)
	d.Put(f, v, d.Pos(), n)
	d.Skip(n)
	return v, true
}

// Number takes a number off the front of b; n is 0 where b is too short.
func Number(b []byte) (v uint64, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	n = 1 << (b[0] >> 6)
	if n > len(b) {
		return 0, 0
	}
	for i, c := range b[:n] {
		if i == 0 {
			c &= 0x3f
		}
		v = v<<8 | uint64(c)
	}
	return v, n
}
