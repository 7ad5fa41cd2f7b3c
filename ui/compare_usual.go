package ui

import (
	"context"
	"math"
	"strconv"

	"remora/dissect"
	"remora/dissect/stats"
)

// What is usual in the packets of a type: which value a field mostly has, or by how much it mostly goes on from one packet
// to the next.

// usuals are the habits of all fields of a type, found beside the screen.
type usuals struct {
	of      dissect.FrameNum
	packets int
	fields  map[dissect.FieldID]*fieldHabit
}

type fieldHabit struct {
	n      int
	values map[string]int
	steps  map[float64]int
	last   float64 // of the packet looked at before
}

// Bounds of what is looked at: packets of the type, packets of the index on the way to them, values told apart of a field.
const (
	usualPackets = 400
	usualBack    = 400_000
	usualValues  = 64
)

// takeUsuals goes back from a packet through those of its type, from the same end of the same conversation.
func takeUsuals(ctx context.Context, s *dissect.Session, of dissect.FrameNum) *usuals {
	u := &usuals{of: of, fields: map[dissect.FieldID]*fieldHabit{}}
	conv, dir := s.TalkOf(of)
	sh := s.ShapeOf(of)
	top, kind := s.ShapeTop(sh), s.KindText(sh)
	l := s.Looker()
	for at := of; at > 0 && u.packets < usualPackets && of-at < usualBack; at-- {
		if at%1024 == 0 && ctx.Err() != nil {
			return u
		}
		if c, d := s.TalkOf(at); c != conv || d != dir {
			continue
		}
		if o := s.ShapeOf(at); o == sh || s.ShapeTop(o) == top && s.KindText(o) == kind {
			u.add(l.Tree(at))
		}
	}
	return u
}

// add takes the first node of each field of a packet, which lies before those taken so far.
func (u *usuals) add(t *dissect.Tree) {
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
			h = &fieldHabit{values: map[string]int{}, steps: map[float64]int{}}
			u.fields[f.ID()] = h
		}
		h.n++
		if text := t.Value(i); h.values[text] > 0 || len(h.values) < usualValues {
			h.values[text]++
		}
		if stats.Numeric(f) {
			v := numberOf(t, i)
			if h.n > 1 && (len(h.steps) < usualValues || h.steps[h.last-v] > 0) {
				h.steps[h.last-v]++
			}
			h.last = v
		}
	}
}

// step is by how much a field mostly goes on, 0 when it does not.
func (h *fieldHabit) step() float64 {
	for by, n := range h.steps {
		if by != 0 && n*10 >= (h.n-1)*6 && !math.IsNaN(by) {
			return by
		}
	}
	return 0
}

// text says what is usual of a field.
func (u *usuals) text(m *model, f *dissect.Field) string {
	h := u.fields[f.ID()]
	if h == nil || h.n < 3 {
		return ""
	}
	if by := h.step(); by != 0 {
		return stepOf(f, by) + " each time"
	}
	best, most := "", 0
	for v, n := range h.values {
		if n > most || n == most && v < best {
			best, most = v, n
		}
	}
	switch {
	case most == h.n:
		return "always " + best
	case most*2 < h.n:
		return "varies"
	}
	return best + m.glyph("  ≈ ", "  ~") + strconv.Itoa(most*100/h.n) + " %"
}

// stepOf writes by how much a number changed.
func stepOf(f *dissect.Field, by float64) string {
	if f.Type() == dissect.TypeSpan {
		return withSign(strconv.FormatFloat(by/1e6, 'f', 2, 64), by) + " ms"
	}
	return withSign(strconv.FormatFloat(by, 'f', -1, 64), by)
}

func withSign(text string, v float64) string {
	if v > 0 {
		return "+" + text
	}
	return text
}

// change is by how much a line's number changed, or "" when it is no number. Numbers with names change to something else,
// not by an amount.
func (v *compareView) change(c compared) (text string, by float64) {
	f := v.field(c)
	if c.a < 0 || c.b < 0 || c.same || !stats.Numeric(f) || f.IsKind() {
		return "", 0
	}
	a, b := v.a.Nodes[c.a].Val, v.b.Nodes[c.b].Val
	if f.ValueName(a) != "" || f.ValueName(b) != "" {
		return "", 0
	}
	by = stats.Number(f, b) - stats.Number(f, a)
	if math.IsNaN(by) || math.IsInf(by, 0) {
		return "", 0
	}
	return stepOf(f, by), by
}

// unusual tells whether a field of neighbouring packets went on by another amount than it mostly does.
func (v *compareView) unusual(c compared) bool {
	if !v.neighbours || v.usual == nil || c.b < 0 {
		return false
	}
	h := v.usual.fields[v.field(c).ID()]
	if h == nil || h.n < 8 || h.step() == 0 || c.a < 0 {
		return false
	}
	by := 0.0
	if !c.same {
		_, by = v.change(c)
	}
	return by != h.step()
}
