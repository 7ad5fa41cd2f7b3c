package dissect

import (
	"slices"
	"sort"
)

// stream is one direction of a TCP connection as the first pass follows it. It holds positions, never bytes.
type stream struct {
	started bool
	next    uint32 // the sequence number that comes next
	isn     uint32 // that of the SYN
	tail    []Ref  // bytes in order that no message has taken yet
	tailLen int
	need    int // bytes the tail must have before the plugin is asked again
	parked  []parkedSegment
	waiting int    // bytes parked
	giveUp  bool   // the receiver has acknowledged what the capture never saw
	lost    uint32 // bytes missing in front of the next message
}

type parkedSegment struct {
	seq uint32
	ref Ref
}

// Limits of what one direction may park; beyond them the missing bytes are given up.
const (
	maxParked      = 1024
	maxParkedBytes = 4 << 20
)

// SegmentState is how a segment stands to what its stream had before.
type SegmentState uint8

// The states of a segment.
const (
	InOrder       SegmentState = iota
	Retransmitted              // all of it was seen before
	Overlapping                // its first bytes were seen before
	OutOfOrder                 // bytes in front of it are missing so far
)

// segmentNote is what a frame remembers of its segment. In order is the zero note, which costs nothing.
type segmentNote struct {
	State SegmentState
	Skip  uint32 // bytes at the start that were seen before
}

var segmentStore Store[struct{}, segmentNote]

// Acked tells the engine that this end has received everything before ack: what the capture lacks of it will not come
// any more. TCP calls it for segments with the ACK flag.
func (d *D) Acked(ack uint32) {
	if !d.first || d.quoted || d.conv == nil {
		return
	}
	if o := d.conv.streams[1-d.Dir]; o != nil && len(o.parked) > 0 && int32(ack-o.parked[0].seq) > 0 {
		o.giveUp = true
	}
}

// Segment hands the rest of the range to the protocol of the stream as the payload of a TCP segment that starts at seq:
// whole messages where the protocol has such, in the order of the stream, with the bytes of earlier segments in front
// where they belong. The field forward, in those earlier frames, links to the frame in which their message ends.
func (d *D) Segment(seq uint32, syn bool, srcPort, dstPort uint16, forward *Field) SegmentState {
	if d.handed < 0 {
		d.handed = d.pos
	}
	c, start, end, cut := d.conv, d.pos, d.end, d.cut
	if c == nil || d.src != 0 {
		if d.Left() > 0 {
			d.NextPort(TableTCP, srcPort, dstPort)
		}
		return InOrder
	}
	var note segmentNote
	if d.first {
		st := c.stream(d.Dir)
		if syn {
			if !st.started || st.isn != seq { // the same SYN again changes nothing
				*st = stream{started: true, next: seq + 1, isn: seq}
			}
			seq++
		}
		if d.Left() > 0 {
			note = st.place(seq, uint32(d.Left()))
		}
	}
	note = segmentStore.Once(d, func(*struct{}) segmentNote { return note })
	d.pushed = false
	if start == end && !d.overdue() {
		return note.State
	}
	if d.first {
		d.follow(seq, note, srcPort, dstPort, forward)
	} else {
		d.refollow(note)
		d.ShowForward(forward)
	}
	d.data, d.pos, d.end, d.cut, d.src, d.short = d.t.frameBytes, end, end, cut, 0, false
	return note.State
}

// overdue tells whether a segment without payload still brings messages: parked ones behind bytes that were given up.
func (d *D) overdue() bool {
	if d.first {
		st := d.conv.stream(d.Dir)
		return st.giveUp && len(st.parked) > 0
	}
	i := d.s.pdus.of(d.Frame)
	return i < d.s.pdus.rows.Len() && d.s.pdus.rows.Ref(i).frame == d.Frame
}

func (c *Conversation) stream(dir int) *stream {
	if c.streams[dir] == nil {
		c.streams[dir] = &stream{}
	}
	return c.streams[dir]
}

// place says how n bytes at seq stand to what came before.
func (st *stream) place(seq, n uint32) segmentNote {
	if !st.started {
		st.started, st.next = true, seq
	}
	switch behind := int32(seq - st.next); {
	case behind == 0:
		return segmentNote{}
	case behind > 0:
		return segmentNote{State: OutOfOrder}
	case uint32(-behind) >= n:
		return segmentNote{Retransmitted, n}
	default:
		return segmentNote{Overlapping, uint32(-behind)}
	}
}

// follow moves the stream on by a new segment and dissects the messages that it completes.
func (d *D) follow(seq uint32, note segmentNote, srcPort, dstPort uint16, forward *Field) {
	st := d.conv.streams[d.Dir]
	at := len(d.path)
	if d.Left() == 0 {
		st.skipGap()
		d.catchUp(st, srcPort, dstPort, forward)
		return
	}
	ref := Ref{d.Frame, uint32(d.pos) + note.Skip, uint32(d.Left()) - note.Skip}
	switch note.State {
	case Retransmitted:
	case OutOfOrder:
		st.park(seq, ref)
		if st.giveUp || len(st.parked) > maxParked || st.waiting > maxParkedBytes {
			st.skipGap()
			d.catchUp(st, srcPort, dstPort, forward)
		}
	default:
		d.pos += int(note.Skip)
		st.spare(&ref)
		d.advance(st, ref, srcPort, dstPort, forward)
		d.catchUp(st, srcPort, dstPort, forward)
	}
	if len(d.path) == at && d.layer < MaxLayers {
		d.path = append(d.path, step{noLayer, ByTable})
		d.layer++
	}
}

// spare leaves to a parked segment the bytes that it brought first; what lies behind them is parked too.
func (st *stream) spare(ref *Ref) {
	if len(st.parked) == 0 {
		return
	}
	if gap := st.parked[0].seq - st.next; ref.Len > gap {
		st.park(st.parked[0].seq, Ref{ref.Frame, ref.Off + gap, ref.Len - gap})
		ref.Len = gap
	}
}

// catchUp takes up parked segments whose turn has come.
func (d *D) catchUp(st *stream, srcPort, dstPort uint16, forward *Field) {
	for len(st.parked) > 0 {
		p := st.parked[0]
		ahead := int32(p.seq - st.next)
		if ahead > 0 {
			return
		}
		st.parked, st.giveUp = st.parked[1:], false
		st.waiting -= int(p.ref.Len)
		if skip := uint32(-ahead); skip < p.ref.Len {
			p.ref.Off += skip
			p.ref.Len -= skip
			d.advance(st, p.ref, srcPort, dstPort, forward)
		}
	}
}

// advance appends bytes in order to the stream and cuts messages off it.
func (d *D) advance(st *stream, ref Ref, srcPort, dstPort uint16, forward *Field) {
	st.next += ref.Len
	c := d.conv
	how := step{c.plugin, c.reason}
	if c.plugin == noPlugin {
		how = d.chooseFor(ref, srcPort, dstPort)
	}
	if how.plugin == noPlugin || d.reg.plugins[how.plugin].Message == nil {
		if ref.Frame == d.Frame {
			d.dispatch(func() step { return how }, uint32(min(srcPort, dstPort)))
		}
		return
	}
	st.tail = append(st.tail, ref)
	st.tailLen += int(ref.Len)
	d.cutMessages(st, how, forward)
}

// chooseFor decides which plugin takes a stream by the bytes of ref, which may have come in an earlier frame.
func (d *D) chooseFor(ref Ref, srcPort, dstPort uint16) step {
	if ref.Frame == d.Frame {
		return d.choose(TableTCP, srcPort, dstPort)
	}
	data, pos, end := d.data, d.pos, d.end
	d.data = d.gather(nil, []Ref{ref})
	d.pos, d.end = 0, len(d.data)
	how := d.choose(TableTCP, srcPort, dstPort)
	d.data, d.pos, d.end = data, pos, end
	return how
}

// cutMessages takes whole messages from the tail, keeps their recipes and dissects them.
func (d *D) cutMessages(st *stream, how step, forward *Field) {
	cut := d.reg.plugins[how.plugin].Message
	for done := 0; st.tailLen > 0 && st.tailLen >= st.need && done < MaxMessages; {
		b := d.tailBytes(st)
		n := cut(b)
		switch {
		case n > MaxReassembly || n < 0 && -n >= st.tailLen:
			st.drop(st.tailLen)
		case n < 0:
			st.drop(-n)
		case n == 0 || n > st.tailLen:
			st.need = max(n, st.tailLen+1)
			return
		default:
			refs := st.takeOff(n)
			d.s.pdus.keep(d.Frame, d.segments(), refs, st.lost)
			if st.lost > 0 {
				d.Mark(fLost)
			}
			st.lost, st.need = 0, 0
			for _, r := range refs {
				if r.Frame != d.Frame && forward != nil {
					d.s.forward.put(forward.id, r.Frame, d.Frame)
				}
			}
			d.stream(how, refs, b[:n])
			done++
		}
	}
}

// segments counts the Segment calls of a frame: a tunnel may carry several.
func (d *D) segments() int { return int(d.turns[segmentStore.id]) }

// tailBytes is the tail as one slice: the frame's own bytes where they suffice, else a copy.
func (d *D) tailBytes(st *stream) []byte {
	if len(st.tail) == 1 && st.tail[0].Frame == d.Frame {
		r := st.tail[0]
		return d.t.frameBytes[r.Off : r.Off+r.Len]
	}
	return d.gather(make([]byte, 0, st.tailLen), st.tail)
}

// stream dissects one message. Its bytes are a range of the frame when they lie in it whole, else a source of their
// own.
func (d *D) stream(how step, refs []Ref, whole []byte) {
	if !d.pushed { // all messages of a segment are one layer
		if d.layer >= MaxLayers {
			return
		}
		if d.first {
			d.path = append(d.path, how)
		}
		d.layer++
		d.pushed = true
	}
	if len(refs) == 1 && refs[0].Frame == d.Frame {
		d.data, d.src, d.short = d.t.frameBytes, 0, false
		d.pos, d.end, d.cut = int(refs[0].Off), int(refs[0].Off+refs[0].Len), false
		d.run(how, 0)
		return
	}
	d.From("Reassembled TCP", whole, func() { d.run(how, 0) })
}

// refollow repeats for a later look what follow did when the frame passed.
func (d *D) refollow(note segmentNote) {
	if d.layer >= d.stop || d.layer >= len(d.path) {
		return
	}
	how := d.path[d.layer]
	if how.plugin == noLayer {
		d.layer++
		return
	}
	turn := uint32(d.segments())
	for i := d.s.pdus.of(d.Frame); i < d.s.pdus.rows.Len(); i++ {
		p := d.s.pdus.rows.Ref(i)
		if p.frame != d.Frame {
			break
		}
		if p.turn != turn {
			continue
		}
		if p.lost > 0 {
			d.Mark(fLost)
		}
		refs := d.s.pdus.refsOf(p)
		var whole []byte
		if len(refs) != 1 || refs[0].Frame != d.Frame {
			whole = d.Gather(refs)
		}
		d.stream(how, refs, whole)
	}
	if !d.pushed { // no messages: the segment was handed on as it came
		d.pos += int(note.Skip)
		d.dispatch(nil, 0)
	}
}

func (st *stream) park(seq uint32, ref Ref) {
	i := sort.Search(len(st.parked), func(i int) bool { return int32(st.parked[i].seq-seq) > 0 })
	st.parked = slices.Insert(st.parked, i, parkedSegment{seq, ref})
	st.waiting += int(ref.Len)
}

// skipGap gives up the bytes in front of the first parked segment, and the message that needed them.
func (st *stream) skipGap() {
	st.giveUp = false
	if len(st.parked) == 0 {
		return
	}
	st.lost += st.parked[0].seq - st.next + uint32(st.tailLen)
	st.drop(st.tailLen)
	st.next = st.parked[0].seq
}

func (st *stream) drop(n int) {
	st.takeOff(n)
	st.need = 0
}

// takeOff removes the first n bytes of the tail and returns their refs.
func (st *stream) takeOff(n int) []Ref {
	var out []Ref
	for n > 0 {
		r := st.tail[0]
		if int(r.Len) > n {
			out = append(out, Ref{r.Frame, r.Off, uint32(n)})
			st.tail[0].Off += uint32(n)
			st.tail[0].Len -= uint32(n)
			st.tailLen -= n
			return out
		}
		out = append(out, r)
		st.tail = st.tail[1:]
		st.tailLen -= int(r.Len)
		n -= int(r.Len)
	}
	return out
}
