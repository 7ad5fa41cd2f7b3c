package dissect

import (
	"slices"
	"sync/atomic"

	"remora/internal/column"
)

// conversationRows are the conversations of a capture of which all frames have passed, packed: nothing changes them any
// more. A Conversation is made of its row whenever somebody asks for it.
type conversationRows struct {
	rows       column.Packed[conversationRow]
	transports []Table
	recent     [recentRows]atomic.Pointer[Conversation] // by the end of their numbers
}

const recentRows = 512

// A conversationRow is what is left of a conversation.
type conversationRow struct {
	settled
	transport uint32 // its place among transports
	facts     [2]int64
}

// add packs one more conversation, which may be evicted.
func (l *conversationRows) add(c *Conversation) {
	at := slices.Index(l.transports, c.Transport)
	if at < 0 {
		at = len(l.transports)
		l.transports = append(l.transports, c.Transport)
	}
	l.rows.Append(conversationRow{c.settled, uint32(at), [2]int64{c.Fact(0), c.Fact(1)}})
}

// at is conversation number i, counted from 0, or evicted.
func (l *conversationRows) at(i int) *Conversation {
	slot := &l.recent[i%recentRows]
	if c := slot.Load(); c != nil && int(c.ID) == i+1 {
		return c
	}
	row := l.rows.At(i)
	if row.ID == 0 {
		return evicted
	}
	c := new(Conversation)
	l.unpack(&row, c)
	slot.Store(c)
	return c
}

// unpack makes a conversation of its row.
func (l *conversationRows) unpack(row *conversationRow, c *Conversation) {
	c.settled, c.Transport = row.settled, l.transports[row.transport]
	if v := row.facts; v[0] == int64(uint32(v[0])) && v[1] == 0 {
		c.fact.Store(uint32(v[0]))
		c.more.Store(nil)
	} else {
		m := c.connected()
		m.facts[0].Store(v[0])
		m.facts[1].Store(v[1])
	}
}

// A conversationView reads conversations for one goroutine.
type conversationView struct {
	rows column.Window
	last Conversation
}

// at is conversation number i, counted from 0, or evicted. It is valid until the next call.
func (v *conversationView) at(l *conversationList, i int) *Conversation {
	if l.chunks.Load() != nil {
		return l.At(i)
	}
	row := column.Seen(&v.rows, &l.packed.rows, i)
	if row.ID == 0 {
		return evicted
	}
	l.packed.unpack(row, &v.last)
	return &v.last
}

// pack packs all conversations. Whoever has one goes on with it. The first pass calls it behind the last frame.
func (l *conversationList) pack() {
	if l.Len() == 0 {
		return
	}
	rows := new(conversationRows)
	for i := range l.Len() {
		rows.add(l.At(i))
	}
	rows.rows.Pack()
	l.packed = rows
	l.chunks.Store(nil) // who finds none sees the rows
	l.live = nil
}
