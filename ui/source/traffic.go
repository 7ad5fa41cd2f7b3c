package source

import (
	"time"

	"remora/capture/live"
)

// Counters are read so often, and so many readings are kept: a minute's.
const (
	ReadEvery    = 500 * time.Millisecond
	readingsKept = int(time.Minute / ReadEvery)
)

// Traffic is what passed on the interfaces in the last minute, as the system counts it.
type Traffic struct {
	last map[string]live.Counters
	of   map[string]*minute
	n    int // readings taken so far, of all
}

// A minute is what one interface passed between readings, newest last.
type minute struct {
	bytes, packets []float64
}

// Take takes the next reading.
func (t *Traffic) Take(counts map[string]live.Counters) {
	if t.of == nil {
		t.of = map[string]*minute{}
	}
	for name, now := range counts {
		was, known := t.last[name]
		m := t.of[name]
		if m == nil {
			m = &minute{}
			t.of[name] = m
		}
		if known {
			m.bytes = keep(m.bytes, increase(now.RxBytes+now.TxBytes, was.RxBytes+was.TxBytes))
			m.packets = keep(m.packets, increase(now.RxPackets+now.TxPackets, was.RxPackets+was.TxPackets))
		}
	}
	for name := range t.of {
		if _, there := counts[name]; !there { // one that comes again begins anew
			delete(t.of, name)
		}
	}
	t.last = counts
	t.n++
}

// increase is how much a counter grew; one that was set back counts from zero.
func increase(now, was uint64) float64 {
	if now < was {
		return float64(now)
	}
	return float64(now - was)
}

func keep(list []float64, v float64) []float64 {
	list = append(list, v)
	return list[max(0, len(list)-readingsKept):]
}

// Bars are the bytes between readings in the last minute, as at most w means of as many each, newest last. A bar stays
// what it is while it moves to the left: which readings belong together follows from when they were taken.
func (t *Traffic) Bars(name string, w int) []float64 {
	m := t.of[name]
	if m == nil || len(m.bytes) == 0 || w <= 0 {
		return nil
	}
	each := (readingsKept + w - 1) / w
	first := t.n - len(m.bytes) // the number of the oldest reading
	var out []float64
	n := 0.0 // readings in the last bar
	for i, v := range m.bytes {
		if i == 0 || (first+i)%each == 0 {
			out, n = append(out, 0), 0
		}
		n++
		out[len(out)-1] += (v - out[len(out)-1]) / n
	}
	return out[max(0, len(out)-readingsKept/each):]
}

// BarsIn is how many bars a minute takes where there is room for w.
func BarsIn(w int) int {
	if w <= 0 {
		return 0
	}
	return readingsKept / ((readingsKept + w - 1) / w)
}

// Bits is how many bits passed a second, over the last second.
func (t *Traffic) Bits(name string) (rate float64, known bool) {
	m := t.of[name]
	if m == nil || len(m.bytes) == 0 {
		return 0, false
	}
	const over = int(time.Second / ReadEvery)
	last := m.bytes[max(0, len(m.bytes)-over):]
	sum := 0.0
	for _, v := range last {
		sum += v
	}
	return sum * 8 / (float64(len(last)) * ReadEvery.Seconds()), true
}

// Packets is how many packets passed in the last minute, or since the counters are read.
func (t *Traffic) Packets(name string) (n int, known bool) {
	m := t.of[name]
	if m == nil || len(m.packets) == 0 {
		return 0, false
	}
	for _, v := range m.packets {
		n += int(v)
	}
	return n, true
}

// Moves tells whether something passed of late.
func (t *Traffic) Moves(name string) bool {
	m := t.of[name]
	if m == nil {
		return false
	}
	for _, v := range m.bytes[max(0, len(m.bytes)-6):] {
		if v > 0 {
			return true
		}
	}
	return false
}
