package sip

import (
	"bytes"
	"fmt"
	"remora/dissect"
	"strings"
)

// A span is a range of bytes of a message.
type span struct{ from, to int }

// A head is what the first line and the header say of a message.
type head struct {
	request, response bool
	line, next        int // where the first line's text ends, and where the next begins
	end               int // behind the header's empty line, 0 when it is not all there
	method, uri, code span
	status            int
	length            int64 // what Content-Length says, -1 when it is not there
	kindOf            span  // Content-Type
	callID, seq, verb span  // Call-ID and the parts of CSeq
	contacts          int   // addresses in Contact
	inDialog          bool  // To has a tag
	star, leaves      bool  // Contact is "*"; the bindings last no time
}

// Limits of the header of a message and of its first line.
const (
	maxHead = 64 << 10
	maxLine = 4 << 10
)

// parse reads the first line, and the header as far as it tells how long the message is and which call it is of.
// cut says that the capture cut b off.
func parse(b []byte, cut bool) (h head) {
	h.length = -1
	line, next, ok := dissect.LineAt(b, 0, maxHead)
	if line > maxLine {
		return h
	}
	h.line, h.next = line, next
	if !h.statusLine(b) && !h.requestLine(b) && !(cut && !ok && h.begunLine(b)) {
		return h
	}
	for at, p := next, (dissect.Progress{}); ok && at < len(b) && at < maxHead && p.Up(at); {
		if line, next, ok = dissect.LineAt(b, at, maxHead); line == at {
			if ok {
				h.end = next
			}
			return h
		}
		h.field(b, at, line)
		at = next
	}
	return h
}

const version = "SIP/2.0"

// mayBegin tells whether b may begin with a method or the version. It is for packets that nobody knows: most of them
// need not be searched for the end of a line.
func mayBegin(b []byte) bool {
	for i, c := range b {
		if c == ' ' || i > 0 && c == '/' {
			return i > 0
		}
		if !inMethod(c) {
			return false
		}
	}
	return false
}

func inMethod(c byte) bool { return 'A' <= c && c <= 'Z' || c == '_' || c == '-' }

func (h *head) requestLine(b []byte) bool {
	text := b[:h.line]
	m := bytes.IndexByte(text, ' ')
	v := bytes.LastIndexByte(text, ' ')
	if m < 1 || m > 24 || v <= m+1 || string(text[v+1:]) != version {
		return false
	}
	for _, c := range text[:m] {
		if !inMethod(c) {
			return false
		}
	}
	h.request, h.method, h.uri = true, span{0, m}, span{m + 1, v}
	return true
}

// begunLine reads a first line of a request of which the capture has the method and the begin of an address.
func (h *head) begunLine(b []byte) bool {
	m := bytes.IndexByte(b, ' ')
	if m < 1 || m > 24 || bytes.IndexFunc(b[:m], func(c rune) bool { return !inMethod(byte(c)) }) >= 0 {
		return false
	}
	for _, scheme := range [...]string{"sip:", "sips:", "tel:"} {
		if bytes.HasPrefix(b[m+1:], []byte(scheme)) {
			uri, _, _ := bytes.Cut(b[m+1:], []byte(" "))
			h.request, h.method, h.uri = true, span{0, m}, span{m + 1, m + 1 + len(uri)}
			return true
		}
	}
	return false
}

func (h *head) statusLine(b []byte) bool {
	text := b[:h.line]
	if len(text) < len(version)+4 || string(text[:len(version)+1]) != version+" " {
		return false
	}
	h.code = span{len(version) + 1, len(version) + 4}
	n := number(text[h.code.from:h.code.to])
	if n < 0 {
		return false
	}
	h.response, h.status = true, int(n)
	return true
}

// field keeps what a header line says that is needed before all lines are read.
func (h *head) field(b []byte, at, end int) {
	name, value := nameAndValue(b, at, end)
	if name.to-name.from > 14 {
		return
	}
	switch long(bytes.ToLower(b[name.from:name.to])) {
	case "content-length":
		h.length = number(b[value.from:value.to])
	case "content-type":
		h.kindOf = value
	case "call-id":
		h.callID = value
	case "cseq":
		n := bytes.IndexAny(b[value.from:value.to], " \t")
		if n > 0 {
			h.seq = span{value.from, value.from + n}
			h.verb = trim(b, span{value.from + n, value.to})
		}
	}
}

// nameAndValue are the parts of a header line, with the spaces around them left out. A line without a colon has no
// value.
func nameAndValue(b []byte, at, end int) (name, value span) {
	n := bytes.IndexByte(b[at:end], ':')
	if n < 0 {
		return span{at, end}, span{end, end}
	}
	return trim(b, span{at, at + n}), trim(b, span{at + n + 1, end})
}

// trim leaves out the spaces around a part.
func trim(b []byte, s span) span {
	for s.from < s.to && blank(b[s.from]) {
		s.from++
	}
	for s.from < s.to && blank(b[s.to-1]) {
		s.to--
	}
	return s
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

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

// short are the short forms of header names (RFC 3261 section 7.3.3 and the registry).
var short = map[string]string{
	"a": "accept-contact", "b": "referred-by", "c": "content-type", "d": "request-disposition", "e": "content-encoding",
	"f": "from",
	"i": "call-id", "j": "reject-contact", "k": "supported", "l": "content-length", "m": "contact", "n": "identity-info",
	"o": "event",
	"r": "refer-to", "s": "subject", "t": "to", "u": "allow-events", "v": "via", "x": "session-expires", "y": "identity",
}

// long is the whole name of a header.
func long(name []byte) string {
	if len(name) == 1 {
		if l := short[string(name)]; l != "" {
			return l
		}
	}
	return string(name)
}

// kind is the packet type: the status of a response, or a number for the method.
func (h *head) kind(b []byte) uint64 {
	if h.response {
		return uint64(h.status)
	}
	if n := methods[string(b[h.method.from:h.method.to])]; n != 0 {
		return n
	}
	return otherMethod
}

// mediaType is a media type in lower case without its parameters.
func mediaType(b []byte) string {
	if len(b) > 256 {
		return ""
	}
	kind, _, _ := bytes.Cut(b, []byte(";"))
	return string(bytes.ToLower(bytes.TrimSpace(kind)))
}

// textual tells whether a body of the type is text that people can read.
func textual(kind string) bool {
	return strings.HasSuffix(kind, "xml") || strings.HasSuffix(kind, "json") || kind == "application/dtmf-relay" ||
		kind == "message/sipfrag"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
