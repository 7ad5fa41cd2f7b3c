package column

import (
	"sync/atomic"
	"unsafe"
)

// A Window reads rows of one Packed for one goroutine. Of rows near each other it unpacks 64 at once. The zero Window
// is ready.
type Window struct {
	rows     unsafe.Pointer // from first on, as many as are known
	first, n int
	block    int      // 1 + the block of which one row was unpacked last
	buf      []uint64 // one row, or a block of them
}

// Seen is row i of a Packed by a window that reads no other. It may be read until the next call for that window.
func Seen[T any](w *Window, c *Packed[T], i int) *T { return (*T)(w.At(&c.Rows, i)) }

// At points at row i, which must be below Len. It may be read until the next call.
func (w *Window) At(r *Rows, i int) unsafe.Pointer {
	if k := i - w.first; uint(k) < uint(w.n) {
		return unsafe.Add(w.rows, uintptr(k)*r.size)
	}
	return w.move(r, i)
}

// Lead is the first 32 bits of row i.
func (w *Window) Lead(r *Rows, i int) uint32 {
	if k := i - w.first; uint(k) < uint(w.n) {
		return *(*uint32)(unsafe.Add(w.rows, uintptr(k)*r.size))
	}
	return r.Lead(i)
}

func (w *Window) move(r *Rows, i int) unsafe.Pointer {
	n := min(packedSize, r.Len()-i&^packedMask) // before the directory, which has their chunk then
	chunk := &(*r.chunks.Load())[i>>packedShift]
	if raw := atomic.LoadPointer(&chunk.raw); raw != nil {
		w.rows, w.first, w.n = raw, i&^packedMask, n
		return unsafe.Add(raw, uintptr(i&packedMask)*r.size)
	}
	if w.buf == nil {
		w.buf = make([]uint64, blockRows*r.size/8)
	}
	w.n = 0
	at, width := unsafe.Pointer(&w.buf[0]), r.size/2
	t := (*tidy)(atomic.LoadPointer(&chunk.tidy))
	block := 1 + i/blockRows
	switch {
	case t == nil:
		clear(w.buf)
	case w.block != block:
		t.row(i&packedMask, unsafe.Slice((*uint16)(at), width))
	default:
		t.block(i&packedMask/blockRows, unsafe.Slice((*uint16)(at), blockRows*width), blockRows)
		w.rows, w.first, w.n = at, i&^(blockRows-1), blockRows
		return unsafe.Add(at, uintptr(i&(blockRows-1))*r.size)
	}
	w.block = block
	return at
}
