package dissect

import (
	"cmp"
	"slices"

	"remora/internal/sorting"
)

// maxGaps is how many gaps of a layer are shown: each moves the nodes behind it.
const maxGaps = 1000

// A stretch is bytes of a source, from one to the one behind the last.
type stretch struct{ from, to int }

// fillGaps shows the bytes of [start, limit) in the current source that no leaf among the nodes from first on covers.
// Mostly there are none, and the nodes stand in the order of their bytes: then one walk tells.
func (d *D) fillGaps(first, start, limit int) {
	if limit <= start || d.covered(first, start, limit) {
		return
	}
	var all []stretch
	for i := first; i < len(d.t.Nodes); i++ {
		if n := &d.t.Nodes[i]; d.t.owns(i, d.src) {
			all = append(all, stretch{int(n.Off), int(n.Off + n.Len)})
		}
	}
	sorting.Func(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	end, gaps := start, 0
	for _, s := range append(all, stretch{limit, limit}) {
		if to := min(s.from, limit); to > end && gaps < maxGaps {
			d.insertGap(first, end, to-end)
			gaps++
		}
		end = max(end, s.to)
	}
}

// covered tells whether leaves that follow each other cover all bytes of [start, limit).
func (d *D) covered(first, start, limit int) bool {
	for i := first; i < len(d.t.Nodes) && start < limit; i++ {
		if n := &d.t.Nodes[i]; d.t.owns(i, d.src) && int(n.Off) <= start {
			start = max(start, int(n.Off+n.Len))
		}
	}
	return start >= limit
}

// owns tells whether a node is a leaf with bytes of the source.
func (t *Tree) owns(i int, src uint8) bool {
	n := &t.Nodes[i]
	return n.Src == src && n.Len > 0 && (i+1 == len(t.Nodes) || t.Nodes[i+1].Depth <= n.Depth || t.Field(i).claims())
}

// insertGap puts a node for unclaimed bytes where it belongs among the layer's nodes.
func (d *D) insertGap(first, off, n int) {
	if len(d.t.Nodes) >= MaxNodes {
		return
	}
	depth, at := d.depth, len(d.t.Nodes)
	for i := first; i < len(d.t.Nodes); i++ {
		m := &d.t.Nodes[i]
		if m.Src != d.src || m.Len == 0 {
			continue
		}
		if int(m.Off) > off {
			at, depth = i, max(depth, m.Depth)
			break
		}
		if off >= int(m.Off) && off < int(m.Off+m.Len) { // inside a group
			depth = m.Depth + 1
		} else {
			depth = max(d.depth, min(depth, m.Depth))
		}
	}
	if at > 0 {
		depth = min(depth, d.t.Nodes[at-1].Depth+1)
	}
	gap := Node{Off: uint32(off), Len: uint32(n), Field: fUnclaim.id, Depth: depth, Src: d.src, Layer: d.ordinal}
	d.t.Nodes = slices.Insert(d.t.Nodes, at, gap)
	for i := range d.t.Messages {
		if d.t.Messages[i].Node >= at {
			d.t.Messages[i].Node++
		}
	}
	for i := range d.t.suffixes {
		if int(d.t.suffixes[i].node) >= at {
			d.t.suffixes[i].node++
		}
	}
}
