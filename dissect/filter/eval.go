package filter

import (
	"encoding/binary"

	"remora/dissect"
)

// An eval is the scratch memory for one frame. It is used again, so that frames cost no memory.
type eval struct {
	stack []value
	arena []byte // bytes that were worked out; they stay where they are until the next frame
}

func (e *eval) reset() { e.stack, e.arena = e.stack[:0], e.arena[:0] }

func (e *eval) push(v value) { e.stack = append(e.stack, v) }

// keep copies bytes into the arena.
func (e *eval) keep(b []byte) []byte {
	start := len(e.arena)
	e.arena = append(e.arena, b...)
	return e.arena[start:len(e.arena):len(e.arena)]
}

// A source is a term of a filter: it pushes its values in a frame.
type source interface {
	push(e *eval, t *dissect.Tree)
	// possible tells whether frames of a layer stack can give it a value.
	possible(s *dissect.Session, sh *dissect.LayerStack) bool
	// needs calls add with the fields that must be recorded for it.
	needs(add func(*dissect.Field))
}

// constant is what was known when the filter was compiled.
type constant struct{ values []value }

func (c constant) push(e *eval, _ *dissect.Tree)                       { e.stack = append(e.stack, c.values...) }
func (c constant) possible(*dissect.Session, *dissect.LayerStack) bool { return len(c.values) > 0 }
func (c constant) needs(func(*dissect.Field))                          {}

// field is the occurrences of a field.
type field struct {
	ids    []dissect.FieldID
	fields []*dissect.Field
	layers []span // nil for all
	raw    bool   // its bytes in the packet
	ending bool   // layers are counted from the last
}

func (f *field) has(id dissect.FieldID) bool {
	for _, x := range f.ids {
		if x == id {
			return true
		}
	}
	return false
}

// at tells whether node i is an occurrence.
func (f *field) at(t *dissect.Tree, i int) bool {
	return f.has(t.Nodes[i].Field) && (f.layers == nil || f.inLayer(t, i))
}

func (f *field) inLayer(t *dissect.Tree, i int) bool {
	last := 0
	if f.ending {
		last = lastLayer(t, t.Field(i).Protocol())
	}
	return layerIn(f.layers, int(t.Nodes[i].Layer), last)
}

// lastLayer is how many layers of the protocol the frame has.
func lastLayer(t *dissect.Tree, p *dissect.Protocol) int {
	n, self := 0, p.Self().ID()
	for i := range t.Nodes {
		if t.Nodes[i].Field == self {
			n = max(n, int(t.Nodes[i].Layer))
		}
	}
	return n
}

func (f *field) push(e *eval, t *dissect.Tree) {
	for i := range t.Nodes {
		if f.at(t, i) {
			e.push(f.read(e, t, i))
		}
	}
}

// read is the value of node i.
func (f *field) read(e *eval, t *dissect.Tree, i int) value {
	if f.raw {
		return value{b: t.Raw(i), class: classBytes}
	}
	n := &t.Nodes[i]
	switch c := classOf(t.Field(i).Type()); c {
	case classIPv4:
		return value{n: n.Val, bits: 32, class: c}
	case classIPv6:
		return value{b: t.Bytes(i), bits: 128, class: c}
	case classEther:
		return value{b: e.ether(t, i), class: c}
	case classString:
		return value{b: t.TextBytes(i), class: c}
	case classProtocol:
		return value{b: t.Carried(i), n: uint64(len(t.Raw(i))), class: c}
	case classBytes, classGUID:
		return value{b: t.Bytes(i), class: c}
	default:
		return value{n: n.Val, class: c}
	}
}

// ether is the six bytes of an Ethernet address, also of one that was worked out and stands nowhere in the packet.
func (e *eval) ether(t *dissect.Tree, i int) []byte {
	if b := t.Raw(i); len(b) == 6 {
		return b
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], t.Nodes[i].Val)
	return e.keep(b[2:])
}

func (f *field) possible(s *dissect.Session, sh *dissect.LayerStack) bool {
	for _, f := range f.fields {
		if s.MayHave(sh, f) {
			return true
		}
	}
	return false
}

func (f *field) needs(add func(*dissect.Field)) {
	for _, m := range f.fields {
		add(m)
		if f.ending || f.raw { // of the packet, not of its conversation
			add(m.Protocol().Self())
		}
	}
}

// slice is a part of each value: as much of it as there is.
type slice struct {
	of    source
	spans []span
}

func (s slice) push(e *eval, t *dissect.Tree) {
	start := len(e.stack)
	s.of.push(e, t)
	for i, v := range e.stack[start:] {
		b := e.cut(e.bytesOf(v), s.spans)
		e.stack[start+i] = value{b: b, n: uint64(len(b)), class: classBytes}
	}
}

func (s slice) possible(se *dissect.Session, sh *dissect.LayerStack) bool {
	return s.of.possible(se, sh)
}
func (s slice) needs(add func(*dissect.Field)) { s.of.needs(add) }

// bytesOf is the bytes of a value that can be sliced.
func (e *eval) bytesOf(v value) []byte {
	if v.class != classIPv4 {
		return v.own()
	}
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(v.n))
	return e.keep(b[:])
}
