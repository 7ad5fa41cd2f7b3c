package plot

import (
	"context"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/plot"
	"remora/ui/view"
)

// A curve is the values of a numeric field of the packets shown. They are gathered beside the screen.
type curve struct {
	field *dissect.Field
	slot  int // which colour and sign: it keeps them when others go
	data  *plot.Points
	drawn picture
	end   func()
}

// begin gathers a curve anew, from the packets that are shown now.
func (c *curve) begin(in view.Context) {
	c.stop()
	now := in.Scope()
	d, s, f := &plot.Points{Every: 1}, now.Session, c.field
	c.data, c.drawn = d, picture{}
	guard, wants := s.Guard(), s.Registry().Wants(f)
	c.end = in.Go("gathering values", func(ctx context.Context) {
		now.Each(ctx, func(frames []dissect.FrameNum, upTo dissect.FrameNum) { gather(d, s, guard, wants, f, frames, upTo) })
	})
}

func (c *curve) stop() {
	if c.end != nil {
		c.end()
		c.end = nil
	}
}

// gather takes the field's values from some packets, those that can have it.
func gather(d *plot.Points, s *dissect.Session, guard *dissect.Guard, wants *dissect.Wants, f *dissect.Field,
	frames []dissect.FrameNum, upTo dissect.FrameNum) {
	var batch []plot.Point
	at := 0
	guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
		for ; at < len(frames); at++ {
			n := frames[at]
			if !s.MayHave(s.LayerStackOf(n), f) {
				continue
			}
			t := l.Redissect(n, wants)
			for i := range t.Nodes {
				if t.Field(i) == f {
					batch = append(batch, plot.Point{Frame: n, Time: t.Time(), Value: stats.Number(f, t.Nodes[i].Val)})
				}
			}
		}
	})
	d.Put(batch, upTo)
}
