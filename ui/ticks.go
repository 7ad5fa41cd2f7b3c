package ui

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

// ticks are the protocols and packet types that are ticked, and the filter that says the same. Everything is ticked or
// nothing is, but for the exceptions.
type ticks struct {
	base   bool
	protos map[*dissect.Protocol]*protoTicks
	text   string // the filter made of them
}

// protoTicks are those of one protocol: all its types are ticked or none is, but for the exceptions.
type protoTicks struct {
	on     bool
	except map[string]bool  // types by name
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

func newTicks(base bool) ticks {
	return ticks{base: base, protos: map[*dissect.Protocol]*protoTicks{}}
}

func (t *ticks) of(p *dissect.Protocol) *protoTicks {
	if t.protos[p] == nil {
		t.protos[p] = &protoTicks{on: t.base, except: map[string]bool{}, ways: map[typeWay]bool{}}
	}
	return t.protos[p]
}

// set ticks a line, or takes its tick away.
func (t *ticks) set(f facet, on bool) {
	p := t.of(f.proto.Protocol)
	switch {
	case f.kind == nil:
		*p = protoTicks{on: on, except: map[string]bool{}, ways: map[typeWay]bool{}}
	case f.dir < 0:
		p.setType(typeName(f.kind), on)
	default:
		k := typeWay{typeName(f.kind), f.dir}
		delete(p.ways, k)
		if p.isOn(k.name) != on {
			p.ways[k] = true
			if other := (typeWay{k.name, 1 - k.dir}); p.ways[other] { // both unlike the type: the type itself changes
				p.setType(k.name, on)
			}
		}
	}
	t.text = t.filter()
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

// typeName is how filters call a type.
func typeName(t *stats.Type) string {
	switch {
	case t.Field == nil:
		return ""
	case t.Name == "":
		return t.Field.NumberText(t.Value)
	case plainWord(t.Name):
		return t.Name
	}
	return quoteText(t.Name)
}

// plainWord tells whether a name can stand in a filter without quotes: a word in capitals, as packet types are. Others might
// be the name of a field or a protocol.
func plainWord(s string) bool {
	for i, c := range s {
		if !(c >= 'A' && c <= 'Z' || c == '_' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// filter writes the ticks as a display filter; "" is everything.
func (t *ticks) filter() string {
	var protos []*dissect.Protocol
	for p := range t.protos {
		protos = append(protos, p)
	}
	slices.SortFunc(protos, func(a, b *dissect.Protocol) int { return strings.Compare(a.Name(), b.Name()) })
	var terms, excluded []string
	for _, p := range protos {
		in, out := t.protos[p].terms(p, t.base)
		terms, excluded = append(terms, in...), append(excluded, out...)
	}
	if t.base {
		return strings.Join(append(excluded, terms...), " && ")
	}
	if len(terms) == 0 {
		return "!frame"
	}
	text := strings.Join(terms, " || ")
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
func (p *protoTicks) terms(proto *dissect.Protocol, base bool) (in, out []string) {
	f := proto.KindField()
	for _, w := range sortedWays(p.ways) {
		term := oneOf(f, []string{w.name}) + " && dir == " + [2]string{"forth", "back"}[w.dir]
		if p.isOn(w.name) {
			out = append(out, "!("+term+")")
		} else if base {
			out = append(out, "") // it is shown again below
		} else {
			in = append(in, "("+term+")")
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" })
	names := sortedNames(p.except)
	name := protocolTerm(proto)
	switch {
	case base && p.on && len(names) > 0:
		out = append(out, "!("+oneOf(f, names)+")")
	case base && !p.on:
		again := p.shownAgain(f, names)
		if again == "" {
			out = append(out, "!"+bracket(name))
		} else {
			out = append(out, "(!"+bracket(name)+" || "+again+")")
		}
	case p.on && len(names) > 0:
		in = append(in, "("+name+" && !("+oneOf(f, names)+"))")
	case p.on:
		in = append(in, name)
	case len(names) > 0:
		in = append(in, oneOf(f, names))
	}
	return in, out
}

// shownAgain is what of an excluded protocol is shown all the same.
func (p *protoTicks) shownAgain(f *dissect.Field, names []string) string {
	var parts []string
	if len(names) > 0 {
		parts = append(parts, oneOf(f, names))
	}
	for _, w := range sortedWays(p.ways) {
		if !p.isOn(w.name) {
			parts = append(parts, "("+oneOf(f, []string{w.name})+" && dir == "+[2]string{"forth", "back"}[w.dir]+")")
		}
	}
	return strings.Join(parts, " || ")
}

// protocolTerm is the filter for packets that a protocol tops. Transports carry others, so the Protocol column is asked.
func protocolTerm(p *dissect.Protocol) string {
	if carriesOthers(p) {
		return "_ws.col.protocol == " + quoteText(p.Title())
	}
	return p.Name()
}

// carriesOthers tells whether a protocol is mostly below others.
func carriesOthers(p *dissect.Protocol) bool {
	switch p.Name() {
	case "frame", "eth", "vlan", "sll", "null", "raw", "llc", "ip", "ipv6", "udp", "tcp", "data", "gopacket":
		return true
	}
	return false
}

func bracket(s string) string {
	if strings.Contains(s, " ") {
		return "(" + s + ")"
	}
	return s
}

// oneOf is the filter for types of these names; "" stands for packets without a type.
func oneOf(f *dissect.Field, names []string) string {
	if f == nil {
		return "frame"
	}
	if slices.Contains(names, "") {
		rest := slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == "" })
		text := "(" + protocolTerm(f.Protocol()) + " && !" + f.Name() + ")"
		if len(rest) > 0 {
			text = "(" + text + " || " + oneOf(f, rest) + ")"
		}
		return text
	}
	if len(names) == 1 {
		return f.Name() + " == " + names[0]
	}
	return f.Name() + " in {" + strings.Join(names, ", ") + "}"
}

func sortedNames(m map[string]bool) []string {
	var out []string
	for n := range m {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

func sortedWays(m map[typeWay]bool) []typeWay {
	var out []typeWay
	for w := range m {
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b typeWay) int {
		if a.name != b.name {
			return strings.Compare(a.name, b.name)
		}
		return a.dir - b.dir
	})
	return out
}
