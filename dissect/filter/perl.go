package filter

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Regular expressions are written in Perl's language, as PCRE2 reads it when it is told that both sides are bytes. The
// two engines here know less of it, each something else, and know code points. A rewriter writes an expression anew in
// what both understand alike, and notes whether it needs an engine that goes back.
//
// Bytes from 0x80 on have no case and belong to no class of letters. In the expression and in the text they stand as
// code points for private use, of which the engines know just that.
type rewriter struct {
	in   []byte
	at   int
	out  []byte
	back bool // it looks around, refers back or gives nothing back

	atom   int // where in out the last thing begins that can be repeated
	groups []group
	spaced bool // white space and comments mean nothing, since (?x)
}

// A group is what is known again at its end.
type group struct {
	at     int
	spaced bool
}

// private is where the bytes from 0x80 on stand: byte b is code point private + b.
const private = 0xe000

// deepestGroup bounds how deep groups nest.
const deepestGroup = 200

// rewrite writes an expression anew.
func rewrite(text string) (string, bool, error) {
	w := &rewriter{in: []byte(text)}
	for w.at < len(w.in) {
		if err := w.item(); err != nil {
			return "", false, err
		}
	}
	return string(w.out), w.back, nil
}

// item rewrites the next thing outside of brackets.
func (w *rewriter) item() error {
	c := w.in[w.at]
	if w.spaced && w.blank(c) {
		return nil
	}
	switch c {
	case '\\':
		start := len(w.out)
		err := w.escape()
		w.atom = start
		return err
	case '[':
		w.atom = len(w.out)
		return w.class()
	case '(':
		return w.open()
	case ')':
		if n := len(w.groups); n > 0 {
			w.atom, w.spaced = w.groups[n-1].at, w.groups[n-1].spaced
			w.groups = w.groups[:n-1]
		}
		w.out = append(w.out, c)
		w.at++
		return nil
	case '*', '+', '?', '{':
		w.repeat()
		return nil
	}
	w.at++
	w.atom = len(w.out)
	if bytes.IndexByte([]byte(".^$|"), c) >= 0 {
		w.out = append(w.out, c)
	} else {
		w.byte(c)
	}
	return nil
}

// blank passes over white space or a comment.
func (w *rewriter) blank(c byte) bool {
	switch {
	case c == '#':
		n := bytes.IndexByte(w.in[w.at:], '\n')
		if n < 0 {
			n = len(w.in) - w.at - 1
		}
		w.at += n + 1
	case isSpace(int(c)):
		w.at++
	default:
		return false
	}
	return true
}

// byte writes one byte that stands for itself.
func (w *rewriter) byte(c byte) {
	switch {
	case c >= utf8.RuneSelf:
		w.out = utf8.AppendRune(w.out, private+rune(c))
	case c < ' ' || c == 0x7f:
		w.out = fmt.Appendf(w.out, `\x%02x`, c)
	case isWord(int(c)):
		w.out = append(w.out, c)
	case c == ' ':
		w.out = append(w.out, ' ')
	default:
		w.out = append(w.out, '\\', c)
	}
}

// number is the byte of a number; without digits it is zero.
func number(digits []byte, base int) (byte, error) {
	n, err := strconv.ParseUint(string(digits), base, 8)
	if err != nil && len(digits) > 0 {
		return 0, fmt.Errorf("%s is no byte", digits)
	}
	return byte(n), nil
}

// braced are the bytes between braces at the reader, which moves behind them.
func (w *rewriter) braced(open, end byte) ([]byte, bool) {
	if w.at >= len(w.in) || w.in[w.at] != open {
		return nil, false
	}
	n := bytes.IndexByte(w.in[w.at:], end)
	if n < 0 {
		return nil, false
	}
	inside := w.in[w.at+1 : w.at+n]
	w.at += n + 1
	return inside, true
}

// digits are up to so many digits at the reader, which moves behind them.
func (w *rewriter) digits(most int, digit func(c byte) bool) []byte {
	start := w.at
	for w.at < len(w.in) && w.at-start < most && digit(w.in[w.at]) {
		w.at++
	}
	return w.in[start:w.at]
}

// repeat rewrites how often the last thing may stand. Behind it, + means that nothing of it is given back.
func (w *rewriter) repeat() {
	start := w.at
	if w.in[w.at] == '{' {
		end := bytes.IndexByte(w.in[w.at:], '}')
		if end < 0 || !isCount(string(w.in[w.at+1:w.at+end])) {
			w.at++
			w.atom = len(w.out)
			w.byte('{')
			return
		}
		w.at += end
	}
	w.at++
	times := w.in[start:w.at]
	switch {
	case w.at < len(w.in) && w.in[w.at] == '?':
		w.at++
		w.out = append(append(w.out, times...), '?')
	case w.at < len(w.in) && w.in[w.at] == '+':
		w.at++
		w.back = true
		w.out = append(w.out[:w.atom:w.atom], "(?>"+string(w.out[w.atom:])+string(times)+")"...)
	default:
		w.out = append(w.out, times...)
	}
}

// isCount tells whether what stands in braces says how often.
func isCount(s string) bool {
	least, most, _ := strings.Cut(s, ",")
	return least != "" && strings.Trim(least, "0123456789") == "" && strings.Trim(most, "0123456789") == ""
}

// open rewrites the beginning of a group, or what only looks like a group.
func (w *rewriter) open() error {
	if len(w.groups) > deepestGroup {
		return errors.New("groups are nested too deep")
	}
	rest := w.in[w.at:]
	begins := func(s string) bool { return bytes.HasPrefix(rest, []byte(s)) }
	begin, eaten := "(", 1
	switch {
	case begins("(?#"):
		comment, _, _ := bytes.Cut(rest, []byte(")"))
		w.at = min(len(w.in), w.at+len(comment)+1)
		return nil
	case begins("(*"):
		return errors.New("verbs as (*…) are not known here")
	case begins("(?P="):
		name, _, _ := bytes.Cut(rest[4:], []byte(")"))
		w.at = min(len(w.in), w.at+len(name)+5)
		return w.reference(name)
	case begins("(?:"):
		begin, eaten = "(?:", 3
	case begins("(?="), begins("(?!"), begins("(?>"):
		begin, eaten, w.back = string(rest[:3]), 3, true
	case begins("(?<="), begins("(?<!"):
		begin, eaten, w.back = string(rest[:4]), 4, true
	case begins("(?("):
		begin, w.back = "(?", true
		condition, _, _ := bytes.Cut(rest[3:], []byte(")"))
		if eaten = 2; len(condition) == 0 || condition[0] != '?' {
			begin, eaten = "(?("+string(bytes.Trim(condition, "<>'"))+")", min(len(rest), len(condition)+4)
		}
	case begins("(?<"), begins("(?P<"), begins("(?'"):
		name, n, err := groupName(rest)
		if err != nil {
			return err
		}
		begin, eaten = "(?<"+name+">", n
	case begins("(?"):
		return w.flags(rest)
	}
	w.at += eaten
	w.groups = append(w.groups, group{len(w.out), w.spaced})
	w.out = append(w.out, begin...)
	w.atom = len(w.out)
	return nil
}

// groupName is the name that a group begins with, and how long its beginning is.
func groupName(rest []byte) (string, int, error) {
	open := bytes.IndexAny(rest, "<'")
	end := bytes.IndexAny(rest[open+1:], ">'")
	if end < 1 ||
		len(bytes.TrimFunc(rest[open+1:open+1+end], func(r rune) bool { return r < utf8.RuneSelf && isWord(int(r)) })) > 0 {
		return "", 0, errors.New("a group's name is wrong")
	}
	return string(rest[open+1 : open+1+end]), open + end + 2, nil
}

// flags rewrites (?i) and (?i: with other letters; x is obeyed here.
func (w *rewriter) flags(rest []byte) error {
	n := 2
	var kept []byte
	spaced, on := w.spaced, true
	for ; n < len(rest) && rest[n] != ')' && rest[n] != ':'; n++ {
		switch c := rest[n]; c {
		case 'x':
			spaced = on
		case '-':
			on = false
			kept = append(kept, c)
		case 'i', 'm', 's', 'U':
			kept = append(kept, c)
		default:
			return fmt.Errorf("%s is not known here", rest[:n+1])
		}
	}
	if n == len(rest) {
		return errors.New("missing closing )")
	}
	kept = bytes.TrimSuffix(kept, []byte("-"))
	w.at += n + 1
	start := len(w.out)
	if rest[n] == ':' {
		w.groups = append(w.groups, group{start, w.spaced})
		w.out = append(append(append(w.out, "(?"...), kept...), ':')
	} else if len(kept) > 0 {
		w.out = append(append(append(w.out, "(?"...), kept...), ')')
	}
	w.spaced, w.atom = spaced, len(w.out)
	return nil
}

// reference refers back to a group by its name or number.
func (w *rewriter) reference(name []byte) error {
	if len(name) == 0 || strings.Trim(string(name), "0123456789") == "" {
		return w.referenceTo(string(name))
	}
	w.back = true
	w.atom = len(w.out)
	w.out = append(append(append(w.out, `\k<`...), name...), '>')
	return nil
}

func (w *rewriter) referenceTo(number string) error {
	if number == "" || number == "0" {
		return errors.New("a reference back names no group")
	}
	w.back = true
	w.out = append(append(append(w.out, `(?:\`...), number...), ')')
	return nil
}
