package coding

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"testing"
)

// TestNothingWithoutEnd unpacks bodies of nearly 3 MB in which nothing, or next to nothing, is packed again and again:
// of each no more than a small part is read.
func TestNothingWithoutEnd(t *testing.T) {
	const size = 2900 << 10
	var member, head bytes.Buffer
	if err := gzip.NewWriter(&member).Close(); err != nil {
		t.Fatal(err)
	}
	w := zlib.NewWriter(&head)
	if err := w.Flush(); err != nil { // the header, and a first block of no bytes
		t.Fatal(err)
	}
	many := func(first, again string) []byte {
		return append([]byte(first), bytes.Repeat([]byte(again), size/len(again))...)
	}
	gzipHead := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
	for _, c := range []struct {
		what, encoding string
		b              []byte
		some           bool // something comes out
	}{
		{"gzip, empty members", "gzip", many("", member.String()), false},
		{"gzip, empty stored blocks", "gzip", many(gzipHead, "\x00\x00\x00\xff\xff"), false},
		{"deflate, empty stored blocks", "deflate", many(head.String(), "\x00\x00\x00\xff\xff"), false},
		{"deflate, empty fixed blocks", "deflate", many(head.String(), "\x02\x08\x20\x80\x00"), false},
		{"deflate without a header", "deflate", many("", "\x00\x00\x00\xff\xff"), false},
		{"deflate, a byte in twenty", "deflate",
			many(head.String(), "\x00\x01\x00\xfe\xffx\x00\x00\x00\xff\xff\x00\x00\x00\xff\xff\x00\x00\x00\xff\xff"), true},
		{"zstd, empty frames", "zstd", many("", "\x28\xb5\x2f\xfd\x00\x58\x01\x00\x00"), false},
		{"zstd, frames to pass over", "zstd", many("", "\x50\x2a\x4d\x18\x00\x00\x00\x00"), false},
		{"brotli, empty metadata", "br", many("\x0c", "\x06"), false},
	} {
		plain, read, err := unpack(c.b, c.encoding)
		if most := someBytes + overhead*len(plain) + 64<<10; err == nil || read > most || (len(plain) > 0) != c.some {
			t.Errorf("%s: %d of %d bytes are read, %d come out, %v", c.what, read, len(c.b), len(plain), err)
		}
	}
}

// TestFlushedPieces unpacks a body whose sender flushes each few bytes.
func TestFlushedPieces(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range 100_000 {
		if _, err := w.Write([]byte("ab\n")); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if plain, read, err := unpack(b.Bytes(), "gzip"); err != nil || len(plain) != 300_000 || read != b.Len() {
		t.Errorf("%d bytes of %d packed ones, of which %d are read: %v", len(plain), b.Len(), read, err)
	}
}
