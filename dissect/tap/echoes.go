package tap

import (
	"bufio"
	"fmt"
	"math"
	"slices"
	"strings"

	"remora/dissect"
)

// Echoes is icmp,srt or icmpv6,srt: how many pings were answered, and how long it took.
type Echoes struct {
	Title           string
	Kind, Time      *dissect.Field // the message's type; how long the answer took, in milliseconds
	Request         uint64         // the type of what is answered
	session         *dissect.Session
	filter          string
	wants           *dissect.Wants
	asked, answered int
	times           []float64 // milliseconds
	low, high       float64
	lowAt, highAt   dissect.FrameNum
}

// New begins to count.
func (e Echoes) New(r *dissect.StatisticRequest) (dissect.Counter, error) {
	e.session, e.filter, e.wants = r.Session, r.Filter(), r.Session.Registry().Wants(e.Kind, e.Time)
	return &e, nil
}

// Add counts a ping or its answer.
func (e *Echoes) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !e.session.MayHave(e.session.LayerStackOf(n), e.Kind) {
		return
	}
	t := l.Redissect(n, e.wants)
	for i := range t.Nodes {
		switch f := t.Field(i); {
		case t.IsQuoted(i):
		case f == e.Kind && t.Nodes[i].Val == e.Request:
			e.asked++
		case f == e.Time:
			e.answer(math.Float64frombits(t.Nodes[i].Val), n)
		}
	}
}

func (e *Echoes) answer(ms float64, n dissect.FrameNum) {
	if e.answered == 0 || ms < e.low {
		e.low, e.lowAt = ms, n
	}
	if e.answered == 0 || ms > e.high {
		e.high, e.highAt = ms, n
	}
	e.answered++
	e.times = append(e.times, ms)
}

// Print writes the table.
func (e *Echoes) Print(w *bufio.Writer) {
	filter := e.filter
	if filter == "" {
		filter = "<none>"
	}
	lost, mean, median, deviation := e.asked-e.answered, 0.0, 0.0, 0.0
	if e.answered > 0 {
		slices.Sort(e.times)
		median = (e.times[(e.answered-1)/2] + e.times[e.answered/2]) / 2
		for _, v := range e.times {
			mean += v / float64(e.answered)
		}
		for _, v := range e.times {
			deviation += (v - mean) * (v - mean)
		}
		deviation = math.Sqrt(deviation / float64(max(1, e.answered-1)))
	}
	share := 0.0
	if e.asked > 0 {
		share = 100 * float64(lost) / float64(e.asked)
	}
	rule := "==========================================================================\n"
	fmt.Fprintf(w, "\n%s%s Service Response Time (SRT) Statistics (all times in ms):\nFilter: %s\n\n", rule, e.Title,
		dissect.Escape(filter))
	fmt.Fprintf(w, "Requests  Replies   Lost      %% Loss\n%-10d%-10d%-10d%5.1f%%\n\n", e.asked, e.answered, lost, share)
	fmt.Fprintf(w, "Minimum   Maximum   Mean      Median    SDeviation     Min Frame Max Frame\n")
	row := fmt.Sprintf("%-10.3f%-10.3f%-10.3f%-10.3f%-10.3f     %-10d%-10d", e.low, e.high, mean, median, deviation,
		e.lowAt, e.highAt)
	if e.answered == 0 {
		row = strings.TrimRight(row, " ")
	}
	w.WriteString(row + "\n" + rule)
}
