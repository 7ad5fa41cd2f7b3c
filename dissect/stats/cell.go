package stats

import (
	"remora/dissect"
	"remora/internal/sorting"
)

// A Count is a number of packets and their bytes on the wire.
type Count struct{ Packets, Bytes uint64 }

func (c *Count) add(o Count) { c.Packets += o.Packets; c.Bytes += o.Bytes }

// sizeClasses is how many different lengths are told apart.
const sizeClasses = 24

// A cell counts the packets of one layer stack that go in one direction.
type cell struct {
	Count
	first, last int64            // nanoseconds since 1970
	sample      dissect.FrameNum // one of them
	line        Timeline
	gaps        gaps
	sizes       sizes
}

func (c *cell) add(at int64, length uint32, conv uint32) {
	if c.Packets == 0 || at < c.first {
		c.first = at
	}
	c.last = max(c.last, at)
	c.Packets++
	c.Bytes += uint64(length)
	c.line.Add(at, 1)
	c.sizes.add(length)
	c.gaps.add(at, conv)
}

// gapConversations is how many conversations a cell keeps the newest packet of: the gaps of further ones are not
// measured.
const gapConversations = 1024

// gaps measures the time from packet to packet within each conversation.
type gaps struct {
	last   map[uint32]*lastGap // by conversation
	newest *lastGap            // of the packet before
	n      uint64
	sum    float64 // seconds
	jitter float64 // sum of differences between neighbouring gaps
	jn     uint64
	counts gapCounts
}

type lastGap struct {
	at, gap int64
	conv    uint32
}

func (g *gaps) add(at int64, conv uint32) {
	l := g.newest
	if l == nil || l.conv != conv {
		l = g.last[conv]
	}
	switch {
	case l == nil && len(g.last) >= gapConversations:
		return
	case l == nil:
		if g.last == nil {
			g.last = map[uint32]*lastGap{}
		}
		g.newest = &lastGap{at, -1, conv}
		g.last[conv] = g.newest
		return
	}
	gap := max(0, at-l.at)
	g.n++
	g.counts.add(gap)
	g.sum += float64(gap) / 1e9
	if l.gap >= 0 {
		g.jitter += float64(max(gap-l.gap, l.gap-gap)) / 1e9
		g.jn++
	}
	l.at, l.gap, g.newest = at, gap, l
}

// sizes counts lengths. When there are too many different ones, the rest is counted together.
type sizes struct {
	lengths []uint32
	counts  []uint64
	others  uint64
}

func (s *sizes) add(length uint32) { s.addMany(length, 1) }

func (s *sizes) addMany(length uint32, n uint64) {
	for i, l := range s.lengths {
		if l == length {
			s.counts[i] += n
			if i > 0 && s.counts[i] > s.counts[i-1] { // the common ones are found first
				s.counts[i], s.counts[i-1] = s.counts[i-1], s.counts[i]
				s.lengths[i], s.lengths[i-1] = s.lengths[i-1], s.lengths[i]
			}
			return
		}
	}
	if len(s.lengths) >= sizeClasses {
		s.others += n
		return
	}
	s.lengths, s.counts = append(s.lengths, length), append(s.counts, n)
}

// A Size is a length in bytes and how many packets have it.
type Size struct {
	Length  uint32
	Packets uint64
}

func (s *sizes) list() []Size {
	var out []Size
	for i, l := range s.lengths {
		out = append(out, Size{l, s.counts[i]})
	}
	sorting.Func(out, func(a, b Size) int { return int(a.Length) - int(b.Length) })
	return out
}
