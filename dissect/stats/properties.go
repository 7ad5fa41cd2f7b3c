package stats

import (
	"sync/atomic"

	"remora/dissect"
)

// Properties counts what is known of a capture as a whole. One goroutine counts; anybody asks.
type Properties struct {
	s *dissect.Session

	yieldingMutex
	sums Sums
	upTo atomic.Uint32
}

// Sums are the counts of a capture as a whole.
type Sums struct {
	Count
	Captured    uint64 // bytes that are in the file
	Cut         uint64 // packets that were cut by a snapshot length
	Shortest    uint32 // of the lengths on the wire
	Longest     uint32
	First, Last int64 // earliest and latest time, nanoseconds since 1970
	Ordered     bool  // no packet is stamped earlier than the one before
	Interfaces  []Count

	before int64
}

// NewProperties is a count of nothing yet.
func NewProperties(s *dissect.Session) *Properties {
	return &Properties{s: s, sums: Sums{Ordered: true}}
}

// Session is whose packets are counted.
func (p *Properties) Session() *dissect.Session { return p.s }

// Range counts the frames from one to another, all of them.
func (p *Properties) Range(from, to dissect.FrameNum) {
	defer p.yieldToReaders()
	p.mu.Lock()
	defer p.mu.Unlock()
	v := &p.sums
	for n := from; n <= to; n++ {
		m := p.s.Store().Meta(int(n) - 1)
		if v.Packets == 0 {
			v.First, v.Last, v.Shortest, v.before = m.Time, m.Time, m.Len, m.Time
		}
		v.Ordered = v.Ordered && m.Time >= v.before
		v.before = m.Time
		v.First, v.Last = min(v.First, m.Time), max(v.Last, m.Time)
		v.Shortest, v.Longest = min(v.Shortest, m.Len), max(v.Longest, m.Len)
		v.Captured += uint64(m.CapLen)
		if m.CapLen < m.Len {
			v.Cut++
		}
		one := Count{1, uint64(m.Len)}
		v.Count.add(one)
		for len(v.Interfaces) <= m.Interface {
			v.Interfaces = append(v.Interfaces, Count{})
		}
		v.Interfaces[m.Interface].add(one)
	}
	p.upTo.Store(max(p.upTo.Load(), uint32(to)))
}

// Sums are the counts so far.
func (p *Properties) Sums() Sums {
	p.lockToRead()
	defer p.mu.Unlock()
	out := p.sums
	out.Interfaces = append([]Count(nil), out.Interfaces...)
	return out
}

// UpTo is the last frame that was counted. It waits for nobody.
func (p *Properties) UpTo() dissect.FrameNum { return dissect.FrameNum(p.upTo.Load()) }

// Seconds is the time that the packets cover.
func (v *Sums) Seconds() float64 { return float64(v.Last-v.First) / 1e9 }
