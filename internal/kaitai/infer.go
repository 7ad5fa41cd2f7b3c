package kaitai

// maxInference bounds how far expressions are followed from instance to instance.
const maxInference = 20

// Shape tells what the attribute's values look like: an array's elements. Of a computed instance it is inferred, as far
// as that is possible.
func (a *Attr) Shape() Shape { return a.shape(0) }

func (a *Attr) shape(depth int) Shape {
	s := Shape{}
	switch {
	case a.value != nil:
		s = infer(a.value, a.Of, depth+1)
		s.Computed = true
	case a.typ != nil:
		s = a.typ.shape()
	}
	s.List = s.List || a.Repeats()
	if a.enum != nil {
		s.Kind, s.Enum = Enum, a.enum
	}
	return s
}

// infer tells what an expression gives.
func infer(n *node, t *Type, depth int) Shape {
	if depth > maxInference {
		return Shape{}
	}
	depth++
	kid := func(i int) Shape { return infer(n.kids[i], t, depth) }
	switch n.op {
	case opConst:
		s := Shape{Kind: n.val.Kind, Signed: true}
		if n.val.Kind == Enum {
			s.Enum = n.val.Label().Of
		}
		return s
	case opName:
		return n.attr.shape(depth)
	case opSpecial:
		return inferSpecial(n.which, t)
	case opField, opCall:
		return inferMember(kid(0), n.text, depth)
	case opIndex:
		s := kid(0)
		if s.List {
			s.List = false
			return s
		}
		return Shape{Kind: Int}
	case opCast:
		if n.cast != nil {
			s := n.cast.shape()
			s.List = n.list
			return s
		}
	case opTernary:
		if s := kid(1); s.Kind != Null {
			return s
		}
		return kid(2)
	case opNot, opAnd, opOr:
		return Shape{Kind: Bool}
	case opNegate:
		s := kid(0)
		s.Signed, s.Size, s.Bits = true, 0, 0
		return s
	case opFormat:
		return Shape{Kind: Str}
	case opSizeof, opInvert:
		return Shape{Kind: Int, Signed: true}
	case opList:
		s := Shape{}
		if len(n.kids) > 0 {
			s = kid(0)
		}
		s.List = true
		return s
	case opBinary:
		return inferBinary(n.sign, kid)
	}
	return Shape{}
}

func inferSpecial(w special, t *Type) Shape {
	switch w {
	case specialRoot:
		return Shape{Kind: Struct, Type: t.Top}
	case specialParent:
		return Shape{Kind: Struct}
	case specialIO:
		return Shape{Kind: IO}
	case specialIndex, specialSizeof:
		return Shape{Kind: Int}
	}
	return Shape{}
}

func inferMember(of Shape, name string, depth int) Shape {
	if of.Kind == Struct && !of.List {
		if of.Type != nil {
			if a := of.Type.members[name]; a != nil {
				return a.shape(depth)
			}
		}
		switch name {
		case "_io":
			return Shape{Kind: IO}
		case "_root", "_parent":
			return Shape{Kind: Struct}
		}
		return Shape{}
	}
	switch name {
	case "size", "length", "to_i", "pos", "_sizeof":
		return Shape{Kind: Int, Signed: true}
	case "to_s", "reverse", "substring":
		return Shape{Kind: Str}
	case "to_b":
		return Shape{Kind: Bytes}
	case "eof":
		return Shape{Kind: Bool}
	case "first", "last", "min", "max":
		if of.List {
			of.List = false
			return of
		}
		return Shape{Kind: Int}
	}
	return Shape{}
}

func inferBinary(s sign, kid func(int) Shape) Shape {
	if s >= eq {
		return Shape{Kind: Bool}
	}
	a, b := kid(0), kid(1)
	switch {
	case a.Kind == Float || b.Kind == Float:
		return Shape{Kind: Float}
	case a.Kind == Str:
		return Shape{Kind: Str}
	case a.Kind == Null || b.Kind == Null:
		return Shape{}
	}
	return Shape{Kind: Int, Signed: a.Signed || b.Signed || s == sub}
}
