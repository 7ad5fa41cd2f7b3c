package http

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"remora/dissect"
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

// body reads what stands behind the header.
func body(d *dissect.D, b []byte, h *head) {
	if d.Left() == 0 {
		return
	}
	what := kind(lower(b, h.contentType))
	if what != "" && d.Texting() {
		d.Infof(" (%s)", what)
	}
	if !h.chunked {
		if int64(d.Left()) < h.length && !d.CutShort() {
			d.Mark(nBroken)
		}
		entity(d, d.Data(), lower(b, h.encoding))
		d.Skip(d.Left())
		return
	}
	data := chunks(d, h)
	if len(data) > 0 {
		d.From("De-chunked entity body", data, func() { entity(d, data, lower(b, h.encoding)) })
	}
}

// asked tells whether somebody looks at the body: then it is put together and unpacked.
func asked(d *dissect.D) bool { return d.Wanted(fData) || d.Wanted(fPacked) || d.Wanted(nInflate) }

// kind is a media type without its parameters.
func kind(contentType string) string {
	media, _, _ := bytes.Cut([]byte(contentType), []byte(";"))
	return string(bytes.TrimSpace(media))
}

// chunks shows the pieces of the body and returns them put together; nil where nobody asked for that.
func chunks(d *dissect.D, h *head) (data []byte) {
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
			if asked(d) {
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

// entity shows a body, unpacked where it can be.
func entity(d *dissect.D, b []byte, encoding string) {
	if encoding == "" || encoding == "identity" {
		d.Bytes(fData, len(b))
		return
	}
	pos := d.Pos()
	d.Bytes(fPacked, len(b))
	if !asked(d) {
		return
	}
	plain, err := unpack(b, encoding)
	if err != nil {
		d.Mark(nInflate)
	}
	switch {
	case len(plain) > 0:
		d.From("Uncompressed entity body", plain, func() { d.Bytes(fData, len(plain)) })
	case len(plain) == 0:
		d.Put(fData, 0, pos, len(b))
	}
}

// Limits of what is unpacked: its size, and its size compared with the packed bytes, beyond which deflate cannot go.
const (
	maxPlain = 8 << 20
	maxRatio = 1100
)

var (
	errUnknown = errors.New("the packing is not known")
	errLarge   = errors.New("the body is too large")
)

// unpack undoes a content coding (RFC 9110 section 8.4.1, RFC 8878). What came out before an error is returned with it.
func unpack(b []byte, encoding string) ([]byte, error) {
	var r io.Reader
	var err error
	switch encoding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(bytes.NewReader(b))
	case "deflate":
		if r, err = zlib.NewReader(bytes.NewReader(b)); err != nil { // some servers leave out the header of RFC 1950
			r, err = flate.NewReader(bytes.NewReader(b)), nil
		}
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPlain), zstd.WithDecoderMaxWindow(maxPlain)); err == nil {
			defer z.Close()
			r = z
		}
	default:
		err = errUnknown
	}
	if err != nil {
		return nil, err
	}
	limit := int64(min(maxPlain, maxRatio*(len(b)+64)))
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(out)) > limit {
		return out[:limit], errLarge
	}
	return out, err
}
