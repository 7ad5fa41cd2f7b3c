package pcapfile

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A codec is one way of compressing whole files, recognized by its first bytes.
type codec struct {
	name, magic string
	reader      func(io.Reader) (io.ReadCloser, error)
}

var codecs = []codec{
	{"gzip", "\x1F\x8B", func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{"zstd", "\x28\xB5\x2F\xFD", newZstd},
	{"lz4", "\x04\x22\x4D\x18", func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(lz4.NewReader(r)), nil }},
}

// maxZstdWindow bounds the memory that a zstd file can ask for.
const maxZstdWindow = 128 << 20

func newZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxZstdWindow), zstd.WithDecoderConcurrency(2))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

func compression(head []byte) *codec {
	for i := range codecs {
		if bytes.HasPrefix(head, []byte(codecs[i].magic)) {
			return &codecs[i]
		}
	}
	return nil
}

// decompress looks at the first bytes of a stream and unwraps it where it is compressed.
func decompress(r io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(r, readMin)
	head, _ := b.Peek(4) // what is wrong with fewer bytes shows when they are read
	c := compression(head)
	if c == nil {
		return io.NopCloser(b), nil
	}
	inner, err := c.reader(b)
	if err != nil {
		return nil, &decompressError{c.name, noEOF(err)}
	}
	return &decompressor{inner, c.name}, nil
}

// A decompressor names itself in its errors, and takes an early end for damage.
type decompressor struct {
	io.ReadCloser
	name string
}

func (d *decompressor) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = &decompressError{d.name, err}
	}
	return n, err
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
