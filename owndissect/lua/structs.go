package lua

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// A layout is what a format of Struct or string.pack says of one value.
type layout struct {
	kind   byte // i u f s z c x X e E, and j of what is aligned to
	size   int
	align  int
	little bool
	hidden bool // in parentheses: no value stands for it
}

// A format is read item by item.
type format struct {
	text   string
	at     int
	little bool
	most   int // alignment
	hide   int
	new    bool // Lua 5.3's string.pack
}

func (f *format) number(n int) int {
	from := f.at
	for f.at < len(f.text) && f.text[f.at] >= '0' && f.text[f.at] <= '9' {
		f.at++
	}
	if from == f.at {
		return n
	}
	v, _ := strconv.Atoi(f.text[from:f.at])
	return v
}

// next is the next item that has bytes; done tells that there is none.
func (f *format) next(l *lua.LState) (it layout, done bool) {
	for f.at < len(f.text) {
		c := f.text[f.at]
		f.at++
		it = layout{kind: 'i', little: f.little, hidden: f.hide > 0}
		switch c {
		case ' ':
			continue
		case '<':
			f.little = true
			continue
		case '>':
			f.little = false
			continue
		case '=':
			f.little = true
			continue
		case '!':
			f.most = f.number(8)
			if f.most < 1 || f.most&(f.most-1) != 0 {
				l.RaiseError("alignment is not a power of 2")
			}
			continue
		case '(':
			f.hide++
			continue
		case ')':
			f.hide--
			continue
		case 'b', 'B':
			it.size = 1
		case 'h', 'H':
			it.size = 2
		case 'l', 'L', 'j', 'J', 'T':
			it.size = 8
		case 'i', 'I':
			it.size = f.number(4)
			if it.size < 1 || it.size > 8 && !f.new || it.size > 16 {
				l.RaiseError("integral size %d is out of limits", it.size)
			}
		case 'e', 'E':
			it.kind, it.size = c, 8
		case 'f':
			it.kind, it.size = 'f', 4
		case 'd', 'n':
			it.kind, it.size = 'f', 8
		case 's':
			it.kind = 's'
			if f.new {
				it.kind, it.size = 'S', f.number(8)
			}
		case 'z':
			it.kind = 's'
		case 'c':
			it.kind, it.size = 'c', f.number(1)
		case 'x':
			it.kind, it.size, it.hidden = 'x', 1, true
		case 'X':
			it.kind, it.align, it.hidden = 'X', f.number(8), true
		default:
			l.RaiseError("invalid format option '%s'", string(c))
		}
		if strings.IndexByte("BHLIJT", c) >= 0 {
			it.kind = 'u'
		}
		if it.kind != 'c' && it.kind != 'x' && it.kind != 's' && it.kind != 'X' {
			it.align = min(it.size, f.most)
		}
		return it, false
	}
	return it, true
}

func pad(at, align int) int {
	if align < 2 || align&(align-1) != 0 {
		return 0
	}
	return -at & (align - 1)
}

func newFormat(l *lua.LState, n int, modern bool) *format {
	if _, ok := l.Get(n).(lua.LString); !ok {
		l.TypeError(n, lua.LTString)
	}
	return &format{text: l.CheckString(n), little: true, most: 1, new: modern}
}

func appendInt(b []byte, v uint64, n int, little bool) []byte {
	for i := range n {
		k := i
		if !little {
			k = n - 1 - i
		}
		c := byte(0)
		if k < 8 {
			c = byte(v >> (8 * k))
		} else if int64(v) < 0 {
			c = 0xff
		}
		b = append(b, c)
	}
	return b
}

func packed(l *lua.LState, modern bool) int {
	f := newFormat(l, 1, modern)
	var b []byte
	arg := 2
	for it, done := f.next(l); !done; it, done = f.next(l) {
		if len(b) > maxText {
			l.RaiseError("resulting string too large")
		}
		b = append(b, make([]byte, pad(len(b), it.align))...)
		if it.hidden {
			b = append(b, make([]byte, it.size)...)
			continue
		}
		switch it.kind {
		case 'i', 'u', 'e', 'E':
			b = appendInt(b, wideArg(l, arg), it.size, it.little)
		case 'f':
			x := float64(l.CheckNumber(arg))
			v := math.Float64bits(x)
			if it.size == 4 {
				v = uint64(math.Float32bits(float32(x)))
			}
			b = appendInt(b, v, it.size, it.little)
		case 'S':
			s := l.CheckString(arg)
			b = append(appendInt(b, uint64(len(s)), it.size, it.little), s...)
		case 's':
			b = append(append(b, l.CheckString(arg)...), 0)
		case 'c':
			s := l.CheckString(arg)
			switch {
			case it.size == 0 && !modern:
				b = append(b, s...)
			case len(s) < it.size && modern:
				b = append(append(b, s...), make([]byte, it.size-len(s))...)
			case len(s) < it.size:
				l.ArgError(arg, "string too short")
			default:
				b = append(b, s[:it.size]...)
			}
		}
		arg++
	}
	l.Push(str(string(b)))
	return 1
}

func (m *machine) unpacked(l *lua.LState, modern bool) int {
	f := newFormat(l, 1, modern)
	data, at := l.CheckString(2), optInt(l, 3, 1)-1
	if at < 0 {
		at = max(0, len(data)+at+1)
	}
	var out []lua.LValue
	need := func(n int) string {
		if n < 0 || n > len(data)-at {
			l.ArgError(2, "data string too short")
		}
		s := data[at : at+n]
		at += n
		return s
	}
	for it, done := f.next(l); !done; it, done = f.next(l) {
		need(min(pad(at, it.align), max(0, len(data)-at)))
		switch it.kind {
		case 'i', 'u', 'e', 'E', 'f':
			b := []byte(need(it.size))
			v := beUint(b)
			if it.little {
				v = leUint(b)
			}
			if !it.hidden {
				out = append(out, m.unpackedNumber(it, v, modern))
			}
		case 'S':
			b := []byte(need(it.size))
			v := beUint(b)
			if it.little {
				v = leUint(b)
			}
			out = append(out, str(need(int(min(v, math.MaxInt32)))))
		case 's':
			n := strings.IndexByte(data[min(at, len(data)):], 0)
			if n < 0 {
				l.ArgError(2, "unfinished string in data")
			}
			out = append(out, str(need(n)))
			at++
		case 'c':
			n := it.size
			if n == 0 && !modern {
				last, ok := lua.LNumber(0), false
				if len(out) > 0 {
					last, ok = out[len(out)-1].(lua.LNumber)
				}
				if !ok {
					l.RaiseError("format 'c0' needs a previous size")
				}
				n, out = int(last), out[:len(out)-1]
			}
			if s := need(n); !it.hidden {
				out = append(out, str(s))
			}
		default:
			need(it.size)
		}
	}
	for _, v := range out {
		l.Push(v)
	}
	l.Push(number(at + 1))
	return len(out) + 1
}

func (m *machine) unpackedNumber(it layout, v uint64, modern bool) lua.LValue {
	switch it.kind {
	case 'u':
		if modern {
			return integer(int64(v))
		}
		return lua.LNumber(v)
	case 'i':
		n := extend(v, min(it.size, 8))
		if modern {
			return integer(n)
		}
		return lua.LNumber(n)
	case 'e':
		return m.i64.object(int64(v))
	case 'E':
		return m.u64.object(v)
	}
	return lua.LNumber(floatOf(v, it.size))
}

func (m *machine) pack53(l *lua.LState) int   { return packed(l, true) }
func (m *machine) unpack53(l *lua.LState) int { return m.unpacked(l, true) }

func measured(l *lua.LState, modern bool) (size, values int) {
	f := newFormat(l, 1, modern)
	for it, done := f.next(l); !done; it, done = f.next(l) {
		if !it.hidden {
			values++
		}
		size += pad(size, it.align) + it.size
	}
	return size, values
}

func (m *machine) packsize53(l *lua.LState) int {
	n, _ := measured(l, true)
	l.Push(number(n))
	return 1
}

// openStruct opens Struct, which packs and unpacks strings.
func (m *machine) openStruct() {
	m.newClass("Struct", functions{
		"pack":   func(l *lua.LState) int { return packed(l, false) },
		"unpack": func(l *lua.LState) int { return m.unpacked(l, false) },
		"size": func(l *lua.LState) int {
			n, _ := measured(l, false)
			l.Push(number(n))
			return 1
		},
		"values": func(l *lua.LState) int {
			_, n := measured(l, false)
			l.Push(number(n))
			return 1
		},
		"tohex": func(l *lua.LState) int {
			l.Push(str(hexOf([]byte(l.CheckString(1)), l.ToBool(2), l.OptString(3, ""))))
			return 1
		},
		"fromhex": func(l *lua.LState) int {
			l.Push(str(string(digits(l.CheckString(1)))))
			return 1
		},
	})
}
