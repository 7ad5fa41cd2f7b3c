package column

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	packedShift = 10
	packedSize  = 1 << packedShift
	packedMask  = packedSize - 1

	// rawChunks are the newest ones, which are not packed: what has just been appended is read most.
	rawChunks = 8
)

// A Packed is a Column whose older rows take less memory: of 64 rows the lowest value of each 16 bits is kept once, and
// of each row only by how much it is above. The type of the rows must be plain, with a size that is a multiple of 4.
// The zero Packed is empty.
type Packed[T any] struct{ Rows }

// Rows is a Packed but for the type of its rows: what does not need to be compiled for each type.
type Rows struct {
	chunks atomic.Pointer[[]packedChunk] // the directory: it grows by replacement, and its chunks change one by one
	n      atomic.Int64
	size   uintptr    // of a row, known with the first
	mu     sync.Mutex // held while the directory or a chunk of it changes
	gone   int        // chunks that were given up
	packed int        // chunks that were packed or given up: the first ones
	held   int64      // bytes of all chunks
	loose  atomic.Bool
}

// A packedChunk has its rows as they are, or packed, or neither where they were given up.
type packedChunk struct {
	raw  unsafe.Pointer // at packedSize rows
	tidy unsafe.Pointer // a *tidy
}

// Len is the number of rows published so far.
func (r *Rows) Len() int { return int(r.n.Load()) }

// Append publishes one more row and returns its position. Only the column's one writer may call it.
func (c *Packed[T]) Append(row T) int {
	n := c.Len()
	if n&packedMask == 0 {
		c.grow(unsafe.Pointer(new([packedSize]T)), unsafe.Sizeof(row))
	}
	*(*T)(c.newest(n)) = row
	c.n.Store(int64(n + 1))
	return n
}

// newest is where row n belongs, in the last chunk.
func (r *Rows) newest(n int) unsafe.Pointer {
	return unsafe.Add((*r.chunks.Load())[n>>packedShift].raw, uintptr(n&packedMask)*r.size)
}

// At is row i, which must be below Len.
func (c *Packed[T]) At(i int) (row T) {
	c.read(i, unsafe.Pointer(&row), unsafe.Sizeof(row))
	return row
}

// Lead is the first 32 bits of row i, which takes less time than the whole row.
func (r *Rows) Lead(i int) (lead uint32) {
	r.read(i, unsafe.Pointer(&lead), 4)
	return lead
}

// read copies the first bytes of row i.
func (r *Rows) read(i int, to unsafe.Pointer, n uintptr) {
	chunk := &(*r.chunks.Load())[i>>packedShift]
	if raw := atomic.LoadPointer(&chunk.raw); raw != nil {
		copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(unsafe.Add(raw, uintptr(i&packedMask)*r.size)), n))
	} else if t := (*tidy)(atomic.LoadPointer(&chunk.tidy)); t != nil {
		t.row(i&packedMask, unsafe.Slice((*uint16)(to), n/2))
	}
}

// Run are the rows from i on that lie together: all up to a row that depends on nothing but i, or to Len. They are put
// into buf where they are packed, and must not be written to otherwise. Row i must be below Len.
func (c *Packed[T]) Run(i int, buf []T) []T {
	n := min(packedSize, c.Len()-i&^packedMask) // before the directory, which has their chunk then
	chunk := &(*c.chunks.Load())[i>>packedShift]
	if raw := atomic.LoadPointer(&chunk.raw); raw != nil {
		return (*[packedSize]T)(raw)[i&packedMask : n]
	}
	if cap(buf) < packedSize {
		buf = make([]T, packedSize)
	}
	buf = buf[:n]
	if t := (*tidy)(atomic.LoadPointer(&chunk.tidy)); t != nil {
		t.all(unsafe.Slice((*uint16)(unsafe.Pointer(&buf[0])), n*int(c.size)/2), n)
	} else {
		clear(buf)
	}
	return buf[i&packedMask:]
}

// Bytes is how much memory the rows that are still there take.
func (r *Rows) Bytes() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held
}

// LeaveUnpacked has rows stay as they are, which takes less time: for whoever forgets them soon.
func (r *Rows) LeaveUnpacked() { r.loose.Store(true) }

// Pack packs all chunks that are full. The column's writer may call it, when it has nothing to append for a while.
func (r *Rows) Pack() { r.pack(r.Len() >> packedShift) }

// grow adds a chunk, and packs an old one.
func (r *Rows) grow(chunk unsafe.Pointer, size uintptr) {
	enlarge(chunk)
	if n := r.Len() >> packedShift; n >= rawChunks {
		r.pack(n - rawChunks + 1)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size == 0 {
		r.size = size
	}
	var next []packedChunk
	if dir := r.chunks.Load(); dir != nil {
		if next = *dir; len(next) == cap(next) { // chunks change in place: no copy of them may be left behind
			next = append(make([]packedChunk, 0, max(4, 2*len(next))), next...)
		}
	}
	next = append(next, packedChunk{raw: chunk})
	r.chunks.Store(&next)
	r.held += packedSize * int64(size)
}

// pack packs the first chunks.
func (r *Rows) pack(chunks int) {
	for ; !r.loose.Load(); r.packed++ {
		r.mu.Lock()
		r.packed = max(r.packed, r.gone)
		if r.packed >= chunks {
			r.mu.Unlock()
			return
		}
		chunk := &(*r.chunks.Load())[r.packed]
		raw := chunk.raw
		r.mu.Unlock()
		t := pack(unsafe.Slice((*uint16)(raw), packedSize*r.size/2), int(r.size/2))
		r.mu.Lock()
		if r.packed >= r.gone { // it was not given up meanwhile
			atomic.StorePointer(&chunk.tidy, unsafe.Pointer(t))
			atomic.StorePointer(&chunk.raw, nil)
			r.held += t.bytes() - packedSize*int64(r.size)
		}
		r.mu.Unlock()
	}
}

// Forget gives up the memory of rows below n, as far as they fill chunks of their own: they read as zero from then on.
// Any one goroutine may call it, also while rows are appended.
func (r *Rows) Forget(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for to := min(n, r.Len()) >> packedShift; r.gone < to; r.gone++ {
		chunk := &(*r.chunks.Load())[r.gone]
		if t := (*tidy)(chunk.tidy); t != nil {
			r.held -= t.bytes()
		} else {
			r.held -= packedSize * int64(r.size)
		}
		atomic.StorePointer(&chunk.raw, nil)
		atomic.StorePointer(&chunk.tidy, nil)
	}
}
