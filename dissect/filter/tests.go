package filter

import (
	"bytes"
	"regexp"

	"remora/dissect"
)

// A test is a part of a compiled filter. shape answers from the index alone as far as it can, match from a tree in which
// at least the filter's wanted fields are recorded.
type test interface {
	shape(s *dissect.Session, sh *dissect.Shape) verdict
	match(t *dissect.Tree) bool
}

type both struct{ a, b test }

func (x both) shape(s *dissect.Session, sh *dissect.Shape) verdict {
	return min(x.a.shape(s, sh), x.b.shape(s, sh))
}
func (x both) match(t *dissect.Tree) bool { return x.a.match(t) && x.b.match(t) }

type either struct{ a, b test }

func (x either) shape(s *dissect.Session, sh *dissect.Shape) verdict {
	return max(x.a.shape(s, sh), x.b.shape(s, sh))
}
func (x either) match(t *dissect.Tree) bool { return x.a.match(t) || x.b.match(t) }

type not struct{ a test }

func (x not) shape(s *dissect.Session, sh *dissect.Shape) verdict { return yes - x.a.shape(s, sh) }
func (x not) match(t *dissect.Tree) bool                          { return !x.a.match(t) }

// possible tells whether frames of the shape can have one of the fields.
func (o *operand) possible(s *dissect.Session, sh *dissect.Shape) bool {
	for _, f := range o.fields {
		if s.MayHave(sh, f) {
			return true
		}
	}
	return false
}

// exists asks whether a field, a protocol or a slice of one is there.
type exists struct{ o *operand }

func (x exists) shape(s *dissect.Session, sh *dissect.Shape) verdict {
	if !x.o.possible(s, sh) {
		return no
	}
	if f := x.o.fields[0]; len(x.o.fields) == 1 && f.Type() == dissect.TypeProtocol && len(x.o.spans) == 0 && s.ShapeHas(sh, f.Protocol()) {
		return yes
	}
	return maybe
}

func (x exists) match(t *dissect.Tree) bool {
	for i := range t.Nodes {
		if !x.o.has(t.Nodes[i].Field) {
			continue
		}
		if len(x.o.spans) == 0 {
			return true
		}
		if _, ok := x.o.read(t, i); ok {
			return true
		}
	}
	return false
}

// one tests the values of an operand one by one: any must pass, or all of at least one.
type one struct {
	o    *operand
	all  bool
	pass func(v value) bool
}

func (x one) shape(s *dissect.Session, sh *dissect.Shape) verdict {
	if !x.o.possible(s, sh) {
		return no
	}
	f := x.o.fields[0]
	if !f.IsKind() || len(x.o.fields) > 1 || x.o.call != "" || !s.KindsWhole(sh, f) {
		return maybe
	}
	found := false
	for _, k := range sh.Kinds {
		if k.Field != f.ID() {
			continue
		}
		found = true
		if x.pass(value{n: k.Value}) != x.all {
			return answer(!x.all)
		}
	}
	return answer(x.all && found)
}

func answer(b bool) verdict {
	if b {
		return yes
	}
	return no
}

func (x one) match(t *dissect.Tree) bool {
	found := false
	for i := range t.Nodes {
		if !x.o.has(t.Nodes[i].Field) {
			continue
		}
		v, ok := x.o.read(t, i)
		if !ok {
			continue
		}
		found = true
		if x.pass(v) != x.all {
			return !x.all
		}
	}
	return x.all && found
}

// count tests how often a field occurs. A field that does not occur has no count.
type count struct {
	o    *operand
	pass func(v value) bool
}

func (x count) shape(s *dissect.Session, sh *dissect.Shape) verdict {
	if !x.o.possible(s, sh) {
		return no
	}
	return maybe
}

func (x count) match(t *dissect.Tree) bool {
	n := 0
	for i := range t.Nodes {
		if x.o.has(t.Nodes[i].Field) {
			n++
		}
	}
	return n > 0 && x.pass(value{n: uint64(n)})
}

// pair compares two fields, each value of one with each of the other.
type pair struct {
	a, b *operand
	all  bool
	op   string
}

func (x pair) shape(s *dissect.Session, sh *dissect.Shape) verdict {
	if !x.a.possible(s, sh) || !x.b.possible(s, sh) {
		return no
	}
	return maybe
}

func (x pair) match(t *dissect.Tree) bool {
	found := false
	for i := range t.Nodes {
		if !x.a.has(t.Nodes[i].Field) {
			continue
		}
		left, ok := x.a.read(t, i)
		if !ok {
			continue
		}
		for j := range t.Nodes {
			if !x.b.has(t.Nodes[j].Field) {
				continue
			}
			right, ok := x.b.read(t, j)
			if !ok {
				continue
			}
			found = true
			if x.related(left, right) != x.all {
				return !x.all
			}
		}
	}
	return x.all && found
}

func (x pair) related(a, b value) bool {
	if x.op == "contains" {
		return len(b.b) > 0 && bytes.Contains(a.b, b.b)
	}
	return holds(x.op, x.a.class.compare(a, b))
}

// matching is the test of a regular expression: on bytes, without regard to case, anywhere.
func matching(re *regexp.Regexp) func(v value) bool {
	return func(v value) bool { return re.Match(v.b) }
}
