package types

import (
	"context"
	"math"
	"slices"
	"sync"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/ticks"
	"remora/ui/view"
	"remora/ui/widget"
)

// Where the protocols tell roles or names of those who send a line's packets, each of them has a curve below instead of
// one for all. Their sum is what the line counts.

const (
	mostEndCurves = 4  // further ones would not be told apart
	mostLineEnds  = 16 // ends of one role or name count together: a server may have a port for each client
)

// senders is who sent the packets of a line, over time, gathered beside the screen.
type senders struct {
	key  string
	of   view.Scope
	stop func()

	mu   sync.Mutex
	sent []endSent
	none bool // too many send, or nobody knows who
	upTo dissect.FrameNum
	once bool // all there was had been looked at: from then on the curves go along with the capture
}

type endSent struct {
	end  dissect.Endpoint
	line stats.Timeline
}

// An endCurve is what those of one role and name sent.
type endCurve struct {
	end  dissect.End
	sent []*endSent
}

// endsOf is who sends the packets of a line, nil where nobody is called anything. The gathering begins with another
// line or when others are shown.
func (c *curve) endsOf(in view.Context, x ticks.Line) *senders {
	now := in.Scope()
	if e := c.ends; e != nil && e.key == x.Key() && e.of.Same(now) {
		return e
	}
	c.stopEnds()
	if !knownEnds(now, x.Group().Sample) {
		return nil
	}
	e := &senders{key: x.Key(), of: now}
	has, first := x.Has(now.Session), now.Session.Store().First
	take := func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, n := range frames {
			if !e.none && int(n) > first() && has(n) {
				e.add(n)
			}
		}
		e.upTo = upTo
		e.once = e.once || int(upTo) >= now.Passed()
	}
	e.stop = in.Go("counting who sends", func(ctx context.Context) { now.Each(ctx, take) })
	c.ends = e
	return e
}

// knownEnds tells whether an end of a packet is called something.
func knownEnds(s view.Scope, n dissect.FrameNum) bool {
	if n == 0 || int(n) > s.Passed() || int(n) <= s.Session.Store().First() {
		return false
	}
	src, dst := s.Session.EndsOf(n)
	now := dissect.FrameNum(s.Passed())
	return s.End(src, now).Label() != "" || s.End(dst, now).Label() != ""
}

func (c *curve) stopEnds() {
	if c.ends != nil {
		c.ends.stop()
		c.ends = nil
	}
}

// add counts a packet for who sent it; mu is held.
func (e *senders) add(n dissect.FrameNum) {
	id, dir := e.of.Session.DirectionOf(n)
	if id == 0 {
		e.none, e.sent = true, nil
		return
	}
	conv := e.of.Session.Conversation(id)
	end := [2]dissect.Endpoint{conv.A, conv.B}[dir]
	i := slices.IndexFunc(e.sent, func(o endSent) bool { return o.end == end })
	if i < 0 && len(e.sent) == mostLineEnds {
		e.none, e.sent = true, nil
		return
	} else if i < 0 {
		i, e.sent = len(e.sent), append(e.sent, endSent{end: end})
	}
	e.sent[i].line.Add(e.of.Session.Store().Time(int(n)-1), 1)
}

// curves are those who send by what they are called, in the order of their first packets; none where one is called
// nothing, where one sends alone or where they are too many to be told apart. mu is held.
func (e *senders) curves(s view.Scope) (out []endCurve) {
	if e.none || !e.once {
		return nil
	}
	now := dissect.FrameNum(s.Passed())
	for i := range e.sent {
		end := s.End(e.sent[i].end, now)
		if end.Label() == "" {
			return nil
		}
		k := slices.IndexFunc(out, func(o endCurve) bool { return o.end == end })
		if k < 0 {
			k, out = len(out), append(out, endCurve{end: end})
		}
		out[k].sent = append(out[k].sent, &e.sent[i])
	}
	if len(out) < 2 || len(out) > mostEndCurves {
		return nil
	}
	return out
}

// endName is what a curve is called: by the name alone where another one does not have it, too.
func endName(curves []endCurve, i int) string {
	end := curves[i].end
	if end.Name == "" ||
		slices.ContainsFunc(curves, func(o endCurve) bool { return o.end != end && o.end.Name == end.Name }) {
		return dissect.Escape(end.Label())
	}
	return dissect.Escape(end.Name)
}

// spread is how many packets there were in each of n equal spans from one time to another.
func (c *endCurve) spread(from, to int64, n int) []float64 {
	out := make([]float64, n)
	for _, s := range c.sent {
		for i, v := range s.line.Spread(from, to, n) {
			out[i] += v
		}
	}
	return out
}

// endCells draws a curve for each who sends, all by the same intervals; names are what these are called, nil where
// there are none. Top is the value at the upper border.
func (c *curve) endCells(in view.Context, x ticks.Line, w, h int, from, to int64) (cells [][]plot.Cell, top float64,
	names []string) {
	e := c.endsOf(in, x)
	if e == nil {
		return nil, 0, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	curves := e.curves(in.Scope())
	if curves == nil {
		return nil, 0, nil
	}
	points, signed := w, signedEnds(in.Style(), len(curves))
	if !signed {
		points *= 2
	}
	first, last := in.Scope().Span()
	fewest := math.Inf(1)
	for i := range curves {
		fewest = min(fewest, max(1, curves[i].spread(from, to+1, 1)[0]))
	}
	c.drawn.step = plot.Step(to-from, points, fewest)
	var values [][]float64
	var all []float64
	for i := range curves {
		v := plot.Rate(curves[i].spread, c.drawn.step, first, first, last, from, to, points)
		values, all = append(values, v), append(all, v...)
		names = append(names, endName(curves, i))
	}
	top = plot.NiceTop(all)
	return plot.Lay(values, w, h, top, false, signed), top, names
}

// signedEnds tells whether the curves of so many ends need signs to be told apart.
func signedEnds(style *widget.Style, n int) bool {
	var used []paint.Pen
	for i := range n {
		used = append(used, style.SeriesPen(i+1))
	}
	return style.Signed(used)
}

// endLegend names the curves of those who send.
func endLegend(style *widget.Style, l *paint.Line, names []string) {
	signed := signedEnds(style, len(names))
	for i, name := range names {
		l.Put(style.SeriesPen(i+1), "  "+widget.LegendSign(i, signed)+" ")
		l.Put(paint.Pen{}, name)
	}
}
