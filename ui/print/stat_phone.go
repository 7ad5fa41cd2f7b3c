package print

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"

	"remora/dissect"
)

// asked counts the requests and responses of a protocol that speaks like HTTP: http,stat, rtsp,stat and sip,stat. tshark
// lists them in the order of a hash table; here they are in that of their numbers and names.
type asked struct {
	s            *dissect.Session
	filter       string
	method, code *dissect.Field
	phrase       *dissect.Field // the response's, nil where the code's own name is taken
	wants        *dissect.Wants
	names        map[uint64]string // of the codes
	responses    map[uint64]int
	requests     map[string]int
	known        func(code uint64) string // what codes are called whatever the sender says; nil: nothing
}

func (r *request) asked(method, number, phrase string, more ...string) (*asked, error) {
	f, err := r.fieldsOf(append([]string{method, number, phrase}, more...)...)
	if err != nil {
		return nil, err
	}
	return &asked{s: r.s, filter: r.rest(0), method: f[0], code: f[1], phrase: f[2], wants: r.s.Registry().Wants(f...),
		names: map[uint64]string{}, responses: map[uint64]int{}, requests: map[string]int{}}, nil
}

func (a *asked) look(l *dissect.Looker, n dissect.FrameNum) *dissect.Tree {
	if sh := a.s.ShapeOf(n); !a.s.MayHave(sh, a.method) && !a.s.MayHave(sh, a.code) {
		return nil
	}
	return l.Look(n, a.wants)
}

func (a *asked) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if t := a.look(l, n); t != nil {
		a.count(t)
	}
}

func (a *asked) count(t *dissect.Tree) {
	number, phrase := uint64(0), ""
	for i := range t.Nodes {
		switch t.Field(i) {
		case a.method:
			if name := t.Text(i); len(a.requests) < maxRows || a.requests[name] > 0 {
				a.requests[name]++
			}
		case a.code:
			if number = t.Nodes[i].Val; len(a.responses) < maxRows || a.responses[number] > 0 {
				a.responses[number]++
			}
		case a.phrase:
			phrase = t.Text(i)
		}
	}
	if a.names[number] == "" && a.responses[number] > 0 {
		a.names[number] = phrase
	}
}

// name is what a code is called. A status line has that behind the code: "SIP/2.0 200 OK".
func (a *asked) name(number uint64) string {
	if a.known != nil {
		if name := a.known(number); name != "" {
			return name
		}
	}
	name := a.names[number]
	if _, phrase, ok := strings.Cut(name, fmt.Sprintf(" %d ", number)); ok {
		name = strings.TrimSpace(phrase)
	}
	return dissect.Escape(cmp.Or(name, "Other"))
}

// withFilter is a title with the filter that was counted.
func (a *asked) withFilter(title string) string {
	if a.filter == "" {
		return title
	}
	return title + " with filter " + dissect.Escape(a.filter)
}

// webCounts is http,stat or rtsp,stat.
type webCounts struct {
	*asked
	title string
}

func newWebCounts(title, method, number, phrase string) func(r *request) (counter, []string, error) {
	return func(r *request) (counter, []string, error) {
		a, err := r.asked(method, number, phrase)
		if err != nil {
			return nil, nil, err
		}
		return &webCounts{a, title}, []string{a.filter}, nil
	}
}

func (c *webCounts) print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%s%s\n* %s Response Status Codes                Packets\n", narrowRule, c.withFilter(c.title+" Statistics"), c.title)
	for _, v := range sortedKeys(c.responses) {
		fmt.Fprintf(w, "  %3d %-35s %9d\n", v, c.name(v), c.responses[v])
	}
	fmt.Fprintf(w, "* %s Request Methods                      Packets\n", c.title)
	for _, m := range sortedKeys(c.requests) {
		fmt.Fprintf(w, "  %-39s %9d \n", dissect.Escape(m), c.requests[m])
	}
	w.WriteString(narrowRule)
}

// calls is sip,stat: also how many messages came again, and how long calls took to be set up.
type calls struct {
	*asked
	resend, id, cseq, cseqMethod *dissect.Field
	messages, resent             int
	invited                      map[callKey]int64 // when each call was asked for, in nanoseconds
	setup                        delay             // in milliseconds
}

type callKey struct {
	id   string
	cseq uint64
}

func newCalls(r *request) (counter, []string, error) {
	more := []string{"sip.resend", "sip.Call-ID", "sip.CSeq.seq", "sip.CSeq.method"}
	a, err := r.asked("sip.Method", "sip.Status-Code", "sip.Status-Line", more...)
	if err != nil {
		return nil, nil, err
	}
	if kind := r.s.Registry().Field("sip.type"); kind != nil {
		a.known = kind.ValueName
	}
	f, err := r.fieldsOf(more...)
	return &calls{asked: a, resend: f[0], id: f[1], cseq: f[2], cseqMethod: f[3], invited: map[callKey]int64{}}, []string{a.filter}, err
}

func (c *calls) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	t := c.look(l, n)
	if t == nil {
		return
	}
	c.messages++
	c.count(t)
	var k callKey
	method, cseqMethod := "", ""
	for i := range t.Nodes {
		switch t.Field(i) {
		case c.method:
			method = t.Text(i)
		case c.cseqMethod:
			cseqMethod = t.Text(i)
		case c.id:
			k.id = t.Text(i)
		case c.cseq:
			k.cseq = t.Nodes[i].Val
		case c.resend:
			if t.Nodes[i].Val != 0 {
				c.resent++
			}
		}
	}
	asked, known := c.invited[k]
	switch {
	case method == "INVITE" && !known && len(c.invited) < maxRows:
		c.invited[k] = t.Time()
	case method == "ACK" && cseqMethod == "ACK" && known && asked != 0:
		c.setup.add((t.Time()-asked)/1e6, n)
		c.invited[k] = 0
	}
}

func (c *calls) print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%s%s\n\nNumber of SIP messages: %d\nNumber of resent SIP messages: %d\n", narrowRule, c.withFilter("SIP Statistics"), c.messages, c.resent)
	w.WriteString("\n* SIP Status Codes in reply packets\n")
	for _, v := range sortedKeys(c.responses) {
		fmt.Fprintf(w, "  SIP %3d %-15s : %5d Packets\n", v, c.name(v), c.responses[v])
	}
	w.WriteString("\n* List of SIP Request methods\n")
	for _, m := range sortedKeys(c.requests) {
		fmt.Fprintf(w, "  %-15s : %5d Packets\n", dissect.Escape(m), c.requests[m])
	}
	fmt.Fprintf(w, "\n* Average setup time %d ms\n Min %d ms\n Max %d ms\n%s", c.setup.mean(), c.setup.low, c.setup.high, narrowRule)
}
