package stats

import "math"

// bins is how many parts a timeline has at most. Folding halves them, so at least half of that is in use once it is
// full.
const bins = 1024

// firstStep is the width of a part at the start, in nanoseconds.
const firstStep = int64(1e6)

// A Timeline counts what happens over time in parts of equal width. When it runs out of parts, neighbours are joined:
// it never takes more room, and never forgets.
type Timeline struct {
	origin, step int64 // nanoseconds since 1970; width of a part
	last         int64 // where the newest part ends so far
	counts       []uint64

	from, to int64 // the part counted last, where most come: found without a division
	part     int
}

// Add counts n more at a time in nanoseconds since 1970. What comes before the first is counted with the first.
func (t *Timeline) Add(at int64, n uint64) {
	if at >= t.from && at < t.to {
		t.counts[t.part] += n
		t.last = max(t.last, at+1)
		return
	}
	if t.step == 0 {
		t.origin, t.step = at, firstStep
	}
	i := max(0, at-t.origin) / t.step
	for i >= bins {
		t.fold()
		i = max(0, at-t.origin) / t.step
	}
	for int64(len(t.counts)) <= i {
		t.counts = append(t.counts, 0)
	}
	t.counts[i] += n
	t.last = max(t.last, at+1)
	t.part, t.from = int(i), t.origin+i*t.step
	t.to = t.from + t.step
}

// fold joins neighbours.
func (t *Timeline) fold() {
	half := (len(t.counts) + 1) / 2
	for i := range half {
		sum := t.counts[2*i]
		if 2*i+1 < len(t.counts) {
			sum += t.counts[2*i+1]
		}
		t.counts[i] = sum
	}
	t.counts, t.step = t.counts[:half], t.step*2
	t.from, t.to = 0, 0
}

// Spread is how much happened in each of w equal spans from one time to another. A part that lies across a border is
// shared out; what the spans hold together is what the parts hold.
func (t *Timeline) Spread(from, to int64, w int) []float64 {
	out := make([]float64, w)
	t.spreadInto(out, from, to)
	return out
}

func (t *Timeline) spreadInto(out []float64, from, to int64) {
	if w := len(out); w > 0 && t.step > 0 && to > from {
		width := float64(to-from) / float64(w)
		for i, n := range t.counts {
			if n > 0 {
				begin := t.origin + int64(i)*t.step
				share(out, float64(begin-from)/width, float64(min(t.step, max(1, t.last-begin)))/width, float64(n))
			}
		}
	}
}

// share puts n into the spans from at on, over a length; both are in spans.
func share(out []float64, at, length, n float64) {
	if at >= float64(len(out)) || at+length <= 0 {
		return // and may be too far away for a number of spans
	}
	end := math.Min(at+length, float64(len(out)))
	for i := int(max(0, math.Floor(at))); float64(i) < end; i++ {
		out[i] += n * (math.Min(end, float64(i+1)) - math.Max(at, float64(i))) / length
	}
}
