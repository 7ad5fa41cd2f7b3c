package pcapfile

import (
	"context"
	"io"
	"time"

	"remora/capture"
)

const (
	firstWindow = 64 << 10  // small, so that the first packets are there at once
	scanWindow  = 128 << 10 // what is read stays in the cache of a core
	followEvery = 100 * time.Millisecond
)

// A fileSource indexes a file that stays where it is.
type fileSource struct {
	a    *capture.Appender
	file *file
	opt  capture.Options
	w    window
}

// run reads the file to its end, or on and on where it is followed. format is nil while there is too little to say.
func (s *fileSource) run(ctx context.Context, format format) error {
	s.w = window{at: s.file.at, buf: make([]byte, firstWindow)}
	w := &s.w
	for ctx.Err() == nil {
		n, err := w.fill()
		if err != nil && err != io.EOF {
			return CannotRead(s.file.name, err)
		}
		if format == nil {
			if format, err = newFormat(ctx, s.a, w.held(), s.opt); err != nil {
				return notCapture(s.file.name, w.held())
			}
			s.a.SetWaiting(format == nil)
		}
		if format != nil {
			err := w.scan(format)
			s.a.Read().Store(w.off)
			if err != nil {
				return err
			}
			s.a.Wake()
		}
		if n > 0 {
			continue
		}
		if !s.opt.Follow {
			return s.torn()
		}
		if err := s.waitForMore(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// A window is the piece of the file that is being scanned.
type window struct {
	at   io.ReaderAt
	buf  []byte
	off  int64 // of buf[0] in the file
	have int   // bytes of the file in buf
	seen int64 // how far the file was read; a block that is passed unread may end behind it
	need int   // bytes that the record at the front of buf has, as far as known
	more bool  // the file had more than fitted
}

func (w *window) held() []byte { return w.buf[:w.have] }

// fill reads what fits.
func (w *window) fill() (int, error) {
	if w.need > len(w.buf) || w.more && len(w.buf) < scanWindow {
		w.buf = append(make([]byte, 0, max(scanWindow, w.need)), w.held()...)
		w.buf = w.buf[:cap(w.buf)]
	}
	n, err := w.at.ReadAt(w.buf[w.have:], w.off+int64(w.have))
	w.have += n
	w.more = w.have == len(w.buf)
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
func (s *fileSource) torn() error {
	w := &s.w
	size, err := s.file.size()
	if err == nil && w.off > size {
		return capture.Damaged("the last block of the file is cut short: it should go on to offset %d, the file ends at %d",
			w.off, size)
	}
	if w.have > 0 {
		return tornRecord(s.a.Len(), w.off, w.have, w.need)
	}
	return nil
}

// tornRecord says that the record at an offset is cut short, behind so many packets.
func tornRecord(packets int, off int64, have, need int) error {
	return capture.Damaged("the last record, at offset %d, is cut short (%d of at least %d bytes): "+
		"the %d packets before it are complete", off, have, need, packets)
}

// waitForMore returns when a followed file has grown, and says so when it was cut short instead.
func (s *fileSource) waitForMore(ctx context.Context) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	w := &s.w
	for {
		size, err := s.file.size()
		if err != nil {
			return CannotRead(s.file.name, err)
		}
		s.a.Total().Store(size)
		end := w.off + int64(w.have)
		if size > end {
			return nil
		}
		if size < w.seen {
			return capture.Damaged("the file was cut short to %d bytes while it was followed: reading stopped at offset %d",
				size, w.off)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
