package lua

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

// A byteArray is bytes that scripts change.
type byteArray struct{ b []byte }

func (m *machine) openBytes() {
	self := func(l *lua.LState) *byteArray { return arg[*byteArray](l, 1, "ByteArray") }
	m.bytes = m.newClass("ByteArray", functions{
		"new": func(l *lua.LState) int {
			if l.GetTop() == 0 {
				l.Push(m.bytes.object(&byteArray{}))
				return 1
			}
			text := l.CheckString(1)
			if l.ToBool(2) {
				sep := l.OptString(3, "")
				_ = sep
				l.Push(m.bytes.object(&byteArray{[]byte(text)}))
				return 1
			}
			sep := " "
			if v, ok := l.Get(2).(lua.LString); ok {
				sep = string(v)
			}
			_ = sep
			l.Push(m.bytes.object(&byteArray{digits(text)}))
			return 1
		},
		"__concat": func(l *lua.LState) int {
			a, b := self(l), arg[*byteArray](l, 2, "ByteArray")
			l.Push(m.bytes.object(&byteArray{append(bytes.Clone(a.b), b.b...)}))
			return 1
		},
		"__eq": func(l *lua.LState) int {
			l.Push(boolean(bytes.Equal(self(l).b, arg[*byteArray](l, 2, "ByteArray").b)))
			return 1
		},
		"append": func(l *lua.LState) int {
			a := self(l)
			a.b = append(a.b, arg[*byteArray](l, 2, "ByteArray").b...)
			return 0
		},
		"prepend": func(l *lua.LState) int {
			a := self(l)
			a.b = append(bytes.Clone(arg[*byteArray](l, 2, "ByteArray").b), a.b...)
			return 0
		},
		"set_size": func(l *lua.LState) int {
			a, n := self(l), intArg(l, 2)
			if n < 0 || n > maxText {
				l.RaiseError("ByteArray size must be non-negative")
			}
			for len(a.b) < n {
				a.b = append(a.b, make([]byte, n-len(a.b))...)
			}
			a.b = a.b[:n]
			return 0
		},
		"set_index": func(l *lua.LState) int {
			a, i, v := self(l), intArg(l, 2), intArg(l, 3)
			if i < 0 || i >= len(a.b) || v < 0 || v > 255 {
				l.RaiseError("ByteArray index or value out of range")
			}
			a.b[i] = byte(v)
			return 0
		},
		"get_index": func(l *lua.LState) int {
			a, i := self(l), intArg(l, 2)
			if i < 0 || i >= len(a.b) {
				l.RaiseError("ByteArray index out of range")
			}
			l.Push(number(a.b[i]))
			return 1
		},
		"len": func(l *lua.LState) int {
			l.Push(number(len(self(l).b)))
			return 1
		},
		"subset": m.byteArraySubset,
		"__call": m.byteArraySubset,
		"base64_decode": func(l *lua.LState) int {
			text := strings.TrimRight(string(self(l).b), "=\r\n \x00")
			b, _ := base64.RawStdEncoding.DecodeString(text)
			l.Push(m.bytes.object(&byteArray{b}))
			return 1
		},
		"raw": func(l *lua.LState) int {
			l.Push(str(string(sliceOf(l, self(l).b, optInt(l, 2, 0), optInt(l, 3, -1)))))
			return 1
		},
		"tohex": func(l *lua.LState) int {
			l.Push(str(hexOf(self(l).b, l.ToBool(2), l.OptString(3, ""))))
			return 1
		},
		"tvb": func(l *lua.LState) int {
			if m.run == nil {
				l.RaiseError("Tvbs can only be created and used in dissectors")
			}
			l.Push(m.tvb.object(m.run.newTvb(l.OptString(2, "Unnamed"), bytes.Clone(self(l).b))))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			l.Push(str(strings.ToUpper(hex.EncodeToString(self(l).b))))
			return 1
		},
		"__len": func(l *lua.LState) int {
			l.Push(number(len(self(l).b)))
			return 1
		},
	}).plain()
}

func (m *machine) byteArraySubset(l *lua.LState) int {
	a := arg[*byteArray](l, 1, "ByteArray")
	l.Push(m.bytes.object(&byteArray{bytes.Clone(sliceOf(l, a.b, intArg(l, 2), intArg(l, 3)))}))
	return 1
}

// digits are the bytes of hexadecimal digits, whatever stands between them.
func digits(text string) []byte {
	clean := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F' {
			return r
		}
		return -1
	}, text)
	b, _ := hex.DecodeString(clean[:len(clean)&^1])
	return b
}

func hexOf(b []byte, lower bool, sep string) string {
	var out strings.Builder
	for i, c := range b {
		if i > 0 {
			out.WriteString(sep)
		}
		if lower {
			fmt.Fprintf(&out, "%02x", c)
		} else {
			fmt.Fprintf(&out, "%02X", c)
		}
	}
	return out.String()
}

func inflate(b []byte) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxText))
}

// An address is one of a packet's ends.
type address struct {
	kind byte // '4', '6', 'e', or 0
	b    [16]byte
}

func ipv4Address(b []byte) address {
	a := address{kind: '4'}
	copy(a.b[:4], b)
	return a
}
func ipv6Address(b []byte) address { return address{kind: '6', b: [16]byte(b[:16])} }
func etherAddress(b []byte) address {
	a := address{kind: 'e'}
	copy(a.b[:6], b)
	return a
}

func (a address) bytes() []byte {
	switch a.kind {
	case '4':
		return a.b[:4]
	case '6':
		return a.b[:]
	case 'e':
		return a.b[:6]
	}
	return nil
}

func (a address) String() string {
	switch a.kind {
	case '4':
		return netip.AddrFrom4([4]byte(a.b[:4])).String()
	case '6':
		return netip.AddrFrom16(a.b).String()
	case 'e':
		return hexOf(a.b[:6], true, ":")
	}
	return ""
}

func (a address) compare(b address) int {
	if a.kind != b.kind {
		return int(a.kind) - int(b.kind)
	}
	return bytes.Compare(a.bytes(), b.bytes())
}

func (m *machine) openAddress() {
	ip := func(l *lua.LState) int {
		a, err := netip.ParseAddr(l.CheckString(1))
		if err != nil || !a.Is4() {
			l.RaiseError("Address.ip: no address: %s", l.CheckString(1))
		}
		b := a.As4()
		l.Push(m.addr.object(ipv4Address(b[:])))
		return 1
	}
	compare := func(test func(c int) bool) lua.LGFunction {
		return func(l *lua.LState) int {
			l.Push(boolean(test(arg[address](l, 1, "Address").compare(arg[address](l, 2, "Address")))))
			return 1
		}
	}
	m.addr = m.newClass("Address", functions{
		"ip":   ip,
		"ipv4": ip,
		"ipv6": func(l *lua.LState) int {
			a, err := netip.ParseAddr(l.CheckString(1))
			if err != nil || !a.Is6() {
				l.RaiseError("Address.ipv6: no address: %s", l.CheckString(1))
			}
			b := a.As16()
			l.Push(m.addr.object(ipv6Address(b[:])))
			return 1
		},
		"ether": func(l *lua.LState) int {
			b := digits(l.CheckString(1))
			if len(b) != 6 {
				b = make([]byte, 6)
			}
			l.Push(m.addr.object(etherAddress(b)))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			l.Push(str(m.addressText(arg[address](l, 1, "Address"))))
			return 1
		},
		"__concat": concat,
		"__eq":     compare(func(c int) bool { return c == 0 }),
		"__lt":     compare(func(c int) bool { return c < 0 }),
		"__le":     compare(func(c int) bool { return c <= 0 }),
	}).plain()
}

// addressText is an address as it is shown: of a device, with the maker's name.
func (m *machine) addressText(a address) string {
	if a.kind == 'e' && m.run != nil {
		return m.run.d.Names().Resolve(dissect.EtherAddr(a.bytes()))
	}
	return a.String()
}

// concat joins texts of objects.
func concat(l *lua.LState) int {
	l.Push(str(shownValue(l, l.Get(1)) + shownValue(l, l.Get(2))))
	return 1
}

// An nstime is a time, or a span of time.
type nstime struct{ secs, nsecs int64 }

func timeOf(ns int64) nstime { return nstime{ns / 1e9, ns % 1e9} }
func (t nstime) ns() int64   { return t.secs*1e9 + t.nsecs }
func (t nstime) float() float64 {
	return float64(t.secs) + float64(t.nsecs)/1e9
}

func (t nstime) String() string {
	sign, n := "", t.nsecs
	if t.nsecs < 0 {
		n = -n
		if t.secs == 0 {
			sign = "-"
		}
	}
	return fmt.Sprintf("%s%d.%09d", sign, t.secs, n)
}

func (t nstime) add(u nstime, sign int64) nstime {
	t.secs += sign * u.secs
	t.nsecs += sign * u.nsecs
	t.secs, t.nsecs = t.secs+t.nsecs/1e9, t.nsecs%1e9
	switch {
	case t.secs > 0 && t.nsecs < 0:
		t.secs, t.nsecs = t.secs-1, t.nsecs+1e9
	case t.secs < 0 && t.nsecs > 0:
		t.secs, t.nsecs = t.secs+1, t.nsecs-1e9
	}
	return t
}

func (m *machine) openTime() {
	test := func(is func(a, b nstime) bool) lua.LGFunction {
		return func(l *lua.LState) int {
			l.Push(boolean(is(timeArg(l, 1), timeArg(l, 2))))
			return 1
		}
	}
	made := func(l *lua.LState) int {
		t := nstime{int64(l.OptNumber(1, 0)), int64(l.OptNumber(2, 0))}
		l.Push(m.nstime.object(&t))
		return 1
	}
	m.nstime = m.newClass("NSTime", functions{
		"new": made,
		"tonumber": func(l *lua.LState) int {
			l.Push(lua.LNumber(timeArg(l, 1).float()))
			return 1
		},
		"__tostring": func(l *lua.LState) int {
			l.Push(str(timeArg(l, 1).String()))
			return 1
		},
		"__add": func(l *lua.LState) int { return m.pushTime(l, timeArg(l, 1).add(timeArg(l, 2), 1)) },
		"__sub": func(l *lua.LState) int { return m.pushTime(l, timeArg(l, 1).add(timeArg(l, 2), -1)) },
		"__eq":  test(func(a, b nstime) bool { return a.ns() == b.ns() }),
		"__lt":  test(func(a, b nstime) bool { return a.ns() < b.ns() }),
		"__le":  test(func(a, b nstime) bool { return a.ns() <= b.ns() }),
		"__unm": func(l *lua.LState) int { return m.pushTime(l, nstime{}.add(timeArg(l, 1), -1)) },
		"__call": func(l *lua.LState) int {
			l.Push(lua.LNumber(timeArg(l, 1).float()))
			return 1
		},
		"__concat": concat,
	})
	secs := func(set func(t *nstime, v int64)) func(l *lua.LState, v any, to lua.LValue) {
		return func(l *lua.LState, v any, to lua.LValue) {
			n, ok := to.(lua.LNumber)
			t, isTime := v.(*nstime)
			if !ok || !isTime {
				l.RaiseError("a number is wanted")
			}
			set(t, int64(n))
		}
	}
	attr(m.nstime, "secs", func(t *nstime) lua.LValue { return number(t.secs) })
	attr(m.nstime, "nsecs", func(t *nstime) lua.LValue { return number(t.nsecs) })
	m.nstime.set["secs"] = secs(func(t *nstime, v int64) { t.secs = v })
	m.nstime.set["nsecs"] = secs(func(t *nstime, v int64) { t.nsecs = v })
}

// timeArg is an argument that is a time.
func timeArg(l *lua.LState, n int) nstime { return *arg[*nstime](l, n, "NSTime") }

func (m *machine) pushTime(l *lua.LState, t nstime) int {
	l.Push(m.nstime.object(&t))
	return 1
}

// What a number of the encoding says how times are written.
const (
	encTimeForm = 0x3e
	timeSecs    = 18
	timeTimeval = 16
	timeMsecs   = 20
	timeNTP     = 2
	timeSecsNTP = 24
	timeMsecNTP = 34
	timeUsecs   = 48
	timeNsecs   = 40
	ntpEpoch    = 2208988800 // seconds from 1900 to 1970
)

// encodedTime reads a time that is written as a number. NTP's times without their first bit lie behind 2036.
func encodedTime(b []byte, enc int) (t nstime, ok bool) {
	load := beUint
	if enc&encLittle != 0 {
		load = leUint
	}
	if len(b) != 4 && len(b) != 8 {
		return t, false
	}
	first, second := load(b[:4]), uint64(0)
	if len(b) == 8 {
		second = load(b[4:])
	}
	ntp := func(secs uint64) int64 {
		if secs&(1<<31) == 0 {
			secs += 1 << 32
		}
		return int64(secs) - ntpEpoch
	}
	switch v := int64(load(b)); enc & encTimeForm {
	case timeNTP, timeSecsNTP:
		return nstime{ntp(first), int64(second * 1e9 >> 32)}, true
	case timeMsecNTP:
		return nstime{v/1e3 - ntpEpoch, v % 1e3 * 1e6}, true
	case timeSecs:
		return nstime{secs: v}, true
	case timeTimeval:
		return nstime{int64(int32(first)), int64(second) * 1e3}, true
	case timeMsecs:
		return nstime{v / 1e3, v % 1e3 * 1e6}, true
	case timeUsecs:
		return nstime{v / 1e6, v % 1e6 * 1e3}, true
	case timeNsecs:
		return nstime{v / 1e9, v % 1e9}, true
	}
	return t, false
}

// timeText reads a time that is written as text; used is how many bytes that took.
func timeText(b []byte, enc int) (t nstime, used int, ok bool) {
	text := string(b)
	lead := len(text) - len(strings.TrimLeft(text, " \t"))
	text = text[lead:]
	try := func(layout string, n int) bool {
		if n > len(text) {
			return false
		}
		at, err := time.Parse(layout, text[:n])
		if err != nil {
			return false
		}
		t, used, ok = nstime{at.Unix(), int64(at.Nanosecond())}, lead+n, true
		return true
	}
	var layouts []string
	switch enc & encTimes {
	case encDateTime:
		layouts = []string{"2006-01-02T15:04:05.000000000Z07:00", "2006-01-02T15:04:05.000000Z07:00",
			"2006-01-02T15:04:05.000Z07:00", "2006-01-02T15:04:05-07:00", "2006-01-02T15:04:05Z", "2006-01-02T15:04-07:00",
			"2006-01-02T15:04Z", "2006-01-02 15:04:05-07:00", "2006-01-02T15:04:05", "2006-01-02T15:04"}
	case encDate:
		layouts = []string{"2006-01-02"}
	case encTime:
		return timeOfDay(text, lead)
	case encRFC822:
		layouts = []string{"Mon, 02 Jan 06 15:04:05 MST", "Mon, 02 Jan 06 15:04:05 -0700", "02 Jan 06 15:04:05 MST",
			"02 Jan 06 15:04 MST"}
	case encRFC1123:
		layouts = []string{"Mon, 02 Jan 2006 15:04:05 MST", "Mon, 02 Jan 2006 15:04:05 -0700", "02 Jan 2006 15:04:05 MST"}
	case encDateTimeBasic:
		layouts = []string{"20060102T150405-0700", "20060102150405-0700", "20060102T150405Z", "20060102T1504-0700",
			"20060102 150405-0700",
			"200601021504Z", "20060102T1504Z", "20060102150405Z", "20060102T150405"}
	}
	for _, layout := range layouts {
		size := len(strings.NewReplacer("Z07:00", "-07:00").Replace(layout))
		if try(layout, size) {
			return t, used, true
		}
		if strings.HasSuffix(layout, "Z07:00") && try(layout, size-5) {
			return t, used, true
		}
	}
	return t, 0, false
}

func timeOfDay(text string, lead int) (t nstime, used int, ok bool) {
	for _, layout := range []string{"15:04:05", "15:04"} {
		if len(text) < len(layout) {
			continue
		}
		at, err := time.Parse(layout, text[:len(layout)])
		if err != nil {
			continue
		}
		now := time.Now().UTC()
		day := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
		return nstime{secs: day.Unix()}, lead + len(layout), true
	}
	return t, 0, false
}

// hexText reads bytes that are written as digits, with the separators that the encoding allows.
func hexText(b []byte, enc int) (out []byte, used int, ok bool) {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	digit := func(i int) int {
		if i >= len(b) {
			return -1
		}
		return strings.IndexByte("0123456789abcdef", b[i]|0x20)
	}
	sep := byte(0)
	for i+1 < len(b) && digit(i) >= 0 && digit(i+1) >= 0 && b[i] != ' ' {
		out = append(out, byte(digit(i)<<4|digit(i+1)))
		i += 2
		used = i
		if len(out) == 1 && i < len(b) && digit(i) < 0 {
			for c, bit := range map[byte]int{':': encSepColon, '-': encSepDash, '.': encSepDot, ' ': encSepSpace} {
				if b[i] == c && enc&bit != 0 {
					sep = c
				}
			}
		}
		if sep != 0 {
			if i >= len(b) || b[i] != sep {
				break
			}
			i++
		}
	}
	return out, used, len(out) > 0
}
