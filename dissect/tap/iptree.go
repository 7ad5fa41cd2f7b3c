package tap

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
)

// An IPTree is one of the trees of the headers of IPv4 or IPv6: addresses, sources and destinations, destinations with
// their ports, or transports. As tshark has it, a packet in a tunnel counts once for each of its headers, and each time
// for the innermost ends.
type IPTree struct {
	tree  *ItemTree
	what  string
	in    *IPHeader
	addrs Addresses
	ports map[dissect.FieldID]string // of the destination, with the transport's name
	wants *dissect.Wants
}

// An IPHeader is the header of a version of IP.
type IPHeader struct {
	Name      string         // "IPv4"
	Dst       *dissect.Field // the receiver's address, which every header has
	Fragments *dissect.Field // says that more fragments follow, which have the header, too; nil: those count
}

// ipTrees are the statistics by what they count, with titles and roots; %s stands for the version.
var ipTrees = map[string]struct {
	title string
	roots []string
}{
	"hosts":  {"All Addresses", []string{"All Addresses"}},
	"srcdst": {"Source and Destination Addresses", []string{"Source %s Addresses", "Destination %s Addresses"}},
	"dests":  {"Destinations and Ports", []string{"Destinations and Ports"}},
	"ptype":  {"IP Protocol Types", []string{"IP Protocol Types"}},
}

// New is what makes the counter of the tree that is called hosts, srcdst, dests or ptype.
func (h *IPHeader) New(what string) func(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return func(r *dissect.StatisticRequest) (dissect.Counter, error) {
		reg := r.Session.Registry()
		t := &IPTree{what: what, in: h, ports: map[dissect.FieldID]string{}}
		t.tree = &ItemTree{Session: r.Session, Title: h.Name + " Statistics/" + ipTrees[what].title}
		for _, root := range ipTrees[what].roots {
			if strings.Contains(root, "%s") {
				root = fmt.Sprintf(root, h.Name)
			}
			t.tree.Roots = append(t.tree.Roots, &Item{Name: root})
		}
		t.addrs = AddressesOf(reg)
		fields := t.addrs.Fields
		for _, f := range reg.Receivers() {
			if f.Type() == dissect.TypeUint {
				t.ports[f.ID()] = f.Protocol().Title()
				fields = append(fields, f)
			}
		}
		if h.Fragments != nil {
			fields = append(fields, h.Fragments)
		}
		if what == "srcdst" {
			t.tree.Width = 31 // tshark's is that wide
		}
		t.wants = reg.Wants(fields...)
		return t, nil
	}
}

// Add counts the headers of a packet.
func (t *IPTree) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if s := t.tree.Session; !s.MayHave(s.LayerStackOf(n), t.in.Dst) {
		return
	}
	tree := l.Redissect(n, t.wants)
	src, dst, transport, port, headers := "", "", "NONE", "0", 0
	for i := range tree.Nodes {
		f := tree.Field(i)
		name, isPort := t.ports[f.ID()]
		switch {
		case isPort: // also those that an error quotes
			transport, port = name, strconv.FormatUint(tree.Nodes[i].Val, 10)
		case f == t.in.Fragments && tree.Nodes[i].Val != 0:
			headers--
		case tree.IsQuoted(i):
		case t.addrs.IsSender(f):
			src = tree.Address(i).String()
		case t.addrs.IsReceiver(f):
			dst = tree.Address(i).String()
			if f == t.in.Dst {
				headers++
			}
		}
	}
	for range headers {
		t.header(tree.Time(), src, dst, transport, port)
	}
}

// header counts one header.
func (t *IPTree) header(at int64, src, dst, transport, port string) {
	root, path := t.tree.Roots[0], t.tree.Path
	switch t.what {
	case "hosts":
		path(at, root, root.Child(src), root.Child(dst))
	case "srcdst":
		path(at, root, root.Child(src), t.tree.Roots[1], t.tree.Roots[1].Child(dst))
	case "ptype":
		path(at, root, root.Child(transport))
	case "dests":
		to := root.Child(dst)
		by := to.Child(transport)
		path(at, root, to, by, by.Child(port))
	}
}

// Print writes the tree.
func (t *IPTree) Print(w *bufio.Writer) { t.tree.Print(w) }

// Addresses are the fields in which the network layer has the sender's address and the receiver's.
type Addresses struct {
	Fields []*dissect.Field

	from, to map[*dissect.Field]bool
}

// AddressesOf are those of a registry's protocols.
func AddressesOf(reg *dissect.Registry) Addresses {
	a := Addresses{from: map[*dissect.Field]bool{}, to: map[*dissect.Field]bool{}}
	for _, side := range []struct {
		fields []*dissect.Field
		is     map[*dissect.Field]bool
	}{{reg.Senders(), a.from}, {reg.Receivers(), a.to}} {
		for _, f := range side.fields {
			if f.Type() == dissect.TypeIPv4 || f.Type() == dissect.TypeIPv6 {
				side.is[f] = true
				a.Fields = append(a.Fields, f)
			}
		}
	}
	return a
}

// IsSender reports whether a field is the sender's address.
func (a *Addresses) IsSender(f *dissect.Field) bool { return a.from[f] }

// IsReceiver reports whether a field is the receiver's address.
func (a *Addresses) IsReceiver(f *dissect.Field) bool { return a.to[f] }
