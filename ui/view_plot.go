package ui

import (
	"context"
	"math"
	"sync"

	"remora/dissect"
)

// plotView draws the values of a numeric field over time, of the packets shown. The cursor stands on a packet; Enter goes
// there. Values are gathered beside the screen.
type plotView struct {
	field  *dissect.Field
	of     *shown
	data   *plotData
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
	done   bool
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
	v := &plotView{field: m.tree.Field(i), of: m.shown, data: &plotData{}, cancel: cancel}
	s, sh, field := m.s, m.shown, v.field
	go func() {
		defer m.guard("plotting")
		v.data.gather(ctx, s, sh, field)
	}()
	m.openOver(v)
}

// gather takes the field's values from the packets shown, those that can have it.
func (d *plotData) gather(ctx context.Context, s *dissect.Session, sh *shown, f *dissect.Field) {
	l, wants := s.Looker(), s.Registry().Wants(f)
	rows, frame := s.Passed(), func(row int) dissect.FrameNum { return dissect.FrameNum(row + 1) }
	if sh != nil {
		rows, frame = sh.matches.Len(), sh.matches.At
	}
	var batch []point
	for row := range rows {
		n := frame(row)
		if s.MayHave(s.ShapeOf(n), f) {
			t := l.Look(n, wants)
			for i := range t.Nodes {
				if t.Field(i) == f {
					batch = append(batch, point{n, t.Time(), numberOf(t, i)})
				}
			}
		}
		if len(batch) >= 1024 || row%8192 == 0 || row == rows-1 {
			if ctx.Err() != nil || !d.put(batch, n) {
				break
			}
			batch = batch[:0]
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = true
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
	return len(d.points) < maxPoints
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
		for v.at = 0; v.at < k-1 && v.data.points[v.at].time < at; v.at++ {
		}
	}
}

func (v *plotView) wheel(m *model, n int) { v.act(m, actRight, n) }

func (v *plotView) hints() [][2]string {
	return [][2]string{{"h l", "move"}, {"PgUp PgDn", "move far"}, {"Enter", "that packet"}, {"q", "back"}}
}

func (v *plotView) busy(*model) bool {
	v.data.mu.Lock()
	defer v.data.mu.Unlock()
	return !v.data.done
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
	cells := scatter(d.points, first, last, d.low, d.high, inner, h, m.cfg.ASCII)
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
