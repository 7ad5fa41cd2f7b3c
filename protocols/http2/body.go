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
	exchange.fake(d, h.stream)
	at := d.Pos()
	if h.flags&flagPadded != 0 {
		at++
	}
	if httpbody.IsCall(f.media) && (f.packing == "" || f.packing == "identity") {
		exchange.messages(d, &n, at, inner)
	} else {
		f.body.Add(d, &pieces, at, len(inner), h.flags&flagEnd != 0)
	}
	if h.flags&flagEnd != 0 {
		exchange.end(d, &n)
		s.over(h.stream, exchange)
	}
	return n
}

// end says what is known of the body at its end.
func (t *stream) end(d *dissect.D, n *note) {
	f := &t.flows[d.Dir&1]
	if !n.Whole {
		t.whole(d, n)
	}
	*f = flow{began: f.began, ended: true}
}

// whole says what is known of the body of which all has come, or of messages of it.
func (t *stream) whole(d *dissect.D, n *note) {
	f := &t.flows[d.Dir&1]
	if y := f.body; !y.Whole() || len(f.media) > maxMedia || len(f.packing) > maxMedia || len(f.coding) > maxMedia {
		return
	}
	media := f.media
	if httpbody.IsCall(media) {
		media = httpbody.Call{Media: media, Path: t.path, Request: t.asks(d.Dir), Encoding: f.coding}.Text()
	}
	n.Whole, n.Parts, n.Media, n.Packing = true, f.body.Last, texts.Keep(d, media),
		texts.Keep(d, strings.ToLower(f.packing))
}

// maxMedia bounds the words for what a body is.
const maxMedia = 1024

// data shows a part of a body, or all of it.
func data(d *dissect.D, n note) {
	switch size := d.Left(); {
	case n.Whole && n.Parts == 0:
		d.Within(size-int(n.Rest), func() {
			e := n.entity(d)
			e.Show(d.Data())
		})
		n.remains(d)
	case n.Whole:
		d.Bytes(fSegment, size-int(n.Rest))
		n.body(d)
		n.remains(d)
	case size > 0:
		d.Rest(fData)
		d.Links().ShowForward(joined.In)
	}
}

// remains shows the beginning of a message that ends in a later frame.
func (n note) remains(d *dissect.D) {
	if n.Rest > 0 {
		d.Rest(fSegment)
		d.Links().ShowForward(joined.In)
	}
}

// body shows a body that came in several frames.
func (n note) body(d *dissect.D) {
	e := n.entity(d)
	e.GoesOn = n.Rest > 0
	e.ShowJoined(&pieces, n.Parts, &joined, d.WantedOf(proto))
}

// entity finds out who reads a body.
func (n note) entity(d *dissect.D) httpbody.Entity {
	return httpbody.Open(d, &entities, []byte(n.Media.String(d)), n.Packing.String(d))
}
