package kerberos

import (
	"time"

	"remora/dissect"
	"remora/protocols/internal/ber"
)

const (
	generalString   = 0x1b
	generalizedTime = 0x18
)

// unsigned, text, bytes and moment read one value of a field.
func unsigned(f *dissect.Field) func(d *dissect.D) { return func(d *dissect.D) { number(d, f) } }

func text(f *dissect.Field) func(d *dissect.D) {
	return func(d *dissect.D) { asn.Bytes(d, f, generalString) }
}

func bytes(f *dissect.Field) func(d *dissect.D) {
	return func(d *dissect.D) { asn.Bytes(d, f, ber.Octets) }
}

func moment(f *dissect.Field) func(d *dissect.D) {
	return func(d *dissect.D) {
		asn.Value(d, generalizedTime, func(_ byte, n int) {
			if t, err := time.Parse("20060102150405Z", string(d.Data()[:min(n, 15)])); err == nil && n == 15 {
				d.Put(f, uint64(t.UnixNano()), d.Pos(), n)
				d.Skip(n)
			}
		})
	}
}

// within reads what is in a group.
func within(g *dissect.Field, read func(d *dissect.D)) func(d *dissect.D) {
	return func(d *dissect.D) { d.In(g, func() { read(d) }) }
}

// number reads an integer of at most 32 bits, with the sign that the field has.
func number(d *dissect.D, f *dissect.Field) (v int64) {
	asn.Value(d, ber.Integer, func(_ byte, n int) {
		b := d.Data()
		if n == 0 || n > 5 || len(b) < n {
			return
		}
		v = int64(int8(b[0]))
		for _, c := range b[1:n] {
			v = v<<8 | int64(c)
		}
		if f.Type() == dissect.TypeUint {
			v &= 0xffffffff
		}
		d.Put(f, uint64(v), d.Pos(), n)
		d.Skip(n)
	})
	return v
}

// list reads a sequence of values, of which the field tells how many there are.
func list(d *dissect.D, f *dissect.Field, read func()) {
	n := uint64(0)
	for b, p := ber.Inside(d.Data(), ber.Sequence), (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); b = ber.After(b) {
		n++
	}
	d.Put(f, n, d.Pos(), d.Left())
	d.Below(func() { asn.Value(d, ber.Sequence, func(byte, int) { asn.Each(d, read) }) })
}
