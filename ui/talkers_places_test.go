package ui

import (
	"testing"

	"remora/dissect/stats"
)

// TestLinesKeepTheirPlaces: what was there stands as it did, what is new behind it, and a list that was never seen as it comes.
func TestLinesKeepTheirPlaces(t *testing.T) {
	port := func(list ...uint16) (out []stats.PortCount) {
		for _, p := range list {
			out = append(out, stats.PortCount{Port: p})
		}
		return out
	}
	for _, c := range []struct{ list, was, want []uint16 }{{[]uint16{5, 9, 1, 7}, []uint16{1, 5}, []uint16{1, 5, 9, 7}}, {[]uint16{2, 1}, nil, []uint16{2, 1}}, {[]uint16{2, 1}, []uint16{8, 1}, []uint16{1, 2}}} {
		got := inPlaces(port(c.list...), port(c.was...), portKey)
		for i := range got {
			if got[i].Port != c.want[i] {
				t.Errorf("%v after %v: place %d has %d, want %v", c.list, c.was, i, got[i].Port, c.want)
			}
		}
	}
}

// TestTheCursorStaysOnItsLine when others come before it.
func TestTheCursorStaysOnItsLine(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("gc<tab>j")
	v := x.m.views[tabTalkers].(*talkersView)
	key := v.keyAt(1)
	v.talks[0], v.talks[1] = v.talks[1], v.talks[0]
	v.backTo(key)
	if at := v.tables[partTalks].cur; at != 0 || key == nil {
		t.Errorf("the cursor is on line %d", at)
	}
}
