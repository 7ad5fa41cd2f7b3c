package dissect

import (
	"encoding/binary"
	"math"
)

func load(b []byte, little bool) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		if little {
			return uint64(binary.LittleEndian.Uint16(b))
		}
		return uint64(binary.BigEndian.Uint16(b))
	case 4:
		if little {
			return uint64(binary.LittleEndian.Uint32(b))
		}
		return uint64(binary.BigEndian.Uint32(b))
	}
	var v uint64
	for i := range b {
		if little {
			v = v<<8 | uint64(b[len(b)-1-i])
		} else {
			v = v<<8 | uint64(b[i])
		}
	}
	return v
}

// Uint reads a number of the field's width and byte order. For a Flags field its bits are recorded below it.
func (d *D) Uint(f *Field) uint64 {
	at, n := d.pos, int(f.size)
	if n > d.end-at || d.short { // take, in place: most of what is read are numbers
		d.fall()
		return 0
	}
	d.pos = at + n
	v := load(d.data[at:at+n], f.little)
	if !d.bare && d.ids[f.id] != 0 {
		d.putUint(f, v, at, n)
	}
	return f.part(v)
}

func (f *Field) part(v uint64) uint64 {
	if f.mask != 0 {
		v = v & f.mask >> f.shift
	}
	if n := f.rare.times; n > 1 {
		v *= n
	}
	return v
}

func (d *D) putUint(f *Field, v uint64, off, n int) {
	d.add(f, f.part(v), off, n)
	if len(f.rare.flags) == 0 {
		return
	}
	d.depth++
	for _, b := range f.rare.flags {
		if d.Wanted(b) {
			d.add(b, b.part(v), off, n)
		}
	}
	d.depth--
}

// Int reads a signed number of the field's width.
func (d *D) Int(f *Field) int64 {
	at, ok := d.take(int(f.size))
	if !ok {
		return 0
	}
	v := signed(load(d.data[at:d.pos], f.little), int(f.size))
	if d.Wanted(f) {
		d.add(f, uint64(v), at, int(f.size))
	}
	return v
}

func signed(v uint64, size int) int64 {
	shift := 64 - 8*size
	return int64(v<<shift) >> shift
}

// Bool reads a boolean of the field's width.
func (d *D) Bool(f *Field) bool { return d.Uint(f) != 0 }

// Float reads an IEEE 754 number of 4 or 8 bytes.
func (d *D) Float(f *Field) float64 {
	at, ok := d.take(int(f.size))
	if !ok {
		return 0
	}
	v := load(d.data[at:d.pos], f.little)
	x := math.Float64frombits(v)
	if f.size == 4 {
		x = float64(math.Float32frombits(uint32(v)))
	}
	if d.Wanted(f) {
		d.add(f, math.Float64bits(x), at, int(f.size))
	}
	return x
}

// IPv4 reads an address of four bytes; the zero Addr past the end.
func (d *D) IPv4(f *Field) Addr {
	at, ok := d.take(4)
	if !ok {
		return Addr{}
	}
	a := IPv4Addr(d.data[at:d.pos])
	if d.Wanted(f) {
		d.add(f, a.lo, at, 4)
	}
	return a
}

// IPv6 reads an address of 16 bytes; the zero Addr past the end.
func (d *D) IPv6(f *Field) Addr {
	at, ok := d.take(16)
	if !ok {
		return Addr{}
	}
	if d.Wanted(f) {
		d.add(f, 0, at, 16)
	}
	return IPv6Addr(d.data[at:d.pos])
}

// Ether reads an address of six bytes; the zero Addr past the end.
func (d *D) Ether(f *Field) Addr {
	at, ok := d.take(6)
	if !ok {
		return Addr{}
	}
	a := EtherAddr(d.data[at:d.pos])
	if d.Wanted(f) {
		d.add(f, a.lo, at, 6)
	}
	return a
}

// Bytes reads n bytes for a bytes, string or GUID field and returns them. They belong to the frame: copy what is
// kept.
func (d *D) Bytes(f *Field, n int) []byte {
	at, ok := d.take(n)
	if !ok {
		return nil
	}
	if d.Wanted(f) {
		d.add(f, 0, at, n)
	}
	return d.data[at:d.pos]
}

// Counted reads a number of bytes and then so many for a bytes or string field, as Uint and Bytes do, and returns them.
func (d *D) Counted(length, value *Field) []byte { return d.Bytes(value, int(d.Uint(length))) }

// Rest reads what is left of the range; nothing is recorded when nothing is left.
func (d *D) Rest(f *Field) []byte {
	if d.Left() == 0 || d.short {
		return nil
	}
	return d.Bytes(f, d.Left())
}

// CString reads a string up to a NUL byte, which belongs to the field but not to the value returned. Without a NUL
// the frame is short.
func (d *D) CString(f *Field) []byte {
	for i, c := range d.Data() {
		if c == 0 {
			at, ok := d.take(i + 1)
			if !ok {
				return nil
			}
			if d.Wanted(f) {
				d.add(f, 0, at, i+1)
				d.t.Nodes[len(d.t.Nodes)-1].Flags |= nodeNUL
			}
			return d.data[at : at+i]
		}
	}
	d.take(d.Left() + 1)
	return nil
}

// Padded reads n bytes that hold a string up to the first NUL byte; what follows the NUL is padding or garbage.
func (d *D) Padded(f *Field, n int) []byte {
	b := d.Bytes(f, n)
	if d.Wanted(f) && b != nil {
		d.t.Nodes[len(d.t.Nodes)-1].Flags |= nodeNUL
	}
	for i, c := range b {
		if c == 0 {
			return b[:i]
		}
	}
	return b
}
