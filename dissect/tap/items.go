package tap

import (
	"cmp"

	"remora/dissect"
	"remora/internal/sorting"
)

// An Item is one line of a tree of counts: how many there were, of those with a number its mean and bounds, and the
// most that came within a tenth of a second.
type Item struct {
	Name       string
	Count      uint64
	Measured   bool // has a number
	Sum        float64
	Min, Max   float64
	Burst      uint64 // the most within burstWindow
	BurstStart int64  // when those began, in nanoseconds since 1970
	Below      []*Item

	named  map[string]*Item // those below, once there are many
	recent []burstPart
	within uint64
}

// A burst is counted in parts of five milliseconds, within twenty of them, as Wireshark does.
const (
	burstPartLen = int64(5e6)
	burstParts   = 20
)

// BurstWindow is the time within which Burst counts, in milliseconds.
const BurstWindow = float64(burstParts * burstPartLen / 1e6)

type burstPart struct {
	number, start int64
	n             uint64
}

// MaxItems bounds the items below one: a hostile capture may name millions. What would be one more is counted as
// Others.
const MaxItems = 1 << 16

// Others is the name of what has no room of its own.
const Others = "(others)"

// Child is the item of a name below, which is made when there is none.
func (it *Item) Child(name string) *Item {
	if it.named == nil {
		for _, b := range it.Below {
			if b.Name == name {
				return b
			}
		}
	} else if b := it.named[name]; b != nil {
		return b
	}
	if len(it.Below) >= MaxItems && name != Others {
		return it.Child(Others)
	}
	b := &Item{Name: name}
	it.Below = append(it.Below, b)
	if it.named != nil {
		it.named[name] = b
	} else if len(it.Below) > 16 {
		it.named = make(map[string]*Item, 64)
		for _, b := range it.Below {
			it.named[b.Name] = b
		}
	}
	return b
}

// Add counts one more. The time is that of the packet; since is when the capture began, in nanoseconds since 1970.
func (it *Item) Add(at, since int64) {
	it.Count++
	number := (at - since) / burstPartLen
	if it.recent == nil {
		it.recent = []burstPart{{0, since, 0}} // the first part begins with the capture, as Wireshark has it
	}
	if k := len(it.recent); it.recent[k-1].number >= number {
		it.recent[k-1].n++
	} else {
		it.recent = append(it.recent, burstPart{number, at, 1})
	}
	it.within++
	for number-it.recent[0].number >= burstParts {
		it.within -= it.recent[0].n
		it.recent = it.recent[1:]
	}
	if it.within > it.Burst {
		it.Burst, it.BurstStart = it.within, it.recent[0].start
	}
}

// AddValue is Add with a number.
func (it *Item) AddValue(at, since int64, v float64) {
	it.Measured = true
	if it.Count == 0 {
		it.Min, it.Max = v, v
	}
	it.Sum += v
	it.Min, it.Max = min(it.Min, v), max(it.Max, v)
	it.Add(at, since)
}

// Sort puts the items below in the order of their counts, those of the same count by name, backwards.
func (it *Item) Sort() {
	sorting.Stable(it.Below, func(a, b *Item) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(b.Name, a.Name))
	})
	for _, b := range it.Below {
		b.Sort()
	}
}

// lengthClasses are the classes of packet lengths: the first length of each.
var lengthClasses = []struct {
	from uint32
	name string
}{{0, "0-19"}, {20, "20-39"}, {40, "40-79"}, {80, "80-159"}, {160, "160-319"}, {320, "320-639"}, {640, "640-1279"},
	{1280, "1280-2559"}, {2560, "2560-5119"}, {5120, "5120 and greater"}}

// NewLengths is an item with a class for each range of packet lengths below.
func NewLengths() *Item {
	it := &Item{Name: "Packet Lengths"}
	for _, c := range lengthClasses {
		it.Child(c.name).Measured = true
	}
	return it
}

// AddLength counts a packet into its class.
func (it *Item) AddLength(s *dissect.Session, n dissect.FrameNum) {
	m, since := s.Store().Meta(int(n)-1), s.Store().Time(0)
	it.AddValue(m.Time, since, float64(m.Len))
	i := len(lengthClasses) - 1
	for lengthClasses[i].from > m.Len {
		i--
	}
	it.Below[i].AddValue(m.Time, since, float64(m.Len))
}
