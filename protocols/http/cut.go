package http

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// cutInTurn is cut with what is known of the connection: whether the next response is one to HEAD or CONNECT, and
// whether the connection has become another protocol's.
func cutInTurn(d *dissect.D, b []byte) int {
	s := exchanges.Peek(d)
	if s != nil && s.tunnel != 0 {
		in := s.inner
		if in == 0 { // within TLS, whose stream cannot be handed over
			in = d.Inner().Find(tables.HTTPUpgrade, s.tunnel)
		}
		if length, _ := d.Stream().Framing(in); length != nil {
			return length(b)
		}
	}
	n := cut(b, s)
	if h := parse(b); !h.request && !h.response && s.mute(d.Dir) {
		return -n
	}
	return n
}

// cut is how long the message is that b begins with; a number beyond b's length is the least it can be.
func cut(b []byte, s *exchangeState) int {
	if s != nil && s.tunnel != 0 {
		return len(b)
	}
	h := parse(b)
	switch {
	case !h.request && !h.response:
		return stray(b)
	case h.end == 0 && len(b) >= maxHead:
		return len(b)
	case h.end == 0:
		return 0
	case h.bodiless(s):
		return h.end
	case h.chunked:
		return cutChunks(b, h.end)
	case h.length >= 0:
		return h.end + int(min(h.length, dissect.MaxMessage+1))
	case h.request:
		return h.end
	}
	return 2*len(b) + 4096 // until the connection closes; asked again at twice the size only
}

// begun is the first line of a message that waits. Each segment of a body in chunks says it.
func begun(b []byte) (text string, again, ok bool) {
	h := parse(b)
	if !h.request && !h.response || bytes.IndexByte(b[h.start:], '\n') < 0 {
		return "", false, false
	}
	return string(b[h.start:h.line]) + "  ", h.chunked, true
}

// stray is the length of bytes that begin no message: up to a line that does, or all of them. What may be the beginning
// of a first line waits for its end.
func stray(b []byte) int {
	for _, mark := range [...]string{"\nHTTP/1.", "\nGET /", "\nPOST /"} {
		if i := bytes.Index(b, []byte(mark)); i >= 0 {
			return i + 1
		}
	}
	if len(b) < 512 && bytes.IndexByte(b, '\n') < 0 && (bytes.HasPrefix(b, []byte("HTTP/"[:min(5, len(b))])) || token(b)) {
		return 0
	}
	return len(b)
}

// bodiless tells whether the message ends with its header, whatever the header says (RFC 9112 section 6.3).
func (h *head) bodiless(s *exchangeState) bool {
	if h.request {
		return false
	}
	if h.status < 200 || h.status == 204 || h.status == 304 {
		return true
	}
	q := s.next()
	return q.verb == methods["HEAD"] || q.verb == methods["CONNECT"] && h.status < 300
}

// A chunk of a body: the line with its size, its data, and the line end behind them.
type chunk struct {
	size      int
	data, end int // where the data start and where they end, counted from the chunk
	next      int
}

// chunkAt reads the size line of a chunk (RFC 9112 section 7.1). ok is 0 when more bytes are needed and -1 when it is
// none.
func chunkAt(b []byte, at int) (c chunk, ok int) {
	line, next, whole := dissect.LineAt(b, at, maxHead)
	size, digits := 0, 0
	for i := at; i < line && size <= dissect.MaxMessage; i++ {
		d := bytes.IndexByte([]byte("0123456789abcdef"), b[i]|0x20)
		if d < 0 || b[i] < '0' {
			break
		}
		size, digits = size<<4|d, digits+1
	}
	switch {
	case !whole && line-at < 1024 && (digits > 0 || line == at):
		return c, 0
	case digits == 0 || !whole:
		return c, -1
	}
	c = chunk{size: size, data: next, end: next + size, next: next + size}
	if size == 0 {
		return c, 1
	}
	for i := 0; i < 2 && c.next < len(b); i++ {
		if b[c.next] == '\n' {
			i = 2
		} else if b[c.next] != '\r' {
			break
		}
		c.next++
	}
	return c, 1
}

// manyChunks is the number of them beyond which a body's end is looked for less often: looking costs as much as the
// body is long.
const manyChunks = 256

// cutChunks is the length of a message whose chunks start at an offset.
func cutChunks(b []byte, at int) int {
	for n, p := 0, (dissect.Progress{}); p.Up(at); n++ {
		c, ok := chunkAt(b, at)
		switch {
		case ok < 0:
			return at // what follows is none of the body
		case ok > 0 && c.size == 0:
			return cutTrailer(b, c.data)
		case ok == 0:
			return len(b) + 1
		case c.next+2 > len(b):
			least := max(c.end+7, len(b)+1)
			if n > manyChunks {
				least = max(least, len(b)+len(b)/64)
			}
			return least
		}
		at = c.next
	}
	return at
}

// cutTrailer is where the empty line behind the last chunk ends.
func cutTrailer(b []byte, at int) int {
	for p := (dissect.Progress{}); p.Up(at); {
		line, next, ok := dissect.LineAt(b, at, maxHead)
		switch {
		case !ok && next-at >= 4096:
			return at
		case !ok:
			return len(b) + 1
		case line == at:
			return next
		}
		at = next
	}
	return at
}
