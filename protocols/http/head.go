package http

import (
	"bytes"
	"remora/dissect"
)

// A span is a range of bytes of a message.
type span struct{ from, to int }

// A head is what the first line and the header say of a message.
type head struct {
	request, response bool
	verb              uint64 // of a request: its number among the packet types
	start             int    // behind empty lines in front of the message
	line, next        int    // where the first line's text ends, and where the next begins
	end               int    // behind the header's empty line, 0 when it is not all there
	method, uri       span
	version, code     span
	phrase            span
	status            int
	length            int64 // what Content-Length says, -1 when it is not there
	chunked           bool
	encoding          span // Content-Encoding
	contentType       span
	host              span
	upgrade           span
}

// maxHead bounds the header of a message.
const maxHead = 256 << 10

// parse reads the first line, and the header as far as it tells how long the message is.
func parse(b []byte) (h head) {
	h.length = -1
	for h.start+1 < len(b) && h.start < 8 && b[h.start] == '\r' && b[h.start+1] == '\n' {
		h.start += 2
	}
	line, next, ok := dissect.LineAt(b, h.start, maxHead)
	if !ok && next-h.start > maxHead {
		return h
	}
	h.line, h.next = line, next
	if !h.requestLine(b, ok) && !h.statusLine(b) {
		return h
	}
	for at, p := next, (dissect.Progress{}); ok && at < len(b) && at < maxHead && p.Up(at); {
		if line, next, ok = dissect.LineAt(b, at, maxHead); !ok {
			return h
		}
		if line == at {
			h.end = next
			return h
		}
		h.field(b, at, line)
		at = next
	}
	return h
}

// requestLine reads "METHOD target HTTP/x.y". Without an end of line it is one only for methods that are known.
func (h *head) requestLine(b []byte, whole bool) bool {
	text := b[h.start:h.line]
	m := bytes.IndexByte(text, ' ')
	if m < 1 || m > 24 || !token(text[:m]) {
		return false
	}
	known := methods[string(text[:m])] != 0
	v := bytes.LastIndexByte(text, ' ')
	versioned := v > m && bytes.HasPrefix(text[v+1:], []byte("HTTP/"))
	if !versioned && (!known || whole || foreignScheme(text[m+1:])) {
		return false
	}
	if !versioned {
		v = len(text)
	}
	h.request, h.verb = true, otherMethod
	if known {
		h.verb = methods[string(text[:m])]
	}
	h.method, h.uri = span{h.start, h.start + m}, span{h.start + m + 1, h.start + max(v, m+1)}
	h.version = span{h.start + min(v+1, len(text)), h.line}
	return true
}

// foreignScheme tells whether a target begins with the scheme of a protocol that has methods in common with HTTP.
func foreignScheme(target []byte) bool {
	for _, scheme := range [...]string{"sip:", "sips:", "tel:", "rtsp:", "rtspu:"} {
		if bytes.HasPrefix(target, []byte(scheme)) {
			return true
		}
	}
	return false
}

// statusLine reads "HTTP/x.y code phrase".
func (h *head) statusLine(b []byte) bool {
	text := b[h.start:h.line]
	if !bytes.HasPrefix(text, []byte("HTTP/")) {
		return false
	}
	v := bytes.IndexByte(text, ' ')
	if v < 0 || len(text) < v+4 {
		return false
	}
	for _, c := range text[v+1 : v+4] {
		if c < '0' || c > '9' {
			return false
		}
		h.status = h.status*10 + int(c-'0')
	}
	h.response = true
	h.version, h.code = span{h.start, h.start + v}, span{h.start + v + 1, h.start + v + 4}
	if len(text) > v+5 {
		h.phrase = span{h.start + v + 5, h.line}
	}
	return true
}

// token tells whether b consists of what RFC 9110 section 5.6.2 allows in names.
func token(b []byte) bool {
	for _, c := range b {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) >= 0:
		default:
			return false
		}
	}
	return len(b) > 0
}

// nameAndValue are the parts of a header line, with the spaces around the value left out. A line without a colon has no
// value.
func nameAndValue(b []byte, at, end int) (name, value span) {
	n := bytes.IndexByte(b[at:end], ':')
	if n < 0 {
		return span{at, end}, span{end, end}
	}
	name, value = span{at, at + n}, span{at + n + 1, end}
	for value.from < value.to && (b[value.from] == ' ' || b[value.from] == '\t') {
		value.from++
	}
	for value.from < value.to && (b[value.to-1] == ' ' || b[value.to-1] == '\t') {
		value.to--
	}
	return name, value
}

// field keeps what a header line says of the message's length and body.
func (h *head) field(b []byte, at, end int) {
	name, value := nameAndValue(b, at, end)
	if name.to-name.from > 20 {
		return
	}
	v := b[value.from:value.to]
	var low [20]byte
	switch string(low[:copyLower(low[:], b[name.from:name.to])]) {
	case "content-length":
		h.length = number(v)
	case "transfer-encoding":
		h.chunked = bytes.Contains(bytes.ToLower(v), []byte("chunked"))
	case "content-encoding":
		h.encoding = value
	case "content-type":
		h.contentType = value
	case "host":
		h.host = value
	case "upgrade":
		h.upgrade = value
	}
}

// copyLower copies a name, no longer than dst, in lower case: names are of ASCII.
func copyLower(dst, name []byte) int {
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst[i] = c
	}
	return len(name)
}

// number reads decimal digits; -1 is none, or too many.
func number(b []byte) (n int64) {
	if len(b) == 0 || len(b) > 15 {
		return -1
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

// notice tells whether the message is about events: Wireshark calls those neither requests nor responses.
func (h *head) notice() bool {
	return h.request && (h.verb == methods["NOTIFY"] || h.verb == methods["SUBSCRIBE"] || h.verb == methods["UNSUBSCRIBE"])
}

// kind is the packet type: the status of a response, or a number for the method.
func (h *head) kind() uint64 { return uint64(h.status) + h.verb }

// lower is text in lower case, for comparisons.
func lower(b []byte, s span) string {
	if s.to-s.from > 256 {
		return ""
	}
	return string(bytes.ToLower(b[s.from:s.to]))
}
