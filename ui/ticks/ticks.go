// Package ticks keeps which protocols, packet types and directions are ticked, writes that as a display filter, and
// reads it back from one.
package ticks

import (
	"maps"
	"slices"
	"strings"

	"remora/dissect"
	"remora/internal/sorting"
	"remora/ui/term"
)

// Set are the protocols and packet types that are ticked. Everything is ticked or nothing is, but for the exceptions.
type Set struct {
	base   bool
	protos map[*dissect.Protocol]*Types
}

// Types are those of one protocol: all its types are ticked or none is, but for the exceptions.
type Types struct {
	on     bool
	except map[string]bool // types, as KindWord calls them; "" are packets without one
	// one direction of a type, ticked unlike the type; of "" where the protocol has no types
	directions map[typeDirection]bool
}

type typeDirection struct {
	name string
	dir  int
}

// New are ticks on everything, or on nothing.
func New(base bool) Set {
	return Set{base: base, protos: map[*dissect.Protocol]*Types{}}
}

func newProtoTicks(on bool) *Types {
	return &Types{on: on, except: map[string]bool{}, directions: map[typeDirection]bool{}}
}

func (t *Set) of(p *dissect.Protocol) *Types {
	if t.protos[p] == nil {
		t.protos[p] = newProtoTicks(t.base)
	}
	return t.protos[p]
}

// All tells whether everything is ticked.
func (t *Set) All() bool {
	for _, p := range t.protos {
		if !p.whole() || !p.on {
			return false
		}
	}
	return t.base
}

// whole tells whether a protocol has no exceptions.
func (p *Types) whole() bool { return len(p.except) == 0 && len(p.directions) == 0 }

func (p *Types) same(o *Types) bool {
	return p.on == o.on && maps.Equal(p.except, o.except) && maps.Equal(p.directions, o.directions)
}

// Set ticks a line, or takes its tick away.
func (t *Set) Set(f Line, on bool) {
	p := t.of(f.Proto.Protocol)
	switch {
	case f.Kind == nil:
		*p = *newProtoTicks(on)
	case f.Dir < 0:
		p.setType(f.Word(), on)
	default:
		k := typeDirection{f.Word(), f.Dir}
		delete(p.directions, k)
		if p.isOn(k.name) != on {
			p.directions[k] = true
			switch other := (typeDirection{k.name, 1 - k.dir}); {
			case !p.directions[other]:
			case Typed(f.Proto): // both unlike the type: the type itself changes
				p.setType(k.name, on)
			default:
				*p = *newProtoTicks(on)
			}
		}
	}
}

func (p *Types) setType(name string, on bool) {
	delete(p.except, name)
	if p.on != on {
		p.except[name] = true
	}
	delete(p.directions, typeDirection{name, 0})
	delete(p.directions, typeDirection{name, 1})
}

func (p *Types) isOn(name string) bool { return p.on != p.except[name] }

// Alone tells whether a protocol's ticks are the only ones, and are these.
func (t *Set) Alone(p *dissect.Protocol, these *Types) bool {
	now := t.protos[p]
	return !t.base && now != nil && len(t.protos) == 1 && now.same(these)
}

// Take gives a protocol other ticks.
func (t *Set) Take(p *dissect.Protocol, these *Types) { t.protos[p] = these }

// Words are a protocol's ticks in words to be kept: + where these types are ticked or - where all others are, and the
// types. There are none where all of it is ticked; what words cannot say is not to be kept.
func (t *Set) Words(p *dissect.Protocol) (words []string, ok bool) {
	now := t.protos[p]
	if now == nil || now.whole() && !now.on || len(now.directions) > 0 {
		return nil, false
	}
	if now.whole() {
		return nil, true
	}
	sign := "+"
	if now.on {
		sign = "-"
	}
	return append([]string{sign}, slices.Sorted(maps.Keys(now.except))...), true
}

// OfWords reads such words, of which there is at least the sign.
func OfWords(words []string) *Types {
	out := newProtoTicks(words[0] == "-")
	for _, w := range words[1:] {
		out.except[w] = true
	}
	return out
}

// A Tick is what stands in a line's box.
type Tick int

// The ticks: nothing, a part, or all of what a line stands for is shown.
const (
	Off Tick = iota
	Some
	On
)

// Tick is the tick of a line. A protocol's is made of those of the types that there are.
func (t *Set) Tick(x Line) Tick {
	p, ok := t.protos[x.Proto.Protocol]
	switch {
	case !ok:
		return tickIf(t.base)
	case x.Kind != nil && x.Dir >= 0:
		return tickIf(p.isOn(x.Word()) != p.directions[typeDirection{x.Word(), x.Dir}])
	case x.Kind != nil:
		return p.typeTick(x.Word())
	case p.whole() || len(x.Proto.Types) == 0:
		return tickIf(p.on)
	}
	sum := Tick(-1)
	for i := range x.Proto.Types {
		one := p.typeTick(Line{x.Proto, &x.Proto.Types[i], -1}.Word())
		if sum >= 0 && one != sum {
			return Some
		}
		sum = one
	}
	return sum
}

func (p *Types) typeTick(word string) Tick {
	if p.directions[typeDirection{word, 0}] || p.directions[typeDirection{word, 1}] {
		return Some
	}
	return tickIf(p.isOn(word))
}

func tickIf(on bool) Tick {
	if on {
		return On
	}
	return Off
}

// Filter writes the ticks as a display filter; "" is everything.
func (t *Set) Filter(sp *Speller) string {
	protos := sorting.Sorted(maps.Keys(t.protos),
		func(a, b *dissect.Protocol) int { return strings.Compare(a.Name(), b.Name()) })
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

// terms are what one protocol adds: what is shown, and what must not be. When everything else is shown, all of it says
// what must not be.
func (p *Types) terms(sp *Speller, proto *dissect.Protocol, base bool) (in, out []string) {
	names := maps.Clone(p.except)
	for _, w := range sortedDirections(p.directions) {
		term := sp.Direction(proto, w.name, w.dir)
		switch {
		case p.isOn(w.name):
			out = append(out, "!("+term+")")
		case base && p.on: // all of the type but this direction
			out = append(out, "!("+sp.Types(proto, []string{w.name})+" && !(dir == "+dirNames[w.dir]+"))")
			delete(names, w.name)
		case !base:
			in = append(in, "("+term+")")
		}
	}
	name := sp.Protocol(proto)
	return p.wholeTerms(sp, proto, base, name, slices.Sorted(maps.Keys(names)), in, out)
}

// wholeTerms adds what is said of whole types.
func (p *Types) wholeTerms(sp *Speller, proto *dissect.Protocol, base bool, name string, names, in,
	out []string) ([]string, []string) {
	switch {
	case base && p.on && len(names) > 0:
		out = append(out, "!("+sp.Types(proto, names)+")")
	case base && !p.on:
		again := p.shownAgain(sp, proto, names)
		if again == "" {
			out = append(out, "!"+bracket(name))
		} else {
			out = append(out, "(!"+bracket(name)+" || "+again+")")
		}
	case p.on && len(names) > 0:
		in = append(in, "("+name+" && !("+sp.Types(proto, names)+"))")
	case p.on && !base:
		in = append(in, name)
	case len(names) > 0:
		in = append(in, term.Bracketed(sp.Types(proto, names)))
	}
	return in, out
}

// shownAgain is what of an excluded protocol is shown all the same.
func (p *Types) shownAgain(sp *Speller, proto *dissect.Protocol, names []string) string {
	var parts []string
	if len(names) > 0 {
		parts = append(parts, term.Bracketed(sp.Types(proto, names)))
	}
	for _, w := range sortedDirections(p.directions) {
		if !p.isOn(w.name) {
			parts = append(parts, "("+sp.Direction(proto, w.name, w.dir)+")")
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
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 && i < len(s)-1 {
				return s
			}
		}
	}
	return s[1 : len(s)-1]
}

func sortedDirections(m map[typeDirection]bool) []typeDirection {
	return sorting.Sorted(maps.Keys(m), func(a, b typeDirection) int {
		if a.name != b.name {
			return strings.Compare(a.name, b.name)
		}
		return a.dir - b.dir
	})
}
