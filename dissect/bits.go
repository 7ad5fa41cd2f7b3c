package dissect

import "strings"

// Bits reads one number, of the first field's width, and records every field as the bits of it that the field is Masked
// to. A first field that is not Masked is the number itself: then the others stand below it, and behind it the labels
// of the flags among them that are set, as Wireshark writes them. A Kind among the fields is the packet type. Bits
// returns the whole number.
func (d *D) Bits(first *Field, more ...*Field) uint64 {
	if first.mask == 0 && len(more) > 0 && d.Labelling() && d.Left() >= int(first.size) && !d.short {
		defer d.Suffix(first, setLabels(load(d.data[d.pos:d.pos+int(first.size)], first.little), more))
	}
	return Parts(d, first, more...)
}

// Parts is D.Bits without labels behind the number.
func Parts(d *D, first *Field, more ...*Field) uint64 {
	at, ok := d.take(int(first.size))
	if !ok {
		return 0
	}
	whole := load(d.data[at:d.pos], first.little)
	d.bits(first, whole, at, int(first.size))
	below := uint8(0)
	if first.mask == 0 && len(more) > 0 {
		below = 1
	}
	d.depth += below
	for _, f := range more {
		d.bits(f, whole, at, int(first.size))
	}
	d.depth -= below
	return whole
}

// bits records a field's part of a number.
func (d *D) bits(f *Field, whole uint64, at, n int) {
	if f.role == roleKind {
		d.keepKind(f, f.part(whole))
	}
	if !d.bare && d.ids[f.id] != 0 {
		d.putUint(f, whole, at, n)
	}
}

// setLabels are the labels of the flags that are set in v, each with a comma in front.
func setLabels(v uint64, parts []*Field) string {
	var b strings.Builder
	for _, p := range parts {
		if p.typ == TypeBool && p.part(v) != 0 {
			b.WriteString(", ")
			b.WriteString(p.label)
		}
	}
	return b.String()
}
