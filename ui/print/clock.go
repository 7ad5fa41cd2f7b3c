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
	return Clock{}, fmt.Errorf("-t %s: the time formats are a, ad, adoy, d, dd, e, r, u, ud and udoy", dissect.Escape(word))
}

// Text writes the time of a packet, given that of the capture's first packet and of the one before.
func (c Clock) Text(t, first, before int64) string {
	switch c.form {
	case "a":
		return time.Unix(0, t).Format("15:04:05.000000")
	case "ad":
		return time.Unix(0, t).Format("2006-01-02 15:04:05.000000")
	case "adoy":
		return time.Unix(0, t).Format("2006/002 15:04:05.000000")
	case "u":
		return time.Unix(0, t).UTC().Format("15:04:05.000000")
	case "ud":
		return time.Unix(0, t).UTC().Format("2006-01-02 15:04:05.000000")
	case "udoy":
		return time.Unix(0, t).UTC().Format("2006/002 15:04:05.000000")
	case "d", "dd":
		return seconds(t - before)
	case "e":
		return seconds(t)
	}
	return seconds(t - first)
}

// seconds writes nanoseconds as seconds with six decimals, cut as tshark cuts them.
func seconds(ns int64) string {
	text := dissect.SpanText(ns)
	return text[:len(text)-3]
}
