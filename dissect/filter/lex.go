package filter

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A kind of token.
type kind uint8

const (
	tokEnd     kind = iota
	tokWord         // a name, or a literal that looks like one
	tokField        // a name with a dot in front: a field, never a literal
	tokLiteral      // an address, or bytes: never a field
	tokString       // "..." or r"..."
	tokChar         // 'c'
	tokRange        // one part of what stands in square brackets
	tokOp           // an operator or bracket; words like "and" become their sign
)

type token struct {
	kind     kind
	pos, end int
	text     string // operators by their sign; strings decoded; fields without the dot in front
}

// words are the operators that are written as words.
var words = map[string]string{"and": "&&", "or": "||", "not": "!", "xor": "^^", "eq": "==", "any_eq": "==", "ne": "!=",
	"all_ne": "!=", "all_eq": "===", "any_ne": "!==",
	"gt": ">", "lt": "<", "ge": ">=", "le": "<=", "contains": "contains", "matches": "matches", "in": "in",
	"bitwise_and": "&", "bitand": "&", "any": "any", "all": "all"}

// signs are the operators that are written as signs, longer ones first.
var signs = []string{"!==", "===", "&&", "||", "^^", "==", "!=", ">=", "<=", "~=", "..", "${", "=", "!", ">", "<", "~",
	"&", "(", ")", "{", "}", "[", "]", ",", "+", "-", "*", "/", "%", "#", "@", "$"}

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
		case c == '[':
			i, err = l.brackets(i)
		default:
			i, err = l.plain(i)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(l.tokens, token{tokEnd, len(text), len(text), ""}), nil
}

func (l *lexer) add(k kind, pos, end int, text string) {
	l.tokens = append(l.tokens, token{k, pos, end, text})
}

func (l *lexer) fail(pos, end int, hint, format string, args ...any) error {
	end = min(max(end, pos+1), len(l.text))
	return &Error{Text: l.text, Pos: min(pos, end), End: end, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// plain reads a word, a literal or a sign.
func (l *lexer) plain(i int) (int, error) {
	rest := l.text[i:]
	n, k := nameLen(rest), tokWord
	if digits := run(rest, len(rest), isDigit); digits > 0 && i > 0 && l.text[i-1] == '#' {
		n = digits // what follows the number of a layer is not part of it, as in ip.ttl#1-3
	} else if m := literalLen(rest); m > n {
		n, k = m, tokLiteral
	}
	if n > 0 {
		word := rest[:n]
		if op, ok := words[word]; ok && k == tokWord && !l.after("$") {
			k, word = tokOp, op
		}
		l.add(k, i, i+n, word)
		return i + n, nil
	}
	if rest[0] == '.' && !strings.HasPrefix(rest, "..") {
		if n = nameLen(rest[1:]); n > 0 {
			l.add(tokField, i, i+1+n, rest[1:1+n])
			return i + 1 + n, nil
		}
	}
	for _, s := range signs {
		if strings.HasPrefix(rest, s) {
			l.add(tokOp, i, i+len(s), s)
			return i + len(s), nil
		}
	}
	r, n := utf8.DecodeRuneInString(rest)
	if r < 0x20 || r >= 0x7f {
		return 0, l.fail(i, i+n, "such characters go in quotes", "the character %q has no place in a filter", rest[:n])
	}
	return 0, l.fail(i, i+n, "", "the character %q has no place in a filter", rest[:n])
}

// after tells whether the last token is that sign.
func (l *lexer) after(sign string) bool {
	return len(l.tokens) > 0 && l.tokens[len(l.tokens)-1].kind == tokOp && l.tokens[len(l.tokens)-1].text == sign
}

// brackets cuts [a,b-c,d:] into its parts, which are read by their own rules: colons and dashes are no parts of words
// here.
func (l *lexer) brackets(open int) (int, error) {
	n := strings.IndexByte(l.text[open:], ']')
	if n < 0 {
		return 0, l.fail(open, len(l.text), "", "the brackets are not closed")
	}
	l.add(tokOp, open, open+1, "[")
	at := open + 1
	for _, part := range strings.SplitAfter(l.text[at:open+n], ",") {
		body := strings.TrimSuffix(part, ",")
		trimmed := strings.Trim(body, " \t\n\r")
		if trimmed != "" {
			pos := at + strings.Index(body, trimmed)
			l.add(tokRange, pos, pos+len(trimmed), trimmed)
		}
		at += len(part)
		if len(body) < len(part) {
			l.add(tokOp, at-1, at, ",")
		}
	}
	l.add(tokOp, at, at+1, "]")
	return at + 1, nil
}

func (l *lexer) quoted(start, i int) (int, error) {
	var b strings.Builder
	for i < len(l.text) {
		switch c := l.text[i]; c {
		case '"':
			l.add(tokString, start, i+1, b.String())
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
	return 0, l.fail(start, len(l.text), "", "the string has no closing quote")
}

// raw reads r"...": every backslash stays, and one in front of a quote keeps the string going.
func (l *lexer) raw(start int) (int, error) {
	for i := start + 2; i < len(l.text); i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '"':
			l.add(tokString, start, i+1, l.text[start+2:i])
			return i + 1, nil
		}
	}
	return 0, l.fail(start, len(l.text), "", "the string has no closing quote")
}

func (l *lexer) char(start int) (int, error) {
	i := start + 1
	if i >= len(l.text) {
		return 0, l.fail(start, i, "", "the character constant has no closing quote")
	}
	if l.text[i] == '\'' {
		return 0, l.fail(start, i+1, "", "the character constant is empty: it holds one character")
	}
	v, n := l.text[i:i+1], 1
	if l.text[i] == '\\' {
		var err error
		if v, n, err = l.escape(i); err != nil {
			return 0, err
		}
	} else if v[0] < 0x20 || v[0] >= 0x7f {
		return 0, l.fail(start, i+1, `write it as an escape, as in '\xe9'`,
			"a character constant holds one printable ASCII character")
	}
	if i+n >= len(l.text) || l.text[i+n] != '\'' {
		if end := strings.IndexByte(l.text[i+n:], '\''); end >= 0 {
			return 0, l.fail(start, i+n+end+1, "text goes in double quotes", "a character constant holds one character")
		}
		return 0, l.fail(start, len(l.text), "", "the character constant has no closing quote")
	}
	if len(v) > 1 {
		return 0, l.fail(start, i+n+1, "text goes in double quotes", "a character constant holds one byte, and this is %d",
			len(v))
	}
	l.add(tokChar, start, i+n+1, v)
	return i + n + 1, nil
}
