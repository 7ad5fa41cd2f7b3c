package tcpgraph

import (
	"math"
	"slices"
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/view"
	"remora/ui/widget"
)

// Draw draws what the curves are above, and the curves below.
func (v *View) Draw(w, h int) []string {
	v.choose()
	s := v.c.Style()
	now := v.c.Scope()
	conv := now.Session.Conversation(v.conv)
	ends := [2]dissect.Endpoint{conv.A, conv.B}
	passed := dissect.FrameNum(now.Session.Passed())
	route := now.Address(ends[v.side()], passed) + s.Glyph(" → ", " > ") + now.Address(ends[1-v.side()], passed)
	title, unit := titles[v.form].within(w - paint.Width(route))
	out := []string{s.Rule(w, title, route)}
	from, to := v.Shown(v.data.span())
	inner := max(2, w-8)
	var used []paint.Pen
	for i := range titles[v.form].curves {
		used = append(used, s.SeriesPen(i))
	}
	signed := s.Signed(used)
	points := inner
	if !signed {
		points *= 2
	}
	if now := (drawnFor{v.form, v.side(), from, to, points, len(v.data.points())}); v.drawn != now || v.curves == nil {
		v.drawn, v.curves = now, v.make(from, to, points)
	}
	curves := v.curves
	var l paint.Line
	for i, name := range titles[v.form].curves {
		l.Put(s.SeriesPen(i), "  "+widget.LegendSign(i, signed)+" ")
		l.Put(paint.Pen{}, name)
	}
	l.Put(s.Pens.Dim, unit)
	sum, _ := v.data.carried()
	carried := "   " + humanize.Bytes(sum[v.side()]) + " in " + humanize.Duration(float64(to-from)/1e9)
	if l.Width+paint.Width(carried) <= w { // half of it says something else
		l.Put(s.Pens.Dim, carried)
	}
	out = append(out, paint.Clip(l.End(w), w))
	curves, all := fitted(v.form, curves)
	rows := max(1, h-len(out)-1)
	if len(all) == 0 {
		return append(out, view.Empty(v.c, w, h-len(out), "nothing of this in that direction")...)
	}
	top := plot.NiceTop(all)
	cells := plot.Lay(curves, inner, rows, top, false, signed)
	at := widget.Clamp(int(float64(v.At-from)/float64(max(1, to-from))*float64(inner)), 0, inner-1)
	out = append(out, s.CurveRows(cells, plot.Labels(top, rows), at, s.Pens.Selected, s.SeriesPen, w)...)
	return append(out, s.TimeAxis(now.Epoch, from, to, w-1, w))
}

// fitted are the curves as they are drawn, with the values that the axis is made for: where the window is far above
// what was sent, the stream would be a flat line below it, so the window ends at the top of the picture.
func fitted(form Form, curves [][]float64) (drawn [][]float64, all []float64) {
	drawn = curves
	scaled := curves
	if form == Sequence {
		scaled = curves[:2]
	}
	for _, c := range scaled {
		for _, y := range c {
			if !math.IsNaN(y) {
				all = append(all, y)
			}
		}
	}
	if form != Sequence || len(all) == 0 {
		return drawn, all
	}
	most := plot.NiceTop(all)
	window := slices.Clone(curves[2])
	for x, y := range window {
		if y > most {
			window[x] = most
		}
	}
	return [][]float64{curves[0], curves[1], window}, all
}

// make works out the curves: the values at points that lie evenly from one time to another; where there is none they
// are no number.
func (v *View) make(from, to int64, points int) [][]float64 {
	out := make([][]float64, len(titles[v.form].curves))
	for i := range out {
		out[i] = make([]float64, points)
		for x := range out[i] {
			out[i][x] = math.NaN()
		}
	}
	side, list := uint8(v.side()), v.data.points()
	base := int64(math.MaxInt64) // sequence numbers are drawn from the first one shown on
	for i := range list {
		if p := &list[i]; v.form == Sequence && p.at >= from && p.at <= to && p.dir == side {
			base = min(base, p.seq)
		}
	}
	most := func(curve, x int, value float64) {
		if was := out[curve][x]; math.IsNaN(was) || value > was {
			out[curve][x] = value
		}
	}
	acked := int64(-1)
	for i := range list {
		p := &list[i]
		fresh := int64(0)
		if p.dir != side && p.acknowledging {
			if acked >= 0 {
				fresh = max(0, p.ack-acked)
			}
			acked = max(acked, p.ack)
		}
		if p.at < from || p.at > to {
			continue
		}
		x := min(points-1, int(float64(p.at-from)/float64(max(1, to-from))*float64(points)))
		switch own := p.dir == side; {
		case v.form == Sequence && own:
			most(0, x, float64(p.seq+int64(p.length)-base))
		case v.form == Sequence && p.acknowledging:
			most(1, x, float64(p.ack-base))
			most(2, x, float64(p.ack+int64(p.window)-base))
		case v.form == Throughput && own:
			out[0][x] = number(out[0][x]) + float64(p.length)
		case v.form == Throughput && p.acknowledging:
			out[1][x] = number(out[1][x]) + float64(fresh)
		case v.form == RoundTrip && !own && p.trip > 0:
			most(0, x, float64(p.trip)/1e6)
		case v.form == Window && !own:
			most(0, x, float64(p.window))
		case v.form == Window && own && p.flight > 0:
			most(1, x, float64(p.flight))
		}
	}
	v.join(out, from, to)
	return out
}

func number(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// join makes curves of single values: what stays until it changes stays, and bytes become a rate over some points.
func (v *View) join(curves [][]float64, from, to int64) {
	for _, c := range curves {
		switch v.form {
		case Throughput:
			rate(c, float64(to-from)/1e9)
		case RoundTrip: // single measurements
		default:
			for x := 1; x < len(c); x++ {
				if math.IsNaN(c[x]) {
					c[x] = c[x-1]
				}
			}
		}
	}
}

// rate makes what each point has to what there was a second around it: a fortieth of the picture on either side.
func rate(c []float64, seconds float64) {
	sums := make([]float64, len(c)+1)
	for x, y := range c {
		sums[x+1] = sums[x] + number(y)
	}
	reach := max(1, len(c)/80)
	for x := range c {
		lo, hi := max(0, x-reach), min(len(c), x+reach+1)
		c[x] = (sums[hi] - sums[lo]) / (seconds * float64(hi-lo) / float64(len(c)))
	}
}

// ruleRoom is how many cells of the head's line are neither the title nor the route.
const ruleRoom = 10

// within is the title where so many cells hold it. Else it is shorter, so that the ends of the stream are whole, and
// the unit is for the line below.
func (t heading) within(w int) (title, unit string) {
	name, unit, _ := strings.Cut(t.title, " (")
	word, _, _ := strings.Cut(name, " ")
	switch {
	case paint.Width(t.title)+ruleRoom <= w:
		return t.title, ""
	case paint.Width(name)+ruleRoom <= w:
		word = name
	}
	return word, "  (" + unit
}
