package capture

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"remora/internal/sibling"
)

// separately says that captures run in a process of their own.
var separately atomic.Bool

// patience is how long a capture process may take for its last words.
const patience = 10 * time.Second

// A liveLink is a store's connection with the process that captures for it. The store's packets are those of the spool.
type liveLink struct {
	conn  *net.UnixConn
	began began
	f     *os.File // the spool; nil where the packets are not read

	mu      sync.Mutex // orders requests, and guards what follows
	latest  progress
	alive   bool
	changed chan struct{}
	over    chan struct{} // closed when the process has hung up

	limit   atomic.Int64 // how far the spool can be read
	missed  atomic.Int64 // packets that had left before they were read
	forgot  int          // rows that were given up; the tail's own
	scanned *window
	format  format
}

// openLive asks the capture process for a capture.
func openLive(ctx context.Context, opt Options) (*Store, error) {
	conn, err := ownProcess.dial()
	if err != nil {
		return nil, err
	}
	return join(ctx, conn, request{Start: &opt})
}

// join begins to read a capture that a request starts or finds.
func join(ctx context.Context, conn *net.UnixConn, r request) (*Store, error) {
	l := &liveLink{conn: conn, alive: true, changed: make(chan struct{}, 1), over: make(chan struct{})}
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
	s, ctx := newStore(ctx, l.began.Name)
	s.live, s.opt, s.captureFilter, s.started = l, l.began.Options, l.began.Options.Filter, l.began.Started
	s.volatileData = l.began.Volatile
	for _, name := range s.opt.Interfaces {
		c := &counter{name: name}
		c.live.Store(true)
		s.counters = append(s.counters, c)
	}
	if err := s.readHead(ctx); err != nil {
		s.stop()
		conn.Close()
		return nil, err
	}
	s.running.Store(true)
	go l.listen(s, in)
	go s.finishWith(func() error { return s.follow(ctx) })
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

// ended says that the process went away before it began.
func (l *liveLink) ended() error {
	if words := ownProcess.words(); words != "" {
		return fmt.Errorf("the capture process ended before it began: %s", words)
	}
	return errors.New("the capture process ended before it began")
}

// listen takes the reports until the process hangs up.
func (l *liveLink) listen(s *Store, r io.Reader) {
	in := messages(bufio.NewReaderSize(r, 16<<10))
	for {
		var a report
		err := in.Decode(&a)
		if err == nil && a.State != nil {
			for _, n := range a.State.Notices {
				s.notice(n.Key, "%s", n.Text)
			}
			for i, c := range a.State.Counts[:min(len(a.State.Counts), len(s.counters))] {
				s.counters[i].set(c.InterfaceCounts)
				s.counters[i].live.Store(c.Live)
			}
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

// close tells the process what becomes of the packets, and returns once that is done.
func (l *liveLink) close(keep bool) error {
	end := endDiscard
	if keep {
		end = endKeep
	}
	p, alive := l.state()
	if err := l.send(request{End: end}); err == nil {
		select {
		case <-l.over:
		case <-time.After(patience):
		}
	} else if !keep && !alive && !p.Unsaved {
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

// status adds what the process says to a store's status.
func (l *liveLink) status(s *Store, st *Status) {
	p, _ := l.state()
	st.BytesRead, st.Spool = p.End, l.began.Path
	if l.f == nil || l.began.Options.Unread {
		st.Packets = p.Taken
	} else {
		st.Kept = max(0, p.End-max(p.KeptFrom, l.began.Head, s.keptFrom.Load()))
	}
	st.Missed = int(l.missed.Load())
}
