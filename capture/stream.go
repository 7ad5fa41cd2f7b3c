package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	readMin    = 64 << 10    // room offered to a read from a stream
	flushEvery = time.Second // a killed program loses at most this much
)

// newStream makes a store whose bytes come through a spool. The spool of a compressed file has no name from the
// start: there is nothing in it to recover.
func newStream(ctx context.Context, name string, opt Options, nameless bool) (*Store, context.Context, error) {
	if opt.Filter != "" {
		if err := checkFilter(opt.Filter); err != nil {
			return nil, nil, err
		}
	}
	sp, err := createSpool(opt.SpoolDir, "stream", nameless)
	if err != nil {
		return nil, nil, err
	}
	s, ctx := newStore(ctx, name)
	s.spool, s.data = sp, sp.f
	s.use(&source{}, opt)
	return s, ctx, nil
}

// certainWithin is how long a pipe may take to tell what it is. One that says nothing so long may still become a
// capture.
const certainWithin = time.Second

// surely waits until a stream is understood to be a capture, and tells why it is none.
func (s *Store) surely() error {
	changed, cancel := s.Subscribe()
	defer cancel()
	late := time.NewTimer(certainWithin)
	defer late.Stop()
	for {
		st := s.Status()
		switch {
		case st.Done && st.Packets == 0:
			return st.Err
		case st.Done, !s.waiting.Load():
			return nil
		}
		select {
		case <-changed:
		case <-s.done:
		case <-late.C:
			return nil
		}
	}
}

// runStream reads a stream to its end. What it is goes to known: nil once it is understood to be a capture.
func (s *Store) runStream(ctx context.Context, r io.Reader, known chan<- error, rec *recorder) {
	defer s.flushRegularly()()
	s.finishWith(func() error {
		err := s.scanStream(ctx, r, known)
		select {
		case known <- err:
		default:
		}
		if _, ok := err.(*FileError); ok && s.Len() > 0 {
			err = damaged("%v", err)
		}
		if written := rec.finish(); written != nil && (err == nil || errors.Is(err, ErrEnough)) {
			return written
		}
		return err
	})
}

func (s *Store) scanStream(ctx context.Context, r io.Reader, known chan<- error) error {
	counted := &countingReader{r: r, n: &s.bytesRead}
	plain, err := decompress(counted)
	if err != nil {
		return fileError(s.name, err, "%s: %v", s.name, err)
	}
	defer plain.Close()
	packed, _ := plain.(*decompressor)
	t := stream{s: s, name: s.name}
	for ctx.Err() == nil {
		n, err := t.fill(plain)
		if e := t.scan(ctx, known); e != nil {
			return e
		}
		if packed != nil && s.Len() > mostPackets(counted.n.Load()) {
			return damaged("%d bytes of %s hold more packets than a recorded capture can: the first %d are shown; "+
				"unpack the file first to read all of them", counted.n.Load(), packed.name, s.Len())
		}
		if n > 0 {
			s.wake()
		}
		if err != nil && ctx.Err() == nil {
			return t.end(err)
		}
	}
	return ctx.Err()
}

// mostPackets is how many packets so many compressed bytes can hold. In a recorded capture each has a time of its own,
// which takes a byte or more. Beyond that the file was made to cost whoever opens it a lot for little: three
// megabytes of gzip can hold two hundred million empty records, whose index takes gigabytes.
func mostPackets(compressed int64) int { return somePackets + int(min(compressed, math.MaxInt32)) }

// somePackets may come out of a compressed file of any size.
const somePackets = 1 << 20

// A stream is read into the spool and scanned there.
type stream struct {
	s      *Store
	name   string
	format format
	off    int64 // where the next record begins in the spool; may lie behind its end
	need   int
}

// fill reads once from the stream to the end of the spool.
func (t *stream) fill(r io.Reader) (int, error) {
	s := t.s
	s.mu.Lock()
	want := max(readMin, int(min(t.off+int64(t.need)-s.spool.end(), maxCapLen*2)))
	buf, _, err := s.spool.room(want, t.off)
	s.mu.Unlock()
	if err != nil {
		return 0, s.spoolError(err)
	}
	n, err := r.Read(buf)
	s.mu.Lock()
	s.spool.commit(n)
	s.mu.Unlock()
	return n, err
}

func (t *stream) scan(ctx context.Context, known chan<- error) (err error) {
	c := t.s.spool.tail.Load()
	at, used := t.off-c.base, c.used.Load()
	if at >= used {
		return nil
	}
	held := c.buf[at:used]
	if t.format == nil {
		if t.format, err = newFormat(ctx, t.s, held); err != nil {
			return notCapture(t.name, held)
		} else if t.format == nil {
			return nil
		}
		t.s.waiting.Store(false)
		known <- nil
	}
	done, need, err := t.format.scan(held, t.off)
	t.off, t.need = t.off+done, need
	if t.s.opt.Keep > 0 {
		t.s.mu.Lock()
		t.s.leave(t.s.spool.end())
		t.s.mu.Unlock()
	}
	return err
}

// end judges how a stream ended.
func (t *stream) end(err error) error {
	s := t.s
	if full := (damage{}); errors.As(err, &full) {
		return full
	}
	var remote *InterfaceError
	if errors.As(err, &remote) {
		if s.Len() > 0 {
			return damaged("%v: the packets so far are kept", remote)
		}
		return remote
	}
	rest := s.spool.end() - t.off
	if t.format == nil {
		c := s.spool.tail.Load()
		if !errors.Is(err, io.EOF) {
			return fileError(t.name, err, "%s cannot be read: %v", t.name, err)
		}
		return notCapture(t.name, c.buf[:c.used.Load()])
	}
	var broken *decompressError
	switch {
	case errors.As(err, &broken):
		return damaged("%v: the %d packets before that place are shown", broken, s.Len())
	case !errors.Is(err, io.EOF):
		return fileError(t.name, err, "%s cannot be read any further: %v", t.name, err)
	case rest < 0:
		return damaged("the last block is cut short: %d bytes of it are missing", -rest)
	case rest > 0:
		return s.tornRecord(t.off, int(rest), t.need)
	}
	return nil
}

// flushRegularly writes the spool's memory to disk once a second, until the returned function is called.
func (s *Store) flushRegularly() (stop func()) {
	quit := make(chan struct{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(flushEvery)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				s.mu.Lock()
				err := s.spool.flush()
				s.mu.Unlock()
				if err != nil {
					s.notice("spool", "%v", s.spoolError(err))
					s.stop()
					return
				}
			}
		}
	}()
	return func() {
		close(quit)
		<-gone
	}
}

// spoolError says that the spool cannot be written and what that means. The file of -w holds what it held before.
func (s *Store) spoolError(err error) error {
	s.spoolFailed.Store(true)
	there := fmt.Sprintf("reading stopped behind packet %d", s.Len())
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return damaged("the disk is full: %s", there)
	}
	where := s.spool.path()
	if where == "" {
		where = "the spool"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return damaged("%s cannot be written: %s (%v)", where, there, err)
}

// countingReader counts the bytes that came from the source itself, compressed where it is compressed.
type countingReader struct {
	r io.Reader
	n *atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// decompressError is damage in compressed data.
type decompressError struct {
	kind string
	err  error
}

func (e *decompressError) Error() string {
	if errors.Is(e.err, io.ErrUnexpectedEOF) {
		return fmt.Sprintf("the %s data is cut short", e.kind)
	}
	return fmt.Sprintf("the %s data is damaged (%v)", e.kind, e.err)
}
func (e *decompressError) Unwrap() error { return e.err }
