package tap

import (
	"bufio"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
)

// Requests counts the requests and responses of a protocol with methods and status codes, as HTTP has them. tshark
// lists them in the order of a hash table; here they are in that of their numbers and names.
type Requests struct {
	Title        string
	Method, Code *dissect.Field
	Phrase       *dissect.Field           // the response's, or its whole status line
	More         []*dissect.Field         // others that who embeds this reads from the trees of Look
	Known        func(code uint64) string // what codes are called whatever the sender says; nil: nothing

	session  *dissect.Session
	filter   string
	wants    *dissect.Wants
	names    map[uint64]string // of the codes
	codes    map[uint64]int
	requests map[string]int
}

// New begins to count.
func (a Requests) New(r *dissect.StatisticRequest) (dissect.Counter, error) { return a.Begin(r), nil }

// Begin is New for who embeds Requests.
func (a Requests) Begin(r *dissect.StatisticRequest) *Requests {
	a.session, a.filter = r.Session, r.Filter()
	a.wants = r.Session.Registry().Wants(append([]*dissect.Field{a.Method, a.Code, a.Phrase}, a.More...)...)
	a.names, a.codes, a.requests = map[uint64]string{}, map[uint64]int{}, map[string]int{}
	return &a
}

// Redissect is the tree of a packet that may have a request or a response, or nil.
func (a *Requests) Redissect(l *dissect.Dissector, n dissect.FrameNum) *dissect.Tree {
	if sh := a.session.LayerStackOf(n); !a.session.MayHave(sh, a.Method) && !a.session.MayHave(sh, a.Code) {
		return nil
	}
	return l.Redissect(n, a.wants)
}

// Add counts what a packet has of requests and responses.
func (a *Requests) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if t := a.Redissect(l, n); t != nil {
		a.Count(t)
	}
}

// Count counts what a tree has of them.
func (a *Requests) Count(t *dissect.Tree) {
	number, phrase := uint64(0), ""
	for i := range t.Nodes {
		switch t.Field(i) {
		case a.Method:
			if name := t.Text(i); len(a.requests) < MaxRows || a.requests[name] > 0 {
				a.requests[name]++
			}
		case a.Code:
			if number = t.Nodes[i].Val; len(a.codes) < MaxRows || a.codes[number] > 0 {
				a.codes[number]++
			}
		case a.Phrase:
			phrase = t.Text(i)
		}
	}
	if a.names[number] == "" && a.codes[number] > 0 {
		a.names[number] = phrase
	}
}

// name is what a code is called. A status line has that behind the code: "SIP/2.0 200 OK".
func (a *Requests) name(number uint64) string {
	if a.Known != nil {
		if name := a.Known(number); name != "" {
			return name
		}
	}
	name := a.names[number]
	if _, phrase, ok := strings.Cut(name, fmt.Sprintf(" %d ", number)); ok {
		name = strings.TrimSpace(phrase)
	}
	return dissect.Escape(cmp.Or(name, "Other"))
}

// Heading is the title with the filter that was counted.
func (a *Requests) Heading() string {
	if a.filter == "" {
		return a.Title + " Statistics"
	}
	return a.Title + " Statistics with filter " + dissect.Escape(a.filter)
}

// Codes hands on the status codes with their names and how many there were.
func (a *Requests) Codes(each func(code uint64, name string, n int)) {
	for _, v := range SortedKeys(a.codes) {
		each(v, a.name(v), a.codes[v])
	}
}

// Methods hands on the methods and how many requests had each.
func (a *Requests) Methods(each func(method string, n int)) {
	for _, m := range SortedKeys(a.requests) {
		each(dissect.Escape(m), a.requests[m])
	}
}

// Print writes the table of http,stat.
func (a *Requests) Print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%s%s\n* %s Response Status Codes                Packets\n", NarrowRule, a.Heading(), a.Title)
	a.Codes(func(code uint64, name string, n int) { fmt.Fprintf(w, "  %3d %-35s %9d\n", code, name, n) })
	fmt.Fprintf(w, "* %s Request Methods                      Packets\n", a.Title)
	end := " " // tshark writes a blank behind the methods of HTTP alone
	if a.Title == "RTSP" {
		end = ""
	}
	a.Methods(func(method string, n int) { fmt.Fprintf(w, "  %-39s %9d%s\n", method, n, end) })
	w.WriteString(NarrowRule)
}

// A StatusTree is http,tree or rtsp,tree: methods and status codes over time.
type StatusTree struct {
	Title        string
	Method, Code *dissect.Field
	Desc         *dissect.Field           // what the code means, behind it; nil: Phrase says it
	Phrase       func(code uint64) string // what codes are called; nil: Desc says it

	tree                *ItemTree
	wants               *dissect.Wants
	requests, responses *Item
}

// statusClasses are the classes of status codes, by their first digit.
var statusClasses = []string{"???: broken", "1xx: Informational", "2xx: Success", "3xx: Redirection",
	"4xx: Client Error", "5xx: Server Error"}

// New begins to count.
func (h StatusTree) New(r *dissect.StatisticRequest) (dissect.Counter, error) {
	root := &Item{Name: "Total " + h.Title + " Packets"}
	h.tree = &ItemTree{Session: r.Session, Title: h.Title + "/Packet Counter", Roots: []*Item{root}}
	h.requests, h.responses = root.Child(h.Title+" Request Packets"), root.Child(h.Title+" Response Packets")
	root.Child("Other " + h.Title + " Packets")
	for _, name := range statusClasses {
		h.responses.Child(name)
	}
	fields := []*dissect.Field{h.Method, h.Code}
	if h.Desc != nil {
		fields = append(fields, h.Desc)
	}
	h.wants = r.Session.Registry().Wants(fields...)
	return &h, nil
}

// Add counts what a packet has of requests and responses.
func (h *StatusTree) Add(l *dissect.Dissector, n dissect.FrameNum) {
	s := h.tree.Session
	if sh := s.LayerStackOf(n); !s.MayHave(sh, h.Method) && !s.MayHave(sh, h.Code) {
		return
	}
	t := l.Redissect(n, h.wants)
	count := func(items ...*Item) { h.tree.Path(t.Time(), append(items, h.tree.Roots[0])...) }
	for i := range t.Nodes {
		switch t.Field(i) {
		case h.Method:
			count(h.requests, h.requests.Child(t.Text(i)))
		case h.Code:
			code := t.Nodes[i].Val
			class := code / 100
			if class > 5 {
				class = 0
			}
			in := h.responses.Child(statusClasses[class])
			count(h.responses, in, in.Child(h.codeText(t, i)))
		}
	}
}

// codeText is the status code of a node, with what it means.
func (h *StatusTree) codeText(t *dissect.Tree, i int) string {
	code := t.Nodes[i].Val
	text := strconv.FormatUint(code, 10)
	if h.Phrase != nil {
		text += " " + cmp.Or(h.Phrase(code), "Unknown ("+text+")")
	}
	for k := i + 1; h.Desc != nil && k < len(t.Nodes) && t.Field(k) != h.Code; k++ {
		if t.Field(k) == h.Desc {
			return text + " " + t.Text(k)
		}
	}
	return text
}

// Print writes the tree.
func (h *StatusTree) Print(w *bufio.Writer) { h.tree.Print(w) }
