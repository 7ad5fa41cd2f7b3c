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

// Limits of what is unpacked: its size, and its size compared with the packed bytes. Texts and pictures stay far below the
// ratio; what goes beyond it was made to cost whoever unpacks it a lot for little, each time that somebody looks at it.
const (
	maxPlain  = 8 << 20
	someBytes = 256 << 10 // whatever they were packed to
	maxRatio  = 128
)

// Limit is how many bytes are unpacked of so many packed ones.
func Limit(packed int) int { return min(maxPlain, someBytes+maxRatio*packed) }

var errUnknown = errors.New("the packing is not known")

// ErrLarge tells that there is more than what was unpacked.
var ErrLarge = errors.New("the body is too large")

// Unpack undoes a content coding (RFC 9110 section 8.4.1, RFC 8878). What came out before an error is returned with it; no
// more than Limit comes out.
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
	limit := Limit(len(b))
	out, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if len(out) > limit {
		return out[:limit], ErrLarge
	}
	return out, err
}
