package capture

import (
	"sync/atomic"

	"remora/internal/column"
)

const (
	// MaxInterfaces is bounded by the 16 bits that a wideRow has for the interface.
	MaxInterfaces = 1 << 16
	// MaxOffset is bounded by the 48 bits that a wideRow has for the place of the bytes.
	MaxOffset = 1 << 48
)

// A row is one packet in the index: 16 bytes, no pointers. place holds, from the highest bit down, the wide flag, 40
// bits of offset in the file (1 TiB), 6 of interface and 17 of captured length, for packets that were captured whole.
// For all others the flag is set, and the rest is the number of a wideRow.
type row struct {
	time  int64
	place uint64
}

const (
	lenBits   = 17
	ifaceBits = 6
	offBits   = 40
	wideFlag  = 1 << 63
)

// A wideRow is what a row has no room for. loc is the offset of the packet's bytes in the upper 48 bits and the
// interface in the lower 16.
type wideRow struct {
	loc         uint64
	capLen, len uint32
}

// An index finds packets by position. One goroutine appends, any may read.
type index struct {
	began atomic.Int64 // the time of the first packet, also once that was evicted
	rows  column.Column[row]
	wide  column.Column[wideRow] // appended before the row that names it
}

// forget gives up the rows below n, from row from on, which was the first before.
func (x *index) forget(from, n int) {
	wide := -1
	for i := n - 1; i >= from && wide < 0; i-- {
		if p := x.rows.Ref(i).place; p&wideFlag != 0 {
			wide = int(p &^ wideFlag)
		}
	}
	x.rows.Forget(n)
	x.wide.Forget(wide + 1)
}

// Len is the number of packets published so far.
func (x *index) Len() int { return x.rows.Len() }

func (x *index) append(time int64, iface int, off int64, capLen, length uint32) {
	if x.rows.Len() == 0 {
		x.began.Store(time)
	}
	r := row{time, uint64(off)<<(ifaceBits+lenBits) | uint64(iface)<<lenBits | uint64(capLen)}
	if capLen != length || capLen >= 1<<lenBits || iface >= 1<<ifaceBits || off >= 1<<offBits {
		r.place = wideFlag | uint64(x.wide.Append(wideRow{uint64(off)<<16 | uint64(iface), capLen, length}))
	}
	x.rows.Append(r)
}

// span is where the bytes of packet i lie in the file.
func (x *index) span(i int) (off int64, capLen uint32) {
	p := x.rows.Ref(i).place
	if p&wideFlag != 0 {
		w := x.wide.Ref(int(p &^ wideFlag))
		return int64(w.loc >> 16), w.capLen
	}
	return int64(p >> (ifaceBits + lenBits)), uint32(p & (1<<lenBits - 1))
}

func (x *index) meta(i int) Meta {
	r := x.rows.Ref(i)
	if r.place&wideFlag != 0 {
		w := x.wide.Ref(int(r.place &^ wideFlag))
		return Meta{r.time, w.capLen, w.len, int(w.loc & (MaxInterfaces - 1))}
	}
	length := uint32(r.place & (1<<lenBits - 1))
	return Meta{r.time, length, length, int(r.place >> lenBits & (1<<ifaceBits - 1))}
}
