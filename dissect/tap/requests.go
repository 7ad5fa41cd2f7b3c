package tap

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"remora/dissect"
)

// Requests counts the requests and responses of a protocol with methods and status codes, as HTTP has them. They are
// listed in the order of tshark's hash tables.
type Requests struct {
	Title        string
	Method, Code *dissect.Field
	More         []*dissect.Field  // others that who embeds this reads from the trees of Look
	Names        map[uint64]string // of the codes; those without one count as the others of their class

	session  *dissect.Session
	filter   string
	wants    *dissect.Wants
	known    []uint64 // codes, in the order in which the table has them
	codes    map[uint64]int
	methods  []string // as they were met
	requests map[string]int
}

// otherCodes are what codes without a name are counted as, by their first digit.
var otherCodes = []string{1: "Informational - Others", "Success - Others", "Redirection - Others",
	"Client Error - Others", "Server Error - Others", "Global Failure - Others"}

// New begins to count.
func (a Requests) New(r *dissect.StatisticRequest) (dissect.Counter, error) { return a.Begin(r), nil }

// Begin is New for who embeds Requests.
func (a Requests) Begin(r *dissect.StatisticRequest) *Requests {
	a.session, a.filter = r.Session, r.Filter()
	a.wants = r.Session.Registry().Wants(append([]*dissect.Field{a.Method, a.Code}, a.More...)...)
	a.codes, a.requests = map[uint64]int{}, map[string]int{}
	a.Names = maps.Clone(a.Names)
	last := 5
	if a.Names[600] != "" {
		last = 6
	}
	for class := 1; class <= last; class++ {
		a.Names[uint64(class)*100+99] = otherCodes[class]
	}
	a.known = SortedKeys(a.Names)
	if n := len(a.known) - 1; a.known[n] > 699 { // what is of no class stands in front
		a.known = append([]uint64{a.known[n]}, a.known[:n]...)
	}
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
	for i := range t.Nodes {
		switch t.Field(i) {
		case a.Method:
			name := methodName(t, i)
			if a.requests[name] == 0 {
				if len(a.requests) >= MaxRows {
					continue
				}
				a.methods = append(a.methods, name)
			}
			a.requests[name]++
		case a.Code:
			code := t.Nodes[i].Val
			if a.Names[code] == "" {
				code = code/100*100 + 99
			}
			if a.Names[code] != "" {
				a.codes[code]++
			}
		}
	}
}

// methodName is the method of a node. Of M-SEARCH and the like (RFC 2774) tshark counts what is behind the M.
func methodName(t *dissect.Tree, i int) string { return strings.TrimPrefix(t.Text(i), "M-") }

// Heading is the title with the filter that was counted.
func (a *Requests) Heading() string {
	if a.filter == "" {
		return a.Title + " Statistics"
	}
	return a.Title + " Statistics with filter " + dissect.Escape(a.filter)
}

// Codes hands on the status codes with their names and how many there were.
func (a *Requests) Codes(each func(code uint64, name string, n int)) {
	hashes := make([]uint32, len(a.known))
	for i, code := range a.known {
		hashes[i] = uint32(code)
	}
	for _, i := range hashOrder(hashes) {
		if code := a.known[i]; a.codes[code] > 0 {
			each(code, a.Names[code], a.codes[code])
		}
	}
}

// Methods hands on the methods and how many requests had each.
func (a *Requests) Methods(each func(method string, n int)) {
	hashes := make([]uint32, len(a.methods))
	for i, m := range a.methods {
		hashes[i] = hashOf(m)
	}
	for _, i := range hashOrder(hashes) {
		each(dissect.Escape(a.methods[i]), a.requests[a.methods[i]])
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
			count(h.requests, h.requests.Child(methodName(t, i)))
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
