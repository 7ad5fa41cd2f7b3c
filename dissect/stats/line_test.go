package stats

import "testing"

// TestLineFolds keeps every packet in a line however long it gets, and tells early ones from late ones.
func TestLineFolds(t *testing.T) {
	table := &Table{rows: []Conversation{{}}}
	const packets, gap, from = 5000, int64(7e6), int64(1e18)
	for i := range int64(packets) {
		at := from + i*gap
		if i >= packets/2 {
			at += packets * gap // a pause as long as both halves
		}
		table.addToLine(0, at)
		table.rows[0].add(0, at, 60)
		conv := table.rows[0]
		sum := 0.0
		if i%499 == 0 || i < 8 {
			for _, n := range table.SpreadOf(&conv, conv.First, conv.Last+1, 10) {
				sum += n
			}
			if want := float64(i + 1); sum < want-0.01 || sum > want+0.01 {
				t.Fatalf("after %d packets the line has %v", i+1, sum)
			}
		}
	}
	conv := table.rows[0]
	got := table.SpreadOf(&conv, conv.First, conv.Last+1, 4)
	if got[0] < 2000 || got[3] < 2000 || got[1]+got[2] > 700 {
		t.Errorf("halves with a pause between are drawn as %v", got)
	}
}

// TestTrendHasNoTimeBelowNothing: what lies between two clocks may come out negative, and is then said to be rough.
func TestTrendHasNoTimeBelowNothing(t *testing.T) {
	var m Trend
	m.add(0, 2e6, 1, "")
	if m.Rough {
		t.Error("a time of 2 ms is rough")
	}
	for n := range 100 {
		m.add(int64(n)*1e6, -6e6, 2, "")
	}
	if m.Now < 0 || !m.Rough || m.Most != 2e6 || m.At != 1 {
		t.Errorf("now %v, most %v at %d, rough %v", m.Now, m.Most, m.At, m.Rough)
	}
}
