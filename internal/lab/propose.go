package lab

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// fewest messages say something about a field.
const fewest = 4

// propose goes over the bytes that all messages of the group have, and takes the likeliest field at each place.
func (g *Group) propose(in orders) {
	g.orders, g.Fields = in, nil
	for off := 0; off < g.Min; {
		if len(g.Messages) >= fewest && packedBy(g.Messages[0].Data[off:]) != "" {
			if kind, name := g.dense(off, 0); kind == Compressed { // up to the end
				g.Fields = append(g.Fields, Field{Kind: kind, Off: off, Note: name, Confidence: 0.9})
				return
			}
		}
		f := g.at(off)
		if n := len(g.Fields); n > 0 && joins(g.Fields[n-1], f) {
			g.Fields[n-1].Size += f.Size
		} else {
			g.Fields = append(g.Fields, f)
		}
		off += f.Size
	}
	g.filler()
	if g.Max > g.Min {
		g.Fields = append(g.Fields, g.tail())
	}
	for i := range g.Fields {
		if f := &g.Fields[i]; f.Kind == Unknown && f.Size >= 16 {
			f.Kind, f.Note = g.dense(f.Off, f.Size)
		}
	}
}

// filler makes unknown bytes of single bytes in a row that all count: a pattern that fills a message.
func (g *Group) filler() {
	var out []Field
	for i := 0; i < len(g.Fields); {
		n := i
		for n < len(g.Fields) && g.Fields[n].Kind == Counter && g.Fields[n].Size == 1 {
			n++
		}
		if n-i >= 3 {
			out = append(out, Field{Kind: Unknown, Off: g.Fields[i].Off, Size: n - i})
			i = n
			continue
		}
		out = append(out, g.Fields[i])
		i++
	}
	g.Fields = out
}

// joins tells that two neighbours are one: unknown bytes, and text.
func joins(a, b Field) bool {
	return a.Kind == b.Kind && (a.Kind == Unknown || a.Kind == Text) ||
		a.Kind == Constant && b.Kind == Constant && a.Value == 0 && b.Value == 0
}

// at is the field that begins at an offset.
func (g *Group) at(off int) Field {
	for _, m := range g.Match {
		if m.Off == off {
			return Field{Kind: Type, Off: off, Size: m.Size, Value: m.Value, Confidence: 0.9}
		}
	}
	if w := g.Framing; w != nil && w.Off == off {
		return Field{Kind: Length, Off: off, Size: w.Size, Little: w.Little, Confidence: 1,
			Note: fmt.Sprintf("%d bytes more", w.Plus)}
	}
	if len(g.Messages) >= fewest {
		for _, try := range []func(int) (Field, bool){g.checksum, g.length, g.byOne, g.time, g.counter, g.real, g.flags} {
			if f, ok := try(off); ok {
				return f
			}
		}
	}
	return g.plain(off)
}

func (g *Group) hitsType(f Field) bool {
	return slices.ContainsFunc(g.Match, func(m Match) bool { return f.Off < m.Off+m.Size && m.Off < f.Off+f.Size })
}

// each tries a field's sizes and orders.
func (g *Group) each(off int, sizes []int, is func(f Field) (Field, bool)) (Field, bool) {
	for _, size := range sizes {
		if off+size > g.Min || g.Framing.holds(off, size) {
			continue
		}
		for _, little := range []bool{true, false} {
			if size > 1 && (g.orders == littleOnly && !little || g.orders == bigOnly && little) {
				continue
			}
			if f := (Field{Off: off, Size: size, Little: little}); !g.hitsType(f) {
				if f, ok := is(f); ok {
					return f, true
				}
			}
			if size == 1 {
				break
			}
		}
	}
	return Field{}, false
}

// length finds numbers that say how many bytes the message has, or how many things of a size. Few messages may be
// other: programs send damaged ones.
func (g *Group) length(off int) (Field, bool) {
	if g.Min == g.Max {
		return Field{}, false
	}
	return g.each(off, []int{4, 2, 1}, func(f Field) (Field, bool) {
		for _, each := range []int{1, 2, 4, 8, 3, 6, 12, 16} {
			if f, ok := g.line(f, each); ok {
				return f, true
			}
		}
		return f, false
	})
}

// line tells whether lengths are a multiple of the numbers, and what is added.
func (g *Group) line(f Field, each int) (Field, bool) {
	rests := map[int]int{}
	most, rest := 0, 0
	for _, m := range g.Messages {
		v := value(m.Data, f.Off, f.Size, f.Little)
		if v > 1<<20 {
			continue
		}
		r := len(m.Data) - each*int(v)
		if rests[r]++; rests[r] > most {
			most, rest = rests[r], r
		}
	}
	n := len(g.Messages)
	if rest < 0 || rest > 64 || most*100 < n*93 || n < 2*fewest && most < n {
		return f, false
	}
	seen, lengths := map[int]int{}, map[int]int{}
	for _, m := range g.Messages {
		lengths[len(m.Data)]++
		if v := value(m.Data, f.Off, f.Size, f.Little); len(m.Data) == each*int(min(v, 1<<20))+rest {
			seen[len(m.Data)]++
		}
	}
	usual := 0 // the commonest length may stand beside any number
	for l, c := range lengths {
		if c > lengths[usual] || c == lengths[usual] && l < usual {
			usual = l
		}
	}
	if other := most - seen[usual]; len(seen) < 2 || other < 3 || other*10 < (n-lengths[usual])*8 {
		return f, false
	}
	f.Kind, f.Note = Length, fmt.Sprintf("%d bytes more", rest)
	f.Confidence = float64(most) / float64(n) * (1 - 1/float64(len(seen)+2))
	if each > 1 {
		f.Kind, f.Note = Count, fmt.Sprintf("of %d bytes each, behind %d", each, rest)
	}
	f.Value = uint64(rest)
	return f, true
}

// flows are the numbers of each direction of each conversation, in order.
func (g *Group) flows(f Field) (out [][]uint64, times [][]int64) {
	type key struct {
		flow uint32
		dir  int
	}
	at := map[key]int{}
	for _, m := range g.Messages {
		k := key{m.Flow, m.Direction}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out, times = append(out, nil), append(times, nil)
		}
		out[i] = append(out[i], value(m.Data, f.Off, f.Size, f.Little))
		times[i] = append(times[i], m.Time)
	}
	return out, times
}

// units are those of timestamps, in nanoseconds.
var units = []struct {
	name string
	ns   float64
}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}}

// time finds numbers that grow as the clock does.
func (g *Group) time(off int) (Field, bool) {
	return g.each(off, []int{8, 4}, func(f Field) (Field, bool) {
		if g.coarse(f) {
			return f, false
		}
		flows, times := g.flows(f)
		for _, u := range units {
			if f.Size == 4 && u.ns == 1 {
				break // they would begin anew every four seconds
			}
			good, all := 0, 0
			for i, vs := range flows {
				for j := 1; j < len(vs); j++ {
					dt := float64(times[i][j] - times[i][j-1])
					dv := float64(int64(vs[j]-vs[j-1])) * u.ns
					if dt < 2*u.ns || dt < 1e6 {
						continue
					}
					all++
					if math.Abs(dv-dt) < math.Max(0.1*dt, 3e6) && dv > 0 {
						good++
					}
				}
			}
			if all >= fewest && good*10 >= all*8 {
				f.Kind, f.Note, f.Confidence = Timestamp, u.name, float64(good)/float64(all)
				return f, true
			}
		}
		return f, false
	})
}

// counter finds numbers that grow by small steps in each direction: in the group, or in all messages.
func (g *Group) counter(off int) (Field, bool) {
	if f, ok := g.counts(off); ok || !has(g.whole, off+2) {
		return f, ok
	}
	all := &Group{Match: g.Match, Messages: g.whole, Min: off + 2, Framing: g.Framing, orders: g.orders}
	f, ok := all.counts(off)
	return f, ok && f.Size > 1 && g.Min >= off+f.Size
}

func (g *Group) counts(off int) (Field, bool) {
	return g.each(off, []int{4, 2, 1}, func(f Field) (Field, bool) {
		flows, _ := g.flows(f)
		steps := map[int64]int{}
		up, same, all := 0, 0, 0
		seen := map[uint64]bool{}
		if f.Size > 1 && g.stuck(f) {
			return f, false
		}
		for _, vs := range flows {
			for j, v := range vs {
				seen[v] = true
				if j == 0 {
					continue
				}
				shift := 64 - 8*f.Size
				d := int64((v-vs[j-1])<<shift) >> shift
				all++
				switch {
				case d == 0:
					same++
				case d > 0 && d <= 64:
					up++
					steps[d]++
				}
			}
		}
		most, step := 0, int64(0)
		for d, n := range steps {
			if n > most || n == most && d < step {
				most, step = n, d
			}
		}
		if all < fewest || len(seen) < fewest || up*10 < all*3 || (up+same)*100 < all*85 || most*10 < up*4 ||
			f.Size == 1 && most*10 < up*7 {
			return f, false
		}
		f.Kind, f.Note, f.Confidence = Counter, "+"+strconv.FormatInt(step, 10), float64(up+same)/float64(all)
		return f, true
	})
}

// stuck tells of a number that its upper half never changes and is not zero: it is another field.
func (g *Group) stuck(f Field) bool {
	first := value(g.Messages[0].Data, f.Off, f.Size, f.Little) >> (4 * f.Size)
	for _, m := range g.Messages {
		if value(m.Data, f.Off, f.Size, f.Little)>>(4*f.Size) != first {
			return false
		}
	}
	return first != 0
}

// coarse tells of a number that its lowest byte never changes: it begins behind it.
func (g *Group) coarse(f Field) bool {
	first := byte(value(g.Messages[0].Data, f.Off, f.Size, f.Little))
	return !slices.ContainsFunc(g.Messages, func(m Message) bool {
		return byte(value(m.Data, f.Off, f.Size, f.Little)) != first
	})
}

// byOne is counter for numbers that mostly grow by one: they look like times of some unit, too.
func (g *Group) byOne(off int) (Field, bool) {
	f, ok := g.counter(off)
	return f, ok && f.Note == "+1"
}

// flags finds numbers in which few bits are ever set, and which mostly stay as they were: buttons, states.
func (g *Group) flags(off int) (Field, bool) {
	return g.each(off, []int{2}, func(f Field) (Field, bool) {
		flows, _ := g.flows(f)
		any, same, all, sum := uint64(0), 0, 0, 0
		seen := map[uint64]bool{}
		for _, vs := range flows {
			for j, v := range vs {
				seen[v] = true
				any |= v
				sum += bits.OnesCount64(v)
				if j > 0 {
					all++
					if v == vs[j-1] {
						same++
					}
				}
			}
		}
		n := len(g.Messages)
		held := same*10 >= all*8 // they stay for long, as buttons in a game do
		if all < 2*fewest || len(seen) < 6 || bits.OnesCount64(any) > 12 || bits.OnesCount64(any) < 3 || same*10 < all*3 ||
			len(seen)*4 > n || g.distinct(f.Off) < 4 || !held && (sum > 3*n || !alone(seen, any)) {
			return f, false
		}
		f.Kind, f.Confidence, f.Note = Flags, 0.6, strconv.Itoa(bits.OnesCount64(any))+" bits in use"
		return f, true
	})
}

// distinct is how many values a byte has.
func (g *Group) distinct(off int) (n int) {
	var seen [256]bool
	for _, m := range g.Messages {
		if c := m.Data[off]; !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// alone tells whether most of the bits stand alone in some number, as buttons do that are pressed one at a time.
func alone(seen map[uint64]bool, any uint64) bool {
	n := 0
	for rest := any; rest != 0; rest &= rest - 1 {
		if seen[rest&-rest] {
			n++
		}
	}
	return n*10 >= bits.OnesCount64(any)*6 && seen[0]
}

// real finds floating-point numbers of single precision.
func (g *Group) real(off int) (Field, bool) {
	return g.each(off, []int{4}, func(f Field) (Field, bool) {
		seen := map[uint64]bool{}
		fit, zero := 0, 0
		for _, m := range g.Messages {
			v := value(m.Data, f.Off, 4, f.Little)
			seen[v] = true
			x := math.Abs(float64(math.Float32frombits(uint32(v))))
			switch {
			case v == 0:
				zero++
			case x >= 1e-3 && x < 1e6:
				fit++
			}
		}
		if len(seen) < fewest || fit+zero < len(g.Messages) || fit*2 < len(g.Messages) {
			return f, false
		}
		f.Kind, f.Confidence = Float, 0.8
		return f, true
	})
}

// plain says of one byte, or of text, what it is without its neighbours' help.
func (g *Group) plain(off int) Field {
	f := Field{Off: off, Size: 1, Confidence: 0.5}
	var seen [256]int
	distinct := 0
	for _, m := range g.Messages {
		if c := m.Data[off]; seen[c] == 0 {
			distinct++
			seen[c] = 1
		}
		f.Value = uint64(m.Data[off])
	}
	switch {
	case distinct == 1:
		f.Kind, f.Confidence = Constant, 0.5+0.5*min(1, float64(len(g.Messages))/20)
		if n := g.textAt(off); n >= 4 {
			f.Kind, f.Size = Text, n
		}
	case g.textAt(off) >= 4:
		f.Kind, f.Size, f.Confidence = Text, g.textAt(off), 0.8
	case distinct <= 8 && distinct*4 <= len(g.Messages):
		f.Kind = Enumeration
		for v, n := range seen {
			if n > 0 {
				f.Values = append(f.Values, uint64(v))
			}
		}
	}
	return f
}

// textAt is how many bytes from an offset on are text in all messages.
func (g *Group) textAt(off int) int {
	n := g.Min - off
	for _, m := range g.Messages {
		k := 0
		for k < n && printable(m.Data[off+k:off+k+1]) {
			k++
		}
		n = k
	}
	return n
}
