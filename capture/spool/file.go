package spool

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"remora/capture"
	"remora/internal/sharing"
)

// chunkSize is how much of a spool waits in memory before it is written in one piece.
const chunkSize = 1 << 20

// A File is a spool that this process fills and reads: the file on disk behind a pipe or a compressed file. New bytes
// collect in a chunk of memory, from which readers can already take them, and go to the file when the chunk is full or
// a second is over. Every packet lies within one chunk.
//
// One goroutine may write: it alone calls Room and Commit. The other methods are for anybody.
type File struct {
	f *os.File

	mu   sync.Mutex             // orders what is written, and guards what follows
	name atomic.Pointer[string] // nil when the file has no name any more
	stay capture.Stay           // on the disk
	free []*chunk
	err  error // the first failure to write; nothing is written after it

	tail atomic.Pointer[chunk]
}

// A chunk is the end of a spool, in memory. Bytes below used never change while the chunk is the tail or pinned.
type chunk struct {
	buf     []byte
	base    int64        // offset of buf[0] in the spool
	used    atomic.Int64 // bytes that readers may take
	written int          // bytes that are in the file, too
	pins    atomic.Int32 // readers that are copying from it
}

// NewFile is for a file that [Create] made, which it owns from then on.
func NewFile(f *os.File, path string) *File {
	sp := &File{f: f}
	sp.name.Store(&path)
	sp.tail.Store(&chunk{buf: make([]byte, chunkSize)})
	return sp
}

// Path is where the file is, or "" when it has no name any more.
func (sp *File) Path() string {
	if name := sp.name.Load(); name != nil {
		return *name
	}
	return ""
}

// Room gives n free bytes at the end of the spool. What stands from carry on, an offset in the spool, stays in memory
// with them: the piece of a record that has come so far. The bytes count once Commit is called.
func (sp *File) Room(n int, carry int64) ([]byte, error) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	c := sp.tail.Load()
	used := int(c.used.Load())
	if len(c.buf)-used < n {
		var err error
		if c, err = sp.rotate(c, n, carry); err != nil {
			return nil, err
		}
		used = int(c.used.Load())
	}
	return c.buf[used:], nil
}

// Commit publishes n more bytes, which Room gave.
func (sp *File) Commit(n int) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	c := sp.tail.Load()
	c.used.Store(c.used.Load() + int64(n))
}

// Held are the bytes from an offset on that are in memory, for the goroutine that writes.
func (sp *File) Held(from int64) []byte {
	c := sp.tail.Load()
	at, used := max(0, from-c.base), c.used.Load()
	if at >= used {
		return nil
	}
	return c.buf[at:used]
}

// rotate writes the old tail to the file and begins a new one with room for n bytes more than it carries over.
// The file has all of the old tail before readers see the new one, so they find every byte in one of the two.
func (sp *File) rotate(c *chunk, n int, carry int64) (*chunk, error) {
	if err := sp.flush(); err != nil {
		return nil, err
	}
	used := int(c.used.Load())
	from := min(int(carry-c.base), used)
	next := sp.take(used - from + n)
	copy(next.buf, c.buf[from:used])
	next.base, next.written = c.base+int64(from), used-from
	next.used.Store(int64(used - from))
	sp.tail.Store(next)
	if c.pins.Load() == 0 && len(c.buf) == chunkSize && len(sp.free) < 2 {
		// A reader that pins it from now on sees that it is no longer the tail and lets go.
		sp.free = append(sp.free, c)
	}
	return next, nil
}

func (sp *File) take(n int) *chunk {
	if last := len(sp.free) - 1; last >= 0 && n <= chunkSize {
		c := sp.free[last]
		sp.free = sp.free[:last]
		if c.pins.Load() == 0 {
			return c
		}
	}
	return &chunk{buf: make([]byte, max(chunkSize, n))}
}

// Flush writes what is not in the file yet. After a failure the spool keeps the bytes in memory and stays broken. first
// says that it is a failure that nobody was told of.
func (sp *File) Flush() (first bool, err error) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	first = sp.err == nil
	return first, sp.flush()
}

func (sp *File) flush() error {
	c := sp.tail.Load()
	used := int(c.used.Load())
	if sp.err != nil || c.written == used {
		return sp.err
	}
	_, err := sp.f.WriteAt(c.buf[c.written:used], c.base+int64(c.written))
	if err == nil {
		c.written = used
	} else if info, e := sp.f.Stat(); e == nil { // WriteAt does not tell how much went in before the disk was full
		c.written = min(used, max(c.written, int(info.Size()-c.base)))
	}
	sp.err = err
	return err
}

// End is the offset behind the last committed byte.
func (sp *File) End() int64 {
	c := sp.tail.Load()
	return c.base + c.used.Load()
}

// pin holds the tail so that it is not used again while a reader copies from it.
func (sp *File) pin() *chunk {
	for {
		c := sp.tail.Load()
		c.pins.Add(1)
		if sp.tail.Load() == c {
			return c
		}
		c.pins.Add(-1)
	}
}

// ReadAt reads at least need bytes at off, and up to len(p), from memory or from the file.
func (sp *File) ReadAt(p []byte, off int64, need int) (int, error) {
	c := sp.pin()
	if off >= c.base {
		defer c.pins.Add(-1)
		at, used := off-c.base, c.used.Load()
		if at > used {
			return 0, io.EOF
		}
		return copy(p, c.buf[at:used]), nil
	}
	base := c.base
	c.pins.Add(-1)
	if end := base - off; int64(len(p)) > end && int64(need) <= end {
		p = p[:end] // what lies behind may not be in the file yet
	}
	return sp.f.ReadAt(p, off)
}

// Keep says how long the file stays on the disk when it is closed.
func (sp *File) Keep(how capture.Stay) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.stay = max(sp.stay, how)
}

// Free gives a range of the file, from where nobody reads any more, back to the disk. What is left of the file cannot
// be read again without it, so it loses its name. A file that stays keeps everything.
func (sp *File) Free(from, to int64) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if sp.stay != capture.Removed || to <= from || sp.flush() != nil {
		return
	}
	if path := sp.Path(); path != "" {
		sharing.Remove(path)
		sp.name.Store(nil)
	}
	Punch(sp.f, from, to-from)
}

// Close closes the file and removes it unless it is to be kept.
func (sp *File) Close() error {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	err := sp.f.Close()
	path := sp.Path()
	if sp.stay == capture.Kept || path == "" {
		return err
	}
	leave := sharing.Remove
	if sp.stay == capture.ForADay {
		leave = LeaveForADay
	}
	if e := leave(path); e != nil && !errors.Is(e, fs.ErrNotExist) && err == nil {
		err = e
	}
	return err
}
