package lua

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// A tvb is bytes of a packet, or bytes that a script made.
type tvb struct {
	b        []byte
	src      int // see run.sources
	off      int // in the source
	reported int
	fixed    bool // of bytes that outlive the packet
}

// A tvbRange is a part of a tvb.
type tvbRange struct {
	t      *tvb
	off, n int
}

func (r *tvbRange) bytes() []byte { return r.t.b[r.off : r.off+r.n] }

// shown is how Wireshark writes bytes: the first of them as digits.
func shown(b []byte, most int) string {
	if len(b) > most {
		return hex.EncodeToString(b[:most]) + "…"
	}
	return hex.EncodeToString(b)
}

func (m *machine) rangeOf(l *lua.LState, t *tvb, off, n int) *lua.LUserData {
	switch {
	case off < 0 || off > len(t.b) || n < -1:
		l.RaiseError("Range is out of bounds")
	case n == -1:
		n = len(t.b) - off
	case n > len(t.b)-off:
		l.RaiseError("Range is out of bounds")
	}
	return m.rng.object(&tvbRange{t, off, n})
}

func (m *machine) openTvb() {
	m.tvb = m.newClass("Tvb", functions{
		"reported_len":              m.tvbLen(true),
		"captured_len":              m.tvbLen(false),
		"len":                       m.tvbLen(false),
		"reported_length_remaining": m.tvbRemaining,
		"reported_length":           m.tvbLen(true),
		"bytes": func(l *lua.LState) int {
			t := arg[*tvb](l, 1, "Tvb")
			r := m.rangeOf(l, t, optInt(l, 2, 0), optInt(l, 3, -1)).Value.(*tvbRange)
			l.Push(m.bytes.object(&byteArray{bytes.Clone(r.bytes())}))
			return 1
		},
		"offset": func(l *lua.LState) int {
			l.Push(number(arg[*tvb](l, 1, "Tvb").off))
			return 1
		},
		"range":  m.tvbRange,
		"__call": m.tvbRange,
		"raw": func(l *lua.LState) int {
			t := arg[*tvb](l, 1, "Tvb")
			r := m.rangeOf(l, t, optInt(l, 2, 0), optInt(l, 3, -1)).Value.(*tvbRange)
			l.Push(str(string(r.bytes())))
			return 1
		},
		"__eq": func(l *lua.LState) int {
			a, b := arg[*tvb](l, 1, "Tvb"), arg[*tvb](l, 2, "Tvb")
			l.Push(boolean(bytes.Equal(a.b, b.b)))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			t := arg[*tvb](l, 1, "Tvb")
			l.Push(str(fmt.Sprintf("TVB(%d) : %s", len(t.b), shown(t.b, 36))))
			return 1
		},
	}).plain()
	m.openRange()
}

func (m *machine) tvbLen(reported bool) lua.LGFunction {
	return func(l *lua.LState) int {
		t := arg[*tvb](l, 1, "Tvb")
		n := len(t.b)
		if reported {
			n = max(n, t.reported)
		}
		l.Push(number(n))
		return 1
	}
}

func (m *machine) tvbRemaining(l *lua.LState) int {
	t, off := arg[*tvb](l, 1, "Tvb"), optInt(l, 2, 0)
	n := max(len(t.b), t.reported) - off
	if off < 0 || n < 0 {
		n = -1
	}
	l.Push(number(n))
	return 1
}

func (m *machine) tvbRange(l *lua.LState) int {
	t, ok := is[*tvb](l.Get(1))
	if !ok {
		t = arg[*tvb](l, 1, "Tvb")
	}
	off, n := 0, -1
	if v, ok := l.Get(2).(lua.LNumber); ok {
		off = int(v)
	} else if l.GetTop() >= 2 {
		off = optInt(l, 2, 0)
	}
	if v, ok := l.Get(3).(lua.LNumber); ok {
		n = int(v)
	} else if l.GetTop() >= 3 {
		n = optInt(l, 3, -1)
	}
	l.Push(m.rangeOf(l, t, off, n))
	return 1
}

// reader makes a method of ranges of some lengths.
func (m *machine) reader(name string, sizes string, read func(l *lua.LState, b []byte) lua.LValue) lua.LGFunction {
	return func(l *lua.LState) int {
		r := arg[*tvbRange](l, 1, "TvbRange")
		if sizes != "" && (r.n > 16 || r.n < 1 || !strings.Contains(sizes, string("0123456789abcdefg"[r.n]))) {
			switch name {
			case "ipv4", "le_ipv4":
				l.RaiseError("TvbRange_ipv4: The range must be 4 octets long")
			case "ipv6":
				l.RaiseError("TvbRange_ipv6: The range must be 16 octets long")
			case "ether":
				l.RaiseError("TvbRange_ether: The range must be 6 bytes long")
			case "float", "le_float":
				l.RaiseError("TvbRange:%s() does not handle %d byte floating numbers", name, r.n)
			}
			l.RaiseError("TvbRange:%s() does not handle %d byte integers", name, r.n)
		}
		l.Push(read(l, r.bytes()))
		return 1
	}
}

func beUint(b []byte) (v uint64) {
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

func leUint(b []byte) (v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}

func extend(v uint64, n int) int64 {
	shift := 64 - 8*n
	return int64(v<<shift) >> shift
}

func floatOf(v uint64, n int) float64 {
	if n == 4 {
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

func (m *machine) openRange() {
	numbers := func(le bool, fns functions) {
		load, pre := beUint, ""
		if le {
			load, pre = leUint, "le_"
		}
		fns[pre+"uint"] = m.reader(pre+"uint", "1234", func(_ *lua.LState, b []byte) lua.LValue { return number(load(b)) })
		fns[pre+"int"] = m.reader(pre+"int", "1234", func(_ *lua.LState, b []byte) lua.LValue {
			return number(extend(load(b), len(b)))
		})
		fns[pre+"uint64"] = m.reader(pre+"uint64", "12345678", func(_ *lua.LState, b []byte) lua.LValue {
			return m.u64.object(load(b))
		})
		fns[pre+"int64"] = m.reader(pre+"int64", "12345678", func(_ *lua.LState, b []byte) lua.LValue {
			return m.i64.object(extend(load(b), len(b)))
		})
		fns[pre+"float"] = m.reader(pre+"float", "48", func(_ *lua.LState, b []byte) lua.LValue {
			return lua.LNumber(floatOf(load(b), len(b)))
		})
		fns[pre+"ipv4"] = m.reader(pre+"ipv4", "4", func(_ *lua.LState, b []byte) lua.LValue {
			if le {
				b = []byte{b[3], b[2], b[1], b[0]}
			}
			return m.addr.object(ipv4Address(b))
		})
		fns[pre+"nstime"] = m.reader(pre+"nstime", "48", func(_ *lua.LState, b []byte) lua.LValue {
			t := nstime{secs: int64(load(b[:4]))}
			if len(b) == 8 {
				t.nsecs = int64(int32(load(b[4:])))
			}
			return m.nstime.object(&t)
		})
		fns[pre+"ustring"] = m.reader(pre+"ustring", "", func(_ *lua.LState, b []byte) lua.LValue {
			return str(wide(b, le))
		})
		fns[pre+"ustringz"] = func(l *lua.LState) int {
			b := arg[*tvbRange](l, 1, "TvbRange").bytes()
			n := len(b)
			for i := 0; i+1 < len(b); i += 2 {
				if b[i] == 0 && b[i+1] == 0 {
					n = i + 2
					break
				}
			}
			l.Push(str(strings.TrimSuffix(wide(b[:n], le), "\x00")))
			l.Push(number(n))
			return 2
		}
	}
	fns := functions{
		"ipv6": m.reader("ipv6", "g", func(_ *lua.LState, b []byte) lua.LValue { return m.addr.object(ipv6Address(b)) }),
		"ether": m.reader("ether", "6", func(_ *lua.LState, b []byte) lua.LValue {
			return m.addr.object(etherAddress(b))
		}),
		"string":     m.rangeString,
		"stringz":    m.rangeStringz,
		"strsize":    m.rangeStrsize,
		"bytes":      m.rangeBytes,
		"bitfield":   m.rangeBitfield,
		"range":      m.rangeRange,
		"__call":     m.rangeRange,
		"nstime":     nil,
		"uncompress": m.rangeUncompress,
		"len": func(l *lua.LState) int {
			l.Push(number(arg[*tvbRange](l, 1, "TvbRange").n))
			return 1
		},
		"offset": func(l *lua.LState) int {
			r := arg[*tvbRange](l, 1, "TvbRange")
			l.Push(number(r.off + 0))
			return 1
		},
		"raw": func(l *lua.LState) int {
			b := arg[*tvbRange](l, 1, "TvbRange").bytes()
			l.Push(str(string(sliceOf(l, b, optInt(l, 2, 0), optInt(l, 3, -1)))))
			return 1
		},
		"tvb": func(l *lua.LState) int {
			r := arg[*tvbRange](l, 1, "TvbRange")
			l.Push(m.tvb.object(&tvb{b: r.bytes(), src: r.t.src, off: r.t.off + r.off, reported: r.n, fixed: r.t.fixed}))
			return 1
		},
		"__eq": func(l *lua.LState) int {
			a, b := arg[*tvbRange](l, 1, "TvbRange"), arg[*tvbRange](l, 2, "TvbRange")
			l.Push(boolean(bytes.Equal(a.bytes(), b.bytes())))
			return 1
		},
		"__concat": func(l *lua.LState) int {
			l.Push(str(shownValue(l, l.Get(1)) + shownValue(l, l.Get(2))))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			r := arg[*tvbRange](l, 1, "TvbRange")
			if r.n == 0 {
				l.Push(str("<EMPTY>"))
			} else {
				l.Push(str(shown(r.bytes(), 36)))
			}
			return 1
		},
	}
	delete(fns, "nstime")
	numbers(false, fns)
	numbers(true, fns)
	be, le := fns["nstime"], fns["le_nstime"]
	fns["nstime"] = m.rangeTime(be)
	fns["le_nstime"] = m.rangeTime(le)
	m.rng = m.newClass("TvbRange", fns).plain()
}

func sliceOf(l *lua.LState, b []byte, off, n int) []byte {
	switch {
	case off < 0 || off > len(b) || n < -1:
		l.RaiseError("offset beyond the end of the bytes")
	case n == -1:
		n = len(b) - off
	case n > len(b)-off:
		l.RaiseError("length beyond the end of the bytes")
	}
	return b[off : off+n]
}

func wide(b []byte, le bool) string {
	u := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		if le {
			u = append(u, uint16(leUint(b[i:i+2])))
		} else {
			u = append(u, uint16(beUint(b[i:i+2])))
		}
	}
	return string(utf16.Decode(u))
}

// decoded is text in an encoding.
func decoded(b []byte, enc int) string {
	switch enc & encText {
	case encUTF16:
		return wide(b, enc&encLittle != 0)
	case encASCII, encUTF8:
		if utf8.Valid(b) {
			if enc&encText == encUTF8 || isASCII(b) {
				return string(b)
			}
		}
		var out strings.Builder
		for len(b) > 0 {
			r, n := utf8.DecodeRune(b)
			if enc&encText == encASCII && b[0] >= 0x80 {
				r, n = utf8.RuneError, 1
			}
			out.WriteRune(r)
			b = b[n:]
		}
		return out.String()
	default: // of the sets of one byte, Latin-1 stands for all
		var out strings.Builder
		for _, c := range b {
			out.WriteRune(rune(c))
		}
		return out.String()
	}
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

func (m *machine) rangeString(l *lua.LState) int {
	r, enc := arg[*tvbRange](l, 1, "TvbRange"), optInt(l, 2, encASCII)
	l.Push(str(decoded(r.bytes(), enc)))
	return 1
}

func zeroIn(b []byte) int {
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return n + 1
	}
	return len(b)
}

func (m *machine) rangeStringz(l *lua.LState) int {
	r, enc := arg[*tvbRange](l, 1, "TvbRange"), optInt(l, 2, encASCII)
	b := r.bytes()
	if enc&encText == encUTF16 {
		for i := 0; i+1 < len(b); i += 2 {
			if b[i] == 0 && b[i+1] == 0 {
				b = b[:i]
				break
			}
		}
		l.Push(str(decoded(b, enc)))
		return 1
	}
	n := bytes.IndexByte(b, 0)
	if n < 0 { // it may end in the tvb behind the range
		rest := r.t.b[r.off:]
		if n = bytes.IndexByte(rest, 0); n < 0 {
			l.RaiseError("out of bounds")
		}
		b = rest
	}
	l.Push(str(decoded(b[:n], enc)))
	return 1
}

func (m *machine) rangeStrsize(l *lua.LState) int {
	r := arg[*tvbRange](l, 1, "TvbRange")
	n := bytes.IndexByte(r.t.b[r.off:], 0)
	if n < 0 {
		l.RaiseError("out of bounds")
	}
	l.Push(number(n + 1))
	return 1
}

func (m *machine) rangeBytes(l *lua.LState) int {
	r := arg[*tvbRange](l, 1, "TvbRange")
	if enc, ok := l.Get(2).(lua.LNumber); ok && int(enc)&encStrHex != 0 {
		b, used, ok := hexText(r.bytes(), int(enc))
		if !ok {
			l.Push(lua.LNil)
			return 1
		}
		l.Push(m.bytes.object(&byteArray{b}))
		l.Push(number(used))
		return 2
	}
	l.Push(m.bytes.object(&byteArray{bytes.Clone(r.bytes())}))
	return 1
}

func (m *machine) rangeBitfield(l *lua.LState) int {
	r, pos, n := arg[*tvbRange](l, 1, "TvbRange"), optInt(l, 2, 0), optInt(l, 3, 1)
	b := r.bytes()
	if pos < 0 || n < 1 || pos+n > 8*len(b) {
		l.RaiseError("Requested bitfield out of range")
	}
	if n > 64 {
		l.RaiseError("TvbRange:bitfield() does not handle %d bits", n)
	}
	v := uint64(0)
	for i := pos; i < pos+n; i++ {
		v = v<<1 | uint64(b[i/8]>>(7-i%8)&1)
	}
	if n > 32 {
		l.Push(m.u64.object(v))
	} else {
		l.Push(number(v))
	}
	return 1
}

func (m *machine) rangeRange(l *lua.LState) int {
	r := arg[*tvbRange](l, 1, "TvbRange")
	off, n := optInt(l, 2, 0), optInt(l, 3, -1)
	if n == -1 {
		n = r.n - off
	}
	if off < 0 || n < 0 || off+n > r.n {
		l.RaiseError("Range is out of bounds")
	}
	l.Push(m.rng.object(&tvbRange{r.t, r.off + off, n}))
	return 1
}

func (m *machine) rangeUncompress(l *lua.LState) int {
	r, name := arg[*tvbRange](l, 1, "TvbRange"), l.OptString(2, "Uncompressed")
	b, err := inflate(r.bytes())
	if err != nil || m.run == nil {
		l.Push(lua.LNil)
		return 1
	}
	t := m.run.newTvb(name, b)
	l.Push(m.rng.object(&tvbRange{t, 0, len(b)}))
	return 1
}

func (m *machine) rangeTime(numbers lua.LGFunction) lua.LGFunction {
	return func(l *lua.LState) int {
		r := arg[*tvbRange](l, 1, "TvbRange")
		enc, ok := l.Get(2).(lua.LNumber)
		if !ok || int(enc)&encTimes == 0 {
			l.SetTop(1)
			return numbers(l)
		}
		t, used, ok := timeText(r.bytes(), int(enc))
		if !ok {
			l.Push(lua.LNil)
			return 1
		}
		l.Push(m.nstime.object(&t))
		l.Push(number(used))
		return 2
	}
}
