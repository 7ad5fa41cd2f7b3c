package dissect

import (
	"encoding/binary"
	"slices"
)

// What lies in front of the transport is the same in most packets of a conversation: addresses, tags, times to live.
// What the first pass learns of it is the same, too, so it is learned once for each direction of a conversation: a
// packet that begins with known headers goes on at its transport, and knows its conversation. One whose headers are
// known but for addresses and times to live goes on there as well, where those have no say. Headers that leave anything
// else in the session, such as expert infos, are read in every packet, and so are all headers where fields are wanted,
// which is what re-dissections do. Rows are made without those of the headers.

// A RepeatedHeader tells of a protocol that the first pass learns nothing from, where its header has this size, but the
// ends, tags and what follows. It says nothing of what is behind its payload.
type RepeatedHeader struct {
	Size   int
	Varies uint64 // bit i: byte i of the header has no say in that, as those of a checksum
	Length int    // where the length of the payload stands, in two bytes of those that vary, or 0
	Whole  bool   // the length counts the header, too
	Ends   *HeaderEnds
}

// HeaderEnds are the two addresses of a header.
type HeaderEnds struct {
	At, Size int // of each; the source is the first of those of a network
	Hops     int // where the time to live stands, which is of one byte; 0 for none
	// Ordinary tells of the header that begins with b that neither has a say but as what it is; nil: they never have.
	Ordinary func(b []byte) bool
}

const (
	repeatedWords   = 8 // of the headers that are compared, with both ports
	repeatedSets    = 8192
	repeatedKinds   = 1024
	maxRepeatedWays = 32
	maxShapes       = 8
	maxStarts       = 8
	noShape         = -1
)

// repeatedHeaders are those that the first pass knows.
type repeatedHeaders struct {
	shapes []headerShape
	tried  [16]uint8 // a bit for each shape that packets had whose first bytes are alike
	ways   []*repeatedWay
	flows  []repeatedSet  // by the hash of their headers
	kinds  []repeatedFlow // by the hash of their headers but for the addresses: they know no conversation

	ready   [readyPackets]readyHeaders // by the number of the packet
	readyTo int                        // packets up to here were looked at
	touched byte                       // so that what is read counts as read
}

// A headerShape is which bytes of the headers tell what they are.
type headerShape struct {
	size  int // up to the transport
	mask  headerMask
	alike headerMask // without addresses, times to live and ports; none where the last header has no addresses
}

// A repeatedWay is how the cursor comes to a transport, behind headers of many conversations.
type repeatedWay struct {
	cursorAt
	shape          int
	length, behind int                    // where the payload's length stands, and where it begins to count; 0 for none
	starts         [maxStarts]int32       // of the layers
	ends           [maxStarts]*HeaderEnds // of those that have addresses
	path           []step                 // from the link layer to the transport
}

// A cursorAt is what the cursor knows at the begin of a transport.
type cursorAt struct {
	layer, iface, steps int
	proto               *Protocol
	via                 Table
	key                 uint32
	plugin, top         uint16
	transport           step
	carried             Carried
	depth               uint8
}

// A repeatedFlow is one direction of a conversation.
type repeatedFlow struct {
	headers [repeatedWords]uint64 // the bytes that count, with those of the ports
	way     *repeatedWay
	conv    *Conversation
	tags    tags
	hops    uint8
	dir     uint8
}

// An arrival is what the cursor knew when the frame came to its first transport.
type arrival struct {
	starts   [maxStarts]int32 // of the layers, in the frame
	at       cursorAt
	src, dst Addr
	tags     tags
	hops     uint8
	pos      int  // of the transport, 0 where its headers do not repeat
	known    bool // its headers were, but for the addresses
	again    bool // it is not the direction's first packet: questions and answers in a datagram each do not repeat
}

// repeated goes on behind headers that are known, if the frame has such.
func (d *D) repeated() bool {
	b, known := d.data, &d.s.byKey.repeated
	d.arrival.known = false
	if len(known.shapes) == 0 || d.headers || d.hangs != nil || d.meta.CapLen != d.meta.Len || len(b) < 16 {
		return false
	}
	flow := known.find(d.Frame, b)
	if flow == nil || flow.conv.replaced {
		if flow = known.kindOf(b); flow == nil {
			return false
		}
	}
	at := flow.way
	end, pos := len(b), known.shapes[at.shape].size
	if at.length > 0 {
		end = at.behind + int(binary.BigEndian.Uint16(b[at.length:]))
	}
	if end <= pos || end > len(b) || at.iface != d.meta.Interface {
		return false
	}
	hops := flow.hops
	if flow.conv != nil {
		d.Src, d.Dst = flow.conv.ends(int(flow.dir))
		d.flow = flow
	} else {
		d.Src.Addr, d.Dst.Addr, hops = at.addresses(b)
		d.arrival.starts, d.arrival.known = at.starts, true
	}
	d.path = append(d.path, at.path...)
	d.pos, d.end, d.layer, d.depth, d.proto, d.plugin, d.top = pos, end, at.layer, at.depth, at.proto, at.plugin, at.top
	d.carried, d.via, d.Hops, d.tags = at.carried, at.via, hops, flow.tags
	d.step(at.steps)
	d.into(at.transport, at.key)
	d.flow = nil
	return true
}

// ends are the ends of a conversation, the one that sends in the direction first.
func (c *Conversation) ends(dir int) (src, dst Endpoint) {
	if dir == 1 {
		return c.B, c.A
	}
	return c.A, c.B
}

// alike is a small number that is mostly the same for frames whose headers have the same shape.
func alike(b []byte) int { return int(b[12]^b[13]>>1^b[14]>>4) & 15 }

// find is the flow with the headers that the frame has, or nil.
func (r *repeatedHeaders) find(n FrameNum, b []byte) *repeatedFlow {
	if e := &r.ready[(n-1)%readyPackets]; e.frame == n {
		return e.set.find(e.shape, &e.headers)
	}
	tried := r.tried[alike(b)]
	for shape := range r.shapes {
		s := &r.shapes[shape]
		words := repeatedWordsOf(s.size)
		if tried>>shape&1 == 0 || len(b) < words*8 {
			continue
		}
		var headers [repeatedWords]uint64
		if flow := r.flows[s.mask.read(b, words, &headers)%repeatedSets].find(shape, &headers); flow != nil {
			return flow
		}
	}
	return nil
}

// kindOf has headers that are those of the frame but for addresses that have no say, or is nil.
func (r *repeatedHeaders) kindOf(b []byte) *repeatedFlow {
	tried := r.tried[alike(b)]
	for shape := range r.shapes {
		s := &r.shapes[shape]
		words := repeatedWordsOf(s.size)
		if tried>>shape&1 == 0 || len(b) < words*8 || s.alike == (headerMask{}) {
			continue
		}
		var headers [repeatedWords]uint64
		kind := &r.kinds[s.alike.read(b, words, &headers)%repeatedKinds]
		if kind.is(shape, &headers) && kind.way.ordinary(b) {
			return kind
		}
	}
	return nil
}

// ordinary tells whether the addresses and times to live of a frame have no say.
func (w *repeatedWay) ordinary(b []byte) bool {
	for i, e := range w.ends[:w.layer] {
		if e != nil && e.Ordinary != nil && !e.Ordinary(b[w.starts[i]:]) {
			return false
		}
	}
	return true
}

// addresses are those of the last header, with its time to live.
func (w *repeatedWay) addresses(b []byte) (src, dst Addr, hops uint8) {
	e := w.ends[w.layer-1]
	b = b[w.starts[w.layer-1]:]
	if hops = b[e.Hops]; e.Size == 16 {
		return IPv6Addr(b[e.At:]), IPv6Addr(b[e.At+16:]), hops
	}
	return IPv4Addr(b[e.At:]), IPv4Addr(b[e.At+4:]), hops
}

// A repeatedSet has flows whose hashes end alike, the one that was learned last in front.
type repeatedSet [2]repeatedFlow

func (set *repeatedSet) find(shape int, headers *[repeatedWords]uint64) *repeatedFlow {
	for i := range set {
		if set[i].is(shape, headers) {
			return &set[i]
		}
	}
	return nil
}

func (set *repeatedSet) put(f *repeatedFlow) {
	if !set[0].is(f.way.shape, &f.headers) {
		set[1] = set[0]
	}
	set[0] = *f
}

// is tells whether the flow is that of headers.
func (f *repeatedFlow) is(shape int, headers *[repeatedWords]uint64) bool {
	return f.way != nil && f.way.shape == shape && f.headers == *headers
}

// A headerMask is which bits count.
type headerMask [repeatedWords]uint64

// read reads the bits that count, and makes a hash of them.
func (m *headerMask) read(b []byte, words int, headers *[repeatedWords]uint64) uint64 {
	h := uint64(words)
	for i := range words {
		v := binary.LittleEndian.Uint64(b[8*i:]) & m[i]
		headers[i] = v
		h = (h ^ v) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h
}

// arrive notes what the cursor knows in front of the frame's first transport, if its headers may repeat.
func (d *D) arrive(transport step, key uint32) {
	a := &d.arrival
	if a.pos = 0; d.headers || d.src != 0 || d.quoted || d.short || d.cut > 0 || d.turned || d.severity != Silent ||
		d.apart || len(d.kinds) > 0 || d.image != nil || d.hangs != nil {
		return
	}
	a.pos, a.src, a.dst = d.pos, d.Src.Addr, d.Dst.Addr
	a.tags, a.hops = d.tags, d.Hops
	a.at = cursorAt{layer: d.layer - 1, iface: d.meta.Interface, steps: d.steps - 1, proto: d.proto, via: d.via, key: key,
		plugin: d.plugin, top: d.top, transport: transport, carried: d.carried, depth: d.depth}
}

// learnHeaders keeps the headers of a frame that has passed, if they are such as repeat and its conversation goes on.
func (d *D) learnHeaders() {
	a, b := &d.arrival, d.t.frameBytes
	words := repeatedWordsOf(a.pos)
	if a.pos == 0 || words > repeatedWords || len(b) < 8*words || len(d.convIDs) == 0 || d.over != nil {
		return
	}
	id, dir := splitRef(d.convIDs[0])
	c := d.s.Conversation(id)
	src, dst := c.ends(dir)
	if c.replaced || d.path[a.at.layer] != a.at.transport ||
		src.Addr != a.src || dst.Addr != a.dst ||
		binary.BigEndian.Uint16(b[a.pos:]) != src.Port || binary.BigEndian.Uint16(b[a.pos+2:]) != dst.Port {
		return
	}
	goesOn := c.First != d.Frame && (a.again || c.Transport == TableTCP)
	if !goesOn && a.known {
		return
	}
	w, r := d.way(), &d.s.byKey.repeated
	if w == nil {
		return
	}
	r.tried[alike(b)] |= 1 << w.shape
	s, f := &r.shapes[w.shape], repeatedFlow{way: w, tags: a.tags, hops: a.hops}
	if !a.known && s.alike != (headerMask{}) && w.ordinary(b) {
		r.kinds[s.alike.read(b, words, &f.headers)%repeatedKinds] = f
	}
	if goesOn {
		f.conv, f.dir = c, uint8(dir)
		r.flows[s.mask.read(b, words, &f.headers)%repeatedSets].put(&f)
	}
}

// way is how the frame's cursor came to its transport, or nil where some header does not repeat, or there are too many
// ways.
func (d *D) way() *repeatedWay {
	a, r := &d.arrival, &d.s.byKey.repeated
	n := a.at.layer
	for _, w := range r.ways {
		if w.cursorAt == a.at && slices.Equal(w.starts[:n+1], a.starts[:n+1]) && slices.Equal(w.path, d.path[1:n+1]) {
			if w.shape == noShape {
				return nil
			}
			return w
		}
	}
	if len(r.ways) == maxRepeatedWays {
		return nil
	}
	w := &repeatedWay{cursorAt: a.at, starts: a.starts, path: slices.Clone(d.path[1 : n+1])}
	r.ways = append(r.ways, w) // also one that is none, so as not to look at it again
	if w.shape = d.shapeOf(w); w.shape == noShape {
		return nil
	}
	if r.flows == nil {
		r.flows, r.kinds = make([]repeatedSet, repeatedSets), make([]repeatedFlow, repeatedKinds)
	}
	return w
}

// shapeOf is the number of the shape of the headers in front of the frame's transport, or noShape where one of them
// does not repeat, or there are too many shapes.
func (d *D) shapeOf(w *repeatedWay) int {
	r := &d.s.byKey.repeated
	shape, ok := d.newShape(w)
	if !ok {
		return noShape
	}
	if have := slices.Index(r.shapes, shape); have >= 0 || len(r.shapes) == maxShapes {
		return have
	}
	r.shapes = append(r.shapes, shape)
	return len(r.shapes) - 1
}

func (d *D) newShape(w *repeatedWay) (shape headerShape, ok bool) {
	var counts, same [8 * repeatedWords]byte
	for layer := 1; layer < w.layer; layer++ {
		plugin := d.path[layer].plugin
		if plugin >= noLayer {
			return shape, false
		}
		h := d.reg.plugins[plugin].Repeats
		start, next := int(w.starts[layer]), int(w.starts[layer+1])
		if h == nil || next-start != h.Size || h.Length > 0 && w.length > 0 {
			return shape, false
		}
		for i := range h.Size {
			if h.Varies>>i&1 == 0 {
				counts[start+i], same[start+i] = 0xff, 0xff
			}
		}
		if h.Length > 0 {
			if w.length, w.behind = start+h.Length, next; h.Whole {
				w.behind = start
			}
		}
		if e := h.Ends; e != nil {
			w.ends[layer] = e
			clear(same[start+e.At:][:2*e.Size])
			if e.Hops > 0 {
				same[start+e.Hops] = 0
			}
		}
	}
	shape.size = int(w.starts[w.layer])
	if e := w.ends[w.layer-1]; e != nil && e.Hops > 0 {
		shape.alike = maskOf(&same)
	}
	copy(counts[shape.size:], "\xff\xff\xff\xff")
	shape.mask = maskOf(&counts)
	return shape, w.starts[1] == 0
}

func maskOf(counts *[8 * repeatedWords]byte) (m headerMask) {
	for i := range m {
		m[i] = binary.LittleEndian.Uint64(counts[8*i:])
	}
	return m
}

// repeatedWordsOf is how many words headers of a size take, with the ports behind them.
func repeatedWordsOf(size int) int { return (size + 4 + 7) / 8 }
