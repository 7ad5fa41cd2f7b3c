package websocket

import (
	"slices"

	"remora/dissect"
	"remora/internal/coding"
	"remora/protocols/internal/tables"
)

// tableData has what binary messages carry. It is empty but for dissectors that people write for themselves.
const tableData dissect.Table = "websocket.data"

var (
	fFragments = proto.Node("fragments", "Reassembled websocket Fragments", "The frames that the message came in.").
			Summary("{websocket.fragment.count} Reassembled websocket Fragments ({websocket.reassembled.length} bytes)")
	fFragment = proto.FrameRef("fragment", "Websocket Fragment", "A packet with a part of the message.")
	fCount    = proto.Uint32("fragment.count", "Fragment count", "How many parts the message came in.").Derived()
	fTotal    = proto.Uint32("reassembled.length", "Reassembled websocket Payload length", "Length of the message.").
			Derived()
)

// state is what is known of one connection: for each end the message that it is in the middle of, and the last piece
// that was kept of it.
type state struct {
	op     [2]byte
	packed [2]bool
	size   [2]uint64
	last   [2]uint32
	window [2]window
}

// A piece is a part of a message: where its bytes are, and the key they are combined with. The pieces of one end are a
// chain from the newest to the oldest.
type piece struct {
	Ref    dissect.Ref
	Key    [4]byte
	Masked bool
	Phase  uint8 // with which byte of the key the piece begins
	Begins bool  // a frame
	First  bool  // a message
	Packed bool
	Frame  dissect.FrameNum
	Before uint32
	Past   past // what the message may refer to, where that was kept
}

// A note is what the packets before say of a frame.
type note struct {
	Op     byte   // what the message is whose last part this is
	Packed bool   // it is packed
	Alone  bool   // what it refers to is not known
	Last   uint32 // the last piece of a message that was kept
}

var (
	messages = dissect.NewStore[state, note]()
	pieces   = dissect.NewList[piece]()
	windows  = dissect.NewList[windowPart]()
)

// maxMessage bounds a message that is put together.
const maxMessage = 8 << 20

// take keeps what later frames need of this one.
func (s *state) take(d *dissect.D, h head, b []byte) (n note) {
	if h.op >= opClose {
		return n
	}
	at := d.Dir & 1
	first := h.op != 0
	if first {
		s.op[at], s.packed[at], s.size[at] = h.op, h.pack, 0
	}
	n.Op, n.Packed = s.op[at], s.packed[at]
	if first && h.fin && !h.pack {
		return n
	}
	length := min(h.length, uint64(len(b)-h.at))
	refs, ok := d.Stream().AnyRefsAt(d.Pos()+h.at, int(length))
	if s.size[at] += length; !ok || s.size[at] > maxMessage || !first && s.last[at] == 0 {
		s.last[at] = 0
		if s.packed[at] {
			s.window[at].lost = true
		}
		return n
	}
	p := piece{Masked: h.key != nil, Begins: true, First: first, Packed: s.packed[at], Frame: d.Frame}
	copy(p.Key[:], h.key)
	if first && h.pack {
		p.Past = s.window[at].keep(d)
	}
	for _, p.Ref = range refs {
		p.Before = s.last[at]
		s.last[at] = pieces.Put(d, p)
		p.First, p.Begins, p.Phase, p.Past = false, false, p.Phase+uint8(p.Ref.Len&3), past{}
	}
	if h.fin {
		n.Last = s.last[at]
		if n.Packed {
			n.Alone = s.window[at].lost
			s.window[at].pass(d, join(d, chain(d, n.Last, true)))
		}
	}
	return n
}

// payload shows what a frame carries: its length bytes as they are on the wire.
func payload(d *dissect.D, h head, n note, length int) {
	wire := d.Data()[:length]
	d.SetLayerData(nil)
	next, simple := func() {}, true
	single := h.op == opText || h.op == opBinary
	single = single && h.fin && !h.pack
	if length > 0 && (single || n.Last != 0) {
		table, key := n.format(n.Last == 0 && likeJSON(wire, h.key))
		next, simple = handOn(d, table, key)
	}
	if simple && !d.Session().Recording() {
		d.Skip(length)
		return
	}
	if h.key == nil {
		d.Within(length, func() { show(d, h, n, single, next) })
	} else if d.Bytes(fMasked, length); length > 0 {
		d.From("Unmasked data", unmask(wire, h.key), func() { show(d, h, n, single, next) })
	}
	if n.Last != 0 {
		whole(d, n, next)
	}
}

// handOn hands a message to what is found under a number: lazily where that is simple, else in the first pass, too.
func handOn(d *dissect.D, t dissect.Table, key uint32) (next func(), simple bool) {
	if !d.Inner().Simple(t, key) {
		return func() { d.NextPart(t, key) }, false
	}
	next, _ = d.Inner().Lazily(t, key)
	return next, true
}

// show shows the payload without its mask.
func show(d *dissect.D, h head, n note, single bool, next func()) {
	length := d.Left()
	if length == 0 {
		return
	}
	if !single {
		d.In(fPayload, func() { showFrame(d, h, length) })
		return
	}
	d.Put(fPayload, 0, d.Pos(), length)
	d.Below(func() { message(d, n, length) })
	next()
	d.Skip(d.Left())
}

// format is the protocol that a message is handed to: texts by their lines or as JSON, all else as data.
func (n note) format(json bool) (t dissect.Table, key uint32) {
	switch {
	case n.Op == opText && json:
		return tables.MediaType, dissect.Word("application/json")
	case n.Op == opText:
		return tables.Text, 0
	}
	return tableData, 0
}

// showFrame shows the payload of a frame that is no part of a message.
func showFrame(d *dissect.D, h head, length int) {
	switch h.op {
	case opClose:
		d.In(fClose, func() {
			d.Uint(fStatus)
			if length > 2 {
				d.Bytes(fReason, length-2)
			}
		})
	case opPing:
		d.Bytes(fPing, length)
	case opPong:
		d.Bytes(fPong, length)
	case 0, opText, opBinary:
		d.Bytes(fPart, length)
	default:
		d.Bytes(fUnknown, length)
	}
}

// message records a whole message in front of the protocol that it is handed to.
func message(d *dissect.D, n note, length int) {
	if n.Op == opText {
		d.Put(fText, 0, d.Pos(), length)
	} else {
		d.Put(fWhole, 0, d.Pos(), length)
	}
}

// likeJSON tells whether a text begins and ends as a JSON object or array does.
func likeJSON(wire, key []byte) bool {
	n := len(wire)
	if n < 2 {
		return false
	}
	first, last := wire[0], wire[n-1]
	if key != nil {
		first, last = first^key[0], last^key[(n-1)&3]
	}
	return first == '{' && last == '}' || first == '[' && last == ']'
}

// whole shows a message that came in parts, or packed.
func whole(d *dissect.D, n note, next func()) {
	parts := chain(d, n.Last, true)
	if len(parts) > 0 && !parts[0].Begins {
		return
	}
	count := 0
	for _, p := range parts {
		if p.Begins {
			count++
		}
	}
	if count > 1 {
		d.In(fFragments, func() {
			for _, p := range parts {
				if p.Begins {
					d.Set(fFragment, uint64(p.Frame))
				}
			}
			d.Set(fCount, uint64(count))
		})
	}
	name, b := "Reassembled websocket Fragments", join(d, parts)
	total := len(b)
	if n.Packed {
		name = "Decompressed payload"
		packed := len(b)
		if b = n.unpack(d, b, parts); b == nil {
			d.Expert(nInflate)
			return
		}
		if len(b) == coding.Limit(packed) {
			d.Expert(nLarge)
		}
	}
	if count > 1 {
		d.Set(fTotal, uint64(total))
	}
	if len(b) > 0 {
		d.From(name, b, func() {
			message(d, n, len(b))
			next()
			d.Skip(d.Left())
		})
	}
}

// unpack is a packed message as it was: alone, or with those before that it refers to.
func (n note) unpack(d *dissect.D, b []byte, parts []piece) []byte {
	if plain := inflate(d, b, nil, coding.Limit(len(b))); plain != nil || n.Alone {
		return plain
	}
	return inContext(d, b, parts, n.Last)
}

// Limits of the messages before that a packed one may need.
const (
	maxPieces = 2000
	maxBefore = 4 << 20
)

// chain are the pieces up to one, oldest first: those of its message, or of all packed ones since the window was kept.
func chain(d *dissect.D, last uint32, alone bool) (out []piece) {
	size := 0
	for n := last; n != 0 && len(out) < maxPieces; {
		p := pieces.At(d, n)
		if size += int(p.Ref.Len); size > maxMessage {
			break
		}
		if alone || p.Packed {
			out = append(out, p)
		}
		if n = p.Before; p.First && (alone || p.Packed && p.Past.Kept) {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// join puts pieces together, without their masks.
func join(d *dissect.D, parts []piece) (out []byte) {
	for _, p := range parts {
		b := d.Stream().Gather([]dissect.Ref{p.Ref})
		at := len(out)
		out = append(out, b...)
		if p.Masked {
			for i := range b {
				out[at+i] ^= p.Key[(i+int(p.Phase))&3]
			}
		}
	}
	return out
}
