package pcapfile

import (
	"context"
	"io"

	"remora/capture"
)

// A Tail indexes the packets of a pcapng file that a capture process of this program writes meanwhile. It is for one
// goroutine.
type Tail struct {
	w window
	f format
}

// NewTail begins in front of the file's section. It fills a store through a.
func NewTail(ctx context.Context, a *capture.Appender, at io.ReaderAt) *Tail {
	return &Tail{window{at: at, buf: make([]byte, firstWindow)}, &ngScanner{sink: &sink{a: a, ctx: ctx}, captured: true}}
}

// Offset is where the next block begins.
func (t *Tail) Offset() int64 { return t.w.off }

// Read is how far the file was read. What lies between Offset and it is no whole block yet.
func (t *Tail) Read() int64 { return t.w.off + int64(t.w.have) }

// Fill reads what is there, at most a window of it, and returns how much that was. An error is the file's, io.EOF where
// it ends.
func (t *Tail) Fill() (int, error) { return t.w.fill() }

// Scan indexes the whole blocks that were read.
func (t *Tail) Scan() error { return t.w.scan(t.f) }

// Jump goes on at the block that begins at an offset, and forgets what was read.
func (t *Tail) Jump(off int64) { t.w.off, t.w.have, t.w.need = off, 0, 0 }

// Stuck tells, when Fill has read nothing, whether it would not read more either, of a file that goes up to end: there
// is no more whole block, or the file is shorter than that.
func (t *Tail) Stuck(end int64) bool {
	w := &t.w
	return w.have > 0 && w.need <= w.have || t.Read() < end && len(w.buf) > w.have
}
