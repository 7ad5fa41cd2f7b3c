package stats

import (
	"cmp"
	"slices"

	"remora/dissect"
	"remora/internal/sorting"
)

// A Level is one protocol of the hierarchy, on top of those above it.
type Level struct {
	Count
	Ends     Count // of packets that hold no further protocol
	Protocol *dissect.Protocol
	Depth    int
	// the filter names of this protocol and those below which it lies, joined by colons, as frame.path has it
	Path  string
	Below []*Level

	Kind  *dissect.Field // of a level that is a packet type of its protocol: the type's field; else nil
	Value uint64         // the type's number, or the first of those with its name
	Name  string         // the type's, or "" without one
	Types []*Level       // of a protocol, as far as they are asked for
}

// Hierarchy is how protocols lie on top of each other, outermost first, in the order in which they were met. The
// frame's own level is left out, and several messages of one protocol are one level.
func (t *Tally) Hierarchy() []*Level { return t.hierarchy(false) }

// HierarchyOfTypes is Hierarchy with the packet types of each protocol. A packet with several types counts for each of
// them.
func (t *Tally) HierarchyOfTypes() []*Level { return t.hierarchy(true) }

func (t *Tally) hierarchy(types bool) []*Level {
	t.lockToRead()
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
		for k, p := range t.s.StackProtocols(t.s.LayerStack(id)) {
			if k == 0 || p == at.Protocol {
				continue
			}
			at = at.below(p)
			at.Count.add(c)
			if types {
				at.addTypes(t.s.LayerStack(id), c)
			}
		}
		at.Ends.add(c)
	}
	return root.Below
}

// MostFirst puts levels in the order of their packets, and those below them, too.
func MostFirst(levels []*Level) {
	sorting.Func(levels, func(a, b *Level) int {
		return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(a.Protocol.Name(), b.Protocol.Name()))
	})
	for _, l := range levels {
		MostFirst(l.Below)
		sorting.Func(l.Types, func(a, b *Level) int {
			return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(a.Value, b.Value))
		})
	}
}

// addTypes counts the packet types that packets of a layer stack have at this level's protocol.
func (l *Level) addTypes(sh *dissect.LayerStack, c Count) {
	f := l.Protocol.KindField()
	if f == nil {
		return
	}
	var counted []*Level
	for _, k := range sh.Kinds {
		if k.Field != f.ID() {
			continue
		}
		if ty := l.typeLevel(f, k.Value); !slices.Contains(counted, ty) {
			ty.Count.add(c)
			counted = append(counted, ty)
		}
	}
}

// typeLevel is the level of a type's number; numbers of one name are one type.
func (l *Level) typeLevel(f *dissect.Field, value uint64) *Level {
	name := f.ValueName(value)
	for _, ty := range l.Types {
		if ty.Name == name && (name != "" || ty.Value == value) {
			return ty
		}
	}
	ty := &Level{Protocol: l.Protocol, Depth: l.Depth + 1, Path: l.Path, Kind: f, Value: value, Name: name}
	l.Types = append(l.Types, ty)
	return ty
}

func (l *Level) below(p *dissect.Protocol) *Level {
	for _, b := range l.Below {
		if b.Protocol == p {
			return b
		}
	}
	b := &Level{Protocol: p, Depth: l.Depth + 1, Path: p.Name()}
	if l.Path != "" {
		b.Path = l.Path + ":" + b.Path
	}
	l.Below = append(l.Below, b)
	return b
}
