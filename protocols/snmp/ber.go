package snmp

import (
	"remora/dissect"
	"remora/protocols/internal/ber"
)

// The tags of ASN.1's Basic Encoding Rules (ITU-T X.690) that SNMP uses, with those of RFC 2578.
const (
	tagInteger   = 0x02
	tagOctets    = 0x04
	tagNull      = 0x05
	tagOID       = 0x06
	tagSequence  = 0x30
	tagAddress   = 0x40
	tagCounter   = 0x41
	tagGauge     = 0x42
	tagTicks     = 0x43
	tagOpaque    = 0x44
	tagNSAP      = 0x45
	tagCounter64 = 0x46
	tagUnsigned  = 0x47
	tagNoObject  = 0x80
	tagNoInst    = 0x81
	tagEndOfView = 0x82
	tagPDU       = 0xa0
)

var (
	fHeader = proto.Bytes("ber.header", "Tag and length", "What stands in front of a value: its sort and its length.").
		Hidden()
	fOdd = proto.Bytes("ber.unexpected", "Unexpected value", "A value that is not of the sort that belongs here.")

	nBER = proto.Expert("ber.bad", dissect.Error, "The encoding is wrong: a length or a tag does not fit").
		About(dissect.AboutMalformed)
)

// peekHeader is the tag, the length of the value, and how many bytes both take. 0 bytes is no header.
func peekHeader(d *dissect.D) (tag byte, length, size int) {
	if d.Left() < 2 {
		return 0, 0, 0
	}
	tag = d.Peek(0)
	n := int(d.Peek(1))
	if n < 0x80 {
		return tag, n, 2
	}
	n &= 0x7f
	if n == 0 || n > 4 || d.Left() < 2+n {
		return 0, 0, 0
	}
	return tag, int(d.PeekUint(2, n)), 2 + n
}

// value reads one value: its header, then what read does within its length. It tells false when there is none, or none
// of the wanted tag (0 takes any); then the rest is shown as it is.
func value(d *dissect.D, want byte, read func(tag byte, n int)) bool {
	tag, n, size := peekHeader(d)
	if size == 0 && d.CutShort() {
		d.Skip(d.Left() + 1)
		return false
	}
	if size == 0 || want != 0 && tag != want {
		if !d.Short() && d.More() {
			d.Expert(nBER)
			d.Rest(fOdd)
		} else if !d.Short() {
			d.Skip(1)
		}
		return false
	}
	d.Bytes(fHeader, size)
	d.Within(n, func() {
		read(tag, n)
		d.Rest(fOdd)
	})
	return !d.Short()
}

// group reads a value that holds others below a field.
func group(d *dissect.D, f *dissect.Field, want byte, read func()) bool {
	ok := false
	d.In(f, func() { ok = value(d, want, func(byte, int) { read() }) })
	return ok
}

// number reads an integer. f may be nil.
func number(d *dissect.D, f *dissect.Field, want byte) (v int64) {
	value(d, want, func(_ byte, n int) {
		v = integer(d, n)
		if f != nil && n > 0 {
			d.Put(f, uint64(v), d.Pos(), min(n, d.Left()))
		}
		d.Skip(n)
	})
	return v
}

// integer is the number of n bytes ahead, two's complement; more than eight bytes keep the last.
func integer(d *dissect.D, n int) (v int64) {
	b := d.Data()
	if len(b) < n || n == 0 {
		return 0
	}
	v = int64(int8(b[0]))
	for _, c := range b[1:n] {
		v = v<<8 | int64(c)
	}
	return v
}

// octets reads a string of bytes for a field, and returns it.
func octets(d *dissect.D, f *dissect.Field) (b []byte) {
	value(d, tagOctets, func(_ byte, n int) {
		if n > 0 {
			b = d.Bytes(f, n)
		}
	})
	return b
}

// object reads an object identifier and returns its text where somebody needs it.
func object(d *dissect.D, f *dissect.Field) (text string) {
	value(d, tagOID, func(_ byte, n int) { text = objectBody(d, f, n) })
	return text
}

func objectBody(d *dissect.D, f *dissect.Field, n int) (text string) {
	at, b := d.Pos(), d.Data()
	d.Skip(n)
	if d.Short() || !d.Wanted(f) && !d.Info().Wanted() {
		return ""
	}
	text = ber.ObjectText(b[:n])
	d.PutText(f, text, at, n)
	return text
}
