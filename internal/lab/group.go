package lab

import (
	"bytes"
	"maps"
	"slices"

	"remora/internal/sorting"
)

const (
	typesWithin = 16 // bytes from the start in which a type is looked for
	maxTypes    = 40
	columns     = 24 // bytes that tell whether messages are alike
	least       = 0.04
	deepest     = 3
)

// split parts messages by the bytes that explain most about the others, and the parts again.
func split(g *Group, depth int, out *[]*Group) {
	if len(g.Messages) >= 8 && depth < deepest && (depth == 0 || !g.explained()) {
		if m, ok := bestType(g); ok {
			for _, part := range byValue(g, m) {
				split(part, depth+1, out)
			}
			return
		}
		if parts := byDirection(g); parts != nil {
			for _, part := range parts {
				split(part, depth+1, out)
			}
			return
		}
	}
	*out = append(*out, g)
}

// explained tells whether the messages of a part need no more parts: they have one length, or a number in them says it.
func (g *Group) explained() bool {
	g.measure()
	if g.Min == g.Max {
		return true
	}
	for off := range min(g.Min, typesWithin) {
		if f, ok := g.length(off); ok && f.Confidence > 0.6 {
			return true
		}
	}
	return false
}

// alike is how much the messages have in common: half of it the share of the commonest byte of each column, half that
// of the commonest length.
func alike(messages []Message) float64 {
	total, n := 0.0, 0.0
	lengths := map[int]int{}
	for _, m := range messages {
		lengths[len(m.Data)]++
	}
	most := 0
	for _, c := range lengths {
		most = max(most, c)
	}
	for c := range columns {
		var seen [256]int
		have, top := 0, 0
		for _, m := range messages {
			if c < len(m.Data) {
				have++
				seen[m.Data[c]]++
				top = max(top, seen[m.Data[c]])
			}
		}
		if have*2 < len(messages) {
			break
		}
		total += float64(top) / float64(have)
		n++
	}
	return total/n/2 + float64(most)/float64(len(messages))/2
}

// bestType is the byte, or the four characters, by which messages fall into the most uniform parts.
func bestType(g *Group) (Match, bool) {
	best, found, gain := Match{}, false, least*(1+float64(len(g.Match))/4)
	before, ids := alike(g.Messages), identifiers(g.Messages)
	for off := range typesWithin {
		if ids[off] || g.inChecksum(off) {
			continue
		}
		for _, size := range []int{4, 1} {
			taken := g.hitsType(Field{Off: off, Size: size}) || g.Framing.holds(off, size)
			if taken ||
				!has(g.Messages, off+size) || size == 4 && !tags(g.Messages, off) {
				continue
			}
			parts := byValue(g, Match{Off: off, Size: size})
			if len(parts) < 2 || len(parts) > maxTypes || len(g.Match) > 0 && len(parts)*8 > len(g.Messages) {
				continue
			}
			after := 0.0
			for _, p := range parts {
				share := float64(len(p.Messages)) / float64(len(g.Messages))
				trust := float64(len(p.Messages)-1) / float64(len(p.Messages)+1)
				after += share * (trust*alike(p.Messages) + (1-trust)*before)
			}
			if found && after-before < gain*1.15 && off > best.Off+best.Size-1 || after-before <= gain {
				continue
			}
			best, found, gain = Match{Off: off, Size: size}, true, after-before
			if size == 4 {
				break
			}
		}
	}
	return best, found
}

func has(messages []Message, n int) bool {
	short := 0
	for _, m := range messages {
		if len(m.Data) < n {
			short++
		}
	}
	return short == 0
}

// tags tells whether four characters stand at an offset of all messages.
func tags(messages []Message, off int) bool {
	for _, m := range messages {
		for _, c := range m.Data[off : off+4] {
			if c < 0x20 || c > 0x7e {
				return false
			}
		}
	}
	return true
}

func byValue(g *Group, by Match) []*Group {
	parts := map[uint64]*Group{}
	var order []uint64
	for _, m := range g.Messages {
		v := value(m.Data, by.Off, by.Size, false)
		p := parts[v]
		if p == nil {
			p = &Group{Match: append(slices.Clone(g.Match), Match{by.Off, by.Size, v}), Direction: g.Direction,
				Framing: g.Framing}
			parts[v] = p
			order = append(order, v)
		}
		p.Messages = append(p.Messages, m)
	}
	slices.Sort(order)
	out := make([]*Group, len(order))
	for i, v := range order {
		out[i] = parts[v]
	}
	return out
}

// byDirection parts messages by their direction where the two are not alike.
func byDirection(g *Group) []*Group {
	if g.Direction >= 0 {
		return nil
	}
	var parts [2]*Group
	for _, m := range g.Messages {
		d := m.Direction & 1
		if parts[d] == nil {
			parts[d] = &Group{Match: g.Match, Direction: d, Framing: g.Framing}
		}
		parts[d].Messages = append(parts[d].Messages, m)
	}
	if parts[0] == nil || parts[1] == nil || len(parts[0].Messages) < 4 || len(parts[1].Messages) < 4 {
		return nil
	}
	whole := float64(len(g.Messages))
	after := (float64(len(parts[0].Messages))*alike(parts[0].Messages) +
		float64(len(parts[1].Messages))*alike(parts[1].Messages)) / whole
	if after-alike(g.Messages) < 2*least {
		return nil
	}
	return parts[:]
}

// printable tells whether bytes are text.
func printable(b []byte) bool {
	return len(b) > 0 && bytes.IndexFunc(b, func(r rune) bool { return r < 0x20 || r > 0x7e }) < 0
}

// evenly parts groups by bytes that tell the types of most other messages, too: types of one length do not part
// themselves.
func evenly(groups []*Group) []*Group {
	all := 0
	weight := map[[2]int]int{}
	for _, g := range groups {
		all += len(g.Messages)
		for _, m := range g.Match {
			weight[[2]int{m.Off, m.Size}] += len(g.Messages)
		}
	}
	places := sorting.Sorted(maps.Keys(weight), func(a, b [2]int) int { return 8*(a[0]-b[0]) + a[1] - b[1] })
	var out []*Group
	for _, g := range groups {
		parts := []*Group{g}
		for _, at := range places {
			n, by := weight[at], Match{Off: at[0], Size: at[1]}
			if n*10 < all*3 || g.hitsType(Field{Off: by.Off, Size: by.Size}) || !has(g.Messages, by.Off+by.Size) {
				continue
			}
			if p := byValue(g, by); len(p) > 1 && len(p) <= 8 && len(p)*8 <= len(g.Messages) {
				parts = p
				break
			}
		}
		out = append(out, parts...)
	}
	return out
}
