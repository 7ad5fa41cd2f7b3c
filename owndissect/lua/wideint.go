package lua

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// wideArg is an argument as 64 bits: an Int64, an UInt64, a number or text.
func wideArg(l *lua.LState, n int) uint64 {
	switch v := l.Get(n).(type) {
	case long:
		return uint64(v)
	case lua.LNumber:
		if v < 0 {
			return uint64(int64(v))
		}
		if v >= 1<<63 {
			return uint64(v)
		}
		return uint64(int64(v))
	case lua.LString:
		return leadingNumber(strings.TrimSpace(string(v)))
	case *lua.LUserData:
		switch w := v.Value.(type) {
		case int64:
			return uint64(w)
		case uint64:
			return w
		}
	}
	l.ArgError(n, "a number, Int64 or UInt64 expected, got "+typeName(l.Get(n)))
	return 0
}

// leadingNumber is the decimal number with which text begins, as C reads it.
func leadingNumber(text string) uint64 {
	digits := strings.TrimLeft(text, "+-")
	n := 0
	for n < len(digits) && isDigit(digits[n]) {
		n++
	}
	v, _ := strconv.ParseUint(digits[:n], 10, 64)
	if strings.HasPrefix(text, "-") {
		return -v
	}
	return v
}

// A wideKind is one of the two classes of integers of 64 bits.
type wideKind struct {
	m      *machine
	signed bool
}

func (k wideKind) class() *class {
	if k.signed {
		return k.m.i64
	}
	return k.m.u64
}

func (k wideKind) push(l *lua.LState, v uint64) int {
	if k.signed {
		l.Push(k.m.i64.object(int64(v)))
	} else {
		l.Push(k.m.u64.object(v))
	}
	return 1
}

func (k wideKind) text(v uint64) string {
	if k.signed {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(v, 10)
}

func (k wideKind) float(v uint64) float64 {
	if k.signed {
		return float64(int64(v))
	}
	return float64(v)
}

func (k wideKind) less(a, b uint64) bool {
	if k.signed {
		return int64(a) < int64(b)
	}
	return a < b
}

func (k wideKind) binary(do func(a, b uint64) uint64) lua.LGFunction {
	return func(l *lua.LState) int { return k.push(l, do(wideArg(l, 1), wideArg(l, 2))) }
}

func (k wideKind) test(do func(a, b uint64) bool) lua.LGFunction {
	return func(l *lua.LState) int {
		l.Push(boolean(do(wideArg(l, 1), wideArg(l, 2))))
		return 1
	}
}

// all joins any number of arguments, of the object and what follows.
func (k wideKind) all(do func(a, b uint64) uint64) lua.LGFunction {
	return func(l *lua.LState) int {
		v := wideArg(l, 1)
		for i := 2; i <= l.GetTop(); i++ {
			v = do(v, wideArg(l, i))
		}
		return k.push(l, v)
	}
}

func (k wideKind) shift(do func(v uint64, n uint) uint64) lua.LGFunction {
	return func(l *lua.LState) int { return k.push(l, do(wideArg(l, 1), uint(intArg(l, 2))&63)) }
}

func (k wideKind) divide(mod bool) lua.LGFunction {
	return func(l *lua.LState) int {
		a, b := wideArg(l, 1), wideArg(l, 2)
		switch {
		case b == 0:
			l.RaiseError("Trying to divide/modulo %s by zero", k.class().name)
		case k.signed && int64(a) == math.MinInt64 && int64(b) == -1:
			if mod {
				a = 0
			}
		case k.signed && mod:
			a = uint64(int64(a) % int64(b))
		case k.signed:
			a = uint64(int64(a) / int64(b))
		case mod:
			a %= b
		default:
			a /= b
		}
		return k.push(l, a)
	}
}

func power(a, b uint64) uint64 {
	if int64(b) < 0 {
		return 0
	}
	v := uint64(1)
	for ; b > 0; b >>= 1 {
		if b&1 != 0 {
			v *= a
		}
		a *= a
	}
	return v
}

func (k wideKind) made(l *lua.LState) int {
	if l.GetTop() == 0 {
		return k.push(l, 0)
	}
	low := wideArg(l, 1)
	if l.GetTop() >= 2 {
		low = low&0xffffffff | wideArg(l, 2)<<32
	}
	return k.push(l, low)
}

func (k wideKind) functions() functions {
	self := func(l *lua.LState) uint64 { return wideArg(l, 1) }
	return functions{
		"new": k.made,
		"max": func(l *lua.LState) int {
			return k.push(l, map[bool]uint64{true: math.MaxInt64, false: math.MaxUint64}[k.signed])
		},
		"min":    func(l *lua.LState) int { return k.push(l, map[bool]uint64{true: 1 << 63, false: 0}[k.signed]) },
		"encode": k.encode,
		"decode": k.decode,
		"tonumber": func(l *lua.LState) int {
			l.Push(lua.LNumber(k.float(self(l))))
			return 1
		},
		"fromhex": func(l *lua.LState) int {
			text := l.CheckString(1)
			v, err := strconv.ParseUint(text, 16, 64)
			if err != nil {
				l.ArgError(1, "Error decoding the passed-in hex string")
			}
			return k.push(l, v)
		},
		"tohex": func(l *lua.LState) int {
			n := optInt(l, 2, 16)
			format := "%0*x"
			if n < 0 {
				n, format = -n, "%0*X"
			}
			n = min(max(n, 1), 16)
			v := self(l)
			if n < 16 {
				v &= 1<<(4*n) - 1
			}
			l.Push(str(fmt.Sprintf(format, n, v)))
			return 1
		},
		"higher": func(l *lua.LState) int {
			v := self(l)
			if k.signed {
				n := int64(v)
				if n < 0 {
					n = -n
				}
				hi := float64(uint64(n) >> 32)
				if int64(v) < 0 {
					hi = -hi
				}
				l.Push(lua.LNumber(hi))
				return 1
			}
			l.Push(number(v >> 32))
			return 1
		},
		"lower": func(l *lua.LState) int {
			v := self(l)
			if k.signed && int64(v) < 0 {
				v = uint64(-int64(v))
			}
			l.Push(number(v & 0xffffffff))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			l.Push(str(k.text(self(l))))
			return 1
		},
		"__concat": concat,
		"__unm": func(l *lua.LState) int {
			if !k.signed { // as in Wireshark
				return k.push(l, self(l))
			}
			return k.push(l, -self(l))
		},
		"__add":  k.binary(func(a, b uint64) uint64 { return a + b }),
		"__sub":  k.binary(func(a, b uint64) uint64 { return a - b }),
		"__mul":  k.binary(func(a, b uint64) uint64 { return a * b }),
		"__div":  k.divide(false),
		"__mod":  k.divide(true),
		"__pow":  k.binary(power),
		"__eq":   k.test(func(a, b uint64) bool { return a == b }),
		"__lt":   k.test(k.less),
		"__le":   k.test(func(a, b uint64) bool { return !k.less(b, a) }),
		"bnot":   func(l *lua.LState) int { return k.push(l, ^self(l)) },
		"band":   k.all(func(a, b uint64) uint64 { return a & b }),
		"bor":    k.all(func(a, b uint64) uint64 { return a | b }),
		"bxor":   k.all(func(a, b uint64) uint64 { return a ^ b }),
		"lshift": k.shift(func(v uint64, n uint) uint64 { return v << n }),
		"rshift": k.shift(func(v uint64, n uint) uint64 { return v >> n }),
		"arshift": k.shift(func(v uint64, n uint) uint64 {
			if !k.signed {
				return v >> n
			}
			return uint64(int64(v) >> n)
		}),
		"rol":   k.shift(func(v uint64, n uint) uint64 { return bits.RotateLeft64(v, int(n)) }),
		"ror":   k.shift(func(v uint64, n uint) uint64 { return bits.RotateLeft64(v, -int(n)) }),
		"bswap": func(l *lua.LState) int { return k.push(l, bits.ReverseBytes64(self(l))) },
	}
}

func (k wideKind) encode(l *lua.LState) int {
	v := wideArg(l, 1)
	var b []byte
	if l.GetTop() >= 2 && !l.ToBool(2) {
		b = binary.BigEndian.AppendUint64(nil, v)
	} else {
		b = binary.LittleEndian.AppendUint64(nil, v)
	}
	l.Push(str(string(b)))
	return 1
}

func (k wideKind) decode(l *lua.LState) int {
	b := []byte(l.CheckString(1))
	if len(b) != 8 {
		l.ArgError(1, "string of 8 bytes expected")
	}
	if l.GetTop() >= 2 && !l.ToBool(2) {
		return k.push(l, beUint(b))
	}
	return k.push(l, leUint(b))
}

func (m *machine) openWide() {
	for _, k := range []wideKind{{m, true}, {m, false}} {
		fns := k.functions()
		fns["__call"] = func(l *lua.LState) int {
			l.Push(lua.LNumber(k.float(wideArg(l, 1))))
			return 1
		}
		if k.signed {
			m.i64 = m.newClass("Int64", fns).plain()
		} else {
			m.u64 = m.newClass("UInt64", fns).plain()
		}
	}
}
