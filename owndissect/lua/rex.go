package lua

import (
	"strings"
	"time"

	"github.com/dlclark/regexp2"
	lua "github.com/yuin/gopher-lua"
)

// A pattern is a regular expression of rex_pcre2. Texts are bytes: each is matched as one character.
type pattern struct{ re *regexp2.Regexp }

// patternTime ends a search that would take for ever.
const patternTime = time.Second

// patternFlags are the options of PCRE2 that there are, by their letters and by their names.
var patternFlags = map[string]struct {
	letter byte
	value  int
	option regexp2.RegexOptions
}{
	"CASELESS": {'i', 0x8, regexp2.IgnoreCase}, "MULTILINE": {'m', 0x400, regexp2.Multiline},
	"DOTALL": {'s', 0x20, regexp2.Singleline}, "EXTENDED": {'x', 0x80, regexp2.IgnorePatternWhitespace},
	"UNGREEDY": {'U', 0x40000, 0}, "ANCHORED": {0, -0x80000000, 0},
}

// latin has each byte be a character.
func latin(s string) []rune {
	out := make([]rune, len(s))
	for i := range len(s) {
		out[i] = rune(s[i])
	}
	return out
}

// unlatin makes bytes of the characters again.
func unlatin(r []rune) string {
	var b strings.Builder
	for _, c := range r {
		b.WriteByte(byte(c))
	}
	return b.String()
}

// patternArg is a regular expression: an object, or its text with flags in another argument.
func (m *machine) patternArg(l *lua.LState, n, flags int) *pattern {
	if p, ok := is[*pattern](l.Get(n)); ok {
		return p
	}
	option, source := regexp2.None, l.CheckString(n)
	switch v := l.Get(flags).(type) {
	case lua.LString:
		for _, f := range patternFlags {
			if f.letter != 0 && strings.IndexByte(string(v), f.letter) >= 0 {
				option |= f.option
			}
		}
	case lua.LNumber:
		for _, f := range patternFlags {
			if int(v)&f.value == f.value {
				option |= f.option
			}
		}
	}
	re, err := regexp2.Compile(string(latin(source)), option)
	if err != nil {
		l.RaiseError("%s", err.Error())
	}
	re.MatchTimeout = patternTime
	return &pattern{re}
}

// match is the first match from a place on, or nil.
func (p *pattern) match(l *lua.LState, text []rune, from int) *regexp2.Match {
	if from > len(text) {
		return nil
	}
	found, err := p.re.FindRunesMatchStartingAt(text, from)
	if err != nil {
		l.RaiseError("%s", err.Error())
	}
	return found
}

// startArg is where a search begins, counted from 1, or from the end where it is negative.
func startArg(l *lua.LState, n, length int) int {
	at := optInt(l, n, 1)
	if at < 0 {
		at = max(length+at+1, 1)
	}
	return max(at, 1) - 1
}

// pushCaptures pushes what the groups took; what took nothing is false. Without groups it is the whole.
func pushCaptures(l *lua.LState, found *regexp2.Match, whole bool) int {
	groups := found.Groups()[1:]
	if len(groups) == 0 && whole {
		l.Push(str(unlatin(found.Runes())))
		return 1
	}
	for i := range groups {
		if len(groups[i].Captures) == 0 {
			l.Push(lua.LFalse)
		} else {
			l.Push(str(unlatin(groups[i].Runes())))
		}
	}
	return len(groups)
}

// openRex opens rex_pcre2, the regular expressions of Lrexlib.
func (m *machine) openRex() {
	find := func(positions bool, text, patt func(l *lua.LState) (int, *pattern)) lua.LGFunction {
		return func(l *lua.LState) int {
			at, p := patt(l)
			n, _ := text(l)
			subject := latin(l.CheckString(n))
			found := p.match(l, subject, startArg(l, at, len(subject)))
			if found == nil {
				l.Push(lua.LNil)
				return 1
			}
			if !positions {
				return pushCaptures(l, found, true)
			}
			l.Push(number(found.Index + 1))
			l.Push(number(found.Index + found.Length))
			return 2 + pushCaptures(l, found, false)
		}
	}
	first := func(*lua.LState) (int, *pattern) { return 1, nil }
	second := func(*lua.LState) (int, *pattern) { return 2, nil }
	given := func(l *lua.LState) (int, *pattern) { return 3, m.patternArg(l, 2, 4) }
	own := func(l *lua.LState) (int, *pattern) { return 3, arg[*pattern](l, 1, "regex") }
	fns := functions{
		"new": func(l *lua.LState) int {
			l.Push(m.class["rex_pcre2_regex"].object(m.patternArg(l, 1, 2)))
			return 1
		},
		"match": find(false, first, given), "find": find(true, first, given),
		"gmatch": m.rexEach, "split": m.rexSplit, "gsub": m.rexReplace, "count": m.rexCount,
		"flags": func(l *lua.LState) int {
			t := l.NewTable()
			for name, f := range patternFlags {
				t.RawSetString(name, number(f.value))
			}
			l.Push(t)
			return 1
		},
		"version":       func(l *lua.LState) int { l.Push(str("10.42 2022-12-11")); return 1 },
		"config":        func(l *lua.LState) int { l.Push(l.NewTable()); return 1 },
		"maketables":    func(l *lua.LState) int { l.Push(l.NewTable()); return 1 },
		"_newmembuffer": func(l *lua.LState) int { l.RaiseError("_newmembuffer: there are no buffers"); return 0 },
	}
	m.l.RegisterModule("rex_pcre2", fns)
	m.l.GetGlobal("rex_pcre2").(*lua.LTable).RawSetString("_VERSION", str("Lrexlib 2.9.1 (for PCRE2)"))
	m.newClass("rex_pcre2_regex", functions{
		"match": find(false, second, own), "find": find(true, second, own),
		"exec":       func(l *lua.LState) int { return rexExec(l, false) },
		"tfind":      func(l *lua.LState) int { return rexExec(l, true) },
		"__tostring": func(l *lua.LState) int { l.Push(str("rex_pcre2_regex")); return 1 },
	}).plain()
	m.l.SetGlobal("rex_pcre2_regex", lua.LNil)
}

// rexExec gives where a match is, and a table of its groups: their texts, or their places.
func rexExec(l *lua.LState, texts bool) int {
	p, subject := arg[*pattern](l, 1, "regex"), latin(l.CheckString(2))
	found := p.match(l, subject, startArg(l, 3, len(subject)))
	if found == nil {
		l.Push(lua.LNil)
		return 1
	}
	t := l.NewTable()
	for _, g := range found.Groups()[1:] {
		switch {
		case len(g.Captures) == 0 && texts:
			t.Append(lua.LFalse)
		case len(g.Captures) == 0:
			t.Append(lua.LFalse)
			t.Append(lua.LFalse)
		case texts:
			t.Append(str(unlatin(g.Runes())))
		default:
			t.Append(number(g.Index + 1))
			t.Append(number(g.Index + g.Length))
		}
	}
	l.Push(number(found.Index + 1))
	l.Push(number(found.Index + found.Length))
	l.Push(t)
	return 3
}

// after is where the next search begins: behind the match, and further where it was empty.
func after(found *regexp2.Match) int { return found.Index + max(found.Length, 1) }

func (m *machine) rexEach(l *lua.LState) int {
	subject, p, at := latin(l.CheckString(1)), m.patternArg(l, 2, 3), 0
	l.Push(l.NewFunction(func(l *lua.LState) int {
		found := p.match(l, subject, at)
		if found == nil {
			at = len(subject) + 1
			l.Push(lua.LNil)
			return 1
		}
		at = after(found)
		return pushCaptures(l, found, true)
	}))
	return 1
}

func (m *machine) rexSplit(l *lua.LState) int {
	subject, p, at := latin(l.CheckString(1)), m.patternArg(l, 2, 3), 0
	l.Push(l.NewFunction(func(l *lua.LState) int {
		if at > len(subject) {
			l.Push(lua.LNil)
			return 1
		}
		found := p.match(l, subject, at)
		if found != nil && found.Length == 0 { // it parts characters
			found = p.match(l, subject, at+1)
		}
		if found == nil {
			l.Push(str(unlatin(subject[at:])))
			at = len(subject) + 1
			return 1
		}
		l.Push(str(unlatin(subject[at:found.Index])))
		at = found.Index + found.Length
		return 1 + pushCaptures(l, found, true)
	}))
	return 1
}

func (m *machine) rexCount(l *lua.LState) int {
	subject, p, n := latin(l.CheckString(1)), m.patternArg(l, 2, 3), 0
	for at := 0; ; n++ {
		found := p.match(l, subject, at)
		if found == nil {
			break
		}
		at = after(found)
	}
	l.Push(number(n))
	return 1
}

// rexReplace is gsub: the other text is text with %1, a table, or a function.
func (m *machine) rexReplace(l *lua.LState) int {
	subject, p, most := latin(l.CheckString(1)), m.patternArg(l, 2, 5), optInt(l, 4, 1<<30)
	var out strings.Builder
	at, matches, changed := 0, 0, 0
	for from := 0; matches < most; matches++ {
		found := p.match(l, subject, from)
		if found == nil {
			break
		}
		out.WriteString(unlatin(subject[at:found.Index]))
		text := unlatin(found.Runes())
		if s, ok := replacement(l, found); ok {
			text = s
			changed++
		}
		if out.Len()+len(text) > maxText {
			l.RaiseError("resulting string too large")
		}
		out.WriteString(text)
		at = found.Index + found.Length
		from = after(found)
	}
	out.WriteString(unlatin(subject[min(at, len(subject)):]))
	l.Push(str(out.String()))
	l.Push(number(matches))
	l.Push(number(changed))
	return 3
}

func replacement(l *lua.LState, found *regexp2.Match) (string, bool) {
	top := l.GetTop()
	defer l.SetTop(top)
	switch by := l.Get(3).(type) {
	case lua.LString, lua.LNumber:
		return substituted(by.String(), found), true
	case *lua.LTable:
		pushCaptures(l, found, true)
		return textOf(l.GetTable(by, l.Get(top+1)))
	case *lua.LFunction:
		l.Push(by)
		n := pushCaptures(l, found, true)
		l.Call(n, 1)
		return textOf(l.Get(-1))
	}
	return "", false
}

// substituted puts groups in the places of %1 and so on; %0 is the whole.
func substituted(by string, found *regexp2.Match) string {
	var out strings.Builder
	groups := found.Groups()
	for i := 0; i < len(by); i++ {
		if by[i] != '%' || i+1 == len(by) {
			out.WriteByte(by[i])
			continue
		}
		i++
		if n := int(by[i]) - '0'; n >= 0 && n <= 9 {
			if n == 1 && len(groups) == 1 {
				n = 0
			}
			if n < len(groups) {
				out.WriteString(unlatin(groups[n].Runes()))
			}
			continue
		}
		out.WriteByte(by[i])
	}
	return out.String()
}
