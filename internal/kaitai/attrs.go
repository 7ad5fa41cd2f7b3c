package kaitai

import (
	"slices"
	"strconv"
	"strings"
)

// attr compiles an attribute.
func (f *file) attr(t *Type, in Part, id string, s *Setting) *Attr {
	a := &Attr{ID: id, Of: t, In: in, Line: s.Line, slot: len(t.attrs), pad: -1, encoding: t.encoding}
	if name := s.Text("id"); name != "" {
		a.ID = name
	}
	if s.Of == nil {
		f.mistake(s, "%s is no attribute: it has no keys", a.ID)
		s = &Setting{File: s.File, Line: s.Line, Column: s.Column}
	}
	if t.members[a.ID] != nil {
		f.mistake(s, "there are two attributes %q", a.ID)
	}
	t.members[a.ID] = a
	t.attrs = append(t.attrs, a)
	a.Extra = f.unknownKeys(s, attrKeys())
	a.Doc = strings.TrimSpace(s.Text("doc"))
	if e := s.Get("encoding"); e != nil {
		a.encoding = f.encoding(e)
	}
	f.ends(a, s)
	f.later(func() { f.compile(a, s) })
	return a
}

// ends reads the keys that say where bytes end.
func (f *file) ends(a *Attr, s *Setting) {
	flag := func(name string, other bool) bool {
		switch s.Text(name) {
		case "":
			return other
		case "true", "false":
			return s.Text(name) == "true"
		}
		f.mistake(s.Get(name), "%s is true or false", name)
		return other
	}
	a.sizeEOS, a.include = flag("size-eos", false), flag("include", false)
	a.keep, a.open = !flag("consume", true), !flag("eos-error", true)
	if p := s.Get("pad-right"); p != nil {
		if b := f.byteList(p); len(b) == 1 {
			a.pad = int(b[0])
		} else {
			f.mistake(p, "pad-right is one byte")
		}
	}
	if c := s.Get("terminator"); c != nil {
		if a.term = f.byteList(c); len(a.term) == 0 {
			f.mistake(c, "a terminator is a byte, or a list of bytes")
			a.term = []byte{0}
		}
	}
	if c := s.Get("contents"); c != nil {
		a.contents = f.contents(c)
	}
}

func byteOf(word string) (byte, bool) {
	n, err := parseExpr(word)
	if err != nil || n.op != opConst || n.val.Kind != Int || n.val.n < 0 || n.val.n > 255 {
		return 0, false
	}
	return byte(n.val.n), true
}

func (f *file) byteList(s *Setting) []byte {
	list := s.List
	if list == nil {
		if n, err := parseExpr(s.Word); err == nil && n.op == opConst && n.val.Kind == Bytes {
			return n.val.Raw()
		}
		list = []*Setting{s}
	}
	out := make([]byte, 0, len(list))
	for _, one := range list {
		b, ok := byteOf(one.Word)
		if !ok {
			f.mistake(one, "%q is no byte", one.Word)
		}
		out = append(out, b)
	}
	return out
}

func (f *file) contents(s *Setting) []byte {
	if s.List == nil {
		if b, ok := byteOf(s.Word); ok && strings.HasPrefix(s.Word, "0x") {
			return []byte{b}
		}
		return []byte(s.Word)
	}
	out := []byte{}
	for _, one := range s.List {
		if b, ok := byteOf(one.Word); ok {
			out = append(out, b)
		} else {
			out = append(out, one.Word...)
		}
	}
	return out
}

// compile gives an attribute its type and its expressions, when all types are known.
func (f *file) compile(a *Attr, s *Setting) {
	t := a.Of
	expr := func(name string) *node { return f.exprIf(t, s.Get(name)) }
	a.cond, a.size, a.pos, a.io, a.value = expr("if"), expr("size"), expr("pos"), expr("io"), expr("value")
	a.typ = f.typeRef(t, s.Get("type"))
	f.repetition(a, s)
	f.parentOf(a, s.Get("parent"))
	if e := s.Get("enum"); e != nil {
		if a.enum = f.findEnum(t, strings.Split(e.Word, "::")); a.enum == nil {
			f.mistake(e, "there is no enum %q", e.Word)
		}
	}
	if v := s.Get("valid"); v != nil {
		a.valid = f.valid(a, v)
	}
	if p := s.Get("process"); p != nil {
		a.process = f.process(t, p)
	}
	f.complete(a, s)
}

// complete says what does not fit together.
func (f *file) complete(a *Attr, s *Setting) {
	switch {
	case a.In == InParams:
		if a.typ.base == typeBytes && s.Get("type") == nil {
			a.typ = &typeRef{base: typeAny}
		}
		a.asList = strings.HasSuffix(s.Text("type"), "]")
		return
	case a.value != nil:
		if a.In != InInstances {
			f.mistake(s.Get("value"), "only an instance has a value")
		}
		if s.Get("type") == nil {
			a.typ = nil
		}
		return
	case a.In == InSeq && (a.pos != nil || a.io != nil):
		f.mistake(s, "only an instance has a position")
	}
	if a.typ.zero && a.term == nil {
		a.term = make([]byte, unit(a.encoding))
	}
	if a.typ.base == typeStr {
		if _, ok := encodingOf(a.encoding); !ok {
			f.doubt(s, "unknown encoding %q", a.encoding)
		}
	}
	f.ordered(a.typ, s.Get("type"))
	f.arguments(a.typ, s.Get("type"))
	f.extent(a, s)
}

// ordered says of numbers that are read that their byte order is not known.
func (f *file) ordered(r *typeRef, s *Setting) {
	if (r.base == typeInt || r.base == typeFloat) && r.size > 1 && r.order == undecided {
		f.mistake(s, "%s has no byte order: write %sle or %sbe, or endian below meta", r.name, r.name, r.name)
	}
	for _, c := range r.cases {
		f.ordered(c.to, s)
	}
	if r.other != nil {
		f.ordered(r.other, s)
	}
}

// arguments says of a type with parameters that it is given more or fewer.
func (f *file) arguments(r *typeRef, s *Setting) {
	if r.user != nil && len(r.args) != len(r.user.Params) {
		f.mistake(s, "%s takes %d arguments, not %d", r.name, len(r.user.Params), len(r.args))
	}
	for _, c := range r.cases {
		f.arguments(c.to, s)
	}
	if r.other != nil {
		f.arguments(r.other, s)
	}
}

// extent says of bytes and strings that it is not known where they end.
func (f *file) extent(a *Attr, s *Setting) {
	open := (a.typ.base == typeBytes || a.typ.base == typeStr) && a.contents == nil && !a.bounded()
	if open {
		f.mistake(s, "%s has no end: it needs a size, size-eos, a terminator or contents", a.ID)
	}
	if a.process != nil && (a.typ.base != typeBytes && a.typ.base != typeUser && a.typ.base != typeSwitch &&
		a.typ.base != typeStr || !a.bounded() && a.contents == nil) {
		f.mistake(s, "process is for bytes with an end")
	}
}

func (f *file) repetition(a *Attr, s *Setting) {
	r := s.Get("repeat")
	if r == nil {
		return
	}
	switch r.Word {
	case "eos":
		a.repeat = toEnd
	case "expr":
		a.repeat = times
		a.repeatExpr = f.needed(a.Of, s, "repeat-expr")
	case "until":
		a.repeat = until
		a.repeatExpr = f.needed(a.Of, s, "repeat-until")
	default:
		f.mistake(r, "repeat is eos, expr or until")
	}
}

func (f *file) needed(t *Type, s *Setting, name string) *node {
	if s.Get(name) == nil {
		f.mistake(s, "%s is missing", name)
		return &node{op: opConst}
	}
	return f.expr(t, s.Get(name))
}

func (f *file) parentOf(a *Attr, s *Setting) {
	if s == nil {
		return
	}
	if a.orphan = s.Word == "false"; !a.orphan {
		a.parent = f.expr(a.Of, s)
	}
}

func (f *file) valid(a *Attr, s *Setting) *valid {
	if s.Of == nil && s.List == nil {
		return &valid{eq: f.expr(a.Of, s)}
	}
	v := &valid{}
	f.unknownKeys(s, words("eq min max any-of in-enum expr"))
	v.eq, v.min, v.max = f.exprIf(a.Of, s.Get("eq")), f.exprIf(a.Of, s.Get("min")), f.exprIf(a.Of, s.Get("max"))
	v.expr = f.exprIf(a.Of, s.Get("expr"))
	v.inEnum = s.Text("in-enum") == "true"
	if any := s.Get("any-of"); any != nil {
		v.anyOf = []*node{}
		for _, one := range any.List {
			v.anyOf = append(v.anyOf, f.expr(a.Of, one))
		}
	}
	return v
}

func (f *file) process(t *Type, s *Setting) *process {
	name, args, err := parseCall(s.Word)
	if err != nil {
		f.mistake(s, "%v", err)
		return nil
	}
	p := &process{name, args}
	for i := range p.args {
		f.resolve(t, p.args[i], s)
	}
	return p
}

// typeRef is what a type's name, or a switch, says.
func (f *file) typeRef(t *Type, s *Setting) *typeRef {
	if s == nil {
		return &typeRef{base: typeBytes}
	}
	if s.Of == nil {
		return f.namedType(t, s)
	}
	r := &typeRef{base: typeSwitch}
	if r.on = f.exprIf(t, s.Get("switch-on")); r.on == nil {
		f.mistake(s, "the switch has no switch-on")
		r.on = &node{op: opConst}
	}
	cases := s.Get("cases")
	if cases == nil {
		f.mistake(s, "the switch has no cases")
		return r
	}
	r.byInt = map[int64]*typeRef{}
	for _, k := range cases.Names {
		to := f.namedType(t, cases.Of[k])
		if k == "_" {
			r.other = to
			continue
		}
		c := switchCase{f.expr(t, &Setting{Word: k, Line: cases.Of[k].Line, Column: 1}), to}
		r.cases = append(r.cases, c)
		if n, ok := c.on.val.number(); c.on.op == opConst && ok && n.Kind == Int && r.byInt != nil {
			r.byInt[n.n] = to
		} else {
			r.byInt = nil
		}
	}
	return r
}

func (f *file) namedType(t *Type, s *Setting) *typeRef {
	r := &typeRef{name: s.Word}
	if f.builtin(t, r, s) {
		return r
	}
	name, args, err := parseCall(strings.TrimSuffix(s.Word, "[]"))
	if err != nil {
		f.mistake(s, "%v", err)
		return r
	}
	r.base, r.name, r.args = typeUser, name, args
	for _, n := range args {
		f.resolve(t, n, s)
	}
	f.userType(t, r, s)
	return r
}

func (f *file) userType(t *Type, r *typeRef, s *Setting) {
	if r.user = f.findType(t, strings.Split(r.name, "::")); r.user == nil {
		r.user = f.beside(r.name)
	}
	if r.user == nil && !f.opaque {
		f.mistake(s, "there is no type %q", r.name)
	}
}

// beside is the type of a description that stands beside this one: what an opaque type may be.
func (f *file) beside(name string) *Type {
	if !f.opaque || strings.ContainsAny(name, ":/") {
		return nil
	}
	dir := f.name[:strings.LastIndexByte(f.name, '/')+1]
	if got, err := f.l.load(dir + name + ".ksy"); err == nil {
		return got.root
	}
	return nil
}

// builtin reads the name of a type that the language has.
func (f *file) builtin(t *Type, r *typeRef, s *Setting) bool {
	name := strings.TrimSuffix(r.name, "[]")
	switch name {
	case "str", "strz":
		r.base, r.zero = typeStr, name == "strz"
	case "bool":
		r.base = typeBool
	case "bytes":
		r.base = typeBytes
	case "struct":
		r.base = typeStruct
	case "io":
		r.base = typeIO
	case "any":
		r.base = typeAny
	default:
		return f.numeric(t, r, name, s)
	}
	return true
}

func (f *file) numeric(t *Type, r *typeRef, name string, s *Setting) bool {
	plain := strings.TrimSuffix(strings.TrimSuffix(name, "le"), "be")
	if len(plain) < 2 || !isDigit(plain[1]) || len(name)-len(plain) > 2 {
		return false
	}
	n, err := strconv.Atoi(plain[1:])
	if err != nil {
		return false
	}
	order := undecided
	if strings.HasSuffix(name, "le") {
		order = little
	} else if strings.HasSuffix(name, "be") {
		order = big_
	}
	switch plain[0] {
	case 'b':
		r.base = typeBits
		if n < 1 || n > 64 {
			f.mistake(s, "%s: 1 to 64 bits are read at once", name)
			n = 1
		}
		r.size, r.order = n, order
		return true
	case 'u', 's', 'f':
		r.base, r.signed, r.size = typeInt, plain[0] == 's', n
		sizes := []int{1, 2, 4, 8}
		if plain[0] == 'f' {
			r.base, sizes = typeFloat, []int{4, 8}
		}
		if !slices.Contains(sizes, n) {
			return false
		}
		if r.order = order; order == undecided {
			r.order = t.endian
		}
		return true
	}
	return false
}
