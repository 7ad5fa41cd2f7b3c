package kaitai

import (
	"bytes"
	"math"
	"math/big"
	"strings"
)

// eval computes an expression for the object that is read.
func (m *machine) eval(n *node) Value {
	m.step()
	switch n.op {
	case opConst:
		return n.val
	case opName:
		return m.obj.get(m, n.attr)
	case opSpecial:
		return m.special(n.which)
	case opField:
		return m.field(n)
	case opCall:
		return m.call(n)
	case opIndex:
		return m.index(m.eval(n.kids[0]), m.eval(n.kids[1]))
	case opCast:
		return cast(m.eval(n.kids[0]), n)
	case opList:
		return m.list(n.kids)
	case opNot:
		return boolValue(!m.truth(n.kids[0]))
	case opAnd:
		return boolValue(m.truth(n.kids[0]) && m.truth(n.kids[1]))
	case opOr:
		return boolValue(m.truth(n.kids[0]) || m.truth(n.kids[1]))
	case opTernary:
		if m.truth(n.kids[0]) {
			return m.eval(n.kids[1])
		}
		return m.eval(n.kids[2])
	case opNegate:
		return negate(m.eval(n.kids[0]))
	case opInvert:
		return narrow(new(big.Int).Not(m.whole(m.eval(n.kids[0]), "~").wide()))
	case opFormat:
		return m.formatted(n.kids)
	}
	return m.binary(n.sign, n.text, m.eval(n.kids[0]), m.eval(n.kids[1]))
}

func (m *machine) truth(n *node) bool {
	v := m.eval(n)
	if v.Kind != Bool {
		fail(Expression, "%s is no condition", describe(v))
	}
	return v.flag()
}

// describe is a value for a message.
func describe(v Value) string {
	switch v.Kind {
	case Null:
		return "a field that is not there"
	case Struct, IO, List:
		return "an " + v.Kind.String()
	}
	return v.String()
}

func (m *machine) whole(v Value, what string) Value {
	if n, ok := v.number(); ok && n.Kind != Float {
		return n
	}
	fail(Expression, "%s is no integer for %s", describe(v), what)
	return v
}

// integer is a number that counts something.
func (m *machine) integer(v Value, what string) int64 {
	n := m.whole(v, what)
	if n.Kind == Uint {
		return math.MaxInt64
	}
	return n.n
}

func (m *machine) special(w special) Value {
	switch w {
	case specialRoot:
		return objectOrNull(m.obj.Root)
	case specialParent:
		return objectOrNull(m.obj.Parent)
	case specialIO:
		return streamValue(m.obj.IO)
	case specialIndex:
		return intValue(int64(m.at))
	case specialOn:
		return m.on
	case specialSizeof:
		return sizeInBytes(m.obj.Type.bitSize())
	}
	return m.self
}

func objectOrNull(o *Object) Value {
	if o == nil {
		return Value{}
	}
	return structValue(o)
}

func (m *machine) list(kids []*node) Value {
	m.spend(len(kids) * valueBytes)
	a := &Array{Elems: make([]Value, len(kids))}
	for i, k := range kids {
		a.Elems[i] = m.eval(k)
	}
	return listValue(a)
}

func (m *machine) formatted(kids []*node) Value {
	var b strings.Builder
	for _, k := range kids {
		v := m.eval(k)
		if v.Kind == Struct && v.Object().Type.text != nil {
			v = m.textOf(v.Object())
		}
		b.WriteString(v.String())
	}
	m.spend(b.Len())
	return strValue(b.String())
}

func (m *machine) index(of, at Value) Value {
	i := m.integer(at, "an index")
	size := int64(0)
	switch of.Kind {
	case List:
		size = int64(len(of.Array().Elems))
	case Bytes:
		size = int64(len(of.Raw()))
	default:
		fail(Expression, "%s has no elements", describe(of))
	}
	if i < 0 || i >= size {
		fail(Expression, "there is no element %d of %d", i, size)
	}
	if of.Kind == Bytes {
		return intValue(int64(of.Raw()[i]))
	}
	return of.Array().Elems[i]
}

func cast(v Value, n *node) Value {
	switch {
	case n.text == "bytes" && !n.list:
		return asBytes(v)
	case n.list && v.Kind == Bytes:
		a := &Array{Elems: make([]Value, len(v.Raw()))}
		for i, c := range v.Raw() {
			a.Elems[i] = intValue(int64(c))
		}
		return listValue(a)
	case n.text == "f4" && v.isNumber():
		return floatValue(float64(float32(v.Float64())))
	case n.text == "f8" && v.isNumber():
		return floatValue(v.Float64())
	}
	return v
}

// asBytes makes bytes of a list of numbers.
func asBytes(v Value) Value {
	if v.Kind != List {
		return v
	}
	out := make([]byte, len(v.Array().Elems))
	for i, e := range v.Array().Elems {
		if !e.isInteger() {
			fail(Expression, "%s is no byte", describe(e))
		}
		out[i] = byte(e.n)
	}
	return bytesValue(out)
}

func negate(v Value) Value {
	switch {
	case v.Kind == Int && v.n != math.MinInt64:
		return intValue(-v.n)
	case v.Kind == Float:
		return floatValue(-v.Float64())
	case v.isInteger():
		return narrow(new(big.Int).Neg(v.wide()))
	}
	fail(Expression, "%s is no number for -", describe(v))
	return v
}

func (m *machine) binary(s sign, text string, a, b Value) Value {
	if s >= eq {
		return boolValue(m.compare(s, text, a, b))
	}
	if a.Kind == Int && b.Kind == Int {
		if v, ok := quick(s, a.n, b.n); ok {
			return v
		}
	}
	if a.Kind == Str && b.Kind == Str && s == add {
		m.spend(len(a.Text()) + len(b.Text()))
		return strValue(a.Text() + b.Text())
	}
	x, ok := a.number()
	y, fine := b.number()
	if !ok || !fine {
		if a.Kind == Bool && b.Kind == Bool && s >= and {
			return m.binary(s, text, intValue(a.n), intValue(b.n))
		}
		fail(Expression, "%s %s %s cannot be computed", describe(a), text, describe(b))
	}
	if x.Kind == Float || y.Kind == Float {
		return floats(s, text, x.Float64(), y.Float64())
	}
	return wide(s, text, x, y)
}

// quick computes with numbers whose result fits for sure.
func quick(s sign, a, b int64) (Value, bool) {
	const half = 1 << 31
	switch s {
	case add:
		if c := a + b; (c > a) == (b > 0) {
			return intValue(c), true
		}
	case sub:
		if c := a - b; (c < a) == (b > 0) {
			return intValue(c), true
		}
	case mul:
		if a < half && a > -half && b < half && b > -half {
			return intValue(a * b), true
		}
	case div, mod:
		if b > 0 {
			q, r := a/b, a%b
			if r < 0 {
				q, r = q-1, r+b
			}
			if s == mod {
				q = r
			}
			return intValue(q), true
		}
	case shl:
		if a >= 0 && a < half && b >= 0 && b < 32 {
			return intValue(a << b), true
		}
	case shr:
		if b >= 0 {
			return intValue(a >> min(b, 63)), true
		}
	case and:
		return intValue(a & b), true
	case or:
		return intValue(a | b), true
	case xor:
		return intValue(a ^ b), true
	}
	return Value{}, false
}

func wide(s sign, text string, a, b Value) Value {
	x, y, z := a.wide(), b.wide(), new(big.Int)
	switch s {
	case add:
		return narrow(z.Add(x, y))
	case sub:
		return narrow(z.Sub(x, y))
	case mul:
		return narrow(z.Mul(x, y))
	case div, mod:
		if y.Sign() == 0 {
			fail(Expression, "division by zero")
		}
		r := new(big.Int)
		z.DivMod(x, y, r) // Euclidean: differs from rounding down for negative divisors alone
		if y.Sign() < 0 && r.Sign() != 0 {
			z.Sub(z, big.NewInt(1))
			r.Add(r, y)
		}
		if s == mod {
			return narrow(r)
		}
		return narrow(z)
	case shl, shr:
		if y.Sign() < 0 {
			fail(Expression, "%v %s %v: a shift by less than nothing", a, text, b)
		}
		n := uint(128)
		if y.IsInt64() && y.Int64() < 128 {
			n = uint(y.Int64())
		}
		if s == shr {
			return narrow(z.Rsh(x, n))
		}
		return narrow(z.Lsh(x, n))
	case and:
		return narrow(z.And(x, y))
	case or:
		return narrow(z.Or(x, y))
	}
	return narrow(z.Xor(x, y))
}

func floats(s sign, text string, a, b float64) Value {
	switch s {
	case add:
		return floatValue(a + b)
	case sub:
		return floatValue(a - b)
	case mul:
		return floatValue(a * b)
	case div:
		return floatValue(a / b)
	case mod:
		r := math.Mod(a, b)
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return floatValue(r)
	}
	fail(Expression, "%s is for integers", text)
	return Value{}
}

func (m *machine) compare(s sign, text string, a, b Value) bool {
	switch s {
	case eq:
		return m.equal(a, b)
	case ne:
		return !m.equal(a, b)
	}
	c, ok := m.ordered(a, b)
	if !ok {
		fail(Expression, "%s %s %s cannot be compared", describe(a), text, describe(b))
	}
	switch s {
	case lt:
		return c < 0
	case gt:
		return c > 0 && c != unordered
	case le:
		return c <= 0
	}
	return c >= 0 && c != unordered
}

func (m *machine) equal(a, b Value) bool {
	if c, ok := m.ordered(a, b); ok {
		return c == 0
	}
	switch {
	case a.Kind == Null || b.Kind == Null:
		return a.Kind == b.Kind
	case a.Kind == Bool && b.Kind == Bool:
		return a.n == b.n
	case a.Kind == Struct && b.Kind == Struct, a.Kind == IO && b.Kind == IO:
		return a.ref == b.ref
	case (a.Kind == List || a.Kind == Bytes) && (b.Kind == List || b.Kind == Bytes):
		return m.sameElements(a, b)
	}
	return false
}

func (m *machine) sameElements(a, b Value) bool {
	if length(a) != length(b) {
		return false
	}
	for i := range length(a) {
		m.step()
		if !m.equal(m.index(a, intValue(i)), m.index(b, intValue(i))) {
			return false
		}
	}
	return true
}

const unordered = 2 // of a number and none

// ordered says which of two values of one kind comes first.
func (m *machine) ordered(a, b Value) (int, bool) {
	if a.Kind == Int && b.Kind == Int {
		return sign3(a.n, b.n), true
	}
	if a.Kind == Str && b.Kind == Str {
		m.spend(min(len(a.Text()), len(b.Text())))
		return strings.Compare(a.Text(), b.Text()), true
	}
	if a.Kind == Bytes && b.Kind == Bytes {
		m.spend(min(len(a.Raw()), len(b.Raw())))
		return bytes.Compare(a.Raw(), b.Raw()), true
	}
	x, ok := a.number()
	y, fine := b.number()
	switch {
	case !ok || !fine:
		return 0, false
	case x.Kind == Float || y.Kind == Float:
		f, g := x.Float64(), y.Float64()
		if f != f || g != g {
			return unordered, true
		}
		return sign3(f, g), true
	case x.Kind == y.Kind:
		return sign3(x.Uint64()^1<<63, y.Uint64()^1<<63), true
	case x.Kind == Uint:
		return 1, true
	}
	return -1, true
}

func sign3[T int64 | uint64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func length(v Value) int64 {
	switch v.Kind {
	case Bytes:
		return int64(len(v.Raw()))
	case List:
		return int64(len(v.Array().Elems))
	}
	return 0
}
