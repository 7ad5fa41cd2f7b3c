package coding_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"remora/internal/coding"
)

// packed is a text in a coding.
func packed(t *testing.T, encoding, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip", "x-gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	_, err := io.WriteString(w, text)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnpack(t *testing.T) {
	text := strings.Repeat("a body, and what is in it. ", 3000)
	for _, encoding := range []string{"gzip", "x-gzip", "deflate", "br", "zstd"} {
		b := packed(t, encoding, text)
		if got, err := coding.Unpack(b, encoding); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v", encoding, len(got), err)
		}
		if got, err := coding.Unpack(b[:len(b)/2], encoding); err == nil || !strings.HasPrefix(text, string(got)) {
			t.Errorf("half of %s: %d bytes, %v", encoding, len(got), err)
		}
	}
	if _, err := coding.Unpack([]byte("text"), "rot13"); err == nil {
		t.Error("a packing that nobody knows is undone")
	}
}

// TestBombs unpacks no more than a multiple of what came.
func TestBombs(t *testing.T) {
	text := strings.Repeat("\x00", 9<<20)
	for _, encoding := range []string{"gzip", "deflate", "br", "zstd"} {
		b := packed(t, encoding, text)
		got, err := coding.Unpack(b, encoding)
		if !errors.Is(err, coding.ErrLarge) || len(got) != coding.Limit(len(b)) || len(got) > 2<<20 {
			t.Errorf("%s: %d bytes make %d, %v", encoding, len(b), len(got), err)
		}
	}
	if n := coding.Limit(1 << 30); n > 8<<20 {
		t.Errorf("%d bytes may come out", n)
	}
}
