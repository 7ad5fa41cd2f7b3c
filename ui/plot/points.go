package plot

import (
	"math"
	"sort"
	"sync"

	"remora/dissect"
)

// Points is what has been gathered: one point for each value. When there are too many every second one goes, and from
// then on only every second one is taken, so that what is kept covers the whole capture.
type Points struct {
	sync.Mutex
	List  []Point
	Seen  int // values, kept or not
	Every int // how many values there are to one that is kept, a power of two
	Low   float64
	High  float64
	UpTo  dissect.FrameNum // packets up to this one have been looked at
}

// A Point is a value of a field in a packet; its time is in nanoseconds since 1970.
type Point struct {
	Frame dissect.FrameNum
	Time  int64
	Value float64
}

// maxPoints bounds what is kept of a field.
const maxPoints = 1_000_000

// Put takes further values, and that packets up to one have been looked at.
func (d *Points) Put(batch []Point, upTo dissect.FrameNum) {
	d.Lock()
	defer d.Unlock()
	for _, p := range batch {
		if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
			continue
		}
		if d.Seen == 0 {
			d.Low, d.High = p.Value, p.Value
		}
		d.Low, d.High = min(d.Low, p.Value), max(d.High, p.Value)
		if d.Seen%d.Every == 0 {
			d.List = append(d.List, p)
		}
		d.Seen++
		if len(d.List) >= maxPoints {
			d.thin()
		}
	}
	d.UpTo = upTo
}

// thin drops every second point.
func (d *Points) thin() {
	kept := d.List[:0]
	for i := 0; i < len(d.List); i += 2 {
		kept = append(kept, d.List[i])
	}
	d.List, d.Every = kept, 2*d.Every
}

// Since is the first point of a time or behind it.
func (d *Points) Since(t int64) int {
	return sort.Search(len(d.List), func(i int) bool { return d.List[i].Time >= t })
}

// Behind is the first point behind a packet.
func (d *Points) Behind(n dissect.FrameNum) int {
	return sort.Search(len(d.List), func(i int) bool { return d.List[i].Frame > n })
}

// AsOf is the newest value up to a packet.
func (d *Points) AsOf(n dissect.FrameNum) (Point, bool) {
	if i := d.Behind(n); i > 0 {
		return d.List[i-1], true
	}
	return Point{}, false
}

// Thinned leaves out points when there are so many that they are not to be told apart.
func Thinned(points []Point) []Point {
	step := len(points)/200_000 + 1
	if step == 1 {
		return points
	}
	var out []Point
	for i := 0; i < len(points); i += step {
		out = append(out, points[i])
	}
	return out
}

// Runes are the cells of curves, each of heights from 0 to 1.
func Runes(curves [][]float64, w, h int, blocks, ascii bool) [][]rune {
	out := make([][]rune, h)
	for i, row := range Lay(curves, w, h, 1, blocks, ascii) {
		for _, c := range row {
			out[i] = append(out[i], c.Sign)
		}
	}
	return out
}

// means are the mean heights of the points in each of n spans of the picture, NaN where there is none, and the last
// height before the picture begins.
func means(points []Point, place func(Point) (x, y float64), n int) (out []float64, before float64) {
	out, before = make([]float64, n), math.NaN()
	counts := make([]float64, n)
	for _, p := range points {
		x, y := place(p)
		switch at := int(x * float64(n)); {
		case x < 0:
			before = y
		case x <= 1:
			at = min(at, n-1)
			out[at] += y
			counts[at]++
		}
	}
	for i := range out {
		out[i] /= counts[i] // NaN without any
	}
	return out, before
}

// Joined are heights with straight lines between the points, over the picture's borders too.
func Joined(points []Point, place func(Point) (x, y float64), n int) []float64 {
	out, _ := means(points, place, n)
	at, y := math.NaN(), 0.0 // where the line comes from
	for _, p := range points {
		x, to := place(p)
		x *= float64(n)
		if x >= 0 && x <= float64(n) {
			cell := min(int(x), n-1)
			x, to = float64(cell), out[cell]
		}
		for i := max(0, int(math.Ceil(at))); !math.IsNaN(at) && i < n && float64(i) < x; i++ {
			if math.IsNaN(out[i]) {
				out[i] = y + (to-y)*(float64(i)-at)/(x-at)
			}
		}
		at, y = x, to
	}
	return out
}

// Held are heights that stay until the next Point.
func Held(points []Point, place func(Point) (x, y float64), w, h int) []float64 {
	out, y := means(points, place, w)
	last := -1
	for _, p := range points {
		if x, _ := place(p); x <= 1 {
			last = min(w-1, int(x*float64(w)))
		}
	}
	for i := range out {
		if math.IsNaN(out[i]) && i <= last {
			out[i] = y
		}
		y = out[i]
		out[i] = max(out[i], 0.6/float64(8*h)) // the lowest value is a line, not nothing
		if math.IsNaN(y) {
			out[i] = 0
		}
	}
	return out
}

// Scatter draws points in dots of braille, or in stars.
func Scatter(points []Point, place func(Point) (x, y float64), w, h int, ascii bool) [][]rune {
	across, down := 2, 4
	if ascii {
		across, down = 1, 1
	}
	dots := make([]byte, w*h)
	bits := [4][2]byte{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	for _, p := range points {
		fx, fy := place(p)
		if fx < 0 || fx > 1 {
			continue
		}
		x, y := min(int(fx*float64(w*across)), w*across-1), clampInt(int(fy*float64(h*down-1)), 0, h*down-1)
		at := (h-1-y/down)*w + x/across
		if ascii {
			dots[at] = 1
		} else {
			dots[at] |= bits[3-y%4][x%2]
		}
	}
	out := make([][]rune, h)
	for i := range out {
		out[i] = make([]rune, w)
		for k := range out[i] {
			switch d := dots[i*w+k]; {
			case d == 0:
				out[i][k] = ' '
			case ascii:
				out[i][k] = '*'
			default:
				out[i][k] = rune(0x2800) + rune(d)
			}
		}
	}
	return out
}

func clampInt(v, lo, hi int) int { return max(lo, min(v, hi)) }
