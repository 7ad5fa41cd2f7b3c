package http

import (
	"bufio"
	"strings"

	"remora/dissect"
	"remora/dissect/tap"
)

// sequences is http_seq,tree: which page led to which request, by what browsers say of it and by where servers send
// them.
type sequences struct {
	tree  *tap.ItemTree
	wants *dissect.Wants
	at    map[string]*tap.Item // where what was asked for stands last
	above map[*tap.Item]*tap.Item
}

func newSequences(r *dissect.StatisticRequest) (dissect.Counter, error) {
	root := &tap.Item{Name: "HTTP Request Sequences"}
	return &sequences{tree: &tap.ItemTree{Session: r.Session, Title: "HTTP/Request Sequences", Roots: []*tap.Item{root}},
		wants: r.Session.Registry().Wants(fURI, fCode, fFull, fForURI, named["referer"], named["location"]),
		at:    map[string]*tap.Item{root.Name: root}, above: map[*tap.Item]*tap.Item{}}, nil
}

// Add counts the requests and redirections of a packet.
func (h *sequences) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !mayHave(h.tree.Session, n) {
		return
	}
	t := l.Redissect(n, h.wants)
	var referer, location, answered string
	for i := range t.Nodes {
		switch t.Field(i) {
		case fURI, fCode:
			h.tree.Met(t.Time()) // the rate is that of all that is HTTP
		case named["referer"]:
			referer = t.Text(i)
		case named["location"]:
			location = t.Text(i)
		case fForURI:
			answered = t.Text(i)
		case fFull:
			if uri := t.Text(i); referer != "" {
				h.follows(t.Time(), referer, uri)
				referer = ""
			}
		}
		if target := redirected(answered, location); location != "" && target != "" {
			h.follows(t.Time(), answered, target)
			answered, location = "", ""
		}
	}
}

// follows counts a request that came of another one. As in tshark, the one before counts twice.
func (h *sequences) follows(at int64, before, uri string) {
	from := h.at[before]
	if from == nil {
		root := h.tree.Roots[0]
		from = root.Child(before)
		h.at[before], h.above[from] = from, root
	}
	to := from.Child(uri)
	if h.above[to] == nil {
		h.above[to] = from
	}
	h.at[uri] = to
	h.tree.Path(at, from, to)
	for n := 0; from != nil && n < maxSteps; n++ {
		h.tree.Path(at, from)
		from = h.above[from]
	}
}

// maxSteps bounds the way back to where somebody began.
const maxSteps = 1000

// redirected is where a Location leads to, or "". Like Wireshark's, it knows no steps up.
func redirected(base, location string) string {
	_, rest, whole := strings.Cut(base, "://")
	if !whole {
		return ""
	}
	scheme := base[:len(base)-len(rest)]
	bare, _, _ := strings.Cut(rest, "#")
	bare, _, _ = strings.Cut(bare, "?")
	switch {
	case location == "":
		return base
	case strings.HasPrefix(location, "//"):
		return strings.TrimSuffix(scheme, "//") + location
	case strings.Contains(location, "://"):
		return location
	case location[0] == '?':
		return scheme + bare + location
	case location[0] == '/':
		host, _, _ := strings.Cut(bare, "/")
		return scheme + host + location
	}
	if i := strings.LastIndexByte(bare, '/'); i >= 0 {
		bare = bare[:i]
	}
	return scheme + bare + "/" + location
}

// Print writes the tree.
func (h *sequences) Print(w *bufio.Writer) { h.tree.Print(w) }
