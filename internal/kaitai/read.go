package kaitai

import (
	"bytes"
	"math"
)

// sequence reads the fields of an object.
func (m *machine) sequence(o *Object) {
	if m.depth++; m.depth > m.limits.Depth {
		fail(LimitReached, "more than %d objects within each other", m.limits.Depth)
	}
	was := m.obj
	m.obj = o
	t := o.Type
	if t.endian == switched {
		m.decide(o)
	}
	loose := false // the last field was of bits
	for _, a := range t.Seq {
		ofBits := a.typ.base == typeBits
		if loose && !ofBits {
			o.IO.align()
		}
		loose = ofBits
		m.attribute(o, a, o.IO)
	}
	m.obj = was
	m.depth--
}

// decide computes the byte order of an object whose type switches it.
func (m *machine) decide(o *Object) {
	if on := o.Type.endianOn; on != nil {
		v := m.eval(on)
		o.order = undecided
		for _, c := range o.Type.endianBy {
			if c.on == nil || m.equal(m.eval(c.on), v) {
				o.order = c.to
				break
			}
		}
	}
	if o.order == undecided {
		fail(Undecided, "unable to decide on endianness for %s", o.Type.Path())
	}
}

// instance reads an instance of an object.
func (m *machine) instance(o *Object, a *Attr) {
	was, self, on, at := m.obj, m.self, m.on, m.at
	if m.depth++; m.depth > m.limits.Depth {
		fail(LimitReached, "more than %d objects within each other", m.limits.Depth)
	}
	m.obj = o
	switch {
	case a.value != nil:
		m.calculated(o, a)
	default:
		m.positioned(o, a)
	}
	m.depth--
	m.obj, m.self, m.on, m.at = was, self, on, at
}

func (m *machine) calculated(o *Object, a *Attr) {
	s := &o.slots[a.slot]
	s.state = reading
	m.path = append(m.path, place{o, a, -1})
	if a.cond != nil && !m.truth(a.cond) {
		s.state = absent
	} else {
		v := m.eval(a.value)
		if a.enum != nil && v.isInteger() {
			v = a.enum.of(v)
		}
		s.val, s.state = v, done
		if a.valid != nil {
			m.check(a, v, s.span)
		}
	}
	m.path = m.path[:len(m.path)-1]
}

func (m *machine) positioned(o *Object, a *Attr) {
	if a.cond != nil && !m.truth(a.cond) {
		o.slots[a.slot].state = absent
		return
	}
	io := o.IO
	if a.io != nil {
		v := m.eval(a.io)
		if v.Kind != IO {
			fail(Expression, "%s is no stream", describe(v))
		}
		io = v.stream()
	}
	saved := *io
	defer func() { io.pos, io.bits, io.left, io.order = saved.pos, saved.bits, saved.left, saved.order }()
	if a.pos != nil {
		io.seek(m.integer(m.eval(a.pos), "a position"))
	}
	m.repeated(o, a, io)
}

// attribute reads a field of the sequence, where it is there.
func (m *machine) attribute(o *Object, a *Attr, io *Stream) {
	m.step()
	if a.cond != nil && !m.truth(a.cond) {
		o.slots[a.slot].state = absent
		return
	}
	m.repeated(o, a, io)
}

func (m *machine) repeated(o *Object, a *Attr, io *Stream) {
	s := &o.slots[a.slot]
	s.state = reading
	s.span = Span{IO: io, Start: io.bitPos()}
	if a.repeat == once {
		m.path = append(m.path, place{o, a, -1})
		m.element(o, a, io, &s.val, &s.span)
		m.path = m.path[:len(m.path)-1]
		s.state = done
		return
	}
	array := &Array{}
	s.val = listValue(array)
	want := int64(math.MaxInt64)
	if a.repeat == times {
		if want = m.integer(m.eval(a.repeatExpr), "a number of elements"); want < 0 {
			want = 0
		}
	}
	at := m.at
	m.path = append(m.path, place{o, a, 0})
	for i := 0; int64(i) < want && (a.repeat != toEnd || !io.eof()); i++ {
		m.path[len(m.path)-1].at, m.at = i, i
		m.spend(valueBytes)
		array.Elems = append(array.Elems, Value{})
		array.Spans = append(array.Spans, Span{IO: io, Start: io.bitPos()})
		m.element(o, a, io, &array.Elems[i], &array.Spans[i])
		if a.repeat == until && m.last(a, array.Elems[i]) {
			break
		}
	}
	m.path = m.path[:len(m.path)-1]
	m.at = at
	s.span.End = io.bitPos()
	s.state = done
}

// last computes repeat-until for the element that was read.
func (m *machine) last(a *Attr, v Value) bool {
	was := m.self
	m.self = v
	end := m.truth(a.repeatExpr)
	m.self = was
	return end
}

// element reads one value. An object is put where it belongs before it is read, so that an error leaves what there is.
func (m *machine) element(o *Object, a *Attr, io *Stream, dst *Value, at *Span) {
	m.step()
	t := a.typ
	if t.base == typeSwitch {
		if t = m.choose(t); t == nil {
			if !a.bounded() {
				at.End = at.Start
				return
			}
			t = &typeRef{base: typeBytes}
		}
	}
	if t.base != typeBits {
		io.align()
	}
	at.Start = io.bitPos()
	m.read(o, a, t, io, dst)
	at.End = io.bitPos()
	if a.valid != nil {
		m.check(a, *dst, *at)
	}
}

// bounded tells that the attribute itself says where its bytes end.
func (a *Attr) bounded() bool { return a.size != nil || a.sizeEOS || a.term != nil }

func (m *machine) read(o *Object, a *Attr, t *typeRef, io *Stream, dst *Value) {
	switch t.base {
	case typeInt:
		n := io.unsigned(t.size, m.little(o, t))
		if t.signed {
			shift := 64 - 8*t.size
			*dst = intValue(int64(n) << shift >> shift)
		} else {
			*dst = uintValue(n)
		}
		m.label(a, dst)
	case typeBits:
		n := io.readBits(t.size, m.bitsLittle(t, o))
		if t.size == 1 && a.enum == nil {
			*dst = boolValue(n != 0)
			return
		}
		*dst = uintValue(n)
		m.label(a, dst)
	case typeFloat:
		n := io.unsigned(t.size, m.little(o, t))
		if t.size == 4 {
			*dst = floatValue(float64(math.Float32frombits(uint32(n))))
		} else {
			*dst = Value{Kind: Float, n: int64(n)}
		}
	case typeUser:
		m.user(o, a, t, io, dst)
	case typeStr:
		b, _ := m.data(a, io)
		m.spend(len(b))
		*dst = strValue(decode(b, a.encoding))
	case typeBytes:
		b, _ := m.data(a, io)
		if a.contents != nil && !bytes.Equal(b, a.contents) {
			panic(&Error{Kind: NotEqual, Of: "bytes", Text: "not equal, expected " + bytesValue(a.contents).String() +
				", but got " + bytesValue(b).String(), At: Span{io, io.bitPos() - 8*len(b), io.bitPos()}})
		}
		*dst = bytesValue(b)
	default:
		fail(NeedsHostCode, "the type %q cannot be read", t.name)
	}
}

func (m *machine) label(a *Attr, dst *Value) {
	if a.enum != nil {
		*dst = a.enum.of(*dst)
	}
}

func (m *machine) little(o *Object, t *typeRef) bool {
	if t.order == switched {
		return o.order == little
	}
	return t.order == little
}

func (m *machine) bitsLittle(t *typeRef, o *Object) bool {
	if t.order == undecided {
		return o.Type.bitEndian == little
	}
	return t.order == little
}

// data reads the bytes of a string, of a byte array or of an object with a size. The stream is for an object.
func (m *machine) data(a *Attr, io *Stream) ([]byte, *Stream) {
	var b []byte
	switch {
	case a.contents != nil:
		b = io.take(int64(len(a.contents)))
	case a.size != nil:
		b = trim(io.take(m.integer(m.eval(a.size), "a size")), a)
	case a.sizeEOS:
		b = trim(io.take(int64(len(io.data)-min(io.pos, len(io.data)))), a)
	default:
		b = io.until(a)
	}
	if a.process == nil {
		return b, nil
	}
	from := Span{io, io.bitPos() - 8*len(b), io.bitPos()}
	b = m.run(a.process, b)
	return b, &Stream{Source: &Source{Data: b, Name: a.ID, From: from}, data: b}
}

// choose finds the case of a switch.
func (m *machine) choose(t *typeRef) *typeRef {
	v := m.eval(t.on)
	if t.byInt != nil && (v.Kind == Int || v.Kind == Enum && v.Label().num.Kind == Int) {
		if c, ok := t.byInt[v.n]; ok {
			return c
		}
		return t.other
	}
	was := m.on
	m.on = v
	defer func() { m.on = was }()
	for _, c := range t.cases {
		if m.equal(v, m.eval(c.on)) {
			return c.to
		}
	}
	return t.other
}

// user reads an object.
func (m *machine) user(o *Object, a *Attr, t *typeRef, io *Stream, dst *Value) {
	if t.user == nil {
		fail(NeedsHostCode, "the type %q is code of its own, which there is none of here", t.name)
	}
	child := m.makeObject(t.user)
	m.spend(len(child.slots) * valueBytes)
	child.IO = io
	if a.bounded() {
		base := io.pos
		b, made := m.data(a, io)
		if made == nil {
			made = &Stream{Source: io.Source, Base: io.Base + base, data: b}
		}
		child.IO = made
	}
	m.family(child, o, a)
	for i, p := range t.user.Params {
		if i == len(t.args) {
			break
		}
		v := m.eval(t.args[i])
		if p.enum != nil && v.isInteger() {
			v = p.enum.of(v)
		}
		child.slots[p.slot] = slot{val: v, state: done}
	}
	*dst = structValue(child)
	at := m.at
	m.sequence(child)
	m.at = at
}

// family sets whose child an object is. Objects of another description know no parents.
func (m *machine) family(child, o *Object, a *Attr) {
	if child.Type.Top == o.Type.Top {
		child.Parent, child.Root, child.order = o, o.Root, o.order
	} else if child.Type.Up == nil {
		child.Root = child
	}
	switch {
	case a.orphan:
		child.Parent = nil
	case a.parent != nil:
		child.Parent = m.eval(a.parent).Object()
	}
}

// check does what "valid" says.
func (m *machine) check(a *Attr, v Value, at Span) {
	was := m.self
	m.self = v
	w := a.valid
	wrong := func(kind, format string, args ...any) {
		defer func() {
			e := recover().(*Error)
			e.Of, e.At, e.valid = a.typeName(v), at, true
			panic(e)
		}()
		fail(kind, format, args...)
	}
	if w.eq != nil {
		if want := m.eval(w.eq); !m.equal(v, want) {
			wrong(NotEqual, "not equal, expected %v, but got %v", want, v)
		}
	}
	if w.min != nil {
		if low := m.eval(w.min); m.binary(lt, "<", v, low).flag() {
			wrong(LessThan, "not in range, min %v, but got %v", low, v)
		}
	}
	if w.max != nil {
		if high := m.eval(w.max); m.binary(gt, ">", v, high).flag() {
			wrong(GreaterThan, "not in range, max %v, but got %v", high, v)
		}
	}
	if w.anyOf != nil && !m.isAny(w.anyOf, v) {
		wrong(NotAnyOf, "not any of the list, got %v", v)
	}
	if w.inEnum && v.Kind == Enum && v.Label().Name == "" {
		wrong(NotInEnum, "not in the enum, got %v", v)
	}
	if w.expr != nil && !m.truth(w.expr) {
		wrong(NotExpr, "not matching the expression, got %v", v)
	}
	m.self = was
}

func (m *machine) isAny(list []*node, v Value) bool {
	for _, n := range list {
		if m.equal(v, m.eval(n)) {
			return true
		}
	}
	return false
}

// typeName is the type of a field as the language writes it, for errors.
func (a *Attr) typeName(v Value) string {
	if a.typ != nil && a.typ.name != "" && a.typ.base != typeSwitch {
		return a.typ.name
	}
	if v.Kind == Bytes {
		return "bytes"
	}
	return v.Kind.String()
}
