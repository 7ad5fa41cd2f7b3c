package print

import (
	"bufio"
	"strconv"

	"remora/dissect"
	"remora/dissect/stats"
)

// ipTree is one of the trees of the headers of IPv4 or IPv6: addresses, sources and destinations, destinations with their
// ports, or transports. As tshark has it, a packet in a tunnel counts once for each of its headers, and each time for the
// innermost ends.
type ipTree struct {
	itemTree
	what  string
	dst   *dissect.Field
	later *dissect.Field             // says that more fragments follow, with which the header counts; nil at IPv4
	ports map[dissect.FieldID]string // of the destination, with the transport's name
	addrs map[dissect.FieldID]int    // of both families: 0 the source's, 1 the destination's
	wants *dissect.Wants
}

// ipTrees are the names of -z with their titles and roots.
var ipTrees = map[string]struct {
	title string
	roots []string
}{
	"hosts":  {"All Addresses", []string{"All Addresses"}},
	"srcdst": {"Source and Destination Addresses", []string{"Source %s Addresses", "Destination %s Addresses"}},
	"dests":  {"Destinations and Ports", []string{"Destinations and Ports"}},
	"ptype":  {"IP Protocol Types", []string{"IP Protocol Types"}},
}

// newIPTree makes the counter of one of the trees.
func newIPTree(what, family string) func(r *request) (counter, []string, error) {
	return func(r *request) (counter, []string, error) {
		reg, name := r.s.Registry(), map[string]string{"ip": "IPv4", "ipv6": "IPv6"}[family]
		t := &ipTree{what: what, dst: reg.Field(family + ".dst"), ports: map[dissect.FieldID]string{}, addrs: map[dissect.FieldID]int{}}
		if t.dst == nil {
			return nil, nil, r.wrong("there is no %s here", name)
		}
		t.itemTree = itemTree{s: r.s, title: name + " Statistics/" + ipTrees[what].title}
		for _, root := range ipTrees[what].roots {
			t.roots = append(t.roots, &stats.Item{Name: familyName(root, name)})
		}
		var fields []*dissect.Field
		for field, transport := range map[string]string{"tcp.dstport": "TCP", "udp.dstport": "UDP"} {
			if f := reg.Field(field); f != nil {
				t.ports[f.ID()] = transport
				fields = append(fields, f)
			}
		}
		for field, role := range map[string]int{"ip.src": 0, "ipv6.src": 0, "ip.dst": 1, "ipv6.dst": 1} {
			if f := reg.Field(field); f != nil {
				t.addrs[f.ID()] = role
				fields = append(fields, f)
			}
		}
		if family == "ipv6" {
			if t.later = reg.Field("ipv6.fraghdr.more"); t.later != nil {
				fields = append(fields, t.later)
			}
		}
		if what == "srcdst" {
			t.least = 31 // tshark's is that wide
		}
		t.wants = reg.Wants(fields...)
		return t, []string{r.rest(0)}, nil
	}
}

func familyName(root, name string) string {
	if root == "Source %s Addresses" || root == "Destination %s Addresses" {
		return root[:len(root)-len("%s Addresses")] + name + " Addresses"
	}
	return root
}

func (t *ipTree) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !t.s.MayHave(t.s.ShapeOf(n), t.dst) {
		return
	}
	tree := l.Look(n, t.wants)
	src, dst, transport, port, headers := "", "", "NONE", "0", 0
	for i := range tree.Nodes {
		f := tree.Field(i)
		role, isAddr := t.addrs[f.ID()]
		name, isPort := t.ports[f.ID()]
		switch {
		case isPort: // also those that an error quotes
			transport, port = name, strconv.FormatUint(tree.Nodes[i].Val, 10)
		case f == t.later && tree.Nodes[i].Val != 0:
			headers--
		case tree.IsQuoted(i):
		case isAddr && role == 0:
			src = tree.Address(i).String()
		case isAddr:
			dst = tree.Address(i).String()
			if f == t.dst {
				headers++
			}
		}
	}
	for range headers {
		t.header(tree.Time(), src, dst, transport, port)
	}
}

// header counts one header.
func (t *ipTree) header(at int64, src, dst, transport, port string) {
	root := t.roots[0]
	switch t.what {
	case "hosts":
		t.path(at, root, root.Child(src), root.Child(dst))
	case "srcdst":
		t.path(at, root, root.Child(src), t.roots[1], t.roots[1].Child(dst))
	case "ptype":
		t.path(at, root, root.Child(transport))
	case "dests":
		to := root.Child(dst)
		by := to.Child(transport)
		t.path(at, root, to, by, by.Child(port))
	}
}

func (t *ipTree) print(w *bufio.Writer) {
	for _, root := range t.roots {
		root.Sort()
	}
	t.itemTree.print(w)
}
