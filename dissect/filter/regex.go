package filter

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// A regex is a regular expression over bytes, without regard to case. What Go's linear engine can do goes to it; the rest
// of Perl's language (looking around, references back) to one that goes back, with a bound on its time.
//
// Both engines know code points. Bytes from 0x80 on are given to them as the code points of the same numbers.
type regex struct {
	linear *regexp.Regexp
	back   *regexp2.Regexp
	tail   bool // $ may stand in front of a newline at the very end
}

// backLimit bounds one match of the engine that goes back.
const backLimit = 50 * time.Millisecond

func compileRegex(text string) (*regex, error) {
	pattern := latin1([]byte(text), nil)
	re := &regex{tail: strings.Contains(text, "$") && !strings.Contains(text, `\z`)}
	linear, err := regexp.Compile("(?i)" + string(pattern))
	if err == nil {
		re.linear = linear
		return re, nil
	}
	back, err2 := regexp2.Compile(string(pattern), regexp2.IgnoreCase)
	if err2 == nil && goesBack(text) {
		back.MatchTimeout = backLimit
		re.back = back
		return re, nil
	}
	return nil, regexProblem(err)
}

// goesBack tells whether an expression has what only the engine that goes back knows.
func goesBack(text string) bool {
	for _, s := range []string{"(?=", "(?!", "(?<=", "(?<!", "(?>", `\1`, `\2`, `\3`, `\4`, `\5`, `\6`, `\7`, `\8`, `\9`, `\k`, "(?<", "(?#", "(?(", `\G`, `\Z`, `\e`, `\c`, "(?x"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// regexProblem is the engine's complaint without its preamble.
func regexProblem(err error) error {
	var e *syntax.Error
	if errors.As(err, &e) {
		what := strings.ReplaceAll(e.Code.String(), "Perl syntax", "syntax")
		if e.Expr == "" || strings.Contains(e.Expr, "(?i)") {
			return errors.New(what)
		}
		return errors.New(what + ": " + e.Expr)
	}
	return err
}

func (r *regex) match(e *eval, b []byte) bool {
	if !ascii(b) {
		start := len(e.arena)
		e.arena = latin1(b, e.arena)
		b = e.arena[start:]
		e.arena = e.arena[:start]
	}
	if r.matchText(b) {
		return true
	}
	return r.tail && len(b) > 0 && b[len(b)-1] == '\n' && r.matchText(b[:len(b)-1])
}

func (r *regex) matchText(b []byte) bool {
	if r.linear != nil {
		return r.linear.Match(b)
	}
	ok, err := r.back.MatchString(string(b))
	return ok && err == nil
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// latin1 appends b to dst with each byte from 0x80 on as the code point of its number.
func latin1(b, dst []byte) []byte {
	for _, c := range b {
		if c < utf8.RuneSelf {
			dst = append(dst, c)
		} else {
			dst = append(dst, 0xc0|c>>6, 0x80|c&0x3f)
		}
	}
	return dst
}
