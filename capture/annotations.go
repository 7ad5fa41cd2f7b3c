package capture

import (
	"slices"
	"sync"
	"sync/atomic"
)

// maxKept bounds the blocks remembered for saving; a file of nothing but such blocks must not eat memory.
const maxKept = 1 << 16

// maxKeptBytes bounds what saving carries over in such blocks.
const maxKeptBytes = 64 << 20

// annotations are what packets have beside their bytes. They are rare, so they sit in maps.
type annotations struct {
	any   atomic.Bool // something is in the maps: keeps Comments free of locks where nobody comments
	mu    sync.RWMutex
	at    map[int]span     // where a packet's options are in the file, if a comment is among them
	mine  map[int][]string // comments set while the program runs; they replace the file's
	kept  []keptBlock
	bytes int64 // of the kept blocks
	dirty bool
}

// span is a piece of the file, in the byte order given.
type span struct {
	off int64
	n   int
	big bool
}

// A keptBlock is a block other than packets and interfaces that saving carries over.
type keptBlock struct {
	span
	kind  uint32
	first int // the store's number of its section's interface 0
}

// comments remembers that packet at has comments, without reading them: options may be long.
func (f *pcapng) comments(at int, b []byte, off int64) {
	found := false
	options(b, f.big, func(code uint16, _ []byte) bool {
		found = code == optComment
		return !found
	})
	if !found {
		return
	}
	n := &f.s.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.at == nil {
		n.at = map[int]span{}
	}
	n.at[at] = span{off, len(b), f.big}
	n.any.Store(true)
}

// keepBlock remembers a block for saving.
func (f *pcapng) keepBlock(kind uint32, off, total int64) {
	switch kind {
	case blockNames, blockStats, blockSecrets, blockCustom, blockJournal, blockEvent, blockEvent2, blockEvent2Long:
	default:
		return
	}
	if total > maxCapLen || f.s.live != nil { // the statistics of a live capture are counted beside
		return
	}
	n := &f.s.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.kept) == maxKept || n.bytes+total > maxKeptBytes {
		f.s.notice("kept", "the file holds more names, statistics and other extras than are kept when saving")
	} else {
		n.bytes += total
		n.kept = append(n.kept, keptBlock{span{off, int(total), f.big}, kind, f.first})
	}
}

// HasComment tells whether packet i has a comment.
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
	b := make([]byte, at.n)
	if got, _ := s.readAt(b, at.off, at.n); got < at.n {
		return nil
	}
	var list []string
	options(b, at.big, func(code uint16, v []byte) bool {
		if code == optComment {
			list = append(list, text(v))
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
