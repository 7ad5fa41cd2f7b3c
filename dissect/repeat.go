package dissect

import (
	"encoding/binary"
	"slices"
)

// What lies in front of the transport is the same in most packets of a conversation: addresses, tags, times to live.
// What the first pass learns of it is the same, too, so it is learned once for each direction of a conversation: a
// packet that begins with known headers goes on at its transport, and knows its conversation. Headers that leave
// anything else in the session, such as expert infos, are read in every packet, and so are all headers where fields
// are recorded, which is what re-dissections do.

// A RepeatedHeader tells of a protocol that the first pass learns nothing from, where its header has this size, but the
// ends, tags and what follows. It says nothing of what is behind its payload.
type RepeatedHeader struct {
	Size   int
	Varies uint64 // bit i: byte i of the header has no say in that, as those of a checksum
	Length int    // where the length of the payload stands, in two bytes of those that vary, or 0
	Whole  bool   // the length counts the header, too
}

const (
	repeatedWords   = 8 // of the headers that are compared, with both ports
	repeatedFlows   = 16384
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
	flows  []repeatedFlow // by the hash of their headers

	ready   [readyPackets]readyHeaders // by the number of the packet
	readyTo int                        // packets up to here were looked at
	touched byte                       // so that what is read counts as read
}

// A headerShape is which bytes of the headers tell what they are.
type headerShape struct {
	size int // up to the transport
	mask [repeatedWords]uint64
}

// A repeatedWay is how the cursor comes to a transport, behind headers of many conversations.
type repeatedWay struct {
	cursorAt
	shape          int
	length, behind int              // where the payload's length stands, and where it begins to count; 0 for none
	starts         [maxStarts]int32 // of the layers
	path           []step           // from the link layer to the transport
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
	again    bool // it is not the direction's first packet: questions and answers in a datagram each do not repeat
}

// repeated goes on behind headers that are known, if the frame has such.
func (d *D) repeated() bool {
	b, known := d.data, &d.s.byKey.repeated
	if len(known.shapes) == 0 || !d.bare || d.hangs != nil || d.meta.CapLen != d.meta.Len || len(b) < 16 {
		return false
	}
	flow := known.find(d.Frame, b)
	if flow == nil {
		return false
	}
	at := flow.way
	end, pos := len(b), known.shapes[at.shape].size
	if at.length > 0 {
		end = at.behind + int(binary.BigEndian.Uint16(b[at.length:]))
	}
	if end <= pos || end > len(b) || at.iface != d.meta.Interface || flow.conv.replaced {
		return false
	}
	d.Src, d.Dst = flow.conv.ends(int(flow.dir))
	d.path = append(d.path, at.path...)
	d.pos, d.end, d.layer, d.depth, d.proto, d.plugin, d.top = pos, end, at.layer, at.depth, at.proto, at.plugin, at.top
	d.carried, d.via, d.Hops, d.tags, d.flow = at.carried, at.via, flow.hops, flow.tags, flow
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
		if e.flow.is(e.shape, &e.headers) {
			return e.flow
		}
		return nil
	}
	tried := r.tried[alike(b)]
	for shape := range r.shapes {
		s := &r.shapes[shape]
		words := repeatedWordsOf(s.size)
		if tried>>shape&1 == 0 || len(b) < words*8 {
			continue
		}
		var headers [repeatedWords]uint64
		flow := &r.flows[s.read(b, words, &headers)]
		if flow.is(shape, &headers) {
			return flow
		}
	}
	return nil
}

// is tells whether the flow is that of headers.
func (f *repeatedFlow) is(shape int, headers *[repeatedWords]uint64) bool {
	return f.way != nil && f.way.shape == shape && f.headers == *headers
}

// read reads the bytes that count, and tells where their flow is kept.
func (s *headerShape) read(b []byte, words int, headers *[repeatedWords]uint64) uint64 {
	h := uint64(s.size)
	for i := range words {
		v := binary.LittleEndian.Uint64(b[8*i:]) & s.mask[i]
		headers[i] = v
		h = (h ^ v) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h % repeatedFlows
}

// arrive notes what the cursor knows in front of the frame's first transport, if its headers may repeat.
func (d *D) arrive(transport step, key uint32) {
	a := &d.arrival
	if a.pos = 0; !d.bare || d.src != 0 || d.quoted || d.short || d.cut > 0 || d.turned || d.severity != Silent ||
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
	if c.First == d.Frame || !a.again && c.Transport != TableTCP || c.replaced || d.path[a.at.layer] != a.at.transport ||
		src.Addr != a.src || dst.Addr != a.dst ||
		binary.BigEndian.Uint16(b[a.pos:]) != src.Port || binary.BigEndian.Uint16(b[a.pos+2:]) != dst.Port {
		return
	}
	if w := d.way(); w != nil {
		r := &d.s.byKey.repeated
		f := repeatedFlow{way: w, conv: c, tags: a.tags, hops: a.hops, dir: uint8(dir)}
		r.flows[r.shapes[w.shape].read(b, words, &f.headers)] = f
		r.tried[alike(b)] |= 1 << w.shape
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
		r.flows = make([]repeatedFlow, repeatedFlows)
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
	var counts [8 * repeatedWords]byte
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
				counts[start+i] = 0xff
			}
		}
		if h.Length > 0 {
			if w.length, w.behind = start+h.Length, next; h.Whole {
				w.behind = start
			}
		}
	}
	shape.size = int(w.starts[w.layer])
	copy(counts[shape.size:], "\xff\xff\xff\xff")
	for i := range shape.mask {
		shape.mask[i] = binary.LittleEndian.Uint64(counts[8*i:])
	}
	return shape, w.starts[1] == 0
}

// repeatedWordsOf is how many words headers of a size take, with the ports behind them.
func repeatedWordsOf(size int) int { return (size + 4 + 7) / 8 }
