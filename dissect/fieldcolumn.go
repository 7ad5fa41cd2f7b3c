package dissect

import (
	"sync"
	"sync/atomic"

	"remora/internal/column"
)

// A FieldColumn keeps the values that a field of numbers has in the packets of a capture: who asks for the field again
// reads no packet. It is filled by whoever asks for the field first (see Session.FieldColumns).
type FieldColumn struct {
	field *Field
	rows  column.Packed[FieldCell]
	fill  sync.Mutex // held by who appends
	used  uint64
	gone  atomic.Bool // there was no room for it
}

// A FieldCell is what a FieldColumn has of a packet. The zero FieldCell says nothing: the packet has to be asked.
type FieldCell struct {
	low, high uint32 // halves of the value
	how       uint32
}

const (
	cellNone = 1 // the packet does not have the field
	cellOne  = 2 // it has it once
)

// All columns of a session take so many bytes at most, and are so many: those that were asked for last.
const (
	fieldColumnBytes = 64 << 20
	mostFieldColumns = 4
)

// fieldColumns are the columns of a session.
type fieldColumns struct {
	mu   sync.Mutex
	all  []*FieldColumn
	turn uint64
}

// FieldColumns are the columns of the fields, empty ones where nobody asked for them before. It gives nil where a value
// may still change, because the capture goes on, and for fields that columns do not keep.
func (s *Session) FieldColumns(fields []*Field) []*FieldColumn {
	if !s.ended.Load() {
		return nil
	}
	for _, f := range fields {
		if f.late || f.proto == ws || f.proto == ends || f.proto == s.reg.plugins[s.reg.root].Protocol {
			return nil
		}
	}
	b := &s.columnsOf
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]*FieldColumn, len(fields))
	for i, f := range fields {
		out[i] = b.column(f)
	}
	return out
}

func (b *fieldColumns) column(f *Field) *FieldColumn {
	b.turn++
	oldest := 0
	for i, c := range b.all {
		if c.field == f {
			c.used = b.turn
			return c
		}
		if c.used < b.all[oldest].used {
			oldest = i
		}
	}
	c := &FieldColumn{field: f, used: b.turn}
	if len(b.all) < mostFieldColumns {
		b.all = append(b.all, c)
	} else {
		b.all[oldest] = c
	}
	return c
}

// trim gives up the columns used least where they take too much.
func (b *fieldColumns) trim() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.all {
		if b.bytes() <= fieldColumnBytes {
			return
		}
		oldest := 0
		for i, c := range b.all {
			if c.used < b.all[oldest].used {
				oldest = i
			}
		}
		b.all[oldest].gone.Store(true)
		b.all = append(b.all[:oldest:oldest], b.all[oldest+1:]...)
	}
}

func (b *fieldColumns) bytes() (n int64) {
	for _, c := range b.all {
		n += c.rows.Bytes()
	}
	return n
}

// held is what the columns take.
func (b *fieldColumns) held() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes()
}

// Len is how many packets it has cells of, from the first one on.
func (c *FieldColumn) Len() int { return c.rows.Len() }

// Begin tells whether the caller is the one to append cells behind the first n, until it calls End.
func (c *FieldColumn) Begin(n int) bool {
	if c.gone.Load() || !c.fill.TryLock() {
		return false
	}
	if c.Len() != n {
		c.End()
		return false
	}
	return true
}

// End lets others append cells.
func (c *FieldColumn) End() { c.fill.Unlock() }

// Append adds the cells of the next packets. They go where the session's columns have no room.
func (c *FieldColumn) Append(s *Session, cells []FieldCell) {
	for _, cell := range cells {
		c.rows.Append(cell)
	}
	if c.rows.Len() == s.Passed() {
		c.rows.Pack()
	}
	s.columnsOf.trim()
}

// Cell is what a column keeps of a packet whose tree has all values of its field.
func (c *FieldColumn) Cell(t *Tree) FieldCell {
	cell := FieldCell{how: cellNone}
	for i := range t.Nodes {
		switch n := &t.Nodes[i]; {
		case n.Field != c.field.id:
		case cell.how == cellOne:
			return FieldCell{} // several values
		default:
			cell = FieldCell{uint32(n.Val), uint32(n.Val >> 32), cellOne}
		}
	}
	return cell
}

// Unread is what a column keeps of a packet that was not read: some cannot have the field.
func (c *FieldColumn) Unread(s *Session, n FrameNum) FieldCell {
	if s.MayHave(s.LayerStackOf(n), c.field) {
		return FieldCell{}
	}
	return FieldCell{how: cellNone}
}

// Recalled is a tree with the values that columns have of frame n, or nil where one of them has to be read. The tree is
// the Dissector's.
func (l *Dissector) Recalled(n FrameNum, columns []*FieldColumn) *Tree {
	t := &l.t
	if len(l.cells) < len(columns) {
		l.cells = make([]cellView, len(columns))
	}
	rec := record{stacked: column.Seen(&l.d.records, &l.s.records, int(n)-1).stacked}
	t.reset(n, nil)
	t.LayerStack, t.Severity = l.s.LayerStack(rec.stack()), rec.severity()
	t.top = t.LayerStack.top
	for i, c := range columns {
		v := &l.cells[i]
		if v.of != c {
			*v = cellView{of: c}
		}
		if int(n) > c.rows.Len() {
			return nil
		}
		switch cell := column.Seen(&v.rows, &c.rows, int(n)-1); cell.how {
		case cellOne:
			t.Nodes = append(t.Nodes,
				Node{Field: c.field.id, Val: uint64(cell.high)<<32 | uint64(cell.low), Depth: 1, Layer: 1, Flags: nodeDerived})
		case cellNone:
		default:
			return nil
		}
	}
	return t
}

// A cellView reads a column for one goroutine.
type cellView struct {
	of   *FieldColumn
	rows column.Window
}
