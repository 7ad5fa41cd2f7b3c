// Package moment reads the times that people type to go to a packet.
package moment

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Here is what times are relative to, in nanoseconds since 1970.
type Here struct {
	Selected    int64 // of the selected packet
	Epoch       int64 // that the list's times count from
	First, Last int64 // of the capture
	Zone        *time.Location
}

// forms are the ways of writing a time of day.
var forms = []string{"15:04:05", "15:04"}

// Parse reads a time: of day, with a date before it or not; +1.5s or -200ms from the selected packet; 12.5s from the
// epoch; 1700000000 since 1970. It is in nanoseconds since 1970.
func Parse(text string, h Here) (int64, error) {
	if text == "" {
		return 0, fmt.Errorf(":time takes a time: 12:00:03, +1.5s from here, 12.5s from the first packet")
	}
	if text[0] == '+' || text[0] == '-' {
		span, err := Span(text)
		return h.Selected + int64(span), err
	}
	if span, err := spanOf(text); err == nil {
		if span >= 1e9*1e8 { // seconds since 1970, from 1973 on
			return span, nil
		}
		return h.Epoch + span, nil
	}
	return h.clock(text)
}

// Span reads a span of time with or without a sign: +1.5s, -2h30m, 90 seconds.
func Span(text string) (time.Duration, error) {
	plain := strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-")
	span, err := spanOf(plain)
	if strings.HasPrefix(text, "-") {
		span = -span
	}
	return time.Duration(span), err
}

// spanOf reads a span of time: 1.5s, 200ms, 2m30s, or a number of seconds.
func spanOf(text string) (int64, error) {
	if v, err := strconv.ParseFloat(text, 64); err == nil && v >= 0 && v < 9e9 {
		return int64(v * 1e9), nil
	}
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		return 0, fmt.Errorf("%s is no time; write 12:00:03, +1.5s or 200ms", text)
	}
	return int64(d), nil
}

// clock reads a time of day. Without a date it is the first such time not before the capture's first packet.
func (h Here) clock(text string) (int64, error) {
	first := time.Unix(0, h.First).In(h.Zone)
	for _, form := range forms {
		if t, err := time.ParseInLocation("2006-01-02 "+form, text, h.Zone); err == nil {
			return t.UnixNano(), nil
		}
		t, err := time.ParseInLocation(form, text, h.Zone)
		if err != nil {
			continue
		}
		at := time.Date(first.Year(), first.Month(), first.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), h.Zone)
		if next := at.AddDate(0, 0, 1); at.Before(first.Truncate(time.Second)) && next.UnixNano() <= h.Last {
			at = next
		}
		return at.UnixNano(), nil
	}
	return 0, fmt.Errorf("%s is no time; write 12:00:03, 2026-11-21 12:00:03, or +1.5s from here", text)
}
