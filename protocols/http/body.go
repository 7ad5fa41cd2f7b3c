package http

import (
	"net/url"

	"remora/dissect"
	"remora/protocols/internal/httpbody"
)

// tableUntyped is empty: bodies without a media type are data.
const tableUntyped dissect.Table = "http.untyped"

var (
	fData    = proto.String("file_data", "File Data", "The body, as it was before it was sent.").Sized()
	fPacked  = proto.Bytes("encoded_body", "Content-encoded entity body", "The body as it is packed.")
	fChunked = proto.Group("chunked", "HTTP chunked message", "A body in pieces.").
			Summary("HTTP chunked {http.chunked.what}")
	fWhat  = proto.String("chunked.what", "What is chunked", "Request or response.").Derived().Hidden()
	fChunk = proto.Group("chunk", "Data chunk", "One piece of the body.").
		Summary("Data chunk ({http.chunk_size:raw} octets)")
	fLast     = proto.Group("chunk_end", "End of chunked encoding", "The piece of no size that ends the body.")
	fSize     = proto.Uint32("chunk_size", "Chunk size", "Length of the piece.").In("octets")
	fPiece    = proto.Bytes("chunk_data", "Chunk data", "The piece.")
	fBoundary = proto.Bytes("chunk_boundary", "Chunk boundary", "The line end behind a piece.")
	fTrailer  = proto.String("chunked_trailer_part", "trailer-part", "A header line behind the body.")
)

// entities are the fields that a body is shown by.
var entities = httpbody.Fields{Data: fData, Packed: fPacked, Broken: nInflate, Large: nLarge, Untyped: tableUntyped}

// body reads what stands behind the header.
func body(d *dissect.D, b []byte, h *head, x exchange) {
	if d.Left() == 0 {
		return
	}
	media := b[h.contentType.from:h.contentType.to]
	if httpbody.IsCall(string(media)) {
		media = []byte(httpbody.Call{Media: string(media), Path: x.path(d, b, h), Request: h.request}.Text())
	}
	e := httpbody.Open(d, &entities, media, lower(b, h.encoding))
	if !h.chunked {
		if int64(d.Left()) < h.length {
			broken(d)
		}
		e.Show(d.Data())
		d.Skip(d.Left())
		return
	}
	data := chunks(d, h, e.Asked)
	if len(data) > 0 {
		d.From("De-chunked entity body", data, func() { e.Show(data) })
	}
}

// path is what is asked for, or was by the request that is answered.
func (x exchange) path(d *dissect.D, b []byte, h *head) string {
	if h.request {
		return string(b[h.uri.from:h.uri.to])
	}
	if x.Whole.Len > 0 {
		if u, err := url.Parse(x.Whole.String(d)); err == nil {
			return u.Path
		}
	}
	if x.URI.Len == 0 {
		return ""
	}
	uri, _ := d.Stream().Recall(x.URI)
	return string(uri)
}

// broken notes that the body is not whole, unless the capture cut it off.
func broken(d *dissect.D) {
	if !d.CutShort() {
		d.Expert(nBroken)
	}
}

// chunks shows the pieces of the body and returns them put together; nil where nobody wants them or asked for that.
func chunks(d *dissect.D, h *head, wanted bool) (data []byte) {
	what := "response"
	if h.request {
		what = "request"
	}
	d.In(fChunked, func() {
		d.SetText(fWhat, what)
		for more := d.Elements(); more.Next(); {
			b := d.Data()
			c, ok := chunkAt(b, 0)
			if ok <= 0 {
				broken(d)
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
				broken(d)
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
	for more := d.Elements(); more.Next(); {
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
