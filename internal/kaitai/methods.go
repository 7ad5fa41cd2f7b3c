package kaitai

import (
	"math"
	"math/big"
	"slices"
	"unicode/utf8"
)

// field is what stands behind a dot: a member of an object, or a method without arguments.
func (m *machine) field(n *node) Value {
	if n.text == "_sizeof" {
		return m.sizeOf(n.kids[0])
	}
	v := m.eval(n.kids[0])
	if v.Kind == Struct {
		return m.member(v.Object(), n.text)
	}
	return m.method(v, n.text, nil)
}

func (m *machine) member(o *Object, name string) Value {
	if a := o.Type.members[name]; a != nil {
		return o.get(m, a)
	}
	switch name {
	case "to_s":
		if o.Type.text != nil {
			return m.textOf(o)
		}
	case "_io":
		return streamValue(o.IO)
	case "_parent":
		return objectOrNull(o.Parent)
	case "_root":
		return objectOrNull(o.Root)
	}
	fail(Expression, "%s has no field %q", o.Type.Path(), name)
	return Value{}
}

// textOf is what the type's to-string says of an object.
func (m *machine) textOf(o *Object) Value {
	if m.depth++; m.depth > m.limits.Depth {
		fail(LimitReached, "more than %d objects within each other", m.limits.Depth)
	}
	was := m.obj
	m.obj = o
	v := m.eval(o.Type.text)
	m.obj = was
	m.depth--
	return v
}

func (m *machine) call(n *node) Value {
	v := m.eval(n.kids[0])
	args := make([]Value, len(n.kids)-1)
	for i, k := range n.kids[1:] {
		args[i] = m.eval(k)
	}
	return m.method(v, n.text, args)
}

func (m *machine) method(v Value, name string, args []Value) Value {
	ok := false
	var out Value
	switch v.Kind {
	case Int, Uint, Float, Enum, Bool:
		out, ok = m.ofNumber(v, name)
	case Str:
		out, ok = m.ofString(v.Text(), name, args)
	case Bytes:
		if name == "to_s" && len(args) <= 1 {
			enc := m.obj.Type.encoding
			if len(args) == 1 {
				enc = args[0].Text()
			}
			m.spend(len(v.Raw()))
			return strValue(decode(v.Raw(), enc))
		}
		out, ok = m.ofList(v, name)
	case List:
		out, ok = m.ofList(v, name)
	case IO:
		out, ok = ofStream(v.stream(), name)
	}
	if !ok {
		fail(Expression, "%s has no %q", describe(v), name)
	}
	return out
}

func (m *machine) ofNumber(v Value, name string) (Value, bool) {
	switch {
	case name == "to_s" && v.isNumber():
		return strValue(v.String()), true
	case name == "to_i" && v.Kind == Float:
		f := math.Trunc(v.Float64())
		if f != f || math.Abs(f) >= 1<<64 {
			fail(Expression, "%v does not fit into an integer", v)
		}
		n, _ := big.NewFloat(f).Int(nil)
		return narrow(n), true
	case name == "to_i" && v.Kind == Enum:
		return v.Label().num, true
	case name == "to_i":
		return intValue(v.n), v.Kind == Bool || v.isInteger()
	}
	if v.Kind == Enum {
		return m.ofNumber(v.Label().num, name)
	}
	return Value{}, false
}

func (m *machine) ofString(s, name string, args []Value) (Value, bool) {
	m.spend(len(s))
	switch {
	case name == "length" || name == "size":
		return intValue(int64(utf8.RuneCountInString(s))), true
	case name == "reverse":
		r := []rune(s)
		slices.Reverse(r)
		return strValue(string(r)), true
	case name == "to_i" && len(args) <= 1:
		base := int64(10)
		if len(args) == 1 {
			base = m.integer(args[0], "a base")
		}
		return toInt(s, base), true
	case name == "to_s" && len(args) == 0:
		return strValue(s), true
	case name == "to_b" && len(args) == 1:
		return bytesValue(encode(s, args[0].Text())), true
	case name == "substring" && len(args) == 2:
		r := []rune(s)
		from, to := m.integer(args[0], "a position"), m.integer(args[1], "a position")
		if from < 0 || to < from || to > int64(len(r)) {
			fail(Expression, "%d to %d is no part of a string of %d characters", from, to, len(r))
		}
		return strValue(string(r[from:to])), true
	}
	return Value{}, false
}

func toInt(s string, base int64) Value {
	if base < 2 || base > 36 {
		fail(Expression, "%d is no base", base)
	}
	n, ok := new(big.Int).SetString(s, int(base))
	if len(s) > 200 || !ok {
		fail(Conversion, "%q is no number of base %d", s, base)
	}
	return narrow(n)
}

func (m *machine) ofList(v Value, name string) (Value, bool) {
	n := length(v)
	switch name {
	case "size", "length":
		return intValue(n), true
	case "first":
		return m.index(v, intValue(0)), true
	case "last":
		return m.index(v, intValue(n-1)), true
	case "min", "max":
		best := m.index(v, intValue(0))
		for i := int64(1); i < n; i++ {
			m.step()
			e := m.index(v, intValue(i))
			c, ok := m.ordered(e, best)
			if !ok {
				fail(Expression, "%s and %s cannot be compared", describe(e), describe(best))
			}
			if c < 0 && name == "min" || c == 1 && name == "max" {
				best = e
			}
		}
		return best, true
	}
	return Value{}, false
}

func ofStream(s *Stream, name string) (Value, bool) {
	switch name {
	case "pos":
		return intValue(int64(s.pos)), true
	case "size":
		return intValue(int64(len(s.data))), true
	case "eof":
		return boolValue(s.eof()), true
	}
	return Value{}, false
}

// sizeOf is how many bytes a field takes as it is declared, "x._sizeof".
func (m *machine) sizeOf(n *node) Value {
	switch n.op {
	case opName:
		return sizeInBytes(n.attr.bitSize())
	case opField:
		of := m.eval(n.kids[0])
		if of.Kind == Struct {
			if a := of.Object().Type.members[n.text]; a != nil {
				return sizeInBytes(a.bitSize())
			}
		}
	}
	v := m.eval(n)
	if v.Kind != Struct {
		fail(Expression, "the size of %s is not declared", describe(v))
	}
	return sizeInBytes(v.Object().Type.bitSize())
}

func sizeInBytes(bits int64) Value {
	if bits < 0 {
		fail(Expression, "the size depends on what is read")
	}
	return intValue((bits + 7) / 8)
}

// bitSize is the size of a type's sequence where it is the same for all bytes, else -1. It is computed once, when the
// description is loaded; meanwhile it is -1, which is right for a type that holds itself.
func (t *Type) bitSize() int64 {
	if !t.sized {
		t.sized, t.bits = true, -1
		t.bits = t.sumSize()
	}
	return t.bits
}

func (t *Type) sumSize() (bits int64) {
	for _, a := range t.Seq {
		n := a.bitSize()
		if n < 0 || bits > 1<<40 {
			return -1
		}
		if a.typ == nil || a.typ.base != typeBits {
			bits = (bits + 7) / 8 * 8
		}
		bits += n
	}
	return bits
}

func (a *Attr) bitSize() int64 {
	n := int64(-1)
	switch {
	case a.cond != nil || a.repeat == toEnd || a.repeat == until || a.value != nil:
		return -1
	case a.contents != nil:
		n = int64(len(a.contents)) * 8
	case a.size != nil:
		if a.size.op == opConst && a.size.val.Kind == Int {
			n = a.size.val.n * 8
		}
	case a.sizeEOS || a.term != nil:
	default:
		n = a.typ.bitSize()
	}
	if a.repeat == times && n >= 0 {
		if a.repeatExpr.op != opConst || a.repeatExpr.val.Kind != Int || a.repeatExpr.val.n > 1<<20 {
			return -1
		}
		n *= a.repeatExpr.val.n
	}
	return n
}

func (t *typeRef) bitSize() int64 {
	switch t.base {
	case typeInt, typeFloat:
		return int64(t.size) * 8
	case typeBits:
		return int64(t.size)
	case typeUser:
		if t.user != nil {
			return t.user.bitSize()
		}
	}
	return -1
}
