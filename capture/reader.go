package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"remora/internal/column"
)

const (
	blockMin = 4 << 10 // what a single look at a random packet reads
	// LongestRead is how many bytes of a file a reader takes at once at most, but for longer packets.
	LongestRead = 256 << 10
	auxBlock    = 64 << 10 // what ReadAt keeps of earlier packets
	pastBlocks  = 7        // of those read before
)

// ErrGone is wrapped by the errors of readers when a packet's bytes are not there any more: the file was cut
// short while it was open, or the store was closed.
var ErrGone = errors.New("the bytes are gone")

// A Reader fetches packet bytes. It remembers some blocks of the file, so one goroutine must have it for itself;
// readers of the same store do not disturb each other.
type Reader struct {
	s    *Store
	main block             // the packets of Bytes
	past [pastBlocks]block // what main was before: ReadAt mostly looks back a little
	last int               // which of them was main last
	next block             // what Ahead read, which main comes to
	aux  block             // the packets of ReadAt, so that looking back further does not cost the block of reading on

	rows, ahead column.Window // the latter of Ahead
}

// A block is a piece of the file in memory, and how much to fetch next.
type block struct {
	buf  []byte
	off  int64 // of buf[0] in the file
	next int   // how much to fetch when reading goes on
	max  int
}

// NewReader makes a reader for one goroutine.
func (s *Store) NewReader() *Reader {
	r := &Reader{s: s, main: block{max: LongestRead}, next: block{max: LongestRead}, aux: block{max: auxBlock}}
	for i := range r.past {
		r.past[i].max = LongestRead
	}
	return r
}

// turn has main become one of the past blocks, which it returns, in exchange for the oldest of them.
func (r *Reader) turn() *block {
	r.last = (r.last + 1) % pastBlocks
	r.past[r.last], r.main = r.main, r.past[r.last]
	return &r.past[r.last]
}

// at is n bytes from an offset of the file, or nil where the block lacks some of them.
func (b *block) at(off int64, n int) []byte {
	if off < b.off || off+int64(n) > b.off+int64(len(b.buf)) {
		return nil
	}
	at := int(off - b.off)
	return b.buf[at : at+n : at+n]
}

// Bytes is packet i as captured. The slice is valid until the next call of Bytes and must not be written to.
// Reading packets in order costs one system call for thousands of them.
func (r *Reader) Bytes(i int) ([]byte, error) {
	if i < r.s.First() {
		return nil, leftError(i)
	}
	off, length := r.s.index.spanOf(*column.Seen(&r.rows, &r.s.index.rows, i))
	n := int(length)
	if p := r.main.at(off, n); p != nil {
		return p, nil
	}
	was := r.turn()
	if p := r.next.at(off, n); p != nil {
		r.main, r.next = r.next, r.main
		r.next.buf = r.next.buf[:0]
		return p, nil
	}
	return r.fetch(&r.main, was, i, off, n)
}

// Loaded is what Bytes returns for packet i if that needs no file, or nil. It leaves what Bytes returned valid.
func (r *Reader) Loaded(i int) []byte {
	off, length := r.s.index.spanOf(*column.Seen(&r.rows, &r.s.index.rows, i))
	return r.main.at(off, int(length))
}

// fetch loads packet i into a block, which goes on behind another one.
func (r *Reader) fetch(b, after *block, i int, off int64, n int) ([]byte, error) {
	p, err := b.fetch(r.s, after, off, n)
	if r.s.isEvicted(i) { // meanwhile
		b.buf = b.buf[:0]
		return nil, leftError(i)
	}
	if err != nil {
		return nil, packetError(i, n, off, err)
	}
	return p, nil
}

// Ahead is Bytes for a packet behind the one that Bytes returned last, which stays valid. The slice is valid until the
// next call of either.
func (r *Reader) Ahead(i int) ([]byte, error) {
	if i < r.s.First() {
		return nil, leftError(i)
	}
	off, length := r.s.index.spanOf(*column.Seen(&r.ahead, &r.s.index.rows, i))
	n := int(length)
	for _, b := range [...]*block{&r.main, &r.next} {
		if p := b.at(off, n); p != nil {
			return p, nil
		}
	}
	after := &r.main
	if off >= r.next.off && len(r.next.buf) > 0 { // further ahead than a block
		after = &r.next
	}
	return r.fetch(&r.next, after, i, off, n)
}

// Meta is Store.Meta, which takes less time for packets in order.
func (r *Reader) Meta(i int) Meta { return r.s.index.metaOf(*column.Seen(&r.rows, &r.s.index.rows, i)) }

// ReadAt appends n bytes of packet i, from offset off within it, to dst. It leaves what Bytes returned valid.
// Asking for bytes that were not captured is an error, and dst comes back as it was.
func (r *Reader) ReadAt(i, off, n int, dst []byte) ([]byte, error) {
	if i < r.s.First() {
		return dst, leftError(i)
	}
	start, capLen := r.s.index.span(i)
	if off < 0 || n < 0 || off > int(capLen) || n > int(capLen)-off {
		return dst, fmt.Errorf("packet %d has %d bytes, not %d from %d", i+1, capLen, n, off)
	}
	at := start + int64(off)
	for _, b := range [...]*block{&r.main, &r.next, &r.aux} {
		if p := b.at(at, n); p != nil {
			return append(dst, p...), nil
		}
	}
	for k := range r.past {
		if p := r.past[k].at(at, n); p != nil {
			return append(dst, p...), nil
		}
	}
	p, err := r.fetch(&r.aux, &r.aux, i, at, n)
	return append(dst, p...), err
}

// fetch loads a block that begins at off and holds at least n bytes. Going on near the end of the last block
// doubles the block's size, a jump makes it small again: a single look costs a page, a scan few system calls.
func (b *block) fetch(s *Store, last *block, off int64, n int) ([]byte, error) {
	end := last.off + int64(len(last.buf))
	if ahead := off - last.off; len(last.buf) > 0 && ahead >= 0 && off <= end+int64(last.next) {
		b.next = min(last.next*2, b.max)
	} else {
		b.next = blockMin
	}
	want := max(b.next, n)
	if cap(b.buf) < want {
		b.buf = make([]byte, want)
	}
	got, err := s.bytes.ReadAt(b.buf[:want], off, n)
	b.buf, b.off = b.buf[:got], off
	if got < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b.buf[:n:n], nil
}

// Around is n bytes of the file, beginning before bytes in front of those of packet i. They are valid until the next
// call of Bytes or Around.
func (r *Reader) Around(i, before, n int) ([]byte, error) {
	if i < r.s.First() {
		return nil, leftError(i)
	}
	off, _ := r.s.index.span(i)
	off -= int64(before)
	if p := r.main.at(off, n); p != nil {
		return p, nil
	}
	p, err := r.main.fetch(r.s, r.turn(), off, n)
	if err != nil {
		return nil, packetError(i, n, off, err)
	}
	return p, nil
}

// Store is the store that the reader reads from.
func (r *Reader) Store() *Store { return r.s }

// leftError says that a packet was evicted.
func leftError(i int) error {
	return fmt.Errorf("packet %d was evicted by the retention limit: %w", i+1, ErrGone)
}

func packetError(i, n int, off int64, err error) error {
	switch {
	case errors.Is(err, fs.ErrClosed):
		return fmt.Errorf("packet %d: the capture was closed: %w", i+1, ErrGone)
	case err == io.ErrUnexpectedEOF:
		return fmt.Errorf("packet %d: the file no longer holds its %d bytes at offset %d, it was cut short while open: %w",
			i+1, n, off, ErrGone)
	}
	return fmt.Errorf("packet %d: cannot read its %d bytes at offset %d: %w", i+1, n, off, err)
}
