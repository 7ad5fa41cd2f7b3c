package stats

import (
	"cmp"

	"remora/dissect"
	"remora/internal/sorting"
)

// A Group is what was counted of one protocol, packet type or direction.
type Group struct {
	Count
	First, Last int64      // nanoseconds since 1970
	Gap         float64    // mean time between packets of one conversation in one direction, in seconds; 0 when unknown
	Jitter      float64    // mean difference between neighbouring gaps, in seconds
	Gaps        []GapClass // how many gaps were how long
	Sizes       []Size     // by length; others are in OtherSizes
	OtherSizes  uint64
	Sample      dissect.FrameNum // one of the packets

	cells []*cell
}

// A Type is one packet type of a protocol, or its packets without one.
type Type struct {
	Group
	Protocol   *dissect.Protocol
	Field      *dissect.Field // the packet type's field; nil: packets without a type
	Value      uint64         // the number, or the first of those with this name
	Name       string         // as the field names the value; "" without a name
	Directions [2]Group       // those of a conversation, by direction
}

// A Protocol is what was counted of packets that one protocol tops.
type Protocol struct {
	Group
	Protocol   *dissect.Protocol
	Types      []Type // most first
	Directions [2]Group
}

// Types are the protocols and packet types so far, most first. A packet with several types counts for each of them, and
// once for its protocol.
func (t *Tally) Types() []Protocol {
	t.lockToRead()
	defer t.mu.Unlock()
	byProto := map[*dissect.Protocol]*protoCells{}
	for i, c := range t.cells {
		if c == nil {
			continue
		}
		sh := t.s.LayerStack(uint32(i / directions))
		p := t.s.StackTop(sh)
		if byProto[p] == nil {
			byProto[p] = &protoCells{types: map[typeKey]*typeCells{}}
		}
		byProto[p].put(p, sh, i%directions, c)
	}
	out := make([]Protocol, 0, len(byProto))
	for p, cells := range byProto {
		out = append(out, cells.sum(p))
	}
	sorting.Func(out, func(a, b Protocol) int {
		return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(a.Protocol.Name(), b.Protocol.Name()))
	})
	return out
}

type directionCells [directions][]*cell

type typeCells struct {
	directions directionCells
	value      uint64
}

// A typeKey is a name, which several numbers may share, or a number without one.
type typeKey struct {
	name  string
	value uint64
	typed bool
}

// protoCells are a protocol's cells, and which of them are of which type.
type protoCells struct {
	all   directionCells
	types map[typeKey]*typeCells
}

func (pc *protoCells) put(p *dissect.Protocol, sh *dissect.LayerStack, dir int, c *cell) {
	pc.all[dir] = append(pc.all[dir], c)
	typed := false
	if f := p.KindField(); f != nil {
		for _, k := range sh.Kinds {
			if k.Field == f.ID() {
				typed = true
				key := typeKey{name: f.ValueName(k.Value), typed: true}
				if key.name == "" {
					key.value = k.Value
				}
				pc.put1(key, k.Value, dir, c)
			}
		}
	}
	if !typed {
		pc.put1(typeKey{}, 0, dir, c)
	}
}

func (pc *protoCells) put1(k typeKey, value uint64, dir int, c *cell) {
	w := pc.types[k]
	if w == nil {
		w = &typeCells{value: value}
		pc.types[k] = w
	}
	// once, also for a layer stack with two numbers of one name
	if cs := w.directions[dir]; len(cs) == 0 || cs[len(cs)-1] != c {
		w.directions[dir] = append(cs, c)
	}
	w.value = min(w.value, value)
}

func (pc *protoCells) sum(p *dissect.Protocol) Protocol {
	out := Protocol{Protocol: p, Group: sum(pc.all[:]...), Directions: [2]Group{sum(pc.all[0]), sum(pc.all[1])}}
	for k, w := range pc.types {
		ty := Type{Protocol: p, Value: w.value, Name: k.name, Group: sum(w.directions[:]...),
			Directions: [2]Group{sum(w.directions[0]), sum(w.directions[1])}}
		if k.typed {
			ty.Field = p.KindField()
		}
		out.Types = append(out.Types, ty)
	}
	sorting.Func(out.Types, func(a, b Type) int {
		return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(a.Value, b.Value))
	})
	return out
}

// sum puts cells together.
func sum(lists ...[]*cell) Group {
	var g Group
	var all gaps
	var sz sizes
	spread := make([]uint64, len(gapBounds))
	for _, list := range lists {
		for _, c := range list {
			g.cells = append(g.cells, c)
			if g.Packets == 0 || c.first < g.First {
				g.First, g.Sample = c.first, c.sample
			}
			g.Last = max(g.Last, c.last)
			g.Count.add(c.Count)
			all.n += c.gaps.n
			all.sum += c.gaps.sum
			all.jn += c.gaps.jn
			c.gaps.counts.sumInto(spread)
			all.jitter += c.gaps.jitter
			for i, l := range c.sizes.lengths {
				sz.addMany(l, c.sizes.counts[i])
			}
			sz.others += c.sizes.others
		}
	}
	if all.n > 0 {
		g.Gap = all.sum / float64(all.n)
	}
	if all.jn > 0 {
		g.Jitter = all.jitter / float64(all.jn)
	}
	g.Gaps = classesOf(spread)
	g.Sizes, g.OtherSizes = sz.list(), sz.others
	return g
}

// SpreadOf is how many packets of a group there were in each of w equal spans between two times, in nanoseconds since
// 1970.
func (t *Tally) SpreadOf(g *Group, from, to int64, w int) []float64 {
	t.lockToRead()
	defer t.mu.Unlock()
	out := make([]float64, w)
	for _, c := range g.cells {
		c.line.spreadInto(out, from, to)
	}
	return out
}
