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
	Hours    bool // differences are written as 1h 2m 3.5s (-u hms)
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
		return c.appendSpan(dst, t-before, digits)
	case "e":
		return dissect.AppendSpan(dst, t, digits)
	case "", "r":
		return c.appendSpan(dst, t-first, digits)
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

// appendSpan writes a difference.
func (c Clock) appendSpan(dst []byte, d int64, digits int) []byte {
	if !c.Hours {
		return dissect.AppendSpan(dst, d, digits)
	}
	if d < 0 {
		dst, d = append(dst, "- "...), -d
	}
	minute := int64(time.Minute)
	width := min(digits, 1) + digits + 2 // of seconds behind minutes, with the point
	if hours := d / (60 * minute); hours > 0 {
		dst = fmt.Appendf(dst, "%dh %2dm ", hours, d/minute%60)
	} else if d >= minute {
		dst = fmt.Appendf(dst, "%dm ", d/minute)
	} else {
		width = 0
	}
	return fmt.Appendf(dst, "%*ss", width, dissect.AppendSpan(nil, d%minute, digits))
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
