package lua

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Patterns of Lua 5.2: find, match, gmatch and gsub, counted as steps of the script.

const (
	maxCaptures = 32
	maxMatches  = 200 // within each other
	perStep     = 8   // comparisons that are one step
)

// Lengths of captures that are none.
const (
	openCapture = -1 - iota
	positionCapture
)

type capture struct{ at, size int }

// A matcher compares a text with a pattern.
type matcher struct {
	l        *lua.LState
	steps    *stepCounter
	src, pat string
	level    int
	captures [maxCaptures]capture
	depth    int
	count    int
}

func (m *matcher) fail(text string) { m.l.RaiseError("%s", text) }

// step counts a comparison.
func (m *matcher) step() {
	if m.count++; m.count%perStep > 0 {
		return
	}
	if m.steps.left--; m.steps.left <= 0 {
		m.steps.err, m.steps.check = errSteps, m.steps.left+1<<30
		m.fail(errSteps.Error())
	}
}

// begin readies the matcher for another place.
func (m *matcher) begin() { m.level, m.depth = 0, maxMatches }

// match is where the pattern from p on ends in the text from s on, or -1.
func (m *matcher) match(s, p int) int {
	if m.depth--; m.depth == 0 {
		m.fail("pattern too complex")
	}
	end := m.matched(s, p)
	m.depth++
	return end
}

func (m *matcher) matched(s, p int) int {
	for p < len(m.pat) {
		m.step()
		switch c := m.pat[p]; {
		case c == '(' && p+1 < len(m.pat) && m.pat[p+1] == ')':
			return m.open(s, p+2, positionCapture)
		case c == '(':
			return m.open(s, p+1, openCapture)
		case c == ')':
			return m.close(s, p+1)
		case c == '$' && p+1 == len(m.pat):
			if s == len(m.src) {
				return s
			}
			return -1
		case c == '%' && p+1 < len(m.pat) && strings.IndexByte("bf0123456789", m.pat[p+1]) >= 0:
			if s, p = m.special(s, p+1); s < 0 {
				return -1
			}
			continue
		}
		end, again := m.class(s, p)
		if again < 0 {
			return end
		}
		s, p = end, again
	}
	return s
}

// class compares one character, or as many as the sign behind its class says. The pattern goes on at again unless that
// is -1: then end is the result.
func (m *matcher) class(s, p int) (end, again int) {
	after := m.classEnd(p)
	sign := byte(0)
	if after < len(m.pat) {
		sign = m.pat[after]
	}
	switch fits := m.single(s, p, after); {
	case sign == '?' && fits:
		if end := m.match(s+1, after+1); end >= 0 {
			return end, -1
		}
		return s, after + 1
	case sign == '?':
		return s, after + 1
	case sign == '*':
		return m.most(s, p, after), -1
	case sign == '-':
		return m.fewest(s, p, after), -1
	case !fits:
		return -1, -1
	case sign == '+':
		return m.most(s+1, p, after), -1
	}
	return s + 1, after
}

// special is what stands behind a percent sign: balanced characters, a frontier, or a capture once more.
func (m *matcher) special(s, p int) (int, int) {
	switch c := m.pat[p]; c {
	case 'b':
		return m.balance(s, p+1), p + 3
	case 'f':
		if p++; p >= len(m.pat) || m.pat[p] != '[' {
			m.fail("missing '[' after '%f' in pattern")
		}
		before, here, after := byte(0), byte(0), m.classEnd(p)
		if s > 0 {
			before = m.src[s-1]
		}
		if s < len(m.src) {
			here = m.src[s]
		}
		if m.inSet(before, p, after-1) || !m.inSet(here, p, after-1) {
			return -1, 0
		}
		return s, after
	default:
		n := int(c) - '1'
		if n < 0 || n >= m.level || m.captures[n].size == openCapture {
			m.fail("invalid capture index %" + string(c))
		}
		text := m.src[m.captures[n].at : m.captures[n].at+max(0, m.captures[n].size)]
		if !strings.HasPrefix(m.src[s:], text) {
			return -1, 0
		}
		return s + len(text), p + 1
	}
}

func (m *matcher) balance(s, p int) int {
	if p+1 >= len(m.pat) {
		m.fail("malformed pattern (missing arguments to '%b')")
	}
	if s >= len(m.src) || m.src[s] != m.pat[p] {
		return -1
	}
	for i, open := s+1, 1; i < len(m.src); i++ {
		m.step()
		if m.src[i] == m.pat[p+1] {
			if open--; open == 0 {
				return i + 1
			}
		} else if m.src[i] == m.pat[p] {
			open++
		}
	}
	return -1
}

func (m *matcher) open(s, p, size int) int {
	if m.level >= maxCaptures {
		m.fail("too many captures")
	}
	m.captures[m.level] = capture{s, size}
	m.level++
	end := m.match(s, p)
	if end < 0 {
		m.level--
	}
	return end
}

func (m *matcher) close(s, p int) int {
	i := m.level - 1
	for i >= 0 && m.captures[i].size != openCapture {
		i--
	}
	if i < 0 {
		m.fail("invalid pattern capture")
	}
	m.captures[i].size = s - m.captures[i].at
	end := m.match(s, p)
	if end < 0 {
		m.captures[i].size = openCapture
	}
	return end
}

func (m *matcher) most(s, p, after int) int {
	n := 0
	for m.single(s+n, p, after) {
		m.step()
		n++
	}
	for ; n >= 0; n-- {
		if end := m.match(s+n, after+1); end >= 0 {
			return end
		}
	}
	return -1
}

func (m *matcher) fewest(s, p, after int) int {
	for {
		if end := m.match(s, after+1); end >= 0 {
			return end
		}
		if !m.single(s, p, after) {
			return -1
		}
		s++
	}
}

// classEnd is where what stands for one character ends.
func (m *matcher) classEnd(p int) int {
	c := m.pat[p]
	p++
	switch c {
	case '%':
		if p == len(m.pat) {
			m.fail("malformed pattern (ends with '%')")
		}
		return p + 1
	case '[':
		if p < len(m.pat) && m.pat[p] == '^' {
			p++
		}
		for first := true; first || p < len(m.pat) && m.pat[p] != ']'; first = false {
			if p >= len(m.pat) {
				break
			}
			if m.pat[p] == '%' {
				p++
			}
			p++
		}
		if p >= len(m.pat) {
			m.fail("malformed pattern (missing ']')")
		}
		return p + 1
	}
	return p
}

func (m *matcher) single(s, p, after int) bool {
	if s >= len(m.src) {
		return false
	}
	switch c := m.src[s]; m.pat[p] {
	case '.':
		return true
	case '%':
		return inClass(c, m.pat[p+1])
	case '[':
		return m.inSet(c, p, after-1)
	default:
		return m.pat[p] == c
	}
}

// inSet tells whether a character is in the set between two brackets.
func (m *matcher) inSet(c byte, p, end int) bool {
	in := true
	if p++; m.pat[p] == '^' {
		in = false
		p++
	}
	for ; p < end; p++ {
		m.step()
		switch {
		case m.pat[p] == '%':
			if p++; inClass(c, m.pat[p]) {
				return in
			}
		case m.pat[p+1] == '-' && p+2 < end:
			if p += 2; m.pat[p-2] <= c && c <= m.pat[p] {
				return in
			}
		case m.pat[p] == c:
			return in
		}
	}
	return !in
}

func inClass(c, class byte) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	digit := c >= '0' && c <= '9'
	in := false
	switch class | 0x20 {
	case 'a':
		in = letter
	case 'c':
		in = c < 0x20 || c == 0x7f
	case 'd':
		in = digit
	case 'g':
		in = c > 0x20 && c < 0x7f
	case 'l':
		in = c >= 'a' && c <= 'z'
	case 'p':
		in = c > 0x20 && c < 0x7f && !letter && !digit
	case 's':
		in = c == ' ' || c >= 9 && c <= 13
	case 'u':
		in = c >= 'A' && c <= 'Z'
	case 'w':
		in = letter || digit
	case 'x':
		in = digit || c|0x20 >= 'a' && c|0x20 <= 'f'
	case 'z':
		in = c == 0
	default:
		return class == c
	}
	if class&0x20 == 0 && class >= 'A' {
		return !in
	}
	return in
}

// value is a capture, or the whole match where there is none.
func (m *matcher) value(i, s, end int) lua.LValue {
	if i >= m.level {
		if i > 0 {
			m.fail("invalid capture index")
		}
		return lua.LString(m.src[s:end])
	}
	switch c := m.captures[i]; c.size {
	case openCapture:
		m.fail("unfinished capture")
		return lua.LNil
	case positionCapture:
		return lua.LNumber(c.at + 1)
	default:
		return lua.LString(m.src[c.at : c.at+c.size])
	}
}

// push gives the captures, or the whole match where there are none.
func (m *matcher) push(s, end int, whole bool) int {
	n := m.level
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		m.l.Push(m.value(i, s, end))
	}
	return n
}

// openPatterns replaces the functions of the interpreter, which do not count what they do.
func (m *machine) openPatterns(text *lua.LTable) {
	start := func(l *lua.LState) *matcher {
		return &matcher{l: l, steps: m.steps, src: l.CheckString(1), pat: l.CheckString(2)}
	}
	for name, fn := range map[string]lua.LGFunction{
		"find":  func(l *lua.LState) int { return start(l).first(true) },
		"match": func(l *lua.LState) int { return start(l).first(false) },
		"gsub":  func(l *lua.LState) int { return start(l).replace() },
		"gmatch": func(l *lua.LState) int {
			p, at := start(l), 0
			l.Push(l.NewFunction(func(l *lua.LState) int {
				p.l = l
				for ; at <= len(p.src); at++ {
					p.begin()
					if end := p.match(at, 0); end >= 0 {
						s := at
						at = max(end, at+b2i(end == at))
						return p.push(s, end, true)
					}
				}
				return 0
			}))
			return 1
		},
	} {
		text.RawSetString(name, m.l.NewFunction(fn))
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// first is find and match.
func (m *matcher) first(find bool) int {
	l := m.l
	at := optInt(l, 3, 1)
	if at < 0 {
		at = max(1, len(m.src)+at+1)
	}
	if at = max(at, 1) - 1; at > len(m.src) {
		l.Push(lua.LNil)
		return 1
	}
	if find && (l.ToBool(4) || !strings.ContainsAny(m.pat, "^$*+?.([%-")) {
		i := strings.Index(m.src[at:], m.pat)
		if i < 0 {
			l.Push(lua.LNil)
			return 1
		}
		l.Push(lua.LNumber(at + i + 1))
		l.Push(lua.LNumber(at + i + len(m.pat)))
		return 2
	}
	p := b2i(strings.HasPrefix(m.pat, "^"))
	for ; at <= len(m.src); at++ {
		m.begin()
		if end := m.match(at, p); end >= 0 {
			if !find {
				return m.push(at, end, true)
			}
			l.Push(lua.LNumber(at + 1))
			l.Push(lua.LNumber(end))
			return 2 + m.push(at, end, false)
		}
		if p == 1 {
			break
		}
	}
	l.Push(lua.LNil)
	return 1
}

// replace is gsub.
func (m *matcher) replace() int {
	l := m.l
	by := l.Get(3)
	switch by.Type() {
	case lua.LTString, lua.LTNumber, lua.LTTable, lua.LTFunction:
	default:
		l.ArgError(3, "string/function/table expected, got "+by.Type().String())
	}
	most := optInt(l, 4, len(m.src)+1)
	p, n, s := b2i(strings.HasPrefix(m.pat, "^")), 0, 0
	var out []byte
	for n < most {
		m.begin()
		end := m.match(s, p)
		if end >= 0 {
			n++
			if out = m.replaced(out, by, s, end); len(out) > maxText {
				m.fail("resulting string too large")
			}
		}
		switch {
		case end > s:
			s = end
		case s < len(m.src):
			out = append(out, m.src[s])
			s++
		default:
			most = 0
		}
		if p == 1 {
			break
		}
	}
	m.steps.spend(len(out) / bytesPerStep)
	l.Push(lua.LString(append(out, m.src[s:]...)))
	l.Push(lua.LNumber(n))
	return 2
}

// replaced appends what stands in the place of a match.
func (m *matcher) replaced(out []byte, by lua.LValue, s, end int) []byte {
	v := by
	switch by := by.(type) {
	case *lua.LTable:
		v = m.l.GetTable(by, m.value(0, s, end))
	case *lua.LFunction:
		m.l.Push(by)
		m.l.Call(m.push(s, end, true), 1)
		v = m.l.Get(-1)
		m.l.Pop(1)
	default:
		text, _ := textOf(by)
		return m.filledIn(out, text, s, end)
	}
	if lua.LVIsFalse(v) {
		return append(out, m.src[s:end]...)
	}
	text, ok := textOf(v)
	if !ok {
		m.fail("invalid replacement value (a " + v.Type().String() + ")")
	}
	return append(out, text...)
}

// filledIn appends a text in which %1 and the like stand for captures.
func (m *matcher) filledIn(out []byte, text string, s, end int) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '%' {
			out = append(out, c)
			continue
		}
		if i++; i == len(text) {
			m.fail("invalid use of '%' in replacement string")
		}
		switch c = text[i]; {
		case c == '%':
			out = append(out, c)
		case c == '0':
			out = append(out, m.src[s:end]...)
		case c >= '1' && c <= '9':
			part, _ := textOf(m.value(int(c-'1'), s, end))
			out = append(out, part...)
		default:
			m.fail("invalid use of '%' in replacement string")
		}
	}
	return out
}
