package capture

import (
	"context"
	"sort"
	"time"
)

// A capture may keep no more than so many bytes of packets (Options.Keep). Beyond that the oldest are evicted, some at
// a time: their bytes are given back to the disk and their rows to memory. Packets keep their numbers, and reading an
// evicted one gives [ErrGone].

// First is how many packets have been evicted: the position of the first one that is still there.
func (s *Store) First() int { return int(s.first.Load()) }

// Kept reports whether the oldest packets are evicted by a retention limit (Options.Keep).
func (s *Store) Kept() bool { return s.opt.Keep > 0 }

// Evict evicts the packets before position n, whatever the retention limit is: nobody needs them any more, or memory is
// short. With release their bytes in the spool are given back to the disk, too. Packets that a recorder has not written
// to its file yet stay. Any goroutine may call it.
func (s *Store) Evict(n int, release bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.evict(min(n, s.Len()), release)
}

// EvictOldest evicts the oldest packets when the bytes up to the offset end exceed the retention limit.
func (a *Appender) EvictOldest(end int64) {
	s, keep := a.s, a.s.opt.Keep
	if keep <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	slack := min(max(keep/16, 64<<10), 64<<20)
	if end-s.keptFrom.Load() <= keep+slack {
		return
	}
	first := s.First()
	s.evict(first+sort.Search(s.Len()-first, func(i int) bool {
		off, _ := s.index.span(first + i)
		return off >= end-keep
	}), true)
}

// Evicted says that the backing itself has evicted the packets before position n. For those before known that was said
// earlier.
func (a *Appender) Evicted(known, n int) {
	a.s.raiseFirst(n)
	a.s.index.forget(known, n)
}

// evict evicts the packets before position n. mu is held.
func (s *Store) evict(n int, release bool) {
	first := s.First()
	if recorded := s.recorded.Load(); recorded >= 0 {
		n = min(n, int(recorded))
	}
	if n <= first {
		return
	}
	from := max(s.keptFrom.Load(), s.packetFrom(first))
	to := s.bytes.End()
	if n < s.Len() {
		to = s.packetFrom(n)
	}
	s.raiseFirst(n)
	s.forgetPackets(first, n)
	if release && s.bytes.Release(n, from, to) {
		s.keptFrom.Store(to)
	}
}

// raiseFirst says that the packets before n have been evicted.
func (s *Store) raiseFirst(n int) {
	for {
		was := s.first.Load()
		if int64(n) <= was || s.first.CompareAndSwap(was, int64(n)) {
			return
		}
	}
}

// isEvicted reports whether packet i has been evicted. It asks the backing, which may have done so while the packet's
// bytes were read: they may be of something else then.
func (s *Store) isEvicted(i int) bool {
	if n := s.bytes.First(); n > 0 {
		s.raiseFirst(min(n, s.Len()))
	}
	return i < s.First()
}

// forgetPackets frees the index rows and comments of evicted packets.
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

// maxAhead is how many packets a source may be ahead of those who read them, when they say how far they are.
const maxAhead = 1 << 20

// Consumed says how many packets were read so far, so that files and pipes wait for a reader that is slower than they
// are: what is not read yet takes memory, too. A negative number ends that. Live sources wait for nobody.
func (s *Store) Consumed(n int) { s.consumed.Store(int64(n)) }

// WaitForReader holds a source back that is far ahead of its reader (see [Store.Consumed]). It returns false when ctx
// has ended.
func (a *Appender) WaitForReader(ctx context.Context) bool {
	s := a.s
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
