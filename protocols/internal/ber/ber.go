// Package ber reads values in the Basic Encoding Rules of ASN.1 (ITU-T X.690): a tag, a length, and that many bytes,
// which may hold further values. It serves protocols that are defined in ASN.1. Lengths must be definite, and tags take
// one byte, as in all protocols that use it.
package ber

import (
	"strconv"

	"remora/dissect"
)

// The universal tags that protocols use most (X.680 section 8.6).
const (
	Boolean    = 0x01
	Integer    = 0x02
	BitString  = 0x03
	Octets     = 0x04
	Null       = 0x05
	Object     = 0x06
	Enumerated = 0x0a
	Sequence   = 0x30
	Set        = 0x31
)

// Context is the tag of a value that a protocol numbers itself and that holds others; Plain is one that holds bytes.
// Application is one that a protocol numbers for all its types, and that holds others.
const (
	Context     = 0xa0
	Plain       = 0x80
	Application = 0x60
)

// A Coding reads values for one protocol, under hidden fields of that protocol: tags and lengths are claimed, and no
// more.
type Coding struct{ header, odd, bad *dissect.Field }

// For declares the fields of a protocol. It belongs into a package variable.
func For(p *dissect.Protocol) *Coding {
	return &Coding{
		header: p.Bytes("ber.header", "Tag and length", "What stands in front of a value: its sort and its length.").
			Hidden().Own(),
		odd: p.Bytes("ber.unexpected", "Unexpected value", "A value that is not of the sort that belongs here."),
		bad: p.Expert("ber.bad", dissect.Error, "The encoding is wrong: a length or a tag does not fit"),
	}
}

// Header is the tag at the start of b, the length of the value, and how many bytes both take: 0 when there are none, or
// the length is of a form that is not read.
func Header(b []byte) (tag byte, length, size int) {
	if len(b) < 2 || b[0]&0x1f == 0x1f {
		return 0, 0, 0
	}
	n := int(b[1])
	if n < 0x80 {
		return b[0], n, 2
	}
	n &= 0x7f
	if n == 0 || n > 4 || len(b) < 2+n {
		return 0, 0, 0
	}
	for _, c := range b[2 : 2+n] {
		length = length<<8 | int(c)
	}
	return b[0], length, 2 + n
}

// Inside is the content of the value at the start of b, as far as it is there; nil when its tag is not the wanted one.
func Inside(b []byte, want byte) []byte {
	tag, n, size := Header(b)
	if size == 0 || tag != want {
		return nil
	}
	return b[size:min(len(b), size+n)]
}

// After is what follows the value at the start of b.
func After(b []byte) []byte {
	_, n, size := Header(b)
	if size == 0 || size+n > len(b) {
		return nil
	}
	return b[size+n:]
}

// Next is the tag of the value ahead, 0 when there is none.
func Next(d *dissect.D) byte {
	if !d.More() {
		return 0
	}
	tag, _, _ := Header(d.Data())
	return tag
}

// Value reads one value: its header, then what read does within its length. It tells false when there is none, or none
// of the wanted tag (0 takes any); then the rest of the range is shown as it is.
func (c *Coding) Value(d *dissect.D, want byte, read func(tag byte, n int)) bool {
	tag, n, size := Header(d.Data())
	if size == 0 || want != 0 && tag != want {
		c.Odd(d)
		return false
	}
	d.Bytes(c.header, size)
	d.Within(n, func() {
		read(tag, min(n, d.Left()))
		c.rest(d)
	})
	return !d.Short()
}

// Odd marks what is left of the range as something that does not belong here.
func (c *Coding) Odd(d *dissect.D) {
	switch {
	case d.Short():
	case d.CutShort() && d.Left() < 6:
		d.Skip(d.Left() + 1)
	case d.Left() > 0:
		if !d.CutShort() {
			d.Expert(c.bad)
		}
		d.Rest(c.odd)
	default:
		d.Skip(1)
	}
}

func (c *Coding) rest(d *dissect.D) {
	if d.Left() > 0 && !d.Short() {
		d.Rest(c.odd)
	}
}

// Group reads a value that holds others below a field.
func (c *Coding) Group(d *dissect.D, f *dissect.Field, want byte, read func()) (ok bool) {
	d.In(f, func() { ok = c.Value(d, want, func(byte, int) { read() }) })
	return ok
}

// Optional reads a value that may be missing, and tells whether it was there.
func (c *Coding) Optional(d *dissect.D, want byte, read func()) bool {
	return Next(d) == want && c.Value(d, want, func(byte, int) { read() })
}

// Each reads values as long as there are any; read must read one.
func (c *Coding) Each(d *dissect.D, read func()) {
	for at, more := -1, d.Elements(); d.Pos() != at && more.Next(); {
		at = d.Pos()
		read()
	}
}

// Number reads an integer, a boolean or an enumeration of the wanted tag. More than eight bytes keep the last.
func (c *Coding) Number(d *dissect.D, f *dissect.Field, want byte) (v int64) {
	c.Value(d, want, func(_ byte, n int) { v = c.Bare(d, f, n) })
	return v
}

// Bare reads an integer of n bytes without a header.
func (c *Coding) Bare(d *dissect.D, f *dissect.Field, n int) (v int64) {
	if b := d.Data(); n > 0 && len(b) >= n {
		v = int64(int8(b[0]))
		for _, c := range b[1:n] {
			v = v<<8 | int64(c)
		}
		d.Put(f, uint64(v), d.Pos(), n)
	}
	d.Skip(n)
	return v
}

// Bytes reads a value of the wanted tag as it is, and returns its content.
func (c *Coding) Bytes(d *dissect.D, f *dissect.Field, want byte) (b []byte) {
	c.Value(d, want, func(_ byte, n int) {
		if n > 0 {
			b = d.Bytes(f, n)
		} else {
			d.PutText(f, "", d.Pos(), 0)
		}
	})
	return b
}

// Object reads an object identifier and returns its text.
func (c *Coding) Object(d *dissect.D, f *dissect.Field) (text string) {
	c.Value(d, Object, func(_ byte, n int) {
		at := d.Pos()
		text = ObjectText(d.Data()[:n])
		d.Skip(n)
		d.PutText(f, text, at, n)
	})
	return text
}

// ObjectText writes an object identifier: seven bits of each byte, the first number being two in one.
func ObjectText(b []byte) string {
	var out []byte
	v, first := uint64(0), true
	for _, c := range b {
		v = v<<7 | uint64(c&0x7f)
		if c&0x80 != 0 {
			continue
		}
		if first {
			top := min(v/40, 2)
			out = strconv.AppendUint(out, top, 10)
			v -= 40 * top
			first = false
		}
		out = strconv.AppendUint(append(out, '.'), v, 10)
		v = 0
	}
	return string(out)
}
