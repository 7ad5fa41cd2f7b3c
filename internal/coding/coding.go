// Package coding undoes the content codings of HTTP (RFC 9110 section 8.4.1): gzip, deflate, br and zstd.
package coding

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Limits of what is unpacked: its size, and its size compared with the packed bytes, beyond which deflate cannot go.
const (
	maxPlain = 8 << 20
	maxRatio = 1100
)

var (
	errUnknown = errors.New("the packing is not known")
	errLarge   = errors.New("the body is too large")
)

// Unpack undoes a content coding (RFC 9110 section 8.4.1, RFC 8878). What came out before an error is returned with it.
func Unpack(b []byte, encoding string) ([]byte, error) {
	var r io.Reader
	var err error
	switch encoding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(bytes.NewReader(b))
	case "deflate":
		if r, err = zlib.NewReader(bytes.NewReader(b)); err != nil { // some servers leave out the header of RFC 1950
			r, err = flate.NewReader(bytes.NewReader(b)), nil
		}
	case "br":
		r = brotli.NewReader(bytes.NewReader(b))
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
