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
type Column[T any] struct {
	chunks atomic.Pointer[[]*[size]T] // the directory: replaced when it grows, never changed in place
	n      atomic.Int64
	mu     sync.Mutex // held while the directory is replaced
	gone   int        // rows that were given up, a whole number of chunks
	empty  *[size]T   // what stands in their place
}

// Len is the number of rows published so far.
func (c *Column[T]) Len() int { return int(c.n.Load()) }

// Append publishes one more row and returns its position. Only the column's one writer may call it.
func (c *Column[T]) Append(row T) int {
	n := int(c.n.Load())
	dir := c.chunks.Load()
	if n&mask == 0 {
		dir = c.grow()
	}
	(*dir)[n>>shift][n&mask] = row
	c.n.Store(int64(n + 1))
	return n
}

// At is row i, which must be below Len.
func (c *Column[T]) At(i int) T { return (*c.chunks.Load())[i>>shift][i&mask] }

// Ref points at row i, which must be below Len. Readers must not write through it.
func (c *Column[T]) Ref(i int) *T { return &(*c.chunks.Load())[i>>shift][i&mask] }

// grow makes room for one more chunk. The directory doubles its capacity, so that a reader's old copy stays valid.
func (c *Column[T]) grow() *[]*[size]T {
	c.mu.Lock()
	defer c.mu.Unlock()
	var next []*[size]T
	if dir := c.chunks.Load(); dir != nil {
		next = *dir
	}
	next = append(next, new([size]T))
	c.chunks.Store(&next)
	return &next
}

// Forget gives up the memory of rows below n, as far as they fill chunks of their own: they read as zero from then on. Any one
// goroutine may call it, also while rows are appended.
func (c *Column[T]) Forget(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	from, to := c.gone>>shift, min(n, c.Len())>>shift
	if to <= from {
		return
	}
	if c.empty == nil {
		c.empty = new([size]T)
	}
	old := *c.chunks.Load()
	next := make([]*[size]T, len(old), cap(old)) // readers go on with the old directory until they look again
	copy(next, old)
	for i := from; i < to; i++ {
		next[i] = c.empty
	}
	c.gone = to << shift
	c.chunks.Store(&next)
}

// Bytes is how much memory the rows that are still there take. The goroutine that calls Forget may ask.
func (c *Column[T]) Bytes() int64 {
	var row T
	if n := c.Len(); n > c.gone {
		return int64((n-c.gone+mask)>>shift<<shift) * int64(unsafe.Sizeof(row))
	}
	return 0
}
