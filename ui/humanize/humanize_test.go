package humanize

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestGroup(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1 000", 123456: "123 456", 1234567: "1 234 567",
		-5: "-5", -123: "-123", -1234: "-1 234", -123456: "-123 456"} {
		if got := Group(n); got != want {
			t.Errorf("Group(%d) is %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 packets", 1: "1 packet", 1200: "1 200 packets"} {
		if got := Packets(n); got != want {
			t.Errorf("Packets(%d) is %q, want %q", n, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 1.25: "1.2", 99.9: "99.9", 123.4: "123", 9999: "9999", 10000: "10.0k", 123456: "123.5k",
		999_949: "999.9k", 999_950: "1.0M", 999_999: "1.0M",
		1.5e6: "1.5M", 999_999_999: "1.0G", 1e12: "1.0T", 3e15: "3e+15", 0.5: "0.5", 0.0012: "0.0012", 0.00012: "1e-04",
		-2: "-2", -12345: "-12.3k",
		math.Inf(1): "+Inf", math.Inf(-1): "-Inf",
	} {
		if got := Short(v); got != want {
			t.Errorf("Short(%g) is %q, want %q", v, got, want)
		}
	}
	if got := Short(math.NaN()); got != "NaN" {
		t.Errorf("no number is %q", got)
	}
}

// TestShortIsShort goes through all sizes of numbers, near the steps above all.
func TestShortIsShort(t *testing.T) {
	for e := -300; e < 300; e++ {
		for _, digits := range []float64{1, 1.06, 3.333333, 9.4999, 9.95, 9.9949, 9.9951, 9.99949, 9.99951, 9.9999999} {
			v := digits * math.Pow10(e)
			if got := Short(v); utf8.RuneCountInString(got) > 6 {
				t.Errorf("Short(%g) is %q, more than six cells", v, got)
			}
			if got := Short(-v); utf8.RuneCountInString(got) > 7 {
				t.Errorf("Short(%g) is %q, more than six cells and the sign", -v, got)
			}
		}
	}
}

func TestDuration(t *testing.T) {
	for s, want := range map[float64]string{0: "0.0 ms", 0.0994: "99.4 ms", 0.0995: "0.1 s", 1.25: "1.2 s",
		599.9: "599.9 s", 600: "0:10:00", 3599.6: "1:00:00", 3661: "1:01:01", 360000: "100:00:00"} {
		if got := Duration(s); got != want {
			t.Errorf("Duration(%g) is %q, want %q", s, got, want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range [][2]string{
		{Bits(0), "0 b/s"}, {Bits(999.4), "999 b/s"}, {Bits(999.6), "1.0 kb/s"}, {Bits(1500), "1.5 kb/s"},
		{Bits(999_700), "1.0 Mb/s"}, {Bits(123.4e6), "123 Mb/s"},
		{Bits(5e18), "5000000 Tb/s"}, {Bytes(0), "0 B"}, {Bytes(1023), "1023 B"}, {Bytes(1024), "1.0 KiB"},
		{Bytes(1<<20 - 1), "1.0 MiB"}, {Bytes(1 << 40), "1.0 TiB"},
		{Percent(1, 0), ""}, {Percent(0, 7), "0.0"}, {Percent(1, 3), "33.3"},
		{Percent(math.MaxUint64, math.MaxUint64), "100.0"}, {Two(0), "00"}, {Two(9), "09"}, {Two(100), "100"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
	if got := Bits(math.NaN()); !strings.HasSuffix(got, " b/s") {
		t.Errorf("no number is %q", got)
	}
}

// TestAligned: the decimal points of all numbers that have few digits stand below each other.
func TestAligned(t *testing.T) {
	for v, want := range map[float64]string{0: "0   ", 0.001: "<0.01", 0.0059: "0.01", 0.64: "0.64", 1: "1   ",
		6.123: "6.12",
		9.996: "10.0 ", 13.84: "13.8 ", 99.96: "100   ", 109.2: "109   ", 9999.4: "9999   ",
		12345: "12.3k"} {
		if got := Aligned(v); got != want {
			t.Errorf("%v is %q, not %q", v, got, want)
		} else if len(got) > 7 {
			t.Errorf("%v needs %d cells", v, len(got))
		}
	}
}
