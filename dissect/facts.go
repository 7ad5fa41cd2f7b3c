package dissect

import (
	"sync"
	"sync/atomic"
)

// PastFrames is how many packets the first pass may be ahead of a Guard.Past that tells what was known before.
const PastFrames = 1 << 14

// SetFact keeps a number that holds for the whole conversation, whichever frame one looks at: how complete it is, how
// long its round trip takes. Facts are set in the first pass, inside FirstPass. Their numbers are the transport's;
// fact 0 of a conversation of datagrams is for the protocol that it is of.
func (hd *Ends) SetFact(i int, v int64) {
	d := (*D)(hd)
	m := d.conv.connected()
	was := m.facts[i].Load()
	if was == v {
		return
	}
	if d.s.facts.on.Load() {
		d.s.facts.add(d.conv, factChange{was: was, since: d.Frame, fact: i}) // before it is seen
	}
	m.facts[i].Store(v)
}

// Fact is what SetFact kept for the conversation so far, 0 before.
func (hd *Ends) Fact(i int) int64 {
	d := (*D)(hd)
	v := d.conv.Fact(i)
	if d.past {
		v = d.s.facts.at(d.conv, i, d.Frame, v)
	}
	return v
}

// A factLog keeps what facts were before the newest frames changed them.
type factLog struct {
	on    atomic.Bool
	mu    sync.RWMutex
	of    map[*Conversation][]factChange
	order []*Conversation // a change each, the oldest first
}

type factChange struct {
	was   int64
	since FrameNum
	fact  int
}

func (l *factLog) add(c *Conversation, ch factChange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[*Conversation][]factChange{}
	}
	for len(l.order) > 0 && l.of[l.order[0]][0].since+PastFrames < ch.since {
		if old := l.order[0]; len(l.of[old]) > 1 {
			l.of[old] = l.of[old][1:]
		} else {
			delete(l.of, old)
		}
		l.order = l.order[1:]
	}
	l.of[c] = append(l.of[c], ch)
	l.order = append(l.order, c)
}

// at is what a fact was when a frame had passed, where it is v now.
func (l *factLog) at(c *Conversation, fact int, n FrameNum, v int64) int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, ch := range l.of[c] {
		if ch.fact == fact && ch.since > n {
			return ch.was
		}
	}
	return v
}
