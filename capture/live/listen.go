package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"remora/capture"
	"remora/capture/bpf"
)

const (
	defaultBufferMiB = 32

	// retireAfter is how long the kernel may hold packets back to hand over many at once: what a lone packet waits
	// at most before it is taken.
	retireAfter = 10 * time.Millisecond

	// flushEvery is how often the file of -w is flushed: a killed program loses at most this much of it.
	flushEvery = time.Second

	// drainFor bounds how long packets are still taken that the kernel held when the capture was stopped.
	drainFor = 2 * time.Second
)

// A device is an interface that is open.
type device interface {
	// taker takes its packets, as blocks of an interface of the spool.
	taker(ctx context.Context, iface int) taker
	// counted are the packets that passed its filter, those dropped for want of room, and those that the card dropped.
	counted() (filtered, dropped, ifDropped uint64, ok bool)
	Close()
}

// A taker gives the packets of one device. next waits about as long as patience, then returns errSilence. refuse ends
// what comes, so that only what the kernel holds is left to be taken; it reports whether that could be done.
type taker interface {
	next(patience time.Duration) (packetBatch, error)
	refuse() bool
	close()
}

var errSilence = errors.New("no packet came")

// A listener owns one device. Its goroutine takes packets and hands them to the engine, and does nothing else.
type listener struct {
	e      *engine
	h      device
	id     int
	name   string
	count  *counter
	polled time.Time
	polls  int
	down   bool // was switched off
	turns  int  // how often it was switched on again
}

// startEngine opens the interfaces and begins to capture.
func startEngine(opt capture.Options, programs []program) (*engine, error) {
	if len(opt.Interfaces) == 0 {
		return nil, &capture.InterfaceError{Text: "no interface was named: -D lists them"}
	}
	if err := mayCapture(); errors.Is(err, bpf.ErrNoLibpcap) {
		return nil, err
	}
	e := &engine{opt: opt, name: strings.Join(opt.Interfaces, ", "), started: time.Now(),
		nextFile: make(chan struct{}, 1), finished: make(chan struct{})}
	var all []*listener
	giveUp := func(err error) (*engine, error) {
		for _, l := range all {
			l.h.Close()
		}
		return nil, err
	}
	for i, name := range opt.Interfaces {
		h, iface, err := openInterface(name, opt, programs)
		if err != nil {
			return giveUp(err)
		}
		c := &counter{name: name}
		c.live.Store(true)
		e.counters = append(e.counters, c)
		e.ifaces = append(e.ifaces, iface)
		all = append(all, &listener{e: e, h: h, id: i, name: name, count: c})
	}
	if err := e.begin(); err != nil {
		return giveUp(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	e.stop = stop
	go e.run(ctx, all)
	return e, nil
}

// run lets the listeners listen until all have ended.
func (e *engine) run(ctx context.Context, all []*listener) {
	defer close(e.finished)
	defer e.status.changed()
	if d := e.opt.Stop.Duration; d > 0 {
		timer := time.AfterFunc(d, e.stop)
		defer timer.Stop()
	}
	var errs errorList
	var wg sync.WaitGroup
	for _, l := range all {
		wg.Go(func() { errs.add(l.listen(ctx)) })
	}
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	errs.add(e.keepTime(ended))
	<-ended
	errs.add(e.finish())
	e.status.end(errs.first())
}

// keepTime flushes what was taken, and turns the file of -w, until the listeners have ended.
func (e *engine) keepTime(ended <-chan struct{}) error {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		next := false
		select {
		case <-ended:
			return nil
		case <-e.nextFile:
			next = true
		case <-tick.C:
		}
		_, err := e.flush() // the listener may wait for the next packet, however long
		if err == nil {
			err = e.turn(next)
		}
		if err != nil {
			e.stop()
			return err
		}
	}
}

// listen takes packets until ctx ends or the interface fails.
func (l *listener) listen(ctx context.Context) error {
	defer l.h.Close()
	from := l.h.taker(ctx, l.id)
	defer from.close()
	defer l.count.live.Store(false)
	defer l.stats()
	patience := statsEvery
	for {
		b, err := from.next(patience)
		switch {
		case err == nil:
			if err := l.take(b); err != nil {
				l.e.stop()
				if errors.Is(err, capture.ErrEnough) {
					l.drain(from)
				}
				return err
			}
			patience = 0 // as long as the kernel holds more
		case err != errSilence:
			l.lost(err)
			return nil
		default:
			if patience, err = l.e.flush(); err != nil {
				l.e.stop()
				return err
			}
		}
		if ctx.Err() != nil {
			return l.drain(from)
		}
		if time.Since(l.polled) > statsEvery {
			l.stats()
			l.e.status.changed()
		}
	}
}

func (l *listener) take(b packetBatch) error {
	l.count.received.Add(uint64(b.n))
	return l.e.take(b)
}

// drain takes what the kernel held when the capture was stopped. Packets that a stop rule leaves out are counted.
func (l *listener) drain(from taker) error {
	if !from.refuse() {
		return nil
	}
	time.Sleep(2 * retireAfter) // the block that the kernel was filling is handed over by then
	for end := time.Now().Add(drainFor); ; {
		b, err := from.next(0)
		if err != nil {
			return nil
		}
		if time.Now().After(end) {
			l.count.inKernel.Add(uint64(b.n))
			continue
		}
		switch err := l.take(b); {
		case errors.Is(err, capture.ErrEnough):
			l.count.received.Add(-uint64(b.n))
			l.count.inKernel.Add(uint64(b.n))
		case err != nil:
			return err
		}
	}
}

// stats takes over what the kernel counts.
func (l *listener) stats() {
	l.polled = time.Now()
	if l.polls++; l.polls%4 == 0 {
		l.watch()
	}
	if filtered, dropped, ifDropped, ok := l.h.counted(); ok {
		l.count.filtered.Store(filtered)
		l.count.dropped.Store(dropped)
		l.count.ifDropped.Store(ifDropped)
	}
}

// watch says when an interface was switched off or on again: packets come no more then, or come again.
func (l *listener) watch() {
	n, err := card(l.name)
	if err != nil {
		return
	}
	down, now := n.Flags&net.FlagUp == 0, time.Now().Format("15:04:05")
	if down && !l.down {
		l.e.status.notice(fmt.Sprint("down ", l.name, l.turns),
			"%s was switched off at %s: no packets come until it is on again", l.name, now)
	} else if !down && l.down {
		l.turns++
		l.e.status.notice(fmt.Sprint("up ", l.name, l.turns), "%s is on again since %s", l.name, now)
	}
	l.down = down
}

// lost says why an interface gives nothing any more.
func (l *listener) lost(err error) {
	text, why := strings.ToLower(err.Error()), ""
	switch {
	case strings.Contains(text, "disappeared"), strings.Contains(text, "no such device"):
		why = l.name + " is gone, so capturing on it ended"
	case strings.Contains(text, "went down"):
		why = l.name + " went down, so capturing on it ended"
	default:
		why = fmt.Sprintf("capturing on %s ended (%v)", l.name, err)
	}
	if kept := l.e.keeps(); kept != "" {
		why += ": " + kept
	}
	l.e.status.notice("lost "+l.name, "%s", why)
	l.e.status.cutShort()
}

// An errorList keeps the first failure of several goroutines.
type errorList struct {
	mu  sync.Mutex
	err error
}

// add takes a failure; a stop rule that holds is none where another is known.
func (e *errorList) add(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil && (e.err == nil || errors.Is(e.err, capture.ErrEnough)) {
		e.err = err
	}
}

func (e *errorList) first() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}
