package tap

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"remora/dissect"
)

// A Delay is how long answers took, in nanoseconds.
type Delay struct {
	N              uint64
	Low, High, Sum int64
	LowAt, HighAt  dissect.FrameNum // the answers that took so long
}

// Add takes the time of one more answer and the packet that has it.
func (d *Delay) Add(ns int64, at dissect.FrameNum) {
	if d.N == 0 || ns < d.Low {
		d.Low, d.LowAt = ns, at
	}
	if d.N == 0 || ns > d.High {
		d.High, d.HighAt = ns, at
	}
	d.N++
	d.Sum += ns
}

// Mean is the mean time, 0 of none.
func (d *Delay) Mean() int64 {
	if d.N == 0 {
		return 0
	}
	return d.Sum / int64(d.N)
}

// Text is the least, the greatest and the mean time as tshark's tables of response times have them: seconds with six
// decimals, in ten characters each.
func (d *Delay) Text() string { return micros(d.Low) + " " + micros(d.High) + " " + micros(d.Mean()) }

func micros(ns int64) string {
	us := (ns + 500) / 1000
	return fmt.Sprintf("%3d.%06d", us/1e6, us%1e6)
}

// MaxRows bounds the rows of a table: a hostile capture may ask for all numbers there are.
const MaxRows = 1 << 16

// DelayOf is the delay of a key, which is made when there is none; what would be one too many is counted nowhere.
func DelayOf[K comparable](rows *map[K]*Delay, k K) *Delay {
	if *rows == nil {
		*rows = map[K]*Delay{}
	}
	d := (*rows)[k]
	if d == nil {
		d = &Delay{}
		if len(*rows) < MaxRows {
			(*rows)[k] = d
		}
	}
	return d
}

// SortedKeys are a map's keys in rising order.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// A DelayTable is a table of response times by the number of what was asked.
type DelayTable struct {
	Filter, Column string // the field's name and the heading of what was asked
	Name           func(v uint64) string

	rows map[uint64]*Delay
}

func (t *DelayTable) print(w *bufio.Writer) {
	fmt.Fprintf(w, "Filter: %s\nIndex  %-22s Calls    Min SRT    Max SRT    Avg SRT    Sum SRT\n", t.Filter, t.Column)
	for _, v := range SortedKeys(t.rows) {
		d := t.rows[v]
		fmt.Fprintf(w, "%5d  %-22s %6d %s %s\n", v, dissect.Escape(t.Name(v)), d.N, d.Text(), micros(d.Sum))
	}
}

// A ResponseTimes is one of the statistics named srt: how long what a protocol asks takes to be answered.
type ResponseTimes struct {
	Title   string
	Session *dissect.Session
	Time    *dissect.Field // which packets with an answer have
	Wants   *dissect.Wants // what Read reads
	Tables  []*DelayTable
	// Read tells what each of a packet's answers answers: the table, the number of what was asked and how long it took.
	Read func(t *dissect.Tree, answer func(table int, v uint64, ns int64))
}

// Add counts the answers of a packet.
func (c *ResponseTimes) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !c.Session.MayHave(c.Session.LayerStackOf(n), c.Time) {
		return
	}
	c.Read(l.Redissect(n, c.Wants), func(table int, v uint64, ns int64) { DelayOf(&c.Tables[table].rows, v).Add(ns, n) })
}

// Print writes the tables.
func (c *ResponseTimes) Print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%s%s SRT Statistics:\n", NarrowRule, c.Title)
	for i, t := range c.Tables {
		if i > 0 {
			w.WriteString("\n")
		}
		t.print(w)
	}
	w.WriteString(NarrowRule[1:])
}

// ValueOr is the name of a field's value, or Unknown with its number.
func ValueOr(f *dissect.Field) func(v uint64) string {
	return func(v uint64) string {
		if name := f.ValueName(v); name != "" {
			return name
		}
		return "Unknown (" + strconv.FormatUint(v, 10) + ")"
	}
}
