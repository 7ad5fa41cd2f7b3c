package order

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"remora/dissect"
	"remora/ui/columns"
	"remora/ui/compare"
)

func cores() int { return runtime.GOMAXPROCS(0) }

// sortTextBytes is how much of a text packets are sorted by. What begins with as many equal bytes stays in capture
// order.
const sortTextBytes = 64

// fill gives the keys what they are sorted by. Where the index knows it, no packet is looked at.
func (s *sorter) fill(ctx context.Context, keys []sortKey) bool {
	store := s.s.Store()
	switch s.by.Kind {
	case columns.No:
		return s.each(ctx, keys, func() func(*dissect.Dissector, *sortKey, dissect.FrameNum) {
			return func(l *dissect.Dissector, k *sortKey, n dissect.FrameNum) { k.number = uint64(n) }
		})
	case columns.Time:
		return s.each(ctx, keys, func() func(*dissect.Dissector, *sortKey, dissect.FrameNum) {
			return func(l *dissect.Dissector, k *sortKey, n dissect.FrameNum) { k.number = signed(store.Time(int(n) - 1)) }
		})
	case columns.Delta:
		s.deltas(keys)
		return ctx.Err() == nil
	case columns.DeltaConversation, columns.DeltaType:
		return s.byGap(ctx, keys)
	case columns.Length:
		return s.each(ctx, keys, func() func(*dissect.Dissector, *sortKey, dissect.FrameNum) {
			return func(l *dissect.Dissector, k *sortKey, n dissect.FrameNum) {
				k.number = uint64(store.Meta(int(n) - 1).Len)
			}
		})
	case columns.Protocol:
		return s.byShape(ctx, keys, func(sh *dissect.LayerStack) string { return s.s.StackTop(sh).Title() })
	case columns.Type:
		return s.byShape(ctx, keys, s.s.KindText)
	case columns.Source, columns.Destination:
		return s.byEnd(ctx, keys, s.by.Kind == columns.Destination)
	case columns.Value:
		return s.byField(ctx, keys)
	}
	return s.byLook(ctx, keys, nil, func(k *sortKey, t *dissect.Tree) { s.setText(k, t.Info()) })
}

// each fills the keys on all cores; every core has a function of its own.
func (s *sorter) each(ctx context.Context, keys []sortKey,
	worker func() func(*dissect.Dissector, *sortKey, dissect.FrameNum)) bool {
	return inChunks(ctx, len(keys), sortChunk/16, func() func(lo, hi int) {
		fill, guard := worker(), s.s.Guard()
		return func(lo, hi int) {
			i := lo
			guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the packet that it hangs in
				for ; i < hi; i++ {
					fill(l, &keys[i], s.frame(int(keys[i].row)))
				}
			})
			s.job.done.Add(int64(hi - lo))
		}
	})
}

// deltas are the times since the packet shown before.
func (s *sorter) deltas(keys []sortKey) {
	store := s.s.Store()
	for i := range keys {
		if i == 0 {
			keys[i].none = true
			continue
		}
		keys[i].number = signed(store.Time(int(s.frame(i))-1) - store.Time(int(s.frame(i-1))-1))
	}
}

// signed makes an order of unsigned numbers that of signed ones.
func signed(v int64) uint64 { return uint64(v) ^ 1<<63 }

// byShape sorts by a text that all packets of a shape have in common: there are few shapes.
func (s *sorter) byShape(ctx context.Context, keys []sortKey, text func(*dissect.LayerStack) string) bool {
	texts := make([]string, s.s.LayerStacks())
	for i := range texts {
		texts[i] = strings.ToLower(text(s.s.LayerStack(uint32(i))))
	}
	rank := ranks(texts, cmp.Compare[string])
	return s.each(ctx, keys, func() func(*dissect.Dissector, *sortKey, dissect.FrameNum) {
		return func(l *dissect.Dissector, k *sortKey, n dissect.FrameNum) {
			id := s.s.LayerStackID(n)
			if int(id) >= len(rank) {
				return // a shape that came meanwhile
			}
			k.number, k.none = uint64(rank[id]), texts[id] == ""
		}
	})
}

// ranks are the places of values among the different ones.
func ranks[T comparable](values []T, compare func(a, b T) int) []uint32 {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, compare)
	sorted = slices.Compact(sorted)
	at := make(map[T]uint32, len(sorted))
	for i, v := range sorted {
		at[v] = uint32(i)
	}
	out := make([]uint32, len(values))
	for i, v := range values {
		out[i] = at[v]
	}
	return out
}

// byEnd sorts by the address and port of one end. Conversations know them; only packets without one, and those of
// tunnels, are looked at.
func (s *sorter) byEnd(ctx context.Context, keys []sortKey, dest bool) bool {
	var mu sync.Mutex
	ids := map[dissect.Endpoint]uint32{}
	var ends []dissect.Endpoint
	idOf := func(e dissect.Endpoint) uint32 {
		mu.Lock()
		defer mu.Unlock()
		id, ok := ids[e]
		if !ok {
			id = uint32(len(ends))
			ids[e], ends = id, append(ends, e)
		}
		return id
	}
	if !s.each(ctx, keys, func() func(*dissect.Dissector, *sortKey, dissect.FrameNum) {
		plain := map[uint32]bool{}
		return func(l *dissect.Dissector, k *sortKey, n dissect.FrameNum) {
			k.number = uint64(idOf(s.endOf(l, plain, n, dest)))
		}
	}) {
		return false
	}
	rank := ranks(ends, compare.Ends)
	for i := range keys {
		id := keys[i].number
		keys[i].number, keys[i].none = uint64(rank[id]), ends[id].Addr.IsZero()
	}
	return true
}

func (s *sorter) endOf(l *dissect.Dissector, plain map[uint32]bool, n dissect.FrameNum, dest bool) dissect.Endpoint {
	id, dir := s.s.DirectionOf(n)
	shape := s.s.LayerStackID(n)
	simple, known := plain[shape]
	if !known {
		simple = s.oneNetwork(s.s.LayerStack(shape))
		plain[shape] = simple
	}
	if id == 0 || !simple {
		t := l.Tree(n)
		if dest {
			return t.Dst
		}
		return t.Src
	}
	c := s.s.Conversation(id)
	if (dir == 1) != dest {
		return c.B
	}
	return c.A
}

// oneNetwork tells whether packets of a shape have one layer with addresses, so that the conversation's are those that
// the list names.
func (s *sorter) oneNetwork(sh *dissect.LayerStack) bool {
	networks := slices.DeleteFunc(s.s.Registry().EndLayers(),
		func(l dissect.NamedEndLayer) bool { return l.Source == nil || !isIP(l.Source.Type()) })
	count := 0
	for _, p := range s.s.StackProtocols(sh) {
		if slices.ContainsFunc(networks, func(l dissect.NamedEndLayer) bool { return l.Protocol == p }) {
			count++
		}
	}
	return count == 1
}

func isIP(t dissect.Type) bool { return t == dissect.TypeIPv4 || t == dissect.TypeIPv6 }

// byField sorts by the first value of a field.
func (s *sorter) byField(ctx context.Context, keys []sortKey) bool {
	f := s.by.Field
	number := sortsAsNumber(f)
	return s.byLook(ctx, keys, s.s.Registry().Wants(f), func(k *sortKey, t *dissect.Tree) {
		i := t.Find(f)
		switch {
		case i < 0:
			k.none = true
		case number:
			k.number = orderedNumber(f, t.Nodes[i].Val)
		default:
			s.setText(k, t.Value(i))
		}
	})
}

// byLook sorts by what is seen in the packets; nothing wanted is everything.
func (s *sorter) byLook(ctx context.Context, keys []sortKey, wants *dissect.Wants,
	fill func(k *sortKey, t *dissect.Tree)) bool {
	if wants == nil || !sortsAsNumber(s.by.Field) {
		s.texts = make([]string, len(keys))
	}
	return s.each(ctx, keys, func() func(*dissect.Dissector, *sortKey, dissect.FrameNum) {
		return func(l *dissect.Dissector, k *sortKey, n dissect.FrameNum) {
			if wants == nil {
				fill(k, l.Tree(n))
			} else {
				fill(k, l.Redissect(n, wants))
			}
		}
	})
}

// setText makes a text, without regard to case, what a packet is sorted by.
func (s *sorter) setText(k *sortKey, text string) {
	var first [8]byte
	text = strings.ToLower(text[:min(len(text), sortTextBytes)])
	n := copy(first[:], text)
	k.number, k.none = binary.BigEndian.Uint64(first[:]), text == ""
	s.texts[k.row] = strings.Clone(text[n:])
}

func sortsAsNumber(f *dissect.Field) bool {
	switch f.Type() {
	case dissect.TypeUint, dissect.TypeInt, dissect.TypeFloat, dissect.TypeBool, dissect.TypeFrame, dissect.TypeSpan,
		dissect.TypeTime, dissect.TypeIPv4, dissect.TypeEther:
		return true
	}
	return false
}

// orderedNumber makes the order of a field's values that of unsigned numbers.
func orderedNumber(f *dissect.Field, v uint64) uint64 {
	switch f.Type() {
	case dissect.TypeInt, dissect.TypeSpan, dissect.TypeTime:
		return signed(int64(v))
	case dissect.TypeFloat:
		if x := math.Float64frombits(v); x < 0 || math.Signbit(x) {
			return ^v
		}
		return v | 1<<63
	}
	return v
}

// byGap sorts by the time since the last packet of the conversation, or of the type in it: one walk through all
// packets.
func (s *sorter) byGap(ctx context.Context, keys []sortKey) bool {
	store, last := s.s.Store(), map[compare.Likeness]int64{}
	next := 0
	for n := dissect.FrameNum(1); next < len(keys); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return false
		}
		like := compare.Likeness{Conv: s.s.ConversationOf(n)}
		if s.by.Kind == columns.DeltaType {
			like = compare.LikenessOf(s.s, n)
		}
		at := store.Time(int(n) - 1)
		if s.frame(next) == n {
			was, ok := last[like]
			keys[next].number, keys[next].none = signed(at-was), !ok || like.Conv == 0
			next++
			s.job.done.Add(1)
		}
		last[like] = at
	}
	return true
}
