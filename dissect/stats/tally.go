// Package stats counts what passes, over a whole capture or over the packets that a filter shows: packet types with
// their rates, gaps and sizes, the hierarchy of protocols, conversations and endpoints, sums over intervals, expert
// infos, what is known of the file. The screen and the outputs without one ask it alike. Most of it reads the index
// alone, so that a million packets take a fraction of a second, and all of it counts on as packets arrive.
package stats

import (
	"sync/atomic"

	"remora/dissect"
)

// A Tally counts packets by layer stack and direction. One goroutine counts; anybody asks.
type Tally struct {
	s *dissect.Session

	yieldingMutex
	cells []*cell  // by layer stack and direction, directions to each
	all   cell     // every packet; its gaps are of the capture as a whole
	bytes Timeline // of every packet
	order []uint32 // the layer stacks as they were met

	now atomic.Pointer[summary] // what anybody may know without waiting for mu
}

// The directions: that of the conversation's first packet, the other one, and none outside of conversations.
const (
	noDirection = 2
	directions  = 3
)

// A summary is how far the counting is, and what there is in all.
type summary struct {
	Count
	first, last int64
	upTo        dissect.FrameNum
}

// NewTally is a tally of nothing yet.
func NewTally(s *dissect.Session) *Tally { return &Tally{s: s} }

// Session is whose packets are counted.
func (t *Tally) Session() *dissect.Session { return t.s }

// Frames counts frames, which come in rising order; upTo is the last one that has been decided, counted or not.
func (t *Tally) Frames(frames []dissect.FrameNum, upTo dissect.FrameNum) {
	defer t.yieldToReaders()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, n := range frames {
		t.count(n)
	}
	t.publish(upTo)
}

// Range counts all frames from one to another.
func (t *Tally) Range(from, to dissect.FrameNum) {
	defer t.yieldToReaders()
	t.mu.Lock()
	defer t.mu.Unlock()
	for n := from; n <= to; n++ {
		t.count(n)
	}
	t.publish(to)
}

func (t *Tally) count(n dissect.FrameNum) {
	if int(n) <= t.s.Store().First() { // has left
		return
	}
	m := t.s.Store().Meta(int(n) - 1)
	conv, dir := t.s.DirectionOf(n)
	if conv == 0 {
		dir = noDirection
	}
	shape := int(t.s.LayerStackOf(n).ID)
	for shape*directions >= len(t.cells) {
		t.cells = append(t.cells, nil, nil, nil)
	}
	dirs := t.cells[shape*directions:][:directions]
	if dirs[dir] == nil {
		if dirs[0] == nil && dirs[1] == nil && dirs[noDirection] == nil {
			t.order = append(t.order, uint32(shape))
		}
		dirs[dir] = &cell{sample: n}
	}
	dirs[dir].add(m.Time, m.Len, conv)
	t.all.add(m.Time, m.Len, 0)
	t.bytes.Add(m.Time, uint64(m.Len))
}

// publish says how far the counting is; mu is held.
func (t *Tally) publish(upTo dissect.FrameNum) {
	t.now.Store(&summary{t.all.Count, t.all.first, t.all.last, max(t.UpTo(), upTo)})
}

// UpTo is the last frame that has been decided. It waits for nobody.
func (t *Tally) UpTo() dissect.FrameNum {
	if now := t.now.Load(); now != nil {
		return now.upTo
	}
	return 0
}

// All is how much was counted, and from when to when, in nanoseconds since 1970. It waits for nobody.
func (t *Tally) All() (c Count, first, last int64) {
	if now := t.now.Load(); now != nil {
		return now.Count, now.first, now.last
	}
	return c, 0, 0
}

// Spread is how many packets there were in each of w equal spans from one time to another.
func (t *Tally) Spread(from, to int64, w int) []float64 {
	t.lockToRead()
	defer t.mu.Unlock()
	return t.all.line.Spread(from, to, w)
}

// SpreadBytes is how many bytes on the wire there were in each of w equal spans from one time to another.
func (t *Tally) SpreadBytes(from, to int64, w int) []float64 {
	t.lockToRead()
	defer t.mu.Unlock()
	return t.bytes.Spread(from, to, w)
}
