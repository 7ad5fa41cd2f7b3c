package print

import (
	"bufio"
	"cmp"
	"strconv"

	"remora/dissect"
	"remora/dissect/stats"
)

// httpTree is http,tree or rtsp,tree: methods and status codes.
type httpTree struct {
	itemTree
	method, code, desc  *dissect.Field
	phrase              func(code uint64) string // what codes are called whatever the sender says; nil: what it says
	wants               *dissect.Wants
	requests, responses *stats.Item
}

// httpClasses are the classes of status codes, by their first digit.
var httpClasses = []string{"???: broken", "1xx: Informational", "2xx: Success", "3xx: Redirection", "4xx: Client Error", "5xx: Server Error"}

func newHTTP(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("http.request.method", "http.response.code", "http.response.code.desc")
	if err != nil {
		return nil, nil, err
	}
	return r.statusTree("HTTP", f[0], f[1], f[2]), []string{r.rest(0)}, nil
}

func newRTSP(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("rtsp.method", "rtsp.status")
	if err != nil {
		return nil, nil, err
	}
	h := r.statusTree("RTSP", f[0], f[1], nil)
	h.phrase = rtspPhrase
	return h, []string{r.rest(0)}, nil
}

func (r *request) statusTree(title string, method, code, desc *dissect.Field) *httpTree {
	h := &httpTree{itemTree: itemTree{s: r.s, title: title + "/Packet Counter", roots: []*stats.Item{{Name: "Total " + title + " Packets"}}},
		method: method, code: code, desc: desc}
	root := h.roots[0]
	h.requests, h.responses = root.Child(title+" Request Packets"), root.Child(title+" Response Packets")
	root.Child("Other " + title + " Packets")
	for _, name := range httpClasses {
		h.responses.Child(name)
	}
	fields := []*dissect.Field{method, code}
	if desc != nil {
		fields = append(fields, desc)
	}
	h.wants = r.s.Registry().Wants(fields...)
	return h
}

// rtspPhrase is what RTSP calls a status code (RFC 2326, section 7.1.1), with the names of tshark and the numbers to
// which it puts others.
func rtspPhrase(code uint64) string {
	return map[uint64]string{100: "Continue", 199: "Informational - Others", 200: "OK", 201: "Created", 250: "Low on Storage Space", 299: "Success - Others", 300: "Multiple Choices",
		301: "Moved Permanently", 302: "Moved Temporarily", 303: "See Other", 305: "Use Proxy", 399: "Redirection - Others", 400: "Bad Request",
		401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
		407: "Proxy Authentication Required", 408: "Request Timeout", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
		413: "Request Entity Too Large", 414: "Request-URI Too Long", 415: "Unsupported Media Type", 451: "Invalid Parameter",
		452: "Illegal Conference Identifier", 453: "Not Enough Bandwidth", 454: "Session Not Found", 455: "Method Not Valid In This State",
		456: "Header Field Not Valid", 457: "Invalid Range", 458: "Parameter Is Read-Only", 459: "Aggregate Operation Not Allowed",
		460: "Only Aggregate Operation Allowed", 461: "Unsupported Transport", 462: "Destination Unreachable", 499: "Client Error - Others", 500: "Internal Server Error",
		501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "RTSP Version not supported",
		551: "Option Not Support", 599: "Server Error - Others"}[code]
}

func (h *httpTree) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if sh := h.s.ShapeOf(n); !h.s.MayHave(sh, h.method) && !h.s.MayHave(sh, h.code) {
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
			if h.phrase != nil {
				name += " " + cmp.Or(h.phrase(code), "Unknown ("+name+")")
			}
			for k := i + 1; h.desc != nil && k < len(t.Nodes) && t.Field(k) != h.code; k++ {
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
