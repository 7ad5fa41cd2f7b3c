package plot

import (
	"math"
	"testing"

	"remora/dissect/stats"
)

// TestRateCurveOfSteadyTraffic: packets at a steady pace draw a level line, however few a point of the picture holds.
func TestRateCurveOfSteadyTraffic(t *testing.T) {
	var line stats.Timeline
	const gap, n = int64(130e6), 480 // 7.7 a second for a minute
	for i := range n {
		line.Add(1e18+int64(i)*gap, 1)
	}
	first, last := int64(1e18), int64(1e18)+(n-1)*gap
	step := Step(last-first, 220, n)
	for x, v := range Rate(line.Spread, step, first, first, last, first, last, 220) {
		if want := 1e9 / float64(gap); math.Abs(v-want) > 0.2*want {
			t.Errorf("point %d: %.2f a second, want %.2f", x, v, want)
		}
	}
}

// TestRateCurveStaysAsItGrows: what was drawn of the past does not change when packets come behind it.
func TestRateCurveStaysAsItGrows(t *testing.T) {
	var line stats.Timeline
	for i := range 300 {
		line.Add(int64(i*i)*1e6, 1)
	}
	draw := func(last int64) []float64 { return Rate(line.Spread, 2e9, 0, 0, last, 0, 20e9, 40) }
	before := draw(60e9)
	for i := range 50 {
		line.Add(int64(90e9)+int64(i)*1e8, 1)
	}
	for x, v := range draw(95e9) {
		if math.Abs(v-before[x]) > 1e-9 {
			t.Errorf("point %d changed from %f to %f", x, before[x], v)
		}
	}
	if got := Rate(line.Spread, 1e9, 0, 0, 0, 0, 1, 10); len(got) != 10 {
		t.Errorf("%v", got)
	}
}

func TestRateStepIsRound(t *testing.T) {
	for _, c := range []struct {
		span    int64
		points  int
		packets float64
		want    int64
	}{{60e9, 220, 1e6, 500e6}, {60e9, 220, 300, 1e9}, {60e9, 220, 10, 5e9}, {0, 220, 0, 1}, {1e9, 220, 1e6, 5e6}} {
		if got := Step(c.span, c.points, c.packets); got != c.want && !(c.span == 0 && got > 0) {
			t.Errorf("%v: %d, want %d", c, got, c.want)
		}
	}
}
