package dissect

import "fmt"

// Limits of the bytes that wait for their message to end.
const (
	MaxMessage  = MaxReassembly // of a message that says its length
	maxUnframed = 1 << 20       // while the protocol cannot say yet how long the message is
	maxHeld     = 4 << 10       // of waiting bytes kept as a copy, so that short lines in tiny segments stay cheap
	maxCredit   = 1 << 26
	maxPieces   = 1000 // of a message that are listed
	maxRepeats  = 64   // frames that repeat waiting bytes and are told where their message ends
)

// tail is the end of a stream: bytes in order that no message has taken yet.
//
// Asking a protocol for a message's length costs as much as the bytes it is shown, so a stream pays for it: every
// segment brings a credit that is a multiple of its size. Ordinary streams are asked at every segment. One that
// trickles in byte by byte under a long unfinished message is asked now and then, which keeps the whole cost in
// proportion to the stream's length.
type tail struct {
	refs      []Ref
	size      int
	announced int    // length of the message at the start, 0 while unknown
	pass      int    // bytes to pass over: the rest of a message that was given up
	taken     []Ref  // what take returned, to be used again
	held      []byte // copy of the bytes, or nil
	credit    int
	unasked   bool       // bytes came for which the protocol was not asked yet
	repeats   []FrameNum // frames that brought some of the bytes once more
	begun     uint32     // wordless plus the number of the message's beginning, or wordless; 0: not known
	again     bool       // segments tell of it though its length is known
}

// repeated keeps a frame that brings waiting bytes once more, from back of the end of the tail on.
func (t *tail) repeated(n FrameNum, back uint32) {
	if t.size > 0 && back <= uint32(t.size) && len(t.repeats) < maxRepeats {
		t.repeats = append(t.repeats, n)
	}
}

// append adds bytes that came in order.
func (t *tail) append(ref Ref) {
	if n := min(t.pass, int(ref.Len)); n > 0 {
		t.pass -= n
		ref.Off += uint32(n)
		ref.Len -= uint32(n)
	}
	if ref.Len == 0 {
		return
	}
	t.refs = append(t.refs, ref)
	t.size += int(ref.Len)
	t.credit = min(maxCredit, t.credit+maxHeld+64*int(ref.Len))
	t.unasked = true
}

// due tells whether the protocol is to be asked now.
func (t *tail) due(over bool) bool {
	if t.size == 0 || t.size < t.announced {
		t.unasked = t.unasked && t.announced == 0
		return false
	}
	cost := t.size
	if len(t.held) == 0 {
		cost += 64 * len(t.refs)
	}
	if cost > t.credit && t.announced == 0 && !over {
		return false
	}
	t.credit -= min(cost, t.credit)
	t.unasked = false
	return true
}

// take removes the first n bytes and returns their refs, which hold until the next call.
func (t *tail) take(n int) []Ref {
	t.size -= n
	t.announced, t.held, t.begun, t.again = 0, nil, 0, false
	out, used := t.taken[:0], 0
	for n > 0 {
		r := &t.refs[used]
		if int(r.Len) > n {
			out = append(out, Ref{r.Frame, r.Off, uint32(n)})
			r.Off += uint32(n)
			r.Len -= uint32(n)
			break
		}
		out = append(out, *r)
		used++
		n -= int(r.Len)
	}
	t.refs = t.refs[:copy(t.refs, t.refs[used:])]
	if t.taken = out; cap(out) > maxPieces { // a message in many pieces is rare
		t.taken = nil
	}
	return out
}

// drop removes the first n bytes.
func (t *tail) drop(n int) {
	t.repeats = nil
	if n >= t.size {
		t.refs, t.size, t.announced, t.held, t.begun, t.again = t.refs[:0], 0, 0, nil, 0, false
		return
	}
	t.take(n)
}

// interrupt gives up the unfinished message because gap bytes behind it are missing. Where its length is known the
// stream goes on behind it; else with the first byte that there is.
func (t *tail) interrupt(gap int) {
	t.pass = max(0, t.pass+max(0, t.announced-t.size)-gap)
	t.drop(t.size)
	t.unasked = false
}

// bytes is the tail as one slice that lasts as long as the frame: the frame's own bytes where they suffice, else a
// copy.
func (t *tail) bytes(d *D) []byte {
	if len(t.refs) == 1 && d.here(t.refs[0]) {
		r := t.refs[0]
		return d.basisBytes()[r.at() : r.at()+int(r.Len)]
	}
	if have := len(t.held); have > 0 {
		from := len(t.refs)
		for n := t.size; n > have; n -= int(t.refs[from].Len) {
			from--
		}
		return d.gather(append(d.room(t.size), t.held...), t.refs[from:])
	}
	return d.gather(d.room(t.size), t.refs)
}

// maxGathered is how much memory for bytes that were put together is used again for the next frame.
const maxGathered = 1 << 20

// room is memory for n bytes, as long as the frame lasts.
func (d *D) room(n int) []byte {
	at := len(d.gathered)
	if cap(d.gathered)-at < n {
		d.gathered, at = make([]byte, 0, max(n, 16<<10)), 0 // the old memory stays with those who have it
	}
	d.gathered = d.gathered[:at+n]
	return d.gathered[at : at : at+n]
}

// advance appends bytes in order to the stream and cuts messages off it.
func (d *D) advance(st *stream, ref Ref, g *Segment, fields *SegmentFields) {
	st.next += ref.Len
	c := d.conv
	how := step{c.plugin, c.reason}
	early := st.early
	if c.plugin == noPlugin {
		d.settle()
		how = d.chooseFor(st.following(append(early[:len(early):len(early)], ref)), g.SrcPort, g.DstPort)
	}
	if how.plugin == noPlugin && !g.Apart {
		st.keepEarly(ref)
	} else {
		st.early = nil
	}
	if how.plugin == noPlugin || !d.reg.plugins[how.plugin].framed() || d.switchedOff(how.plugin) {
		d.loss(lossBefore, &st.lost)
		if how.plugin == noPlugin {
			how.reason = ByStream // for now: see Provisional
		}
		if d.here(ref) {
			d.dispatch(func() step { return how }, uint32(min(g.SrcPort, g.DstPort)))
		}
		return
	}
	for _, r := range early {
		st.tail.append(r)
	}
	st.tail.append(ref)
	d.cutMessages(st, how, false, fields)
}

// Limits of the first bytes that are kept of a stream until somebody knows it.
const (
	maxEarly     = 16
	maxEarlySize = 64
)

// keepEarly remembers the first bytes of a stream that nobody knows yet: in small segments, what would tell may be
// spread over several. Once they are more than a protocol needs to show itself, they are forgotten.
func (st *stream) keepEarly(ref Ref) {
	size := int(ref.Len)
	for _, r := range st.early {
		size += int(r.Len)
	}
	if st.seen += ref.Len; size > maxEarlySize || len(st.early) >= maxEarly || st.seen > maxEarlySize {
		st.early = nil
		return
	}
	st.early = append(st.early, ref)
}

// following adds what is parked right behind the bytes, whose turn comes in the same frame, as far as it may tell what
// the stream is.
func (st *stream) following(refs []Ref) []Ref {
	next, size := st.next, uint32(0)
	for i := 0; i < len(st.parked) && size < maxEarlySize; i++ {
		p := st.parked[i]
		skip := next - p.seq
		if int32(skip) < 0 {
			break
		}
		if skip < p.ref.Len {
			refs = append(refs, Ref{p.ref.Frame, p.ref.Off + skip, p.ref.Len - skip})
			next += p.ref.Len - skip
			size += p.ref.Len - skip
		}
	}
	return refs
}

// chooseFor decides which plugin takes a stream by the bytes of refs, which may have come in earlier frames.
func (d *D) chooseFor(refs []Ref, srcPort, dstPort uint16) step {
	if len(refs) == 1 && d.here(refs[0]) {
		return d.choose(TableTCP, srcPort, dstPort)
	}
	data, pos, end := d.data, d.pos, d.end
	d.data = d.gather(nil, refs)
	d.pos, d.end = 0, len(d.data)
	how := d.choose(TableTCP, srcPort, dstPort)
	d.data, d.pos, d.end = data, pos, end
	return how
}

// flush asks once more when the stream is over, takes what waits if the protocol wants it, and tells the end.
func (d *D) flush(st *stream, g *Segment, fields *SegmentFields) {
	c := d.conv
	if !g.Over || c.plugin == noPlugin {
		return
	}
	p, how := &d.reg.plugins[c.plugin], step{c.plugin, c.reason}
	if st.tail.unasked && p.framed() && !d.switchedOff(c.plugin) {
		d.cutMessages(st, how, true, fields)
	}
	if !g.Reset && (len(st.parked) > 0 || int32(g.Seq-st.next) > 0) { // it goes on once the gap is filled
		return
	}
	if n := st.tail.size; p.Remainder && n > 0 {
		whole := st.tail.bytes(d)
		d.keepMessage(st, how, st.tail.take(n), whole[:n:n], false, fields)
	}
	if p.Closed && !st.closed {
		st.closed = true
		d.reportEnd(how)
	}
}

// ends tells whether the end of the stream has something to say.
func (d *D) ends() bool {
	c := d.conv
	if c.plugin == noPlugin {
		return false
	}
	st, p := c.stream(d.Dir), &d.reg.plugins[c.plugin]
	return p.Closed && !st.closed || p.Remainder && st.tail.size > 0
}

// reportEnd asks the protocol what the end of the stream means. The first pass keeps that it had something to say.
func (d *D) reportEnd(how step) {
	if d.layer >= MaxLayers {
		return
	}
	pushed, top, layer := d.pushed, d.top, d.layer
	if !pushed {
		if d.first {
			d.path = append(d.path, how)
		}
		d.layer++
		d.pushed = true
	}
	d.settle()
	d.data, d.src, d.short = d.basisBytes(), d.basis.src, false
	d.pos, d.cut = len(d.data), 0
	d.end = d.pos
	switch told := d.run(how, 0); {
	case !d.first:
	case told:
		d.stream.again = true
		d.s.pdus.rows.Append(pdu{d.Frame, d.segments(), false, streamEnd, 0, 1})
	case !pushed:
		d.path, d.layer, d.pushed, d.top = d.path[:len(d.path)-1], layer, false, top
	default:
		d.top = top
	}
}

// cutMessages takes whole messages from the tail, keeps their recipes and dissects them. Beyond MaxMessages of them the
// rest of the segment's are cut off but not dissected, so that the stream stays in step.
func (d *D) cutMessages(st *stream, how step, over bool, fields *SegmentFields) {
	t := &st.tail
	if !t.due(over) {
		return
	}
	d.keepHanded(st, how)
	length := d.reg.plugins[how.plugin].length(d)
	b, done, many := t.bytes(d), 0, uint32(0)
	for p := (Progress{}); len(b) > 0 && p.Down(len(b)); {
		d.step(1)
		n := d.askLength(how.plugin, length, b)
		if n < 0 { // none of a message
			n = min(max(-n, 1), len(b))
			t.drop(n)
			b = b[n:]
			continue
		}
		if n == 0 || n > len(b) {
			if d.alone(how.plugin, n) {
				d.keepMessage(st, how, t.take(len(b)), b, true, fields)
				t.pass = max(0, n-len(b))
			} else {
				d.await(st, b, n)
			}
			break
		}
		refs := t.take(n)
		if done++; done > MaxMessages {
			many++
		} else {
			d.keepMessage(st, how, refs, b[:n:n], false, fields)
		}
		b = b[n:]
		if d.conv.plugin != how.plugin { // what follows is the next protocol's, which is asked when more of it comes
			t.unasked = t.size > 0
			break
		}
	}
	d.loss(lossMany, &many)
}

// alone tells whether a message, n bytes long or, with 0, of unknown length, does not wait for its other segments.
func (d *D) alone(plugin uint16, n int) bool {
	p := d.reg.plugins[plugin].Joins
	if n > 0 && d.reg.plugins[plugin].JoinsBody != nil {
		p = d.reg.plugins[plugin].JoinsBody
	}
	return d.single || p != nil && !p.On(d)
}

// askLength asks a plugin how long the message is that begins with b.
func (d *D) askLength(plugin uint16, length func([]byte) int, b []byte) int {
	d.settle()
	was := d.asking
	d.asking = plugin
	n := length(b)
	d.asking = was
	d.alive()
	return n
}

// await leaves the bytes b to wait for the rest of their message, n bytes long or, with 0, of unknown length.
func (d *D) await(st *stream, b []byte, n int) {
	t := &st.tail
	var dropped uint32
	switch {
	case n > MaxMessage:
		dropped = uint32(min(n, 1<<32-1))
		t.drop(t.size)
		t.pass = n - len(b)
		d.loss(lossLong, &dropped)
	case n == 0 && len(b) > maxUnframed:
		dropped = uint32(len(b))
		t.drop(t.size)
		d.loss(lossUnframed, &dropped)
	default:
		t.announced, t.held = n, nil
		if n == 0 && len(b) <= maxHeld {
			t.held = append(make([]byte, 0, 2*len(b)), b...)
		}
	}
}

// keepCut dissects what there is of a message whose rest, up to end, the capture has cut off. Where its length is known
// the stream goes on behind it.
func (d *D) keepCut(st *stream, end uint32, fields *SegmentFields) {
	c, t := d.conv, &st.tail
	if int32(end-st.next) <= 0 {
		return
	}
	if c.plugin != noPlugin && d.reg.plugins[c.plugin].framed() && !d.switchedOff(c.plugin) {
		if t.unasked {
			d.cutMessages(st, step{c.plugin, c.reason}, true, fields)
		}
		if n := t.size; n > 0 {
			rest, whole := max(0, t.announced-n), t.bytes(d)
			d.keepMessage(st, step{c.plugin, c.reason}, t.take(n), whole[:n:n], true, fields)
			t.pass += rest
		}
	}
	st.cutOff(end)
}

// keepMessage keeps the recipe of a message, which the capture may have cut off, and dissects it.
func (d *D) keepMessage(st *stream, how step, refs []Ref, whole []byte, cut bool, fields *SegmentFields) {
	gap := st.lost > 0 || st.cut
	if d.conv.cut { // messages behind a gap do not wait for it here: it may be filled yet
		st.lost = 0
	}
	d.s.pdus.keep(d.Frame, d.segments(), refs, st.lost, cut)
	d.behindGap = 0
	if gap {
		d.behindGap = refs[0].Frame
	}
	if st.lost > 0 {
		d.stream.again = true
		d.Expert(fLost)
	}
	st.lost, st.cut = 0, false
	for _, r := range refs {
		if r.Frame != d.Frame && fields.In != nil {
			d.tell(fields.In, r.Frame, d.Frame)
		}
	}
	for _, n := range st.tail.repeats {
		if n != d.Frame && fields.In != nil {
			d.tell(fields.In, n, d.Frame)
		}
	}
	st.tail.repeats = nil
	d.deliver(how, refs, whole, cut, fields)
}

// segments counts the Segment calls of a frame: a tunnel may carry several, one a layer.
func (d *D) segments() uint16 { return uint16(d.turns[segmentStore.id]) }

// reassembled is the data source of a message in several segments.
const reassembled = "Reassembled TCP"

// deliver dissects one message. Its bytes are a range of the frame when they lie in it whole, else a source of their
// own.
func (d *D) deliver(how step, refs []Ref, whole []byte, cut bool, fields *SegmentFields) {
	alone, missing := len(refs) == 1 && d.here(refs[0]), 0
	if cut {
		missing = max(1, d.cut)
		was := d.parted
		d.parted = was || d.alone(how.plugin, 0) || d.alone(how.plugin, 1)
		defer func() { d.parted = was }()
	}
	d.settle()
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
	if alone {
		d.data, d.src, d.short = d.basisBytes(), d.basis.src, false
		d.pos, d.end, d.cut = refs[0].at(), refs[0].at()+int(refs[0].Len), missing
		d.run(how, 0)
	} else {
		d.stream.again = true // refollow shows the parts in front of all messages
		d.From(reassembled, whole, func() {
			d.joined, d.joinedSrc, d.cut = refs, d.src, missing
			d.showPieces(refs, fields)
			d.run(how, 0)
		})
	}
	if cut && !d.parted {
		d.markCut()
	}
}

// showPart shows the frame's own bytes that are a part of a message in several segments.
func (d *D) showPart(fields *SegmentFields) {
	if fields.Part != nil && d.src == d.basis.src && d.Left() > 0 {
		d.Put(fields.Part, 0, d.pos, d.Left())
	}
}

// showPieces shows which frames a message came in.
func (d *D) showPieces(refs []Ref, fields *SegmentFields) {
	if d.bare || fields.Group == nil {
		return
	}
	size := len(d.data)
	node := d.Open(fields.Group)
	at := 0
	for _, r := range refs[:min(len(refs), maxPieces)] {
		d.Put(fields.Piece, uint64(r.Frame), at, int(r.Len))
		at += int(r.Len)
	}
	d.Set(fields.Count, uint64(len(refs)))
	d.Set(fields.Length, uint64(size))
	d.Put(fields.Whole, 0, 0, size)
	d.Close(node)
	if node >= 0 {
		d.t.Nodes[node].Len = uint32(size)
	}
}

// What a frame may have lost of its stream besides bytes in front of a message. Such a row stands among the recipes,
// without refs.
const (
	lossBefore   = iota + 1 // bytes in front of a segment that was handed on as it came
	lossLong                // a message too long to put together
	lossUnframed            // bytes that no message came out of
	lossMany                // messages beyond MaxMessages
	streamEnd               // nothing: the protocol has something to say about the end
)

// loss keeps that something was lost, n of it, and sets n to 0.
func (d *D) loss(kind uint32, n *uint32) {
	if *n == 0 || kind == lossBefore && d.conv.cut {
		*n = 0
		return
	}
	d.stream.again = true // refollow says so in front of all messages
	d.s.pdus.rows.Append(pdu{d.Frame, d.segments(), false, kind, 0, *n})
	d.reportLoss(pdu{firstRef: kind, lost: *n})
	*n = 0
}

// reportLoss marks the frame with what was lost.
func (d *D) reportLoss(p pdu) {
	note, what := fLost, "%d bytes of the stream are missing in front of this"
	switch {
	case p.lost == 0 || p.refs == 0 && p.firstRef == streamEnd:
		return
	case p.refs > 0 || p.firstRef == lossBefore:
	case p.firstRef == lossLong:
		note, what = fLong, "A message of %d bytes begins here: it is too long to be put together and passed over"
	case p.firstRef == lossUnframed:
		note, what = fLong, "%d bytes of the stream are passed over: no message comes out of them"
	default:
		note, what = fLong, "%d further messages of this segment are left out"
	}
	if !d.Wanted(note) && !d.want.everywhere {
		d.Expert(note)
		return
	}
	d.ExpertText(note, fmt.Sprintf(what, p.lost))
}
