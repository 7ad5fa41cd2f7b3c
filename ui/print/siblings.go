package print

import (
	"slices"

	"remora/dissect"
)

// A sibling is a node among those that stand beside each other, or another name of it (see dissect.Field.Also).
type sibling struct {
	node  int
	alias int // -1: the node itself
}

// siblings are the nodes [from, to), which lie one level below what holds them, in Wireshark's order: other names stand
// behind the nodes, those of two ports behind the second, and those of an address below it, behind the hidden fields
// that begin what is there. They stay until the next call of release.
func (p *Printer) siblings(t *dissect.Tree, from, to int) []sibling {
	base := len(p.beside)
	var room [8]int
	waiting := room[:0] // for their other names
	names := func() {
		for _, i := range waiting {
			for k := range t.Field(i).Aliases() {
				p.beside = append(p.beside, sibling{i, k})
			}
		}
		waiting = waiting[:0]
	}
	hold := from > 0 && from < to && t.Nodes[from-1].Depth < t.Nodes[from].Depth && hasNamesBelow(t, from-1)
	if hold {
		waiting = append(waiting, from-1)
	}
	for i := from; i < to; i = t.End(i) {
		f := t.Field(i)
		if p.leavesOut(f) {
			continue
		}
		if hold && !t.IsHidden(i) {
			names()
			hold = false
		}
		p.beside = append(p.beside, sibling{i, -1})
		if len(f.Aliases()) == 0 || hasNamesBelow(t, i) {
			continue
		}
		waiting = append(waiting, i)
		if next := t.End(i); !hold && (next >= to || f.Type() != dissect.TypeUint ||
			!slices.Equal(t.Field(next).Aliases(), f.Aliases())) {
			names()
		}
	}
	names()
	return p.beside[base:len(p.beside):len(p.beside)]
}

// release gives back what siblings gave.
func (p *Printer) release(all []sibling) { p.beside = p.beside[:len(p.beside)-len(all)] }

// hasNamesBelow is true for an address with something below it: its other names stand there.
func hasNamesBelow(t *dissect.Tree, i int) bool {
	f := t.Field(i)
	return f.Type() == dissect.TypeEther && len(f.Aliases()) > 0 && t.End(i) > i+1
}
