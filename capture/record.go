package capture

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Record copies the packets of s to w as they come, those for which which says yes, until the source has ended,
// ctx ends or a stop rule of w holds, which is reported as [ErrEnough]. It flushes w once a second and turns its
// ring. The caller closes w.
func (s *Store) Record(ctx context.Context, w *Writer, which func(i int) bool) error {
	changed, cancel := s.Subscribe()
	defer cancel()
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	r := s.NewReader()
	for i := 0; ; {
		ended := s.sourceEnded()
		for n := s.Len(); i < n; i++ {
			if which != nil && !which(i) {
				continue
			}
			if err := w.CopyPacket(r, i); err != nil {
				return err
			}
			if w == s.recorder {
				s.recorded.Store(int64(i + 1))
			}
		}
		if ended {
			return w.Flush()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-s.sourceDone:
		case <-tick.C:
			if err := errors.Join(w.Flush(), w.Turn()); err != nil {
				return err
			}
		case <-s.nextFile:
			if err := w.Next(); err != nil {
				return err
			}
		}
	}
}

// NextFile has the file of -w end, and the next one of the ring begin. Without a ring a file of the same name is begun,
// if the one that was written has got another name or is gone: that is what programs expect that put logs away. A
// pcapng file that the store itself reads from has no next one; that is an error, as is a capture that is not written.
func (s *Store) NextFile() error {
	switch {
	case s.opt.Write == "":
		return errors.New("the capture is not written to a file")
	case s.live != nil && !s.live.began.Own:
		return s.live.send(request{Next: true})
	case s.recorder == nil:
		return fmt.Errorf("%s goes on: only a ring of files (-b), or a file of pcap, has a next one", s.opt.Write)
	}
	select {
	case s.nextFile <- struct{}{}:
	default: // it was asked for already
	}
	return nil
}

// sourceEnded says that no more packets will be appended.
func (s *Store) sourceEnded() bool {
	select {
	case <-s.sourceDone:
		return true
	default:
		return false
	}
}

// A recorder writes the file of -w beside a live capture, where the spool cannot be that file itself.
type recorder struct {
	s    *Store
	w    *Writer
	done chan error
}

// startRecorder returns nil when there is nothing to record.
func (s *Store) startRecorder(opt Options) (*recorder, error) {
	if opt.Write == "" || s.spool.keep {
		return nil, nil
	}
	stop := opt.Stop
	stop.Packets = 0 // counted by the store
	wo := WriterOptions{Application: opt.Application, Ring: opt.Ring, Stop: stop}
	if s.sections.Len() > 0 {
		wo.Section = s.sections.At(0)
	}
	w, err := Create(opt.Write, wo)
	if err != nil {
		return nil, err
	}
	for n := range s.ifaces.Len() {
		if _, err := w.interfaceOf(s, n); err != nil {
			w.Close()
			return nil, err
		}
	}
	s.volatileData = opt.Ring.Files > 0 // older files of a ring are gone
	s.recorder = w
	rec := &recorder{s, w, make(chan error, 1)}
	go func() {
		err := s.Record(context.Background(), w, nil)
		if err != nil {
			s.stop()
		}
		rec.done <- err
	}()
	return rec, nil
}

// finish waits until everything is written and closes the file.
func (rec *recorder) finish() error {
	if rec == nil {
		return nil
	}
	rec.s.endSource()
	err := <-rec.done
	if e := rec.w.Close(); e != nil && (err == nil || errors.Is(err, ErrEnough)) {
		err = e
	}
	if err != nil && !errors.Is(err, ErrEnough) {
		rec.s.halfWritten.Store(true)
		return damaged("%v; the capture stopped", err)
	}
	return nil
}
