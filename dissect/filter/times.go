package filter

import (
	"strconv"
	"strings"
	"time"
)

// dateForms are the dates that are understood, with what may stand behind the whole second left to parseTime.
var dateForms = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "Jan _2, 2006 15:04:05", "Jan 2, 2006 15:04:05",
	"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02 15", "2006-01-02"}

// zones are the names of time zones that are understood, in hours from Greenwich: those of RFC 5322, its military
// letters as RFC 822 meant them.
var zones = map[string]float64{"UTC": 0, "GMT": 0, "UT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
	"MDT": -6, "PST": -8, "PDT": -7,
	"A": 1, "B": 2, "C": 3, "D": 4, "E": 5, "F": 6, "G": 7, "H": 8, "I": 9, "K": 10, "L": 11, "M": 12,
	"N": -1, "O": -2, "P": -3, "Q": -4, "R": -5, "S": -6, "T": -7, "U": -8, "V": -9, "W": -10, "X": -11, "Y": -12, "Z": 0}

const timeHint = `as in "2024-02-29 12:00:00" or "Feb 29, 2024 12:00:00.5 UTC"`

// time reads a point in time. Without a zone the local one is meant.
func (c *checker) time(e *Expr) ([]value, error) {
	zone := c.opt.Zone
	if zone == nil {
		zone = time.Local
	}
	t, ok := parseTime(strings.TrimSpace(e.Text), zone)
	if !ok || e.Op == OpChar {
		return nil, c.fail(e, timeHint, "%q is no date and time", e.Text)
	}
	return one64(uint64(t.UnixNano()), classTime), nil
}

func parseTime(s string, local *time.Location) (time.Time, bool) {
	if ns, ok := parseSpanText(s); ok && !strings.HasPrefix(s, "-") {
		return time.Unix(0, ns), inReach(time.Unix(0, ns))
	}
	for _, form := range dateForms {
		for _, n := range []int{len(form), len(form) - 1, len(form) + 1} { // a day or an hour may have one digit
			if n > len(s) || n < 1 {
				continue
			}
			t, err := time.Parse(form, s[:n])
			if err != nil {
				continue
			}
			if t, ok := finish(t, s[n:], strings.HasSuffix(form, ":05"), local); ok {
				return t, inReach(t)
			}
		}
	}
	return time.Time{}, false
}

// inReach tells whether a time can be counted in nanoseconds since 1970.
func inReach(t time.Time) bool { return t.Year() > 1677 && t.Year() < 2262 }

// finish reads the fraction of a second and the zone behind a date.
func finish(t time.Time, rest string, seconds bool, local *time.Location) (time.Time, bool) {
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		n := run(fraction, len(fraction), isDigit)
		ns, fits := nanoseconds(fraction[:n])
		if !seconds || n == 0 || !fits {
			return t, false
		}
		t, rest = t.Add(time.Duration(ns)), fraction[n:]
	}
	zone := local
	if rest != "" {
		name, spaced := strings.CutPrefix(rest, " ")
		offset, ok := zones[name]
		if !ok || !spaced && name != "Z" {
			if offset, ok = zoneOffset(name); !ok {
				return t, false
			}
		}
		zone = time.FixedZone("", int(offset*3600))
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone), true
}

// zoneOffset reads +hh:mm or +hhmm, in hours.
func zoneOffset(s string) (float64, bool) {
	if len(s) < 5 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	digits := s[1:]
	if len(digits) == 5 && digits[2] == ':' {
		digits = digits[:2] + digits[3:]
	}
	v, err := strconv.ParseUint(digits, 10, 16)
	if len(digits) != 4 || err != nil || v%100 > 59 || v/100 > 23 {
		return 0, false
	}
	hours := float64(v/100) + float64(v%100)/60
	if s[0] == '-' {
		hours = -hours
	}
	return hours, true
}

// nanoseconds reads the decimals of a second. More than nine that count are refused.
func nanoseconds(decimals string) (int64, bool) {
	decimals = strings.TrimRight(decimals, "0")
	if len(decimals) > 9 {
		return 0, false
	}
	ns, err := strconv.ParseInt((decimals + "000000000")[:9], 10, 64)
	return ns, err == nil
}

// parseSpanText reads seconds with decimals and an optional minus, in nanoseconds.
func parseSpanText(s string) (int64, bool) {
	s, negative := strings.CutPrefix(s, "-")
	whole, fraction, dotted := strings.Cut(s, ".")
	if len(whole) > 10 || run(whole, len(whole), isDigit) != len(whole) ||
		run(fraction, len(fraction), isDigit) != len(fraction) ||
		whole == "" || dotted && fraction == "" {
		return 0, false
	}
	seconds, err := strconv.ParseInt(whole, 10, 64)
	ns, ok := nanoseconds(fraction)
	if err != nil || !ok || seconds > 9_000_000_000 {
		return 0, false
	}
	ns += seconds * 1e9
	if negative {
		ns = -ns
	}
	return ns, true
}

// seconds reads a time span: seconds with up to nine decimals.
func (c *checker) seconds(e *Expr) ([]value, error) {
	ns, ok := parseSpanText(e.Text)
	if !ok || e.Op == OpString || e.Op == OpChar {
		return nil, c.fail(e, "as in 0.025", "%q is not a number of seconds", e.Text)
	}
	return one64(uint64(ns), classSpan), nil
}
