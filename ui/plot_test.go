package ui

import (
	"strings"
	"testing"

	"remora/dissect"
)

// TestPlotsSeveralFields adds a curve for another field of the tree, moves list and cursor together, and takes curves away.
func TestPlotsSeveralFields(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3G<tab>jjP")
	x.has("touhou.input.frame = 0", "40 values, 0 … 39", "GAME_INPUT") // the list stands above
	x.keys("q:plot udp.length,ip.ttl<enter>")
	v := x.m.over.(*plotView)
	if len(v.curves) != 3 || v.chosen != 2 {
		t.Fatalf("%d curves, chosen %d", len(v.curves), v.chosen)
	}
	x.has("udp.length = ", "ip.ttl = 64", "82 values, 64 … 64")
	x.keys("<tab>ll") // the first curve: two values further
	if x.m.cur != 7 {
		t.Errorf("two values on is packet %d", x.m.cur)
	}
	x.has("touhou.input.frame = 2")
	x.keys("j") // a packet that has none
	x.has("no value; the last one is in packet 7")
	if x.m.cur != 8 {
		t.Errorf("j goes to packet %d", x.m.cur)
	}
	x.keys("h")
	if x.m.cur != 7 {
		t.Errorf("h goes to packet %d", x.m.cur)
	}
	x.keys("xq")
	if x.m.over != nil || x.m.cur != 7 || len(x.m.plots.curves) != 2 {
		t.Errorf("over %v, packet %d", x.m.over, x.m.cur)
	}
	x.keys(":plot ip.ttl<enter>o/udp.srcport == 6000<enter>")
	x.has("40 values")
	x.keys("x")
	if x.m.over != nil || x.m.plots != nil {
		t.Error("the view stays without a curve")
	}
	x.keys("<ctrl+o>")
	if x.m.cur == 7 {
		t.Error("no way back to where the plot was opened")
	}
}

// TestPlotForms goes through the forms: sparse values are joined by lines at first.
func TestPlotForms(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		x := open(t, 80, 24, Config{Settings: Settings{ASCII: ascii}}).keys("3G<tab>jjP")
		before := ""
		for form := range forms {
			if v := x.m.over.(*plotView); v.curves[0].drawn.form != form {
				t.Errorf("form %d, want %d", v.curves[0].drawn.form, form)
			}
			if now := x.text(); now == before && !ascii {
				t.Errorf("form %d looks like the one before", form)
			} else {
				before = now
			}
			x.keys("v")
		}
		if ascii && strings.ContainsAny(x.text(), "⠁━│") {
			t.Error("signs beyond ASCII")
		}
	}
}

// TestPlotThins keeps what is kept within bounds, over the whole time.
func TestPlotThins(t *testing.T) {
	d := &plotData{every: 1}
	const n = 3*maxPoints + 7
	for i := range n {
		d.put([]point{{dissect.FrameNum(i + 1), int64(i), float64(i)}}, dissect.FrameNum(i+1))
	}
	last := d.points[len(d.points)-1]
	if len(d.points) >= maxPoints || d.seen != n || d.low != 0 || d.high != n-1 || n-int(last.time) > d.every {
		t.Errorf("%d points of %d, %v to %v, the last at %d", len(d.points), d.seen, d.low, d.high, last.time)
	}
	for i := 1; i < len(d.points); i++ {
		if d.points[i].time-d.points[i-1].time != int64(d.every) {
			t.Fatalf("points %d and %d lie %d apart", i-1, i, d.points[i].time-d.points[i-1].time)
		}
	}
}

// TestJoinedLines draws a straight line between two values, and none outside them.
func TestJoinedLines(t *testing.T) {
	place := func(p point) (x, y float64) { return float64(p.time) / 10, p.value }
	got := joinedLine([]point{{1, 2, 0}, {2, 8, 1}}, place, 10)
	if !(got[0] != got[0] && got[9] != got[9]) || got[2] != 0 || got[5] != 0.5 || got[8] != 1 {
		t.Errorf("%v", got)
	}
	got = joinedLine([]point{{1, -10, 0}, {2, 10, 1}}, place, 10) // a line that comes from before the picture
	if got[0] < 0.4 || got[0] > 0.6 {
		t.Errorf("%v", got)
	}
}
