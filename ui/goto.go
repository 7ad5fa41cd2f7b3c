package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// clockForms are the ways of writing a time of day, with a date or without one.
var clockForms = []string{"15:04:05", "15:04"}

// timeCommand goes to the packet shown at a time: of day, with a date before it or not; +1.5s or -200ms from the
// selected packet; 12.5s from the first one; 1700000000 since 1970.
func (m *model) timeCommand(text string) {
	if m.packets.Store.Len() == 0 {
		return
	}
	at, err := m.timeMeant(text)
	if err != nil {
		m.notice = err.Error()
		return
	}
	m.ribbon.GoToTime(at)
}

func (m *model) timeMeant(text string) (int64, error) {
	if text == "" {
		return 0, fmt.Errorf(":time takes a time: 12:00:03, +1.5s from here, 12.5s from the first packet")
	}
	if text[0] == '+' || text[0] == '-' {
		span, err := spanOf(text[1:])
		if text[0] == '-' {
			span = -span
		}
		return m.packets.Store.Time(max(0, int(m.selected.Frame)-1)) + span, err
	}
	if span, err := spanOf(text); err == nil {
		if span >= 1e9*1e8 { // seconds since 1970, from 1973 on
			return span, nil
		}
		return m.packets.Epoch() + span, nil
	}
	return m.clockMeant(text)
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

// clockMeant reads a time of day, in the zone that the list shows. Without a date it is the first such time not before
// the capture's first packet.
func (m *model) clockMeant(text string) (int64, error) {
	zone := time.Local
	if strings.HasPrefix(m.list.Clock, "u") {
		zone = time.UTC
	}
	first := time.Unix(0, m.packets.Store.Time(0)).In(zone)
	for _, form := range clockForms {
		if t, err := time.ParseInLocation("2006-01-02 "+form, text, zone); err == nil {
			return t.UnixNano(), nil
		}
		if t, err := time.ParseInLocation(form, text, zone); err == nil {
			at := time.Date(first.Year(), first.Month(), first.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
			if last := m.packets.Store.Time(m.packets.Store.Len() - 1); at.Before(first.Truncate(time.Second)) &&
				at.AddDate(0, 0, 1).UnixNano() <= last {
				at = at.AddDate(0, 0, 1)
			}
			return at.UnixNano(), nil
		}
	}
	return 0, fmt.Errorf("%s is no time; write 12:00:03, 2026-11-21 12:00:03, or +1.5s from here", text)
}
