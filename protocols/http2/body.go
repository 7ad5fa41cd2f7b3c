package http2

import (
	"errors"
	"strings"

	"remora/dissect"
	"remora/internal/coding"
)

var (
	fData        = proto.Bytes("data.data", "Data", "A body, or a part of one.")
	fSegment     = proto.Bytes("data.segment", "DATA segment", "The last part of a body that came in several.")
	fDataPadding = proto.Bytes("data.padding", "Padding", "Bytes that say nothing.")
	fFragments   = proto.Group("body.fragments", "Body fragments", "The frames that the body came in.").Summary("[{http2.body.fragment.count} Body fragments ({http2.body.reassembled.length} bytes)]")
	fFragment    = proto.FrameRef("body.fragment", "Body fragment", "A packet with a part of the body.")
	fCount       = proto.Uint32("body.fragment.count", "Body fragment count", "How many parts the body came in.").Derived()
	fTotal       = proto.Uint32("body.reassembled.length", "Reassembled body length", "Length of the body.").Derived()
	fBody        = proto.Bytes("body.reassembled.data", "Reassembled body data", "The body.").Derived()
	fWholeIn     = proto.FrameRef("body.reassembled.in", "Reassembled body in frame", "The packet in which the body ends.")
	fPacked      = proto.Bytes("data.encoded", "Content-encoded entity body", "The body as it is packed.")

	nInflate = proto.Note("body_decompression_failed", dissect.Warn, "Body decompression failed")
	nBomb    = proto.Note("body_decompression_large", dissect.Warn, "The body is too large: its beginning is shown")
)

// A body is what a stream carries behind its header: a chain of pieces from the newest to the oldest.
type body struct {
	last   uint32
	frames int
	size   int
	lost   bool // not all of it can be found again
}

// A piece is a part of a body: where its bytes are.
type piece struct {
	Ref    dissect.Ref
	Frame  dissect.FrameNum
	Begins bool // a DATA frame
	Before uint32
}

var pieces dissect.Shelf[piece]

// Limits of a body that is put together.
const (
	maxBody   = 16 << 20
	maxPieces = 1 << 14
)

// data takes a DATA frame, whose payload is b.
func (s *session) data(d *dissect.D, h *head, b []byte) (n note) {
	_, inner, ok := h.unpad(b)
	if !ok {
		return n
	}
	exchange := s.streams.Get(h.stream, maxStreams)
	f := &exchange.flows[d.Dir&1]
	at := d.Pos()
	if h.flags&flagPadded != 0 {
		at++
	}
	f.body.add(d, at, len(inner), h.flags&flagEnd != 0)
	if h.flags&flagEnd != 0 {
		f.end(d, &n)
		s.over(h.stream, exchange)
	}
	return n
}

// add takes bytes of the body. What comes in one frame alone needs no piece.
func (y *body) add(d *dissect.D, at, size int, last bool) {
	y.frames++
	y.size += size
	if last && y.frames == 1 || size == 0 {
		return
	}
	refs, ok := d.AnyRefsAt(at, size)
	if y.lost = y.lost || !ok || y.size > maxBody || y.frames > maxPieces; y.lost {
		y.last = 0
		return
	}
	p := piece{Frame: d.Frame, Begins: true}
	for _, p.Ref = range refs {
		p.Before = y.last
		y.last = pieces.Put(d, p)
		p.Begins = false
	}
}

// end says what is known of the body at its end.
func (f *flow) end(d *dissect.D, n *note) {
	if y := f.body; y.size > 0 && !y.lost && len(f.media) <= maxMedia && len(f.packing) <= maxMedia {
		n.Whole, n.Parts, n.Media, n.Packing = true, y.last, keep(d, f.media), keep(d, strings.ToLower(f.packing))
	}
	*f = flow{began: f.began, ended: true}
}

// maxMedia bounds the words for what a body is.
const maxMedia = 1024

// data shows a part of a body, or all of it.
func data(d *dissect.D, n note) {
	switch size := d.Left(); {
	case n.Whole && n.Parts == 0:
		e := n.entity(d)
		e.show(d.Data())
	case n.Whole:
		d.Rest(fSegment)
		n.body(d)
	case size > 0:
		d.Rest(fData)
		d.ShowForward(fWholeIn)
	}
}

// body shows a body that came in several frames.
func (n note) body(d *dissect.D) {
	e := n.entity(d)
	parts := chain(d, n.Parts)
	if d.FirstLook() {
		for _, p := range parts {
			if p.Begins {
				d.Link(p.Frame, fWholeIn, nil)
			}
		}
	}
	if !e.asked && !d.WantedOf(proto) {
		return
	}
	refs, count := make([]dissect.Ref, len(parts)), 0
	for i, p := range parts {
		if refs[i] = p.Ref; p.Begins {
			count++
		}
	}
	whole := d.Gather(refs)
	d.In(fFragments, func() {
		for _, p := range parts {
			if p.Begins {
				d.Set(fFragment, uint64(p.Frame))
			}
		}
		d.Set(fCount, uint64(count))
		d.Set(fTotal, uint64(len(whole)))
		if d.Wanted(fBody) {
			d.SetBytes(fBody, whole)
		}
	})
	d.From("Reassembled body", whole, func() { e.show(whole) })
}

// chain are the pieces of a body, oldest first.
func chain(d *dissect.D, last uint32) []piece {
	var out []piece
	for n := last; n != 0 && len(out) < 4*maxPieces; {
		p := pieces.At(d, n)
		out = append(out, p)
		n = p.Before
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// media is the table of what bodies are, by their types in lower case; untyped is one that nobody is attached to: what
// goes there is plain data.
const (
	media   dissect.Table = "media_type"
	untyped dissect.Table = "http2.untyped"
)

// An entity is what a stream carries, and who reads it.
type entity struct {
	d        *dissect.D
	encoding string
	kind     uint32 // the media type's number
	deep     bool   // what is in it counts for the first pass: parts, descriptions of calls
	asked    bool   // somebody looks at the body: then it is put together and unpacked
	next     func() // shows a body that is not deep
}

// entity finds out who reads a body. The cursor is behind the header of a frame.
func (n note) entity(d *dissect.D) entity {
	told := n.Media.string(d)
	name, _, _ := strings.Cut(told, ";")
	name = strings.ToLower(strings.TrimSpace(name))
	e := entity{d: d, encoding: n.Packing.string(d), kind: dissect.Word(name), next: func() {}}
	d.Tell([]byte(told))
	at := d.Pos()
	d.Seek(max(0, at-1)) // the last frame may be empty: what reads the body is asked for where there are bytes
	defer d.Seek(at)
	switch {
	case name == "" || name == "application/octet-stream":
		e.next, e.asked = d.Lazily(untyped, 0)
	case strings.HasPrefix(name, "multipart/"):
		e.kind, e.deep = dissect.Word("multipart/*"), true
	case d.Simple(media, e.kind):
		e.next, e.asked = d.Lazily(media, e.kind)
	default:
		e.deep = true
	}
	e.asked = e.asked || e.deep || d.Wanted(fData) || d.Wanted(nInflate) || d.Wanted(nBomb)
	return e
}

// show shows a body, unpacked where it can be, and hands it on.
func (e *entity) show(b []byte) {
	d := e.d
	if e.encoding == "" || e.encoding == "identity" {
		e.plain(b)
		return
	}
	pos := d.Pos()
	d.Bytes(fPacked, len(b))
	if !e.asked {
		return
	}
	plain, err := coding.Unpack(b, e.encoding)
	switch {
	case errors.Is(err, coding.ErrLarge):
		d.Mark(nBomb)
	case err != nil:
		d.Mark(nInflate)
	}
	if len(plain) > 0 {
		d.From("Uncompressed entity body", plain, func() { e.plain(plain) })
	} else {
		d.Put(fData, 0, pos, len(b))
	}
}

// plain shows a body that is not packed.
func (e *entity) plain(b []byte) {
	d := e.d
	d.Put(fData, 0, d.Pos(), len(b))
	if e.deep {
		d.NextPart(media, e.kind)
	} else {
		e.next()
	}
	d.Skip(d.Left())
}
