package filter

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A kind of token.
type kind uint8

const (
	tokEnd    kind = iota
	tokWord        // a name, number, address or anything else unquoted
	tokString      // "..." or r"..."
	tokChar        // 'c'
	tokOp          // an operator or bracket; words like "and" become their sign
)

type token struct {
	kind     kind
	pos, end int
	text     string // operators by their sign; strings decoded
}

// words are the operators that are written as words.
var words = map[string]string{"and": "&&", "or": "||", "not": "!", "eq": "==", "any_eq": "==", "ne": "!=", "all_ne": "!=", "all_eq": "===", "any_ne": "!==",
	"gt": ">", "lt": "<", "ge": ">=", "le": "<=", "contains": "contains", "matches": "matches", "in": "in", "bitwise_and": "&", "any": "any", "all": "all"}

// signs are the operators that are written as signs, longer ones first.
var signs = []string{"!==", "===", "&&", "||", "==", "!=", ">=", "<=", "~=", "..", "=", "!", ">", "<", "~", "&", "(", ")", "{", "}", "[", "]", ",", "+", "*", "/", "%"}

type lexer struct {
	text   string
	tokens []token
}

// lex cuts a filter into tokens.
func lex(text string) ([]token, error) {
	l := lexer{text: text}
	for i := 0; i < len(text); {
		c := text[i]
		var err error
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '"':
			i, err = l.quoted(i, i+1)
		case (c == 'r' || c == 'R') && strings.HasPrefix(text[i+1:], `"`):
			i, err = l.raw(i)
		case c == '\'':
			i, err = l.char(i)
		default:
			i, err = l.plain(i)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(l.tokens, token{tokEnd, len(text), len(text), ""}), nil
}

func (l *lexer) fail(pos, end int, format string, args ...any) error {
	end = min(max(end, pos+1), len(l.text))
	return &Error{Text: l.text, Pos: min(pos, end), End: end, Msg: fmt.Sprintf(format, args...)}
}

// plain reads a sign or a word.
func (l *lexer) plain(i int) (int, error) {
	end := l.wordEnd(i)
	if end == i {
		for _, s := range signs {
			if strings.HasPrefix(l.text[i:], s) {
				l.tokens = append(l.tokens, token{tokOp, i, i + len(s), s})
				return i + len(s), nil
			}
		}
		if l.text[i] == '-' {
			l.tokens = append(l.tokens, token{tokOp, i, i + 1, "-"})
			return i + 1, nil
		}
		_, n := utf8.DecodeRuneInString(l.text[i:])
		return 0, l.fail(i, i+n, "the character %q has no place in a filter", l.text[i:i+n])
	}
	word := l.text[i:end]
	if op, ok := words[word]; ok {
		l.tokens = append(l.tokens, token{tokOp, i, end, op})
	} else {
		l.tokens = append(l.tokens, token{tokWord, i, end, word})
	}
	return end, nil
}

// wordEnd is where the word that starts at i ends. Inside square brackets colons and dashes are no part of words, so that
// slices can be read.
func (l *lexer) wordEnd(i int) int {
	inSlice := false
	for _, t := range l.tokens {
		if t.kind == tokOp && t.text == "[" {
			inSlice = true
		} else if t.kind == tokOp && t.text == "]" {
			inSlice = false
		}
	}
	start := i
	for i < len(l.text) {
		c := l.text[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
		switch {
		case letter:
		case inSlice:
			if i == start && (c == ':' || c == '-') {
				return i + 1
			}
			return i
		case c == '.' && !strings.HasPrefix(l.text[i:], "..") && (i == start || l.text[i-1] != '.'):
		case c == '-' && i > start, c == ':':
		case c == '/' && i > start && looksLikeAddress(l.text[start:i]) && i+1 < len(l.text) && l.text[i+1] >= '0' && l.text[i+1] <= '9':
		default:
			return i
		}
		i++
	}
	return i
}

// looksLikeAddress tells an address before its prefix length from a term before a division.
func looksLikeAddress(s string) bool {
	if strings.Contains(s, ":") {
		return true
	}
	return strings.Count(s, ".") == 3 && strings.Trim(s, "0123456789.") == ""
}

func (l *lexer) quoted(start, i int) (int, error) {
	var b strings.Builder
	for i < len(l.text) {
		switch c := l.text[i]; c {
		case '"':
			l.tokens = append(l.tokens, token{tokString, start, i + 1, b.String()})
			return i + 1, nil
		case '\\':
			v, n, err := l.escape(i)
			if err != nil {
				return 0, err
			}
			b.WriteString(v)
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return 0, l.fail(start, len(l.text), "the string has no closing quote")
}

func (l *lexer) raw(start int) (int, error) {
	for i := start + 2; i < len(l.text); i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '"':
			l.tokens = append(l.tokens, token{tokString, start, i + 1, l.text[start+2 : i]})
			return i + 1, nil
		}
	}
	return 0, l.fail(start, len(l.text), "the string has no closing quote")
}

func (l *lexer) char(start int) (int, error) {
	i := start + 1
	if i >= len(l.text) || l.text[i] == '\'' {
		return 0, l.fail(start, i+1, "a character constant holds one character")
	}
	v, n := l.text[i:i+1], 1
	if l.text[i] == '\\' {
		var err error
		if v, n, err = l.escape(i); err != nil {
			return 0, err
		}
	}
	if i+n >= len(l.text) || l.text[i+n] != '\'' {
		return 0, l.fail(start, min(i+n+1, len(l.text)), "a character constant holds one character, with a quote on each side")
	}
	l.tokens = append(l.tokens, token{tokChar, start, i + n + 1, v})
	return i + n + 1, nil
}

var escapes = map[byte]string{'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v", '\\': "\\", '\'': "'", '"': `"`}

// escape reads an escape sequence at i and returns its value and length.
func (l *lexer) escape(i int) (string, int, error) {
	rest := l.text[i+1:]
	if rest == "" {
		return "", 0, l.fail(i, i+1, "the filter ends inside an escape sequence")
	}
	if v, ok := escapes[rest[0]]; ok {
		return v, 2, nil
	}
	run := func(from, most int, digits string) string {
		n := 0
		for n < most && from+n < len(rest) && strings.IndexByte(digits, rest[from+n]) >= 0 {
			n++
		}
		return rest[from : from+n]
	}
	const hex = "0123456789abcdefABCDEF"
	switch c := rest[0]; {
	case c >= '0' && c <= '7':
		s := run(0, 3, "01234567")
		if v, _ := strconv.ParseUint(s, 8, 16); v <= 255 {
			return string([]byte{byte(v)}), 1 + len(s), nil
		}
	case c == 'x':
		if s := run(1, 2, hex); s != "" {
			v, _ := strconv.ParseUint(s, 16, 8)
			return string([]byte{byte(v)}), 2 + len(s), nil
		}
	case c == 'u' || c == 'U':
		want := 4
		if c == 'U' {
			want = 8
		}
		if s := run(1, want, hex); len(s) == want {
			v, _ := strconv.ParseUint(s, 16, 32)
			if utf8.ValidRune(rune(v)) && (v >= 0xa0 || v == '$' || v == '@' || v == '`') {
				return string(rune(v)), 2 + want, nil
			}
		}
	}
	return "", 0, l.fail(i, min(i+2, len(l.text)), "%q is no escape sequence", l.text[i:min(i+2, len(l.text))])
}
