package hexdump

import "bytes"

type token uint8

const (
	aByte token = iota
	anOffset
	aText
	anEnd // of a line
)

// scan cuts a dump into tokens. Of those that fit, the longest counts; a byte in front of an offset, both in front of
// text.
func scan(b []byte, take func(t token, text []byte)) {
	start := true // of a line
	for len(b) > 0 {
		if start && isComment(b) {
			end := bytes.IndexByte(b, '\n')
			take(anEnd, nil)
			if end < 0 {
				return
			}
			b = b[end+1:]
			continue
		}
		switch c := b[0]; {
		case c == '\n' || c == '\r' && len(b) > 1 && b[1] == '\n':
			b, start = b[bytes.IndexByte(b, '\n')+1:], true
			if len(b) > 0 && b[0] == '\r' {
				b = b[1:]
			}
			take(anEnd, nil)
			continue
		case c == ' ' || c == '\t':
			b, start = b[1:], false
			continue
		}
		start = false
		b = b[word(b, take):]
	}
}

func isComment(b []byte) bool {
	b = bytes.TrimLeft(b, " \t")
	return len(b) > 0 && b[0] == '#'
}

// word takes what stands up to the next blank, and returns its length.
func word(b []byte, take func(t token, text []byte)) int {
	n := bytes.IndexAny(b, " \t\n")
	if n < 0 {
		n = len(b)
	}
	w := bytes.TrimSuffix(b[:n], []byte("\r"))
	hex := bytes.TrimPrefix(w, []byte(">"))
	digits := 0
	for digits < len(hex) && isHex(hex[digits]) {
		digits++
	}
	rest := hex[digits:]
	switch ended := n < len(b); {
	case digits == 2 && len(rest) == 0 && len(hex) == len(w):
		take(aByte, w)
	case digits > 0 && len(rest) == 0 && ended && (len(hex) == len(w) || b[n] != '\n'),
		digits > 0 && string(rest) == ":":
		take(anOffset, hex[:digits])
	default:
		take(aText, w)
	}
	return n
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
