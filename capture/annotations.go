package capture

import (
	"slices"
	"sync"
	"sync/atomic"

	"remora/capture/internal/pcapng"
)

// annotations are what packets have beside their bytes. They are rare, so they sit in maps.
type annotations struct {
	any   atomic.Bool // something is in the maps: keeps Comments free of locks where nobody comments
	mu    sync.RWMutex
	at    map[int]Span     // where a packet's options are in the file, if a comment is among them
	mine  map[int][]string // comments set while the program runs; they replace the file's
	kept  []Block
	dirty bool
	refs  atomic.Pointer[[]int] // time references, in order
}

// A Span is a piece of the file, in the byte order given.
type Span struct {
	Off       int64
	Len       int
	BigEndian bool
}

// A Block is a block of a pcapng file, other than packets and interfaces, that saving carries over.
type Block struct {
	Span
	Kind  uint32
	First int // the store's number of interface 0 of the block's section
	After int // so many packets stand in front of it
}

// AddComment remembers where the options of packet i are, one of which is a comment.
func (a *Appender) AddComment(i int, at Span) {
	n := &a.s.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.at == nil {
		n.at = map[int]Span{}
	}
	n.at[i] = at
	n.any.Store(true)
}

// AddBlock remembers a block for saving.
func (a *Appender) AddBlock(b Block) {
	n := &a.s.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	b.After = a.Len()
	n.kept = append(n.kept, b)
}

// Blocks are the blocks that saving carries over, but for the first from, as far as the file was read.
func (s *Store) Blocks(from int) []Block {
	s.notes.mu.RLock()
	defer s.notes.mu.RUnlock()
	return slices.Clone(s.notes.kept[min(from, len(s.notes.kept)):])
}

// blocksBefore are those of Blocks that stand in front of a packet.
func (s *Store) blocksBefore(from, packet int) []Block {
	s.notes.mu.RLock()
	defer s.notes.mu.RUnlock()
	kept := s.notes.kept[min(from, len(s.notes.kept)):]
	n := 0
	for n < len(kept) && kept[n].After <= packet {
		n++
	}
	return slices.Clone(kept[:n])
}

// BlockBytes are the bytes of a block with its head and its end, or nil when they cannot be read any more.
func (s *Store) BlockBytes(b Block) []byte { return s.piece(b.Span) }

// piece reads a piece of the file, or gives nil.
func (s *Store) piece(at Span) []byte {
	b := make([]byte, at.Len)
	if got, _ := s.bytes.ReadAt(b, at.Off, at.Len); got < at.Len {
		return nil
	}
	return b
}

// CommentSpan is where the file has the options of packet i, if a comment is among them.
func (s *Store) CommentSpan(i int) (at Span, ok bool) {
	n := &s.notes
	if !n.any.Load() {
		return at, false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	at, ok = n.at[i]
	return at, ok
}

// Saved says that the first n packets are in a file of the user's, and whether their comments are.
func (s *Store) Saved(n int, comments bool) {
	s.savedUpTo.Store(max(int64(n), s.savedUpTo.Load()))
	s.notes.mu.Lock()
	s.notes.dirty = s.notes.dirty && !comments
	s.notes.mu.Unlock()
}

// HasComment reports whether packet i has a comment.
func (s *Store) HasComment(i int) bool {
	n := &s.notes
	if !n.any.Load() {
		return false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if mine, ok := n.mine[i]; ok {
		return len(mine) > 0
	}
	_, ok := n.at[i]
	return ok
}

// Comments are the comments on packet i, from the file or set here.
func (s *Store) Comments(i int) []string {
	n := &s.notes
	if !n.any.Load() {
		return nil
	}
	n.mu.RLock()
	mine, ok := n.mine[i]
	at, inFile := n.at[i]
	n.mu.RUnlock()
	if ok {
		return slices.Clone(mine)
	}
	if !inFile {
		return nil
	}
	var list []string
	pcapng.Options(s.piece(at), at.BigEndian, func(code uint16, v []byte) bool {
		if code == pcapng.OptComment {
			list = append(list, pcapng.Text(v))
		}
		return true
	})
	return list
}

// Commented lists the packets that have comments, in order.
func (s *Store) Commented() []int {
	n := &s.notes
	n.mu.RLock()
	defer n.mu.RUnlock()
	var list []int
	for i := range n.at {
		if _, ok := n.mine[i]; !ok {
			list = append(list, i)
		}
	}
	for i, c := range n.mine {
		if len(c) > 0 {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return list
}

// SetComments replaces the comments on packet i. They are written when the packets are saved; the opened file
// stays as it is.
func (s *Store) SetComments(i int, comments []string) {
	n := &s.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.mine == nil {
		n.mine = map[int][]string{}
	}
	n.mine[i] = slices.Clone(comments)
	n.dirty = true
	n.any.Store(true)
}

// CommentsChanged says that comments were set since the packets were last saved.
func (s *Store) CommentsChanged() bool {
	s.notes.mu.RLock()
	defer s.notes.mu.RUnlock()
	return s.notes.dirty
}

// SetReferences makes packets time references, in order: times of those behind are relative to them. No file keeps
// them.
func (s *Store) SetReferences(list []int) { s.notes.refs.Store(&list) }

// References are the packets that were made time references, in order.
func (s *Store) References() []int {
	if list := s.notes.refs.Load(); list != nil {
		return *list
	}
	return nil
}

// Reference is the packet that the time of packet i is relative to: the last time reference up to it, else the first.
func (s *Store) Reference(i int) int {
	list := s.References()
	at, found := slices.BinarySearch(list, i)
	switch {
	case found:
		return i
	case at > 0:
		return list[at-1]
	}
	return 0
}
