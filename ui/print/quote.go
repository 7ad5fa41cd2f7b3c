package print

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// appendQuoted appends a JSON string. Bytes that are no UTF-8 become U+FFFD; whatever a terminal could take for more
// than a letter (controls, marks that turn the direction of text) is written as \uXXXX, which any reader of JSON
// turns back.
func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		if from := i; plain[s[i]] {
			for i++; i < len(s) && plain[s[i]]; i++ {
			}
			dst = append(dst, s[from:i]...)
			continue
		}
		if c := s[i]; c < utf8.RuneSelf {
			dst = appendASCII(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(dst, `\ufffd`...)
		case unicode.IsPrint(r):
			dst = append(dst, s[i:i+n]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			dst = appendUnicode(appendUnicode(dst, hi), lo)
		default:
			dst = appendUnicode(dst, r)
		}
		i += n
	}
	return append(dst, '"')
}

// plain are the bytes that stand for themselves.
var plain = func() (is [256]bool) {
	for c := byte(' '); c < 0x7f; c++ {
		is[c] = c != '"' && c != '\\'
	}
	return is
}()

// appendASCII appends what is not plain.
func appendASCII(dst []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\r':
		return append(dst, '\\', 'r')
	case c == '\t':
		return append(dst, '\\', 't')
	}
	return appendUnicode(dst, rune(c))
}

// appendUnicode appends a character of at most 16 bits as \uXXXX.
func appendUnicode(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// flat is a filter name as a key of -T ek: dots and dashes become underscores.
func flat(name string) string { return flattener.Replace(name) }

var flattener = strings.NewReplacer(".", "_", "-", "_")
