package fieldstats

import (
	"context"
	"math"

	"remora/dissect"
	"remora/dissect/stats"
)

// TypeStats are those of all fields of a type.
type TypeStats struct {
	Of      dissect.FrameNum // the packet whose type it is
	packets int
	fields  map[dissect.FieldID]*FieldStats
}

// A FieldStats is the habit of one field: what it was the first time in each packet.
type FieldStats struct {
	Packets int // that have it
	values  map[string]int
	steps   map[float64]int
	last    float64 // of the packet looked at before
}

// Field is the habit of a field, or nil when no packet has it.
func (u *TypeStats) Field(f *dissect.Field) *FieldStats { return u.fields[f.ID()] }

// Bounds of what is looked at: packets of the type, packets of the index on the way to them, values told apart of a
// field.
const (
	mostPackets = 400
	mostBack    = 400_000
	mostValues  = 64
)

// OfType goes back from a packet through those of its type, from the same end of the same conversation.
func OfType(ctx context.Context, s *dissect.Session, of dissect.FrameNum) *TypeStats {
	u := &TypeStats{Of: of, fields: map[dissect.FieldID]*FieldStats{}}
	conv, dir := s.DirectionOf(of)
	sh := s.LayerStackOf(of)
	top, kind := s.StackTop(sh), s.KindText(sh)
	l := s.GuardedDissector()
	for at := of; at > 0 && u.packets < mostPackets && of-at < mostBack; at-- {
		if at%1024 == 0 && ctx.Err() != nil {
			return u
		}
		if c, d := s.DirectionOf(at); c != conv || d != dir {
			continue
		}
		if o := s.LayerStackOf(at); o == sh || s.StackTop(o) == top && s.KindText(o) == kind {
			u.add(l.Tree(at))
		}
	}
	return u
}

// add takes the first node of each field of a packet, which lies before those taken so far.
func (u *TypeStats) add(t *dissect.Tree) {
	u.packets++
	seen := map[dissect.FieldID]bool{}
	for i := range t.Nodes {
		f := t.Field(i)
		if seen[f.ID()] || f.Type() == dissect.TypeProtocol {
			continue
		}
		seen[f.ID()] = true
		h := u.fields[f.ID()]
		if h == nil {
			h = &FieldStats{values: map[string]int{}, steps: map[float64]int{}}
			u.fields[f.ID()] = h
		}
		h.Packets++
		if text := t.Value(i); h.values[text] > 0 || len(h.values) < mostValues {
			h.values[text]++
		}
		if stats.Numeric(f) {
			v := stats.Number(f, t.Nodes[i].Val)
			if h.Packets > 1 && (len(h.steps) < mostValues || h.steps[h.last-v] > 0) {
				h.steps[h.last-v]++
			}
			h.last = v
		}
	}
}

// Step is by how much a field mostly goes on, 0 when it does not.
func (h *FieldStats) Step() float64 {
	for by, n := range h.steps {
		if by != 0 && n*10 >= (h.Packets-1)*6 && !math.IsNaN(by) {
			return by
		}
	}
	return 0
}

// Mostly is the most frequent value, as it is shown, and how many packets have it. The first by its letters counts
// among equals.
func (h *FieldStats) Mostly() (value string, packets int) {
	for v, n := range h.values {
		if n > packets || n == packets && v < value {
			value, packets = v, n
		}
	}
	return value, packets
}
