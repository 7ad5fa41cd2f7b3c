// Package column holds the one container that the capture and the engine share: rows appended by one
// goroutine and read by any number of others without a lock.
package column

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	shift = 13
	size  = 1 << shift
	mask  = size - 1
)

// A Column is an append-only list of rows of one type. One goroutine appends; any goroutine may read the rows
// below Len at any time, also while rows are appended. A row never changes once it is published. Rows live in
// chunks of fixed size, so growing copies no row and wastes at most one chunk. The zero Column is empty.
type Column[T any] struct{ rows rows }

// rows is a Column but for the type of its rows: what does not need to be compiled for each type.
type rows struct {
	chunks atomic.Pointer[[]unsafe.Pointer] // the directory of *[size]T: replaced when it grows, never changed in place
	n      atomic.Int64
	mu     sync.Mutex     // held while the directory is replaced
	gone   int            // rows that were given up, a whole number of chunks
	empty  unsafe.Pointer // what stands in their place
}

// Len is the number of rows published so far.
func (c *Column[T]) Len() int { return int(c.rows.n.Load()) }

// Append publishes one more row and returns its position. Only the column's one writer may call it.
func (c *Column[T]) Append(row T) int {
	n := c.Len()
	if n&mask == 0 {
		c.rows.grow(unsafe.Pointer(new([size]T)))
	}
	*c.Ref(n) = row
	c.rows.n.Store(int64(n + 1))
	return n
}

// At is row i, which must be below Len.
func (c *Column[T]) At(i int) T { return *c.Ref(i) }

// Ref points at row i, which must be below Len. Readers must not write through it.
func (c *Column[T]) Ref(i int) *T { return &(*[size]T)((*c.rows.chunks.Load())[i>>shift])[i&mask] }

// Rows are the rows from i on that lie together in memory: all up to a row that depends on nothing but i, or to Len.
// Readers must not write to them. Row i must be below Len.
func (c *Column[T]) Rows(i int) []T {
	n := c.Len() // before the directory, which has their chunk then
	return (*[size]T)((*c.rows.chunks.Load())[i>>shift])[i&mask : min(size, n-i&^mask)]
}

// grow adds a chunk. The directory doubles its capacity, so that a reader's old copy stays valid.
func (r *rows) grow(chunk unsafe.Pointer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var next []unsafe.Pointer
	if dir := r.chunks.Load(); dir != nil {
		next = *dir
	}
	next = append(next, chunk)
	r.chunks.Store(&next)
}

// Forget gives up the memory of rows below n, as far as they fill chunks of their own: they read as zero from then on.
// Any one goroutine may call it, also while rows are appended.
func (c *Column[T]) Forget(n int) {
	if !c.rows.fills(n) {
		return
	}
	if c.rows.empty == nil {
		c.rows.empty = unsafe.Pointer(new([size]T))
	}
	c.rows.forget(n)
}

// fills says whether the rows below n fill chunks that are still there.
func (r *rows) fills(n int) bool { return min(n, int(r.n.Load()))>>shift > r.gone>>shift }

func (r *rows) forget(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	from, to := r.gone>>shift, min(n, int(r.n.Load()))>>shift
	old := *r.chunks.Load()
	next := make([]unsafe.Pointer, len(old), cap(old)) // readers go on with the old directory until they look again
	copy(next, old)
	for i := from; i < to; i++ {
		next[i] = r.empty
	}
	r.gone = to << shift
	r.chunks.Store(&next)
}

// Bytes is how much memory the rows that are still there take. The goroutine that calls Forget may ask.
func (c *Column[T]) Bytes() int64 {
	var row T
	if n := c.Len(); n > c.rows.gone {
		return int64((n-c.rows.gone+mask)>>shift<<shift) * int64(unsafe.Sizeof(row))
	}
	return 0
}
