package http3

import "remora/dissect"

// An entry is a field in a dynamic table: runs of chunks on their shelf, name first.
type entry struct {
	Before      uint32 // the entry inserted before it, 0 for the first
	Chunk       uint32 // the first one
	Name, Value uint32 // lengths
}

// A chunk is a part of an entry's text.
type chunk [32]byte

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
	spent int    // bytes put on the shelf
}

var (
	states  dissect.Store[state, note]
	entries dissect.Shelf[entry]
	chunks  dissect.Shelf[chunk]
)

// Limits of what is kept.
const (
	maxTable  = 1 << 20 // of one table
	maxSpent  = 4 << 20 // of all entries that a side ever inserts
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

// insert adds an entry.
func (t *table) insert(d *dissect.D, f field) {
	text := f.name + f.value
	t.Count++
	if t.spent += len(text) + 32; t.spent > maxSpent || len(text) > maxTable {
		t.Last = 0 // nothing can be found from here on
		return
	}
	e := entry{Before: t.Last, Name: uint32(len(f.name)), Value: uint32(len(f.value))}
	for at := 0; at < len(text); at += len(chunk{}) {
		var c chunk
		copy(c[:], text[at:])
		if n := chunks.Put(d, c); at == 0 {
			e.Chunk = n
		}
	}
	t.Last = entries.Put(d, e)
}

// find is the entry with that number, counted from 0 over all that were ever inserted.
func (n note) find(d *dissect.D, number uint64) (f field, ok bool) {
	if number >= uint64(n.Count) || uint64(n.Count)-number > maxBack {
		return f, false
	}
	at := n.Last
	for range uint64(n.Count) - number - 1 {
		at = entries.At(d, at).Before
	}
	if at == 0 {
		return f, false
	}
	e := entries.At(d, at)
	text := make([]byte, 0, e.Name+e.Value+uint32(len(chunk{})))
	for i := uint32(0); len(text) < int(e.Name+e.Value); i++ {
		c := chunks.At(d, e.Chunk+i)
		text = append(text, c[:]...)
	}
	return field{string(text[:e.Name]), string(text[e.Name : e.Name+e.Value])}, true
}
