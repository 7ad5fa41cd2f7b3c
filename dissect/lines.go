package dissect

import "bytes"

// Helpers for protocols that speak in lines of text.

// LineAt is where the text of the line that begins at a place ends, and where the next one begins. Lines end with LF,
// or CR and LF. When the end is not there, or further away than most bytes, both are the end of b, and ok is false.
func LineAt(b []byte, at, most int) (end, next int, ok bool) {
	n := bytes.IndexByte(b[at:min(len(b), at+most)], '\n')
	if end, next, ok = len(b), len(b), n >= 0; ok {
		end, next = at+n, at+n+1
	}
	if end > at && b[end-1] == '\r' {
		end--
	}
	return end, next, ok
}
