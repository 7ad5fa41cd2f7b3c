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
