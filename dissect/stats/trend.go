package stats

import (
	"slices"

	"remora/dissect"
)

// A Trend is what was measured again and again: times in nanoseconds, or numbers of a unit.
type Trend struct {
	N         uint64
	Now, Most float64 // a mean of the last values, and the largest
	At        dissect.FrameNum
	Unit      string // "" for times
	Rough     bool   // a time was less than nothing: the clocks that it lies between are not known that well
	sum, n    Timeline
}

// smoothing is how many values Trend.Now is a mean of, roughly.
const smoothing = 8

func (m *Trend) add(at int64, v float64, n dissect.FrameNum, unit string) {
	m.Unit = unit
	if v < 0 {
		m.Rough, v = true, 0
	}
	if m.N++; m.N == 1 {
		m.Now = v
	}
	m.Now += (v - m.Now) / smoothing
	if v >= m.Most {
		m.Most, m.At = v, n
	}
	m.sum.Add(at, uint64(v))
	m.n.Add(at, 1)
}

// Spread are the means in each of w equal spans of time, -1 where there is nothing.
func (m *Trend) Spread(from, to int64, w int) []float64 {
	sums, counts := m.sum.Spread(from, to, w), m.n.Spread(from, to, w)
	for i, n := range counts {
		if sums[i] /= max(n, 1e-9); n < 1e-6 {
			sums[i] = -1
		}
	}
	return sums
}

// Mean is the mean of all values.
func (m *Trend) Mean() float64 {
	sum := uint64(0)
	for _, n := range m.sum.counts {
		sum += n
	}
	return float64(sum) / float64(max(1, m.N))
}

func (m *Trend) copied() Trend {
	c := *m
	c.sum.counts, c.n.counts = slices.Clone(m.sum.counts), slices.Clone(m.n.counts)
	return c
}
