package stats

import (
	"math"
	"time"

	"remora/dissect"
)

// MaxIntervals bounds what is counted over time: the times of a damaged capture may be centuries apart.
const MaxIntervals = 1 << 20

// A Measure is what is made of the packets of an interval.
type Measure int

// The measures. Those from CountOf on are of a field's values.
const (
	PacketsAndBytes Measure = iota
	PacketsOnly
	BytesOnly
	CountOf
	SumOf
	MinOf
	MaxOf
	AverageOf
	LoadOf // of a time that something took, and that ends with the packet: how much of it went on at once, on average
)

// Intervals measures packets in each interval since the capture's first packet. Packets stamped before the first one
// count for the first interval. One goroutine adds and asks.
type Intervals struct {
	s       *dissect.Session
	every   int64 // nanoseconds; 0: the whole capture
	measure Measure
	field   *dissect.Field
	wants   *dissect.Wants
	cells   []Interval
	beyond  uint64
	highest float64
}

// An Interval is what was measured of it. Numbers of times are in nanoseconds.
type Interval struct {
	Count
	Values   uint64
	Sum      float64
	Min, Max float64 // when there are values
}

// NewIntervals measures something of each interval; the field is nil for measures without one.
func NewIntervals(s *dissect.Session, every time.Duration, what Measure, f *dissect.Field) *Intervals {
	v := &Intervals{s: s, every: int64(every), measure: what, field: f}
	if f != nil {
		v.wants = s.Registry().Wants(f)
	}
	return v
}

// Measure is what is measured.
func (v *Intervals) Measure() Measure { return v.measure }

// Field is the field whose values are measured, or nil.
func (v *Intervals) Field() *dissect.Field { return v.field }

// Beyond is how many packets lie behind the last interval that is counted.
func (v *Intervals) Beyond() uint64 { return v.beyond }

// Highest is the greatest number that any interval had while packets were added to it: a column of tshark's is as wide
// as that. Times are in nanoseconds.
func (v *Intervals) Highest() float64 { return v.highest }

// At is an interval, counted from 0.
func (v *Intervals) At(i int) Interval {
	if i < len(v.cells) {
		return v.cells[i]
	}
	return Interval{}
}

// Len is how many intervals have something so far, or lie before one that has.
func (v *Intervals) Len() int { return len(v.cells) }

// since is the time from the first packet, in nanoseconds but rounded to microseconds, as tshark counts it.
func (v *Intervals) since(t int64) int64 {
	return (max(0, t-v.s.Store().Time(0)) + 500) / 1000 * 1000
}

func (v *Intervals) slot(t int64) int {
	if v.every == 0 {
		return 0
	}
	return int(min(v.since(t)/v.every, MaxIntervals))
}

func (v *Intervals) cell(i int) *Interval {
	for len(v.cells) <= i {
		v.cells = append(v.cells, Interval{})
	}
	return &v.cells[i]
}

// Frame measures a packet.
func (v *Intervals) Frame(l *dissect.Dissector, n dissect.FrameNum) {
	m := v.s.Store().Meta(int(n) - 1)
	at := v.slot(m.Time)
	if at >= MaxIntervals {
		v.beyond++
		return
	}
	v.cell(at).Count.add(Count{1, uint64(m.Len)})
	if v.wants == nil || !v.s.MayHave(v.s.LayerStackOf(n), v.field) {
		return
	}
	t := l.Redissect(n, v.wants)
	for i := range t.Nodes {
		if v.stands(t.Field(i)) {
			v.value(at, Number(t.Field(i), t.Nodes[i].Val))
		}
	}
	v.highest = max(v.highest, v.sofar(v.cell(at)))
}

// sofar is the number of an interval before it is over. That of loads is the time that they add up to.
func (v *Intervals) sofar(c *Interval) float64 {
	switch v.measure {
	case MinOf:
		return c.Min
	case MaxOf:
		return c.Max
	case AverageOf:
		return c.Sum / float64(max(1, c.Values))
	}
	return c.Sum
}

// stands tells whether a node's field is the one that is measured, or one that it stands for.
func (v *Intervals) stands(f *dissect.Field) bool {
	if f == v.field {
		return true
	}
	for _, m := range v.field.Members() {
		if f == m {
			return true
		}
	}
	return false
}

func (v *Intervals) value(at int, x float64) {
	if v.measure == LoadOf {
		v.load(at, x)
		return
	}
	if math.IsNaN(x) {
		return
	}
	c := v.cell(at)
	if c.Values == 0 {
		c.Min, c.Max = x, x
	}
	c.Values++
	c.Sum += x
	c.Min, c.Max = min(c.Min, x), max(c.Max, x)
}

// load shares a time out as tshark does: whole intervals to those before, the rest to the one in which it ended. What
// lay before the first packet is left out.
func (v *Intervals) load(at int, took float64) {
	if took = math.Trunc(took/1000) * 1000; took <= 0 { // microseconds, as tshark counts them
		return
	}
	if v.every == 0 {
		v.cell(at).Sum += took
		return
	}
	whole := math.Floor(took / float64(v.every))
	v.cell(at).Sum += took - whole*float64(v.every)
	for at--; at >= 0 && whole > 0; at-- {
		v.cell(at).Sum += float64(v.every)
		whole--
	}
}

// Value is the number of an interval. There is none of MinOf, MaxOf and AverageOf without values: those give 0, as 0
// values add up to 0. Averages of whole numbers are cut off, and loads
// behind the sixth decimal, as tshark does.
func (v *Intervals) Value(i int, length time.Duration) float64 {
	c := v.At(i)
	switch v.measure {
	case PacketsOnly:
		return float64(c.Packets)
	case BytesOnly:
		return float64(c.Bytes)
	case CountOf:
		return float64(c.Values)
	case SumOf:
		return c.Sum
	case MinOf:
		return c.Min
	case MaxOf:
		return c.Max
	case AverageOf:
		if c.Values == 0 {
			return 0
		}
		if v.field.Type() == dissect.TypeFloat {
			return c.Sum / float64(c.Values)
		}
		return math.Trunc(c.Sum / float64(c.Values))
	case LoadOf:
		us, per := uint64(c.Sum/1000), uint64(max(1, length/time.Microsecond))
		return float64(us/per) + float64(us%per*1e6/per)/1e6
	}
	return 0
}
