package filter

import "remora/dissect"

// values are the values of a term. They stand above the stack's end: they hold until something else is pushed.
func (e *eval) values(of source, t *dissect.Tree) []value {
	start := len(e.stack)
	of.push(e, t)
	values := e.stack[start:]
	e.stack = e.stack[:start]
	return values
}

// exists asks whether a term has a value: a slice of which there is something.
type exists struct{ of source }

func (x exists) needs(add func(*dissect.Field)) { x.of.needs(add) }
func (x exists) cost() int                      { return costTerm }
func (x exists) match(e *eval, t *dissect.Tree) bool {
	_, cut := x.of.(slice)
	for _, v := range e.values(x.of, t) {
		if !cut || len(v.b) > 0 {
			return true
		}
	}
	return false
}
func (x exists) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	if !x.of.possible(s, sh) {
		return constantTest(false)
	}
	return answered(x, x.of, s, sh)
}

// nonZero asks whether a term has a value that is not zero.
type nonZero struct{ of source }

func (x nonZero) needs(add func(*dissect.Field)) { x.of.needs(add) }
func (x nonZero) cost() int                      { return costTerm }
func (x nonZero) match(e *eval, t *dissect.Tree) bool {
	for _, v := range e.values(x.of, t) {
		if v.truth() {
			return true
		}
	}
	return false
}
func (x nonZero) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	if !x.of.possible(s, sh) {
		return constantTest(false)
	}
	return x
}

// valueTest holds each value of a term against something known.
type valueTest struct {
	of   source
	all  bool
	pass func(v value) bool
}

func eachOf(of source, all bool, pass func(v value) bool) test {
	if c, ok := of.(constant); ok {
		return constantTest(quantified(c.values, all, pass))
	}
	return valueTest{of, all, pass}
}

// quantified tells whether any value passes, or all of at least one.
func quantified(values []value, all bool, pass func(v value) bool) bool {
	for _, v := range values {
		if pass(v) != all {
			return !all
		}
	}
	return all && len(values) > 0
}

func (x valueTest) needs(add func(*dissect.Field)) { x.of.needs(add) }
func (x valueTest) cost() int                      { return costTerm }
func (x valueTest) match(e *eval, t *dissect.Tree) bool {
	return quantified(e.values(x.of, t), x.all, x.pass)
}
func (x valueTest) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	if !x.of.possible(s, sh) {
		return constantTest(false)
	}
	return answered(x, x.of, s, sh)
}

// termComparison compares two terms, each value of one with each of the other.
type termComparison struct {
	a, b source
	all  bool
	op   Op
}

// simplified answers a pair of constants at once.
func (x termComparison) simplified() test {
	if _, ok := x.a.(constant); ok {
		if _, ok := x.b.(constant); ok {
			return constantTest(x.match(&eval{}, nil))
		}
	}
	return x
}

func (x termComparison) match(e *eval, t *dissect.Tree) bool {
	start := len(e.stack)
	x.a.push(e, t)
	middle := len(e.stack)
	if middle == start {
		return false
	}
	x.b.push(e, t)
	left, right := e.stack[start:middle], e.stack[middle:]
	e.stack = e.stack[:start]
	found := false
	for _, a := range left {
		for _, b := range right {
			if !a.class.comparable(b.class) {
				continue // a name of several types
			}
			found = true
			if related(x.op, a, b) != x.all {
				return !x.all
			}
		}
	}
	return x.all && found
}

// related compares two values. Signed and unsigned numbers are compared as the numbers that they are.
func related(op Op, a, b value) bool {
	switch {
	case a.class == b.class || !a.class.integer() || !b.class.integer():
		return a.class.related(op, a, b)
	case a.class == classInt && int64(a.n) < 0:
		return holds(op, -1)
	case b.class == classInt && int64(b.n) < 0:
		return holds(op, 1)
	}
	return classUint.related(op, a, b)
}

func (x termComparison) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	if !x.a.possible(s, sh) || !x.b.possible(s, sh) {
		return constantTest(false)
	}
	return x
}
func (x termComparison) needs(add func(*dissect.Field)) { x.a.needs(add); x.b.needs(add) }
func (x termComparison) cost() int {
	if x.op == "contains" {
		return costSearch
	}
	return 2 * costTerm
}

// regexTest holds each value of a term against a regular expression.
type regexTest struct {
	of  source
	all bool
	re  *regex
}

func (x regexTest) needs(add func(*dissect.Field)) { x.of.needs(add) }
func (x regexTest) cost() int                      { return costRegex }
func (x regexTest) match(e *eval, t *dissect.Tree) bool {
	return x.among(e, e.values(x.of, t))
}

func (x regexTest) among(e *eval, values []value) bool {
	for _, v := range values {
		if (x.re.match(e, v.b) && !v.empty()) != x.all {
			return !x.all
		}
	}
	return x.all && len(values) > 0
}

func (x regexTest) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	if !x.of.possible(s, sh) {
		return constantTest(false)
	}
	return answered(x, x.of, s, sh)
}

// An element of a set is one value or all between two. Names and fields may give several values each.
type element struct {
	low, high     source
	single, fixed bool
}

// setTest asks whether values of a term are in a set with elements that depend on the frame.
type setTest struct {
	of       source
	all      bool
	elements []element
}

func (x setTest) match(e *eval, t *dissect.Tree) bool {
	start := len(e.stack)
	x.of.push(e, t)
	end := len(e.stack)
	defer func() { e.stack = e.stack[:start] }()
	for i := start; i < end; i++ {
		if x.contains(e, t, i) != x.all {
			return !x.all
		}
	}
	return x.all && end > start
}

// contains tells whether the value at i of the stack lies in some element.
func (x setTest) contains(e *eval, t *dissect.Tree, i int) bool {
	top := len(e.stack)
	defer func() { e.stack = e.stack[:top] }()
	for _, el := range x.elements {
		el.low.push(e, t)
		middle := len(e.stack)
		if !el.single {
			el.high.push(e, t)
		}
		v, low, high := e.stack[i], e.stack[top:middle], e.stack[middle:]
		e.stack = e.stack[:top]
		if el.single && within(v, low, "==") || !el.single && within(v, low, ">=") && within(v, high, "<=") {
			return true
		}
	}
	return false
}

// within tells whether a value stands in a relation to one of the bounds.
func within(v value, bounds []value, op Op) bool {
	for _, b := range bounds {
		if v.class.comparable(b.class) && v.class.related(op, v, b) {
			return true
		}
	}
	return false
}

func (x setTest) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	if !x.of.possible(s, sh) {
		return constantTest(false)
	}
	return x
}
func (x setTest) needs(add func(*dissect.Field)) {
	x.of.needs(add)
	for _, el := range x.elements {
		el.low.needs(add)
		el.high.needs(add)
	}
}
func (x setTest) cost() int { return costTerm * (1 + len(x.elements)) }
