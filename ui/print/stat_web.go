package print

import (
	"bufio"
	"strconv"

	"remora/dissect"
	"remora/dissect/stats"
)

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
	h := &httpTree{itemTree: itemTree{s: r.s, title: "HTTP/Packet Counter", roots: []*stats.Item{{Name: "Total HTTP Packets"}}},
		method: reg.Field("http.request.method"), code: reg.Field("http.response.code"), desc: reg.Field("http.response.code.desc")}
	if h.method == nil || h.code == nil || h.desc == nil {
		return nil, nil, r.wrong("there is no HTTP here")
	}
	root := h.roots[0]
	h.requests, h.responses = root.Child("HTTP Request Packets"), root.Child("HTTP Response Packets")
	root.Child("Other HTTP Packets")
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
	count := func(items ...*stats.Item) { h.path(t.Time(), append(items, h.roots[0])...) }
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
	h.roots[0].Sort()
	h.itemTree.print(w)
}

// httpRequests is http_req,tree: what is asked of which host.
type httpRequests struct {
	itemTree
	uri, host, code *dissect.Field
	wants           *dissect.Wants
}

func newHTTPRequests(r *request) (counter, []string, error) {
	reg := r.s.Registry()
	h := &httpRequests{itemTree: itemTree{s: r.s, title: "HTTP/Requests", roots: []*stats.Item{{Name: "HTTP Requests by HTTP Host"}}},
		uri: reg.Field("http.request.uri"), host: reg.Field("http.host"), code: reg.Field("http.response.code")}
	if h.uri == nil || h.host == nil || h.code == nil {
		return nil, nil, r.wrong("there is no HTTP here")
	}
	h.wants = reg.Wants(h.uri, h.host, h.code)
	return h, []string{r.rest(0)}, nil
}

func (h *httpRequests) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if sh := h.s.ShapeOf(n); !h.s.MayHave(sh, h.uri) && !h.s.MayHave(sh, h.code) {
		return
	}
	t := l.Look(n, h.wants)
	uri := ""
	for i := range t.Nodes {
		switch t.Field(i) {
		case h.uri:
			uri = t.Text(i)
		case h.code:
			h.met(t.Time()) // the rate is that of all that is HTTP
		case h.host:
			if uri != "" {
				host := h.roots[0].Child(t.Text(i))
				h.path(t.Time(), h.roots[0], host, host.Child(uri))
				uri = ""
			}
		}
	}
}

func (h *httpRequests) print(w *bufio.Writer) {
	h.roots[0].Sort()
	h.itemTree.print(w)
}

// httpServers is http_srv,tree: which servers are asked for which hosts, and whether they answer well.
type httpServers struct {
	itemTree
	uri, host, code *dissect.Field
	addrs           map[dissect.FieldID]int // 0 source, 1 destination
	wants           *dissect.Wants

	byServer, byHost *stats.Item
}

func newHTTPServers(r *request) (counter, []string, error) {
	reg := r.s.Registry()
	h := &httpServers{uri: reg.Field("http.request.uri"), host: reg.Field("http.host"), code: reg.Field("http.response.code"), addrs: map[dissect.FieldID]int{}}
	if h.uri == nil || h.host == nil || h.code == nil {
		return nil, nil, r.wrong("there is no HTTP here")
	}
	h.itemTree = itemTree{s: r.s, title: "HTTP/Load Distribution", roots: []*stats.Item{{Name: "HTTP Requests by Server"}, {Name: "HTTP Responses by Server Address"}}}
	h.byServer, h.byHost = h.roots[0].Child("HTTP Requests by Server Address"), h.roots[0].Child("HTTP Requests by HTTP Host")
	fields := []*dissect.Field{h.uri, h.host, h.code}
	for role, names := range [2][]string{{"ip.src", "ipv6.src"}, {"ip.dst", "ipv6.dst"}} {
		for _, name := range names {
			if f := reg.Field(name); f != nil {
				fields = append(fields, f)
				h.addrs[f.ID()] = role
			}
		}
	}
	h.wants = reg.Wants(fields...)
	return h, []string{r.rest(0)}, nil
}

func (h *httpServers) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if sh := h.s.ShapeOf(n); !h.s.MayHave(sh, h.uri) && !h.s.MayHave(sh, h.code) {
		return
	}
	t := l.Look(n, h.wants)
	var ends [2]string
	asked := false
	for i := range t.Nodes {
		f := t.Field(i)
		if role, ok := h.addrs[f.ID()]; ok && !t.IsQuoted(i) {
			ends[role] = t.Address(i).String()
		}
		switch f {
		case h.uri:
			asked = true
		case h.host:
			if asked {
				server, host := h.byServer.Child(ends[1]), h.byHost.Child(t.Text(i))
				h.path(t.Time(), h.roots[0], h.byServer, server, server.Child(t.Text(i)), h.byHost, host, host.Child(ends[1]))
				asked = false
			}
		case h.code:
			server, verdict := h.roots[1].Child(ends[0]), "OK"
			if c := t.Nodes[i].Val; c < 100 || c >= 400 {
				verdict = "KO"
			}
			h.path(t.Time(), h.roots[1], server, server.Child(verdict))
		}
	}
}

func (h *httpServers) print(w *bufio.Writer) {
	for _, root := range h.roots {
		root.Sort()
	}
	h.itemTree.print(w)
}
