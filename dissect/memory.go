package dissect

import (
	"cmp"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"unsafe"

	"remora/internal/sorting"
)

// What the session holds is bounded (see docs/memory.md). Everything that grows knows the frame that used it last; when
// the sum of it passes the limit, the first pass raises a cutoff: what was used last before it is evicted, packets,
// conversations with all that hangs on them, endpoints, names. So a frame that is kept never refers to a conversation
// that is not.

// A Retention says how much a session may hold.
type Retention struct {
	Memory int64 // bytes; 0 is no limit
	Stated int64 // the limit that was asked for, of which Memory is the session's part: for texts
	// packets behind the first pass that stay; 0 keeps all. The others are wanted no more: their bytes go, too
	Frames int
}

// Forgotten is what was evicted by the retention limit so far.
type Forgotten struct {
	Conversations, Endpoints, Names, Games uint64
	Packets                                uint64 // evicted for want of memory, not by the capture's own limit
}

// Text lists what was evicted, "" where nothing was; of writes a number with its noun: "12 300 conversations".
func (f Forgotten) Text(of func(n int, noun string) string) string {
	var parts []string
	for _, p := range []struct {
		n    uint64
		noun string
	}{{f.Packets, "packet"}, {f.Conversations, "conversation"}, {f.Endpoints, "endpoint"}, {f.Names, "name"},
		{f.Games, "game"}} {
		if p.n > 0 {
			parts = append(parts, of(int(p.n), p.noun))
		}
	}
	return strings.Join(parts, ", ")
}

const (
	checkEvery = 1 << 12 // frames between two looks at how much is held
	minKept    = 1 << 14 // newest frames that are never evicted, nor what they refer to
	ageBuckets = 64
)

// retention is the session's accountant.
type retention struct {
	Retention
	next    int      // the frame at which it looks again
	cutoff  FrameNum // what was used last before it has been evicted, but for conversations with answers
	states  int64    // bytes of the states of conversations
	streams int64    // bytes of what streams wait with

	cycles uint64 // of the garbage collector when something was evicted
	before int64  // bytes that were alive before the session began
	sample []metrics.Sample

	conversations, endpoints, names, games, packets atomic.Uint64
}

// SetRetention says how much the session may hold. It is set before the first pass begins.
func (s *Session) SetRetention(r Retention) {
	s.retention.Retention = r
	s.retention.before = s.retention.alive()
	if r.Frames > 0 {
		for _, rows := range s.columns() {
			rows.LeaveUnpacked()
		}
		s.store.LeaveUnpacked()
	}
}

// Retention is what SetRetention said.
func (s *Session) Retention() Retention { return s.retention.Retention }

// Forgotten is what was evicted so far.
func (s *Session) Forgotten() Forgotten {
	r := &s.retention
	return Forgotten{r.conversations.Load(), r.endpoints.Load(), r.names.Load(), r.games.Load(), r.packets.Load()}
}

// retain evicts what there is too much of. The goroutine of the first pass calls it.
func (s *Session) retain() {
	r, passed := &s.retention, s.Passed()
	if passed < r.next {
		return
	}
	r.next = passed + checkEvery
	if r.Frames > 0 && passed-s.store.First() > r.Frames+forgetEvery {
		s.store.Evict(passed-r.Frames, true)
	}
	if r.Memory > 0 {
		if over := s.held() - r.Memory; over > 0 {
			s.relieve(over + r.Memory/4)
		} else if over := r.unaccounted(); over > 0 {
			s.relieve(over)
		}
		s.shrink(r.Memory / 32)
	}
	s.forgetOld()
}

// Sizes in bytes of what maps hold, with what the map itself needs for each.
const (
	givenUpBytes    = 44
	endpointBytes   = 64
	endNameBytes    = 200
	nameBytes       = 120
	gameBytes       = 2 << 10
	layerStackBytes = 400
)

var conversationBytes = int64(unsafe.Sizeof(Conversation{})+15) &^ 15

// A MemoryPart is one part of what a session holds, in bytes.
type MemoryPart struct {
	Name  string
	Bytes int64
}

// Memory estimates what the session holds, in parts. It serves the goroutine of the first pass, or whoever comes after
// it.
func (s *Session) Memory() []MemoryPart {
	r, notes := &s.retention, int64(0)
	for _, st := range s.stores {
		if h, ok := st.(holder); ok {
			notes += h.bytes()
		}
	}
	return []MemoryPart{
		{"index", s.indexBytes()},
		{"notes", notes + s.frameBytes() - s.indexBytes() + s.made.Bytes()},
		{"conversations", s.conversations.bytes() + s.byKey.bytes()},
		{"state", r.states + r.streams},
		{"columns", s.columnsOf.held()},
		{"names and games", int64(len(s.claims)+len(s.expected))*endpointBytes + int64(len(s.ends.all))*endNameBytes +
			int64(len(s.hosts.all))*nameBytes + int64(len(s.games.list))*gameBytes +
			int64(s.stacks.list.Len())*layerStackBytes},
	}
}

// held is the sum of Memory.
func (s *Session) held() (n int64) {
	for _, part := range s.Memory() {
		n += part.Bytes
	}
	return n
}

// indexBytes is what is held of every packet.
func (s *Session) indexBytes() int64 {
	return s.store.IndexBytes() + s.records.Bytes()
}

// frameBytes is what is held frame by frame, without the notes of stores.
func (s *Session) frameBytes() int64 {
	return s.indexBytes() + s.experts.Bytes() + s.exchanges.Bytes() + s.moreConvs.rows.Bytes() + s.pdus.bytes() +
		s.datagrams.bytes() + s.decrypted.Bytes() + s.forward.bytes() + s.givenUp.bytes()
}

// A holder is a store of the session that knows how much it holds.
type holder interface {
	bytes() int64
	// evict gives up the states of endpoints that were used last before a frame, and tells how many.
	evict(below FrameNum) int
	// shrink gives up the oldest rows that are known by numbers where they take more than limit bytes.
	shrink(limit int64, below FrameNum)
}

// alive is how many bytes were in use after the last garbage collection.
func (r *retention) alive() int64 {
	if r.sample == nil {
		r.sample = []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	}
	metrics.Read(r.sample)
	return int64(r.sample[0].Value.Uint64())
}

// unaccounted is how many bytes there are too many although the estimates do not say so: those who read the session
// hold something, too. It is asked once for each garbage collection.
func (r *retention) unaccounted() int64 {
	alive := r.alive() - r.before
	cycles := r.sample[1].Value.Uint64()
	if over := alive - r.Memory*5/4; over > 0 && cycles > r.cycles+1 { // one for what was evicted to be found
		r.cycles = cycles
		return over + r.Memory/8
	}
	return 0
}

// age is the frame by which a conversation is evicted: its last one, or an earlier one where nobody ever answered.
func (s *Session) age(c *Conversation, passed, first FrameNum) FrameNum {
	if c.ways != 3 && c.latest <= first {
		return max(s.retention.cutoff, c.latest-min(c.latest, passed-c.latest))
	}
	return c.latest
}

// bytes estimates what is held for a conversation. What its stores keep in maps of their own is not counted.
func (c *Conversation) bytes() int64 {
	return conversationBytes + 20 + int64(c.held) + int64(c.waited)
}

// relieve evicts the oldest of all until about so many bytes are free.
func (s *Session) relieve(need int64) {
	r := &s.retention
	passed, first := FrameNum(s.Passed()), FrameNum(s.store.First())
	var freed [ageBuckets]int64
	from := r.cutoff
	width := max(1, (passed-min(passed, from))/ageBuckets)
	s.conversations.each(func(c *Conversation) {
		at := s.age(c, passed, first)
		freed[min(ageBuckets-1, (at-min(at, from))/width)] += c.bytes()
	})
	frames := s.frameBytes()
	for _, st := range s.stores {
		if h, ok := st.(holder); ok {
			frames += h.bytes()
		}
	}
	each := frames / int64(max(1, passed-min(first, passed)))
	cutoff, last := from, passed-min(passed, minKept)
	for b := 0; b < ageBuckets && cutoff < last; b++ {
		cutoff = min(last, from+FrameNum(b+1)*width)
		need -= freed[b]
		if need-int64(cutoff-min(cutoff, first))*each <= 0 {
			break
		}
	}
	s.evictBelow(cutoff)
	r.alive()
	r.cycles = r.sample[1].Value.Uint64()
}

// evictBelow gives up what was used last before a frame.
func (s *Session) evictBelow(cutoff FrameNum) {
	r := &s.retention
	passed := FrameNum(s.Passed())
	if first := s.store.First(); int(cutoff) > first+1 {
		s.store.Evict(int(cutoff)-1, r.Frames > 0 || s.store.Kept())
		if r.Frames == 0 {
			r.packets.Add(uint64(s.store.First() - first))
		}
	}
	first := FrameNum(s.store.First())
	n := s.conversations.drop(func(c *Conversation) bool {
		if c.latest > first || s.age(c, passed, first) >= cutoff {
			return false
		}
		r.states -= int64(c.held)
		r.streams -= int64(c.waited)
		c.forget()
		return true
	})
	r.cutoff = max(r.cutoff, cutoff)
	r.conversations.Add(uint64(n))
	if n > 0 {
		if s.last != nil && s.conversations.At(int(s.last.ID)-1) != s.last {
			s.last = nil
		}
		s.byKey.rebuild(s)
	}
	for _, st := range s.stores {
		if h, ok := st.(holder); ok {
			r.endpoints.Add(uint64(h.evict(cutoff)))
		}
	}
}

// shrink bounds what is not evicted by its age alone, each to a share of the limit.
func (s *Session) shrink(share int64) {
	r := &s.retention
	below := FrameNum(s.store.First() + 1)
	for _, st := range s.stores {
		if h, ok := st.(holder); ok {
			h.shrink(share, below)
		}
	}
	s.made.shrink(share, below)
	var n int
	s.claims, n = trim(s.claims, int(share/endpointBytes), func(c claim) FrameNum { return c.since })
	r.endpoints.Add(uint64(n))
	s.expected, n = trim(s.expected, int(share/endpointBytes), func(c claim) FrameNum { return c.since })
	r.endpoints.Add(uint64(n))
	r.endpoints.Add(uint64(s.ends.trim(int(share / endNameBytes))))
	r.names.Add(uint64(s.hosts.trim(int(share / nameBytes))))
	r.games.Add(uint64(s.games.trim(int(share / gameBytes))))
}

// trim is a map without its older half where it has more than limit entries, and how many are gone.
func trim[K comparable, V any](m map[K]V, limit int, since func(V) FrameNum) (map[K]V, int) {
	if len(m) <= max(limit, 1<<10) {
		return m, 0
	}
	ages := make([]FrameNum, 0, len(m))
	for _, v := range m {
		ages = append(ages, since(v))
	}
	sorting.Func(ages, cmp.Compare[FrameNum])
	middle := ages[len(ages)/2]
	newer := make(map[K]V, len(m)/2)
	for k, v := range m {
		if since(v) >= middle && len(newer) <= len(m)/2 {
			newer[k] = v
		}
	}
	return newer, len(m) - len(newer)
}
