package print

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

// itemTree prints a tree of counts as tshark does.
type itemTree struct {
	s           *dissect.Session
	title       string
	root        *stats.Item
	first, last int64 // of the packets counted
	any         bool
}

func (t *itemTree) met(at int64) {
	if !t.any {
		t.first, t.any = at, true
	}
	t.last = max(t.last, at)
}

func (t *itemTree) print(w *bufio.Writer) {
	width := longest(t.root, 0)
	head := fmt.Sprintf("%-*s  %-14s%-14s%-14s%-14s%-14s%-14s%-14s%-13s", max(width, len("Topic / Item")), "Topic / Item",
		"Count", "Average", "Min Val", "Max Val", "Rate (ms)", "Percent", "Burst Rate", "Burst Start")
	fmt.Fprintf(w, "\n%s\n%s:\n%s\n%s\n", strings.Repeat("=", len(head)), t.title, head, strings.Repeat("-", len(head)))
	t.item(w, t.root, nil, 0, max(width, len("Topic / Item")))
	fmt.Fprintf(w, "\n%s\n", strings.Repeat("-", len(head)))
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
			average, low, high = fmt.Sprintf("%.2f", it.Sum/float64(it.Count)), fmt.Sprintf("%.0f", it.Min), fmt.Sprintf("%.0f", it.Max)
		}
	}
	rate := 0.0
	if t.last > t.first {
		rate = float64(it.Count) * 1e6 / float64(t.last-t.first)
	}
	share := "100%"
	if above != nil {
		share = fmt.Sprintf("%.2f%%", 100*float64(it.Count)/float64(max(1, above.Count)))
	}
	burst, start := "-", "-"
	if it.Burst > 0 {
		burst = fmt.Sprintf("%.4f", float64(it.Burst)/stats.BurstWindow)
		start = seconds(it.BurstStart-t.s.Store().Time(0), 3)
	}
	fmt.Fprintf(w, "%-*s  %-14d%-14s%-14s%-14s%-14s%-14s%-14s%-13s\n", width, strings.Repeat(" ", depth)+dissect.Escape(it.Name),
		it.Count, average, low, high, fmt.Sprintf("%.4f", rate), share, burst, start)
	for _, b := range it.Below {
		t.item(w, b, it, depth+1, width)
	}
}

// packetLengths is plen,tree.
type packetLengths struct{ itemTree }

func newLengths(r *request) (counter, []string, error) {
	return &packetLengths{itemTree{s: r.s, title: "Packet Lengths", root: stats.NewLengths()}}, []string{r.rest(0)}, nil
}

func (p *packetLengths) add(_ *dissect.Looker, n dissect.FrameNum, _ int) {
	p.met(p.s.Store().Time(int(n) - 1))
	p.root.AddLength(p.s, n)
}

// httpTree is http,tree: methods and status codes.
type httpTree struct {
	itemTree
	method, code, desc  *dissect.Field
	wants               *dissect.Wants
	requests, responses *stats.Item
}

// httpClasses are the classes of status codes, by their first digit.
var httpClasses = []string{"???: broken", "1xx: Informational", "2xx: Success", "3xx: Redirection", "4xx: Client Error", "5xx: Server Error"}

func newHTTP(r *request) (counter, []string, error) {
	reg := r.s.Registry()
	h := &httpTree{itemTree: itemTree{s: r.s, title: "HTTP/Packet Counter", root: &stats.Item{Name: "Total HTTP Packets"}},
		method: reg.Field("http.request.method"), code: reg.Field("http.response.code"), desc: reg.Field("http.response.code.desc")}
	if h.method == nil || h.code == nil || h.desc == nil {
		return nil, nil, r.wrong("there is no HTTP here")
	}
	h.requests, h.responses = h.root.Child("HTTP Request Packets"), h.root.Child("HTTP Response Packets")
	h.root.Child("Other HTTP Packets")
	for _, name := range httpClasses {
		h.responses.Child(name)
	}
	h.wants = reg.Wants(h.method, h.code, h.desc)
	return h, []string{r.rest(0)}, nil
}

func (h *httpTree) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !h.s.MayHave(h.s.ShapeOf(n), h.method) {
		return
	}
	t := l.Look(n, h.wants)
	at, since := t.Time(), h.s.Store().Time(0)
	count := func(items ...*stats.Item) {
		h.met(at)
		h.root.Add(at, since)
		for _, it := range items {
			it.Add(at, since)
		}
	}
	for i := range t.Nodes {
		switch t.Field(i) {
		case h.method:
			count(h.requests, h.requests.Child(t.Text(i)))
		case h.code:
			code := t.Nodes[i].Val
			class := code / 100
			if class > 5 {
				class = 0
			}
			in := h.responses.Child(httpClasses[class])
			name := strconv.FormatUint(code, 10)
			for k := i + 1; k < len(t.Nodes) && t.Field(k) != h.code; k++ {
				if t.Field(k) == h.desc {
					name += " " + t.Text(k)
					break
				}
			}
			count(h.responses, in, in.Child(name))
		}
	}
}

func (h *httpTree) print(w *bufio.Writer) {
	h.root.Sort()
	h.itemTree.print(w)
}
