package dissect

import (
	"slices"
	"sort"

	"remora/internal/column"
)

// stream is one direction of a TCP connection as the first pass follows it. It holds positions, never bytes.
type stream struct {
	started   bool
	next      uint32 // the sequence number that comes next
	isn       uint32 // that of the SYN
	parked    []parkedSegment
	waiting   int      // bytes parked
	lossAcked bool     // the receiver has acknowledged what the capture never saw
	counted   uint32   // bytes of memory that were counted for it
	lost      uint32   // bytes missing in front of the next message
	cut       bool     // bytes in front of it were cut off by the capture
	tail      tail     // bytes in order that no message has taken yet
	early     []Ref    // the first bytes, while nobody knows what the stream is
	seen      uint32   // how many came while nobody did
	closed    bool     // its end was told
	evicted   FrameNum // what waits is of later frames
}

type parkedSegment struct {
	seq     uint32
	ref     Ref
	missing uint32 // bytes behind it that the capture cut off
}

// Limits of what one direction may park; beyond them the missing bytes are given up. What lies further ahead than the
// largest window (RFC 7323 section 2.3) is none of the stream's.
const (
	maxParked      = 1024
	maxParkedBytes = 4 << 20
	maxWindow      = 1 << 30
)

// SegmentState is how a segment stands to what its stream had before.
type SegmentState uint8

// The states of a segment.
const (
	InOrder       SegmentState = iota
	Overlapping                // its first bytes were seen before
	Retransmitted              // all of it was seen before
	OutOfOrder                 // bytes in front of it are missing so far
	Stray                      // too far ahead of the stream to be of it
	Repeated                   // all of it was seen before, in a stream of messages
)

// segmentNote is what a frame remembers of its segment. In order is the zero note, which costs nothing.
type segmentNote struct {
	State  SegmentState
	Framed bool   // all of it was seen before, and the stream's protocol has messages
	Skip   uint32 // bytes at the start that were seen before
}

// state is how the segment stands, as its transport is told.
func (n segmentNote) state() SegmentState {
	if n.Framed {
		return Repeated
	}
	return n.State
}

var segmentStore = NewStore[struct{}, segmentNote]()

// Acked tells the engine that this end has received everything before ack: what the capture lacks of it will not come
// any more. TCP calls it for segments with the ACK flag.
func (hd *Streams) Acked(ack uint32) {
	d := (*D)(hd)
	d.alive()
	if !d.first || d.quoted || d.conv == nil {
		return
	}
	m := d.conv.connected()
	o, a := m.streams[1-d.Dir], &m.acks[1-d.Dir]
	if o == nil {
		return
	}
	if !a.any || int32(ack-a.to) > 0 {
		a.any, a.to = true, ack
	}
	if a.gap && int32(ack-a.at) >= 0 {
		o.lossAcked = true
	}
	d.settle()
}

// unseen tells whether the receiver has acknowledged bytes that the capture lacks. A FIN takes a number, too.
func (st *stream) unseen(a acknowledged) bool { return st.started && a.any && int32(a.to-st.next) > 1 }

// hopeless tells whether what is missing in front of seq will not come any more: its receiver has it already, or the
// segment's sender acknowledges what the capture lacks of the other direction, so that packets of both were lost.
func (c *Conversation) hopeless(dir int, seq uint32) bool {
	m := c.connected()
	a, o := m.acks[dir], m.streams[1-dir]
	return a.any && int32(a.to-seq) >= 0 || o != nil && o.unseen(m.acks[1-dir])
}

// A Segment is what the engine must know of a TCP segment besides its payload.
type Segment struct {
	Seq              uint32 // of the first byte, or of the SYN
	SYN              bool
	Over             bool // a FIN or RST: after it this direction sends nothing new
	Reset            bool // a RST: what is missing will not come any more
	Missing          int  // bytes at its end that the capture cut off
	SrcPort, DstPort uint16
	Apart            bool // messages are not put together of several segments

	// For exports: what relative sequence numbers count from, that of the next segment and what is acknowledged, both
	// relative.
	Base, Next, Ack uint32
	Flags           uint16
}

// SegmentFields are the fields in which the transport shows how messages were put together.
type SegmentFields struct {
	In     *Field // in earlier frames: the frame in which their message ends
	Group  *Field // holds the following ones
	Piece  *Field // a frame that a part came in
	Count  *Field // how many parts there are
	Length *Field // bytes of the whole message
	Whole  *Field // the bytes
	Part   *Field // in every frame: its bytes that are a part of such a message
}

// Segment hands the rest of the range to the protocol of the stream as the payload of a TCP segment: whole messages
// where the protocol has such, in the order of the stream, with the bytes of earlier segments in front where they
// belong.
func (hd *Streams) Segment(g Segment, fields *SegmentFields) SegmentState {
	d := (*D)(hd)
	d.alive()
	if d.handed < 0 {
		d.handed = d.pos
	}
	if d.stream.at == 0 && d.src == 0 {
		d.stream.at = d.layer
	}
	c, start, end, cut := d.conv, d.pos, d.end, d.cut
	if c == nil || d.src != d.basis.src {
		if d.Left() > 0 {
			d.Inner().NextPort(TableTCP, g.SrcPort, g.DstPort)
		}
		return InOrder
	}
	var note segmentNote
	if d.first {
		st := c.stream(d.Dir)
		c.cut = c.cut || g.Missing > 0
		if g.SYN {
			if !st.started || st.isn != g.Seq { // the same SYN again changes nothing
				*st = stream{started: true, next: g.Seq + 1, isn: g.Seq, counted: st.counted}
				c.connected().acks[d.Dir] = acknowledged{}
			}
			g.Seq++
		}
		st.lossAcked = st.lossAcked || g.Reset && len(st.parked) > 0
		if d.Left()+g.Missing > 0 {
			note = st.place(g.Seq, uint32(d.Left()+g.Missing))
			note.Framed = note.State == Retransmitted && c.plugin != noPlugin && d.reg.plugins[c.plugin].framed()
		}
		if d.Left() == 0 && note.State <= Overlapping && g.Missing > 0 {
			st.cutOff(g.Seq + uint32(g.Missing))
		}
	}
	note = segmentStore.Note(d, note)
	d.pushed, d.single = false, g.Apart
	d.stream.again = d.stream.again || g.Apart // refollow shows parts that are not put together
	if start == end && !d.overdue(g.Over) {
		d.lacks(&g)
		return note.state()
	}
	if d.first {
		d.follow(&g, note, fields)
		st, a := c.stream(d.Dir), &c.connected().acks[d.Dir]
		if a.gap = len(st.parked) > 0; a.gap {
			a.at = st.parked[0].seq
		}
		d.s.count(c, st)
		d.settle()
	} else {
		at, broken := d.layer, d.broken
		d.refollow(note, fields)
		if d.broken == broken && d.Inner().Exporting(ExportLayer4) {
			how := step{noLayer, ByTable}
			if at < len(d.path) {
				how = d.path[at]
			}
			d.data, d.end, d.src = d.basisBytes(), end, d.basis.src
			d.exportSegment(&g, note, how, start)
		}
	}
	d.data, d.pos, d.end, d.cut, d.src, d.short = d.basisBytes(), end, end, cut, d.basis.src, false
	d.lacks(&g)
	return note.state()
}

// lacks marks a frame of which the capture cut off what the stream's protocol wanted to read.
func (d *D) lacks(g *Segment) {
	if p := d.conv.plugin; g.Missing > 0 && (p != noPlugin && d.reg.plugins[p].framed() ||
		len(d.reg.attached(TableTCP, uint32(min(g.SrcPort, g.DstPort)))) > 0) {
		d.markCut()
	}
}

// markCut marks the frame as cut off by the capture, unless a read past its end has.
func (d *D) markCut() {
	if d.broken != cutText {
		d.Expert(fShort)
		d.broken = cutText
	}
}

// overdue tells whether a segment without payload still brings messages: parked ones behind bytes that were given up,
// or those that the protocol was not asked for yet when the stream ended.
func (d *D) overdue(over bool) bool {
	if d.first {
		st := d.conv.stream(d.Dir)
		return st.lossAcked && len(st.parked) > 0 || over && (st.tail.unasked || d.ends())
	}
	i := d.firstPDU()
	return i < d.s.pdus.rows.Len() && FrameNum(d.pdus.Lead(&d.s.pdus.rows.Rows, i)) == d.Frame
}

func (c *Conversation) stream(dir int) *stream {
	m := c.connected()
	if m.streams[dir] == nil {
		m.streams[dir] = &stream{}
	}
	return m.streams[dir]
}

// place says how n bytes at seq stand to what came before.
func (st *stream) place(seq, n uint32) segmentNote {
	if !st.started {
		st.started, st.next = true, seq
	}
	switch behind := int32(seq - st.next); {
	case behind == 0:
		return segmentNote{}
	case behind > maxWindow:
		return segmentNote{State: Stray, Skip: n}
	case behind > 0:
		return segmentNote{State: OutOfOrder}
	case uint32(-behind) >= n:
		return segmentNote{State: Retransmitted, Skip: n}
	default:
		return segmentNote{State: Overlapping, Skip: uint32(-behind)}
	}
}

// follow moves the stream on by a new segment and dissects the messages that it completes.
func (d *D) follow(g *Segment, note segmentNote, fields *SegmentFields) {
	st := d.conv.stream(d.Dir)
	st.evict(FrameNum(d.s.store.First()))
	at, start, end, known := len(d.path), d.pos, d.end, st.tail.announced > 0
	if d.Left() == 0 {
		d.skipGaps(st, g, fields)
		d.flush(st, g, fields)
		return
	}
	p := parkedSegment{g.Seq, d.refHere(d.pos, d.Left()), uint32(g.Missing)}
	switch note.State {
	case Retransmitted:
		st.tail.repeated(d.Frame, st.next-g.Seq)
	case Stray:
	case Overlapping, InOrder:
		st.spare(&p)
		if note.Skip < p.ref.Len {
			d.pos += int(note.Skip)
		}
		d.takeUp(st, p, g, fields)
		d.catchUp(st, g, fields)
	case OutOfOrder:
		st.park(p)
		if g.Apart || st.lossAcked || d.conv.hopeless(d.Dir, g.Seq) || len(st.parked) > maxParked ||
			st.waiting > maxParkedBytes {
			d.skipGaps(st, g, fields)
		}
	}
	d.flush(st, g, fields)
	if len(d.path) == at && d.layer < MaxLayers {
		if st.awaits(g.Seq, note.State) {
			d.sayWaiting(d.keepWaiting(&st.tail, known))
		}
		d.data, d.pos, d.end, d.src, d.short = d.basisBytes(), start, end, d.basis.src, false
		d.showPart(fields)
		d.path = append(d.path, step{noLayer, ByTable})
		d.layer++
	}
}

// spare leaves to a parked segment the bytes that it brought first; what lies behind them is parked too.
func (st *stream) spare(p *parkedSegment) {
	if len(st.parked) == 0 {
		return
	}
	if gap := st.parked[0].seq - p.seq; p.ref.Len > gap {
		st.park(parkedSegment{st.parked[0].seq, Ref{p.ref.Frame, p.ref.Off + gap, p.ref.Len - gap}, p.missing})
		p.ref.Len, p.missing = gap, 0
	}
}

// takeUp takes up a segment whose turn has come: what of it was not seen before.
func (d *D) takeUp(st *stream, p parkedSegment, g *Segment, fields *SegmentFields) {
	end := p.seq + p.ref.Len + p.missing
	if skip := st.next - p.seq; skip < p.ref.Len {
		p.ref.Off += skip
		p.ref.Len -= skip
		d.advance(st, p.ref, g, fields)
	}
	if p.missing > 0 {
		d.keepCut(st, end, fields)
	}
}

// catchUp takes up parked segments whose turn has come.
func (d *D) catchUp(st *stream, g *Segment, fields *SegmentFields) {
	for len(st.parked) > 0 {
		p := st.parked[0]
		if int32(p.seq-st.next) > 0 {
			return
		}
		st.parked, st.lossAcked = st.parked[1:], false
		st.waiting -= int(p.ref.Len)
		d.takeUp(st, p, g, fields)
	}
}

// skipGaps gives up the first gap, and those behind it that the receiver has acknowledged, and takes up what waits
// behind them.
func (d *D) skipGaps(st *stream, g *Segment, fields *SegmentFields) {
	st.skipGap()
	d.catchUp(st, g, fields)
	a := d.conv.connected().acks[d.Dir]
	for range len(st.parked) { // each time one at least is taken up
		if !a.any || len(st.parked) == 0 || int32(a.to-st.parked[0].seq) < 0 {
			return
		}
		st.skipGap()
		d.catchUp(st, g, fields)
	}
}

// firstPDU is the first of the session's recipes that is of the frame, or of a later one.
func (d *D) firstPDU() int { return firstNear(&d.pdus, &d.s.pdus.rows.Rows, d.Frame, &d.lastPDU) }

func (d *D) pdu(i int) pdu { return *column.Seen(&d.pdus, &d.s.pdus.rows, i) }

// refollow repeats for a re-dissection what follow did when the frame passed.
func (d *D) refollow(note segmentNote, fields *SegmentFields) {
	turn, first := d.segments(), d.firstPDU()
	last := first
	for ; last < d.s.pdus.rows.Len(); last++ {
		p := d.pdu(last)
		if p.frame != d.Frame {
			break
		}
		if p.turn == turn {
			d.reportLoss(p)
		}
	}
	d.Links().ShowForward(fields.In)
	if d.layer >= d.stop || d.layer >= len(d.path) {
		return
	}
	how := d.path[d.layer]
	if how.plugin == noLayer || !d.pushes(first, last, turn) && d.told(fields.In, d.Frame) != 0 {
		// What was plain data while nobody knew the stream is a part, too, once its message was known.
		if waits := waitStore.data(d).recall(d, waitStore.id, uint32(turn-1)); waits.Part || d.told(fields.In, d.Frame) != 0 {
			d.sayWaiting(waits)
		}
		if !d.single {
			d.showPart(fields)
		}
		d.layer++
		return
	}
	if d.Wanted(fields.Part) {
		d.showParts(first, last, turn, fields)
	}
	for i := first; i < last; i++ {
		p := d.pdu(i)
		if p.turn == turn && p.refs == 0 && p.firstRef == streamEnd {
			d.reportEnd(how)
		}
		if p.turn != turn || p.refs == 0 {
			continue
		}
		kept := len(d.refs) // streams inside streams come here again
		d.refs = d.s.pdus.appendRefs(d.refs, p)
		refs := d.refs[kept:len(d.refs):len(d.refs)]
		var whole []byte
		if len(refs) != 1 || !d.here(refs[0]) {
			whole = d.Stream().Gather(refs)
		}
		d.deliver(how, refs, whole, p.cut, fields)
		d.refs = d.refs[:kept]
	}
	if !d.pushed { // no messages: the segment was handed on as it came
		d.pos += min(int(note.Skip), d.Left())
		d.dispatch(nil, 0)
	}
}

// showParts shows those bytes of the segment that belong to messages in several segments: at its start one that ends
// here, and behind its last message one that ends in a later frame.
func (d *D) showParts(first, last int, turn uint16, fields *SegmentFields) {
	end := -1 // of the last message
	for i := first; i < last; i++ {
		p := d.pdu(i)
		if p.turn != turn || p.refs == 0 {
			continue
		}
		kept := len(d.refs)
		d.refs = d.s.pdus.appendRefs(d.refs, p)
		for _, r := range d.refs[kept:] {
			if !d.here(r) {
				continue
			}
			if p.refs > 1 {
				d.Put(fields.Part, 0, r.at(), int(r.Len))
			}
			end = max(end, r.at()+int(r.Len))
		}
		d.refs = d.refs[:kept]
	}
	if end >= 0 && end < d.end && d.told(fields.In, d.Frame) != 0 {
		d.Put(fields.Part, 0, end, d.end-end)
	}
}

// pushes tells whether a segment of this frame brings a message.
func (d *D) pushes(first, last int, turn uint16) bool {
	for i := first; i < last; i++ {
		if p := d.pdu(i); p.turn == turn {
			return true
		}
	}
	return false
}

func (st *stream) park(p parkedSegment) {
	i := sort.Search(len(st.parked), func(i int) bool { return int32(st.parked[i].seq-p.seq) > 0 })
	st.parked = slices.Insert(st.parked, i, p)
	st.waiting += int(p.ref.Len)
}

// cutOff gives up the bytes up to end, which the capture has cut off. They were sent: nothing says that they are
// missing.
func (st *stream) cutOff(end uint32) {
	if gap := int32(end - st.next); gap > 0 {
		st.early = nil
		st.cut = true
		st.tail.interrupt(int(gap))
		st.next = end
	}
}

// skipGap gives up the bytes in front of the first parked segment, and the message that needed them.
func (st *stream) skipGap() {
	st.lossAcked = false
	if len(st.parked) == 0 {
		return
	}
	gap := st.parked[0].seq - st.next
	st.early = nil
	st.lost += gap + uint32(st.tail.size)
	st.tail.interrupt(int(gap))
	st.next = st.parked[0].seq
}

// evict gives up what waits of frames up to one, which have left the capture.
func (st *stream) evict(upTo FrameNum) {
	if upTo <= st.evicted {
		return
	}
	st.evicted = upTo
	gone := func(r Ref) bool { return r.Frame <= upTo }
	if slices.ContainsFunc(st.early, gone) {
		st.early = nil
	}
	if slices.ContainsFunc(st.tail.refs, gone) {
		st.lost += uint32(st.tail.size)
		st.tail.interrupt(0)
	}
	st.parked = slices.DeleteFunc(st.parked, func(p parkedSegment) bool {
		if !gone(p.ref) {
			return false
		}
		st.waiting -= int(p.ref.Len)
		return true
	})
}

// FromStart tells whether the capture has the begin of this direction of the stream. It serves guesses in the first
// pass.
func (hd *Streams) FromStart() bool {
	d := (*D)(hd)
	return d.first && d.conv != nil && d.conv.stream(d.Dir).isn != 0
}
