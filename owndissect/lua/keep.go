package lua

import (
	"encoding/binary"
	"sync"

	"remora/dissect"
)

// A book keeps what the scripts recorded of the packets of one session, in blocks of bytes. The oldest blocks leave
// when there are too many: the script is then asked again.
type book struct {
	mu     sync.RWMutex
	places []place // by slot
	blocks [][]byte
	gone   int // blocks that left
}

type place struct{ block, off, len uint32 }

const (
	blockSize  = 1 << 20
	mostBlocks = 256
)

// enter takes the machine for a goroutine, unless it has it already: scripts call each other by way of the engine.
func (m *machine) enter(d *dissect.D) (leave func()) {
	if m.owner.Load() == d {
		return func() {}
	}
	m.mu.Lock()
	m.owner.Store(d)
	return func() {
		m.owner.Store(nil)
		m.mu.Unlock()
	}
}

func (m *machine) bookOf(d *dissect.D) *book {
	s := d.Recorder().Tree().Session()
	if b, ok := m.books.Load(s); ok {
		return b.(*book)
	}
	b, _ := m.books.LoadOrStore(s, &book{})
	return b.(*book)
}

func (b *book) reserve() uint32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.places = append(b.places, place{})
	return uint32(len(b.places))
}

func (b *book) put(slot uint32, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if slot == 0 || int(slot) > len(b.places) {
		return
	}
	n := len(b.blocks)
	if n == 0 || cap(b.blocks[n-1])-len(b.blocks[n-1]) < len(data) {
		b.blocks = append(b.blocks, make([]byte, 0, max(blockSize, len(data))))
		if n++; n-b.gone > mostBlocks {
			b.blocks[b.gone] = nil
			b.gone++
		}
	}
	last := &b.blocks[n-1]
	b.places[slot-1] = place{uint32(n), uint32(len(*last)), uint32(len(data))}
	*last = append(*last, data...)
}

// get is what a slot holds, or nil.
func (b *book) get(slot uint32) []byte {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if slot == 0 || int(slot) > len(b.places) {
		return nil
	}
	p := b.places[slot-1]
	if p.block == 0 || int(p.block) <= b.gone {
		return nil
	}
	return b.blocks[p.block-1][p.off : p.off+p.len : p.off+p.len]
}

// The marks of a kept node.
const (
	keepText = 1 << iota
	keepLabel
	keepBehind
	keepDerived
	keepOutside
	keepHidden
)

func flag(on bool, bit byte) byte {
	if on {
		return bit
	}
	return 0
}

// encode writes down what a run recorded.
func (r *run) encode() []byte {
	b := binary.AppendUvarint(r.m.scratch[:0], uint64(len(r.sources)))
	for _, s := range r.sources {
		b = appendText(appendText(b, s.name), string(s.b))
	}
	b = binary.AppendUvarint(b, uint64(r.count+1))
	done := 0
	for i, c := range r.root.children {
		for ; done < len(r.steps) && r.steps[done].behind <= i; done++ {
			b = r.encodeStep(b, done)
		}
		b = r.encodeItem(b, c, 1)
	}
	for ; done < len(r.steps); done++ {
		b = r.encodeStep(b, done)
	}
	r.m.scratch = b
	return b
}

// encodeStep writes down a step of the first level that is not written down yet.
func (r *run) encodeStep(b []byte, i int) []byte {
	s := &r.steps[i]
	if s.encoded || s.nested > 0 {
		return b
	}
	s.encoded = true
	return s.encode(b)
}

// encodeNested writes down a step that stands within an item, behind those that came before it.
func (r *run) encodeNested(b []byte, i int) []byte {
	for before := range i {
		b = r.encodeStep(b, before)
	}
	return r.steps[i].encode(b)
}

// encode writes down a step behind a zero, which is no depth of an item.
func (s *step) encode(b []byte) []byte {
	b = appendText(append(b, 0, s.kind), s.text)
	if s.kind < 'a' {
		for _, v := range []int{s.src, s.off, s.n, int(s.key), s.nested} {
			b = binary.AppendUvarint(b, uint64(v))
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func (r *run) encodeItem(b []byte, it *item, depth int) []byte {
	if it.step > 0 {
		return r.encodeNested(b, it.step-1)
	}
	var n dissect.RecordedNode
	it.node(&n)
	b = binary.AppendUvarint(b, uint64(depth))
	mark := flag(n.Text != nil, keepText) | flag(n.Label != "", keepLabel) | flag(n.Behind != "", keepBehind) |
		flag(n.Derived, keepDerived) | flag(n.Outside, keepOutside) | flag(n.Hidden, keepHidden)
	b = append(b, mark)
	for _, v := range []int{int(n.Field.ID()), it.src, it.off, it.n} {
		b = binary.AppendUvarint(b, uint64(v))
	}
	if n.Text != nil {
		b = appendText(b, string(n.Text))
	} else {
		b = binary.AppendUvarint(b, n.Value)
	}
	if n.Label != "" {
		b = appendText(b, n.Label)
	}
	if n.Behind != "" {
		b = appendText(b, n.Behind)
	}
	for _, c := range it.children {
		b = r.encodeItem(b, c, depth+1)
	}
	return b
}

// A decoder reads what encode wrote.
type decoder struct{ b []byte }

func (c *decoder) uint() uint64 {
	v, n := binary.Uvarint(c.b)
	c.b = c.b[max(n, 0):]
	return v
}

func (c *decoder) int() int { return int(c.uint()) }

func (c *decoder) bytes() []byte {
	n := min(c.int(), len(c.b))
	out := c.b[:n:n]
	c.b = c.b[n:]
	return out
}

// replay records anew what a run recorded.
func replay(p *proto, d *dissect.D, kept []byte) {
	c := decoder{kept}
	r := &run{m: p.m, d: d, proto: p, own: d.Recorder().Source(), base: d.Pos()}
	for range c.int() {
		name, b := string(c.bytes()), c.bytes()
		r.sources = append(r.sources, source{name, b, d.Recorder().AddSource(name, b)})
	}
	if c.int() > 1 {
		r.recordCall(d)
	}
	for len(c.b) > 0 {
		depth := c.int()
		if depth == 0 {
			s := c.step()
			s.do(r)
			continue
		}
		r.recordKept(&c, depth-1)
	}
}

// recordKept records an item.
func (r *run) recordKept(c *decoder, depth int) {
	mark := c.b[0]
	c.b = c.b[1:]
	n := dissect.RecordedNode{Field: r.m.reg.FieldByID(dissect.FieldID(c.int())), Depth: depth}
	n.Source, n.Off = c.int(), 0
	n.Source, n.Off = r.place(n.Source, c.int())
	n.Len = c.int()
	if mark&keepText != 0 {
		n.Text = c.bytes()
	} else {
		n.Value = c.uint()
	}
	if mark&keepLabel != 0 {
		n.Label = string(c.bytes())
	}
	if mark&keepBehind != 0 {
		n.Behind = string(c.bytes())
	}
	n.Derived, n.Outside, n.Hidden = mark&keepDerived != 0, mark&keepOutside != 0, mark&keepHidden != 0
	if n.Field != nil {
		r.d.Recorder().Record(&n)
	}
}

func (c *decoder) step() step {
	s := step{kind: c.b[0]}
	c.b = c.b[1:]
	s.text = string(c.bytes())
	if s.kind < 'a' {
		s.src, s.off, s.n, s.key = c.int(), c.int(), c.int(), uint32(c.uint())
		s.nested = c.int()
	}
	return s
}
