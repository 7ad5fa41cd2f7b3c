package dissect

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Forward is the frame that a later packet named for this one under the field (see Link and Request), or 0. It is for
// texts; Links.Links.ShowForward records the field. In the first pass, which has not come that far, it is 0.
func (hd *Links) Forward(f *Field) FrameNum {
	d := (*D)(hd)
	if d.first {
		return 0
	}
	return d.told(f, d.Frame)
}

// Past tells whether a packet is shown with what was known when it had passed, as a printer does that has no second
// pass (see Guard.Past): what the packet itself tells of its kind is then for later ones.
func (hd *Links) Past() bool { return (*D)(hd).past }

// SetForward gives an earlier frame a number that only this one tells, such as the version that both ends agreed on.
// The field says which number it is; the first that is told stays. It serves the first pass.
func (hd *Links) SetForward(earlier FrameNum, f *Field, v uint32) {
	d := (*D)(hd)
	d.alive()
	if d.first && !d.quoted {
		d.tell(f, earlier, FrameNum(v))
	}
}

// ForwardValue is the number that a later packet gave this one under the field (see Links.SetForward), or 0. In the
// first pass, which has not come that far, it is 0. It is for texts: what depends on it would differ from the first
// pass.
func (hd *Links) ForwardValue(f *Field) uint32 {
	d := (*D)(hd)
	return uint32(d.Links().Forward(f))
}

// tell keeps the first frame, or number, that this one has for an earlier one under the field, and tells whether this
// is it: a repeated answer does not take the place of the first.
func (d *D) tell(f *Field, earlier, what FrameNum) bool {
	d.again = d.again || earlier == d.Frame // it may have been asked for before
	return d.s.forward.put(f.id, earlier, forwardLink{to: what, since: d.Frame})
}

// told is what tell kept for a frame, or 0; also where a frame behind this one told it and the Dissector does not look
// ahead.
func (d *D) told(f *Field, frame FrameNum) FrameNum {
	l := d.s.forward.get(f.id, frame)
	if d.past && l.since > d.Frame {
		return 0
	}
	return l.to
}

// forwardTable is the inversion of backward links.
//
// Links lie by ranges of the frames that they come from, so that those of old frames go at once.
type forwardTable struct {
	mu     sync.RWMutex
	ranges []*forwardRange // by from>>forwardShift, behind those that are forgotten
	first  FrameNum        // the number of the first range
	gone   FrameNum        // links from frames below are forgotten
	n      atomic.Int64

	sorted []forwardRow // in place of the ranges once no more come
}

// A forwardRange is a table of hashes: what finds its slot taken goes to the next one. A slot is free while no frame
// has told its link.
type forwardRange struct {
	slots []forwardSlot // a power of two of them
	taken int
}

// A forwardSlot has of its key the frame in the range, and below it the field.
type forwardSlot struct {
	key  uint32
	link forwardLink
}

// in is the key within its range.
func (k forwardKey) in() uint32 { return uint32(k.frame)<<16 | uint32(k.field) }

// from is the key of a slot in range i.
func (s *forwardSlot) from(i FrameNum) forwardKey {
	return forwardKey{FieldID(s.key), i<<forwardShift | FrameNum(s.key>>16)&(1<<forwardShift-1)}
}

// place is the slot of a key, which is free where it has no link.
func (r *forwardRange) place(key uint32) *forwardSlot {
	mask := uint32(len(r.slots) - 1)
	h := (key>>16*31 + key&0xffff) * 0x9e3779b1
	for at := h ^ h>>16; ; at++ {
		if slot := &r.slots[at&mask]; slot.key == key || slot.link.since == 0 {
			return slot
		}
	}
}

// grow doubles the slots.
func (r *forwardRange) grow() {
	old := r.slots
	r.slots = make([]forwardSlot, max(16, 2*len(old)))
	for _, slot := range old {
		if slot.link.since != 0 {
			*r.place(slot.key) = slot
		}
	}
}

// after is an empty range behind this one, which is nil or filled: as large as it would become with as many links.
func (r *forwardRange) after() *forwardRange {
	next := new(forwardRange)
	if r != nil && r.taken > 0 {
		n := len(r.slots)
		for n > 16 && r.taken*8 < n*3 {
			n /= 2
		}
		next.slots = make([]forwardSlot, n)
	}
	return next
}

// of is the range of a frame, or nil.
func (b *forwardTable) of(from FrameNum) *forwardRange {
	if i := from>>forwardShift - b.first; from>>forwardShift >= b.first && int(i) < len(b.ranges) {
		return b.ranges[i]
	}
	return nil
}

type forwardRow struct {
	from forwardKey
	link forwardLink
}

func (k forwardKey) compare(o forwardKey) int { return cmp.Compare(k.order(), o.order()) }

// order sorts keys by frame, then by field.
func (k forwardKey) order() uint64 { return uint64(k.frame)<<16 | uint64(k.field) }

// rest has the links take a third of the memory, when none is added any more.
func (b *forwardTable) rest() {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows := slices.Grow(b.sorted, int(b.n.Load())-len(b.sorted))
	for i, r := range b.ranges {
		if r == nil {
			continue
		}
		from := len(rows)
		for k := range r.slots {
			if slot := &r.slots[k]; slot.link.since != 0 {
				rows = append(rows, forwardRow{slot.from(b.first + FrameNum(i)), slot.link})
			}
		}
		slices.SortFunc(rows[from:], func(x, y forwardRow) int { return x.from.compare(y.from) })
	}
	if len(b.sorted) > 0 { // some came when it was thought that none would
		slices.SortFunc(rows, func(x, y forwardRow) int { return x.from.compare(y.from) })
	}
	b.sorted = rows
	b.ranges = nil
}

const forwardShift = 14 // the frames of a range: as many as are forgotten at once

type forwardKey struct {
	field FieldID
	frame FrameNum
}

// A forwardLink is a frame, or a number, and the frame that told it.
type forwardLink struct{ to, since FrameNum }

func (b *forwardTable) bytes() int64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	bytes := int64(len(b.sorted)) * int64(unsafe.Sizeof(forwardRow{}))
	for _, r := range b.ranges {
		if r != nil {
			bytes += int64(len(r.slots)) * int64(unsafe.Sizeof(forwardSlot{}))
		}
	}
	return bytes
}

// put keeps the first link of a kind, and tells whether this is it.
func (b *forwardTable) put(f FieldID, from FrameNum, l forwardLink) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if from < b.gone {
		return true // nobody can look at it any more
	}
	i := int(from>>forwardShift - b.first)
	for i >= len(b.ranges) {
		b.ranges = append(b.ranges, nil)
	}
	r := b.ranges[i]
	if r == nil {
		r = b.ranges[max(0, i-1)].after()
		b.ranges[i] = r
	}
	if r.taken*4 >= len(r.slots)*3 {
		r.grow()
	}
	key := forwardKey{f, from}.in()
	slot := r.place(key)
	if slot.link.since != 0 {
		return false
	}
	*slot = forwardSlot{key, l}
	r.taken++
	b.n.Add(1)
	return true
}

func (b *forwardTable) get(f FieldID, from FrameNum) forwardLink {
	b.mu.RLock()
	defer b.mu.RUnlock()
	key := forwardKey{f, from}
	if at, ok := slices.BinarySearchFunc(b.sorted, key, func(r forwardRow, k forwardKey) int {
		return r.from.compare(k)
	}); ok {
		return b.sorted[at].link
	}
	if r := b.of(from); r != nil && r.taken > 0 {
		return r.place(key.in()).link
	}
	return forwardLink{}
}
