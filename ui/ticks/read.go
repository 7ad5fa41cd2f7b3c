package ticks

import (
	"maps"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
)

// The filter's text and the ticks say the same. A filter is read as terms joined by "and": those that speak of
// protocols, packet types and directions alone become ticks, whatever way they are written; the others stay as they
// are, and the facets count what they leave.

// A factOf is what the terms of the facets ask of a packet: what it counts as.
type factOf struct {
	proto *dissect.Protocol // nil: one that no term names
	word  string            // its type; "" none, unnamed: one that no term names
	dir   int               // 2: in no conversation
}

const (
	unnamed     = "\x00"
	noDirection = 2
)

// A judge tells whether a term holds.
type judge func(at factOf) bool

// reading collects what a filter's terms name.
type reading struct {
	sp    *Speller
	names map[*dissect.Protocol]map[string]bool
	words map[string]bool // types of whatever protocol
}

// Read takes a filter apart: what else it asks, and the ticks. Everything is ticked where it says nothing of them.
func (sp *Speller) Read(text string) (rest string, t Set) {
	e, err := filter.Parse(text)
	if err != nil || e == nil {
		return text, New(true)
	}
	terms := []*filter.Expr{e}
	if e.Op == "&&" {
		terms = e.Args
	}
	r := reading{sp, map[*dissect.Protocol]map[string]bool{}, map[string]bool{}}
	judges := make([]judge, len(terms))
	for i, term := range terms {
		judges[i] = r.judge(term)
	}
	t, ok := r.ticks(allOf(judges))
	if !ok { // some speak of more than the ticks can say, as a direction of everything
		for i, j := range judges {
			if _, ok := r.ticks(allOf([]judge{j})); !ok {
				judges[i] = nil
			}
		}
		if t, ok = r.ticks(allOf(judges)); !ok {
			return text, New(true)
		}
	}
	var others []string
	for i, term := range terms {
		if judges[i] == nil {
			others = append(others, text[term.Pos:term.End])
		}
	}
	return strings.Join(others, " && "), t
}

// allOf holds where all judges do; nil says nothing.
func allOf(judges []judge) judge {
	return func(at factOf) bool {
		for _, j := range judges {
			if j != nil && !j(at) {
				return false
			}
		}
		return true
	}
}

// ticks are those that a judge agrees with, if there are such.
func (r *reading) ticks(holds judge) (Set, bool) {
	same := func(p *dissect.Protocol, word string) (on, ok bool) {
		on = holds(factOf{p, word, noDirection})
		return on, holds(factOf{p, word, 0}) == on && holds(factOf{p, word, 1}) == on
	}
	base, ok := same(nil, unnamed)
	for w := range r.words {
		for p := range r.names {
			r.name(p, w)
		}
	}
	for _, w := range append(slices.Collect(maps.Keys(r.words)), "") {
		if on, same := same(nil, w); !ok || !same || on != base {
			return Set{}, false
		}
	}
	t := New(base)
	for p, words := range r.names {
		on, ok := same(p, unnamed)
		if p.KindField() == nil { // its packets are those without a type, and have directions of their own
			on, ok, words = holds(factOf{p, "", noDirection}), true, map[string]bool{}
		}
		if !ok {
			return Set{}, false
		}
		pt := newProtoTicks(on)
		words[""] = true
		for w := range words {
			pt.setType(w, holds(factOf{p, w, noDirection}))
			for dir := range 2 {
				if holds(factOf{p, w, dir}) != pt.isOn(w) {
					pt.directions[typeDirection{w, dir}] = true
				}
			}
		}
		if !pt.whole() || pt.on != base {
			t.protos[p] = pt
		}
	}
	return t, true
}

// judge is a term as the facets understand it, or nil.
func (r *reading) judge(e *filter.Expr) judge {
	switch e.Op {
	case "!":
		if of := r.judge(e.Args[0]); of != nil {
			return func(at factOf) bool { return !of(at) }
		}
	case "&&", "||", "^^":
		var parts []judge
		for _, a := range e.Args {
			part := r.judge(a)
			if part == nil {
				return nil
			}
			parts = append(parts, part)
		}
		return joinedJudge(string(e.Op), parts)
	case filter.OpExists:
		return r.presence(e.Args[0])
	case "==", "!=":
		if e.Quant == "" && len(e.Args) == 2 {
			if of := r.members(e.Args[0], e.Args[1:]); of != nil {
				return of.unless(e.Op == "!=")
			}
		}
	case filter.OpIn:
		var values []*filter.Expr
		for _, v := range e.Set {
			if v.To != nil {
				return nil
			}
			values = append(values, v.From)
		}
		if e.Quant == "" && len(e.Args) == 1 {
			if of := r.members(e.Args[0], values); of != nil {
				return of.unless(false)
			}
		}
	}
	return nil
}

func joinedJudge(op string, parts []judge) judge {
	return func(at factOf) bool {
		n := 0
		for _, p := range parts {
			if p(at) {
				n++
			}
		}
		switch op {
		case "&&":
			return n == len(parts)
		case "||":
			return n > 0
		}
		return n == 1
	}
}

// name notes that a term names a protocol, and types of it.
func (r *reading) name(p *dissect.Protocol, words ...string) {
	if r.names[p] == nil {
		r.names[p] = map[string]bool{}
	}
	for _, w := range words {
		r.names[p][w] = true
	}
}

// presence is a name alone: a protocol, every packet, or the packets with a type.
func (r *reading) presence(e *filter.Expr) judge {
	if e.Op != filter.OpWord || e.Layered {
		return nil
	}
	switch p := r.sp.reg.Protocol(e.Text); {
	case e.Text == "frame":
		return func(factOf) bool { return true }
	case e.Text == "frame.type":
		return func(at factOf) bool { return at.word != "" }
	case p != nil && dissect.Indexed(p) && r.sp.Exact(e.Text, "", r.sp.tops(p)):
		r.name(p)
		return func(at factOf) bool { return at.proto == p }
	}
	return nil
}

// A belonging is a field held against values: whether a packet has the field at all, and whether one of the values.
type belonging struct{ has, is judge }

// unless turns it about: != asks for a value, too, but for another one.
func (b *belonging) unless(not bool) judge {
	if not {
		return func(at factOf) bool { return b.has(at) && !b.is(at) }
	}
	return b.is
}

// members reads a field held against values, or gives nil.
func (r *reading) members(of *filter.Expr, values []*filter.Expr) *belonging {
	if of.Op != filter.OpWord || of.Layered {
		return nil
	}
	var words []string
	for _, v := range values {
		if v.Op != filter.OpWord && v.Op != filter.OpString && v.Op != filter.OpLiteral {
			return nil
		}
		words = append(words, v.Text)
	}
	always := func(factOf) bool { return true }
	switch of.Text {
	case "frame.top":
		set := map[*dissect.Protocol]bool{}
		for _, w := range words {
			p := r.sp.reg.Protocol(w)
			if p == nil {
				return nil
			}
			r.name(p)
			set[p] = true
		}
		return &belonging{always, func(at factOf) bool { return set[at.proto] }}
	case "dir":
		return r.directions(words)
	}
	return r.kinds(of.Text, words)
}

func (r *reading) directions(words []string) *belonging {
	var set [3]bool
	for _, w := range words {
		switch w {
		case dirNames[0], "0":
			set[0] = true
		case dirNames[1], "1":
			set[1] = true
		default:
			return nil
		}
	}
	return &belonging{func(at factOf) bool { return at.dir != noDirection }, func(at factOf) bool { return set[at.dir] }}
}

// kinds is for the field of a protocol's packet types. It must show what the facets count.
func (r *reading) kinds(name string, words []string) *belonging {
	if name == "frame.type" {
		return r.anyKinds(words)
	}
	f := r.sp.reg.Field(name)
	if f == nil || !f.IsKind() || f.Protocol().KindField() != f {
		return nil
	}
	p, set := f.Protocol(), map[string]bool{}
	var list []string
	for _, w := range words {
		w = typeWord(f, w)
		set[w] = true
		list = append(list, w)
	}
	if !r.sp.Exact(membership(name, list, func(w string) string { return typeLiteral(f, w) }), "", r.sp.are(p, list)) {
		return nil
	}
	r.name(p, list...)
	return &belonging{func(at factOf) bool { return at.proto == p && at.word != "" },
		func(at factOf) bool { return at.proto == p && set[at.word] }}
}

// anyKinds is frame.type, which stands beside the protocol whose types they are.
func (r *reading) anyKinds(words []string) *belonging {
	set := map[string]bool{}
	for _, w := range words {
		set[w], r.words[w] = true, true
	}
	return &belonging{func(at factOf) bool { return at.word != "" }, func(at factOf) bool { return set[at.word] }}
}
