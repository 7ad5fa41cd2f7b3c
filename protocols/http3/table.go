package http3

import (
	"remora/dissect"
	"remora/protocols/internal/texts"
)

// An entry is a field in a dynamic table.
type entry struct {
	Before      uint32 // the entry inserted before it, 0 for the first
	Far         uint32 // the last one before it whose number is a multiple of stride
	Name, Value texts.Text
}

// stride is how far apart the entries are that can be reached at a leap.
const stride = 64

// A note is what a frame leaves of the table: the entry inserted last, and how many there were in all.
type note struct {
	Last  uint32
	Count uint32
	Most  uint32 // bytes of the table at most
}

// A state is what the first pass knows of all connections.
type state struct{ tables map[tableKey]*table }

type tableKey struct {
	link   uint32
	server bool
}

// A table is the dynamic table that one side fills and the other reads.
type table struct {
	note
	most  uint64 // bytes at most, as the reading side said
	far   uint32 // the last entry whose number is a multiple of stride
	spent int    // bytes put in the list
}

var (
	states  = dissect.NewStore[state, note]()
	entries = dissect.NewList[entry]()
)

// Limits of what is kept.
const (
	maxTable  = 1 << 20 // of one table
	maxSpent  = 4 << 20 // of all texts that a side ever inserts
	maxTables = 1 << 16
	maxBack   = 1 << 12 // entries that are gone through to find one
)

// defaultTable is taken where nobody said how large the table is: the usual size.
const defaultTable = 4096

func (s *state) table(link uint32, server bool) *table {
	key := tableKey{link, server}
	t := s.tables[key]
	if t == nil && len(s.tables) < maxTables {
		if s.tables == nil {
			s.tables = map[tableKey]*table{}
		}
		t = &table{most: defaultTable}
		s.tables[key] = t
	}
	return t
}

// now is the note of a table.
func (t *table) now() note {
	n := t.note
	n.Most = uint32(t.most)
	return n
}

// insert adds an entry, of a name and a value that the table may have already.
func (t *table) insert(d *dissect.D, f field, from entry) {
	number := t.Count
	t.Count++
	fresh := 32
	if from.Name.Len == 0 {
		fresh += len(f.name)
	}
	if from.Value.Len == 0 {
		fresh += len(f.value)
	}
	if t.spent += fresh; t.spent > maxSpent || len(f.name)+len(f.value) > maxTable {
		t.Last = 0 // nothing can be found from here on
		return
	}
	if from.Name.Len == 0 {
		from.Name = texts.Put(d, f.name)
	}
	if from.Value.Len == 0 {
		from.Value = texts.Put(d, f.value)
	}
	t.Last = entries.Put(d, entry{t.Last, t.far, from.Name, from.Value})
	if number%stride == 0 {
		t.far = t.Last
	}
}

// find is the entry with that number, counted from 0 over all that were ever inserted.
func (n note) find(d *dissect.D, number uint64) (e entry, ok bool) {
	if number >= uint64(n.Count) || uint64(n.Count)-number > maxBack || n.Last == 0 {
		return e, false
	}
	e = entries.At(d, n.Last)
	for at := uint64(n.Count) - 1; at > number; {
		if far := (at - 1) / stride * stride; far >= number {
			e, at = entries.At(d, e.Far), far
		} else {
			e, at = entries.At(d, e.Before), at-1
		}
	}
	return e, true
}

// field are an entry's texts.
func (e entry) field(d *dissect.D) field { return field{e.Name.String(d), e.Value.String(d)} }
