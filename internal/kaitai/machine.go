package kaitai

import (
	"strconv"
	"strings"
)

// Limits bound what reading some bytes may cost.
type Limits struct {
	Steps  int // values read and parts of expressions computed
	Depth  int // objects within objects
	Memory int // bytes of what is made: texts, arrays, what was inflated
}

// DefaultLimits are for a packet.
var DefaultLimits = Limits{Steps: 1 << 20, Depth: 128, Memory: 32 << 20}

const valueBytes = 48 // what an element of an array costs

// A Parser reads bytes as a Spec describes them. It is for one goroutine, and what it gives is valid until it
// parses again.
type Parser struct {
	m machine
}

// NewParser makes a Parser of a Spec.
func NewParser(s *Spec, l Limits) *Parser {
	return &Parser{machine{spec: s, limits: l}}
}

// machine is the state of reading.
type machine struct {
	spec   *Spec
	limits Limits
	steps  int
	memory int
	depth  int

	obj  *Object // in which the expression stands that is computed
	self Value   // "_"
	on   Value   // "_on"
	at   int     // "_index"

	path    []place
	objects arena[Object]
	slots   arena[slot]
}

type place struct {
	obj  *Object
	attr *Attr
	at   int // -1 without an index
}

func (m *machine) step() {
	if m.steps--; m.steps < 0 {
		fail(LimitReached, "more than %d steps", m.limits.Steps)
	}
}

func (m *machine) spend(n int) {
	m.steps -= n >> 6
	if m.memory -= n; m.memory < 0 {
		fail(LimitReached, "more than %d bytes are made of the packet", m.limits.Memory)
	}
	m.step()
}

func (m *machine) reset() {
	m.objects.reset()
	m.slots.reset()
	m.steps, m.memory, m.depth = m.limits.Steps, m.limits.Memory, 0
	m.clean()
}

// clean forgets what was being read when an error ended it.
func (m *machine) clean() {
	m.obj, m.self, m.on, m.at, m.path, m.depth = nil, Value{}, Value{}, 0, m.path[:0], 0
}

func (m *machine) makeObject(t *Type) *Object {
	o := &m.objects.take(1, objectsAtOnce)[0]
	o.Type, o.slots = t, m.slots.take(len(t.attrs), slotsAtOnce)
	return o
}

type state uint8

const (
	unread state = iota
	reading
	done
	absent
	broken  // an error ended the reading
	invalid // what was read is not valid
)

type slot struct {
	val   Value
	span  Span
	state state
}

// An Object is a value of a type that a description declares.
type Object struct {
	Type         *Type
	IO           *Stream
	Parent, Root *Object
	slots        []slot
	order        order
}

// Get is a field of the object as far as it was read, and what it was read from; false where it is not there. It does
// not read instances.
func (o *Object) Get(a *Attr) (Value, Span, bool) {
	s := &o.slots[a.slot]
	begun := s.state == broken && (s.val.Kind == Struct || s.val.Kind == List)
	return s.val, s.span, s.state == done || s.state == invalid || begun
}

// Attr is the attribute of a name, or nil.
func (o *Object) Attr(name string) *Attr { return o.Type.members[name] }

func (o *Object) get(m *machine, a *Attr) Value {
	s := &o.slots[a.slot]
	if s.state == done || a.In != InInstances {
		return s.val
	}
	if s.state == reading {
		if s.val.Kind == List { // its own elements so far, as in repeat-until
			return s.val
		}
		fail(Expression, "%s is needed to compute itself", a.ID)
	}
	if s.state == broken || s.state == invalid {
		fail(Expression, "%s could not be read", a.ID)
	}
	if s.state == unread {
		m.instance(o, a)
	}
	return s.val
}

// Parse reads bytes. An error, which is an *Error, leaves the fields in the object that were read before.
func (p *Parser) Parse(data []byte, args ...Value) (o *Object, err error) {
	m := &p.m
	m.reset()
	defer m.caught(&err)
	o = m.makeObject(m.spec.Root)
	o.IO = &Stream{Source: &Source{Data: data}, data: data}
	o.Root = o
	for i, a := range o.Type.Params {
		if i < len(args) {
			o.slots[a.slot] = slot{val: args[i], state: done}
		}
	}
	m.sequence(o)
	return o, nil
}

// Read is Get, and reads instances that were not read yet.
func (p *Parser) Read(o *Object, a *Attr) (v Value, at Span, ok bool, err error) {
	if a.In != InInstances || o.slots[a.slot].state != unread {
		v, at, ok = o.Get(a)
		return v, at, ok, nil
	}
	defer p.m.caught(&err)
	p.m.instance(o, a)
	v, at, ok = o.Get(a)
	p.m.clean()
	return v, at, ok, nil
}

// Eval computes an expression for an object.
func (p *Parser) Eval(e *Expr, o *Object) (v Value, err error) {
	defer p.m.caught(&err)
	p.m.obj = o
	v = p.m.eval(e.top)
	p.m.clean()
	return v, nil
}

// Spent tells how many steps the last Parse and what was read after it took.
func (p *Parser) Spent() int { return p.m.limits.Steps - p.m.steps }

func (m *machine) caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		r.Path = m.where()
		for i, p := range m.path {
			if s := &p.obj.slots[p.attr.slot]; r.valid && i == len(m.path)-1 {
				s.state = invalid
			} else {
				s.state = broken
			}
		}
		if r.At.IO == nil && m.obj != nil && m.obj.IO != nil && r.Kind != LimitReached {
			at := min(m.obj.IO.bitPos(), 8*len(m.obj.IO.data))
			r.At = Span{m.obj.IO, at, at}
		}
		m.clean()
		*err = r
	default:
		panic(r)
	}
}

func (m *machine) where() string {
	var b strings.Builder
	for i, p := range m.path {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(p.attr.ID)
		if p.at >= 0 {
			b.WriteString("[" + strconv.Itoa(p.at) + "]")
		}
	}
	return b.String()
}
