package print_test

import (
	"math"
	"testing"
	"time"

	"remora/ui/print"
)

// zone makes the test's local time that of a place with summer time.
func zone(t *testing.T, name string) {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Skip("no time zones here: ", err)
	}
	was := time.Local
	time.Local = loc
	t.Cleanup(func() { time.Local = was })
}

func TestClocks(t *testing.T) {
	zone(t, "Europe/Berlin")
	at := func(s string) int64 {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return v.UnixNano()
	}
	winter, summer := at("2026-03-29T00:59:59.999999999Z"), at("2026-03-29T01:00:00Z")
	for _, c := range []struct {
		form             string
		t, first, before int64
		digits           int
		want             string
	}{
		{"", 1_500_000_000, 0, 0, 6, "1.500000"},
		{"r", winter, winter, 0, 9, "0.000000000"},
		{"r", 1_999_999_999, 0, 0, 6, "1.999999"}, // cut, not rounded
		{"r", 999, 0, 0, 0, "0"},
		{"r", 0, 1_000_000, 0, 6, "-0.001000"},
		{"d", 5, 0, 1_000_000_006, 9, "-1.000000001"},
		{"dd", 86_400_000_000_000, 0, 0, 3, "86400.000"},
		{"e", 1_795_242_622_175_867_169, 0, 0, 9, "1795242622.175867169"},
		{"e", -1, 0, 0, 9, "-0.000000001"},
		{"a", winter, 0, 0, 6, "01:59:59.999999"}, // the last moment of winter time
		{"a", summer, 0, 0, 6, "03:00:00.000000"},
		{"a", summer, 0, 0, 0, "03:00:00"},
		{"u", winter, 0, 0, 9, "00:59:59.999999999"},
		{"ad", at("2025-12-31T23:30:00.5Z"), 0, 0, 1, "2026-01-01 00:30:00.5"},
		{"ud", at("2025-12-31T23:30:00.5Z"), 0, 0, 2, "2025-12-31 23:30:00.50"},
		{"adoy", at("2024-12-31T12:00:00Z"), 0, 0, 3, "2024/366 13:00:00.000"},
		{"udoy", at("2026-01-01T00:00:00Z"), 0, 0, 6, "2026/001 00:00:00.000000"},
		{"r", math.MaxInt64, 0, 0, 9, "9223372036.854775807"},
		{"r", math.MinInt64, 0, 0, 9, "-9223372036.854775808"},
	} {
		clock, err := print.ParseClock(c.form)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(clock.Append(nil, c.t, c.first, c.before, c.digits)); got != c.want {
			t.Errorf("-t %s of %d, first %d, before %d: %s, want %s", c.form, c.t, c.first, c.before, got, c.want)
		}
	}
	for _, c := range print.Clocks {
		if clock, err := print.ParseClock(c[0]); err != nil || clock.Text(winter, winter, winter) == "" {
			t.Errorf("-t %s: %v", c[0], err)
		}
	}
	if _, err := print.ParseClock("x\x1b"); err == nil {
		t.Error("-t x is taken")
	}
}

// TestHours are what tshark writes with -u hms.
func TestHours(t *testing.T) {
	for _, c := range []struct {
		nanoseconds int64
		digits      int
		want        string
	}{
		{0, 6, "0.000000s"}, {75_250_000_000, 3, "1m 15.250s"}, {65_000_000_000, 0, "1m  5s"},
		{3_723_000_001_000, 6, "1h  2m  3.000001s"}, {-1_500_000_000, 1, "- 1.5s"},
	} {
		if got := string(print.Clock{Hours: true}.Append(nil, c.nanoseconds, 0, 0, c.digits)); got != c.want {
			t.Errorf("%d: %q, want %q", c.nanoseconds, got, c.want)
		}
	}
}
