package pcapfile

import (
	"errors"
	"time"

	"remora/capture"
)

// A recorder writes the file of -w beside a stream.
type recorder struct {
	s    *capture.Store
	a    *capture.Appender
	w    *Writer
	next chan struct{} // asks for the next file
	done chan error
}

// startRecorder returns nil when there is nothing to record.
func startRecorder(s *capture.Store, a *capture.Appender, opt capture.Options) (*recorder, error) {
	if opt.Write == "" {
		return nil, nil
	}
	stop := opt.Stop
	stop.Packets = 0 // counted by the stream
	w, err := Create(opt.Write, WriterOptions{Application: opt.Application, Ring: opt.Ring, Stop: stop,
		Closed: opt.Closed})
	if err != nil {
		return nil, err
	}
	rec := &recorder{s, a, w, make(chan struct{}, 1), make(chan error, 1)}
	a.Recorded(0)
	a.OnNextFile(func() error {
		select {
		case rec.next <- struct{}{}:
		default: // it was asked for already
		}
		return nil
	})
	go func() {
		err := rec.run()
		if err != nil {
			a.Stop()
		}
		rec.done <- err
	}()
	return rec, nil
}

// run copies the packets as they come, until the source has ended or a stop rule of the writer holds, which is reported
// as [capture.ErrEnough]. It flushes the file once a second and turns its ring.
func (rec *recorder) run() error {
	changed, cancel := rec.s.Subscribe()
	defer cancel()
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	r := rec.s.NewReader()
	for i := 0; ; {
		ended := isClosed(rec.s.Complete())
		for n := rec.s.Len(); i < n; i++ {
			if err := rec.w.CopyPacket(r, i); err != nil {
				return err
			}
			rec.a.Recorded(i + 1)
		}
		if ended {
			return rec.w.Flush()
		}
		select {
		case <-changed:
		case <-rec.s.Complete():
		case <-tick.C:
			if err := errors.Join(rec.w.Flush(), rec.w.Turn()); err != nil {
				return err
			}
		case <-rec.next:
			if err := rec.w.Next(); err != nil {
				return err
			}
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// finish waits until everything is written and closes the file.
func (rec *recorder) finish() error {
	if rec == nil {
		return nil
	}
	rec.a.EndSource()
	err := <-rec.done
	if e := rec.w.Close(); e != nil && (err == nil || errors.Is(err, capture.ErrEnough)) {
		err = e
	}
	if err != nil && !errors.Is(err, capture.ErrEnough) {
		rec.a.SetHalfWritten(0)
		return capture.Damaged("%v; the capture stopped", err)
	}
	return nil
}
