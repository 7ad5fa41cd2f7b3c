package websocket

import "testing"

// Windows of connections that nobody uses any more go when there are too many, those in use stay.
func TestCrowd(t *testing.T) {
	var c crowd
	busy := &window{text: []byte("busy")}
	c.add(busy)
	var all []*window
	for range 3 * maxWindows {
		w := &window{text: []byte("text")}
		all = append(all, w)
		busy.used = true
		c.add(w)
	}
	held := 0
	for _, w := range all {
		if w.lost != (w.text == nil) {
			t.Fatal("a window is lost and holds bytes, or the other way round")
		}
		if !w.lost {
			held++
		}
	}
	if busy.lost || held >= maxWindows || len(c.windows) > maxWindows {
		t.Errorf("the busy window is lost (%v), or %d others are held", busy.lost, held)
	}
}

// What the first pass unpacks beyond measure is bounded over all connections.
func TestPays(t *testing.T) {
	var c crowd
	n := 0
	for c.pays(54, 32<<10) {
		if n++; n > maxSpent/(16<<10) {
			t.Fatal("there is no bound")
		}
	}
	if !c.pays(1000, 5000) {
		t.Error("messages that unfold to a usual length suffer, too")
	}
}

// TestLooksStayCheap counts what a look at any message of a connection has to unpack: a window that messages unfold too
// far behind is given up, and usual talk keeps its window for ever, at the cost of a few bytes for each that came.
func TestLooksStayCheap(t *testing.T) {
	const window32 = 32 << 10
	for _, c := range []struct {
		what          string
		packed, plain int
		lost          bool
	}{
		{"chat", 60, 90, false}, {"rows", 400, 8 << 10, false}, {"a page that hardly changes", 300, 60 << 10, false},
		{"pictures", 200 << 10, 210 << 10, false},
		{"a list that never ends", 90 << 10, 5 << 20, false}, {"zeros", 70, 64 << 10, true},
		{"nothing but zeros", 1100, 1 << 20, true},
	} {
		w := window{text: make([]byte, window32)}
		came, held := 0, 0
		for range 20_000 {
			if w.due() {
				w.renew()
				held += window32
			}
			if w.plain > mostPlain {
				t.Fatalf("%s: a look unpacks %d bytes of earlier messages", c.what, w.plain)
			}
			came += c.packed
			if !w.count(c.packed, c.plain) {
				w.lose()
				break
			}
		}
		if w.lost != c.lost || held > keptRatio*came {
			t.Errorf("%s: the window is lost: %v; %d bytes are kept of %d", c.what, w.lost, held, came)
		}
	}
}
