package filter

import (
	"strconv"
	"unicode/utf8"
)

var escapes = map[byte]string{'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v", '\\': "\\",
	'\'': "'", '"': `"`}

// escape reads an escape sequence at i and returns its value and length.
func (l *lexer) escape(i int) (string, int, error) {
	rest := l.text[i+1:]
	if rest == "" {
		return "", 0, l.fail(i, i+1, "", "the filter ends inside an escape sequence")
	}
	if v, ok := escapes[rest[0]]; ok {
		return v, 2, nil
	}
	switch c := rest[0]; {
	case c >= '0' && c <= '7':
		s := rest[:run(rest, 3, isOctal)]
		v, _ := strconv.ParseUint(s, 8, 16)
		if v > 255 {
			return "", 0, l.fail(i, i+1+len(s), "", "\\%s is more than 255, the largest byte", s)
		}
		return string([]byte{byte(v)}), 1 + len(s), nil
	case c == 'x':
		if s := rest[1 : 1+run(rest[1:], 2, isHex)]; s != "" {
			v, _ := strconv.ParseUint(s, 16, 8)
			return string([]byte{byte(v)}), 2 + len(s), nil
		}
	case c == 'u' || c == 'U':
		return l.codePoint(i, rest)
	}
	_, n := utf8.DecodeRuneInString(rest)
	return "", 0,
		l.fail(i, i+1+n, `write \\ for a backslash, or use r"..."`, "%q is not an escape sequence", l.text[i:i+1+n])
}

// codePoint reads \uNNNN or \UNNNNNNNN. As in C, code points that have a plainer way to be written are refused.
func (l *lexer) codePoint(i int, rest string) (string, int, error) {
	want := 4
	if rest[0] == 'U' {
		want = 8
	}
	n := run(rest[1:], want, isHex)
	if n < want {
		return "", 0, l.fail(i, i+2+n, "", "\\%c takes %d hexadecimal digits", rest[0], want)
	}
	v, _ := strconv.ParseUint(rest[1:1+want], 16, 32)
	if v > utf8.MaxRune || !utf8.ValidRune(rune(v)) || v < 0xa0 && v != '$' && v != '@' && v != '`' {
		return "", 0, l.fail(i, i+2+want, "", "%s names no character that may be written so", l.text[i:i+2+want])
	}
	return string(rune(v)), 2 + want, nil
}

// run counts the bytes at the start of s, at most most, for which is holds.
func run(s string, most int, is func(byte) bool) int {
	n := 0
	for n < len(s) && n < most && is(s[n]) {
		n++
	}
	return n
}

func isOctal(c byte) bool { return c >= '0' && c <= '7' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isHex(c byte) bool   { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
func isNameByte(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-'
}
