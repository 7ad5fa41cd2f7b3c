package ticks

import (
	"strconv"

	"remora/dissect/stats"
)

// A Line is one line of the panel: a protocol, one of its packet types, or one direction of that. A protocol that has
// no types has directions itself; they are those of its packets without a type, which are all.
type Line struct {
	Proto *stats.Protocol
	Kind  *stats.Type // nil on a protocol's line
	Dir   int         // -1: both
}

// Word is what the ticks call a line's type.
func (x Line) Word() string {
	if x.Kind == nil || x.Kind.Field == nil {
		return ""
	}
	return x.Kind.Field.KindWord(x.Kind.Value)
}

// Name is what the line is called.
func (x Line) Name() string {
	if x.Kind != nil && Typed(x.Proto) {
		return x.Word()
	}
	return x.Proto.Protocol.Title()
}

// Key names a line.
func (x Line) Key() string {
	k := x.Proto.Protocol.Name()
	if x.Kind != nil {
		k += "\x00" + x.Word()
	}
	if x.Dir >= 0 {
		k += "\x00" + strconv.Itoa(x.Dir)
	}
	return k
}

// Group is what was counted of a line.
func (x Line) Group() *stats.Group {
	switch {
	case x.Kind == nil:
		return &x.Proto.Group
	case x.Dir < 0:
		return &x.Kind.Group
	}
	return &x.Kind.Directions[x.Dir]
}

// Directions are the directions below a line: a type's, or those of a protocol that has no types. Packets outside of
// conversations have none.
func (x Line) Directions() []Line {
	k := x.Kind
	if k == nil && !Typed(x.Proto) && len(x.Proto.Types) > 0 {
		k = &x.Proto.Types[0]
	}
	if x.Dir >= 0 || k == nil || k.Directions[0].Packets+k.Directions[1].Packets == 0 {
		return nil
	}
	return []Line{{x.Proto, k, 0}, {x.Proto, k, 1}}
}

// Unfolds tells whether there is anything below a line.
func (x Line) Unfolds() bool {
	return x.Kind == nil && Typed(x.Proto) || len(x.Directions()) > 0
}

// Typed tells whether a protocol has packet types.
func Typed(p *stats.Protocol) bool { return p.Protocol.KindField() != nil }
