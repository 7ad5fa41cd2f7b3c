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
	Below    []*Level // most first
}

// Hierarchy is how protocols lie on top of each other, outermost first. The frame's own level is left out.
func (t *Tally) Hierarchy() []*Level {
	t.ask()
	defer t.mu.Unlock()
	root := &Level{Depth: -1}
	for i, c := range t.cells {
		if c == nil {
			continue
		}
		at := root
		for k, p := range t.s.ShapeProtocols(t.s.Shape(uint32(i / 2))) {
			if k == 0 {
				continue
			}
			at = at.below(p)
			at.Count.add(c.Count)
		}
		at.Ends.add(c.Count)
	}
	root.sort()
	return root.Below
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

func (l *Level) sort() {
	slices.SortFunc(l.Below, func(a, b *Level) int {
		return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(a.Protocol.Name(), b.Protocol.Name()))
	})
	for _, b := range l.Below {
		b.sort()
	}
}
