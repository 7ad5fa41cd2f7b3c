package kaitai

import "strings"

func (f *file) exprIf(t *Type, s *Setting) *node {
	if s == nil {
		return nil
	}
	return f.expr(t, s)
}

// expr compiles an expression that stands in a type.
func (f *file) expr(t *Type, s *Setting) *node {
	if s.Of != nil || s.List != nil {
		f.mistake(s, "this is no expression")
		return &node{op: opConst}
	}
	n, err := parseExpr(s.Word)
	if err != nil {
		f.mistake(s, "%v", err)
		return &node{op: opConst}
	}
	f.resolve(t, n, s)
	return n
}

// resolve finds what the names of an expression mean.
func (f *file) resolve(t *Type, n *node, s *Setting) {
	for _, k := range n.kids {
		f.resolve(t, k, s)
	}
	switch n.op {
	case opName:
		if n.attr = t.members[n.text]; n.attr == nil {
			f.mistake(s, "%s has no field %q", t.Path(), n.text)
			*n = node{op: opConst}
		}
	case opLabel:
		f.resolveLabel(t, n, s)
	case opCast:
		if n.cast = f.knownType(t, n.text); n.cast == nil {
			f.mistake(s, "there is no type %q", n.text)
		}
	case opSizeof:
		f.resolveSize(t, n, s)
	}
}

func (f *file) resolveLabel(t *Type, n *node, s *Setting) {
	e := f.findEnum(t, n.path)
	if e == nil {
		f.mistake(s, "there is no enum %q", strings.Join(n.path, "::"))
	} else if l := e.byName[n.text]; l != nil {
		*n = node{op: opConst, val: labelValue(l)}
		return
	} else {
		f.mistake(s, "the enum %s has no %q", e.Name, n.text)
	}
	*n = node{op: opConst}
}

// resolveSize makes a number of "sizeof<type>", when all sequences are known.
func (f *file) resolveSize(t *Type, n *node, s *Setting) {
	r := f.knownType(t, n.text)
	f.l.sizes = append(f.l.sizes, func() {
		bits := int64(-1)
		if r != nil {
			bits = r.bitSize()
		}
		if bits < 0 {
			f.mistake(s, "the size of %s is not known", n.text)
		}
		if !n.bits {
			bits = (bits + 7) / 8
		}
		*n = node{op: opConst, val: intValue(bits)}
	})
}

// knownType is the type of a name in a cast, nil where there is none.
func (f *file) knownType(t *Type, name string) *typeRef {
	r := &typeRef{name: name + "[]"} // no order is asked for
	if f.builtin(t, r, nil) {
		return r
	}
	if r.user = f.findType(t, strings.Split(name, "::")); r.user == nil {
		r.user = f.beside(name)
	}
	if r.user == nil {
		return nil
	}
	r.base = typeUser
	return r
}

// findType finds a type by its path: each part of it from the one before on outwards, and then among the descriptions.
func (f *file) findType(t *Type, path []string) *Type {
	for _, name := range path {
		if t = f.findOne(t, name); t == nil {
			return nil
		}
	}
	return t
}

func (f *file) findOne(t *Type, name string) *Type {
	for up := t; up != nil; up = up.Up {
		if found := up.types[name]; found != nil {
			return found
		}
	}
	return f.topType(name)
}

// topType is the description of a name: this one, or one that is imported from here on.
func (f *file) topType(name string) *Type {
	seen := map[*file]bool{}
	queue := []*file{f}
	for len(queue) > 0 {
		one := queue[0]
		queue = queue[1:]
		if seen[one] {
			continue
		}
		seen[one] = true
		if one.root.Name == name {
			return one.root
		}
		queue = append(queue, one.visible...)
	}
	return nil
}

// findEnum finds an enum by its path.
func (f *file) findEnum(t *Type, path []string) *EnumDef {
	last := path[len(path)-1]
	if len(path) > 1 {
		if in := f.findType(t, path[:len(path)-1]); in != nil {
			return in.enums[last]
		}
		return nil
	}
	for up := t; up != nil; up = up.Up {
		if e := up.enums[last]; e != nil {
			return e
		}
	}
	return nil
}
