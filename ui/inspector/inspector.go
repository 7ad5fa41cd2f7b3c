// Package inspector tells what bytes would be, read as numbers, times, addresses and texts.
package inspector

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
)

// An Interpretation is what bytes would be, read one way: in little and in big endian, or without an order in low
// alone.
type Interpretation struct{ Name, Low, High string }

// Of are all that the bytes could be, from the first on; whole is how many of them were picked, or 0.
func Of(b []byte, whole int) []Interpretation {
	var out []Interpretation
	add := func(name string, size int, text func(v uint64, order binary.ByteOrder) string) {
		if len(b) < size {
			return
		}
		m := Interpretation{Name: name, Low: text(number(b[:size], false), binary.LittleEndian)}
		if size > 1 {
			m.High = text(number(b[:size], true), binary.BigEndian)
		}
		if m.Low != "" || m.High != "" {
			out = append(out, m)
		}
	}
	for _, size := range []int{1, 2, 3, 4, 5, 6, 7, 8} {
		if (size&(size-1) != 0 || size > 8) && size != whole {
			continue
		}
		add("u"+strconv.Itoa(8*size), size, func(v uint64, _ binary.ByteOrder) string { return strconv.FormatUint(v, 10) })
		add("i"+strconv.Itoa(8*size), size, func(v uint64, _ binary.ByteOrder) string {
			shift := 64 - 8*size
			return strconv.FormatInt(int64(v<<shift)>>shift, 10)
		})
	}
	add("f32", 4, func(v uint64, _ binary.ByteOrder) string {
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	})
	add("f64", 8, func(v uint64, _ binary.ByteOrder) string {
		return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
	})
	out = append(out, times(b)...)
	return append(append(out, addresses(b)...), texts(b, whole)...)
}

// number reads up to eight bytes in one order.
func number(b []byte, big bool) (v uint64) {
	for i := range b {
		if big {
			v = v<<8 | uint64(b[i])
		} else {
			v |= uint64(b[i]) << (8 * i)
		}
	}
	return v
}

// Times are told only from 1970 to 2100: anything is a time otherwise.
const firstYear, lastYear = 1970, 2100

func timeText(t time.Time) string {
	if y := t.UTC().Year(); y < firstYear || y > lastYear || t.Unix() <= 0 {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05.999999999")
}

// filetimeEpoch is 1970 in units of 100 ns since 1601, ntpEpoch in seconds since 1900.
const filetimeEpoch, ntpEpoch = 116444736000000000, 2208988800

// times are the points in time that the bytes could be.
func times(b []byte) []Interpretation {
	var out []Interpretation
	add := func(name string, size int, read func(v uint64) time.Time) {
		if len(b) >= size {
			m := Interpretation{name, timeText(read(number(b[:size], false))), timeText(read(number(b[:size], true)))}
			if m.Low != "" || m.High != "" {
				out = append(out, m)
			}
		}
	}
	add("Unix s", 4, func(v uint64) time.Time { return time.Unix(int64(v), 0) })
	add("Unix s 64", 8, func(v uint64) time.Time { return time.Unix(int64(min(v, 1<<40)), 0) })
	add("Unix ms", 8, func(v uint64) time.Time { return time.UnixMilli(int64(min(v, 1<<50))) })
	add("Unix µs", 8, func(v uint64) time.Time { return time.UnixMicro(int64(min(v, 1<<60))) })
	add("NTP", 8, func(v uint64) time.Time {
		return time.Unix(int64(v>>32)-ntpEpoch, int64(v&math.MaxUint32*1e9>>32))
	})
	add("FILETIME", 8, func(v uint64) time.Time {
		if v < filetimeEpoch || v > 1<<62 {
			return time.Time{}
		}
		v -= filetimeEpoch
		return time.Unix(int64(v/1e7), int64(v%1e7*100))
	})
	add("DOS", 4, func(v uint64) time.Time { return dosTime(uint16(v), uint16(v>>16)) })
	return out
}

// dosTime is a time of FAT: two-second steps, years from 1980.
func dosTime(clock, date uint16) time.Time {
	month, day, hour, minute, second := int(date>>5&15), int(date&31), int(clock>>11), int(clock>>5&63), int(clock&31)*2
	if month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}
	}
	return time.Date(1980+int(date>>9), time.Month(month), day, hour, minute, second, 0, time.UTC)
}

// addresses are the addresses that the bytes could be, in the order of the network.
func addresses(b []byte) []Interpretation {
	var out []Interpretation
	if len(b) >= 4 {
		out = append(out, Interpretation{Name: "IPv4", Low: netip.AddrFrom4([4]byte(b[:4])).String()})
	}
	if len(b) >= 6 {
		out = append(out, Interpretation{Name: "MAC", Low: net.HardwareAddr(b[:6]).String()})
	}
	if len(b) >= 16 {
		out = append(out, Interpretation{Name: "IPv6", Low: netip.AddrFrom16([16]byte(b[:16])).String()})
		h := hex.EncodeToString
		out = append(out,
			Interpretation{Name: "GUID",
				Low: fmt.Sprintf("%08x-%04x-%04x-%s-%s", number(b[:4], false), number(b[4:6], false), number(b[6:8], false),
					h(b[8:10]), h(b[10:16]))})
	}
	return out
}

// textShown bounds a text that is told, in bytes.
const textShown = 48

// texts are the texts that the bytes could be: those picked, or up to the first zero.
func texts(b []byte, whole int) []Interpretation {
	var out []Interpretation
	for _, e := range []struct {
		name string
		as   dissect.Encoding
		unit int
	}{{"UTF-8", dissect.UTF8, 1}, {"UTF-16 LE", dissect.UTF16LE, 2}, {"UTF-16 BE", dissect.UTF16BE, 2},
		{"Shift-JIS", dissect.ShiftJIS, 1}, {"CP1252", dissect.Windows1252, 1}} {
		n := whole
		if n == 0 {
			n = untilZero(b, e.unit)
		}
		if n = min(n, textShown, len(b)) / e.unit * e.unit; n > 0 {
			out = append(out, Interpretation{Name: e.name, Low: `"` + dissect.Escape(e.as.Decode(b[:n])) + `"`})
		}
	}
	return out
}

// untilZero is the length of a text of units that ends in a zero.
func untilZero(b []byte, unit int) int {
	for i := 0; i+unit <= len(b); i += unit {
		if number(b[i:i+unit], false) == 0 {
			return i
		}
	}
	return len(b)
}

// Bits writes a byte in binary, in two halves.
func Bits(c byte) string {
	s := strconv.FormatUint(uint64(c), 2)
	s = strings.Repeat("0", 8-len(s)) + s
	return s[:4] + " " + s[4:]
}
