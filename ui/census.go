package ui

import (
	"context"
	"maps"
	"slices"

	"remora/dissect"
	"remora/ui/term"
)

// census is what occurs in the capture: it looks at a few packets of every shape, which is soon done however many packets
// there are, and reckons from how many have the shape. Its counts are marked as estimates.
type census struct {
	fields map[dissect.FieldID]*fieldCensus
}

// fieldCensus is what is known of one field in this capture.
type fieldCensus struct {
	packets float64            // reckoned
	values  map[string]float64 // some of its values, with the packets reckoned for each
	order   []string           // as they were met
}

// sampled is how many packets of each shape are looked at, and keptValues how many values are kept of a field.
const (
	sampled    = 6
	keptValues = 24
)

// takeCensus looks at packets that are spread over the capture. It reads the index until every shape has enough.
func takeCensus(ctx context.Context, s *dissect.Session) *census {
	c := &census{fields: map[dissect.FieldID]*fieldCensus{}}
	end := s.Passed()
	samples := map[uint32][]dissect.FrameNum{}
	for step := max(1, end/200_000); ; step = max(1, step/4) { // at most as many as that in each round
		missing := false
		for n := 1; n <= end; n += step {
			if n%65536 == 0 && ctx.Err() != nil {
				return c
			}
			id := s.ShapeOf(dissect.FrameNum(n)).ID
			if list := samples[id]; len(list) < sampled {
				samples[id] = append(list, dissect.FrameNum(n))
			}
		}
		for id := range s.Shapes() {
			missing = missing || len(samples[uint32(id)]) == 0
		}
		if step == 1 || !missing {
			break
		}
	}
	l := s.Looker()
	for _, id := range slices.Sorted(maps.Keys(samples)) { // the same way every time
		frames := samples[id]
		each := float64(s.Shape(id).Frames.Load()) / float64(len(frames))
		for _, n := range frames {
			if ctx.Err() != nil {
				return c
			}
			c.add(l.Tree(n), each)
		}
	}
	return c
}

// add counts the fields of a packet that stands for a number of them.
func (c *census) add(t *dissect.Tree, each float64) {
	seen := map[dissect.FieldID]bool{}
	for i := range t.Nodes {
		f := t.Field(i)
		c.count(f, t, i, each, seen)
		for _, alias := range f.Aliases() {
			c.count(alias, t, i, each, seen)
		}
	}
}

func (c *census) count(f *dissect.Field, t *dissect.Tree, i int, each float64, seen map[dissect.FieldID]bool) {
	k := c.fields[f.ID()]
	if k == nil {
		k = &fieldCensus{values: map[string]float64{}}
		c.fields[f.ID()] = k
	}
	if !seen[f.ID()] {
		seen[f.ID()] = true
		k.packets += each
	}
	text := term.Value(t, i)
	if text == "" || len(text) > 40 {
		return
	}
	if _, ok := k.values[text]; !ok {
		if len(k.values) >= keptValues {
			return
		}
		k.order = append(k.order, text)
	}
	k.values[text] += each
}

// takeCensusSoon has the capture looked at when the filter line opens, and not again while little has changed.
func (m *model) takeCensusSoon() {
	passed := m.s.Passed()
	if m.census != nil && passed < m.censusAt*5/4+1000 {
		return
	}
	m.censusAt = passed
	ctx, s := m.ctx, m.s
	m.pending = append(m.pending, func() any { return takeCensus(ctx, s) })
}
