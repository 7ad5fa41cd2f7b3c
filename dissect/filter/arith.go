package filter

import (
	"math"
	"math/bits"

	"remora/dissect"
)

// arithmetic resolves a op b. A literal takes the type of the other side.
func (c *checker) arithmetic(e *Expr) (*operand, error) {
	left, right := e.Args[0], e.Args[1]
	switch {
	case c.declared(left):
		a, err := c.operand(left)
		if err != nil {
			return nil, err
		}
		return c.arithmeticOn(e, a, right)
	case c.declared(right):
		b, err := c.operand(right)
		if err != nil {
			return nil, err
		}
		a, err := c.as(left, b, e.Op)
		if err != nil {
			return nil, err
		}
		return c.combined(e, a, b)
	}
	return nil, c.fail(e, "", "%s is a value, and a field belongs here", c.source(e))
}

func (c *checker) arithmeticOn(e *Expr, a *operand, right *Expr) (*operand, error) {
	if !a.class.takes(e.Op) && !(a.class == classTime && e.Op == "-") {
		return nil, c.fail(e, "", "%s is %s, which does not take %s", c.source(e.Args[0]), a.class, e.Op)
	}
	if c.declared(right) {
		b, err := c.operand(right)
		if err != nil {
			return nil, err
		}
		return c.combined(e, a, b)
	}
	like := a
	switch {
	case a.class == classTime && e.Op == "+", a.class == classTime && right.Op != OpString:
		like = &operand{class: classSpan, expr: a.expr} // so much later or earlier
	case a.class == classSpan && (e.Op == "*" || e.Op == "/"):
		like = &operand{class: classFloat, expr: a.expr} // so many times as long
	}
	b, err := c.as(right, like, e.Op)
	if err != nil {
		return nil, err
	}
	return c.combined(e, a, b)
}

// combined makes the operand of two resolved sides, after a look at their types.
func (c *checker) combined(e *Expr, a, b *operand) (*operand, error) {
	o := &operand{class: a.class, size: max(a.size, b.size), expr: e}
	switch {
	case a.class == classTime && b.class == classTime && e.Op == "-":
		o.class = classSpan
	case a.class == classTime && b.class == classSpan && (e.Op == "+" || e.Op == "-"):
	case a.class == classSpan && b.class == classTime && e.Op == "+":
		o.class = classTime
	case a.class == classSpan && (b.class == classFloat || b.class.integer()) && (e.Op == "*" || e.Op == "/"):
	case !a.class.takes(e.Op) || a.class == classTime || a.class == classSpan && (e.Op == "*" || e.Op == "/"):
		return nil, c.fail(e, "", "%s is %s, which does not take %s", c.source(e.Args[0]), a.class, e.Op)
	case !a.class.comparable(b.class) || !b.class.takes(e.Op):
		return nil, c.fail(e, "", "%s and %s do not go together: %s and %s", c.source(e.Args[0]), c.source(e.Args[1]),
			a.class, b.class)
	}
	if o.class.integer() && (e.Op == "-" || b.class == classInt) {
		o.class, o.size = classInt, 8 // it may be negative where no side is
	}
	o.source = folded(arith{e.Op, a.source, b.source, o.size, o.class}, a, b)
	return o, nil
}

func (c *checker) negative(e *Expr) (*operand, error) {
	o, err := c.operand(e.Args[0])
	if err != nil {
		return nil, err
	}
	if !o.class.takes(OpNeg) {
		return nil, c.fail(e, "", "%s is %s, which has no negative", c.source(e.Args[0]), o.class)
	}
	n := &operand{class: o.class, size: o.size, expr: e}
	if o.class == classUint {
		n.class, n.size = classInt, 8
	}
	n.source = folded(negated{o.source, n.size}, o)
	return n, nil
}

// arith works two terms out value by value, each of the left with each of the right. What cannot be worked out (one
// too big, a division by zero) has no value.
type arith struct {
	op   Op
	a, b source
	size int
	to   class
}

func (x arith) possible(s *dissect.Session, sh *dissect.LayerStack) bool {
	return x.a.possible(s, sh) && x.b.possible(s, sh)
}
func (x arith) needs(add func(*dissect.Field)) { x.a.needs(add); x.b.needs(add) }

func (x arith) push(e *eval, t *dissect.Tree) {
	start := len(e.stack)
	x.a.push(e, t)
	middle := len(e.stack)
	if middle == start {
		return
	}
	x.b.push(e, t)
	end := len(e.stack)
	for i := start; i < middle; i++ {
		for j := middle; j < end; j++ {
			if len(e.stack)-end >= maxValues {
				break
			}
			if v, ok := e.compute(x, e.stack[i], e.stack[j]); ok {
				e.push(v)
			}
		}
	}
	n := copy(e.stack[start:], e.stack[end:])
	e.stack = e.stack[:start+n]
}

// maxValues bounds what the cross product of two terms in a hostile packet can grow to.
const maxValues = 1 << 10

func (e *eval) compute(x arith, a, b value) (value, bool) {
	op, size := x.op, x.size
	switch x.to {
	case classUint:
		n, ok := unsigned(op, a.n, b.n, size)
		return value{n: n, class: classUint}, ok
	case classInt:
		if a.tooBig() || b.tooBig() {
			return value{}, false
		}
		n, ok := signed(op, int64(a.n), int64(b.n), size)
		return value{n: uint64(n), class: classInt}, ok
	case classFloat:
		x, ok := float(op, math.Float64frombits(a.n), math.Float64frombits(b.n))
		return value{n: math.Float64bits(x), class: classFloat}, ok
	case classTime, classSpan:
		return moment(op, a, b)
	case classIPv4:
		return value{n: a.n & b.n, bits: 32, class: classIPv4}, true
	}
	if len(a.b) != len(b.b) {
		return value{}, false
	}
	out := e.keep(a.b)
	for i := range out {
		out[i] &= b.b[i]
	}
	return value{b: out, bits: 128, class: a.class}, true
}

// tooBig tells whether a value is no signed number of 64 bits.
func (v value) tooBig() bool { return v.class == classUint && v.n > math.MaxInt64 }

// unsigned works in 32 bits, or in 64 where a side is wider.
func unsigned(op Op, a, b uint64, size int) (n uint64, ok bool) {
	var over uint64
	switch op {
	case "&":
		return a & b, true
	case "+":
		n, over = bits.Add64(a, b, 0)
	case "-":
		n, over = bits.Sub64(a, b, 0)
	case "*":
		over, n = bits.Mul64(a, b)
	case "/":
		if b == 0 {
			return 0, false
		}
		n = a / b
	case "%":
		if b == 0 {
			return 0, false
		}
		n = a % b
	}
	return n, over == 0 && (size > 4 || n <= math.MaxUint32)
}

func signed(op Op, a, b int64, size int) (n int64, ok bool) {
	switch op {
	case "&":
		return a & b, true
	case "+":
		n = a + b
		ok = (n > a) == (b > 0)
	case "-":
		n = a - b
		ok = (n < a) == (b > 0)
	case "*":
		n = a * b
		ok = a == 0 || n/a == b && !(a == -1 && b == math.MinInt64)
	case "/", "%":
		if b == 0 || a == math.MinInt64 && b == -1 {
			return 0, false
		}
		n, ok = a/b, true
		if op == "%" {
			n = a % b
		}
	}
	return n, ok && (size > 4 || n >= math.MinInt32 && n <= math.MaxInt32)
}

func float(op Op, a, b float64) (float64, bool) {
	switch op {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	}
	return a / b, b != 0
}

// moment adds and subtracts times and spans, and multiplies spans.
func moment(op Op, a, b value) (value, bool) {
	out := a.class
	switch {
	case op == "+" || op == "-":
		if a.class == classTime && b.class == classTime {
			out = classSpan
		} else if b.class == classTime {
			out = classTime
		}
		n, ok := signed(op, int64(a.n), int64(b.n), 8)
		return value{n: uint64(n), class: out}, ok
	case b.class == classFloat:
		x, ok := float(op, float64(int64(a.n)), math.Float64frombits(b.n))
		ok = ok && math.Abs(x) < math.MaxInt64
		if !ok {
			return value{}, false
		}
		return value{n: uint64(int64(math.Round(x))), class: out}, true
	}
	n, ok := signed(op, int64(a.n), int64(b.n), 8)
	return value{n: uint64(n), class: out}, ok
}

// negated is unary minus.
type negated struct {
	of   source
	size int
}

func (x negated) possible(s *dissect.Session, sh *dissect.LayerStack) bool {
	return x.of.possible(s, sh)
}
func (x negated) needs(add func(*dissect.Field)) { x.of.needs(add) }

func (x negated) push(e *eval, t *dissect.Tree) {
	start := len(e.stack)
	x.of.push(e, t)
	kept := start
	for _, v := range e.stack[start:] {
		if v, ok := negate(v, x.size); ok {
			e.stack[kept] = v
			kept++
		}
	}
	e.stack = e.stack[:kept]
}

func negate(v value, size int) (value, bool) {
	ok := true
	switch v.class {
	case classFloat:
		v.n = math.Float64bits(-math.Float64frombits(v.n))
	case classUint:
		ok = !v.tooBig()
		v.n, v.class = -v.n, classInt
	default:
		var n int64
		n, ok = signed("-", 0, int64(v.n), max(size, 4))
		v.n = uint64(n)
	}
	return v, ok
}

// truth tells whether a value counts as true when it stands alone: it is not zero.
func (v value) truth() bool {
	switch v.class {
	case classFloat:
		return math.Float64frombits(v.n) != 0
	case classString:
		return len(v.b) > 0
	}
	if v.class.inNumber() {
		return v.n != 0
	}
	for _, c := range v.b {
		if c != 0 {
			return true
		}
	}
	return false
}
