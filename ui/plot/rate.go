package plot

import "math"

// A Source counts what there was in each of w equal spans from one time to another, in nanoseconds since 1970.
type Source func(from, to int64, w int) []float64

// Of an interval that a curve counts: how many there are at least over a picture, and how many packets it holds on
// average when there are enough. Counting shorter ones would draw how packets fall into intervals rather than how many
// there are.
const (
	leastIntervals = 24
	wantedPerStep  = 5
)

// Step is the interval that a curve of some packets in a span is counted by: a round number of nanoseconds, no shorter
// than a point of the picture.
func Step(span int64, points int, packets float64) int64 {
	step := float64(span) / float64(max(1, points))
	if packets > 0 {
		step = max(step, float64(span)*wantedPerStep/packets)
	}
	return max(1, int64(TimeStep(min(step, float64(span)/leastIntervals)/1e9)*1e9))
}

// Rate is how much there was a second, at points that lie evenly from one time to another. It is counted by intervals
// that begin at round times since the origin, so that a curve stays as it is while more comes behind it; between their
// middles it is a straight line. First and last are the times between which something is known.
func Rate(of Source, step, origin, first, last, from, to int64, points int) []float64 {
	begin := from - mod(from-origin, step)
	n := int((to-begin)/step) + 1
	rates := of(begin, begin+int64(n)*step, n)
	for i := range rates {
		at := begin + int64(i)*step
		known := min(at+step, last+1) - max(at, first)
		if known < step/3 && i > 0 { // too short a piece to say how fast it goes on
			rates[i] = rates[i-1]
			continue
		}
		rates[i] /= float64(max(1, known)) / 1e9
	}
	out := make([]float64, points)
	for x := range out {
		t := float64(from-begin) + (float64(x)+0.5)*float64(to-from)/float64(points)
		pos := t/float64(step) - 0.5
		i := int(math.Floor(pos))
		a, b := min(max(i, 0), n-1), min(max(i+1, 0), n-1)
		out[x] = rates[a] + (rates[b]-rates[a])*clampShare(pos-float64(i))
	}
	return out
}

func clampShare(v float64) float64 { return min(1, max(0, v)) }

func mod(a, b int64) int64 { return ((a % b) + b) % b }

// StepText names the interval that a curve is counted by.
func StepText(step int64) string { return "by " + TimeLabel(float64(step)/1e9, float64(step)/1e9) }
