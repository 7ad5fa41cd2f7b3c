package ui

import (
	"context"
	"math"
	"slices"
	"sort"
	"sync"

	"remora/dissect"
)

// plotView draws the values of a numeric field over time, of the packets shown. The cursor stands on a packet; Enter goes
// there. Values are gathered beside the screen.
type plotView struct {
	field  *dissect.Field
	of     *shown
	data   *plotData
	from   dissect.FrameNum // the packet that the cursor goes to at the start, 0 once it is there
	blocks bool
	drawn  plotPicture
	cancel context.CancelFunc
	at     int // place of the cursor among the points
}

// plotData is what has been gathered: one point for each value.
type plotData struct {
	mu     sync.Mutex
	points []point
	low    float64
	high   float64
	upTo   dissect.FrameNum
	full   bool // there was no room for more
}

type point struct {
	frame dissect.FrameNum
	time  int64
	value float64
}

// maxPoints bounds what is kept of a field.
const maxPoints = 2_000_000

// plotField opens the plot of the selected field.
func (m *model) plotField() {
	i := m.selectedNode()
	if m.tree == nil || i < 0 || !plottable(m.tree.Field(i)) {
		m.notice = "select a number in the tree to plot it"
		return
	}
	ctx, cancel := context.WithCancel(m.ctx)
	v := &plotView{field: m.tree.Field(i), of: m.shown, data: &plotData{}, cancel: cancel, from: m.cur}
	s, sh, field := m.s, m.shown, v.field
	l, wants := s.Looker(), s.Registry().Wants(field)
	go m.eachShown(ctx, s, sh, m.ignored, func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
		if !v.data.gather(s, l, wants, field, frames, upTo) {
			cancel()
		}
	})
	m.openOver(v)
}

// gather takes the field's values from some packets, those that can have it. It tells whether there is room for more.
func (d *plotData) gather(s *dissect.Session, l *dissect.Looker, wants *dissect.Wants, f *dissect.Field, frames []dissect.FrameNum, upTo dissect.FrameNum) bool {
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
	return d.put(batch, upTo)
}

func (d *plotData) put(batch []point, upTo dissect.FrameNum) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range batch {
		if math.IsNaN(p.value) || math.IsInf(p.value, 0) {
			continue
		}
		if len(d.points) == 0 {
			d.low, d.high = p.value, p.value
		}
		d.low, d.high = min(d.low, p.value), max(d.high, p.value)
		d.points = append(d.points, p)
	}
	d.upTo = upTo
	d.full = len(d.points) >= maxPoints
	return !d.full
}

func (v *plotView) act(m *model, a action, n int) bool {
	v.data.mu.Lock()
	points := len(v.data.points)
	v.data.mu.Unlock()
	page := max(1, points/max(1, m.w-9))
	switch a {
	case actRight, actDown:
		v.at += page * max(1, n)
	case actLeft, actUp:
		v.at -= page * max(1, n)
	case actPageDown:
		v.at += points / 10
	case actPageUp:
		v.at -= points / 10
	case actFirst:
		v.at = 0
	case actLast:
		v.at = points - 1
	case actReading:
		v.blocks = !v.blocks
	case actOpen:
		if p, ok := v.point(); ok {
			v.close(m)
			m.jumpTo(p.frame)
		}
	case actQuit, actClearFilter:
		v.close(m)
	default:
		return false
	}
	v.at = clamp(v.at, 0, max(0, points-1))
	return true
}

func (v *plotView) close(m *model) {
	v.cancel()
	m.over = nil
}

func (v *plotView) point() (point, bool) {
	v.data.mu.Lock()
	defer v.data.mu.Unlock()
	if v.at < len(v.data.points) {
		return v.data.points[v.at], true
	}
	return point{}, false
}

func (v *plotView) click(m *model, r rect, x, _ int) {
	v.data.mu.Lock()
	defer v.data.mu.Unlock()
	if k := len(v.data.points); k > 0 {
		first, last := v.data.points[0].time, v.data.points[k-1].time
		at := first + int64(float64(last-first)*float64(clamp(x-8, 0, r.w-9))/float64(max(1, r.w-9)))
		v.at = min(k-1, sort.Search(k, func(i int) bool { return v.data.points[i].time >= at }))
	}
}

func (v *plotView) wheel(m *model, n int) { v.act(m, actRight, n) }

func (v *plotView) hints() [][2]string {
	return [][2]string{{"h l", "move"}, {"PgUp PgDn", "move far"}, {"v", "dots, blocks"}, {"Enter", "that packet"}, {"q", "back"}}
}

func (v *plotView) busy(m *model) bool {
	v.data.mu.Lock()
	defer v.data.mu.Unlock()
	return !v.data.full && int(v.data.upTo) < m.s.Passed()
}

func (v *plotView) status(m *model) string {
	p, ok := v.point()
	if !ok {
		return "no value yet"
	}
	text := "packet " + group(int(p.frame)) + ", " + duration(float64(p.time-m.epoch())/1e9) + ": " + shortNumber(p.value)
	if v.busy(m) {
		text += "   gathering, up to packet " + group(int(v.data.upTo))
	}
	return text
}

func (v *plotView) draw(m *model, r rect) []string {
	v.data.mu.Lock()
	defer v.data.mu.Unlock()
	d := v.data
	out := []string{m.rule(r.w, v.field.Label()+"  "+v.field.Name(), group(len(d.points))+" values, "+shortNumber(d.low)+m.glyph(" … ", " .. ")+shortNumber(d.high))}
	h := r.h - 2
	if len(d.points) == 0 {
		return append(out, m.blankLines(r.w, r.h-1)...)
	}
	first, last := d.points[0].time, max(d.points[len(d.points)-1].time, d.points[0].time+1)
	inner := max(2, r.w-9)
	if v.from != 0 && d.upTo >= v.from {
		v.at = min(len(d.points)-1, sort.Search(len(d.points), func(i int) bool { return d.points[i].frame >= v.from }))
		v.from = 0
	}
	cells := v.cells(d, first, last, inner, h, m.cfg.ASCII)
	at := -1
	if v.at < len(d.points) {
		at = int(float64(d.points[v.at].time-first) / float64(last-first) * float64(inner-1))
	}
	for i, row := range cells {
		axis := ""
		switch i {
		case 0:
			axis = shortNumber(d.high)
		case h / 2:
			axis = shortNumber((d.high + d.low) / 2)
		case h - 1:
			axis = shortNumber(d.low)
		}
		var l line
		l.put(m.pens.dim, fitRight(axis, 6)+" "+m.glyph("│", "|"))
		if at >= 0 && at < len(row) {
			l.put(m.pens.accent, string(row[:at]))
			l.put(m.pens.selected, string(row[at]))
			l.put(m.pens.accent, string(row[at+1:]))
		} else {
			l.put(m.pens.accent, string(row))
		}
		out = append(out, fitLine(l.end(r.w), r.w))
	}
	return append(out, m.timeAxis(first, last, r.w-1, r.w))
}

// A plotPicture is the points as they were drawn last. It is drawn anew when there are more, or another size.
type plotPicture struct {
	points, w, h int
	blocks       bool
	rows         [][]rune
}

func (v *plotView) cells(d *plotData, first, last int64, w, h int, ascii bool) [][]rune {
	p := &v.drawn
	if p.points != len(d.points) || p.w != w || p.h != h || p.blocks != v.blocks {
		*p = plotPicture{len(d.points), w, h, v.blocks, nil}
		if v.blocks {
			p.rows = columnsOf(d.points, first, last, d.low, d.high, w, h, ascii)
		} else {
			p.rows = scatter(d.points, first, last, d.low, d.high, w, h, ascii)
		}
	}
	out := make([][]rune, len(p.rows)) // the caller marks the cursor in them
	for i := range out {
		out[i] = slices.Clone(p.rows[i])
	}
	return out
}

// columnsOf draws the mean of the points in each cell's time as a column of blocks.
func columnsOf(points []point, first, last int64, low, high float64, w, h int, ascii bool) [][]rune {
	sums, counts := make([]float64, w), make([]float64, w)
	step := max(1, len(points)/200_000)
	for i := 0; i < len(points); i += step {
		x := clamp(int(float64(points[i].time-first)/float64(last-first)*float64(w-1)), 0, w-1)
		sums[x] += points[i].value
		counts[x]++
	}
	for x := range sums {
		if counts[x] > 0 {
			sums[x] = max((sums[x]/counts[x]-low)/max(high-low, 1e-300), 0.1/float64(8*h))
		}
	}
	out := make([][]rune, h)
	for i, row := range layCurves([][]float64{sums}, w, h, 1, true, ascii) {
		for _, c := range row {
			out[i] = append(out[i], c.sign)
		}
	}
	return out
}

// scatter draws points in dots of braille, or in stars.
func scatter(points []point, first, last int64, low, high float64, w, h int, ascii bool) [][]rune {
	across, down := 2, 4
	if ascii {
		across, down = 1, 1
	}
	dots := make([]byte, w*h)
	bits := [4][2]byte{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	span := max(high-low, 1e-300)
	step := max(1, len(points)/200_000) // more are not to be told apart
	for i := 0; i < len(points); i += step {
		p := points[i]
		x := int(float64(p.time-first) / float64(last-first) * float64(w*across-1))
		y := int((p.value - low) / span * float64(h*down-1))
		x, y = clamp(x, 0, w*across-1), clamp(y, 0, h*down-1)
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
