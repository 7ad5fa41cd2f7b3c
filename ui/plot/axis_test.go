package plot

import (
	"slices"
	"testing"
)

func TestAxisStandsAtRoundValues(t *testing.T) {
	for _, c := range []struct {
		top  float64
		h    int
		want []string
	}{{2000, 30, []string{"2000", "1500", "1000", "500", "0"}}, {1500, 20, []string{"1500", "1000", "500", "0"}},
		{400, 8, []string{"400", "200", "0"}}, {5, 30, []string{"5", "4", "3", "2", "1", "0"}},
		{400, 3, []string{"400", "0"}}} {
		labels := Labels(c.top, c.h)
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
	}{{8.3, 10, 0, "0 s"}, {8.3, 10, 20, "20 s"}, {11, 20, 40, "40 s"}, {0.013, 0.02, 0.04, "40 ms"},
		{0.3, 0.5, 1.5, "1.5 s"}, {130, 300, 900, "0:15:00"}, {90000, 172800, 172800, "2 d"},
		{9e6, 105 * 86400, 1050 * 86400, "1050 d"},
		{1e-5, 1e-5, 3e-5, "0.03 ms"}} {
		step := TimeStep(c.least)
		if d := step - c.step; d > 1e-9 || d < -1e-9 {
			t.Errorf("steps of at least %v are %v, want %v", c.least, step, c.step)
		}
		if got := TimeLabel(c.at, step); got != c.want {
			t.Errorf("%v s is %q, want %q", c.at, got, c.want)
		}
	}
}
