package print

import (
	"bufio"
	"fmt"
	"math"
	"slices"
	"strings"

	"remora/dissect"
)

// echoes is icmp,srt or icmpv6,srt: how many questions were answered, and how long it took.
type echoes struct {
	title         string
	filter        string
	kind          *dissect.Field
	took          *dissect.Field
	ask, answer   uint64
	wants         *dissect.Wants
	asked, got    int
	times         []float64 // milliseconds
	low, high     float64
	lowAt, highAt dissect.FrameNum
	s             *dissect.Session
}

func newEchoes(proto, title string, ask, answer uint64) func(r *request) (counter, []string, error) {
	return func(r *request) (counter, []string, error) {
		reg := r.s.Registry()
		e := &echoes{s: r.s, title: title, filter: r.rest(0), ask: ask, answer: answer, kind: reg.Field(proto + ".type"), took: reg.Field(proto + ".resptime")}
		if e.kind == nil || e.took == nil {
			return nil, nil, r.wrong("there is no %s here", title)
		}
		e.wants = reg.Wants(e.kind, e.took)
		return e, []string{e.filter}, nil
	}
}

func (e *echoes) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !e.s.MayHave(e.s.ShapeOf(n), e.kind) {
		return
	}
	t := l.Look(n, e.wants)
	for i := range t.Nodes {
		switch f := t.Field(i); {
		case t.IsQuoted(i):
		case f == e.kind && t.Nodes[i].Val == e.ask:
			e.asked++
		case f == e.took:
			e.time(math.Float64frombits(t.Nodes[i].Val), n)
		}
	}
}

// time takes the time of an answer.
func (e *echoes) time(ms float64, n dissect.FrameNum) {
	if e.got == 0 || ms < e.low {
		e.low, e.lowAt = ms, n
	}
	if e.got == 0 || ms > e.high {
		e.high, e.highAt = ms, n
	}
	e.got++
	e.times = append(e.times, ms)
}

func (e *echoes) print(w *bufio.Writer) {
	filter := e.filter
	if filter == "" {
		filter = "<none>"
	}
	lost, mean, median, deviation := e.asked-e.got, 0.0, 0.0, 0.0
	if e.got > 0 {
		slices.Sort(e.times)
		median = (e.times[(e.got-1)/2] + e.times[e.got/2]) / 2
		for _, v := range e.times {
			mean += v / float64(e.got)
		}
		for _, v := range e.times {
			deviation += (v - mean) * (v - mean)
		}
		deviation = math.Sqrt(deviation / float64(max(1, e.got-1)))
	}
	share := 0.0
	if e.asked > 0 {
		share = 100 * float64(lost) / float64(e.asked)
	}
	rule := "==========================================================================\n"
	fmt.Fprintf(w, "\n%s%s Service Response Time (SRT) Statistics (all times in ms):\nFilter: %s\n\n", rule, e.title, dissect.Escape(filter))
	fmt.Fprintf(w, "Requests  Replies   Lost      %% Loss\n%-10d%-10d%-10d%5.1f%%\n\n", e.asked, e.got, lost, share)
	fmt.Fprintf(w, "Minimum   Maximum   Mean      Median    SDeviation     Min Frame Max Frame\n")
	row := fmt.Sprintf("%-10.3f%-10.3f%-10.3f%-10.3f%-10.3f     %-10d%-10d", e.low, e.high, mean, median, deviation, e.lowAt, e.highAt)
	if e.got == 0 {
		row = strings.TrimRight(row, " ")
	}
	w.WriteString(row + "\n" + rule)
}
