package capture

import (
	"context"
	"sort"
	"time"
)

// A capture may keep no more than so many bytes (Options.Keep): then the oldest packets leave, some at a time. Their
// bytes are given back to the disk and their rows to memory; packets keep their numbers, and those that have left read
// as gone.

// First is how many packets have left: the first one that is still there, counted from 0.
func (s *Store) First() int { return int(s.first.Load()) }

// Kept tells whether the oldest packets leave by themselves, as Options.Keep says.
func (s *Store) Kept() bool { return s.opt.Keep > 0 }

// leave has the oldest packets leave when there is too much, of a stream up to end. The store's writer calls it.
func (s *Store) leave(end int64) {
	keep := s.opt.Keep
	slack := min(max(keep/16, 64<<10), 64<<20)
	if keep <= 0 || end-s.keptFrom.Load() <= keep+slack {
		return
	}
	first := s.First()
	s.leaveUpTo(first+sort.Search(s.Len()-first, func(i int) bool {
		off, _ := s.index.span(first + i)
		return off >= end-keep
	}), true)
}

// Evict has the packets before n leave, counted from 0, whatever Keep says: what is known of them is wanted no more, or
// memory is short. With release their bytes in the spool are given back to the disk, too. Packets that have to be
// written to a file first stay. Any goroutine may call it.
func (s *Store) Evict(n int, release bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaveUpTo(min(n, s.Len()), release)
}

// leaveUpTo has the packets before n leave. mu is held where there is a spool.
func (s *Store) leaveUpTo(n int, release bool) {
	first := s.First()
	if s.recorder != nil {
		n = min(n, int(s.recorded.Load()))
	}
	if n <= first {
		return
	}
	if s.spool == nil || !release {
		s.raiseFirst(n)
		s.forgetPackets(first, n)
		if s.live != nil && release && s.opt.Passing {
			s.live.send(request{Release: n})
		}
		return
	}
	from := max(s.keptFrom.Load(), s.packetFrom(first))
	to := s.spool.end()
	if n < s.Len() {
		to = s.packetFrom(n)
	}
	s.keptFrom.Store(to)
	s.raiseFirst(n)
	s.forgetPackets(first, n)
	s.freeSpool(from, to)
}

// forgetPackets gives up what is known of packets that have left.
func (s *Store) forgetPackets(first, n int) {
	s.index.forget(first, n)
	if !s.notes.any.Load() {
		return
	}
	s.notes.mu.Lock()
	defer s.notes.mu.Unlock()
	for i := range s.notes.at {
		if i < n {
			delete(s.notes.at, i)
		}
	}
}

// packetFrom is where the record of a packet begins in the spool.
func (s *Store) packetFrom(i int) int64 {
	off, _ := s.index.span(i)
	return off
}

// freeSpool gives a piece of the spool back to the disk. The user's own file keeps everything.
func (s *Store) freeSpool(from, to int64) {
	sp := s.spool
	if sp == nil || sp.keep || to <= from || sp.flush() != nil {
		return
	}
	sp.unlink() // a stream's own format has no block to pass over: nothing could be recovered from it
	punch(sp.f, from, to-from)
}

// maxAhead is how many packets a source may be ahead of those who read them, when they say how far they are.
const maxAhead = 1 << 20

// Consumed says how many packets were read so far, so that files and pipes wait for a reader that is slower than they
// are: what is not read yet takes memory, too. A negative number ends that. Live sources wait for nobody.
func (s *Store) Consumed(n int) { s.consumed.Store(int64(n)) }

// wait holds a source back that is far ahead of its reader. It returns false when ctx has ended.
func (s *Store) wait(ctx context.Context) bool {
	for n := s.consumed.Load(); n >= 0 && int64(s.Len())-n > maxAhead; n = s.consumed.Load() {
		s.wake()
		select {
		case <-ctx.Done():
			return false
		case <-time.After(2 * time.Millisecond):
		}
	}
	return true
}
