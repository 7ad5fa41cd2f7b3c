package ui

import (
	"context"
	"math"
	"sort"
	"sync"

	"remora/dissect"
)

// A plotCurve is the values of a numeric field of the packets shown. They are gathered beside the screen.
type plotCurve struct {
	field  *dissect.Field
	slot   int // which colour and sign: it keeps them when others go
	data   *plotData
	drawn  plotPicture
	cancel context.CancelFunc
}

// plotData is what has been gathered: one point for each value. When there are too many every second one goes, and from then
// on only every second one is taken, so that what is kept covers the whole capture.
type plotData struct {
	mu     sync.Mutex
	points []point
	seen   int // values, kept or not
	every  int // how many values there are to one that is kept, a power of two
	low    float64
	high   float64
	upTo   dissect.FrameNum
}

type point struct {
	frame dissect.FrameNum
	time  int64
	value float64
}

// maxPoints bounds what is kept of a field.
const maxPoints = 1_000_000

// begin gathers a curve anew, from the packets that are shown now.
func (c *plotCurve) begin(m *model) {
	c.stop()
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(m.ctx)
	d, s, f := &plotData{every: 1}, m.s, c.field
	c.data, c.drawn = d, plotPicture{}
	l, wants := s.Looker(), s.Registry().Wants(f)
	go m.eachShown(ctx, s, m.shown, m.ignored, func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
		d.gather(s, l, wants, f, frames, upTo)
	})
}

func (c *plotCurve) stop() {
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
}

// gather takes the field's values from some packets, those that can have it.
func (d *plotData) gather(s *dissect.Session, l *dissect.Looker, wants *dissect.Wants, f *dissect.Field, frames []dissect.FrameNum, upTo dissect.FrameNum) {
	var batch []point
	for _, n := range frames {
		if !s.MayHave(s.ShapeOf(n), f) {
			continue
		}
		t := l.Look(n, wants)
		for i := range t.Nodes {
			if t.Field(i) == f {
				batch = append(batch, point{n, t.Time(), numberOf(t, i)})
			}
		}
	}
	d.put(batch, upTo)
}

func (d *plotData) put(batch []point, upTo dissect.FrameNum) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range batch {
		if math.IsNaN(p.value) || math.IsInf(p.value, 0) {
			continue
		}
		if d.seen == 0 {
			d.low, d.high = p.value, p.value
		}
		d.low, d.high = min(d.low, p.value), max(d.high, p.value)
		if d.seen%d.every == 0 {
			d.points = append(d.points, p)
		}
		d.seen++
		if len(d.points) >= maxPoints {
			d.thin()
		}
	}
	d.upTo = upTo
}

// thin drops every second point.
func (d *plotData) thin() {
	kept := d.points[:0]
	for i := 0; i < len(d.points); i += 2 {
		kept = append(kept, d.points[i])
	}
	d.points, d.every = kept, 2*d.every
}

// since is the first point of a time or behind it.
func (d *plotData) since(t int64) int {
	return sort.Search(len(d.points), func(i int) bool { return d.points[i].time >= t })
}

// behind is the first point behind a packet.
func (d *plotData) behind(n dissect.FrameNum) int {
	return sort.Search(len(d.points), func(i int) bool { return d.points[i].frame > n })
}

// asOf is the newest value up to a packet.
func (d *plotData) asOf(n dissect.FrameNum) (point, bool) {
	if i := d.behind(n); i > 0 {
		return d.points[i-1], true
	}
	return point{}, false
}
