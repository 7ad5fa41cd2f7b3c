package http

import (
	"bytes"
	"errors"

	"remora/dissect"
	"remora/internal/coding"
)

var (
	fData     = proto.String("file_data", "File Data", "The body, as it was before it was sent.")
	fPacked   = proto.Bytes("encoded_body", "Content-encoded entity body", "The body as it is packed.")
	fChunked  = proto.Group("chunked", "HTTP chunked message", "A body in pieces.").Summary("HTTP chunked {http.chunked.what}")
	fWhat     = proto.String("chunked.what", "What is chunked", "Request or response.").Derived().Hidden()
	fChunk    = proto.Group("chunk", "Data chunk", "One piece of the body.").Summary("Data chunk ({http.chunk_size:raw} octets)")
	fLast     = proto.Group("chunk_end", "End of chunked encoding", "The piece of no size that ends the body.")
	fSize     = proto.Uint32("chunk_size", "Chunk size", "Length of the piece.").In("octets")
	fPiece    = proto.Bytes("chunk_data", "Chunk data", "The piece.")
	fBoundary = proto.Bytes("chunk_boundary", "Chunk boundary", "The line end behind a piece.")
	fTrailer  = proto.String("chunked_trailer_part", "trailer-part", "A header line behind the body.")
)

// media is the table of what bodies are, by their types in lower case.
const media dissect.Table = "media_type"

// body reads what stands behind the header.
func body(d *dissect.D, b []byte, h *head) {
	if d.Left() == 0 {
		return
	}
	what := kind(lower(b, h.contentType))
	e := entity{d: d, encoding: lower(b, h.encoding), next: func() {}}
	d.Tell(b[h.contentType.from:h.contentType.to])
	e.kind = dissect.Word(what)
	switch {
	case what == "" || what == "application/octet-stream":
		e.next, e.asked = d.Lazily(untyped, 0)
	case len(what) > 10 && what[:10] == "multipart/":
		e.kind, e.deep = dissect.Word("multipart/*"), true
	case d.Simple(media, e.kind):
		e.next, e.asked = d.Lazily(media, e.kind)
	default:
		e.deep = true
	}
	e.asked = e.asked || e.deep || d.Wanted(fData) || d.Wanted(fPacked) || d.Wanted(nInflate) || d.Wanted(nLarge)
	if !h.chunked {
		if int64(d.Left()) < h.length && !d.CutShort() {
			d.Mark(nBroken)
		}
		e.show(d.Data())
		d.Skip(d.Left())
		return
	}
	data := chunks(d, h, e.asked)
	if len(data) > 0 {
		d.From("De-chunked entity body", data, func() { e.show(data) })
	}
}

// untyped is a table that nobody is attached to: what goes there is plain data.
const untyped dissect.Table = "http.untyped"

// An entity is what a message carries, and who reads it.
type entity struct {
	d        *dissect.D
	encoding string
	kind     uint32 // the media type's number
	deep     bool   // what is in it counts for the first pass: parts, descriptions of calls
	asked    bool   // somebody looks at the body: then it is put together and unpacked
	next     func() // shows a body that is not deep
}

// kind is a media type without its parameters.
func kind(contentType string) string {
	media, _, _ := bytes.Cut([]byte(contentType), []byte(";"))
	return string(bytes.TrimSpace(media))
}

// chunks shows the pieces of the body and returns them put together; nil where nobody wants them or asked for that.
func chunks(d *dissect.D, h *head, wanted bool) (data []byte) {
	what := "response"
	if h.request {
		what = "request"
	}
	d.In(fChunked, func() {
		d.SetText(fWhat, what)
		for d.More() {
			b := d.Data()
			c, ok := chunkAt(b, 0)
			if ok <= 0 {
				d.Mark(nBroken)
				return
			}
			if c.size == 0 {
				last(d, c)
				return
			}
			end := min(c.end, len(b))
			if wanted {
				data = append(data, b[c.data:end]...)
			}
			d.In(fChunk, func() {
				d.Put(fSize, uint64(c.size), d.Pos(), c.data)
				d.Skip(c.data)
				d.Bytes(fPiece, end-c.data)
				if next := min(c.next, len(b)); next > end {
					d.Bytes(fBoundary, next-end)
				}
			})
			if c.end > len(b) {
				d.Mark(nBroken)
			}
		}
	})
	return data
}

// last shows the piece that ends the body, and what follows it.
func last(d *dissect.D, c chunk) {
	d.In(fLast, func() {
		d.Put(fSize, 0, d.Pos(), c.data)
		d.Skip(c.data)
	})
	for d.More() {
		b := d.Data()
		line, next, _ := dissect.LineAt(b, 0, maxHead)
		if line == 0 {
			d.Put(fEnd, 0, d.Pos(), next)
			d.Skip(next)
			return
		}
		d.Bytes(fTrailer, next)
	}
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
		d.Mark(nLarge)
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
