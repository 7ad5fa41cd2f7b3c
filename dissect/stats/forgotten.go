package stats

import (
	"cmp"

	"remora/dissect"
	"remora/internal/sorting"
)

// A table has a limit of rows: hostile captures have millions of conversations of a packet each. Beyond it the half
// with the fewest packets, of those with as many the older ones, is counted together; what is kept of them is by their
// ends, as long as there is room for these.

const (
	maxConversations  = 1 << 22
	conversationBytes = 512 // of a row, roughly, with its conversation and its place in the map
)

// endpointKey is an endpoint of a transport.
type endpointKey struct {
	end       dissect.Endpoint
	transport dissect.Table
}

// evictedRows is what is left of rows that are gone.
type evictedRows struct {
	conversations int
	count         Count
	ends          map[endpointKey]*EndpointCount
	ports         portCounts

	lostEnds int // endpoints that are gone, too
	lost     Count
}

// Evicted is how many conversations were counted that are among Conversations no more, and what passed in them.
func (t *Table) Evicted() (convs int, all Count) {
	t.lockToRead()
	defer t.mu.Unlock()
	return t.evicted.conversations, t.evicted.count
}

// EvictedEndpoints is how many endpoints were counted that are among Endpoints no more, and what they sent and
// received.
func (t *Table) EvictedEndpoints() (ends int, all Count) {
	t.lockToRead()
	defer t.mu.Unlock()
	return t.evicted.lostEnds, t.evicted.lost
}

// weight is by what rows are kept.
type weight struct {
	packets uint64
	last    int64
}

func (a weight) compare(b weight) int {
	return cmp.Or(cmp.Compare(a.packets, b.packets), cmp.Compare(a.last, b.last))
}

// median is about the middle of n weights, by a sample of them.
func median(n int, at func(int) weight) weight {
	step := max(1, n/4096)
	var sample []weight
	for i := 0; i < n; i += step {
		sample = append(sample, at(i))
	}
	sorting.Func(sample, weight.compare)
	return sample[len(sample)/2]
}

// evict makes room for a row where there is none.
func (t *Table) evict() {
	if len(t.rows) < t.limit {
		return
	}
	of := func(i int) weight { return weight{t.rows[i].Both().Packets, t.rows[i].Last} }
	middle := median(len(t.rows), of)
	place := make([]int, len(t.rows)) // where each row goes, -1 nowhere
	kept := 0
	for i := range t.rows {
		if c := of(i).compare(middle); c < 0 || c == 0 && i < len(t.rows)/2 { // of those alike the older ones
			place[i] = -1
			t.evicted.add(&t.rows[i])
			continue
		}
		place[i] = kept
		t.rows[kept] = t.rows[i]
		t.rows[kept].row = kept
		if i < len(t.lines) {
			t.lines[kept] = t.lines[i]
		}
		kept++
	}
	clear(t.rows[kept:])
	t.rows = t.rows[:kept]
	if len(t.lines) > kept {
		clear(t.lines[kept:])
		t.lines = t.lines[:kept]
	}
	convs := make(map[uint32]convRow, len(t.convs)/2)
	for id, row := range t.convs {
		if place[row.at] >= 0 {
			convs[id] = convRow{place[row.at], row.flipped}
		}
	}
	pairs := make(map[[2]dissect.Addr]int, len(t.pairs)/2)
	for ends, at := range t.pairs {
		if place[at] >= 0 {
			pairs[ends] = place[at]
		}
	}
	t.convs, t.pairs = convs, pairs
	t.evicted.shrink(t.limit)
}

// add counts a row that goes.
func (g *evictedRows) add(conv *Conversation) {
	g.conversations++
	g.count.add(conv.Both())
	if g.ends == nil {
		g.ends, g.ports = map[endpointKey]*EndpointCount{}, portCounts{}
	}
	g.ports.add(conv)
	g.end(conv.A, conv, conv.Directions[0], conv.Directions[1])
	g.end(conv.B, conv, conv.Directions[1], conv.Directions[0])
}

func (g *evictedRows) end(e dissect.Endpoint, conv *Conversation, sent, received Count) {
	k := endpointKey{end: e}
	if conv.Conv != nil {
		k.transport = conv.Conv.Transport
	}
	c := g.ends[k]
	if c == nil {
		c = &EndpointCount{End: e, Transport: k.transport, First: conv.First}
		g.ends[k] = c
	}
	c.Sent.add(sent)
	c.Received.add(received)
	c.First, c.Last = min(c.First, conv.First), max(c.Last, conv.Last)
}

// shrink gives up the ends with the fewest packets where there are too many.
func (g *evictedRows) shrink(limit int) {
	if len(g.ends) < limit {
		return
	}
	all := make([]*EndpointCount, 0, len(g.ends))
	for _, e := range g.ends {
		all = append(all, e)
	}
	sorting.Func(all, func(a, b *EndpointCount) int {
		return weight{a.Both().Packets, a.Last}.compare(weight{b.Both().Packets, b.Last})
	})
	half := len(all) / 2
	for _, e := range all[:half] {
		g.lostEnds++
		g.lost.add(e.Both())
	}
	ends := make(map[endpointKey]*EndpointCount, half+1)
	for _, e := range all[half:] {
		ends[endpointKey{e.End, e.Transport}] = e
	}
	g.ends = ends
}
