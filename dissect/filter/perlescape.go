package filter

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Kinds of bytes, as the C locale and PCRE2 have them.
func isSpace(c int) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isLower(c int) bool { return c >= 'a' && c <= 'z' }
func isUpper(c int) bool { return c >= 'A' && c <= 'Z' }
func isAlnum(c int) bool { return isLower(c) || isUpper(c) || c >= '0' && c <= '9' }
func isWord(c int) bool  { return isAlnum(c) || c == '_' }
func isPrint(c int) bool { return c >= ' ' && c < 0x7f }

var byteKinds = map[string]func(c int) bool{
	"alpha": func(c int) bool { return isLower(c) || isUpper(c) }, "lower": isLower, "upper": isUpper, "alnum": isAlnum,
	"word": isWord, "space": isSpace, "print": isPrint,
	"digit": func(c int) bool { return c >= '0' && c <= '9' }, "ascii": func(c int) bool { return c < utf8.RuneSelf },
	"blank": func(c int) bool { return c == ' ' || c == '\t' },
	"cntrl": func(c int) bool { return c < ' ' || c == 0x7f }, "graph": func(c int) bool { return c > ' ' && c < 0x7f },
	"xdigit": func(c int) bool { return isHex(byte(c)) },
	"punct":  func(c int) bool { return c > ' ' && c < 0x7f && !isAlnum(c) },
}

// escapedKinds are the classes that a letter behind a backslash stands for; the capital is all else.
var escapedKinds = map[byte]func(c int) bool{
	'd': byteKinds["digit"], 'w': isWord, 's': isSpace,
	'h': func(c int) bool { return c == ' ' || c == '\t' || c == 0xa0 },
	'v': func(c int) bool { return c >= '\n' && c <= '\r' || c == 0x85 },
}

// kind writes the bytes of a kind, or all others, as ranges for within brackets.
func (w *rewriter) kind(is func(c int) bool, not bool) {
	for c := 0; c <= 0xff; c++ {
		first := c
		for c <= 0xff && is(c) != not {
			c++
		}
		if c > first {
			w.byte(byte(first))
			if c > first+1 {
				w.out = append(w.out, '-')
				w.byte(byte(c - 1))
			}
		}
	}
}

// bracketed is kind with its brackets.
func (w *rewriter) bracketed(is func(c int) bool, not bool) {
	w.out = append(w.out, '[')
	w.kind(is, not)
	w.out = append(w.out, ']')
}

// escapedKind is the class of a letter behind a backslash.
func escapedKind(c byte) (is func(c int) bool, not, ok bool) {
	if !isAlnum(int(c)) {
		return nil, false, false
	}
	is = escapedKinds[c|0x20]
	return is, c&0x20 == 0, is != nil
}

// escape rewrites what begins with a backslash, outside of brackets.
func (w *rewriter) escape() error {
	if w.at++; w.at == len(w.in) {
		return errors.New(`nothing stands behind the last \`)
	}
	c := w.in[w.at]
	if is, not, ok := escapedKind(c); ok {
		w.at++
		w.bracketed(is, not)
		return nil
	}
	if b, one, err := w.oneByte(c); one || err != nil {
		w.byte(b)
		return err
	}
	w.at++
	switch c {
	case 'Q':
		w.quoted()
	case 'E', 'K': // what stands in front of \K is matched and not kept: it was matched
	case 'N':
		w.out = append(w.out, `[^\n]`...)
	case 'C':
		w.out = append(w.out, `(?s:.)`...)
	case 'R':
		w.out = append(w.out, `(?:\r\n|`...)
		w.bracketed(escapedKinds['v'], false)
		w.out = append(w.out, ')')
	case 'G', 'Z':
		w.back = true
		w.out = append(w.out, '\\', c)
	case 'A', 'z', 'b', 'B':
		w.out = append(w.out, '\\', c)
	case 'k', 'g':
		return w.named()
	case 'p', 'P':
		w.out = append(w.out, '\\', c)
		if name, ok := w.braced('{', '}'); ok {
			w.out = append(append(append(w.out, '{'), name...), '}')
		}
	default:
		if c >= '1' && c <= '9' {
			w.at--
			return w.referenceTo(string(w.digits(2, func(c byte) bool { return c >= '0' && c <= '9' })))
		}
		return fmt.Errorf(`\%c is not known here`, c)
	}
	return nil
}

// named rewrites \k<name>, \k{name}, \k'name', \g{2} and \g2.
func (w *rewriter) named() error {
	for _, pair := range []string{"<>", "{}", "''"} {
		if w.at+1 < len(w.in) && w.in[w.at] == pair[0] {
			if n := bytes.IndexByte(w.in[w.at+1:], pair[1]); n > 0 {
				name := w.in[w.at+1 : w.at+1+n]
				w.at += n + 2
				return w.reference(name)
			}
		}
	}
	return w.reference(w.digits(2, func(c byte) bool { return c >= '0' && c <= '9' }))
}

// oneByte reads an escape that stands for one byte, in brackets and outside. c is what stands behind the backslash.
func (w *rewriter) oneByte(c byte) (b byte, ok bool, err error) {
	switch i := strings.IndexByte("aefnrt", c); {
	case c >= utf8.RuneSelf || !isAlnum(int(c)):
		w.at++
		return c, true, nil
	case i >= 0:
		w.at++
		return "\a\x1b\f\n\r\t"[i], true, nil
	case c == 'x' && (w.at+1 == len(w.in) || w.in[w.at+1] != '{'):
		w.at++
		b, err = number(w.digits(2, isHex), 16)
	case c == 'x' || c == 'o':
		w.at++
		digits, braces := w.braced('{', '}')
		if !braces || len(digits) == 0 {
			return 0, true, fmt.Errorf(`behind \%c go digits in braces`, c)
		}
		b, err = number(digits, map[byte]int{'x': 16, 'o': 8}[c])
	case c == 'c' && w.at+1 < len(w.in) && isPrint(int(w.in[w.at+1])):
		b = w.in[w.at+1]
		if isLower(int(b)) {
			b -= 'a' - 'A'
		}
		b ^= 0x40
		w.at += 2
	case c == '0', isOctal(c) && w.at+2 < len(w.in) && isOctal(w.in[w.at+1]) && isOctal(w.in[w.at+2]):
		b, err = number(w.digits(3, isOctal), 8)
	default:
		return 0, false, nil
	}
	return b, true, err
}

// quoted rewrites what stands for itself, up to \E.
func (w *rewriter) quoted() {
	text, rest, found := bytes.Cut(w.in[w.at:], []byte(`\E`))
	for _, c := range text {
		w.byte(c)
	}
	w.at = len(w.in) - len(rest)
	if !found {
		w.at = len(w.in)
	}
}

// class rewrites brackets as the bytes that stand in them.
func (w *rewriter) class() error {
	start := w.at
	w.out = append(w.out, '[')
	w.at++
	if w.at < len(w.in) && w.in[w.at] == '^' {
		w.out = append(w.out, '^')
		w.at++
	}
	var set [256]bool
	for first := true; w.at < len(w.in); first = false {
		if w.in[w.at] == ']' && !first {
			w.at++
			w.kind(func(c int) bool { return set[c] }, false)
			w.out = append(w.out, ']')
			return nil
		}
		low, err := w.member()
		if err != nil {
			return err
		}
		high := low
		if w.at+1 < len(w.in) && w.in[w.at] == '-' && w.in[w.at+1] != ']' {
			w.at++
			if high, err = w.member(); err != nil {
				return err
			}
			if low.kind != nil || high.kind != nil || low.b > high.b {
				return errors.New("a range in brackets runs backwards or has no end")
			}
		}
		for c := range set {
			if low.kind != nil {
				set[c] = set[c] || low.kind(c) != low.not
			} else {
				set[c] = set[c] || c >= int(low.b) && c <= int(high.b)
			}
		}
	}
	return fmt.Errorf("missing closing ]: %s", w.in[start:])
}

// An inBrackets is one byte or a kind of bytes.
type inBrackets struct {
	b    byte
	kind func(c int) bool
	not  bool
}

// member reads a member of brackets.
func (w *rewriter) member() (m inBrackets, err error) {
	c := w.in[w.at]
	w.at++
	if c == '[' && w.at < len(w.in) && w.in[w.at] == ':' {
		if end := bytes.Index(w.in[w.at:], []byte(":]")); end > 0 {
			name := string(w.in[w.at+1 : w.at+end])
			name, m.not = strings.CutPrefix(name, "^")
			if m.kind = byteKinds[name]; m.kind == nil {
				return m, fmt.Errorf("there is no class [:%s:]", name)
			}
			w.at += end + 2
		}
		m.b = c
		return m, nil
	}
	m.b = c
	if c != '\\' || w.at == len(w.in) {
		return m, nil
	}
	m.b = w.in[w.at]
	if is, not, ok := escapedKind(m.b); ok {
		w.at++
		m.kind, m.not = is, not
		return m, nil
	}
	if m.b == 'b' {
		w.at++
		m.b = '\b'
		return m, nil
	}
	if isOctal(m.b) {
		m.b, err = number(w.digits(3, isOctal), 8)
		return m, err
	}
	b, one, err := w.oneByte(m.b)
	if err == nil && !one {
		err = fmt.Errorf(`\%c is not known within brackets`, m.b)
	}
	m.b = b
	return m, err
}
