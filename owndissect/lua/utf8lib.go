package lua

import (
	"math"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// openUTF8 opens utf8, which Lua has since 5.3, and what else that version added.
func (m *machine) openUTF8() {
	l := m.l
	place := func(l *lua.LState, n, first, length int) int {
		at := optInt(l, n, first)
		if at < 0 {
			at = max(length+at+1, 0)
		}
		return at
	}
	codes := func(l *lua.LState) int {
		s, at := l.CheckString(1), 0
		l.Push(l.NewFunction(func(l *lua.LState) int {
			if at >= len(s) {
				l.Push(lua.LNil)
				return 1
			}
			r, n := utf8.DecodeRuneInString(s[at:])
			if r == utf8.RuneError && n < 2 {
				l.RaiseError("invalid UTF-8 code")
			}
			l.Push(number(at + 1))
			l.Push(number(int(r)))
			at += n
			return 2
		}))
		return 1
	}
	l.RegisterModule("utf8", functions{
		"char": func(l *lua.LState) int {
			var b []byte
			for i := 1; i <= l.GetTop(); i++ {
				b = appendUTF8(b, uint32(intArg(l, i)))
			}
			l.Push(lua.LString(b))
			return 1
		},
		"len": func(l *lua.LState) int {
			s, n := l.CheckString(1), 0
			from, to := max(place(l, 2, 1, len(s)), 1)-1, min(place(l, 3, -1, len(s)), len(s))
			for at := from; at < to; n++ {
				r, size := utf8.DecodeRuneInString(s[at:])
				if r == utf8.RuneError && size < 2 {
					l.Push(lua.LNil)
					l.Push(number(at + 1))
					return 2
				}
				at += size
			}
			l.Push(number(n))
			return 1
		},
		"codepoint": func(l *lua.LState) int {
			s := l.CheckString(1)
			from := max(place(l, 2, 1, len(s)), 1)
			to, n := min(place(l, 3, from, len(s)), len(s)), 0
			for at := from - 1; at < to; n++ {
				r, size := utf8.DecodeRuneInString(s[at:])
				if r == utf8.RuneError && size < 2 {
					l.RaiseError("invalid UTF-8 code")
				}
				l.Push(number(int(r)))
				at += size
			}
			return n
		},
		"offset": utf8Offset, "codes": codes,
	})
	l.GetGlobal("utf8").(*lua.LTable).RawSetString("charpattern", str("[%z\x01-\x7f\xc2-\xfd][\x80-\xbf]*"))
	l.GetGlobal("table").(*lua.LTable).RawSetString("move", l.NewFunction(func(l *lua.LState) int {
		from, to := l.CheckTable(1), l.OptTable(5, l.CheckTable(1))
		first, last, at := intArg(l, 2), intArg(l, 3), intArg(l, 4)
		if last-first > maxText {
			l.RaiseError("too many elements to move")
		}
		for i := range max(0, last-first+1) {
			if at > first && from == to { // what is moved must not be overwritten first
				k := last - first - i
				to.RawSetInt(at+k, from.RawGetInt(first+k))
				continue
			}
			to.RawSetInt(at+i, from.RawGetInt(first+i))
		}
		l.Push(to)
		return 1
	}))
	l.GetGlobal("math").(*lua.LTable).RawSetString("ult", l.NewFunction(func(l *lua.LState) int {
		l.Push(boolean(wideArg(l, 1) < wideArg(l, 2)))
		return 1
	}))
}

// utf8Offset is where a character begins, counted from another place.
func utf8Offset(l *lua.LState) int {
	s, n := l.CheckString(1), intArg(l, 2)
	first := 1
	if n <= 0 {
		first = len(s) + 1
	}
	at := optInt(l, 3, first)
	if at < 0 {
		at += len(s) + 1
	}
	if at--; at < 0 || at > len(s) {
		l.ArgError(3, "position out of range")
	}
	inside := func(i int) bool { return i < len(s) && s[i]&0xc0 == 0x80 }
	if n == 0 {
		for at > 0 && inside(at) {
			at--
		}
		l.Push(number(at + 1))
		return 1
	}
	if inside(at) {
		l.RaiseError("initial position is a continuation byte")
	}
	for ; n < 0 && at > 0; n++ {
		for at--; at > 0 && inside(at); at-- {
		}
	}
	for n = min(n-1, math.MaxInt32); n > 0 && at < len(s); n-- {
		for at++; inside(at); at++ {
		}
	}
	if n > 0 || n < -1 {
		l.Push(lua.LNil)
	} else {
		l.Push(number(at + 1))
	}
	return 1
}
