package ui

import (
	"slices"
	"testing"
)

func TestAxisStandsAtRoundValues(t *testing.T) {
	for _, c := range []struct {
		top  float64
		h    int
		want []string
	}{{2000, 30, []string{"2000", "1500", "1000", "500", "0"}}, {1500, 20, []string{"1500", "1000", "500", "0"}}, {400, 8, []string{"400", "200", "0"}}, {5, 30, []string{"5", "4", "3", "2", "1", "0"}}, {400, 3, []string{"400", "0"}}} {
		labels := axisLabels(c.top, c.h)
		var got []string
		for i := range c.h {
			if text, ok := labels[i]; ok {
				got = append(got, text)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("up to %v in %d lines: %q, want %q", c.top, c.h, got, c.want)
		}
	}
}

func TestTimesOfAnAxisAreRound(t *testing.T) {
	for _, c := range []struct {
		least, step, at float64
		want            string
	}{{8.3, 10, 0, "0 s"}, {8.3, 10, 20, "20 s"}, {11, 20, 40, "40 s"}, {0.013, 0.02, 0.04, "40 ms"}, {0.3, 0.5, 1.5, "1.5 s"}, {130, 300, 900, "0:15:00"}, {90000, 172800, 172800, "48:00:00"}, {1e-5, 1e-5, 3e-5, "0.03 ms"}} {
		step := timeStep(c.least)
		if d := step - c.step; d > 1e-9 || d < -1e-9 {
			t.Errorf("steps of at least %v are %v, want %v", c.least, step, c.step)
		}
		if got := timeLabel(c.at, step); got != c.want {
			t.Errorf("%v s is %q, want %q", c.at, got, c.want)
		}
	}
}

func TestPropertiesAreWrittenToBeRead(t *testing.T) {
	for in, want := range map[string]string{"5177400 bytes": "5 177 400 bytes", "621, 137478 bytes": "621, 137 478 bytes", "57683.92 bytes/s": "57 683.92 bytes/s", "2026-11-21 10:34:00.905497046": "2026-11-21 10:34:00.905497046",
		"0521581a8f502701bee531b9": "0521581a8f502701bee531b9", "62.191454511 seconds": "62.191454511 seconds", "12345": "12 345", "by 12345": "by 12 345"} {
		if got := groupNumbers(in); got != want {
			t.Errorf("%q is written %q, want %q", in, got, want)
		}
	}
	if got := breakText("0123456789abcdef", 10); !slices.Equal(got, []string{"0123456789", "abcdef"}) {
		t.Errorf("a long word breaks into %q", got)
	}
}
