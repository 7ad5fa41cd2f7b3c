package stats

import "remora/dissect"

// lineParts is how many parts a conversation's line has.
const lineParts = 24

// A line counts a conversation's packets over its time, roughly: a small Timeline, as there may be a million of them.
type line struct {
	origin, step int64 // nanoseconds since 1970; width of a part
	counts       [lineParts]uint32
}

// lineFrom is the packet of a conversation from which on it has a line: most that are many are short.
const lineFrom = 3

// add counts a packet; what comes before the first is counted with the first.
func (l *line) add(at int64) {
	i := max(0, at-l.origin) / l.step
	for i >= lineParts {
		for k := range lineParts / 2 {
			l.counts[k] = l.counts[2*k] + l.counts[2*k+1]
		}
		clear(l.counts[lineParts/2:])
		l.step *= 2
		i = max(0, at-l.origin) / l.step
	}
	l.counts[i]++
}

// addToLine counts a packet of a conversation into its line, t as it was before.
func (t *Table) addToLine(row int, at int64) {
	conv := &t.rows[row]
	for len(t.lines) < len(t.rows) {
		t.lines = append(t.lines, nil)
	}
	if l := t.lines[row]; l != nil {
		l.add(at)
		return
	}
	if conv.Both().Packets+1 < lineFrom {
		return
	}
	l := &line{origin: conv.First, step: firstStep}
	l.add(conv.First)
	l.add(conv.Last)
	l.add(at)
	t.lines[row] = l
}

// SpreadOf is how many packets of a conversation there were in each of w equal spans from one time to another.
func (t *Table) SpreadOf(conv *Conversation, from, to int64, w int) []float64 {
	t.lockToRead()
	defer t.mu.Unlock()
	out := make([]float64, w)
	if w == 0 || to <= from {
		return out
	}
	width := float64(to-from) / float64(w)
	put := func(at, length int64, n float64) {
		share(out, float64(at-from)/width, float64(max(1, length))/width, n)
	}
	// the last: rows have moved since
	if conv.row >= len(t.lines) || t.lines[conv.row] == nil || t.rows[conv.row].A != conv.A ||
		t.rows[conv.row].B != conv.B {
		put(conv.First, 1, 1)
		if conv.Both().Packets > 1 {
			put(conv.Last, 1, 1)
		}
		return out
	}
	l := t.lines[conv.row]
	for i, n := range l.counts {
		if n > 0 {
			begin := l.origin + int64(i)*l.step
			put(begin, min(l.step, max(1, t.rows[conv.row].Last+1-begin)), float64(n))
		}
	}
	return out
}

// RoundTrip is how many nanoseconds a round trip takes, as the opening of a TCP connection tells it; 0 when nothing
// does.
func (t *Conversation) RoundTrip() int64 {
	if t.Conv == nil {
		return 0
	}
	return t.Conv.Fact(dissect.FactRoundTrip)
}
