package filter

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// A regex is a regular expression over bytes, without regard to case. What Go's linear engine can do goes to it; the
// rest of Perl's language (looking around, references back) to one that goes back, with bounds on its time.
type regex struct {
	linear *regexp.Regexp
	back   *regexp2.Regexp
	budget timeBudget
	tail   bool // $ may stand in front of a newline at the very end
}

// backLimit bounds one match of the engine that goes back. It looks at the clock only now and then.
const (
	backLimit  = 50 * time.Millisecond
	backPeriod = 25 * time.Millisecond
)

var clockCheckEvery = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(backPeriod) })

// A timeBudget bounds what an expression may spend over all packets. Each match brings what a slow but well-behaved one
// costs for its text, and takes what it cost; budgetSize is there at first, and is the most that there ever is. So an
// expression whose cost grows out of proportion with its texts soon has no time left, however few of its matches come
// to their limit, while one that is just slow goes on for as long as there are packets.
type timeBudget struct {
	spent     atomic.Int64 // nanoseconds
	exhausted atomic.Bool
}

const (
	regexBudget = time.Second
	perMatch    = 100 * time.Microsecond
	perByte     = time.Microsecond
)

// spend takes what a match of a text of n bytes cost.
func (p *timeBudget) spend(took time.Duration, n int) {
	took -= perMatch + time.Duration(n)*perByte
	if took < 0 && p.spent.Load() <= 0 {
		return
	}
	if spent := p.spent.Add(int64(took)); spent > int64(regexBudget) {
		p.exhausted.Store(true)
	}
}

func compileRegex(text string) (*regex, error) {
	pattern, goesBack, err := rewrite(text)
	if err != nil {
		return nil, err
	}
	re := &regex{tail: strings.Contains(text, "$") && !strings.Contains(text, `\z`)}
	if !goesBack {
		re.linear, err = regexp.Compile("(?i)" + pattern)
		if err == nil {
			return re, nil
		}
		if !tooMuch(err) {
			return nil, regexProblem(err)
		}
	}
	clockCheckEvery()
	first := err
	if re.back, err = regexp2.Compile(pattern, regexp2.IgnoreCase); err != nil {
		return nil, regexProblem(cmp.Or(first, err))
	}
	re.back.MatchTimeout = backLimit
	return re, nil
}

// tooMuch tells whether an expression is right and only too large for the linear engine.
func tooMuch(err error) bool {
	var e *syntax.Error
	return errors.As(err, &e) && (e.Code == syntax.ErrInvalidRepeatSize || e.Code == syntax.ErrLarge)
}

// regexProblem is the engine's complaint in the words of the expression.
func regexProblem(err error) error {
	what, culprit := err.Error(), ""
	var e *syntax.Error
	if errors.As(err, &e) {
		what, culprit = strings.ReplaceAll(e.Code.String(), "Perl syntax", "syntax"), e.Expr
	} else if _, after, ok := strings.Cut(what, "`: "); ok { // behind the whole expression, as the other engine sees it
		what = after
	} else {
		what, _, _ = strings.Cut(what, " in `")
		what = strings.TrimPrefix(what, "error parsing regexp: ")
	}
	if culprit == "" || strings.Contains(culprit, "(?i)") {
		return errors.New(what)
	}
	return fmt.Errorf("%s: %s", what, asWritten(culprit))
}

// asWritten is a part of a rewritten expression with its bytes named.
func asWritten(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= private && r <= private+0xff {
			fmt.Fprintf(&b, `\x%02x`, r-private)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (r *regex) match(e *eval, b []byte) bool {
	if !ascii(b) {
		start := len(e.arena)
		e.arena = codePoints(b, e.arena)
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
	if r.budget.exhausted.Load() {
		return false
	}
	start := time.Now()
	ok, err := r.back.MatchString(string(b))
	r.budget.spend(time.Since(start), len(b))
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

// codePoints appends b to dst as the engines know it: each byte from 0x80 on as a code point of its own.
func codePoints(b, dst []byte) []byte {
	for _, c := range b {
		if c < utf8.RuneSelf {
			dst = append(dst, c)
		} else {
			dst = append(dst, 0xe0|private>>12, 0x80|c>>6, 0x80|c&0x3f)
		}
	}
	return dst
}
