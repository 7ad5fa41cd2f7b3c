package pcapfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"sync/atomic"
	"time"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/spool"
	"remora/internal/sharing"
)

const (
	readMin    = 64 << 10    // room offered to a read from a stream
	flushEvery = time.Second // a killed program loses at most this much
)

// A Stream is a capture that comes byte after byte: a pipe, or what another program writes. It may be compressed.
type Stream struct {
	Name string
	// Open begins to read it. Its context ends when nobody wants more. It may tell the appender what is known of where the
	// packets come from.
	Open func(ctx context.Context, a *capture.Appender) io.Reader
	// NotCapture says what is wrong with a stream whose first bytes, of which there are some, are no capture's. It may be
	// nil.
	NotCapture func(head []byte) error
}

// OpenStream reads a stream, whose bytes are kept in a spool on disk. It returns at once.
func OpenStream(ctx context.Context, from Stream, opt capture.Options) (*capture.Store, error) {
	s, t, ctx, err := newStream(ctx, from.Name, opt, false)
	if err != nil {
		return nil, err
	}
	t.notCapture = from.NotCapture
	rec, err := startRecorder(s, t.a, opt)
	if err != nil {
		t.spool.Close()
		return nil, err
	}
	t.a.SetWaiting(true)
	t.a.SetUnsaved(rec == nil || opt.Ring.Files > 0) // older files of a ring are gone
	go t.run(ctx, from.Open(ctx, t.a), make(chan error, 1), rec)
	return s, nil
}

// newStream makes a store whose bytes come through a spool. The spool of a compressed file has no name from the
// start: there is nothing in it to recover.
func newStream(ctx context.Context, name string, opt capture.Options, nameless bool) (*capture.Store, *stream,
	context.Context, error) {
	if opt.Filter != "" {
		if err := bpf.Check(opt.Filter); err != nil {
			return nil, nil, nil, err
		}
	}
	f, path, err := spool.Create(opt.SpoolDir, "stream", nameless)
	if err != nil {
		return nil, nil, nil, err
	}
	sp := spooled{spool.NewFile(f, path)}
	s, a, ctx := capture.New(ctx, name, opt, sp)
	stopAfter(a, opt.Stop.Duration)
	return s, &stream{a: a, spool: sp, name: name, opt: opt}, ctx, nil
}

// spooled is the backing of a stream.
type spooled struct{ *spool.File }

// First is 0: only the store evicts packets.
func (spooled) First() int { return 0 }

// Release gives the range back to the disk.
func (sp spooled) Release(_ int, from, to int64) bool {
	sp.Free(from, to)
	return true
}

// Status says where the spool is and how long.
func (sp spooled) Status(st *capture.Status) { st.Kept, st.Spool = sp.End(), sp.Path() }

// certainWithin is how long a pipe may take to tell what it is. One that says nothing so long may still become a
// capture.
const certainWithin = time.Second

// surely waits until a stream is understood to be a capture, and tells why it is none.
func surely(s *capture.Store) error {
	changed, cancel := s.Subscribe()
	defer cancel()
	late := time.NewTimer(certainWithin)
	defer late.Stop()
	for {
		st := s.Status()
		switch {
		case st.Done && st.Packets == 0:
			return st.Err
		case st.Done, !st.Waiting:
			return nil
		}
		select {
		case <-changed:
		case <-s.Done():
		case <-late.C:
			return nil
		}
	}
}

// A stream is read into the spool and scanned there.
type stream struct {
	a          *capture.Appender
	spool      spooled
	name       string
	opt        capture.Options
	notCapture func(head []byte) error
	format     format
	off        int64 // where the next record begins in the spool; may lie behind its end
	need       int
}

// run reads a stream to its end. What it is goes to known: nil once it is understood to be a capture.
func (t *stream) run(ctx context.Context, r io.Reader, known chan<- error, rec *recorder) {
	defer t.flushRegularly()()
	t.a.Run(func() error {
		err := t.read(ctx, r, known)
		select {
		case known <- err:
		default:
		}
		if _, ok := err.(*Error); ok && t.a.Len() > 0 {
			err = capture.Damaged("%v", err)
		}
		if written := rec.finish(); written != nil && (err == nil || errors.Is(err, capture.ErrEnough)) {
			err = written
		}
		t.flush()
		return err
	})
}

// read reads and scans until the stream ends or enough is there.
func (t *stream) read(ctx context.Context, r io.Reader, known chan<- error) error {
	counted := &countingReader{r: r, n: t.a.Read()}
	plain, err := decompress(counted)
	if err != nil {
		return Errorf(t.name, err, "%s: %v", t.name, err)
	}
	defer plain.Close()
	packed, _ := plain.(*decompressor)
	for ctx.Err() == nil {
		n, err := t.fill(plain)
		if e := t.scan(ctx, known); e != nil {
			return e
		}
		if packed != nil && t.a.Len() > mostPackets(counted.n.Load()) {
			return capture.Damaged("%d bytes of %s hold more packets than a recorded capture can: the first %d are shown; "+
				"unpack the file first to read all of them", counted.n.Load(), packed.name, t.a.Len())
		}
		if n > 0 {
			t.a.Wake()
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

// fill reads once from the stream to the end of the spool.
func (t *stream) fill(r io.Reader) (int, error) {
	want := max(readMin, int(min(t.off+int64(t.need)-t.spool.End(), capture.MaxCapLen*2)))
	buf, err := t.spool.Room(want, t.off)
	if err != nil {
		return 0, t.spoolError(err)
	}
	n, err := r.Read(buf)
	t.spool.Commit(n)
	return n, err
}

func (t *stream) scan(ctx context.Context, known chan<- error) (err error) {
	held := t.spool.Held(t.off)
	if len(held) == 0 {
		return nil
	}
	if t.format == nil {
		if t.format, err = newFormat(ctx, t.a, held, t.opt); err != nil {
			return t.isNone(held)
		} else if t.format == nil {
			return nil
		}
		t.a.SetWaiting(false)
		known <- nil
	}
	done, need, err := t.format.scan(held, t.off)
	t.off, t.need = t.off+done, need
	t.a.EvictOldest(t.spool.End())
	return err
}

// isNone says that the stream is no capture.
func (t *stream) isNone(head []byte) error {
	if len(head) > 0 && t.notCapture != nil {
		return t.notCapture(head)
	}
	return notCapture(t.name, head)
}

// end judges how a stream ended.
func (t *stream) end(err error) error {
	if full := (capture.Damage{}); errors.As(err, &full) {
		return full
	}
	var remote *capture.InterfaceError
	if errors.As(err, &remote) {
		if t.a.Len() > 0 {
			return capture.Damaged("%v: the packets so far are kept", remote)
		}
		return remote
	}
	rest := t.spool.End() - t.off
	if t.format == nil {
		if !errors.Is(err, io.EOF) {
			return Errorf(t.name, err, "%s cannot be read: %v", t.name, err)
		}
		return t.isNone(t.spool.Held(0))
	}
	var broken *decompressError
	switch {
	case errors.As(err, &broken):
		return capture.Damaged("%v: the %d packets before that place are shown", broken, t.a.Len())
	case !errors.Is(err, io.EOF):
		return Errorf(t.name, err, "%s cannot be read any further: %v", t.name, err)
	case rest < 0:
		return capture.Damaged("the last block is cut short: %d bytes of it are missing", -rest)
	case rest > 0:
		return tornRecord(t.a.Len(), t.off, int(rest), t.need)
	}
	return nil
}

// flushRegularly writes the spool's memory to disk once a second, until the returned function is called.
func (t *stream) flushRegularly() (stop func()) {
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
				if !t.flush() {
					t.a.Stop()
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

// flush writes the spool's memory to disk, and says so the first time that it cannot.
func (t *stream) flush() bool {
	first, err := t.spool.Flush()
	if err != nil && first {
		t.a.Notice("spool", "%v", t.spoolError(err))
	}
	return err == nil
}

// spoolError says that the spool cannot be written and what that means. The file of -w holds what it held before.
func (t *stream) spoolError(err error) error {
	t.a.SetSpoolFailed()
	there := fmt.Sprintf("reading stopped behind packet %d", t.a.Len())
	if sharing.DiskFull(err) {
		return capture.Damaged("the disk is full: %s", there)
	}
	where := t.spool.Path()
	if where == "" {
		where = "the spool"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return capture.Damaged("%s cannot be written: %s (%v)", where, there, err)
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
	return fmt.Sprintf("the %s data is Damaged (%v)", e.kind, e.err)
}
func (e *decompressError) Unwrap() error { return e.err }
