//go:build cgo

package capture

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/google/gopacket/pcap"
)

const (
	defaultBufferMiB = 32

	// retireAfter is how long the kernel may hold packets back to hand over many at once: what a lone packet waits
	// at most before it shows.
	retireAfter = 40 * time.Millisecond

	// wakeEvery is the least time between two wake-ups of the readers, by the packets' own clock: asking the
	// system for the time at every packet would cost more than storing it.
	wakeEvery = 10 * time.Millisecond

	// statsEvery is how often the drop counters are asked for, and how soon an interface that is gone is noticed.
	statsEvery = 500 * time.Millisecond
)

// A listener owns one libpcap handle. Its goroutine takes packets and appends them, and does nothing else.
type listener struct {
	s      *Store
	h      *pcap.Handle
	id     int
	name   string
	count  *counter
	taken  uint64
	woken  int64 // time of the packet that last woke the readers
	asleep bool  // packets came since
	polled time.Time
	polls  int
	down   bool // was switched off
	turns  int  // how often it was switched on again
}

func openLive(ctx context.Context, opt Options) (*Store, error) {
	if len(opt.Interfaces) == 0 {
		return nil, &InterfaceError{Text: "no interface was named: -D lists them"}
	}
	s, ctx := newStore(ctx, strings.Join(opt.Interfaces, ", "))
	var all []*listener
	giveUp := func(err error) (*Store, error) {
		s.stop()
		for _, l := range all {
			l.h.Close()
		}
		return nil, err
	}
	for i, name := range opt.Interfaces {
		h, iface, err := openInterface(name, opt)
		if err != nil {
			return giveUp(err)
		}
		c := &counter{name: name}
		c.live.Store(true)
		s.counters = append(s.counters, c)
		s.ifaces.Append(iface)
		all = append(all, &listener{s: s, h: h, id: i, name: name, count: c})
	}
	if err := s.startSpool(opt); err != nil {
		return giveUp(err)
	}
	rec, err := s.startRecorder(opt)
	if err != nil {
		s.spool.discard()
		return giveUp(err)
	}
	s.live.Store(true)
	go s.runLive(ctx, all, rec)
	return s, nil
}

// runLive lets the listeners listen until all have ended.
func (s *Store) runLive(ctx context.Context, all []*listener, rec *recorder) {
	stopFlush := s.flushRegularly()
	if d := s.opt.Stop.Duration; d > 0 {
		timer := time.AfterFunc(d, s.stop)
		defer timer.Stop()
	}
	var wg sync.WaitGroup
	var failed error
	for _, l := range all {
		wg.Go(func() {
			if err := l.listen(ctx); err != nil {
				s.mu.Lock()
				failed = errors.Join(failed, err)
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
	stopFlush()
	s.finishWith(func() error {
		err := errors.Join(failed, s.writeStats())
		return errors.Join(err, rec.finish())
	})
}

// listen takes packets until ctx ends or the interface fails.
func (l *listener) listen(ctx context.Context) error {
	defer l.h.Close()
	from := newTaker(ctx, l.h)
	defer from.close()
	defer l.count.live.Store(false)
	defer l.stats()
	for n := 0; ; n++ {
		patience := statsEvery
		if l.asleep {
			patience = wakeEvery
		}
		p, err := from.next(patience)
		if err == nil {
			if err = l.packet(p); err != nil {
				return err
			}
			if n&1023 != 0 {
				continue
			}
		} else if err != errSilence {
			return l.lost(err)
		} else if l.asleep {
			l.asleep = false
			l.s.wake()
		}
		if ctx.Err() != nil {
			return nil
		}
		if time.Since(l.polled) > statsEvery {
			l.stats()
		}
	}
}

// packet appends one packet to the spool and the index.
func (l *listener) packet(p livePacket) error {
	s, at, data := l.s, p.time, p.data
	s.mu.Lock()
	if s.full() {
		s.mu.Unlock()
		s.stop()
		return ErrEnough
	}
	n := packetBlock(len(data))
	buf, off, err := s.spool.room(n, s.spool.end())
	if err != nil {
		s.cutSpool()
		s.mu.Unlock()
		s.stop()
		return s.spoolError(err)
	}
	putPacket(buf, l.id, at, p.len, data)
	s.spool.commit(n)
	s.append(at, l.id, off+epbHeader, uint32(len(data)), p.len)
	full := s.full()
	if s.opt.Keep > 0 {
		s.leave()
	}
	s.mu.Unlock()
	l.taken++
	if full {
		s.stop()
		return ErrEnough
	}
	if d := at - l.woken; d > int64(wakeEvery) || d < 0 {
		l.woken, l.asleep = at, false
		s.wake()
	} else {
		l.asleep = true
	}
	return nil
}

// stats takes over what libpcap counts as lost. What it counts as received holds packets that it never hands over:
// on the loopback interface each one twice.
func (l *listener) stats() {
	l.polled = time.Now()
	if l.polls++; l.polls%4 == 0 {
		l.watch()
	}
	l.count.received.Store(l.taken)
	if st, err := l.h.Stats(); err == nil {
		l.count.dropped.Store(uint64(uint32(st.PacketsDropped)))
		l.count.ifDropped.Store(uint64(uint32(st.PacketsIfDropped)))
	}
}

// watch says when an interface was switched off or on again: packets come no more then, or come again.
func (l *listener) watch() {
	if n, err := net.InterfaceByName(l.name); err == nil {
		down := n.Flags&net.FlagUp == 0
		if down && !l.down {
			l.s.notice(fmt.Sprint("down ", l.name, l.turns), "%s was switched off at %s: no packets come until it is on again", l.name, time.Now().Format("15:04:05"))
		} else if !down && l.down {
			l.turns++
			l.s.notice(fmt.Sprint("up ", l.name, l.turns), "%s is on again since %s", l.name, time.Now().Format("15:04:05"))
		}
		l.down = down
	}
}

// lost says why an interface gives nothing any more.
func (l *listener) lost(err error) error {
	text := strings.ToLower(err.Error())
	switch {
	case strings.Contains(text, "disappeared"), strings.Contains(text, "no such device"):
		l.s.notice("lost "+l.name, "%s is gone, so capturing on it ended: its packets are kept", l.name)
	case strings.Contains(text, "went down"):
		l.s.notice("lost "+l.name, "%s went down, so capturing on it ended: its packets are kept", l.name)
	default:
		l.s.notice("lost "+l.name, "capturing on %s ended: its packets are kept (%v)", l.name, err)
	}
	return nil
}
