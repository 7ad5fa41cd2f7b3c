package soaprun

import (
	"bytes"

	"remora/dissect"
)

// The bounds of what waits: bytes that are none of a message, and a dispatch reply.
const (
	maxGarbage = 32 << 10
	maxText    = 64 << 10
)

// cut is how the engine cuts messages off the stream: the size of the one at the start of b, or 0 while more bytes are
// needed. Bytes that are none of a message come out as one piece of their own, so that they are shown.
func cut(b []byte) int {
	if upgrade(b) {
		return headEnd(b)
	}
	if size := frameOrMessage(b); size != 0 {
		return max(0, size)
	}
	if isText(b) {
		return cutText(b)
	}
	if size, _ := measure(b); size != 0 {
		return max(0, size)
	}
	if size := strange(b); size != 0 {
		return max(0, size)
	}
	return resume(b)
}

// strange is the size of a message of an unknown type: four printable characters, and an end where the next message
// begins. 0 is none, -1 not yet known.
func strange(b []byte) int {
	length, _, ok := header(b)
	if !ok || length < 4 || length > likelyLength {
		return 0
	}
	for _, c := range b[4:8] {
		if c < 0x20 || c > 0x7e {
			return 0
		}
	}
	n := 4 + int(length)
	if len(b) < n {
		return -1
	}
	if !boundary(b[n:]) {
		return 0
	}
	return n
}

// resume finds where messages begin again: a whole message of a known type whose size fits, and behind it another. It
// returns how many bytes lie in front of it, or 0 while that cannot be told.
func resume(b []byte) int {
	if n := nextMessage(b); n > 0 {
		return n
	}
	if len(b) > maxGarbage {
		return len(b) - 7 // a header may begin in the last bytes
	}
	return 0
}

// nextMessage is the offset of the first place where two messages follow one another, or 0.
func nextMessage(b []byte) int {
	for at := 3; ; at++ { // the upper half of a Length is zero: only such places are looked at
		i := bytes.Index(b[min(at, len(b)):], []byte{0, 0})
		if i < 0 {
			return 0
		}
		at += i
		first := exact(b[at-2:])
		if first > 0 && exact(b[at-2+first:]) > 0 {
			return at - 2
		}
	}
}

// lastMessage is the offset of the first place from which messages go on to the end of b, or 0. It serves what the end
// of the connection leaves over, behind which no second message can follow.
func lastMessage(b []byte) int {
	for i := 1; i+8 <= len(b); i++ {
		at := i
		for n, p := 1, (dissect.Progress{}); n > 0 && at < len(b) && p.Up(at); at += n {
			if n = exact(b[at:]); n == 0 {
				break
			}
		}
		if at == len(b) {
			return i
		}
	}
	return 0
}

// exact is the size of the message at the start of b if it is there whole, its type is known and its size fits; else 0.
func exact(b []byte) int {
	length, kind, ok := header(b)
	if !ok || length < 4 || length > likelyLength || !knownType(kind) || len(b) < 4+int(length) {
		return 0
	}
	if n := int(length); fits(kind, b[8:], n-4) == yes {
		return 4 + n
	}
	return 0
}

// isText reports whether the bytes can be of the dispatch: no message of the game begins with four bytes of text, and
// text has no control characters.
func isText(b []byte) bool {
	for _, c := range b {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return len(b) > 0
}

// cutText is the size of a request, which ends with an empty line, or of a reply, which ends with its page, where its
// Content-Length says, or when the connection ends.
func cutText(b []byte) int {
	if bytes.HasPrefix(b, []byte("GET ")) {
		if end := headEnd(b); end > 0 {
			return end
		}
	} else if end := replyEnd(b); end > 0 {
		return end
	}
	if len(b) > maxText {
		return len(b)
	}
	return 0
}

// headEnd is the offset behind the first empty line, or 0.
func headEnd(b []byte) int {
	for at, p := 0, (dissect.Progress{}); p.Up(at); {
		end, next, ok := lineEnd(b, at)
		if !ok {
			return 0
		}
		if end == at {
			return next
		}
		at = next
	}
	return 0
}

// lineEnd is where the line ends that begins at from, and where the next one begins: at CR LF, CR or LF. A CR at the
// very end of b is no end yet, as its LF may follow.
func lineEnd(b []byte, from int) (end, next int, ok bool) {
	i := bytes.IndexAny(b[from:], "\r\n")
	if i < 0 {
		return len(b), len(b), false
	}
	end = from + i
	next = end + 1
	if b[end] == '\r' {
		if next == len(b) {
			return end, next, false
		}
		if b[next] == '\n' {
			next++
		}
	}
	return end, next, true
}

// replyEnd is where a reply ends, or 0: where its Content-Length says, or behind the line that ends the page.
func replyEnd(b []byte) int {
	if bytes.HasPrefix(b, []byte("HTTP/")) {
		if head := headEnd(b); head > 0 {
			if n, ok := contentLength(b[:head]); ok {
				if head+n <= len(b) {
					return head + n
				}
				return 0
			}
		}
	}
	i := bytes.Index(b, []byte("</html>"))
	if i < 0 {
		return 0
	}
	if _, next, ok := lineEnd(b, i); ok {
		return next
	}
	return 0
}

// contentLength reads the header of that name.
func contentLength(head []byte) (n int, ok bool) {
	const name = "\ncontent-length:"
	i := bytes.Index(bytes.ToLower(head), []byte(name))
	if i < 0 {
		return 0, false
	}
	for _, c := range bytes.TrimLeft(head[i+len(name):], " ") {
		if c < '0' || c > '9' || n > maxText {
			break
		}
		n, ok = 10*n+int(c-'0'), true
	}
	return n, ok && n <= maxText
}
