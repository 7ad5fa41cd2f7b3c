package dissect

import "bytes"

// Helpers for protocols that speak in lines of text.

// LineAt is where the text of the line that begins at a place ends, and where the next one begins. Lines end with LF, or
// CR and LF. When the end is not there, or further away than most bytes, both are the end of b, and ok is false.
func LineAt(b []byte, at, most int) (end, next int, ok bool) {
	n := bytes.IndexByte(b[at:min(len(b), at+most)], '\n')
	if n < 0 {
		return len(b), len(b), false
	}
	end, next = at+n, at+n+1
	if end > at && b[end-1] == '\r' {
		end--
	}
	return end, next, true
}

// lastDot is the line that ends a message in SMTP (RFC 5321 section 4.5.2) and POP (RFC 1939 section 3).
const lastDot = ".\r\n"

// DotPart is how long the part of a message is that b begins with, where a line with a dot alone ends the message: up to
// that line, or all there is but what may be its beginning. midLine tells that b goes on in the middle of a line.
func DotPart(b []byte, midLine bool) int {
	if !midLine && bytes.HasPrefix(b, []byte(lastDot)) {
		return len(lastDot)
	}
	if i := bytes.Index(b, []byte("\n"+lastDot)); i >= 0 {
		return i + 1 + len(lastDot)
	}
	for n := len(lastDot) - 1; n > 0; n-- {
		rest := len(b) - n
		if rest == 0 && !midLine && string(b) == lastDot[:n] {
			return 0
		}
		if rest > 0 && b[rest-1] == '\n' && string(b[rest:]) == lastDot[:n] {
			return rest
		}
	}
	return len(b)
}

// DotEnds tells whether a part of such a message is its last.
func DotEnds(b []byte, midLine bool) bool {
	return bytes.HasSuffix(b, []byte("\n"+lastDot)) || !midLine && string(b) == lastDot
}
