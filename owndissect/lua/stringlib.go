package lua

import (
	lua "github.com/yuin/gopher-lua"
)

// span is a part of a text of n bytes, from one place to another, as scripts say: from 1 on, or from the end.
func span(n, from, to int) (begin, end int) {
	if from < 0 {
		from = max(from+n+1, 1)
	}
	if to < 0 {
		to += n + 1
	}
	begin, end = max(from, 1)-1, min(to, n)
	return begin, max(end, begin)
}

func subText(l *lua.LState) int {
	s := l.CheckString(1)
	begin, end := span(len(s), intArg(l, 2), optInt(l, 3, -1))
	if begin >= end {
		l.Push(lua.LString(""))
	} else {
		l.Push(lua.LString(s[begin:end]))
	}
	return 1
}

const maxResults = 1 << 16

func bytesOfText(l *lua.LState) int {
	s := l.CheckString(1)
	from := optInt(l, 2, 1)
	begin, end := span(len(s), from, optInt(l, 3, from))
	if end > len(s) || begin >= end {
		return 0
	}
	if end-begin > maxResults {
		l.RaiseError("string slice too long")
	}
	for _, c := range []byte(s[begin:end]) {
		l.Push(lua.LNumber(c))
	}
	return end - begin
}

func textOfBytes(l *lua.LState) int {
	b := make([]byte, l.GetTop())
	for i := range b {
		c := intArg(l, i+1)
		if c < 0 || c > 255 {
			l.ArgError(i+1, "value out of range")
		}
		b[i] = byte(c)
	}
	l.Push(lua.LString(b))
	return 1
}
