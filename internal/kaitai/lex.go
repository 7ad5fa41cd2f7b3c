package kaitai

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

type token struct {
	what byte // 'n' name, 'i' integer, 'f' float, 's' string, 'F' f-string, 'o' operator, 0 the end
	text string
	at   int
}

type syntaxError string

func badSyntax(format string, args ...any) { panic(syntaxError(fmt.Sprintf(format, args...))) }

func isNameStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool     { return c >= '0' && c <= '9' }

// lex takes an expression apart.
func lex(src string) (out []token) {
	for i := 0; ; {
		for i < len(src) && strings.IndexByte(" \t\r\n", src[i]) >= 0 {
			i++
		}
		if i == len(src) {
			return append(out, token{at: i})
		}
		t, n := lexOne(src[i:])
		t.at = i
		out = append(out, t)
		i += n
	}
}

var operators = []string{"<<", ">>", "<=", ">=", "==", "!=", "::", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^",
	"~", "(", ")", "[", "]", "?", ":", ",", "."}

func lexOne(s string) (token, int) {
	switch c := s[0]; {
	case c == 'f' && len(s) > 1 && s[1] == '"':
		n := fstringEnd(s)
		return token{what: 'F', text: s[2 : n-1]}, n
	case isNameStart(c):
		n := 1
		for n < len(s) && (isNameStart(s[n]) || isDigit(s[n])) {
			n++
		}
		return token{what: 'n', text: s[:n]}, n
	case isDigit(c):
		return lexNumber(s)
	case c == '\'':
		n := strings.IndexByte(s[1:], '\'')
		if n < 0 {
			badSyntax("the string is not closed: %s", s)
		}
		return token{what: 's', text: s[1 : n+1]}, n + 2
	case c == '"':
		return lexQuoted(s)
	}
	for _, o := range operators {
		if strings.HasPrefix(s, o) {
			return token{what: 'o', text: o}, len(o)
		}
	}
	r, _ := utf8.DecodeRuneInString(s)
	badSyntax("unexpected %q", r)
	return token{}, 0
}

func lexNumber(s string) (token, int) {
	n := 0
	if len(s) > 1 && s[0] == '0' && strings.IndexByte("xXbBoO", s[1]) >= 0 {
		for n = 2; n < len(s) && (isDigit(s[n]) || isNameStart(s[n])); n++ {
		}
		return token{what: 'i', text: s[:n]}, n
	}
	digits := func() {
		for n < len(s) && (isDigit(s[n]) || s[n] == '_') {
			n++
		}
	}
	digits()
	kind := byte('i')
	if n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
		kind = 'f'
		n++
		digits()
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if m < len(s) && isDigit(s[m]) {
			kind, n = 'f', m
			digits()
		}
	}
	return token{what: kind, text: s[:n]}, n
}

var escapes = map[byte]byte{'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, 'e': 27, '"': '"', '\'': '\'',
	'\\': '\\'}

// escape reads what follows a backslash.
func escape(s string) (string, int) {
	if s == "" {
		badSyntax("a string ends in a backslash")
	}
	if c, ok := escapes[s[0]]; ok {
		return string(rune(c)), 1
	}
	if s[0] == 'u' && len(s) >= 5 {
		if n, err := strconv.ParseUint(s[1:5], 16, 16); err == nil {
			return string(rune(n)), 5
		}
	}
	n := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	if n == 0 {
		badSyntax("unknown escape \\%c", s[0])
	}
	code, _ := strconv.ParseUint(s[:n], 8, 16)
	return string(rune(code)), n
}

func lexQuoted(s string) (token, int) {
	var b strings.Builder
	for i := 1; i < len(s); {
		switch s[i] {
		case '"':
			return token{what: 's', text: b.String()}, i + 1
		case '\\':
			text, n := escape(s[i+1:])
			b.WriteString(text)
			i += 1 + n
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	badSyntax("the string is not closed: %s", s)
	return token{}, 0
}

// fstringEnd is how long an f-string is: quotes within its braces do not end it.
func fstringEnd(s string) int {
	depth := 0
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case depth == 0 && c == '\\':
			i++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '"' && depth == 0:
			return i + 1
		case depth > 0 && (c == '"' || c == '\''):
			i += quotedLen(s[i:]) - 1
		}
	}
	badSyntax("the string is not closed: %s", s)
	return 0
}

// quotedLen is how long a string within an f-string is.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		if s[0] == '"' && s[i] == '\\' {
			i++
		} else if s[i] == s[0] {
			return i + 1
		}
	}
	return len(s)
}
