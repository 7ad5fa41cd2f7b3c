package tcpgraph

import (
	"context"
	"sync"

	"remora/dissect"
	"remora/ui/view"
)

// A point is one segment. Sequence numbers are relative, and go on where 32 bits of them end.
type point struct {
	frame         dissect.FrameNum
	dir           uint8
	at            int64 // nanoseconds since 1970
	seq, ack      int64
	length        uint32
	window        uint32
	flight        uint32
	trip          int64 // nanoseconds until what was acknowledged here, or 0
	acknowledging bool
}

// maxPoints bounds the segments that are kept.
const maxPoints = 1 << 20

// A stream grows beside the screen.
type stream struct {
	mu    sync.Mutex
	list  []point
	sum   [2]int64
	ready bool
}

// What is read of segments.
const (
	fieldSeq = iota
	fieldAck
	fieldLen
	fieldWindow
	fieldTrip
	fieldFlight
	fieldCount
)

// collect reads the segments of a conversation, until all are there or what it returns is called.
func (d *stream) collect(c view.Context, conv uint32) (stop func()) {
	now := c.Scope()
	now.Filtered = nil // a stream with holes that the filter made would be another one
	s := now.Session
	which := map[*dissect.Field]int{}
	var fields []*dissect.Field
	if d := s.Registry().SegmentNumbers(); d != nil {
		fields = []*dissect.Field{d.Sequence, d.Acknowledged, d.Length, d.Window, d.RoundTrip, d.InFlight}
	}
	for i, f := range fields {
		which[f] = i
	}
	wants, guard, a := s.Registry().Wants(fields...), s.Guard(), s.Conversation(conv).A
	var past [2][2]int64 // the last sequence and acknowledgement number of each direction
	return c.Go("reading a stream", func(ctx context.Context) {
		now.Each(ctx, func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
			var batch []point
			at := 0
			guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
				for ; at < len(frames); at++ {
					if s.ConversationOf(frames[at]) == conv {
						batch = append(batch, read(l.Redissect(frames[at], wants), which, a, &past))
					}
				}
			})
			d.put(batch, int(upTo) >= s.Passed())
		})
		d.put(nil, true)
	})
}

// read takes a segment's numbers from its tree.
func read(t *dissect.Tree, which map[*dissect.Field]int, a dissect.Endpoint, past *[2][2]int64) point {
	p := point{frame: t.Frame, at: t.Time()}
	if t.Src != a {
		p.dir = 1
	}
	var seen [fieldCount]bool
	for i := range t.Nodes {
		k, ok := which[t.Field(i)]
		if !ok || seen[k] || t.IsQuoted(i) {
			continue
		}
		seen[k] = true
		switch v := t.Nodes[i].Val; k {
		case fieldSeq:
			p.seq = onward(uint32(v), &past[p.dir][0])
		case fieldAck:
			p.ack, p.acknowledging = onward(uint32(v), &past[p.dir][1]), v > 0
		case fieldLen:
			p.length = uint32(v)
		case fieldWindow:
			p.window = uint32(v)
		case fieldTrip:
			p.trip = int64(v)
		case fieldFlight:
			p.flight = uint32(v)
		}
	}
	return p
}

// onward is a number of 32 bits as one that goes on, near the last one.
func onward(v uint32, last *int64) int64 {
	now := *last + int64(int32(v-uint32(*last)))
	*last = max(*last, now)
	return now
}

func (d *stream) put(batch []point, done bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range batch {
		if len(d.list) < maxPoints {
			d.list = append(d.list, batch[i])
		}
		d.sum[batch[i].dir] += int64(batch[i].length)
	}
	d.ready = done
}

// points are the segments so far, in the order in which they were captured; they are not changed any more.
func (d *stream) points() []point {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.list
}

// carried is how many bytes each direction has, and whether all are counted.
func (d *stream) carried() ([2]int64, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sum, d.ready
}

func (d *stream) span() (from, to int64) {
	list := d.points()
	if len(list) == 0 {
		return 0, 1
	}
	return list[0].at, max(list[0].at+1, list[len(list)-1].at)
}
