package filter

import (
	"sort"

	"remora/dissect"
)

// A test is a part of a compiled filter.
type test interface {
	// match answers from a tree in which at least the needed fields are recorded.
	match(e *eval, t *dissect.Tree) bool
	// reduce is what is left of the test for frames of a layer stack: known where the layer stack alone answers it.
	reduce(s *dissect.Session, sh *dissect.LayerStack) test
	// needs calls add with the fields that must be recorded for match.
	needs(add func(*dissect.Field))
	// cost ranks tests: cheap ones are asked first.
	cost() int
}

// constantTest is a test whose answer does not depend on the frame.
type constantTest bool

func (x constantTest) match(*eval, *dissect.Tree) bool                   { return bool(x) }
func (x constantTest) reduce(*dissect.Session, *dissect.LayerStack) test { return x }
func (x constantTest) needs(func(*dissect.Field))                        {}
func (x constantTest) cost() int                                         { return 0 }

// conjunction and disjunction hold two tests or more, the cheaper ones first.
type (
	conjunction []test
	disjunction []test
)

// allOf joins tests by and, anyOf by or, without those whose answer is known.
func allOf(parts []test) test { return joined(parts, true) }
func anyOf(parts []test) test { return joined(parts, false) }

func joined(parts []test, and bool) test {
	var out []test
	for _, p := range parts {
		switch x := p.(type) {
		case constantTest:
			if bool(x) != and {
				return x
			}
		case conjunction:
			if and {
				out = append(out, x...)
			} else {
				out = append(out, p)
			}
		case disjunction:
			if and {
				out = append(out, p)
			} else {
				out = append(out, x...)
			}
		default:
			out = append(out, p)
		}
	}
	switch {
	case len(out) == 0:
		return constantTest(and)
	case len(out) == 1:
		return out[0]
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].cost() < out[j].cost() })
	if and {
		return conjunction(out)
	}
	return disjunction(out)
}

func (x conjunction) match(e *eval, t *dissect.Tree) bool {
	for _, p := range x {
		if !p.match(e, t) {
			return false
		}
	}
	return true
}

func (x disjunction) match(e *eval, t *dissect.Tree) bool {
	for _, p := range x {
		if p.match(e, t) {
			return true
		}
	}
	return false
}

func (x conjunction) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	return allOf(reduced(x, s, sh))
}
func (x disjunction) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	return anyOf(reduced(x, s, sh))
}

func reduced(parts []test, s *dissect.Session, sh *dissect.LayerStack) []test {
	out := make([]test, len(parts))
	for i, p := range parts {
		out[i] = p.reduce(s, sh)
	}
	return out
}

func (x conjunction) needs(add func(*dissect.Field)) { needsOf(x, add) }
func (x disjunction) needs(add func(*dissect.Field)) { needsOf(x, add) }

func needsOf(parts []test, add func(*dissect.Field)) {
	for _, p := range parts {
		p.needs(add)
	}
}

func (x conjunction) cost() int { return costOf(x) }
func (x disjunction) cost() int { return costOf(x) }

func costOf(parts []test) (sum int) {
	for _, p := range parts {
		sum += p.cost()
	}
	return sum
}

// negation is not.
type negation struct{ of test }

func negationOf(of test) test {
	switch x := of.(type) {
	case constantTest:
		return !x
	case negation:
		return x.of
	}
	return negation{of}
}

func (x negation) match(e *eval, t *dissect.Tree) bool { return !x.of.match(e, t) }
func (x negation) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	return negationOf(x.of.reduce(s, sh))
}
func (x negation) needs(add func(*dissect.Field)) { x.of.needs(add) }
func (x negation) cost() int                      { return x.of.cost() }

// exclusiveOr is xor: one of the two, not both.
type exclusiveOr struct{ a, b test }

func xorOf(a, b test) test {
	if x, ok := a.(constantTest); ok {
		a, b = b, x
	}
	switch x, ok := b.(constantTest); {
	case !ok:
		return exclusiveOr{a, b}
	case bool(x):
		return negationOf(a)
	}
	return a
}

func (x exclusiveOr) match(e *eval, t *dissect.Tree) bool { return x.a.match(e, t) != x.b.match(e, t) }
func (x exclusiveOr) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	return xorOf(x.a.reduce(s, sh), x.b.reduce(s, sh))
}
func (x exclusiveOr) needs(add func(*dissect.Field)) { x.a.needs(add); x.b.needs(add) }
func (x exclusiveOr) cost() int                      { return x.a.cost() + x.b.cost() }
