// Package coding undoes the content codings of HTTP (RFC 9110 section 8.4.1): gzip, deflate, br and zstd.
package coding

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"

	"github.com/dsnet/compress/brotli"
	"github.com/klauspost/compress/zstd"
)

// Limits of what is unpacked: its size, and its size compared with the packed bytes. Texts and pictures stay far below
// the ratio; what goes beyond it was made to cost whoever unpacks it a lot for little, each time that somebody looks at
// it.
const (
	maxPlain  = 8 << 20
	someBytes = 256 << 10 // whatever they were packed to
	maxRatio  = 128
)

// Limit is how many bytes are unpacked of so many packed ones.
func Limit(packed int) int { return min(maxPlain, someBytes+maxRatio*packed) }

// overhead is how many packed bytes may be read for each byte that comes out, beyond someBytes. Senders that flush each
// small piece stay below it; empty members, frames and blocks that follow each other without end do not.
const overhead = 8

// Cost is how many bytes of work it is to unpack so many, but for the bytes that come out: tables are made before the
// first byte, and each byte may begin a block with tables of its own.
func Cost(packed int) int { return 64<<10 + 4*packed }

var (
	errUnknown = errors.New("the packing is not known")
	errBehind  = errors.New("the body goes on behind what is packed")
	errEmpty   = errors.New("the body is packed in far more bytes than it has")
)

// ErrLarge tells that there is more than what was unpacked.
var ErrLarge = errors.New("the body is too large")

// Unpack undoes a content coding (RFC 9110 section 8.4.1, RFC 8878). What came out before an error is returned with it;
// no more than Limit comes out.
func Unpack(b []byte, encoding string) ([]byte, error) {
	plain, _, err := unpack(b, encoding)
	return plain, err
}

// unpack tells how many packed bytes were read, too.
func unpack(b []byte, encoding string) (plain []byte, read int, err error) {
	m := &meter{packed: bytes.NewReader(b)}
	r, err := m.reader(encoding)
	if err != nil {
		return nil, m.read(), err
	}
	if z, ok := r.(*zstd.Decoder); ok {
		defer z.Close()
	}
	limit := Limit(len(b))
	plain, err = io.ReadAll(io.LimitReader(counted{r, m}, int64(limit)+1))
	if len(plain) > limit {
		return plain[:limit], m.read(), ErrLarge
	}
	if err == nil && m.packed.Len() > 0 && encoding == "br" { // the other readers see this by themselves
		err = errBehind
	}
	return plain, m.read(), err
}

// A meter gives out packed bytes until they are too many for what came out of them.
type meter struct {
	packed *bytes.Reader
	out    int
}

func (m *meter) reader(encoding string) (io.Reader, error) {
	switch encoding {
	case "gzip", "x-gzip":
		return gzip.NewReader(m)
	case "deflate":
		r, err := zlib.NewReader(m)
		if err != nil { // some servers leave out the header of RFC 1950
			m.packed.Seek(0, io.SeekStart)
			return flate.NewReader(m), nil
		}
		return r, nil
	case "br":
		return brotli.NewReader(m, nil)
	case "zstd":
		return zstd.NewReader(m, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPlain),
			zstd.WithDecoderMaxWindow(maxPlain))
	}
	return nil, errUnknown
}

// read is how many packed bytes were given out.
func (m *meter) read() int { return int(m.packed.Size()) - m.packed.Len() }

func (m *meter) spent() bool { return m.read() > someBytes+overhead*m.out }

func (m *meter) Read(p []byte) (int, error) {
	if m.spent() {
		return 0, errEmpty
	}
	return m.packed.Read(p[:min(len(p), 4<<10)])
}

// ReadByte is Read for one byte.
func (m *meter) ReadByte() (byte, error) {
	if m.spent() {
		return 0, errEmpty
	}
	return m.packed.ReadByte()
}

// counted tells a meter what comes out.
type counted struct {
	io.Reader
	m *meter
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.m.out += n
	return n, err
}
