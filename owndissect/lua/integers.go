package lua

import (
	"math"
	"strconv"

	lua "github.com/yuin/gopher-lua"
)

// Scripts that are written in what Lua has since 5.3 get its integers of 64 bits. The interpreter's numbers are
// floating-point numbers, which hold whole numbers of up to 53 bits exactly; a long stands for those beyond. It is a
// number to scripts, and an object of a class of its own to the interpreter, which asks its metatable. The products of
// such scripts, and their comparisons, are calls; what a quotient is, tells its place in the script (see quotient).

// A long is an integer of more than 53 bits.
type long int64

// String is its digits.
func (n long) String() string { return strconv.FormatInt(int64(n), 10) }

// Type is not that of numbers, of which the interpreter believes that they are its own.
func (n long) Type() lua.LValueType { return lua.LTUserData }

const mostExact = 1 << 53

// integer is a number that is whole.
func integer(n int64) lua.LValue {
	if n > mostExact || n < -mostExact {
		return long(n)
	}
	return lua.LNumber(n)
}

// wholeOf is the integer that a value is.
func wholeOf(v lua.LValue) (n int64, ok bool) {
	switch v := v.(type) {
	case long:
		return int64(v), true
	case lua.LNumber:
		return int64(v), v >= -mostExact && v <= mostExact && v == lua.LNumber(int64(v))
	}
	return 0, false
}

// floatFrom is a value as floating-point number.
func floatFrom(v lua.LValue) (f float64, ok bool) {
	switch v := v.(type) {
	case long:
		return float64(v), true
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return numberOf(string(v))
	}
	return 0, false
}

// An arithmetic is an operator of two numbers. Without integers it gives a floating-point number of any.
type arithmetic struct {
	event    string
	integers func(l *lua.LState, a, b int64) int64
	floats   func(a, b float64) float64
}

// do pushes what the operator makes of two values.
func (o arithmetic) do(l *lua.LState) int {
	a, b := l.Get(1), l.Get(2)
	if o.integers != nil {
		x, isX := wholeOf(a)
		y, isY := wholeOf(b)
		if isX && isY {
			l.Push(integer(o.integers(l, x, y)))
			return 1
		}
	}
	x, isX := floatFrom(a)
	y, isY := floatFrom(b)
	if isX && isY {
		l.Push(lua.LNumber(o.floats(x, y)))
		return 1
	}
	return o.byClass(l, a, b)
}

// byClass has an object do it.
func (o arithmetic) byClass(l *lua.LState, a, b lua.LValue) int {
	for _, v := range []lua.LValue{a, b} {
		if _, own := v.(long); own {
			continue
		}
		for _, event := range []string{o.event, map[string]string{"__idiv": "__div"}[o.event]} {
			if fn := l.GetMetaField(v, event); fn != lua.LNil {
				l.Push(fn)
				l.Push(a)
				l.Push(b)
				l.Call(2, 1)
				return 1
			}
		}
	}
	if _, ok := floatFrom(a); ok {
		a = b
	}
	l.RaiseError("attempt to perform arithmetic on a %s value", typeName(a))
	return 0
}

var product = arithmetic{"__mul", func(_ *lua.LState, a, b int64) int64 { return a * b },
	func(a, b float64) float64 { return a * b }}

// multiplied is the product of two numbers.
func multiplied(l *lua.LState) int {
	a, isA := l.Get(1).(lua.LNumber)
	b, isB := l.Get(2).(lua.LNumber)
	if p := a * b; isA && isB && p <= mostExact && p >= -mostExact {
		l.Push(p)
		return 1
	}
	return product.do(l)
}

var quotients = arithmetic{"__idiv", func(l *lua.LState, a, b int64) int64 {
	switch b {
	case 0:
		l.RaiseError("attempt to perform 'n//0'")
	case -1:
		return -a
	}
	q := a / b
	if q*b != a && (a < 0) != (b < 0) {
		q--
	}
	return q
}, func(a, b float64) float64 { return math.Floor(a / b) }}

func remainder(l *lua.LState, a, b int64) int64 {
	switch b {
	case 0:
		l.RaiseError("attempt to perform 'n%%0'")
	case -1:
		return 0
	}
	m := a % b
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

// quotient writes a floating-point number: a whole one with .0 behind it.
func quotient(l *lua.LState) int {
	v := l.Get(1)
	if n, ok := v.(lua.LNumber); ok {
		text := numberText(float64(n))
		if n == lua.LNumber(math.Trunc(float64(n))) && n < 1e14 && n > -1e14 {
			text += ".0"
		}
		v = str(text)
	}
	l.Push(v)
	return 1
}

// compare is an order of two values, as Lua has it since 5.2: objects are asked, whatever they are compared with.
func compare(event string, numbers func(a, b float64) bool, others func(c int) bool, swap bool) lua.LGFunction {
	return func(l *lua.LState) int {
		a, b := l.Get(1), l.Get(2)
		x, isX := a.(lua.LNumber)
		y, isY := b.(lua.LNumber)
		if isX && isY {
			l.Push(boolean(numbers(float64(x), float64(y))))
			return 1
		}
		if c, ok := ordered(a, b); ok {
			l.Push(boolean(others(c)))
			return 1
		}
		if swap {
			a, b = b, a
		}
		return orderedByClass(l, event, a, b)
	}
}

// ordered compares texts, and integers with numbers.
func ordered(a, b lua.LValue) (c int, ok bool) {
	s, isS := a.(lua.LString)
	t, isT := b.(lua.LString)
	if isS && isT {
		switch {
		case s < t:
			return -1, true
		case s > t:
			return 1, true
		}
		return 0, true
	}
	n, isN := a.(long)
	m, isM := b.(long)
	if isN && isM {
		switch {
		case n < m:
			return -1, true
		case n > m:
			return 1, true
		}
		return 0, true
	}
	if x, ok := b.(lua.LNumber); isN && ok {
		return 1 - 2*int(boolBit(float64(n) < float64(x))), true
	}
	if x, ok := a.(lua.LNumber); isM && ok {
		return 1 - 2*int(boolBit(float64(x) < float64(m))), true
	}
	return 0, false
}

func boolBit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func orderedByClass(l *lua.LState, event string, a, b lua.LValue) int {
	call := func(event string, a, b lua.LValue) (lua.LValue, bool) {
		fn := l.GetMetaField(a, event)
		if fn == lua.LNil {
			fn = l.GetMetaField(b, event)
		}
		if fn == lua.LNil {
			return nil, false
		}
		l.Push(fn)
		l.Push(a)
		l.Push(b)
		l.Call(2, 1)
		v := l.Get(-1)
		l.Pop(1)
		return v, true
	}
	if v, ok := call(event, a, b); ok {
		l.Push(boolean(lua.LVAsBool(v)))
		return 1
	}
	if event == "__le" {
		if v, ok := call("__lt", b, a); ok {
			l.Push(boolean(!lua.LVAsBool(v)))
			return 1
		}
	}
	if s, t := typeName(a), typeName(b); s == t {
		l.RaiseError("attempt to compare two %s values", s)
	} else {
		l.RaiseError("attempt to compare %s with %s", s, t)
	}
	return 0
}

// comparisons are the operators that compare, as functions.
var comparisons = map[string]lua.LGFunction{
	"<":  compare("__lt", func(a, b float64) bool { return a < b }, func(c int) bool { return c < 0 }, false),
	"<=": compare("__le", func(a, b float64) bool { return a <= b }, func(c int) bool { return c <= 0 }, false),
	">":  compare("__lt", func(a, b float64) bool { return a > b }, func(c int) bool { return c > 0 }, true),
	">=": compare("__le", func(a, b float64) bool { return a >= b }, func(c int) bool { return c >= 0 }, true),
}

// openIntegers has the libraries know integers.
func (m *machine) openIntegers() {
	if m.integers {
		return
	}
	m.integers = true
	l := m.l
	meta := l.NewTable()
	for _, o := range []arithmetic{product, quotients,
		{"__add", func(_ *lua.LState, a, b int64) int64 { return a + b }, func(a, b float64) float64 { return a + b }},
		{"__sub", func(_ *lua.LState, a, b int64) int64 { return a - b }, func(a, b float64) float64 { return a - b }},
		{"__mod", remainder, func(a, b float64) float64 { return a - math.Floor(a/b)*b }},
		{"__div", nil, func(a, b float64) float64 { return a / b }}, {"__pow", nil, math.Pow}} {
		meta.RawSetString(o.event, l.NewFunction(o.do))
	}
	meta.RawSetString("__unm", l.NewFunction(func(l *lua.LState) int {
		n, _ := wholeOf(l.Get(1))
		l.Push(integer(-n))
		return 1
	}))
	l.SetMetatable(long(0), meta)
	kind := l.GetGlobal("type")
	l.SetGlobal("type", l.NewFunction(func(l *lua.LState) int {
		if _, ok := l.Get(1).(long); ok {
			l.Push(lua.LString("number"))
			return 1
		}
		l.Insert(kind, 1)
		l.Call(l.GetTop()-1, 1)
		return 1
	}))
	lib := l.GetGlobal("math").(*lua.LTable)
	lib.RawSetString("maxinteger", long(math.MaxInt64))
	lib.RawSetString("mininteger", long(math.MinInt64))
	for _, name := range []string{"floor", "ceil", "abs", "max", "min", "fmod", "sqrt", "log", "tointeger", "type"} {
		lib.RawSetString(name, l.NewFunction(withLongs(name, lib.RawGetString(name))))
	}
}

// withLongs is a function of the library math that takes longs, too.
func withLongs(name string, plain lua.LValue) lua.LGFunction {
	return func(l *lua.LState) int {
		n := l.GetTop()
		for i := 1; i <= n; i++ {
			v, ok := l.Get(i).(long)
			if !ok {
				continue
			}
			switch name {
			case "type":
				l.Push(lua.LString("integer"))
				return 1
			case "abs":
				l.Push(integer(max(int64(v), -int64(v))))
				return 1
			case "floor", "ceil", "tointeger":
				l.Push(v)
				return 1
			case "max", "min":
				best := l.Get(1)
				for k := 2; k <= n; k++ {
					if c, ok := ordered(l.Get(k), best); ok && (c > 0) == (name == "max") {
						best = l.Get(k)
					}
				}
				l.Push(best)
				return 1
			}
			l.Replace(i, lua.LNumber(v))
		}
		l.Insert(plain, 1)
		l.Call(n, lua.MultRet)
		return l.GetTop()
	}
}

// intArg is an argument that is a whole number, or text that is one.
func intArg(l *lua.LState, n int) int {
	switch v := l.Get(n).(type) {
	case lua.LNumber:
		return int(v)
	case lua.LString:
		if f, ok := numberOf(string(v)); ok {
			return int(f)
		}
	case long:
		return int(v)
	}
	l.TypeError(n, lua.LTNumber)
	return 0
}

func optInt(l *lua.LState, n, usual int) int {
	if l.Get(n) == lua.LNil {
		return usual
	}
	return intArg(l, n)
}
