// Package fieldstats tells what the fields of a capture hold: which occur, in how many packets and with which values,
// and what is usual in the packets of a type.
package fieldstats

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"remora/dissect"
	"remora/ui/term"
)

// A Capture is what occurs in a capture: it looks at a few packets of every shape, which is soon done however many
// packets there are, and reckons from how many have the shape. Its counts are estimates.
type Capture struct {
	fields map[dissect.FieldID]*Field
}

// Field is what is known of one field in the capture.
type Field struct {
	Packets float64            // reckoned
	Values  map[string]float64 // some of its values, as filters write them, with the packets reckoned for each
	Order   []string           // as they were met

	low, high span
	wordy     bool // a value was no number
}

// A span is an end of the values met.
type span struct {
	at   float64
	text string
}

// fewValues is how many values of a number are named one by one.
const fewValues = 4

// Span is the least and the greatest value that was met of a number with more than a few of them.
func (k *Field) Span() (low, high string, ok bool) {
	return k.low.text, k.high.text, !k.wordy && len(k.Values) > fewValues
}

// reach makes the span of values hold one more.
func (k *Field) reach(text string) {
	if k.wordy {
		return
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		var n int64
		n, err = strconv.ParseInt(text, 0, 64)
		v = float64(n)
	}
	k.wordy = err != nil
	if k.low.text == "" || v < k.low.at {
		k.low = span{v, text}
	}
	if k.high.text == "" || v > k.high.at {
		k.high = span{v, text}
	}
}

// Field is what is known of a field, or nil when it was not met. Where no count was taken nothing was met.
func (c *Capture) Field(f *dissect.Field) *Field {
	if c == nil {
		return nil
	}
	return c.fields[f.ID()]
}

// sampled is how many packets of each shape are looked at, and keptValues how many values are kept of a field.
const (
	sampled    = 6
	keptValues = 24
)

// OfCapture looks at packets that are spread over the capture. It reads the index until every shape has enough.
func OfCapture(ctx context.Context, s *dissect.Session) *Capture {
	c := &Capture{fields: map[dissect.FieldID]*Field{}}
	end := s.Passed()
	samples := map[uint32][]dissect.FrameNum{}
	for step := max(1, end/200_000); ; step = max(1, step/4) { // at most as many as that in each round
		missing := false
		for n := 1; n <= end; n += step {
			if n%65536 == 0 && ctx.Err() != nil {
				return c
			}
			id := s.LayerStackOf(dissect.FrameNum(n)).ID
			if list := samples[id]; len(list) < sampled {
				samples[id] = append(list, dissect.FrameNum(n))
			}
		}
		for id := range s.LayerStacks() {
			missing = missing || len(samples[uint32(id)]) == 0
		}
		if step == 1 || !missing {
			break
		}
	}
	l := s.GuardedDissector()
	for _, id := range slices.Sorted(maps.Keys(samples)) { // the same way every time
		frames := samples[id]
		each := float64(s.LayerStack(id).Frames.Load()) / float64(len(frames))
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
func (c *Capture) add(t *dissect.Tree, each float64) {
	seen := map[dissect.FieldID]bool{}
	for i := range t.Nodes {
		f := t.Field(i)
		c.count(f, t, i, each, seen)
		for _, alias := range f.Aliases() {
			c.count(alias, t, i, each, seen)
		}
	}
}

func (c *Capture) count(f *dissect.Field, t *dissect.Tree, i int, each float64, seen map[dissect.FieldID]bool) {
	k := c.fields[f.ID()]
	if k == nil {
		k = &Field{Values: map[string]float64{}}
		c.fields[f.ID()] = k
	}
	if !seen[f.ID()] {
		seen[f.ID()] = true
		k.Packets += each
	}
	text := term.Value(t, i)
	if text == "" || len(text) > 40 {
		return
	}
	k.reach(text)
	if _, ok := k.Values[text]; !ok {
		if len(k.Values) >= keptValues {
			return
		}
		k.Order = append(k.Order, text)
	}
	k.Values[text] += each
}
