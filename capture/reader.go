package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

const (
	blockMin = 4 << 10 // what a single look at a random packet reads
	// LongestRead is how many bytes of a file a reader takes at once at most, but for longer packets.
	LongestRead = 512 << 10
	auxBlock    = 64 << 10 // what ReadAt keeps of earlier packets
)

// ErrGone is wrapped by the errors of readers when a packet's bytes are not there any more: the file was cut
// short while it was open, or the store was closed.
var ErrGone = errors.New("the bytes are gone")

// A Reader fetches packet bytes. It remembers a block of the file, so one goroutine must have it for itself;
// readers of the same store do not disturb each other.
type Reader struct {
	s    *Store
	main block // the packets of Bytes
	aux  block // the packets of ReadAt, so that looking back does not cost the block of reading on
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
	return &Reader{s: s, main: block{max: LongestRead}, aux: block{max: auxBlock}}
}

// Bytes is packet i as captured. The slice is valid until the next call of Bytes and must not be written to.
// Reading packets in order costs one system call for thousands of them.
func (r *Reader) Bytes(i int) ([]byte, error) {
	if i < r.s.First() {
		return nil, leftError(i)
	}
	off, length := r.s.index.span(i)
	n := int(length)
	if b := &r.main; off >= b.off && off+int64(n) <= b.off+int64(len(b.buf)) {
		at := int(off - b.off)
		return b.buf[at : at+n : at+n], nil
	}
	p, err := r.main.fetch(r.s, off, n)
	if r.s.isEvicted(i) { // meanwhile
		r.main.buf = r.main.buf[:0]
		return nil, leftError(i)
	}
	if err != nil {
		return nil, packetError(i, n, off, err)
	}
	return p, nil
}

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
	for _, b := range []*block{&r.main, &r.aux} {
		if at >= b.off && at+int64(n) <= b.off+int64(len(b.buf)) {
			return append(dst, b.buf[at-b.off:][:n]...), nil
		}
	}
	p, err := r.aux.fetch(r.s, at, n)
	if r.s.isEvicted(i) {
		r.aux.buf = r.aux.buf[:0]
		return dst, leftError(i)
	}
	if err != nil {
		return dst, packetError(i, n, at, err)
	}
	return append(dst, p...), nil
}

// fetch loads a block that begins at off and holds at least n bytes. Going on near the end of the last block
// doubles the block's size, a jump makes it small again: a single look costs a page, a scan few system calls.
func (b *block) fetch(s *Store, off int64, n int) ([]byte, error) {
	end := b.off + int64(len(b.buf))
	if ahead := off - b.off; len(b.buf) > 0 && ahead >= 0 && off <= end+int64(b.next) {
		b.next = min(b.next*2, b.max)
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
	if b := &r.main; off >= b.off && off+int64(n) <= b.off+int64(len(b.buf)) {
		return b.buf[off-b.off:][:n:n], nil
	}
	b, err := r.main.fetch(r.s, off, n)
	if err != nil {
		return nil, packetError(i, n, off, err)
	}
	return b, nil
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
