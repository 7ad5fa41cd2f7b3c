// Package listed says which packets of a capture the list shows, and in which rows: those that a filter leaves, up to
// where the picture was frozen, in the order of the capture or sorted.
package listed

import (
	"slices"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/filtered"
	"remora/ui/ticks"
)

// Packets are a capture's packets as they are listed.
type Packets struct {
	Store     *capture.Store
	Session   *dissect.Session
	Dissector *dissect.Dissector // of the screen's own goroutine
	Filtered  *filtered.Packets  // what a display filter leaves; nil: all packets
	Frozen    int                // packets when the picture was frozen, 0 when not
	Order     *Order             // of the sorted list; nil: as captured
	Ignored   filtered.Ignored
	Speller   *ticks.Speller // writes and reads the filters of protocols and packet types
	All       *stats.Tally   // counts every packet but those ignored

	finer struct { // whether times are finer than a microsecond, as Nanos found
		store  *capture.Store
		yes    bool
		looked int
	}
}

// An Order is a sorted list: the first rows of the list in capture order, in another one. Rows that came later follow
// as they came. It never changes once it is made.
type Order struct {
	Of     *filtered.Packets  // the packets that were sorted
	Frames []dissect.FrameNum // by row
	rowOf  []uint32           // by packet: its row, counted from 1; 0 where it is not among them
}

// NewOrder is the order in which packets stand in rows.
func NewOrder(of *filtered.Packets, frames []dissect.FrameNum) *Order {
	last := dissect.FrameNum(0)
	for _, n := range frames {
		last = max(last, n)
	}
	o := &Order{Of: of, Frames: frames, rowOf: make([]uint32, last+1)}
	for i, n := range frames {
		o.rowOf[n] = uint32(i + 1)
	}
	return o
}

// Rows is how many packets are listed.
func (p *Packets) Rows() int {
	switch {
	case p.Frozen > 0 && p.Filtered == nil:
		return min(p.Frozen, p.Session.Passed())
	case p.Filtered == nil:
		return p.Session.Passed()
	}
	if p.Frozen > 0 {
		return p.CapturedRow(dissect.FrameNum(p.Frozen + 1))
	}
	return p.Filtered.Matches.Len()
}

// Frame is the packet in a row.
func (p *Packets) Frame(row int) dissect.FrameNum {
	if o := p.Order; o != nil && row < len(o.Frames) {
		return o.Frames[row]
	}
	return p.Captured(row)
}

// Row is where a packet is or would be.
func (p *Packets) Row(n dissect.FrameNum) int {
	row := p.CapturedRow(n)
	if o := p.Order; o != nil && row < len(o.Frames) {
		return int(o.rowOf[p.Captured(row)]) - 1 // of a hidden packet: of the next one captured that is shown
	}
	return row
}

// Captured is the packet in a row in the order of the capture.
func (p *Packets) Captured(row int) dissect.FrameNum {
	if p.Filtered == nil {
		return dissect.FrameNum(row + 1)
	}
	return p.Filtered.Matches.At(row)
}

// CapturedRow is the row of a packet in the order of the capture.
func (p *Packets) CapturedRow(n dissect.FrameNum) int { return p.Filtered.Row(n) }

// CapturedFrames is Captured for use beside the screen.
func (p *Packets) CapturedFrames() func(row int) dissect.FrameNum {
	if sh := p.Filtered; sh != nil {
		return sh.Matches.At
	}
	return func(row int) dissect.FrameNum { return dissect.FrameNum(row + 1) }
}

// Frames is Frame for use beside the screen.
func (p *Packets) Frames() func(row int) dissect.FrameNum {
	o, captured := p.Order, p.CapturedFrames()
	if o == nil {
		return captured
	}
	return func(row int) dissect.FrameNum {
		if row < len(o.Frames) {
			return o.Frames[row]
		}
		return captured(row)
	}
}

// Before is the packet shown that was captured before another one that is shown, or 0.
func (p *Packets) Before(n dissect.FrameNum) dissect.FrameNum {
	if row := p.CapturedRow(n); row > 0 {
		return p.Captured(row - 1)
	}
	return 0
}

// First is the first row whose packet is still there. A list that was sorted keeps its rows.
func (p *Packets) First() int {
	first := p.Store.First()
	if first == 0 || p.Order != nil {
		return 0
	}
	return min(p.CapturedRow(dissect.FrameNum(first+1)), max(0, p.Rows()-1))
}

// Unsorted is how many rows came since the list was sorted.
func (p *Packets) Unsorted() int {
	if p.Order == nil {
		return 0
	}
	return max(0, p.Rows()-len(p.Order.Frames))
}

// Hidden tells whether a packet is known not to be listed because of the filter.
func (p *Packets) Hidden(n dissect.FrameNum) bool {
	if p.Filtered == nil || n == 0 || p.Rows() == 0 || uint32(n) > p.Filtered.Decided.Load() {
		return false
	}
	row := p.CapturedRow(n)
	return row >= p.Filtered.Matches.Len() || p.Captured(row) != n
}

// Settled tells whether nothing goes on in the background.
func (p *Packets) Settled() bool {
	st := p.Store.Status()
	if !st.Done || p.Session.Passed() < p.Store.Len() {
		return false
	}
	if int(p.All.UpTo()) < p.Session.Passed() {
		return false
	}
	f := p.Filtered
	return f == nil || f.Failed.Load() != nil || int(f.Decided.Load()) >= p.Session.Passed()
}

// FilterRuns tells whether the filter has yet to decide on packets of a capture that is complete, or has given up.
func (p *Packets) FilterRuns() bool {
	f := p.Filtered
	return f != nil && (f.Failed.Load() != nil || p.Store.Status().Done && int(f.Decided.Load()) < p.Session.Passed())
}

// FilterText is the filter that is on, or "".
func (p *Packets) FilterText() string {
	if p.Filtered == nil {
		return ""
	}
	return p.Filtered.Filter.String()
}

// Span is the time that the capture covers so far, in nanoseconds since 1970.
func (p *Packets) Span() (from, to int64) {
	_, from, to = p.All.All()
	return from, max(to, from+1)
}

// Epoch is what times of the whole capture are relative to, in nanoseconds since 1970: the first packet that was made
// a reference, or else the first one.
func (p *Packets) Epoch() int64 {
	if list := p.Store.References(); len(list) > 0 {
		return p.Store.Meta(list[0]).Time
	}
	return p.EpochAt(0)
}

// EpochAt is what the time of a packet is relative to: the last reference up to it, or else the first packet.
func (p *Packets) EpochAt(n dissect.FrameNum) int64 {
	if p.Store.Len() == 0 {
		return 0
	}
	if i := p.Store.Reference(int(n) - 1); i > 0 {
		return p.Store.Meta(i).Time
	}
	return p.Store.Time(0)
}

// References are the packets that times behind them are relative to, in order.
func (p *Packets) References() []dissect.FrameNum {
	var out []dissect.FrameNum
	for _, i := range p.Store.References() {
		out = append(out, dissect.FrameNum(i+1))
	}
	return out
}

// IsReference tells whether a packet is a time reference.
func (p *Packets) IsReference(n dissect.FrameNum) bool {
	_, found := slices.BinarySearch(p.Store.References(), int(n)-1)
	return found
}

// TurnReference makes a packet a time reference, or no more.
func (p *Packets) TurnReference(n dissect.FrameNum) (on bool) {
	list, i := slices.Clone(p.Store.References()), int(n)-1
	at, found := slices.BinarySearch(list, i)
	if found {
		list = slices.Delete(list, at, at+1)
	} else {
		list = slices.Insert(list, at, i)
	}
	p.Store.SetReferences(list)
	return !found
}

// Nanos tells whether the packets carry times finer than a microsecond: the file can hold them, and one of the first
// does.
func (p *Packets) Nanos() bool {
	const looked = 64
	if k := p.finer; k.store == p.Store && (k.yes || k.looked == min(looked, p.Store.Len())) {
		return k.yes
	}
	p.finer.store, p.finer.yes, p.finer.looked = p.Store, false, min(looked, p.Store.Len())
	for i := range p.finer.looked {
		if p.Store.Time(i)%1000 != 0 && p.Store.Interface(i).TimeDigits() > 6 {
			p.finer.yes = true
			break
		}
	}
	return p.finer.yes
}
