package ui

import (
	"math"
	"strings"

	"remora/dissect"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/plot"
)

// The forms of a curve.
const (
	formLines = iota
	formDots
	formBlocks
	forms
)

// A plotPicture is a curve as it was drawn last. It is drawn anew when there are more points, another time or another size.
type plotPicture struct {
	points, w, h, form int
	from, to           int64
	rows               [][]rune
}

// shape is the form that a curve is drawn in: the one chosen, or else lines while the values are fewer than the dots across.
func (v *plotView) shape(points, w int) int {
	if v.form >= 0 {
		return v.form
	}
	if points > 2*w {
		return formDots
	}
	return formLines
}

// rows are the curve's cells in a picture of h lines of w cells from one time to another.
func (c *plotCurve) rows(v *plotView, from, to int64, w, h int, ascii bool) [][]rune {
	d := c.data
	lo, hi := max(0, d.since(from)-1), d.since(to+1) // with the point before, from where a line comes
	hi = min(hi+1, len(d.points))
	form := v.shape(hi-lo, w)
	p := plotPicture{len(d.points), w, h, form, from, to, nil}
	if was := c.drawn; was.points == p.points && was.w == w && was.h == h && was.form == form && was.from == from && was.to == to {
		return was.rows
	}
	points := thinned(d.points[lo:max(lo, hi)])
	place := func(q point) (x, y float64) {
		y = 0.5
		if d.high > d.low {
			y = (q.value - d.low) / (d.high - d.low)
		}
		return float64(q.time-from) / float64(max(1, to-from)), y
	}
	switch {
	case form == formBlocks:
		p.rows = signsOf([][]float64{held(points, place, w, h)}, w, h, true, ascii)
	case form == formDots:
		p.rows = scatter(points, place, w, h, ascii)
	case ascii:
		p.rows = signsOf([][]float64{joinedLine(points, place, w)}, w, h, false, ascii)
	default:
		p.rows = signsOf([][]float64{joinedLine(points, place, 2*w)}, w, h, false, ascii)
	}
	if ascii {
		for _, row := range p.rows {
			for x, r := range row {
				if r != ' ' {
					row[x] = rune(plot.Signs[c.slot+1])
				}
			}
		}
	}
	c.drawn = p
	return p.rows
}

// thinned leaves out points when there are so many that they are not to be told apart.
func thinned(points []point) []point {
	step := len(points)/200_000 + 1
	if step == 1 {
		return points
	}
	var out []point
	for i := 0; i < len(points); i += step {
		out = append(out, points[i])
	}
	return out
}

func signsOf(curves [][]float64, w, h int, blocks, ascii bool) [][]rune {
	out := make([][]rune, h)
	for i, row := range plot.Lay(curves, w, h, 1, blocks, ascii) {
		for _, c := range row {
			out[i] = append(out[i], c.Sign)
		}
	}
	return out
}

// means are the mean heights of the points in each of n spans of the picture, NaN where there is none, and the last height
// before the picture begins.
func means(points []point, place func(point) (x, y float64), n int) (out []float64, before float64) {
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

// joinedLine are heights with straight lines between the points, over the picture's borders too.
func joinedLine(points []point, place func(point) (x, y float64), n int) []float64 {
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

// held are heights that stay until the next point.
func held(points []point, place func(point) (x, y float64), w, h int) []float64 {
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

// scatter draws points in dots of braille, or in stars.
func scatter(points []point, place func(point) (x, y float64), w, h int, ascii bool) [][]rune {
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
		x, y := min(int(fx*float64(w*across)), w*across-1), clamp(int(fy*float64(h*down-1)), 0, h*down-1)
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

// A lane is where a curve was drawn last: its lines from the top of the view on.
type lane struct{ curve, top, h int }

// share gives lanes to as many curves as there is room for, the chosen one among them: a line for what it is and at least
// three for the picture.
func (v *plotView) share(top, h int) (out []lane) {
	n := clamp(h/4, 1, len(v.curves))
	first := clamp(v.chosen-n/2, 0, len(v.curves)-n)
	for i := range n {
		rows := h / n
		if i < h%n {
			rows++
		}
		out = append(out, lane{first + i, top, rows})
		top += rows
	}
	return out
}

// drawLane draws a curve with what it is above it. At is the column of the cursor, -1 for none.
func (v *plotView) drawLane(m *model, c *plotCurve, chosen bool, from, to int64, at, w, h int) []string {
	c.data.mu.Lock()
	defer c.data.mu.Unlock()
	d, scale := c.data, plotScale(c.field)
	p := m.seriesPen(c.slot + 1)
	out := []string{v.laneHead(m, c, chosen, w)}
	if h -= 1; h < 1 {
		return out
	}
	inner := max(2, w-9)
	rows := c.rows(v, from, to, inner, h, m.cfg.ASCII)
	for i, row := range rows {
		axis := ""
		switch {
		case len(d.points) == 0:
		case d.high == d.low:
			if i == h/2 {
				axis = amount.Short(d.low * scale)
			}
		case i == 0:
			axis = amount.Short(d.high * scale)
		case i == h-1:
			axis = amount.Short(d.low * scale)
		case i == h/2 && h > 4:
			axis = amount.Short((d.high + d.low) / 2 * scale)
		}
		var l paint.Line
		l.Put(m.pens.Dim, paint.FitRight(axis, 6)+" "+m.glyph("│", "|"))
		if at >= 0 && at < len(row) {
			l.Put(p, string(row[:at]))
			l.Put(m.pens.Selected, string(row[at]))
			l.Put(p, string(row[at+1:]))
		} else {
			l.Put(p, string(row))
		}
		out = append(out, paint.Clip(l.End(w), w))
	}
	return out
}

// laneHead says what a curve is, its value at the packet of the list, and between which values it moves.
func (v *plotView) laneHead(m *model, c *plotCurve, chosen bool, w int) string {
	d, scale, unit := c.data, plotScale(c.field), ""
	if scale != 1 {
		unit = " ms"
	}
	right := amount.Group(d.seen) + " values"
	if d.seen == 1 {
		right = "1 value"
	}
	if d.seen > 0 {
		right += ", " + amount.Short(d.low*scale) + m.glyph(" … ", " .. ") + amount.Short(d.high*scale) + unit
	}
	var l paint.Line
	l.Put(m.seriesPen(c.slot+1), m.glyph("━━", strings.Repeat(plot.Signs[c.slot+1:c.slot+2], 2)))
	name := " " + dissect.Escape(c.field.Label()) + " "
	if len(v.curves) > 1 && chosen {
		l.Put(m.pens.Selected, name)
	} else {
		l.Put(paint.Pen{}, name)
	}
	text, now := " "+c.field.Name()+" ", ""
	if p, ok := d.asOf(m.cur); ok {
		now = "= " + amount.Short(p.value*scale) + unit + " "
	}
	if l.Width+paint.Width(text+now+right)+8 > w { // the numbers matter more than the field's second name
		text = " "
	}
	l.Put(m.pens.Dim, text)
	l.Put(paint.Pen{}, paint.Fit(now, min(paint.Width(now), max(0, w-l.Width-4))))
	return m.endRule(&l, " "+right+" ", w)
}

// plotScale is what a field's values are multiplied by: times are shown in milliseconds.
func plotScale(f *dissect.Field) float64 {
	if f.Type() == dissect.TypeSpan {
		return 1e-6
	}
	return 1
}

// list draws the packets around the selected one, in the upper part of the view.
func (v *plotView) list(m *model, r rect) []string {
	h := r.h - 1
	if row := m.row(m.cur); row < m.rows() && h > 0 && !m.follow {
		m.top = clamp(m.top, max(0, row-h+1), row)
	} else if m.follow {
		m.top = max(0, m.rows()-h)
	}
	return m.drawList(r)
}
