package ui

import (
	"cmp"
	"context"
	"remora/ui/view/plot"
	"slices"

	"remora/dissect"
	"remora/dissect/stats"
)

// A behaviour is how the selected field, or the bytes picked, behaved in the last packets of the type from the same end.
type behaviour struct {
	place
	done     bool
	looked   int       // packets that had it
	values   []float64 // of a number, oldest first
	distinct int
	low      string
	high     string
	bytes    []byteHabit
	told     []toldValue // what it said, the most usual first
	more     int         // values beside those
	cancel   context.CancelFunc
}

// A toldValue is a value that a field had: how often, and the newest packet with it.
type toldValue struct {
	text  string
	n     int
	frame dissect.FrameNum
}

// A place is what is watched: bytes at an offset within the field of its turn in a packet; all of the field without a length.
type place struct {
	of       dissect.FrameNum
	field    *dissect.Field
	nth      int
	from, n  int
	absolute int // where it begins in the packet
}

// A byteHabit is how often a byte had each value.
type byteHabit struct {
	at     int
	counts [256]uint32
}

// watched is how many packets of the type are looked at, watchedBytes how many bytes of each, and watchedBack how far back.
const (
	watched      = 2000
	watchedBytes = 64
	watchedBack  = 400_000
)

// watch begins to look at how what is selected behaved; the result comes as a message.
func (m *model) watch() {
	p, ok := m.watchedPlace()
	if !ok {
		m.stopWatching()
		m.habit = behaviour{}
		return
	}
	if m.habit.place == p {
		return
	}
	m.stopWatching()
	ctx, cancel := context.WithCancel(m.ctx)
	was := m.habit
	m.habit = behaviour{place: p, cancel: cancel}
	if was.field == p.field { // shown until the next is known, as holding * would make it flicker
		m.habit.values, m.habit.bytes, m.habit.looked = was.values, was.bytes, was.looked
	}
	s := m.s
	m.pending = append(m.pending, func() any {
		defer m.guard("looking at the packets before")
		return watchPlace(ctx, s, p)
	})
}

// watchedPlace is the field selected, or the bytes picked as a part of their protocol.
func (m *model) watchedPlace() (p place, ok bool) {
	i := m.selectedNode()
	if m.tree == nil || i < 0 || m.ignored[m.cur] {
		return p, false
	}
	p.of = m.cur
	if lo, hi, picked := m.pickedBytes(); picked && m.hex.src == 0 {
		for i >= 0 && m.tree.Field(i).Type() != dissect.TypeProtocol {
			i = m.tree.Parent(i)
		}
		if i < 0 || int(m.tree.Nodes[i].Off) > lo {
			return p, false
		}
		p.from, p.n, p.absolute = lo-int(m.tree.Nodes[i].Off), min(hi-lo, watchedBytes), lo
	} else {
		p.absolute = int(m.tree.Nodes[i].Off)
	}
	p.field = m.tree.Field(i)
	for j := range i {
		if m.tree.Nodes[j].Field == m.tree.Nodes[i].Field {
			p.nth++
		}
	}
	return p, p.n > 0 || p.field.Type() != dissect.TypeProtocol && (m.tree.Nodes[i].Len > 0 || plot.Plottable(p.field))
}

func (m *model) stopWatching() {
	if m.habit.cancel != nil {
		m.habit.cancel()
		m.habit.cancel = nil
	}
}

func (m *model) onBehaviour(b behaviour) {
	if b.done && b.place == m.habit.place {
		m.habit = b
	}
}

// watchPlace goes back through the packets of the same type and end as one, and takes what is watched from each.
func watchPlace(ctx context.Context, s *dissect.Session, p place) behaviour {
	b, like := behaviour{place: p, done: true}, likenessOf(s, p.of)
	l, wants := s.Dissector(), s.Registry().Wants(p.field)
	seen, told := map[uint64]bool{}, map[string]*toldValue{}
	var low, high uint64
	same := map[uint32]bool{} // by shape
	for at := p.of; at > 0 && b.looked < watched && p.of-at < watchedBack; at-- {
		if at%1024 == 0 && ctx.Err() != nil {
			return behaviour{}
		}
		if conv, dir := s.DirectionOf(at); conv != like.conv || dir != like.dir {
			continue
		}
		shape := s.LayerStackID(at)
		alike, known := same[shape]
		if !known {
			alike = likenessOf(s, at) == like
			same[shape] = alike
		}
		if !alike {
			continue
		}
		t := l.Redissect(at, wants)
		i := nthOf(t, p.field, p.nth)
		if i < 0 {
			continue
		}
		b.looked++
		b.takeBytes(t, i)
		b.tellValue(told, t, i, at)
		if p.n > 0 || !plot.Plottable(p.field) {
			continue
		}
		v, number := t.Nodes[i].Val, stats.Number(p.field, t.Nodes[i].Val)
		if len(b.values) == 0 || number < stats.Number(p.field, low) {
			low, b.low = v, t.Value(i)
		}
		if len(b.values) == 0 || number > stats.Number(p.field, high) {
			high, b.high = v, t.Value(i)
		}
		seen[v] = true
		b.values = append(b.values, number)
	}
	b.distinct = len(seen)
	b.keepTold(told)
	slices.Reverse(b.values) // oldest first
	return b
}

// Bounds of the values told apart, and of those shown.
const (
	toldApart = 512
	toldShown = 6
)

// tellValue counts what the field says in a packet.
func (b *behaviour) tellValue(told map[string]*toldValue, t *dissect.Tree, i int, at dissect.FrameNum) {
	if b.n > 0 || b.field.Type() == dissect.TypeNone {
		return
	}
	text := t.Value(i)
	v := told[text]
	if v == nil {
		if len(told) >= toldApart {
			b.more++ // values, or the same one again: at least one
			return
		}
		v = &toldValue{text: text, frame: at}
		told[text] = v
	}
	v.n++
}

// keepTold keeps the most usual values.
func (b *behaviour) keepTold(told map[string]*toldValue) {
	for _, v := range told {
		b.told = append(b.told, *v)
	}
	slices.SortFunc(b.told, func(x, y toldValue) int {
		return cmp.Or(y.n-x.n, int(y.frame)-int(x.frame))
	})
	if len(b.told) > toldShown {
		b.more += len(b.told) - toldShown
		b.told = b.told[:toldShown]
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
func (b *behaviour) takeBytes(t *dissect.Tree, i int) {
	n := t.Nodes[i]
	from, length := int(n.Off)+b.from, b.n
	if length == 0 {
		length = min(int(n.Len), watchedBytes)
	}
	data := t.Source(n.Src)
	for k := range length {
		if from+k >= len(data) {
			return
		}
		if k == len(b.bytes) {
			b.bytes = append(b.bytes, byteHabit{at: b.absolute + k})
		}
		b.bytes[k].counts[data[from+k]]++
	}
}

// distinct is how many values a byte had.
func (h *byteHabit) distinct() (n int) {
	for _, c := range h.counts {
		if c > 0 {
			n++
		}
	}
	return n
}

// bars are how often the values fell into each of w equal parts between the lowest and the highest.
func (h *byteHabit) bars(w int) []float64 {
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
