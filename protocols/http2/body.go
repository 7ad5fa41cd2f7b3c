package http2

import (
	"strings"

	"remora/dissect"
	"remora/protocols/internal/httpbody"
	"remora/protocols/internal/texts"
)

var (
	fData        = proto.Bytes("data.data", "Data", "A body, or a part of one.")
	fSegment     = proto.Bytes("data.segment", "DATA segment", "The last part of a body that came in several.")
	fDataPadding = proto.Bytes("data.padding", "Padding", "Bytes that say nothing.")

	entities, joined = httpbody.Declare(proto, fData)
	pieces           = dissect.NewList[httpbody.Piece]()
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
		n.Whole, n.Parts, n.Media, n.Packing = true, y.Last, texts.Keep(d, f.media), texts.Keep(d, strings.ToLower(f.packing))
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
		d.Links().ShowForward(joined.In)
	}
}

// body shows a body that came in several frames.
func (n note) body(d *dissect.D) {
	e := n.entity(d)
	e.ShowJoined(&pieces, n.Parts, &joined, d.WantedOf(proto))
}

// entity finds out who reads a body.
func (n note) entity(d *dissect.D) httpbody.Entity {
	return httpbody.Open(d, &entities, []byte(n.Media.String(d)), n.Packing.String(d))
}
