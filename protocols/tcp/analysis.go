package tcp

import "remora/dissect"

// The analysis compares each segment with what both directions sent before, by the rules that Wireshark's User's Guide
// gives in its chapter "TCP Analysis", so that a segment is called here what it is called there. Sequence numbers are
// raw; all comparisons are modulo 2^32 (RFC 9293 section 3.4).

// marks are what the analysis says of a segment.
type marks uint16

const (
	markReused marks = 1 << iota
	markRetransmission
	markFast
	markSpurious
	markOutOfOrder
	markLost
	markAckLost
	markUpdate
	markFull
	markKeepAlive
	markKeepAliveAck
	markDuplicate
	markProbe
	markZero
	markProbeAck
)

// Limits of the analysis: milliseconds as nanoseconds, and how many unacknowledged segments it remembers.
const (
	fastWithin   = 20_000_000 // a fast retransmission follows the duplicate acknowledgments within this time
	reorderGuess = 3_000_000  // segments overtake one another by this much when the round trip is not known
	maxUnacked   = 4096
	maxUnheard   = 32 // of them, where nobody acknowledged anything so far
	maxRanges    = 4
)

// span is a segment that its receiver has not acknowledged yet.
type span struct {
	seq, next uint32
	frame     dissect.FrameNum
	time      int64
}

// flow is one direction of a connection.
type flow struct {
	base     uint32 // its first sequence number; relative numbers count from here
	known    bool   // base is known
	sawSYN   bool
	sent     bool // something that takes sequence numbers, or an acknowledgment, was seen
	acked    bool // its segments acknowledge something
	heard    bool // it sent anything
	whole    bool // reach is known
	beyond   bool // the last acknowledgment went beyond all that was sent
	pushing  bool // the last payload was pushed
	disorder bool // the unacknowledged segments are not in the order of the stream
	blind    bool // the bytes in flight are not known: something was not captured, and no answer came since
	ranges   uint8
	shift    int8 // window scale offered; -1 unknown, -2 no scaling
	last     marks

	opening   uint32 // the number of the opening that its last segment had
	opened    opening
	next      uint32 // behind the highest byte sent
	nextFrame dissect.FrameNum
	nextTime  int64
	ack       uint32 // the last acknowledgment it sent
	ackTime   int64
	window    uint32
	reach     uint32 // behind the bytes that were seen without a gap
	repeats   uint32 // duplicate acknowledgments in a row
	original  dissect.FrameNum
	pushed    uint32 // bytes since the last push
	sacked    uint32 // bytes in the ranges of its last selective acknowledgment
	sackEdges [2 * maxRanges]uint32
	unacked   []span
	room      [1]span // of unacked, while it takes no more
}

// verdict is the rare part of what a segment remembers; most segments have none.
type verdict struct {
	Marks    marks
	Passive  bool             // a FIN that answers one
	Repeats  uint32           // which duplicate acknowledgment it is
	Original dissect.FrameNum // the acknowledgment that it repeats
	RTOFrame dissect.FrameNum // the segment whose timer ran out
}

func before(a, b uint32) bool { return int32(a-b) < 0 }
func upTo(a, b uint32) bool   { return int32(a-b) <= 0 }

// control tells whether the segment opens or closes the connection.
func (h *header) control() bool { return h.flags&(syn|fin|rst) != 0 }

// analyse takes a segment of the direction into account. It fills the everyday note and returns the rare one.
func (e *connection) analyse(h *header, dir int, n *note) (v verdict) {
	f, r := &e.flows[dir], &e.flows[1-dir]
	size := uint32(h.payload)
	f.setRanges(h)
	v.Marks = e.classify(f, r, h, &v)
	if v.Marks&markDuplicate == 0 && (!f.heard || h.ack != f.ack) {
		f.repeats, f.original = 0, h.frame
	}
	if h.flags&ack != 0 {
		v.Marks |= r.unseen(h.ack)
	}
	if v.Marks&markKeepAlive == 0 && (size > 0 || h.flags&(syn|fin) != 0) {
		e.repetition(f, r, h, &v)
	}
	end := h.seq + size
	if h.flags&(syn|fin) != 0 {
		end++
	}
	f.advance(h, end, v.Marks, r.acked)
	f.window, f.ack, f.ackTime, f.last = uint32(h.window), h.ack, h.time, v.Marks
	f.acked, f.heard = f.acked || h.flags&ack != 0, true
	if h.flags&ack != 0 {
		r.blind = false
	}
	n.Acks = r.acknowledge(h)
	if size > 0 {
		n.Known = !f.blind
		n.Flight, n.Pushed = f.flight(r, h, size)
	}
	return v
}

// classify says what can be told from the numbers of the segment and the state of both directions alone.
func (e *connection) classify(f, r *flow, h *header, v *verdict) (m marks) {
	size, control := uint32(h.payload), h.control()
	if size == 1 && f.sent && h.seq == f.next && r.sent && r.window == 0 {
		return markProbe
	}
	if h.window == 0 && !control {
		m |= markZero
	}
	if f.sent && before(f.next, h.seq) && h.flags&rst == 0 {
		m |= markLost
		f.blind = true
	}
	if size <= 1 && f.sent && h.seq == f.next-1 && !control {
		m |= markKeepAlive
	}
	if size > 0 && !control && r.acked && r.shift != -1 && h.seq+size == r.ack+r.window<<max(0, e.scale(r)) {
		m |= markFull
	}
	if size > 0 || control || !f.sent || h.seq != f.next {
		return m
	}
	// What is left carries nothing: it can say only something new, or the same again, about what arrived.
	same := f.acked && h.ack == f.ack
	switch {
	case h.window != 0 && uint32(h.window) != f.window && same:
		m |= markUpdate
	case h.window != 0 && uint32(h.window) == f.window && same && r.last&markKeepAlive != 0:
		m |= markKeepAliveAck
	case h.window == 0 && f.window == 0 && f.acked && same && r.last&markProbe != 0:
		m |= markProbeAck
	case h.window != 0 && uint32(h.window) == f.window && same:
		f.repeats++
		m |= markDuplicate
		v.Repeats, v.Original = f.repeats, f.original
	}
	return m
}

// repetition tells apart the reasons why a segment lies behind the highest byte sent.
func (e *connection) repetition(f, r *flow, h *header, v *verdict) {
	size := uint32(h.payload)
	end := h.seq + size
	// A byte sent alone to keep the connection alive or to try the window, then again with what follows it, is none.
	behind := f.sent && before(h.seq, f.next) && !(size > 1 && h.seq == f.next-1)
	taken := end
	if h.flags&(syn|fin) != 0 {
		taken++
	}
	limit := int64(reorderGuess)
	if e.rtt != 0 {
		limit = e.rtt
	}
	switch {
	case behind && r.repeats >= 2 && r.ack == h.seq && h.time-r.ackTime < fastWithin && !r.hasRange(h.seq):
		v.Marks |= markFast
	case size > 0 && r.acked && upTo(end, r.ack):
		v.Marks |= markSpurious
	case behind && h.time-f.nextTime < limit && f.next != taken:
		v.Marks |= markOutOfOrder
	case behind:
		v.Marks |= markRetransmission
		v.RTOFrame = f.nextFrame
		for i := range f.unacked {
			if upTo(f.unacked[i].seq, h.seq) {
				v.RTOFrame = f.unacked[i].frame
				break
			}
		}
	}
}

// advance moves the direction's ends behind the segment and remembers it until it is acknowledged.
func (f *flow) advance(h *header, end uint32, m marks, answered bool) {
	first := !f.sent
	if end != h.seq {
		f.remember(span{h.seq, end, h.frame, h.time}, answered)
	}
	if m&markProbe != 0 {
		return
	}
	higher := first || before(f.next, end)
	f.sent = true
	if !f.whole || h.seq == f.reach {
		f.whole = true
		if higher {
			f.reach = end
		} else {
			f.reach = f.next
		}
	}
	if higher {
		f.next, f.nextFrame, f.nextTime, f.beyond = end, h.frame, h.time, false
	}
}

// unseen tells whether an acknowledgment covers bytes of the direction that the capture lacks. While one after the
// other goes beyond all that was ever sent only the first is told, until the direction sends more.
func (f *flow) unseen(ack uint32) (m marks) {
	if !f.whole || !before(f.reach, ack) {
		f.beyond = false
		return 0
	}
	if !f.beyond {
		m = markAckLost
	}
	f.beyond, f.reach = before(f.next, ack), f.next
	return m
}

// remember keeps a segment. answered tells whether the other side acknowledges at all: where only one side was captured
// it never will.
func (f *flow) remember(s span, answered bool) {
	if n := len(f.unacked); n > 0 && before(s.seq, f.unacked[n-1].next) {
		f.disorder = true
	}
	if n := len(f.unacked); !answered && n >= maxUnheard && n == cap(f.unacked) {
		f.merge()
	}
	if len(f.unacked) >= maxUnacked { // a direction that nobody acknowledges
		f.unacked = append(f.unacked[:0], f.unacked[maxUnacked/2:]...)
		f.blind = true
	}
	if f.unacked == nil {
		f.unacked = f.room[:0]
	}
	f.unacked = append(f.unacked, s)
}

// merge makes one of segments that follow one another, but for the newest. All stays as it was but for an
// acknowledgment of a segment within, should one come yet: nobody knows its frame any more.
func (f *flow) merge() {
	n := len(f.unacked) - maxUnheard/2
	kept := f.unacked[:1]
	for _, s := range f.unacked[1:n] {
		if last := &kept[len(kept)-1]; last.next == s.seq {
			last.next = s.next
		} else {
			kept = append(kept, s)
		}
	}
	f.unacked = append(kept, f.unacked[n:]...)
}

// acknowledge forgets the segments of the direction that the other side has now, and returns the one whose end the
// acknowledgment names.
func (f *flow) acknowledge(h *header) (acked dissect.FrameNum) {
	if len(f.unacked) == 0 {
		return 0
	}
	if !f.disorder && before(h.ack, f.unacked[0].next) && upTo(h.ack, f.unacked[0].seq) {
		return 0
	}
	kept := f.unacked[:0]
	for i, s := range f.unacked {
		if s.next == h.ack && acked == 0 {
			acked = s.frame
		}
		if before(h.ack, s.next) {
			if !f.disorder && !before(s.seq, h.ack) {
				kept = append(kept, f.unacked[i:]...)
				break
			}
			if before(s.seq, h.ack) {
				s.seq = h.ack
			}
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		f.disorder = false
	}
	f.unacked = kept
	return acked
}

// flight is how many bytes are sent and not acknowledged, and how many since the last push.
func (f *flow) flight(r *flow, h *header, size uint32) (bytes, pushed uint32) {
	if f.blind || len(f.unacked) == 0 {
		return 0, 0
	}
	low, high := f.unacked[0].seq, f.unacked[len(f.unacked)-1].next
	if f.disorder {
		for _, s := range f.unacked {
			if before(s.seq, low) {
				low = s.seq
			}
			if before(high, s.next) {
				high = s.next
			}
		}
	}
	if n := int32(high - low - r.sacked); n > 0 {
		bytes = uint32(n)
		if h.flags&(syn|fin) != 0 {
			bytes--
		}
	}
	if f.pushing {
		f.pushed = 0
	}
	f.pushed += size
	f.pushing = h.flags&psh != 0
	if bytes == 0 {
		return 0, 0
	}
	return bytes, f.pushed
}

// setRanges keeps the ranges of the segment's selective acknowledgment.
func (f *flow) setRanges(h *header) {
	f.ranges, f.sacked = 0, 0
	for i := 0; i+8 <= len(h.sack) && f.ranges < maxRanges; i += 8 {
		left, right := be32(h.sack[i:]), be32(h.sack[i+4:])
		f.sackEdges[2*f.ranges], f.sackEdges[2*f.ranges+1] = left, right
		f.ranges++
		f.sacked += right - left
	}
}

// hasRange tells whether the byte at seq is in a range.
func (f *flow) hasRange(seq uint32) bool {
	for i := range f.ranges {
		if upTo(f.sackEdges[2*i], seq) && before(seq, f.sackEdges[2*i+1]) {
			return true
		}
	}
	return false
}

func be32(b []byte) uint32 {
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}
