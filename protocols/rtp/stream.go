package rtp

import "remora/dissect"

var (
	fPrevious = proto.FrameRef("previous", "Previous packet of the stream", "The packet before of this source.")
	fDelta    = proto.Span("delta", "Time since previous packet", "Time since the packet before of this source.").Derived()
	fLost     = proto.Uint16("lost", "Packets missing in front of this one",
		"How many sequence numbers were passed over.").Derived()
	fJitter = proto.Span("jitter", "Interarrival jitter",
		"How unevenly packets arrive (RFC 3550 section 6.4.1), smoothed.").Derived()

	nLost  = proto.Expert("sequence.lost", dissect.Hint, "Packets are missing in front of this one")
	nLate  = proto.Expert("sequence.late", dissect.Hint, "The packet comes later than its number")
	nTwice = proto.Expert("sequence.twice", dissect.Hint, "The sequence number was just seen")
)

// A source is what is known of the stream of one synchronization source.
type source struct {
	last   dissect.FrameNum
	high   uint32 // extended sequence number
	at     int64
	stamp  uint32
	jitter float64 // nanoseconds
}

// maxSources bounds the sources of one conversation that are followed.
const maxSources = 256

type sourceKey struct {
	ssrc uint32
	dir  int
}

type streamState struct{ all map[sourceKey]*source }

// What a packet is in the order of its stream.
const (
	inOrder = iota
	afterGap
	late
	twice
)

type streamNote struct {
	Previous dissect.FrameNum
	Extended uint32
	Lost     uint16
	Order    uint8
	Jitter   uint32 // microseconds
}

var streams = dissect.NewStore[streamState, streamNote]()

// track takes a packet into its stream. A format whose clock is not known has no jitter.
func track(d *dissect.D, at int, ssrc uint32, seq uint16, stamp, clock uint32) {
	n := streams.FirstPass(d, func(s *streamState) streamNote {
		if s.all == nil {
			s.all = map[sourceKey]*source{}
		}
		k := sourceKey{ssrc, d.Dir}
		if s.all[k] == nil {
			if len(s.all) >= maxSources {
				return streamNote{}
			}
			s.all[k] = &source{}
		}
		return s.all[k].step(d, seq, stamp, clock)
	})
	if n.Extended != 0 {
		d.Put(fExtSeq, uint64(n.Extended), at, 2)
	}
	if n.Previous == 0 {
		return
	}
	d.Set(fPrevious, uint64(n.Previous))
	d.Packet().SetSince(fDelta, n.Previous)
	if n.Jitter > 0 {
		d.Set(fJitter, uint64(n.Jitter)*1000)
	}
	switch n.Order {
	case afterGap:
		d.Set(fLost, uint64(n.Lost))
		d.Expert(nLost)
	case late:
		d.Expert(nLate)
	case twice:
		d.Expert(nTwice)
	}
}

// extend puts the upper half in front of a sequence number: the one nearest to the highest number so far. The first
// counts from 65536 on, so that what comes late is not below zero.
func extend(high uint32, seq uint16) uint32 {
	if high == 0 {
		high = 1 << 16
	}
	v := high&0xffff0000 | uint32(seq)
	switch {
	case v+0x8000 < high:
		v += 1 << 16
	case high+0x8000 < v:
		v -= 1 << 16
	}
	return v
}

func (s *source) step(d *dissect.D, seq uint16, stamp, clock uint32) streamNote {
	v := extend(s.high, seq)
	n := streamNote{Previous: s.last, Extended: v}
	now := d.Time()
	if s.last != 0 {
		switch gap := int64(v) - int64(s.high); {
		case gap > 1:
			n.Order, n.Lost = afterGap, uint16(min(gap-1, 0xffff))
		case gap == 0:
			n.Order = twice
		case gap < 0:
			n.Order = late
		}
		if clock > 0 {
			apart := float64(now-s.at) - float64(int32(stamp-s.stamp))*1e9/float64(clock)
			s.jitter += (max(apart, -apart) - s.jitter) / 16
			n.Jitter = uint32(min(s.jitter/1000, 1<<31))
		}
	}
	s.last, s.at, s.stamp = d.Frame, now, stamp
	s.high = max(s.high, v)
	return n
}

// rate is the clock of a packet's format in Hz, 0 when it is not known.
func rate(n setupNote, kind uint64) uint32 {
	if n.Rate != 0 {
		return n.Rate
	}
	if kind >= 35 {
		return 0
	}
	if r := rates[kind]; r != 0 {
		return r
	}
	return 8000
}
