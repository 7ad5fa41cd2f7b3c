package capture

import "io"

// Stay says what becomes of a spool when its store is closed.
type Stay int32

// What becomes of a spool.
const (
	Removed Stay = iota // it goes
	ForADay             // it stays for a day: somebody chose not to save it, and may think again
	Kept                // it stays until somebody opens or removes it: nobody was asked
)

// A Backing holds the bytes of a store's packets: a file, a spool of this process, or that of another one. Offsets are
// those of the index. Its methods may be called from any goroutine.
type Backing interface {
	// ReadAt reads at least need bytes at off, and up to len(p) of what is there.
	ReadAt(p []byte, off int64, need int) (int, error)
	// End is the offset behind its last byte.
	End() int64
	// First is how many packets it has evicted itself.
	First() int
	// Release gives back the bytes of evicted packets, which are those before n: the range between two offsets that
	// nobody reads any more. It reports whether that is for the backing to do.
	Release(n int, from, to int64) bool
	// Status adds what it knows. Kept is how many bytes it holds.
	Status(st *Status)
	// Keep has Close leave a spool on the disk, as long as the longest of what was asked.
	Keep(Stay)
	// Close gives the bytes up.
	Close() error
}

// Unchanging is the backing of what others own, such as a file: nothing is ever evicted from it.
type Unchanging struct {
	io.ReaderAt
	Size func() (int64, error)
}

// ReadAt reads up to len(p) bytes.
func (u Unchanging) ReadAt(p []byte, off int64, _ int) (int, error) { return u.ReaderAt.ReadAt(p, off) }

// End is the size, or 0 when it cannot be told.
func (u Unchanging) End() int64 {
	n, err := u.Size()
	if err != nil {
		return 0
	}
	return n
}

// First is 0: all packets are there.
func (Unchanging) First() int { return 0 }

// Release has nothing to give back.
func (Unchanging) Release(int, int64, int64) bool { return false }

// Status has nothing to add.
func (Unchanging) Status(*Status) {}

// Keep does nothing: what others own stays.
func (Unchanging) Keep(Stay) {}

// Close does nothing: whoever opened it closes it.
func (Unchanging) Close() error { return nil }
