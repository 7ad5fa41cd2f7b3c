package http2

import (
	"strings"

	"remora/dissect"
	"remora/protocols/internal/httpbody"
)

// tableUntyped is empty: bodies without a media type are data.
const tableUntyped dissect.Table = "http2.untyped"

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

	nInflate = proto.Expert("body_decompression_failed", dissect.Warn, "Body decompression failed")
	nBomb    = proto.Expert("body_decompression_large", dissect.Warn, "The body is too large: its beginning is shown")
)

// What a body is shown by, and what puts it together.
var (
	entities = httpbody.Fields{Data: fData, Packed: fPacked, Broken: nInflate, Large: nBomb, Untyped: tableUntyped}
	joined   = httpbody.Joined{Group: fFragments, Part: fFragment, Count: fCount, Size: fTotal, Bytes: fBody, In: fWholeIn}
	pieces   = dissect.NewList[httpbody.Piece]()
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
	f.body.Add(d, &pieces, at, len(inner), h.flags&flagEnd != 0)
	if h.flags&flagEnd != 0 {
		f.end(d, &n)
		s.over(h.stream, exchange)
	}
	return n
}

// end says what is known of the body at its end.
func (f *flow) end(d *dissect.D, n *note) {
	if y := f.body; y.Whole() && len(f.media) <= maxMedia && len(f.packing) <= maxMedia {
		n.Whole, n.Parts, n.Media, n.Packing = true, y.Last, keep(d, f.media), keep(d, strings.ToLower(f.packing))
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
		e.Show(d.Data())
	case n.Whole:
		d.Rest(fSegment)
		n.body(d)
	case size > 0:
		d.Rest(fData)
		d.Links().ShowForward(fWholeIn)
	}
}

// body shows a body that came in several frames.
func (n note) body(d *dissect.D) {
	e := n.entity(d)
	e.ShowJoined(&pieces, n.Parts, &joined, d.WantedOf(proto))
}

// entity finds out who reads a body. The cursor is behind the header of a frame.
func (n note) entity(d *dissect.D) httpbody.Entity {
	at := d.Pos()
	d.Seek(max(0, at-1)) // the last frame may be empty: what reads the body is asked for where there are bytes
	defer d.Seek(at)
	return httpbody.Open(d, &entities, []byte(n.Media.string(d)), n.Packing.string(d))
}
