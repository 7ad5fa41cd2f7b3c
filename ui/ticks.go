package ui

import (
	"maps"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

// ticks are the protocols and packet types that are ticked. Everything is ticked or nothing is, but for the exceptions.
type ticks struct {
	base   bool
	protos map[*dissect.Protocol]*protoTicks
}

// protoTicks are those of one protocol: all its types are ticked or none is, but for the exceptions.
type protoTicks struct {
	on     bool
	except map[string]bool  // types, as KindWord calls them; "" are packets without one
	ways   map[typeWay]bool // one direction of a type, ticked unlike the type
}

type typeWay struct {
	name string
	dir  int
}

// A facet is one line of the panel: a protocol, one of its packet types, or one direction of that.
type facet struct {
	proto *stats.Protocol
	kind  *stats.Type // nil on a protocol's line
	dir   int         // -1: both
}

// word is what the ticks call a line's type.
func (x facet) word() string {
	if x.kind == nil || x.kind.Field == nil {
		return ""
	}
	return x.kind.Field.KindWord(x.kind.Value)
}

func newTicks(base bool) ticks {
	return ticks{base: base, protos: map[*dissect.Protocol]*protoTicks{}}
}

func newProtoTicks(on bool) *protoTicks {
	return &protoTicks{on: on, except: map[string]bool{}, ways: map[typeWay]bool{}}
}

func (t *ticks) of(p *dissect.Protocol) *protoTicks {
	if t.protos[p] == nil {
		t.protos[p] = newProtoTicks(t.base)
	}
	return t.protos[p]
}

// all tells whether everything is ticked.
func (t *ticks) all() bool {
	for _, p := range t.protos {
		if !p.whole() || !p.on {
			return false
		}
	}
	return t.base
}

// whole tells whether a protocol has no exceptions.
func (p *protoTicks) whole() bool { return len(p.except) == 0 && len(p.ways) == 0 }

func (p *protoTicks) same(o *protoTicks) bool {
	return p.on == o.on && maps.Equal(p.except, o.except) && maps.Equal(p.ways, o.ways)
}

// set ticks a line, or takes its tick away.
func (t *ticks) set(f facet, on bool) {
	p := t.of(f.proto.Protocol)
	switch {
	case f.kind == nil:
		*p = *newProtoTicks(on)
	case f.dir < 0:
		p.setType(f.word(), on)
	default:
		k := typeWay{f.word(), f.dir}
		delete(p.ways, k)
		if p.isOn(k.name) != on {
			p.ways[k] = true
			if other := (typeWay{k.name, 1 - k.dir}); p.ways[other] { // both unlike the type: the type itself changes
				p.setType(k.name, on)
			}
		}
	}
}

func (p *protoTicks) setType(name string, on bool) {
	delete(p.except, name)
	if p.on != on {
		p.except[name] = true
	}
	delete(p.ways, typeWay{name, 0})
	delete(p.ways, typeWay{name, 1})
}

func (p *protoTicks) isOn(name string) bool { return p.on != p.except[name] }

// A tick is what stands in a line's box.
type tick3 int

const (
	tickOff tick3 = iota
	tickSome
	tickOn
)

// tick is the tick of a line. A protocol's is made of those of the types that there are.
func (t *ticks) tick(x facet) tick3 {
	p, ok := t.protos[x.proto.Protocol]
	switch {
	case !ok:
		return tickIf(t.base)
	case x.kind != nil && x.dir >= 0:
		return tickIf(p.isOn(x.word()) != p.ways[typeWay{x.word(), x.dir}])
	case x.kind != nil:
		return p.typeTick(x.word())
	case p.whole() || len(x.proto.Types) == 0:
		return tickIf(p.on)
	}
	sum := tick3(-1)
	for i := range x.proto.Types {
		one := p.typeTick(facet{x.proto, &x.proto.Types[i], -1}.word())
		if sum >= 0 && one != sum {
			return tickSome
		}
		sum = one
	}
	return sum
}

func (p *protoTicks) typeTick(word string) tick3 {
	if p.ways[typeWay{word, 0}] || p.ways[typeWay{word, 1}] {
		return tickSome
	}
	return tickIf(p.isOn(word))
}

func tickIf(on bool) tick3 {
	if on {
		return tickOn
	}
	return tickOff
}

// filter writes the ticks as a display filter; "" is everything.
func (t *ticks) filter(sp *speller) string {
	protos := slices.SortedFunc(maps.Keys(t.protos), func(a, b *dissect.Protocol) int { return strings.Compare(a.Name(), b.Name()) })
	var terms, excluded []string
	for _, p := range protos {
		in, out := t.protos[p].terms(sp, p, t.base)
		terms, excluded = append(terms, in...), append(excluded, out...)
	}
	if t.base {
		return strings.Join(append(excluded, terms...), " && ")
	}
	if len(terms) == 0 {
		return "!frame"
	}
	text := strings.Join(terms, " || ")
	if len(terms) == 1 && len(excluded) == 0 {
		return unbracketed(text)
	}
	if len(excluded) > 0 {
		if len(terms) > 1 {
			text = "(" + text + ")"
		}
		text += " && " + strings.Join(excluded, " && ")
	}
	return text
}

// terms are what one protocol adds: what is shown, and what must not be. When everything else is shown, all of it says what
// must not be.
func (p *protoTicks) terms(sp *speller, proto *dissect.Protocol, base bool) (in, out []string) {
	names := maps.Clone(p.except)
	for _, w := range sortedWays(p.ways) {
		term := sp.way(proto, w.name, w.dir)
		switch {
		case p.isOn(w.name):
			out = append(out, "!("+term+")")
		case base && p.on: // all of the type but this direction
			out = append(out, "!("+sp.types(proto, []string{w.name})+" && !(dir == "+dirNames[w.dir]+"))")
			delete(names, w.name)
		case !base:
			in = append(in, "("+term+")")
		}
	}
	name := sp.protocol(proto)
	return p.wholeTerms(sp, proto, base, name, slices.Sorted(maps.Keys(names)), in, out)
}

// wholeTerms adds what is said of whole types.
func (p *protoTicks) wholeTerms(sp *speller, proto *dissect.Protocol, base bool, name string, names, in, out []string) ([]string, []string) {
	switch {
	case base && p.on && len(names) > 0:
		out = append(out, "!("+sp.types(proto, names)+")")
	case base && !p.on:
		again := p.shownAgain(sp, proto, names)
		if again == "" {
			out = append(out, "!"+bracket(name))
		} else {
			out = append(out, "(!"+bracket(name)+" || "+again+")")
		}
	case p.on && len(names) > 0:
		in = append(in, "("+name+" && !("+sp.types(proto, names)+"))")
	case p.on && !base:
		in = append(in, name)
	case len(names) > 0:
		in = append(in, bracketed(sp.types(proto, names)))
	}
	return in, out
}

// shownAgain is what of an excluded protocol is shown all the same.
func (p *protoTicks) shownAgain(sp *speller, proto *dissect.Protocol, names []string) string {
	var parts []string
	if len(names) > 0 {
		parts = append(parts, bracketed(sp.types(proto, names)))
	}
	for _, w := range sortedWays(p.ways) {
		if !p.isOn(w.name) {
			parts = append(parts, "("+sp.way(proto, w.name, w.dir)+")")
		}
	}
	return strings.Join(parts, " || ")
}

// bracket brackets a filter that is more than a name.
func bracket(s string) string {
	if strings.Contains(s, " ") {
		return "(" + s + ")"
	}
	return s
}

// unbracketed takes brackets off that are around all of a filter.
func unbracketed(s string) string {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return s
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '"':
			return s // not worth reading texts for
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(s)-1 {
				return s
			}
		}
	}
	return s[1 : len(s)-1]
}

func sortedWays(m map[typeWay]bool) []typeWay {
	return slices.SortedFunc(maps.Keys(m), func(a, b typeWay) int {
		if a.name != b.name {
			return strings.Compare(a.name, b.name)
		}
		return a.dir - b.dir
	})
}
