package plot

import (
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/widget"
)

// The forms of a curve.
const (
	formLines = iota
	formDots
	formBlocks
	forms
)

// A picture is a curve as it was drawn last. It is drawn anew when there are more points, another time or another size.
type picture struct {
	points, w, h, form int
	from, to           int64
	rows               [][]rune
}

// shape is the form that a curve is drawn in: the one chosen, or else lines while the values are fewer than the dots
// across.
func (v *View) shape(points, w int) int {
	if v.form >= 0 {
		return v.form
	}
	if points > 2*w {
		return formDots
	}
	return formLines
}

// rows are the curve's cells in a picture of h lines of w cells from one time to another.
func (c *curve) rows(v *View, from, to int64, w, h int, ascii bool) [][]rune {
	d := c.data
	lo, hi := max(0, d.Since(from)-1), d.Since(to+1) // with the point before, from where a line comes
	hi = min(hi+1, len(d.List))
	form := v.shape(hi-lo, w)
	p := picture{len(d.List), w, h, form, from, to, nil}
	if was := c.drawn; was.points == p.points && was.w == w && was.h == h && was.form == form && was.from == from &&
		was.to == to {
		return was.rows
	}
	points := plot.Thinned(d.List[lo:max(lo, hi)])
	place := func(q plot.Point) (x, y float64) {
		y = 0.5
		if d.High > d.Low {
			y = (q.Value - d.Low) / (d.High - d.Low)
		}
		return float64(q.Time-from) / float64(max(1, to-from)), y
	}
	switch {
	case form == formBlocks:
		p.rows = plot.Runes([][]float64{plot.Held(points, place, w, h)}, w, h, true, ascii)
	case form == formDots:
		p.rows = plot.Scatter(points, place, w, h, ascii)
	case ascii:
		p.rows = plot.Runes([][]float64{plot.Joined(points, place, w)}, w, h, false, ascii)
	default:
		p.rows = plot.Runes([][]float64{plot.Joined(points, place, 2*w)}, w, h, false, ascii)
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

// A lane is where a curve was drawn last: its lines from the top of the view on.
type lane struct{ curve, top, h int }

// share gives lanes to as many curves as there is room for, the chosen one among them: a line for what it is and at
// least three for the picture.
func (v *View) share(top, h int) (out []lane) {
	n := widget.Clamp(h/4, 1, len(v.curves))
	first := widget.Clamp(v.chosen-n/2, 0, len(v.curves)-n)
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
func (v *View) drawLane(c *curve, chosen bool, from, to int64, at, w, h int) []string {
	c.data.Lock()
	defer c.data.Unlock()
	d, scale := c.data, scaleOf(c.field)
	p := v.c.Style().SeriesPen(c.slot + 1)
	out := []string{v.laneHead(c, chosen, w)}
	if h -= 1; h < 1 {
		return out
	}
	inner := max(2, w-9)
	rows := c.rows(v, from, to, inner, h, v.c.Style().ASCII)
	for i, row := range rows {
		axis := ""
		switch {
		case len(d.List) == 0:
		case d.High == d.Low:
			if i == h/2 {
				axis = humanize.Short(d.Low * scale)
			}
		case i == 0:
			axis = humanize.Short(d.High * scale)
		case i == h-1:
			axis = humanize.Short(d.Low * scale)
		case i == h/2 && h > 4:
			axis = humanize.Short((d.High + d.Low) / 2 * scale)
		}
		var l paint.Line
		l.Put(v.c.Style().Pens.Dim, paint.FitRight(axis, 6)+" "+v.c.Style().Glyph("│", "|"))
		if at >= 0 && at < len(row) {
			l.Put(p, string(row[:at]))
			l.Put(v.c.Style().Pens.Selected, string(row[at]))
			l.Put(p, string(row[at+1:]))
		} else {
			l.Put(p, string(row))
		}
		out = append(out, paint.Clip(l.End(w), w))
	}
	return out
}

// laneHead says what a curve is, its value at the packet of the list, and between which values it moves.
func (v *View) laneHead(c *curve, chosen bool, w int) string {
	d, scale, unit := c.data, scaleOf(c.field), unitOf(c.field)
	right := humanize.Group(d.Seen) + " values"
	if d.Seen == 1 {
		right = "1 value"
	}
	if d.Seen > 0 {
		right += ", " + humanize.Short(d.Low*scale) + v.c.Style().Glyph(" … ", " .. ") + humanize.Short(d.High*scale) + unit
	}
	var l paint.Line
	l.Put(v.c.Style().SeriesPen(c.slot+1), v.c.Style().Glyph("━━", strings.Repeat(plot.Signs[c.slot+1:c.slot+2], 2)))
	name := " " + dissect.Escape(c.field.Label()) + " "
	if len(v.curves) > 1 && chosen {
		l.Put(v.c.Style().Pens.Selected, name)
	} else {
		l.Put(paint.Pen{}, name)
	}
	text, now := " "+c.field.Name()+" ", ""
	if p, ok := d.AsOf(v.c.List().Current()); ok {
		now = "= " + humanize.Short(p.Value*scale) + unit + " "
	}
	if l.Width+paint.Width(text+now+right)+8 > w { // the numbers matter more than the field's second name
		text = " "
	}
	l.Put(v.c.Style().Pens.Dim, text)
	l.Put(paint.Pen{}, paint.Fit(now, min(paint.Width(now), max(0, w-l.Width-4))))
	return v.c.Style().EndRule(&l, " "+right+" ", w)
}

// unitOf is the unit that a field's values are shown in, with a space in front; "" where they have none.
func unitOf(f *dissect.Field) string {
	unit := strings.TrimSpace(f.Unit())
	if scaleOf(f) != 1 {
		unit = "ms"
	}
	if unit == "" {
		return ""
	}
	return " " + dissect.Escape(unit)
}

// scaleOf is what a field's values are multiplied by: times are shown in milliseconds.
func scaleOf(f *dissect.Field) float64 {
	if f.Type() == dissect.TypeSpan {
		return 1e-6
	}
	return 1
}
