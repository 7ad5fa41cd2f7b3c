package capture

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// chunkSize is how much of a spool waits in memory before it is written in one piece.
const chunkSize = 1 << 20

// A spool is the file on disk behind a live capture, a pipe or a compressed file. New bytes collect in a chunk of
// memory, from which readers can already take them, and go to the file when the chunk is full or a second is
// over. Every packet lies within one chunk.
//
// Writing is for the store's writer, under the store's mutex. Reading is for anybody.
type spool struct {
	f    *os.File
	name atomic.Pointer[string] // nil when the file has no name any more
	keep bool                   // the file is the user's own, or was asked for

	tail atomic.Pointer[chunk]
	free []*chunk
	err  error // the first failure to write; nothing is written after it
	size atomic.Int64
}

// A chunk is the end of a spool, in memory. Bytes below used never change while the chunk is the tail or pinned.
type chunk struct {
	buf     []byte
	base    int64        // offset of buf[0] in the spool
	used    atomic.Int64 // bytes that readers may take
	written int          // bytes that are in the file, too
	pins    atomic.Int32 // readers that are copying from it
}

func newSpool(f *os.File, path string) *spool {
	sp := &spool{f: f}
	sp.name.Store(&path)
	sp.tail.Store(&chunk{buf: make([]byte, chunkSize)})
	return sp
}

// path is where the file is, or "" when it has no name any more.
func (sp *spool) path() string {
	if name := sp.name.Load(); name != nil {
		return *name
	}
	return ""
}

// room gives n free bytes at the end of the tail and their offset in the spool. What stands from carry on, an
// offset in the spool, moves along when a new chunk has to begin: the piece of a record that has come so far.
// The bytes count once commit is called.
func (sp *spool) room(n int, carry int64) ([]byte, int64, error) {
	c := sp.tail.Load()
	used := int(c.used.Load())
	if len(c.buf)-used < n {
		var err error
		if c, err = sp.rotate(c, n, carry); err != nil {
			return nil, 0, err
		}
		used = int(c.used.Load())
	}
	return c.buf[used:], c.base + int64(used), nil
}

// commit publishes n more bytes of the tail.
func (sp *spool) commit(n int) {
	c := sp.tail.Load()
	c.used.Store(c.used.Load() + int64(n))
}

// rotate writes the old tail to the file and begins a new one with room for n bytes more than it carries over.
// The file has all of the old tail before readers see the new one, so they find every byte in one of the two.
func (sp *spool) rotate(c *chunk, n int, carry int64) (*chunk, error) {
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

func (sp *spool) take(n int) *chunk {
	if last := len(sp.free) - 1; last >= 0 && n <= chunkSize {
		c := sp.free[last]
		sp.free = sp.free[:last]
		if c.pins.Load() == 0 {
			return c
		}
	}
	return &chunk{buf: make([]byte, max(chunkSize, n))}
}

// flush writes what is not in the file yet. After a failure the spool keeps the bytes in memory and stays broken.
func (sp *spool) flush() error {
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
	sp.size.Store(c.base + int64(c.written))
	sp.err = err
	return err
}

// pending says whether flush would have something to do.
func (sp *spool) pending() bool {
	c := sp.tail.Load()
	return sp.err == nil && c.written < int(c.used.Load())
}

// end is the offset behind the last committed byte.
func (sp *spool) end() int64 {
	c := sp.tail.Load()
	return c.base + c.used.Load()
}

// pin holds the tail so that it is not used again while a reader copies from it.
func (sp *spool) pin() *chunk {
	for {
		c := sp.tail.Load()
		c.pins.Add(1)
		if sp.tail.Load() == c {
			return c
		}
		c.pins.Add(-1)
	}
}

// readAt reads at least need bytes at off, and up to len(p), from memory or from the file.
func (sp *spool) readAt(p []byte, off int64, need int) (int, error) {
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

// discard closes the file and removes it unless it is to be kept.
func (sp *spool) discard() error {
	err := sp.f.Close()
	path := sp.path()
	if sp.keep || path == "" {
		return err
	}
	if e := os.Remove(path); e != nil && !errors.Is(e, fs.ErrNotExist) && err == nil {
		err = e
	}
	return err
}
