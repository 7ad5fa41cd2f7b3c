package dissect

import (
	"math/bits"
	"math/rand/v2"
)

// conversationMap finds the newest conversation of two ends. It is a table of hashes and numbers only, eight bytes a
// slot: the ends stand in the conversations themselves. A slot holds the hash in its upper half and the conversation's
// ID in its lower half, or 0 when it is free; what finds its slot taken goes to the next one.
type conversationMap struct {
	seed   [4]uint64 // of this session: nobody can choose addresses that collide
	slots  []uint64  // a power of two of them
	taken  int
	recent []recentConversation // by their hashes: those that go on are found in memory that is at hand

	repeated repeatedHeaders
}

// A recentConversation is the one that was looked for last of those whose hashes end alike.
type recentConversation struct {
	hash uint32
	c    *Conversation
}

const recentConversations = 512

func newConversationMap() conversationMap {
	return conversationMap{slots: make([]uint64, 1024), recent: make([]recentConversation, recentConversations),
		seed: [4]uint64{rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64()}}
}

// hash is the same whichever of the two ends comes first.
func (m *conversationMap) hash(t Table, a, b *Endpoint) uint32 {
	sum := m.hashEnd(a) + m.hashEnd(b) + uint64(t.everyday())
	high, low := bits.Mul64(sum^m.seed[2], m.seed[3])
	return uint32((high ^ low) >> 16)
}

func (m *conversationMap) hashEnd(e *Endpoint) uint64 {
	high, low := bits.Mul64(e.Addr.lo^m.seed[0], e.Addr.hi^uint64(e.Port)<<48^uint64(e.Addr.kind)^m.seed[1])
	return high ^ low
}

// place is the slot of two ends: that of their newest conversation, or a free one.
func (m *conversationMap) place(s *Session, t Table, a, b *Endpoint) int {
	return m.placeOf(m.hash(t, a, b), s, t, a, b)
}

func (m *conversationMap) placeOf(h uint32, s *Session, t Table, a, b *Endpoint) int {
	mask := len(m.slots) - 1
	for at := int(h) & mask; ; at = (at + 1) & mask {
		slot := m.slots[at]
		if slot == 0 || uint32(slot>>32) == h && s.conversations.At(int(uint32(slot))-1).joins(t, a, b) {
			return at
		}
	}
}

// find is the newest conversation of two ends, or nil.
func (m *conversationMap) find(s *Session, t Table, a, b *Endpoint) *Conversation {
	h := m.hash(t, a, b)
	r := &m.recent[h%recentConversations]
	if r.c != nil && r.hash == h && r.c.joins(t, a, b) {
		return r.c
	}
	slot := m.slots[m.placeOf(h, s, t, a, b)]
	if slot == 0 {
		return nil
	}
	*r = recentConversation{h, s.conversations.At(int(uint32(slot)) - 1)}
	return r.c
}

// put makes c the newest conversation of its ends.
func (m *conversationMap) put(s *Session, c *Conversation) {
	h := m.hash(c.Transport, &c.A, &c.B)
	at := m.placeOf(h, s, c.Transport, &c.A, &c.B)
	if m.slots[at] == 0 {
		m.taken++
	} else {
		s.conversations.At(int(uint32(m.slots[at])) - 1).replaced = true
	}
	m.slots[at] = uint64(h)<<32 | uint64(c.ID)
	m.recent[h%recentConversations] = recentConversation{h, c}
	if m.taken*3 > len(m.slots)*2 {
		m.grow()
	}
}

// grow doubles the table. The hashes tell where everything goes.
func (m *conversationMap) grow() {
	old := m.slots
	m.slots = make([]uint64, 2*len(old))
	mask := len(m.slots) - 1
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := int(slot>>32) & mask
		for m.slots[at] != 0 {
			at = (at + 1) & mask
		}
		m.slots[at] = slot
	}
}

// rebuild makes the table anew from the conversations that are left. Of two between the same ends the newer one counts.
func (m *conversationMap) rebuild(s *Session) {
	size := 1024
	for size*2 < s.conversations.count*3+3 {
		size *= 2
	}
	m.slots, m.taken = make([]uint64, size), 0
	clear(m.recent)
	clear(m.repeated.flows)
	s.conversations.each(func(c *Conversation) { m.put(s, c) })
}

func (m *conversationMap) bytes() int64 { return int64(len(m.slots)) * 8 }
