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

// A row is one packet in the index: 16 bytes, no pointers. place holds, from the highest bit down, the wide flag, 6
// bits of interface, the highest of captured length, 40 of offset in the file (1 TiB) and 16 of captured length, for
// packets that were captured whole.
// For all others the flag is set, and the rest is the number of a wideRow.
type row struct {
	time  int64
	place uint64
}

const (
	lenBits   = 17
	lowBits   = 16 // of the length, at the lower end
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
	rows  column.Packed[row]
	wide  column.Packed[wideRow] // appended before the row that names it
}

// forget gives up the rows below n, from row from on, which was the first before.
func (x *index) forget(from, n int) {
	wide := -1
	for i := n - 1; i >= from && wide < 0; i-- {
		if p := x.rows.At(i).place; p&wideFlag != 0 {
			wide = int(p &^ wideFlag)
		}
	}
	x.rows.Forget(n)
	x.wide.Forget(wide + 1)
}

// rest packs what is there, when nothing comes any more.
func (x *index) rest() {
	x.rows.Pack()
	x.wide.Pack()
}

// Len is the number of packets published so far.
func (x *index) Len() int { return x.rows.Len() }

func (x *index) append(time int64, iface int, off int64, capLen, length uint32) {
	if x.rows.Len() == 0 {
		x.began.Store(time)
	}
	r := row{time, uint64(iface)<<(lenBits+offBits) | uint64(capLen>>lowBits)<<(lowBits+offBits) |
		uint64(off)<<lowBits | uint64(capLen&(1<<lowBits-1))}
	if capLen != length || capLen >= 1<<lenBits || iface >= 1<<ifaceBits || off >= 1<<offBits {
		r.place = wideFlag | uint64(x.wide.Append(wideRow{uint64(off)<<16 | uint64(iface), capLen, length}))
	}
	x.rows.Append(r)
}

// span is where the bytes of packet i lie in the file.
func (x *index) span(i int) (off int64, capLen uint32) { return x.spanOf(x.rows.At(i)) }

func (x *index) spanOf(r row) (off int64, capLen uint32) {
	p := r.place
	if p&wideFlag != 0 {
		w := x.wide.At(int(p &^ wideFlag))
		return int64(w.loc >> 16), w.capLen
	}
	return int64(p >> lowBits & (1<<offBits - 1)), lengthAt(p)
}

// lengthAt is the captured length in a place without the wide flag.
func lengthAt(p uint64) uint32 { return uint32(p&(1<<lowBits-1) | p>>offBits&(1<<lowBits)) }

func (x *index) meta(i int) Meta { return x.metaOf(x.rows.At(i)) }

func (x *index) metaOf(r row) Meta {
	if r.place&wideFlag != 0 {
		w := x.wide.At(int(r.place &^ wideFlag))
		return Meta{r.time, w.capLen, w.len, int(w.loc & (MaxInterfaces - 1))}
	}
	length := lengthAt(r.place)
	return Meta{r.time, length, length, int(r.place >> (lenBits + offBits) & (1<<ifaceBits - 1))}
}
