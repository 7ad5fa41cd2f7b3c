package print

import (
	"bufio"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/dissect/tap"
)

// responses is the table of response times of every protocol that asks and answers.
type responses struct {
	*stats.Responses
	filter string
}

func newResponses(r *request) (counter, []string, error) {
	text := r.rest(0)
	return &responses{stats.NewResponses(r.s), text}, []string{text}, nil
}

func (c *responses) add(_ *dissect.Dissector, n dissect.FrameNum, _ int) {
	c.Frames([]dissect.FrameNum{n}, n)
}

func (c *responses) print(w *bufio.Writer) {
	fmt.Fprintf(w, "%sResponse Times\nFilter:%s\n", tap.WideRule, filterName(c.filter))
	fmt.Fprintf(w, "%-32s %10s %10s %10s %11s %11s %11s %11s  %s\n", "Asked", "Packets", "Answered", "Open", "Min ms",
		"Mean ms", "95 % ms", "Max ms", "Slowest")
	all := c.All()
	for i := range all {
		r := &all[i]
		if i == 0 || all[i-1].Protocol != r.Protocol {
			fmt.Fprintf(w, "%s\n", r.Protocol.Title())
		}
		fmt.Fprintf(w, "  %-30s %10d %10d %10d", ResponseTitle(r), r.Requests, r.Answered, r.Unanswered())
		if r.Answered == 0 {
			fmt.Fprintf(w, " %11s %11s %11s %11s\n", "-", "-", "-", "-")
			continue
		}
		for _, ns := range []int64{r.Min, r.Mean(), r.Within(0.95), r.Max} {
			fmt.Fprintf(w, " %11.3f", float64(ns)/1e6)
		}
		fmt.Fprintf(w, "  packet %d, answered in %d\n", r.SlowestRequest, r.SlowestResponse)
	}
	w.WriteString(tap.WideRule)
}

// ResponseTitle is what a sort of questions is called: the packet type's name, its number, or that it has none.
func ResponseTitle(r *stats.Response) string {
	switch {
	case r.Kind == nil:
		return "(no type)"
	case r.Name == "":
		return r.Kind.NumberText(r.Value)
	}
	return dissect.Escape(r.Name)
}

// ports is the table of the ports of services.
type ports struct {
	*stats.Table
	filter string
}

func newPorts(r *request) (counter, []string, error) {
	text := r.rest(0)
	return &ports{stats.NewTable(r.s, ""), text}, []string{text}, nil
}

func (c *ports) add(l *dissect.Dissector, n dissect.FrameNum, _ int) {
	c.Frames(l, []dissect.FrameNum{n}, n)
}

func (c *ports) print(w *bufio.Writer) {
	fmt.Fprintf(w, "%sPorts\nFilter:%s\n", tap.WideRule, filterName(c.filter))
	fmt.Fprintf(w, "%-10s %7s %14s %10s %12s %12s %12s %12s %12s\n", "Transport", "Port", "Conversations", "Packets",
		"Bytes", "Packets to", "Bytes to", "Packets from", "Bytes from")
	for _, p := range c.Ports() {
		both := p.Both()
		fmt.Fprintf(w, "%-10s %7d %14d %10d %12d %12d %12d %12d %12d\n",
			strings.ToUpper(strings.TrimSuffix(string(p.Transport), ".port")), p.Port, p.Conversations,
			both.Packets, both.Bytes, p.To.Packets, p.To.Bytes, p.From.Packets, p.From.Bytes)
	}
	w.WriteString(tap.WideRule)
}
