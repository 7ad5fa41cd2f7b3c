package print

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

// itemTree prints a tree of counts as tshark does.
type itemTree struct {
	s           *dissect.Session
	title       string
	roots       []*stats.Item // a tree each, mostly one
	first, last int64         // of the packets counted
	any         bool
	least       int // width of the names at least
}

func (t *itemTree) met(at int64) {
	if !t.any {
		t.first, t.any = at, true
	}
	t.last = max(t.last, at)
}

// path counts one more of an item and of those on the way to it below the roots.
func (t *itemTree) path(at int64, items ...*stats.Item) {
	t.met(at)
	for _, it := range items {
		it.Add(at, t.s.Store().Time(0))
	}
}

func (t *itemTree) print(w *bufio.Writer) {
	width := t.least
	for _, root := range t.roots {
		width = max(width, longest(root, 0))
	}
	head := fmt.Sprintf("%-14s%-14s%-14s%-14s%-14s%-14s%-14s%-13s",
		"Count", "Average", "Min Val", "Max Val", "Rate (ms)", "Percent", "Burst Rate", "Burst Start")
	rule := width + 2 + len(head) // the title of the names may stand out
	fmt.Fprintf(w, "\n%s\n%s:\n%-*s %s\n%s\n", strings.Repeat("=", rule), t.title, width+1, "Topic / Item", head, strings.Repeat("-", rule))
	for _, root := range t.roots {
		t.item(w, root, nil, 0, width)
	}
	fmt.Fprintf(w, "\n%s\n", strings.Repeat("-", rule))
}

func longest(it *stats.Item, depth int) int {
	n := depth + len(it.Name)
	for _, b := range it.Below {
		n = max(n, longest(b, depth+1))
	}
	return n
}

func (t *itemTree) item(w *bufio.Writer, it, above *stats.Item, depth, width int) {
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
		burst = fmt.Sprintf("%.4f", float64(it.Burst)/stats.BurstWindow)
		start = seconds(it.BurstStart-t.s.Store().Time(0), 3)
	}
	fmt.Fprintf(w, "%-*s  %-14d%-14s%-14s%-14s%-14s%-14s%-14s%-13s\n", width, strings.Repeat(" ", depth)+dissect.Escape(it.Name),
		it.Count, average, low, high, rate, share, burst, start)
	for _, b := range it.Below {
		t.item(w, b, it, depth+1, width)
	}
}

// boundText is the least or the greatest value: a whole number, or with six decimals.
func boundText(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 6, 64)
}

// packetLengths is plen,tree.
type packetLengths struct{ itemTree }

func newLengths(r *request) (counter, []string, error) {
	return &packetLengths{itemTree{s: r.s, title: "Packet Lengths", roots: []*stats.Item{stats.NewLengths()}}}, []string{r.rest(0)}, nil
}

func (p *packetLengths) add(_ *dissect.Looker, n dissect.FrameNum, _ int) {
	p.met(p.s.Store().Time(int(n) - 1))
	p.roots[0].AddLength(p.s, n)
}
