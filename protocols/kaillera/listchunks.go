package kaillera

import (
	"bytes"
	"strconv"
	"strings"

	"remora/dissect"
)

// chunkedLine tells the header line of a body that comes in chunks: servers of HTTP/1.1 that do not know its length
// send it so (RFC 9112 section 7.1).
func chunkedLine(key, value string) bool {
	return strings.EqualFold(key, "Transfer-Encoding") && strings.Contains(strings.ToLower(value), "chunked")
}

// chunk is the chunk at an offset: where its line ends, and its size. ok is false while the line is not there, or is
// none.
func chunk(b []byte, at int) (from, size int, ok bool) {
	end := bytes.IndexByte(b[at:], '\n')
	if end < 0 {
		return 0, 0, false
	}
	digits, _, _ := strings.Cut(strings.TrimSpace(string(b[at:at+min(end, 64)])), ";")
	n, err := strconv.ParseUint(strings.TrimSpace(digits), 16, 24)
	return at + end + 1, int(n), err == nil
}

// chunksEnd is where a body in chunks ends that begins at an offset, or 0 while it is not all there.
func chunksEnd(b []byte, at int) int {
	for p := (dissect.Progress{}); p.Up(at); {
		from, size, ok := chunk(b, at)
		if !ok || from+size > len(b) {
			return 0
		}
		if at = from + size; size == 0 {
			end := bytes.Index(b[from-1:], []byte("\n\r\n"))
			if end < 0 {
				return 0
			}
			return from + end + 2
		}
		if !bytes.HasPrefix(b[at:], []byte("\r\n")) {
			return 0
		}
		at += 2
	}
	return 0
}

// inBody reads the body of an answer, which is a data source of its own where it came in chunks.
func inBody(d *dissect.D, head []byte, read func()) {
	chunked := false
	for _, line := range strings.Split(string(head), "\n") {
		key, value, _ := strings.Cut(line, ":")
		chunked = chunked || chunkedLine(key, value)
	}
	if !chunked {
		read()
		return
	}
	b, whole := d.Data(), []byte(nil)
	for at, p := 0, (dissect.Progress{}); p.Up(at); {
		from, size, ok := chunk(b, at)
		if !ok {
			break
		}
		at = min(from+size, len(b))
		whole = append(whole, b[from:at]...)
		if at = min(at+2, len(b)); size == 0 {
			break
		}
	}
	d.Rest(lChunks)
	d.From("De-chunked list", whole, read)
}
