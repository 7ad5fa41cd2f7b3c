package lua

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"remora/owndissect"
)

// A token is a word of a script: an operator or reserved word as it is written, or one of the kinds below.
type token struct {
	kind string
	text string // of names, texts and numbers
	line int
}

const (
	tokName   = "<name>"
	tokText   = "<string>"
	tokNumber = "<number>"
	tokEnd    = "<eof>"
)

var reserved = func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(
		"and break do else elseif end false for function goto if in local nil not or repeat " +
			"return then true until while") {
		out[w] = true
	}
	return out
}()

// operators are those of more than one character, the longest first.
var operators = []string{"...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"}

// A lexer takes a script apart.
type lexer struct {
	path string
	s    string
	at   int
	line int
}

// syntaxError ends the reading of a script.
type syntaxError struct{ *owndissect.Error }

func (x *lexer) fail(text string) {
	panic(syntaxError{&owndissect.Error{Path: x.path, Line: x.line, Text: text}})
}

// next is the next token.
func (x *lexer) next() token {
	x.blanks()
	t := token{line: x.line}
	if x.at >= len(x.s) {
		t.kind = tokEnd
		return t
	}
	c := x.s[x.at]
	switch {
	case isLetter(c):
		from := x.at
		for x.at < len(x.s) && (isLetter(x.s[x.at]) || isDigit(x.s[x.at])) {
			x.at++
		}
		if t.kind, t.text = tokName, x.s[from:x.at]; reserved[t.text] {
			t.kind = t.text
		}
	case isDigit(c) || c == '.' && x.at+1 < len(x.s) && isDigit(x.s[x.at+1]):
		t.kind, t.text = tokNumber, x.number()
	case c == '"' || c == '\'':
		t.kind, t.text = tokText, x.quoted(c)
	case c == '[' && x.bracket() >= 0:
		t.kind, t.text = tokText, x.long(x.bracket())
	default:
		t.kind = x.operator()
	}
	return t
}

func (x *lexer) operator() string {
	for _, op := range operators {
		if strings.HasPrefix(x.s[x.at:], op) {
			x.at += len(op)
			return op
		}
	}
	c := x.s[x.at]
	if strings.IndexByte("+-*/%^#&~|<>=(){}[];:,.", c) < 0 {
		x.fail("unexpected symbol near '" + string(rune(c)) + "'")
	}
	x.at++
	return string(rune(c))
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isHex(c byte) bool    { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// blanks goes past blanks and comments.
func (x *lexer) blanks() {
	for x.at < len(x.s) {
		switch c := x.s[x.at]; {
		case c == '\n':
			x.line++
			x.at++
		case c == ' ' || c >= '\t' && c <= '\r':
			x.at++
		case strings.HasPrefix(x.s[x.at:], "--"):
			x.at += 2
			if level := x.bracket(); level >= 0 {
				x.long(level)
				continue
			}
			for x.at < len(x.s) && x.s[x.at] != '\n' {
				x.at++
			}
		default:
			return
		}
	}
}

// bracket is the level of a long bracket that begins here, or -1.
func (x *lexer) bracket() int {
	rest := x.s[x.at:]
	if !strings.HasPrefix(rest, "[") {
		return -1
	}
	level := 0
	for level+1 < len(rest) && rest[level+1] == '=' {
		level++
	}
	if level+1 < len(rest) && rest[level+1] == '[' {
		return level
	}
	return -1
}

// long is text in long brackets.
func (x *lexer) long(level int) string {
	from := x.at + level + 2
	n := strings.Index(x.s[from:], "]"+strings.Repeat("=", level)+"]")
	if n < 0 {
		x.fail("unfinished long string or comment near '<eof>'")
	}
	text := x.s[from : from+n]
	x.line += strings.Count(text, "\n")
	x.at = from + n + level + 2
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.TrimPrefix(text, "\n")
}

// number reads a number.
func (x *lexer) number() string {
	from, exponents := x.at, "eE"
	if s := x.s[from:]; len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		exponents = "pP"
		x.at += 2
	}
	for x.at < len(x.s) {
		c := x.s[x.at]
		if strings.IndexByte(exponents, c) >= 0 && x.at+1 < len(x.s) && strings.IndexByte("+-", x.s[x.at+1]) >= 0 {
			x.at++
		} else if !isHex(c) && !isLetter(c) && c != '.' {
			break
		}
		x.at++
	}
	if _, ok := numberOf(x.s[from:x.at]); !ok {
		x.fail("malformed number near '" + x.s[from:x.at] + "'")
	}
	return x.s[from:x.at]
}

// integerOf is an integer as Lua 5.3 writes them: hexadecimal digits wrap around, and too many decimal ones are none.
func integerOf(s string) (n int64, ok bool) {
	if hex := strings.TrimPrefix(strings.ToLower(s), "0x"); len(hex) < len(s) {
		var v uint64
		for _, c := range hex {
			if c >= 'a' {
				c += 10 - 'a' + '0'
			}
			if c < '0' || c > '0'+15 {
				return 0, false
			}
			v = v<<4 | uint64(c-'0')
		}
		return int64(v), true
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// numberOf is a number as Lua writes them.
func numberOf(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	minus := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	if s == "" || !isDigit(s[0]) && s[0] != '.' || strings.Contains(s, "_") {
		return 0, false
	}
	lower := strings.ToLower(s)
	if strings.HasPrefix(lower, "0x") && !strings.Contains(lower, "p") {
		lower += "p0"
	}
	v, err := strconv.ParseFloat(lower, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	if minus {
		v = -v
	}
	return v, true
}

// quoted is text between quotes.
func (x *lexer) quoted(quote byte) string {
	var b strings.Builder
	for x.at++; ; x.at++ {
		if x.at >= len(x.s) || x.s[x.at] == '\n' {
			x.fail("unfinished string near '" + string(rune(quote)) + b.String() + "'")
		}
		c := x.s[x.at]
		switch c {
		case quote:
			x.at++
			return b.String()
		case '\\':
			x.at++
			x.escape(&b)
		default:
			b.WriteByte(c)
		}
	}
}

// escape reads what stands behind a backslash, but for its last character.
func (x *lexer) escape(b *strings.Builder) {
	rest := x.s[x.at:]
	if rest == "" {
		x.fail("unfinished string")
	}
	c := rest[0]
	switch {
	case strings.IndexByte("abfnrtv", c) >= 0:
		b.WriteByte("\a\b\f\n\r\t\v"[strings.IndexByte("abfnrtv", c)])
	case c == '\n' || c == '\r':
		if strings.HasPrefix(rest, "\r\n") {
			x.at++
		}
		x.line++
		b.WriteByte('\n')
	case strings.IndexByte(`\"'`, c) >= 0:
		b.WriteByte(c)
	case c == 'z':
		for x.at+1 < len(x.s) && strings.IndexByte(" \t\n\v\f\r", x.s[x.at+1]) >= 0 {
			if x.at++; x.s[x.at] == '\n' {
				x.line++
			}
		}
	case c == 'x' && len(rest) > 2 && isHex(rest[1]) && isHex(rest[2]):
		v, _ := strconv.ParseUint(rest[1:3], 16, 8)
		b.WriteByte(byte(v))
		x.at += 2
	case c == 'u' && strings.HasPrefix(rest, "u{"):
		digits, _, ended := strings.Cut(rest[2:], "}")
		v, err := strconv.ParseUint(digits, 16, 31)
		if err != nil || !ended {
			x.fail("invalid escape sequence near '\\u{" + digits + "'")
		}
		b.Write(appendUTF8(nil, uint32(v)))
		x.at += len(digits) + 2
	case isDigit(c):
		n := 1
		for n < min(3, len(rest)) && isDigit(rest[n]) {
			n++
		}
		v, err := strconv.ParseUint(rest[:n], 10, 8)
		if err != nil {
			x.fail("decimal escape too large near '\\" + rest[:n] + "'")
		}
		b.WriteByte(byte(v))
		x.at += n - 1
	default:
		x.fail("invalid escape sequence near '\\" + string(rune(c)) + "'")
	}
}

// appendUTF8 appends a character as Lua does, which knows up to 31 bits.
func appendUTF8(b []byte, v uint32) []byte {
	if v < 0x110000 && utf8.ValidRune(rune(v)) {
		return utf8.AppendRune(b, rune(v))
	}
	var tail []byte
	first := uint32(0x3f)
	for v > first {
		tail = append([]byte{byte(0x80 | v&0x3f)}, tail...)
		v >>= 6
		first >>= 1
	}
	return append(append(b, byte(^first<<1|v)), tail...)
}
