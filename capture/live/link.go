package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/capture/spool"
	"remora/internal/sibling"
)

// separately is set when captures run in a process of their own instead of a goroutine of this program.
var separately atomic.Bool

// patience is how long a capture process may take to answer the last request.
const patience = 10 * time.Second

// A liveLink is a store's connection with the process that captures for it. The store's packets are those of the spool.
type liveLink struct {
	conn  sibling.Conn
	began began
	f     *os.File // the spool; nil where the packets are not read

	mu      sync.Mutex // orders requests, and guards what follows
	latest  progress
	alive   bool
	changed chan struct{}
	over    chan struct{} // closed when the process has hung up

	limit  atomic.Int64 // how far the spool can be read
	missed atomic.Int64 // packets that had left before they were read
	forgot int          // index rows that passOver has freed
	tail   *pcapfile.Tail
	stay   atomic.Int32 // a capture.Stay

	a      *capture.Appender
	closed func(path string)         // is told the names of complete files, or nil
	counts []capture.InterfaceStatus // for listen, and for follow once that has ended
}

// join begins to read a capture that a request starts or finds.
func join(ctx context.Context, conn sibling.Conn, r request) (*capture.Store, error) {
	l := &liveLink{conn: conn, alive: true, changed: make(chan struct{}, 1), over: make(chan struct{})}
	if r.Start != nil {
		l.closed = r.Start.Closed
	}
	giveUp := context.AfterFunc(ctx, func() { conn.Close() })
	in, err := l.greet(r)
	if !giveUp() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		if l.f != nil {
			l.f.Close()
		}
		return nil, err
	}
	s, a, ctx := capture.New(ctx, l.began.Name, l.began.Options, l)
	l.a = a
	a.SetStarted(l.began.Started)
	a.SetUnsaved(l.began.Volatile)
	if !l.began.Own {
		a.OnNextFile(func() error { return l.send(request{Next: true}) })
	}
	for _, name := range l.began.Options.Interfaces {
		l.counts = append(l.counts, capture.InterfaceStatus{Name: name, Live: true})
	}
	a.SetInterfaceStatus(slices.Clone(l.counts))
	if err := l.readHead(ctx); err != nil {
		a.Stop()
		conn.Close()
		return nil, err
	}
	a.SetLive()
	go l.listen(in)
	go a.Run(func() error { return l.follow(ctx) })
	return s, nil
}

// greet sends the first request and takes its answer, with the spool.
func (l *liveLink) greet(r request) (io.Reader, error) {
	if _, err := l.conn.Write(encode(r)); err != nil {
		return nil, fmt.Errorf("the capture process does not answer: %w", err)
	}
	var all []byte
	b := make([]byte, 64<<10)
	for !bytes.Contains(all, []byte("\n")) {
		n, files, err := sibling.Receive(l.conn, b)
		for _, f := range files {
			if l.f != nil {
				l.f.Close()
			}
			l.f = f
		}
		if err != nil {
			return nil, l.ended()
		}
		if all = append(all, b[:n]...); len(all) > maxMessage {
			return nil, fmt.Errorf("the capture process answers with %w", errTooLong)
		}
	}
	line, rest, _ := bytes.Cut(all, []byte("\n"))
	var a report
	if err := json.Unmarshal(line, &a); err != nil {
		return nil, fmt.Errorf("the capture process answers in words that are not known: %w", err)
	}
	switch {
	case a.Failed != nil:
		return nil, a.Failed.error()
	case a.Began == nil || a.Began.Spool && l.f == nil:
		return nil, l.ended()
	}
	l.began = *a.Began
	return io.MultiReader(bytes.NewReader(rest), l.conn), nil
}

// ended is the error of a process that hung up before the capture began.
func (l *liveLink) ended() error {
	if words := ownProcess.words(); words != "" {
		return fmt.Errorf("the capture process ended before it began: %s", words)
	}
	return errors.New("the capture process ended before it began")
}

// listen takes the reports until the process hangs up.
func (l *liveLink) listen(r io.Reader) {
	in := messages(r)
	for {
		var a report
		err := in.Decode(&a)
		if err == nil && a.State != nil {
			for _, n := range a.State.Notices {
				if n.File != "" {
					l.fileClosed(n.File)
					continue
				}
				l.a.Notice(n.Key, "%s", n.Text)
			}
			for i, c := range a.State.Counts[:min(len(a.State.Counts), len(l.counts))] {
				l.counts[i].InterfaceCounts, l.counts[i].Live = c.InterfaceCounts, c.Live
			}
			l.a.SetInterfaceStatus(slices.Clone(l.counts))
			l.mu.Lock()
			l.latest = *a.State
			l.mu.Unlock()
		}
		if err != nil {
			l.mu.Lock()
			l.alive = false
			l.mu.Unlock()
			close(l.over)
		}
		select {
		case l.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (l *liveLink) fileClosed(path string) {
	if l.closed != nil {
		l.closed(path)
	}
}

func (l *liveLink) state() (p progress, alive bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest, l.alive
}

// send asks the process for something more.
func (l *liveLink) send(r request) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.alive {
		return errors.New("the capture process has ended")
	}
	_, err := l.conn.Write(encode(r))
	return err
}

// Keep says how long the spool stays when the store is closed.
func (l *liveLink) Keep(how capture.Stay) { l.stay.Store(max(l.stay.Load(), int32(how))) }

var endOf = map[capture.Stay]endOfUse{
	capture.Removed: endDiscard, capture.ForADay: endForADay, capture.Kept: endKeep,
}

// Close tells the process what becomes of the packets, and returns once that is done.
func (l *liveLink) Close() error {
	stay := capture.Stay(l.stay.Load())
	p, alive := l.state()
	if err := l.send(request{End: endOf[stay]}); err == nil {
		select {
		case <-l.over:
		case <-time.After(patience):
		}
	} else if stay == capture.Removed && !alive && !p.Unsaved {
		l.remove()
	}
	l.conn.Close()
	if l.f != nil {
		return l.f.Close()
	}
	return nil
}

// remove removes the spool that a killed process has left.
func (l *liveLink) remove() {
	if l.f == nil || l.began.Own || l.began.Path == "" {
		return
	}
	mine, err := l.f.Stat()
	named, err2 := os.Lstat(l.began.Path)
	if err == nil && err2 == nil && os.SameFile(mine, named) {
		os.Remove(l.began.Path)
	}
}

// ReadAt reads from the spool, as far as the process says that it is written.
func (l *liveLink) ReadAt(p []byte, off int64, _ int) (int, error) {
	if l.f == nil {
		return 0, io.EOF
	}
	return grownFile{l}.ReadAt(p, off)
}

// End is how far the process has written the spool.
func (l *liveLink) End() int64 {
	p, _ := l.state()
	return p.End
}

// First is how many packets the process has evicted from the spool.
func (l *liveLink) First() int {
	if l.began.MarkAt <= 0 {
		return 0
	}
	_, first, _ := spool.ReadMark(l.f, l.began.MarkAt)
	return first
}

// Release has the process give back what lies before packet n, where it keeps no more than is read.
func (l *liveLink) Release(n int, _, _ int64) bool {
	if l.began.Options.Passing {
		l.send(request{Release: n})
	}
	return false
}

// Status adds what the process says to a store's status.
func (l *liveLink) Status(st *capture.Status) {
	p, _ := l.state()
	st.BytesRead, st.Spool = p.End, l.began.Path
	if l.f == nil || l.began.Options.Unread {
		st.Packets = p.Taken
	} else {
		st.Kept = max(0, p.End-max(p.KeptFrom, l.began.Head))
	}
	st.Missed = int(l.missed.Load())
}
