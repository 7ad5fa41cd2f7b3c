package tap

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"

	"remora/dissect"
)

// An ItemTree is a tree of counts that is printed as tshark prints those of -z NAME,tree.
type ItemTree struct {
	Session  *dissect.Session
	Title    string
	Roots    []*Item // a tree each, mostly one
	Width    int     // of the names at least
	Unsorted bool    // print the items as they were made, else by their counts

	first, last int64 // of the packets counted
	any         bool
}

// Met takes notice of a packet's time, in nanoseconds since 1970: the rate is that of all packets met.
func (t *ItemTree) Met(at int64) {
	if !t.any {
		t.first, t.any = at, true
	}
	t.last = max(t.last, at)
}

// Path counts one more of each item.
func (t *ItemTree) Path(at int64, items ...*Item) {
	t.Met(at)
	for _, it := range items {
		it.Add(at, t.Session.Store().Time(0))
	}
}

// Print writes all trees as one table.
func (t *ItemTree) Print(w *bufio.Writer) {
	width := t.Width
	for _, root := range t.Roots {
		if !t.Unsorted {
			root.Sort()
		}
		width = max(width, longest(root, 0))
	}
	head := fmt.Sprintf("%-14s%-14s%-14s%-14s%-14s%-14s%-14s%-13s",
		"Count", "Average", "Min Val", "Max Val", "Rate (ms)", "Percent", "Burst Rate", "Burst Start")
	rule := width + 2 + len(head) // the title of the names may stand out
	fmt.Fprintf(w, "\n%s\n%s:\n%-*s %s\n%s\n", strings.Repeat("=", rule), t.Title, width+1, "Topic / Item", head,
		strings.Repeat("-", rule))
	for _, root := range t.Roots {
		t.item(w, root, nil, 0, width)
	}
	fmt.Fprintf(w, "\n%s\n", strings.Repeat("-", rule))
}

func longest(it *Item, depth int) int {
	n := depth + len(it.Name)
	for _, b := range it.Below {
		n = max(n, longest(b, depth+1))
	}
	return n
}

func (t *ItemTree) item(w *bufio.Writer, it, above *Item, depth, width int) {
	average, low, high := "", "", ""
	if it.Measured {
		average, low, high = "-", "-", "-"
		if it.Count > 0 {
			average, low, high = fmt.Sprintf("%.2f", it.Sum/float64(it.Count)), boundText(it.Min), boundText(it.Max)
		}
	}
	rate := ""
	if t.last > t.first {
		rate = fmt.Sprintf("%.4f", float64(it.Count)*1e6/float64(t.last-t.first))
	}
	share := "100%"
	if above != nil {
		share = ""
		if above.Count > 0 {
			share = fmt.Sprintf("%.2f%%", 100*float64(it.Count)/float64(above.Count))
		}
	}
	burst, start := "-", "-"
	if it.Burst > 0 {
		burst = fmt.Sprintf("%.4f", float64(it.Burst)/BurstWindow)
		start = Seconds(it.BurstStart-t.Session.Store().Time(0), 3)
	}
	fmt.Fprintf(w, "%-*s  %-14d%-14s%-14s%-14s%-14s%-14s%-14s%-13s\n", width,
		strings.Repeat(" ", depth)+dissect.Escape(it.Name),
		it.Count, average, low, high, rate, share, burst, start)
	for _, b := range it.Below {
		t.item(w, b, it, depth+1, width)
	}
}

// boundText is the least or the greatest value: a whole number, or with six decimals, of which a float of 32 bits, in
// which tshark keeps it, does not tell all.
func boundText(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(float64(float32(v)), 'f', 6, 64)
}

// Seconds writes nanoseconds as seconds with some decimals.
func Seconds(ns int64, digits int) string {
	return strconv.FormatFloat(float64(ns)/1e9, 'f', digits, 64)
}

// Rules of tshark's tables.
const (
	WideRule   = "================================================================================\n"
	NarrowRule = "===================================================================\n"
	// ColumnRule is that of tables with columns of their own.
	ColumnRule = "=====================================================================================================\n"
)
