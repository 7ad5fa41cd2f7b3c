package hex

import (
	"context"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/behaviour"
)

// Watch begins to look at how what is selected behaved.
func (p *Pane) Watch() {
	at, ok := p.watched()
	if !ok {
		p.stopWatching()
		p.habit = behaviour.Behaviour{}
		return
	}
	if p.habit.Place == at {
		return
	}
	p.stopWatching()
	was := p.habit
	p.habit = behaviour.Behaviour{Place: at}
	if was.Field == at.Field { // shown until the next is known, as holding * would make it flicker
		p.habit.Values, p.habit.Bytes, p.habit.Packets = was.Values, was.Bytes, was.Packets
	}
	s := p.c.Scope().Session
	p.stop = p.c.Later("looking at the packets before", func(ctx context.Context) func() {
		b := behaviour.Of(ctx, s, at)
		return func() {
			if b.Done && b.Place == p.habit.Place {
				p.habit = b
			}
		}
	})
}

// watched is the field selected, or the bytes picked as a part of their protocol.
func (p *Pane) watched() (at behaviour.Place, ok bool) {
	t, i := p.packet.Tree, p.packet.Node
	if t == nil || i < 0 || p.packet.Ignored() {
		return at, false
	}
	at.Of = p.packet.Frame
	if lo, hi, picked := p.Picked(); picked && p.packet.Source == 0 {
		for i >= 0 && t.Field(i).Type() != dissect.TypeProtocol {
			i = t.Parent(i)
		}
		if i < 0 || int(t.Nodes[i].Off) > lo {
			return at, false
		}
		at.From, at.N, at.Absolute = lo-int(t.Nodes[i].Off), min(hi-lo, behaviour.MostBytes), lo
	} else {
		at.Absolute = int(t.Nodes[i].Off)
	}
	at.Field = t.Field(i)
	for j := range i {
		if t.Nodes[j].Field == t.Nodes[i].Field {
			at.Nth++
		}
	}
	return at, at.N > 0 || at.Field.Type() != dissect.TypeProtocol && (t.Nodes[i].Len > 0 || stats.Plottable(at.Field))
}

func (p *Pane) stopWatching() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
}
