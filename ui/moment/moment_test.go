package moment

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	day := time.Date(2026, 11, 21, 23, 59, 50, 0, time.UTC)
	h := Here{Selected: day.Add(2 * time.Second).UnixNano(), Epoch: day.Add(time.Second).UnixNano(), First: day.UnixNano(),
		Last: day.Add(time.Minute).UnixNano(), Zone: time.UTC}
	for text, want := range map[string]time.Time{
		"23:59:55": day.Add(5 * time.Second), "00:00:05": day.Add(15 * time.Second),
		"12:00":            day.Add(-11*time.Hour - 59*time.Minute - 50*time.Second),
		"2026-11-21 23:59": day.Add(-50 * time.Second), "+1.5s": day.Add(3500 * time.Millisecond), "-2": day,
		"2m30s": day.Add(151 * time.Second),
		"0.5":   day.Add(1500 * time.Millisecond), "1700000000": time.Unix(1700000000, 0),
	} {
		if got, err := Parse(text, h); err != nil || got != want.UnixNano() {
			t.Errorf("%s is %s (%v), want %s", text, time.Unix(0, got).UTC(), err, want)
		}
	}
	for _, text := range []string{"", "noon", "+", "25:00:00", "-x"} {
		if _, err := Parse(text, h); err == nil {
			t.Errorf("%q is a time", text)
		}
	}
}
