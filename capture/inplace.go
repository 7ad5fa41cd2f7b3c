package capture

import (
	"context"
	"io"
	"time"
)

const (
	firstWindow = 64 << 10 // small, so that the first packets are there at once
	scanWindow  = 1 << 20
	followEvery = 100 * time.Millisecond
)

// scanInPlace indexes a file that stays where it is.
func (s *Store) scanInPlace(ctx context.Context, src *source, format format, opt Options) error {
	w := window{src: src, buf: make([]byte, firstWindow)}
	for ctx.Err() == nil {
		n, err := w.fill()
		if err != nil && err != io.EOF {
			return cannotRead(src.name, err)
		}
		if format == nil {
			if format, err = newFormat(ctx, s, w.held()); err != nil {
				return notCapture(src.name, w.held())
			}
			s.waiting.Store(format == nil)
		}
		if format != nil {
			if err := w.scan(format); err != nil {
				s.bytesRead.Store(w.off)
				return err
			}
			s.bytesRead.Store(w.off)
			s.wake()
		}
		if n > 0 {
			continue
		}
		if !opt.Follow {
			return s.torn(&w)
		}
		if err := s.waitForMore(ctx, &w); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// A window is the piece of the file that is being scanned.
type window struct {
	src  *source
	buf  []byte
	off  int64 // of buf[0] in the file
	have int   // bytes of the file in buf
	seen int64 // how far the file was read; a block that is passed unread may end behind it
	need int   // bytes that the record at the front of buf has, as far as known
}

func (w *window) held() []byte { return w.buf[:w.have] }

// fill reads what fits.
func (w *window) fill() (int, error) {
	if w.need > len(w.buf) || w.off > 0 && len(w.buf) < scanWindow {
		w.buf = append(make([]byte, 0, max(scanWindow, w.need)), w.held()...)
		w.buf = w.buf[:cap(w.buf)]
	}
	n, err := w.src.at.ReadAt(w.buf[w.have:], w.off+int64(w.have))
	w.have += n
	if n > 0 {
		w.seen = w.off + int64(w.have)
	}
	return n, err
}

// scan hands whole records to the format and moves on behind them.
func (w *window) scan(f format) error {
	done, need, err := f.scan(w.held(), w.off)
	w.need = need
	w.off += done
	if done >= int64(w.have) {
		w.have = 0
	} else {
		w.have = copy(w.buf, w.buf[done:w.have])
	}
	return err
}

// torn looks at how the file ends.
func (s *Store) torn(w *window) error {
	size, err := w.src.size()
	if err == nil && w.off > size {
		return damaged("the last block of the file is cut short: it should go on to offset %d, the file ends at %d", w.off,
			size)
	}
	if w.have > 0 {
		return s.tornRecord(w.off, w.have, w.need)
	}
	return nil
}

func (s *Store) tornRecord(off int64, have, need int) error {
	packets := s.Len()
	return damaged("the last record, at offset %d, is cut short (%d of at least %d bytes): the %d packets before it are "+
		"complete",
		off, have, need, packets)
}

// waitForMore returns when a followed file has grown, and says so when it was cut short instead.
func (s *Store) waitForMore(ctx context.Context, w *window) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		size, err := w.src.size()
		if err != nil {
			return cannotRead(w.src.name, err)
		}
		s.bytesTotal.Store(size)
		end := w.off + int64(w.have)
		if size > end {
			return nil
		}
		if size < w.seen {
			return damaged("the file was cut short to %d bytes while it was followed: reading stopped at offset %d", size, w.off)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
