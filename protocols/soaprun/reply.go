package soaprun

import (
	"bytes"

	"remora/dissect"
)

// marker is what the game looks for in a reply. The line behind it must begin with page, the line behind that is the
// record.
const (
	marker = "<html"
	page   = "Pixel"
)

// The tokens of the record, in their order.
const (
	tokenDate = iota
	tokenStatus
	tokenIP
	tokenPort
	tokenProtocol
	tokenVersion
	tokenComment // the first of six
	maxComments  = 6
	maxTokens    = tokenComment + maxComments
)

// broken is the first rule of the game that a reply breaks.
type broken uint8

const (
	keepsRules broken = iota
	noMarker
	noPage
	noRecord
	adminAnswer // no record, but the OK. that answers an administration request
)

// A span is a part of the reply, [from, to).
type span struct{ from, to int }

func (s span) of(b []byte) []byte { return b[s.from:s.to] }

// A reply is where the parts of a dispatch reply stand, as the game itself reads it: not as HTTP.
type reply struct {
	broken broken
	mark   span // the marker
	page   span // the line that must begin with Pixel
	record span // the line with the tokens
	tokens [maxTokens]span
	count  int
	more   span // tokens behind the last one that the game reads
}

func (r *reply) token(b []byte, i int) []byte {
	if i >= r.count {
		return nil
	}
	return r.tokens[i].of(b)
}

// parseReply follows the original client: the bytes of the whole reply, headers and all; two-byte characters of
// Shift-JIS are stepped over as one.
func parseReply(b []byte) (r reply) {
	at := 0
	for p := (dissect.Progress{}); at < len(b) && !bytes.HasPrefix(b[at:], []byte(marker)) && p.Up(at); {
		at += width(b, at)
	}
	if at >= len(b) {
		r.broken = noMarker
		return r
	}
	r.mark = span{at, at + len(marker)}
	_, at = nextLine(b, at)
	end, next := nextLine(b, at)
	r.page = span{at, end}
	if !bytes.HasPrefix(r.page.of(b), []byte(page)) {
		r.broken = noPage
		return r
	}
	end, _ = nextLine(b, next)
	r.record = span{next, end}
	r.split(b)
	switch {
	case bytes.HasPrefix(r.record.of(b), []byte("OK.")):
		r.broken = adminAnswer
	case r.count == 0:
		r.broken = noRecord
	}
	return r
}

// split finds the tokens: runs of TABs count as one separator, those at the start as none.
func (r *reply) split(b []byte) {
	for at, p := r.record.from, (dissect.Progress{}); at < r.record.to && p.Up(at); {
		if b[at] == '\t' {
			at++
			continue
		}
		from := at
		for p := (dissect.Progress{}); at < r.record.to && b[at] != '\t' && p.Up(at); {
			at += width(b, at)
		}
		at = min(at, r.record.to)
		if r.count == maxTokens {
			r.more = span{from, r.record.to}
			return
		}
		r.tokens[r.count] = span{from, at}
		r.count++
	}
}

// width is the number of bytes of the character at b[at].
func width(b []byte, at int) int {
	if c := b[at]; at+1 < len(b) && (c >= 0x81 && c <= 0x9f || c >= 0xe0 && c <= 0xfc) {
		return 2
	}
	return 1
}

// nextLine is where the line that from stands in ends, and where the next one begins. The last line ends with b.
func nextLine(b []byte, from int) (end, next int) {
	for at, p := from, (dissect.Progress{}); at < len(b) && p.Up(at); at += width(b, at) {
		switch {
		case b[at] == '\r' && at+1 < len(b) && b[at+1] == '\n':
			return at, at + 2
		case b[at] == '\r' || b[at] == '\n':
			return at, at + 1
		}
	}
	return len(b), len(b)
}

// unescape decodes %xx and + of a comment or a request. What is no escape stays as it is.
func unescape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '+':
			out = append(out, ' ')
		case b[i] == '%' && i+2 < len(b) && hexDigit(b[i+1]) >= 0 && hexDigit(b[i+2]) >= 0:
			out = append(out, byte(hexDigit(b[i+1])<<4|hexDigit(b[i+2])))
			i += 2
		default:
			out = append(out, b[i])
		}
	}
	return out
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// shownBytes is how much of a comment the game has room for.
const shownBytes = 23

// shown is what the game prints of a comment: nothing for a blank line.
func shown(raw []byte) []byte {
	if string(raw) == "<br>" {
		return nil
	}
	text := unescape(raw)
	return text[:min(len(text), shownBytes)]
}

// atoi reads a number as C's atoi does: leading blanks, digits, and nothing else counts.
func atoi(b []byte) uint64 {
	n := uint64(0)
	for _, c := range bytes.TrimLeft(b, " ") {
		if c < '0' || c > '9' || n > 1<<40 {
			break
		}
		n = 10*n + uint64(c-'0')
	}
	return n
}
