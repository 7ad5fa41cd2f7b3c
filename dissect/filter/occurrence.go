package filter

import "remora/dissect"

// The costs of tests, in units of about one comparison.
const (
	costPresence = 1
	costNumber   = 2
	costBytes    = 4
	costTerm     = 12
	costSearch   = 30
	costRegex    = 100
)

// presenceTest asks whether a field or a protocol occurs.
type presenceTest struct{ field *field }

func (x presenceTest) match(_ *eval, t *dissect.Tree) bool {
	for i := range t.Nodes {
		if x.field.at(t, i) {
			return true
		}
	}
	return false
}

// reduce answers for protocols: the layer stack knows the layers of its frames.
func (x presenceTest) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	if !x.field.possible(s, sh) {
		return constantTest(false)
	}
	if x.field.inIndex() {
		if p := x.field.fields[0].Protocol(); !s.Provisional(sh, p) {
			return constantTest(s.StackHas(sh, p))
		}
	}
	return x
}

// inIndex is true for protocols that the index answers for all by itself.
func (f *field) inIndex() bool {
	if len(f.fields) != 1 || f.layers != nil || f.raw {
		return false
	}
	p := f.fields[0]
	return p.Type() == dissect.TypeProtocol && dissect.Indexed(p.Protocol())
}

func (x presenceTest) needs(add func(*dissect.Field)) {
	if !x.field.inIndex() || dissect.IsPlain(x.field.fields[0].Protocol()) {
		x.field.needs(add)
	}
}
func (x presenceTest) cost() int { return costPresence }

// occurrence holds each value of a field against something known: one must pass, or all of at least one.
type occurrence struct {
	field  *field
	number bool // the values are what stands in the nodes
	all    bool
	pass   func(v value) bool
	quick  func(n uint64) bool // pass for numbers, where there is such a test
}

func (x occurrence) match(e *eval, t *dissect.Tree) bool {
	if x.quick != nil {
		return x.matchNumbers(t)
	}
	found := false
	for i := range t.Nodes {
		if !x.field.at(t, i) {
			continue
		}
		v := value{n: t.Nodes[i].Val, bits: 32}
		if !x.number {
			v = x.field.read(e, t, i)
		}
		found = true
		if x.pass(v) != x.all {
			return !x.all
		}
	}
	return x.all && found
}

// matchNumbers is match for numbers, without values made of them: it is what most filters do.
func (x occurrence) matchNumbers(t *dissect.Tree) bool {
	found := false
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !x.field.has(n.Field) || x.field.layers != nil && !x.field.inLayer(t, i) {
			continue
		}
		found = true
		if x.quick(n.Val) != x.all {
			return !x.all
		}
	}
	return x.all && found
}

// reduce answers for packet types: the layer stack knows those of its frames.
func (x occurrence) reduce(s *dissect.Session, sh *dissect.LayerStack) test {
	if !x.field.possible(s, sh) {
		return constantTest(false)
	}
	f := x.field.fields[0]
	if !f.IsKind() || len(x.field.fields) > 1 || x.field.layers != nil || !s.KindsWhole(sh, f) {
		return x
	}
	found := false
	for _, k := range sh.Kinds {
		if k.Field != f.ID() {
			continue
		}
		found = true
		if x.pass(value{n: k.Value, class: classUint}) != x.all {
			return constantTest(!x.all)
		}
	}
	if !found {
		return x // a layer that another one quotes, or one cut short, has no packet type in the index
	}
	return constantTest(x.all)
}

func (x occurrence) needs(add func(*dissect.Field)) { x.field.needs(add) }
func (x occurrence) cost() int {
	if x.number {
		return costNumber
	}
	return costBytes
}

// inRanges is the test of a set whose elements are all known.
func inRanges(c class, elements []element) func(v value) bool {
	type bounds struct{ low, high value }
	var ranges []bounds
	for _, el := range elements {
		lows, highs := el.low.(constant).values, el.high.(constant).values
		if el.single {
			highs = lows
			for i := range lows {
				ranges = append(ranges, bounds{lows[i], highs[i]})
			}
			continue
		}
		if len(lows) > 0 && len(highs) > 0 { // a name for several numbers is as wide as they are
			ranges = append(ranges, bounds{lows[0], highs[len(highs)-1]})
		}
	}
	if c == classUint {
		return func(v value) bool {
			for i := range ranges {
				if v.n >= ranges[i].low.n && v.n <= ranges[i].high.n {
					return true
				}
			}
			return false
		}
	}
	return func(v value) bool {
		for i := range ranges {
			if c.compare(v, ranges[i].low) >= 0 && c.compare(v, ranges[i].high) <= 0 {
				return true
			}
		}
		return false
	}
}
