package lua

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// numberText writes a number as Lua 5.2 does: with 14 digits at most.
func numberText(v float64) string {
	switch {
	case math.IsNaN(v) && math.Signbit(v): // as the division of zero by zero has it
		return "-nan"
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case v == 0 && math.Signbit(v):
		return "-0"
	case v == math.Trunc(v) && math.Abs(v) < 1e14:
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', 14, 64)
}

// shownValue is what tostring gives.
func shownValue(l *lua.LState, v lua.LValue) string {
	switch v := v.(type) {
	case lua.LNumber:
		return numberText(float64(v))
	case long:
		return v.String()
	}
	return l.ToStringMeta(v).String()
}

// openNumbers has functions read and write numbers as Lua 5.2 does.
func (m *machine) openNumbers() {
	l := m.l
	l.SetGlobal("tostring", l.NewFunction(func(l *lua.LState) int {
		l.CheckAny(1)
		l.Push(str(shownValue(l, l.Get(1))))
		return 1
	}))
	based := l.GetGlobal("tonumber")
	l.SetGlobal("tonumber", l.NewFunction(func(l *lua.LState) int {
		if l.GetTop() > 1 && l.Get(2) != lua.LNil {
			l.Insert(based, 1)
			l.Call(2, 1)
			return 1
		}
		switch v := l.CheckAny(1).(type) {
		case lua.LNumber, long:
			l.Push(v)
			return 1
		case lua.LString:
			if n, ok := integerOf(strings.TrimSpace(string(v))); ok && m.integers {
				l.Push(integer(n))
				return 1
			}
			if n, ok := numberOf(string(v)); ok {
				l.Push(lua.LNumber(n))
				return 1
			}
		}
		l.Push(lua.LNil)
		return 1
	}))
	l.SetGlobal("rawset", l.NewFunction(func(l *lua.LState) int {
		l.CheckTable(1).RawSet(l.CheckAny(2), l.CheckAny(3))
		l.SetTop(1)
		return 1
	}))
	table := l.GetGlobal("table").(*lua.LTable)
	table.RawSetString("concat", l.NewFunction(tableConcat))
	mathLib := l.GetGlobal("math").(*lua.LTable)
	mathLib.RawSetString("huge", lua.LNumber(math.Inf(1)))
	mathLib.RawSetString("log", l.NewFunction(func(l *lua.LState) int {
		v := float64(l.CheckNumber(1))
		switch base := float64(l.OptNumber(2, 0)); base {
		case 0:
			v = math.Log(v)
		case 2:
			v = math.Log2(v)
		case 10:
			v = math.Log10(v)
		default:
			v = math.Log(v) / math.Log(base)
		}
		l.Push(lua.LNumber(v))
		return 1
	}))
	for name, meta := range map[string]string{"pairs": "__pairs", "ipairs": "__ipairs"} {
		plain := l.GetGlobal(name)
		l.SetGlobal(name, l.NewFunction(func(l *lua.LState) int {
			v := l.CheckAny(1)
			fn := l.GetMetaField(v, meta)
			if fn == lua.LNil {
				fn = plain
			}
			l.SetTop(0)
			l.Push(fn)
			l.Push(v)
			l.Call(1, 3)
			return 3
		}))
	}
}

func tableConcat(l *lua.LState) int {
	t, sep := l.CheckTable(1), l.OptString(2, "")
	from, to := optInt(l, 3, 1), optInt(l, 4, t.Len())
	var b []byte
	for i := from; i <= to; i++ {
		s, ok := textOf(t.RawGetInt(i))
		if !ok {
			l.RaiseError("invalid value (%s) at index %d in table for 'concat'", t.RawGetInt(i).Type(), i)
		}
		if b = append(b, s...); i < to {
			b = append(b, sep...)
		}
		if len(b) > maxText {
			l.RaiseError("resulting string too large")
		}
	}
	l.Push(lua.LString(b))
	return 1
}

// closing calls the function that is the rest of a block, and then closes a variable, whatever came of it.
func (m *machine) closing(l *lua.LState) int {
	v := l.Get(1)
	args := rest(l, 3)
	top := l.GetTop()
	n, err := m.protect(l, l.Get(2), args)
	var failed lua.LValue = lua.LNil
	if err != nil {
		failed = errorObject(err)
	}
	if lua.LVAsBool(v) && m.steps.err == nil {
		fn := l.GetMetaField(v, "__close")
		if fn == lua.LNil {
			l.RaiseError("a variable that is to be closed has no __close")
		}
		l.Push(fn)
		l.Push(v)
		l.Push(failed)
		l.Call(2, 0)
	}
	if err != nil {
		l.SetTop(top)
		l.Error(failed, 0)
	}
	return n
}
