package stats

import (
	"cmp"
	"slices"

	"remora/dissect"
)

// A Level is one protocol of the hierarchy, on top of those above it.
type Level struct {
	Count
	Ends     Count // of packets that hold no further protocol
	Protocol *dissect.Protocol
	Depth    int
	Below    []*Level
}

// Hierarchy is how protocols lie on top of each other, outermost first, in the order in which they were met. The frame's own
// level is left out, and several messages of one protocol are one level.
func (t *Tally) Hierarchy() []*Level {
	t.ask()
	defer t.mu.Unlock()
	root := &Level{Depth: -1}
	for _, id := range t.order {
		var c Count
		for dir := range uint32(directions) {
			if cell := t.cells[directions*id+dir]; cell != nil {
				c.add(cell.Count)
			}
		}
		at := root
		for k, p := range t.s.ShapeProtocols(t.s.Shape(id)) {
			if k == 0 || p == at.Protocol {
				continue
			}
			at = at.below(p)
			at.Count.add(c)
		}
		at.Ends.add(c)
	}
	return root.Below
}

// MostFirst puts levels in the order of their packets, and those below them, too.
func MostFirst(levels []*Level) {
	slices.SortFunc(levels, func(a, b *Level) int {
		return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(a.Protocol.Name(), b.Protocol.Name()))
	})
	for _, l := range levels {
		MostFirst(l.Below)
	}
}

func (l *Level) below(p *dissect.Protocol) *Level {
	for _, b := range l.Below {
		if b.Protocol == p {
			return b
		}
	}
	b := &Level{Protocol: p, Depth: l.Depth + 1}
	l.Below = append(l.Below, b)
	return b
}
