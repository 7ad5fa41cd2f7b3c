package dissect

import (
	"sort"
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
	was, logged := d.conv.Fact(i), d.s.facts.on.Load()
	if was == v {
		return
	}
	d.again = d.again || d.factRead
	if i == 0 && v == int64(uint32(v)) && !logged && d.conv.more.Load() == nil {
		d.conv.fact.Store(uint32(v))
		return
	}
	m := d.conv.connected()
	if logged {
		d.s.facts.add(m, factChange{was: was, since: d.Frame, fact: int32(i)}) // before it is seen
	}
	m.facts[i].Store(v)
}

// Fact is what SetFact kept for the conversation so far, 0 before.
func (hd *Ends) Fact(i int) int64 {
	d := (*D)(hd)
	v, _ := d.factAt(i, d.Frame)
	return v
}

// FactBefore is what SetFact kept before this frame, and whether that is asked for: where all frames have passed, it is
// the last of all.
func (hd *Ends) FactBefore(i int) (v int64, before bool) {
	d := (*D)(hd)
	return d.factAt(i, d.Frame-1)
}

// factAt is a fact when a frame had passed, and whether that is asked for.
func (d *D) factAt(i int, n FrameNum) (v int64, past bool) {
	d.factRead = true
	v = d.conv.Fact(i)
	if m := d.conv.more.Load(); m != nil && d.past {
		v = d.s.facts.at(m, i, n, v)
	}
	return v, d.past
}

// A factLog keeps what facts were before the newest frames changed them, in the order of the changes. Those of one
// conversation are a chain from the newest on.
type factLog struct {
	on      atomic.Bool
	mu      sync.RWMutex
	changes []factChange
	gone    uint64 // changes in front of the first
}

type factChange struct {
	was    int64
	before uint64 // the number of the conversation's change before, counted from 1
	since  FrameNum
	fact   int32
}

// add keeps a change, and drops those that nobody asks for any more before the list would grow.
func (l *factLog) add(m *connected, ch factChange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.changes) == cap(l.changes) {
		old := sort.Search(len(l.changes), func(i int) bool { return l.changes[i].since+PastFrames >= ch.since })
		l.changes = l.changes[:copy(l.changes, l.changes[old:])]
		l.gone += uint64(old)
	}
	ch.before = m.changed
	l.changes = append(l.changes, ch)
	m.changed = l.gone + uint64(len(l.changes))
}

// at is what a fact was when a frame had passed, where it is v now.
func (l *factLog) at(m *connected, fact int, n FrameNum, v int64) int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for k := m.changed; k > l.gone; {
		ch := &l.changes[k-l.gone-1]
		if ch.since <= n {
			break
		}
		if ch.fact == int32(fact) {
			v = ch.was
		}
		k = ch.before
	}
	return v
}
