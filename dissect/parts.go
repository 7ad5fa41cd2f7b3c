package dissect

import "strings"

// Parts reads a number and records below it what its bits mean: fields that are Masked parts of it. Behind the number stand
// the labels of the flags among them that are set, as Wireshark writes them. It returns the number.
func (d *D) Parts(f *Field, parts ...*Field) uint64 {
	at, n := d.pos, int(f.size)
	v := d.Uint(f)
	if d.short {
		return 0
	}
	whole := load(d.data[at:at+n], f.little)
	if d.Labelling() {
		d.Suffix(f, setLabels(whole, parts))
	}
	d.depth++
	for _, p := range parts {
		if d.ids[p.id] != 0 {
			d.putUint(p, whole, at, n)
		}
	}
	d.depth--
	return v
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
