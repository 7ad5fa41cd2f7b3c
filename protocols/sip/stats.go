package sip

import (
	"bufio"
	"fmt"
	"maps"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that SIP declares.
var statistics = []dissect.Statistic{
	{Name: "sip,stat", Args: "[,FILTER]", Help: "SIP requests, responses, how long calls took to be set up",
		New: newCallTable},
}

// callTable is sip,stat: requests and responses, how many messages came again, and how long calls took to be set up.
type callTable struct {
	*tap.Requests
	messages, resent int
	invited          map[callKey]int64 // when each call was asked for, in nanoseconds
	setup            tap.Delay         // in milliseconds
}

type callKey struct {
	id   string
	cseq uint64
}

func newCallTable(r *dissect.StatisticRequest) (dissect.Counter, error) {
	a := tap.Requests{Title: "SIP", Method: fMethod, Code: fCode, Names: statusNames(),
		More: []*dissect.Field{fResend, fCallID, fSeq, fSeqMethod}}
	return &callTable{Requests: a.Begin(r), invited: map[callKey]int64{}}, nil
}

// statusNames are the codes that have a row of their own: all but those of which tshark does not know.
func statusNames() map[uint64]string {
	names := maps.Clone(statuses)
	for _, code := range []uint64{417, 424, 469, 555, 580} {
		delete(names, code)
	}
	names[999] = "Unknown response"
	return names
}

// Add counts a message.
func (c *callTable) Add(l *dissect.Dissector, n dissect.FrameNum) {
	t := c.Redissect(l, n)
	if t == nil {
		return
	}
	c.messages++
	c.Count(t)
	var k callKey
	method, cseqMethod := "", ""
	for i := range t.Nodes {
		switch t.Field(i) {
		case fMethod:
			method = t.Text(i)
		case fSeqMethod:
			cseqMethod = t.Text(i)
		case fCallID:
			k.id = t.Text(i)
		case fSeq:
			k.cseq = t.Nodes[i].Val
		case fResend:
			if t.Nodes[i].Val != 0 {
				c.resent++
			}
		}
	}
	asked, known := c.invited[k]
	switch {
	case method == "INVITE" && !known && len(c.invited) < tap.MaxRows:
		c.invited[k] = t.Time()
	case method == "ACK" && cseqMethod == "ACK" && known && asked != 0:
		c.setup.Add((t.Time()-asked)/1e6, n)
		c.invited[k] = 0
	}
}

// Print writes the table.
func (c *callTable) Print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%s%s\n\nNumber of SIP messages: %d\nNumber of resent SIP messages: %d\n", tap.NarrowRule,
		c.Heading(), c.messages, c.resent)
	w.WriteString("\n* SIP Status Codes in reply packets\n")
	c.Codes(func(code uint64, name string, n int) {
		fmt.Fprintf(w, "  SIP %3d %-15s : %5d Packets\n", code, name, n)
	})
	w.WriteString("\n* List of SIP Request methods\n")
	c.Methods(func(method string, n int) { fmt.Fprintf(w, "  %-15s : %5d Packets\n", method, n) })
	fmt.Fprintf(w, "\n* Average setup time %d ms\n Min %d ms\n Max %d ms\n%s", c.setup.Mean(), c.setup.Low, c.setup.High,
		tap.NarrowRule)
}
