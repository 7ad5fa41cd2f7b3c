package gss

import "remora/dissect"

// little is a number in little-endian order at an offset, 0 beyond the end.
func little(b []byte, at, size int) (v uint64) {
	if at < 0 || at+size > len(b) {
		return 0
	}
	for i := size - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[at+i])
	}
	return v
}

// epoch is how many steps of 100 ns lie between 1601 and 1970.
const epoch = 116444736000000000

// windowsTime reads a time of Windows: steps of 100 ns since 1601. 0 is none.
func windowsTime(d *dissect.D, f *dissect.Field) {
	if v := little(d.Data(), 0, 8); d.Left() >= 8 {
		if v != 0 && v < 1<<62 {
			d.Put(f, uint64((int64(v)-epoch)*100), d.Pos(), 8)
		} else {
			d.Put(f, 0, d.Pos(), 8)
		}
	}
	d.Skip(8)
}
