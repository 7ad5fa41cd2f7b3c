package hexdump

import (
	"bytes"
	"io"
)

// mostBefore bounds what may stand in front of a dump's first bytes, in bytes.
const mostBefore = 4 << 10

// Recognize tells whether a file begins as dumps do: one of its first lines has an offset of three zeros or more, and
// behind it at least two bytes.
func Recognize(f io.ReaderAt, _ int64) bool {
	start := make([]byte, mostBefore)
	n, _ := f.ReadAt(start, 0) // a file may be shorter
	for line := range bytes.Lines(start[:n]) {
		words, text := make([]byte, 0, 3), false
		scan(line, func(t token, w []byte) {
			text = text || t == anOffset && len(words) == 0 && (len(w) < 3 || len(bytes.Trim(w, "0")) > 0)
			if len(words) < cap(words) && t != anEnd {
				words = append(words, byte(t))
			}
		})
		if !text && bytes.Equal(words, []byte{byte(anOffset), byte(aByte), byte(aByte)}) {
			return true
		}
	}
	return false
}
