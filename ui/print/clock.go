package print

import (
	"fmt"
	"time"

	"remora/dissect"
)

// A Clock is how -t writes the time of a packet.
type Clock struct {
	form     string
	Captured bool // differences are to the packet captured before, not to the one printed before
}

// Clocks are the words that -t takes, with what they mean.
var Clocks = [][2]string{
	{"r", "seconds since the first packet"},
	{"a", "time of day"},
	{"ad", "date and time of day"},
	{"adoy", "year, day of the year and time of day"},
	{"d", "seconds since the packet captured before"},
	{"dd", "seconds since the packet shown before"},
	{"e", "seconds since 1970"},
	{"u", "time of day, UTC"},
	{"ud", "date and time of day, UTC"},
	{"udoy", "year, day of the year and time of day, UTC"},
}

// ParseClock takes a word of -t; "" is r.
func ParseClock(word string) (Clock, error) {
	if word == "" {
		word = "r"
	}
	for _, c := range Clocks {
		if c[0] == word {
			return Clock{form: word, Captured: word == "d"}, nil
		}
	}
	return Clock{},
		fmt.Errorf("-t %s: the time formats are a, ad, adoy, d, dd, e, r, u, ud and udoy", dissect.Escape(word))
}

// Text writes the time of a packet, given that of the capture's first packet and of the one before, all in
// nanoseconds since 1970, with six digits after the second.
func (c Clock) Text(t, first, before int64) string { return string(c.Append(nil, t, first, before, 6)) }

// Append is Text with the number of digits that the time stamps carry, 0 to 9. What is finer is cut off, not
// rounded, as in tshark.
func (c Clock) Append(dst []byte, t, first, before int64, digits int) []byte {
	switch c.form {
	case "d", "dd":
		return dissect.AppendSpan(dst, t-before, digits)
	case "e":
		return dissect.AppendSpan(dst, t, digits)
	case "", "r":
		return dissect.AppendSpan(dst, t-first, digits)
	}
	when := time.Unix(0, t)
	if c.form[0] == 'u' {
		when = when.UTC()
	}
	switch c.form[1:] {
	case "d":
		dst = when.AppendFormat(dst, "2006-01-02 15:04:05")
	case "doy":
		dst = when.AppendFormat(dst, "2006/002 15:04:05")
	default:
		dst = when.AppendFormat(dst, "15:04:05")
	}
	if digits <= 0 {
		return dst
	}
	return when.AppendFormat(dst, ".000000000"[:1+min(digits, 9)])
}

// shownDigits are the digits that tshark prints for time stamps of some number of digits: it knows seconds, tenths,
// hundredths, milli-, micro- and nanoseconds.
func shownDigits(digits int) int {
	switch {
	case digits <= 3:
		return max(0, digits)
	case digits <= 6:
		return 6
	}
	return 9
}
