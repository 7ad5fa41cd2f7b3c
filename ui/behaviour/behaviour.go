// Package behaviour tells how a field, or some bytes, behaved in the last packets of a type.
package behaviour

import (
	"cmp"
	"context"
	"slices"

	"remora/internal/sorting"
	"remora/ui/compare"

	"remora/dissect"
	"remora/dissect/stats"
)

// A Behaviour is how a field, or some bytes, behaved in the last packets of the type from the same end.
type Behaviour struct {
	Place
	Done     bool
	Packets  int       // packets that had it
	Values   []float64 // of a number, oldest first
	Distinct int
	Low      string
	High     string
	Bytes    []Byte
	Common   []ValueCount // what it said, the most usual first
	More     int          // values beside those
}

// A ValueCount is a value that a field had: how often, and the newest packet with it.
type ValueCount struct {
	Text  string
	N     int
	Frame dissect.FrameNum
}

// A Place is what is looked at: bytes at an offset within the field of its turn in a packet; all of the field without a
// length.
type Place struct {
	Of       dissect.FrameNum
	Field    *dissect.Field
	Nth      int
	From, N  int
	Absolute int // where it begins in the packet
}

// A Byte is how often a byte had each value.
type Byte struct {
	At     int // in the packet
	counts [256]uint32
}

// MostBytes is how many bytes of each packet are looked at, watched how many packets of the type, and watchedBack how
// far back.
const (
	maxPackets = 2000
	MostBytes  = 64
	maxBack    = 400_000
)

// Of goes back through the packets of the same type and end as one, and takes what is watched from each.
func Of(ctx context.Context, s *dissect.Session, p Place) Behaviour {
	b, like := Behaviour{Place: p, Done: true}, compare.LikenessOf(s, p.Of)
	l, wants := s.GuardedDissector(), s.Registry().Wants(p.Field)
	seen, counts := map[uint64]bool{}, map[string]*ValueCount{}
	var low, high uint64
	same := map[uint32]bool{} // by shape
	for at := p.Of; at > 0 && b.Packets < maxPackets && p.Of-at < maxBack; at-- {
		if at%1024 == 0 && ctx.Err() != nil {
			return Behaviour{}
		}
		if conv, dir := s.DirectionOf(at); conv != like.Conv || dir != like.Dir {
			continue
		}
		shape := s.LayerStackID(at)
		alike, known := same[shape]
		if !known {
			alike = compare.LikenessOf(s, at) == like
			same[shape] = alike
		}
		if !alike {
			continue
		}
		t := l.Redissect(at, wants)
		i := nthOf(t, p.Field, p.Nth)
		if i < 0 {
			continue
		}
		b.Packets++
		b.takeBytes(t, i)
		b.countValue(counts, t, i, at)
		if p.N > 0 || !stats.Plottable(p.Field) {
			continue
		}
		v, number := t.Nodes[i].Val, stats.Number(p.Field, t.Nodes[i].Val)
		if len(b.Values) == 0 || number < stats.Number(p.Field, low) {
			low, b.Low = v, t.Value(i)
		}
		if len(b.Values) == 0 || number > stats.Number(p.Field, high) {
			high, b.High = v, t.Value(i)
		}
		seen[v] = true
		b.Values = append(b.Values, number)
	}
	b.Distinct = len(seen)
	b.keepCommon(counts)
	slices.Reverse(b.Values) // oldest first
	return b
}

// Bounds of the values told apart, and of those shown.
const (
	maxDistinct = 512
	valuesShown = 6
)

// countValue counts what the field says in a packet.
func (b *Behaviour) countValue(counts map[string]*ValueCount, t *dissect.Tree, i int, at dissect.FrameNum) {
	if b.N > 0 || b.Field.Type() == dissect.TypeNone {
		return
	}
	text := t.Value(i)
	v := counts[text]
	if v == nil {
		if len(counts) >= maxDistinct {
			b.More++ // values, or the same one again: at least one
			return
		}
		v = &ValueCount{Text: text, Frame: at}
		counts[text] = v
	}
	v.N++
}

// keepCommon keeps the most usual values.
func (b *Behaviour) keepCommon(counts map[string]*ValueCount) {
	for _, v := range counts {
		b.Common = append(b.Common, *v)
	}
	sorting.Func(b.Common, func(x, y ValueCount) int {
		return cmp.Or(y.N-x.N, int(y.Frame)-int(x.Frame))
	})
	if len(b.Common) > valuesShown {
		b.More += len(b.Common) - valuesShown
		b.Common = b.Common[:valuesShown]
	}
}

// nthOf is the node of a field by its turn, or -1.
func nthOf(t *dissect.Tree, f *dissect.Field, nth int) int {
	for i := range t.Nodes {
		if t.Nodes[i].Field == f.ID() {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	return -1
}

// takeBytes counts the values of the bytes of a node.
func (b *Behaviour) takeBytes(t *dissect.Tree, i int) {
	n := t.Nodes[i]
	from, length := int(n.Off)+b.From, b.N
	if length == 0 {
		length = min(int(n.Len), MostBytes)
	}
	data := t.Source(n.Src)
	for k := range length {
		if from+k >= len(data) {
			return
		}
		if k == len(b.Bytes) {
			b.Bytes = append(b.Bytes, Byte{At: b.Absolute + k})
		}
		b.Bytes[k].Count(data[from+k])
	}
}

// Count counts a value that the byte had.
func (h *Byte) Count(value byte) { h.counts[value]++ }

// Distinct is how many values a byte had.
func (h *Byte) Distinct() (n int) {
	for _, c := range h.counts {
		if c > 0 {
			n++
		}
	}
	return n
}

// Bars are how often the values fell into each of w equal parts between the lowest and the highest.
func (h *Byte) Bars(w int) []float64 {
	low, high := 256, 0
	for v, c := range h.counts {
		if c > 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	out := make([]float64, w)
	for v, c := range h.counts {
		if c > 0 {
			out[(v-low)*w/(high-low+1)] += float64(c)
		}
	}
	return out
}
