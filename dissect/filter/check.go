package filter

import (
	"cmp"
	"fmt"

	"remora/dissect"
)

// checker looks names and literals up and makes the tests.
type checker struct {
	reg        *dissect.Registry
	opt        Options
	text       string
	warnings   []Error
	warned     int // one more than where the last old name stands
	selected   *dissect.Tree
	references bool
	whole      bool // it takes the whole tree of a frame
	indexed    bool // it takes what the index has of a frame
	costly     []costly
}

func (c *checker) fail(e *Expr, hint, format string, args ...any) error {
	return &Error{Text: c.text, Pos: e.Pos, End: e.End, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func (c *checker) warn(e *Expr, hint, format string, args ...any) {
	if n := len(c.warnings); n > 0 && c.warnings[n-1].Pos == e.Pos || n >= 20 {
		return
	}
	c.warnings = append(c.warnings,
		Error{Text: c.text, Pos: e.Pos, End: e.End, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

func (c *checker) logical(e *Expr) (test, error) {
	switch e.Op {
	case "&&", "||", "^^", "!":
		parts := make([]test, len(e.Args))
		var wrong error
		for i, a := range e.Args {
			var err error
			if parts[i], err = c.logical(a); err != nil {
				wrong = withMore(wrong, err)
			}
		}
		if wrong != nil {
			return nil, wrong
		}
		switch e.Op {
		case "&&":
			return allOf(parts), nil
		case "||":
			return anyOf(parts), nil
		case "^^":
			return xorOf(parts[0], parts[1]), nil
		}
		return negationOf(parts[0]), nil
	case OpExists:
		return c.exists(e.Args[0])
	case OpIn:
		return c.set(e)
	case "matches":
		return c.matches(e)
	}
	return c.relation(e)
}

// withMore adds what else is wrong to a mistake.
func withMore(first, next error) error {
	a, ok := first.(*Error)
	b, ok2 := next.(*Error)
	if !ok || !ok2 {
		return cmp.Or(first, next)
	}
	if len(a.More) < maxMistakes {
		a.More = append(append(a.More, b), b.More...)
	}
	return a
}

// maxMistakes is about how many mistakes of a filter are told.
const maxMistakes = 20

// exists resolves a term that stands alone.
func (c *checker) exists(e *Expr) (test, error) {
	switch e.Op {
	case OpWord:
		if !c.declared(e) {
			return nil, c.unknown(e)
		}
	case OpString, OpChar, OpLiteral:
		return nil, c.fail(e, "", "%s is neither a field nor a protocol", c.source(e))
	case OpRef:
		if _, err := c.operand(e); err != nil {
			return nil, err
		}
		return nil, c.fail(e, "compare a field with it", "%s alone is not a test", c.source(e))
	}
	o, err := c.operand(e)
	if err != nil {
		return nil, err
	}
	switch src := o.source.(type) {
	case *field:
		if !src.raw {
			return presenceTest{src}, nil
		}
		return exists{o.source}, nil
	case slice, direction, layerStackValues:
		return exists{o.source}, nil
	case constant:
		for _, v := range src.values {
			if v.truth() {
				return constantTest(true), nil
			}
		}
		return constantTest(false), nil
	}
	return nonZero{o.source}, nil
}

// relation compares two terms. A constant takes the type of the other side.
func (c *checker) relation(e *Expr) (test, error) {
	op := e.Op
	if op == "~=" {
		c.warn(e, "write !==", "~= is deprecated")
		op = "!=="
	}
	left, right := e.Args[0], e.Args[1]
	a, b, err := c.sides(op, left, right)
	if err != nil {
		return nil, err
	}
	every := op == "!=" || op == "==="
	if e.Quant != "" {
		every = e.Quant == "all"
	}
	if va, ok := a.constantValues(); ok && len(va) == 0 {
		return constantTest(false), nil
	}
	vb, isConstant := b.constantValues()
	switch {
	case isConstant && len(vb) == 0:
		return constantTest(false), nil
	case isConstant && len(vb) > 1 && !a.mixed && right.Op != OpRef:
		return c.membership(e, a, vb, op, every)
	case isConstant && len(vb) == 1 && !a.mixed:
		pass := a.class.comparison(op, vb[0])
		if f := a.plain(); f != nil && !f.raw {
			return occurrence{field: f, number: a.class.inNumber(), all: every, pass: pass, quick: a.class.quick(op, vb[0])}, nil
		}
		return eachOf(a.source, every, pass), nil
	}
	return termComparison{a.source, b.source, every, op}.simplified(), nil
}

// membership is a relation with a name that stands for several numbers.
func (c *checker) membership(e *Expr, a *operand, want []value, op Op, every bool) (test, error) {
	if op != "==" && op != "!=" && op != "===" && op != "!==" {
		return nil, c.fail(e.Args[1], "", "%q stands for several numbers, so it has no order", e.Args[1].Text)
	}
	equal := op == "==" || op == "==="
	pass := func(v value) bool {
		for i := range want {
			if a.class.compare(v, want[i]) == 0 {
				return equal
			}
		}
		return !equal
	}
	if f := a.plain(); f != nil && !f.raw {
		return occurrence{field: f, number: a.class.inNumber(), all: every, pass: pass}, nil
	}
	return eachOf(a.source, every, pass), nil
}

var mirrored = map[Op]Op{"==": "==", "!=": "!=", "===": "===", "!==": "!==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// sides resolves both sides of a relation and holds their types against each other.
func (c *checker) sides(op Op, left, right *Expr) (a, b *operand, err error) {
	switch {
	case c.declared(left):
		if a, err = c.operand(left); err != nil {
			return nil, nil, err
		}
		if err = c.takesRelation(op, a); err != nil {
			return nil, nil, err
		}
		if c.declared(right) {
			if b, err = c.operand(right); err == nil {
				err = c.takesRelation(op, b)
			}
		} else {
			b, err = c.as(right, a, op)
		}
	case left.Op == OpWord && !isDigit(left.Text[0]) && !c.declared(right):
		return nil, nil, c.unknown(left)
	case c.declared(right) && mirrored[op] != "":
		if b, err = c.operand(right); err != nil {
			return nil, nil, err
		}
		if err = c.takesRelation(op, b); err != nil {
			return nil, nil, err
		}
		if a, err = c.as(left, b, op); err != nil && left.Op == OpWord && !isDigit(left.Text[0]) {
			err = c.unknown(left)
		}
	default:
		return nil, nil, c.fail(left, "", "%s is a value; at least one side of a comparison is a field", c.source(left))
	}
	if err != nil {
		return nil, nil, err
	}
	if !a.class.comparable(b.class) && !a.mixed && !b.mixed {
		return nil, nil,
			c.fail(&Expr{Pos: left.Pos, End: right.End}, c.quoteHint(right, a), "%s and %s cannot be compared: %s and %s",
				c.source(left), c.source(right), a.class, b.class)
	}
	return a, b, nil
}

// quoteHint helps where the name of a value is the name of a protocol, too: ip.proto == udp.
func (c *checker) quoteHint(right *Expr, a *operand) string {
	if right.Op == OpWord && c.hasNames(a) {
		quoted := *right
		quoted.Op = OpString
		if _, err := c.valueName(&quoted, a); err == nil {
			return fmt.Sprintf("%q in quotes is a value of %s", right.Text, c.source(a.expr))
		}
	}
	return ""
}

// takesRelation refuses relations that the type does not have.
func (c *checker) takesRelation(op Op, o *operand) error {
	if op == "contains" {
		o.searched()
	}
	switch {
	case o.class == classNone:
		return c.fail(o.expr, "ask for its presence: the name alone", "%s has no value to compare", c.source(o.expr))
	case op == "contains" && !o.class.searched():
		return c.fail(o.expr, "string("+c.source(o.expr)+") is text", "contains looks into texts and bytes, and %s is %s",
			c.source(o.expr), o.class)
	}
	return nil
}

// matches resolves a regular expression.
func (c *checker) matches(e *Expr) (test, error) {
	left, right := e.Args[0], e.Args[1]
	if !c.declared(left) {
		if left.Op == OpWord && !isDigit(left.Text[0]) {
			return nil, c.unknown(left)
		}
		return nil, c.fail(left, "", "%s is a value, and a field belongs here", c.source(left))
	}
	o, err := c.operand(left)
	if err != nil {
		return nil, err
	}
	o.searched()
	src := o.source
	switch f := o.plain(); {
	case o.class.searched():
	case f != nil && o.class.integer() && c.hasNames(o) && !o.mixed:
		src = applied{fn: functions["vals"], field: f, args: []source{f}}
	default:
		return nil, c.fail(left, "string("+c.source(left)+") is text", "matches looks into texts and bytes, and %s is %s",
			c.source(left), o.class)
	}
	if right.Op != OpString {
		return nil, c.fail(right, "", "matches takes a regular expression in quotes")
	}
	re, err := compileRegex(right.Text)
	if err != nil {
		return nil, c.fail(right, "", "the regular expression is wrong: %s", err)
	}
	if re.back != nil {
		c.costly = append(c.costly, costly{re, c.fail(right, "without (?=…), \\1 and ++ it could go on",
			"the regular expression takes too long; the filter stopped")})
	}
	return regexTest{src, e.Quant == "all", re}, nil
}

// set is membership in values and ranges.
func (c *checker) set(e *Expr) (test, error) {
	left := e.Args[0]
	if left.Op != OpWord && left.Op != OpField || !c.declared(left) {
		if left.Op == OpWord && !isDigit(left.Text[0]) {
			return nil, c.unknown(left)
		}
		return nil, c.fail(left, "", "in takes a field on its left")
	}
	o, err := c.operand(left)
	if err != nil {
		return nil, err
	}
	if err := c.takesRelation(OpIn, o); err != nil {
		return nil, err
	}
	var elements []element
	fixed := true
	for _, r := range e.Set {
		el, err := c.element(r, o)
		if err != nil {
			return nil, err
		}
		elements = append(elements, el)
		fixed = fixed && el.fixed
	}
	m := setTest{of: o.source, all: e.Quant == "all", elements: elements}
	if f := o.plain(); f != nil && fixed && !o.mixed {
		return occurrence{field: f, number: o.class.inNumber(), all: m.all, pass: inRanges(o.class, elements)}, nil
	}
	return m, nil
}

// element resolves one element of a set.
func (c *checker) element(r Range, o *operand) (element, error) {
	low, err := c.elementSide(r.From, o)
	if err != nil {
		return element{}, err
	}
	high := low
	if r.To != nil {
		if high, err = c.elementSide(r.To, o); err != nil {
			return element{}, err
		}
	}
	_, fixedLow := low.constantValues()
	_, fixedHigh := high.constantValues()
	return element{low: low.source, high: high.source, single: r.To == nil, fixed: fixedLow && fixedHigh}, nil
}

func (c *checker) elementSide(e *Expr, o *operand) (*operand, error) {
	if e.Op == OpSlice {
		return nil, c.fail(e, "", "parts of fields do not belong in a set")
	}
	if !c.declared(e) {
		return c.as(e, o, OpIn)
	}
	side, err := c.operand(e)
	if err != nil {
		return nil, err
	}
	if !o.class.comparable(side.class) && !o.mixed && !side.mixed {
		return nil, c.fail(e, c.quoteHint(e, o), "%s and %s cannot be compared: %s and %s", c.source(o.expr), c.source(e),
			o.class, side.class)
	}
	return side, nil
}
