package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/capture/spool"
	"remora/internal/broker"
	"remora/internal/sibling"
)

// reportEvery is the least time between two reports to one reader, and countEvery to one that does not read the
// packets.
const (
	reportEvery = 4 * time.Millisecond
	countEvery  = 200 * time.Millisecond
)

// A server runs captures for the program that it is connected with, and goes on with those that are to survive it.
type server struct {
	mu     sync.Mutex
	all    map[*hosted]bool
	busy   sync.WaitGroup                // connections and captures
	bounds atomic.Pointer[broker.Bounds] // of what captures may write; nil: anything
}

// accept serves the connections that come over master, until its other end is gone.
func (s *server) accept(master *net.UnixConn) {
	for {
		what := make([]byte, 1)
		_, files, err := sibling.Receive(master, what)
		if err != nil {
			return
		}
		for _, f := range files {
			if c, err := sibling.FromFile(f); err == nil {
				s.take(what[0], c)
			}
		}
	}
}

// take serves a connection that came with a message.
func (s *server) take(what byte, c sibling.Conn) {
	if what == masterBounds {
		s.takeBounds(c)
		return
	}
	s.serve(c)
}

// The messages over a master, which all pass a connection.
const (
	masterServe  = 0 // it is to be served
	masterBounds = 1 // it brings what captures may write from now on
)

// takeBounds reads what captures may write. It comes once, before a packet was read; what may be less is not asked for
// twice.
func (s *server) takeBounds(c sibling.Conn) {
	defer c.Close()
	c.SetDeadline(time.Now().Add(visitFor))
	b := &broker.Bounds{}
	if messages(c).Decode(b) != nil {
		b = &broker.Bounds{}
	}
	s.bounds.CompareAndSwap(nil, b)
}

// mayStart says why a capture is not started for a screen that has given up the right to write files.
func (s *server) mayStart(o *capture.Options) error {
	b := s.bounds.Load()
	switch {
	case b == nil:
		return nil
	case o.SpoolDir != "":
		return errors.New("spools are kept in their own folder alone")
	case o.Write == "" || o.Write == os.DevNull:
		return nil
	}
	if err := broker.MayWrite(*b, pcapfile.IsCapture, o.Write); err != nil {
		return pcapfile.CannotWrite(o.Write, err)
	}
	return nil
}

// serve begins what the first request of a connection wants.
func (s *server) serve(c sibling.Conn) {
	s.busy.Go(func() {
		defer c.Close()
		in := messages(c)
		var r request
		switch {
		case in.Decode(&r) != nil:
			return
		case r.Links != nil:
			c.Write(encode(answerLinks(*r.Links)))
			return
		case r.Start == nil:
			return
		}
		err := s.mayStart(r.Start)
		var e *engine
		if err == nil {
			e, err = startEngine(*r.Start, r.Programs)
		}
		if err != nil {
			c.Write(encode(report{Failed: newWireError(err)}))
			return
		}
		s.host(e).attend(c, in)
	})
}

// end has all captures end; what they took stays.
func (s *server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for h := range s.all {
		h.e.stop()
	}
}

// A hosted capture is an engine with the readers that it has.
type hosted struct {
	s       *server
	e       *engine
	socket  *net.UnixListener // where other programs can join; nil where they cannot
	path    string
	mu      sync.Mutex
	readers int
	alone   *time.Timer // ends a capture that nobody reads
	closed  bool
}

// host takes in a capture with its first reader.
func (s *server) host(e *engine) *hosted {
	h := &hosted{s: s, e: e, readers: 1}
	if !e.opt.Brief && e.f != nil {
		h.listen()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*hosted]bool{}
	}
	s.all[h] = true
	s.busy.Add(1)
	go func() {
		<-e.finished
		h.mu.Lock()
		defer h.mu.Unlock()
		h.closeIfLeft(endKeep)
	}()
	return h
}

// listen opens the socket beside the spools. A capture without one can still be recovered.
func (h *hosted) listen() {
	dir := h.e.opt.SpoolDir
	name := strings.TrimSuffix(filepath.Base(h.e.path), filepath.Ext(h.e.path))
	if !h.e.own {
		dir = filepath.Dir(h.e.path)
	} else {
		name = fmt.Sprintf("%s-%d", spool.Name(h.e.name), os.Getpid())
		if dir == "" {
			var err error
			if dir, err = spool.Dir(); err != nil {
				return
			}
		}
	}
	path := filepath.Join(dir, name+socketEnding)
	l, err := listenAt(path)
	if err != nil {
		return
	}
	h.socket, h.path = l, path
	go func() {
		for {
			c, err := l.AcceptUnix()
			if err != nil {
				return
			}
			h.s.busy.Go(func() {
				defer c.Close()
				h.visit(c)
			})
		}
	}()
}

// visit serves another program that found the socket.
func (h *hosted) visit(c *net.UnixConn) {
	c.SetDeadline(time.Now().Add(visitFor))
	in := messages(c)
	var r request
	if !samePerson(c) || in.Decode(&r) != nil {
		return
	}
	if r.Describe {
		state := h.e.state(0)
		c.Write(encode(report{Began: h.began(), State: &state}))
		return
	}
	c.SetDeadline(time.Time{})
	if r.Attach && h.join() {
		h.attend(c, in)
	}
}

// began is what a new reader is told first.
func (h *hosted) began() *began {
	e := h.e
	h.mu.Lock()
	readers := h.readers
	h.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := &began{Options: e.opt, Name: e.name, Spool: e.f != nil, Own: e.own, Head: e.head, MarkAt: e.markAt,
		Started: e.started,
		PID:     os.Getpid(), Readers: readers, Volatile: !e.own && (e.rec == nil || e.opt.Ring.Files > 0)}
	if e.path != "" {
		b.Path, _ = filepath.Abs(e.path)
	}
	return b
}

// join counts a reader, unless the capture is over.
func (h *hosted) join() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.readers++
	if h.alone != nil {
		h.alone.Stop()
		h.alone = nil
	}
	return true
}

// attend serves a reader until it leaves.
func (h *hosted) attend(c sibling.Conn, in *json.Decoder) {
	end := endGone
	defer func() { h.leave(end) }()
	if h.greet(c) != nil {
		return
	}
	quit := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() { h.sendReports(c, quit) })
	defer telling.Wait()
	defer c.CloseRead()
	defer close(quit)
	for end == endGone {
		var r request
		if in.Decode(&r) != nil {
			c.SetWriteDeadline(time.Now()) // nobody reads any more
			return
		}
		end = r.End
		if r.Stop {
			h.e.stop()
		}
		if r.Release > 0 && h.e.opt.Passing {
			h.e.release(r.Release)
		}
		if r.Next {
			select {
			case h.e.nextFile <- struct{}{}:
			default: // it was asked for already
			}
		}
	}
}

// greet sends what the capture is, and the spool to read it from.
func (h *hosted) greet(c sibling.Conn) error {
	b := h.began()
	b.Readers--
	if !b.Spool {
		return sibling.Send(c, encode(report{Began: b}))
	}
	return sibling.Send(c, encode(report{Began: b}), h.e.f) // with the lock: it holds as long as one of the two lives
}

// sendReports reports how the capture goes whenever that changed. A reader that takes nothing holds up nobody else.
func (h *hosted) sendReports(c sibling.Conn, quit <-chan struct{}) {
	changed, cancel := h.e.status.subscribe()
	defer cancel()
	said, every := 0, reportEvery
	if h.e.opt.Unread {
		every = countEvery
	}
	for {
		select {
		case <-changed:
		case <-quit:
			return
		}
		p := h.e.state(said)
		said += len(p.Notices)
		if _, err := c.Write(encode(report{State: &p})); err != nil {
			return
		}
		if !p.Done {
			time.Sleep(every)
		}
	}
}

// leave counts a reader that is gone. The last one decides what becomes of the capture: one that left without a word is
// waited for, where it was a screen.
func (h *hosted) leave(end endOfUse) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.readers--
	if h.readers > 0 {
		return
	}
	if end == endGone && h.e.opt.Unattended > 0 && !h.over() {
		h.alone = time.AfterFunc(h.e.opt.Unattended, h.e.stop)
		return
	}
	if h.e.opt.Brief {
		end = endDiscard
	}
	h.e.stop()
	h.mu.Unlock()
	<-h.e.finished
	h.mu.Lock()
	h.closeIfLeft(end)
}

func (h *hosted) over() bool {
	select {
	case <-h.e.finished:
		return true
	default:
		return false
	}
}

// closeIfLeft gives up a capture that has ended and that nobody reads.
func (h *hosted) closeIfLeft(end endOfUse) {
	if h.readers > 0 || h.closed {
		return
	}
	h.closed = true
	if h.alone != nil {
		h.alone.Stop()
	}
	if h.socket != nil {
		h.socket.Close()
		os.Remove(h.path)
	}
	switch {
	case end == endDiscard, h.e.packets == 0:
		h.e.discard()
	case h.e.f != nil:
		if end == endForADay && !h.e.own && h.e.path != "" {
			spool.LeaveForADay(h.e.path)
		}
		h.e.f.Close()
	}
	h.s.mu.Lock()
	delete(h.s.all, h)
	h.s.mu.Unlock()
	h.s.busy.Done()
}
