package http

import (
	"bufio"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that HTTP declares.
var statistics = []dissect.Statistic{
	{Name: "http,stat", Args: "[,FILTER]", Help: "HTTP requests by method, responses by code",
		New: tap.Requests{Title: "HTTP", Method: fMethod, Code: fCode, Names: statuses}.New},
	{Name: "http,tree", Args: "[,FILTER]", Help: "HTTP requests and responses",
		New: tap.StatusTree{Title: "HTTP", Method: fMethod, Code: fCode, Desc: fDesc}.New},
	{Name: "http_req,tree", Args: "[,FILTER]", Help: "HTTP requests by host", New: newHosts},
	{Name: "http_srv,tree", Args: "[,FILTER]", Help: "HTTP requests and responses by server", New: newServers},
	{Name: "http_seq,tree", Args: "[,FILTER]", Help: "HTTP requests below the page that led to them", New: newSequences},
}

// fHost is the field of the header line Host.
var fHost = named["host"]

// hosts is http_req,tree: what is asked of which host.
type hosts struct {
	tree  *tap.ItemTree
	wants *dissect.Wants
}

func newHosts(r *dissect.StatisticRequest) (dissect.Counter, error) {
	root := &tap.Item{Name: "HTTP Requests by HTTP Host"}
	return &hosts{&tap.ItemTree{Session: r.Session, Title: "HTTP/Requests", Roots: []*tap.Item{root}},
		r.Session.Registry().Wants(fURI, fHost, fCode)}, nil
}

// mayHave tells whether a packet may have a request or a response.
func mayHave(s *dissect.Session, n dissect.FrameNum) bool {
	sh := s.LayerStackOf(n)
	return s.MayHave(sh, fURI) || s.MayHave(sh, fCode)
}

// Add counts the requests of a packet.
func (h *hosts) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !mayHave(h.tree.Session, n) {
		return
	}
	t, root := l.Redissect(n, h.wants), h.tree.Roots[0]
	uri := ""
	for i := range t.Nodes {
		switch t.Field(i) {
		case fURI:
			uri = t.Text(i)
		case fCode:
			h.tree.Met(t.Time()) // the rate is that of all that is HTTP
		case fHost:
			if uri != "" {
				host := root.Child(t.Text(i))
				h.tree.Path(t.Time(), root, host, host.Child(uri))
				uri = ""
			}
		}
	}
}

// Print writes the tree.
func (h *hosts) Print(w *bufio.Writer) { h.tree.Print(w) }

// servers is http_srv,tree: which servers are asked for which hosts, and whether they answer well.
type servers struct {
	tree             *tap.ItemTree
	addrs            tap.Addresses
	wants            *dissect.Wants
	byServer, byHost *tap.Item
}

func newServers(r *dissect.StatisticRequest) (dissect.Counter, error) {
	reg := r.Session.Registry()
	requests, responses := &tap.Item{Name: "HTTP Requests by Server"}, &tap.Item{Name: "HTTP Responses by Server Address"}
	h := &servers{addrs: tap.AddressesOf(reg), byServer: requests.Child("HTTP Requests by Server Address"),
		byHost: requests.Child("HTTP Requests by HTTP Host")}
	h.tree = &tap.ItemTree{Session: r.Session, Title: "HTTP/Load Distribution", Roots: []*tap.Item{requests, responses}}
	h.wants = reg.Wants(append([]*dissect.Field{fURI, fHost, fCode}, h.addrs.Fields...)...)
	return h, nil
}

// Add counts the requests and responses of a packet.
func (h *servers) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !mayHave(h.tree.Session, n) {
		return
	}
	t, requests, responses := l.Redissect(n, h.wants), h.tree.Roots[0], h.tree.Roots[1]
	from, to, asked := "", "", false
	for i := range t.Nodes {
		switch f := t.Field(i); {
		case h.addrs.IsSender(f) && !t.IsQuoted(i):
			from = t.Address(i).String()
		case h.addrs.IsReceiver(f) && !t.IsQuoted(i):
			to = t.Address(i).String()
		case f == fURI:
			asked = true
		case f == fHost && asked:
			server, host := h.byServer.Child(to), h.byHost.Child(t.Text(i))
			h.tree.Path(t.Time(), requests, h.byServer, server, server.Child(t.Text(i)), h.byHost, host, host.Child(to))
			asked = false
		case f == fCode:
			server, verdict := responses.Child(from), "OK"
			if c := t.Nodes[i].Val; c < 100 || c >= 400 {
				verdict = "KO"
			}
			h.tree.Path(t.Time(), responses, server, server.Child(verdict))
		}
	}
}

// Print writes the trees.
func (h *servers) Print(w *bufio.Writer) { h.tree.Print(w) }
