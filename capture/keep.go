package capture

import "sort"

// A capture may keep no more than so many bytes (Options.Keep): then the oldest packets leave, some at a time. Their bytes
// are given back to the disk and their rows to memory; packets keep their numbers, and those that have left read as gone.

// First is how many packets have left: the first one that is still there, counted from 0.
func (s *Store) First() int { return int(s.first.Load()) }

// leave has the oldest packets leave when there is too much. The store's writer calls it, with mu held where there are
// several.
func (s *Store) leave() {
	keep := s.opt.Keep
	slack := min(max(keep/16, 64<<10), 64<<20)
	end := s.spool.end()
	if keep <= 0 || end-s.keptFrom.Load() <= keep+slack {
		return
	}
	first := s.First()
	until := s.Len()
	if s.recorder != nil {
		until = min(until, int(s.recorded.Load()))
	}
	n := first + sort.Search(until-first, func(i int) bool {
		off, _ := s.index.span(first + i)
		return off >= end-keep
	})
	if n == first {
		return
	}
	from := s.keptFrom.Load()
	if from == 0 {
		from = s.packetFrom(first)
	}
	to := end
	if n < s.Len() {
		to = s.packetFrom(n)
	}
	s.keptFrom.Store(to)
	s.first.Store(int64(n))
	s.index.forget(first, n)
	s.freeSpool(from, to)
}

// packetFrom is where the record of a packet begins in the spool.
func (s *Store) packetFrom(i int) int64 {
	off, _ := s.index.span(i)
	if s.counters != nil {
		return off - epbHeader
	}
	return off
}

// freeSpool gives a piece of the spool back to the disk. The user's own file keeps everything.
func (s *Store) freeSpool(from, to int64) {
	sp := s.spool
	if sp.keep || to <= from || sp.flush() != nil {
		return
	}
	if s.counters == nil { // a stream's own format has no block to pass over: nothing could be recovered from it
		sp.unlink()
	} else if !sp.putFiller(from, to) {
		return
	}
	punch(sp.f, from+fillerHead, to-from-fillerHead-4)
}
