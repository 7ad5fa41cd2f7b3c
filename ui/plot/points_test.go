package plot

import (
	"testing"

	"remora/dissect"
)

// TestPointsThin keeps what is kept within bounds, over the whole time.
func TestPointsThin(t *testing.T) {
	d := &Points{Every: 1}
	const n = 3*maxPoints + 7
	for i := range n {
		d.Put([]Point{{dissect.FrameNum(i + 1), int64(i), float64(i)}}, dissect.FrameNum(i+1))
	}
	last := d.List[len(d.List)-1]
	if len(d.List) >= maxPoints || d.Seen != n || d.Low != 0 || d.High != n-1 || n-int(last.Time) > d.Every {
		t.Errorf("%d points of %d, %v to %v, the last at %d", len(d.List), d.Seen, d.Low, d.High, last.Time)
	}
	for i := 1; i < len(d.List); i++ {
		if d.List[i].Time-d.List[i-1].Time != int64(d.Every) {
			t.Fatalf("points %d and %d lie %d apart", i-1, i, d.List[i].Time-d.List[i-1].Time)
		}
	}
}

// TestJoinedLines draws a straight line between two values, and none outside them.
func TestJoinedLines(t *testing.T) {
	place := func(p Point) (x, y float64) { return float64(p.Time) / 10, p.Value }
	got := Joined([]Point{{1, 2, 0}, {2, 8, 1}}, place, 10)
	if !(got[0] != got[0] && got[9] != got[9]) || got[2] != 0 || got[5] != 0.5 || got[8] != 1 {
		t.Errorf("%v", got)
	}
	got = Joined([]Point{{1, -10, 0}, {2, 10, 1}}, place, 10) // a line that comes from before the picture
	if got[0] < 0.4 || got[0] > 0.6 {
		t.Errorf("%v", got)
	}
}
