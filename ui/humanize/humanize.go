// Package humanize writes numbers as people read them: grouped, with units, and short enough for a column.
package humanize

import (
	"fmt"
	"math"
	"strconv"
)

// Group writes a number with a space between its thousands.
func Group(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Packets is a number of packets in words.
func Packets(n int) string { return Of(n, "packet") }

// Of is a number of things in words, whose plural ends in s.
func Of(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Group(n) + " " + thing + "s"
}

// Short writes a number in at most six cells, and its sign.
func Short(v float64) string {
	switch a := math.Abs(v); {
	case a >= 999.95e12:
		return strconv.FormatFloat(v, 'e', 0, 64)
	case a >= 999.95e9:
		return strconv.FormatFloat(v/1e12, 'f', 1, 64) + "T"
	case a >= 999.95e6: // what would be rounded to a thousand millions is one of the next unit
		return strconv.FormatFloat(v/1e9, 'f', 1, 64) + "G"
	case a >= 999.95e3:
		return strconv.FormatFloat(v/1e6, 'f', 1, 64) + "M"
	case a >= 1e4:
		return strconv.FormatFloat(v/1e3, 'f', 1, 64) + "k"
	case a >= 100 || v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.001:
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return strconv.FormatFloat(v, 'e', 0, 64)
}

// Aligned writes a number that is not negative in at most seven cells, with at most two decimals, so that the decimal
// points stand below each other where such texts end in the same cell.
func Aligned(v float64) string {
	switch {
	case v >= 1e4-0.5 || v < 0:
		return Short(v)
	case v >= 99.95 || v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64) + "   "
	case v >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64) + " "
	case v >= 0.005:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return "<0.01"
}

// Duration writes seconds the way one speaks of them.
func Duration(s float64) string {
	switch {
	case s < 0.0995:
		return strconv.FormatFloat(s*1000, 'f', 1, 64) + " ms"
	case s < 600:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	}
	t := int(s + 0.5)
	return strconv.Itoa(t/3600) + ":" + Two(t/60%60) + ":" + Two(t%60)
}

// Two writes a number with at least two digits.
func Two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// Bits writes a rate with a unit.
func Bits(v float64) string {
	return Scaled(v, 1000, "b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s")
}

// Bytes writes a size with a unit.
func Bytes(n int64) string {
	return Scaled(float64(n), 1024, "B", "KiB", "MiB", "GiB", "TiB")
}

// Scaled writes a number with the unit that leaves the fewest digits; step is how much larger each unit is than the one
// before.
func Scaled(v, step float64, units ...string) string {
	i := 0
	for i < len(units)-1 && math.Round(v) >= step { // rounded: there is no 1000 kb/s
		v /= step
		i++
	}
	if i == 0 || v >= 100 {
		return fmt.Sprintf("%.0f %s", v, units[i])
	}
	return fmt.Sprintf("%.1f %s", v, units[i])
}

// Percent is a share of a whole with one decimal; of nothing it is "".
func Percent(n, of uint64) string {
	if of == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(n)*100/float64(of), 'f', 1, 64)
}
