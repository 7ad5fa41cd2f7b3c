package dissect

import (
	"sync/atomic"
	"unsafe"
)

// A conversationList finds conversations by number. The first pass alone adds and drops; anybody reads. Its chunks are
// small, so that one conversation that goes on for ever holds little memory beside its own.
type conversationList struct {
	chunks atomic.Pointer[[]*conversationChunk]
	n      atomic.Int64
	live   []uint16          // how many are left of each chunk; the writer's
	first  int               // the chunks before it are empty
	count  int               // conversations that are left
	packed *conversationRows // in place of the chunks, once there are none
}

const (
	convShift = 8
	convSize  = 1 << convShift
)

type conversationChunk [convSize]atomic.Pointer[Conversation]

// noConversations stands in the place of chunks of which nothing is left.
var noConversations conversationChunk

// evicted stands in the place of a conversation that is forgotten, for readers that have its number from before.
var evicted = &Conversation{settled: settled{plugin: noPlugin}, likely: noPlugin}

// Evicted tells whether the conversation was evicted by the retention limit: nothing is known of it any more.
func (c *Conversation) Evicted() bool { return c == evicted }

// Len is how many conversations there were, evicted ones among them.
func (l *conversationList) Len() int { return int(l.n.Load()) }

// At is conversation number i, counted from 0, or evicted.
func (l *conversationList) At(i int) *Conversation {
	chunks := l.chunks.Load()
	if chunks == nil {
		return l.packed.at(i)
	}
	if c := (*chunks)[i>>convShift][i&(convSize-1)].Load(); c != nil {
		return c
	}
	return evicted
}

// Append adds a conversation behind the last.
func (l *conversationList) Append(c *Conversation) {
	n := l.Len()
	if n&(convSize-1) == 0 {
		var next []*conversationChunk
		if old := l.chunks.Load(); old != nil {
			next = *old
		}
		next = append(next, new(conversationChunk))
		l.chunks.Store(&next)
		l.live = append(l.live, 0)
	}
	(*l.chunks.Load())[n>>convShift][n&(convSize-1)].Store(c)
	l.live[n>>convShift]++
	l.count++
	l.n.Store(int64(n + 1))
}

// each calls f for all conversations that are left, the oldest first.
func (l *conversationList) each(f func(*Conversation)) {
	if l.chunks.Load() == nil {
		return
	}
	for k, chunk := range (*l.chunks.Load())[l.first:] {
		if l.live[l.first+k] == 0 {
			continue
		}
		for i := range chunk {
			if c := chunk[i].Load(); c != nil {
				f(c)
			}
		}
	}
}

// drop gives up those of which old says so, and tells how many they were.
func (l *conversationList) drop(old func(*Conversation) bool) (dropped int) {
	if l.chunks.Load() == nil {
		return 0
	}
	was := *l.chunks.Load()
	next := make([]*conversationChunk, len(was), cap(was))
	copy(next, was)
	full := l.Len() >> convShift // a chunk that is still filled stays
	for k := l.first; k < len(next); k++ {
		if l.live[k] == 0 {
			continue
		}
		for i := range next[k] {
			if c := next[k][i].Load(); c != nil && old(c) {
				next[k][i].Store(nil)
				l.live[k]--
				dropped++
			}
		}
		if l.live[k] == 0 && k < full {
			next[k] = &noConversations
		}
	}
	for l.first < full && l.live[l.first] == 0 {
		l.first++
	}
	l.chunks.Store(&next)
	l.count -= dropped
	return dropped
}

// bytes is the memory of the list and of what stands in conversations themselves. Chunks with a few left are counted as
// if they were full.
func (l *conversationList) bytes() int64 {
	if l.Len() > 0 && l.chunks.Load() == nil {
		return l.packed.rows.Bytes()
	}
	return int64(l.count)*(conversationBytes+int64(unsafe.Sizeof(conversationChunk{})/convSize)) + int64(len(l.live))*10
}
