package http2

import (
	"bufio"
	"fmt"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that HTTP/2 declares.
var statistics = []dissect.Statistic{{Name: "http2,tree", Args: "[,FILTER]", Help: "HTTP/2 frames by type",
	New: newFrameTypes}}

// frameTypes is http2,tree: the frames of HTTP/2 by type.
type frameTypes struct {
	tree  *tap.ItemTree
	types *tap.Item
	wants *dissect.Wants
}

func newFrameTypes(r *dissect.StatisticRequest) (dissect.Counter, error) {
	root := &tap.Item{Name: "HTTP2"}
	return &frameTypes{&tap.ItemTree{Session: r.Session, Title: "HTTP2", Roots: []*tap.Item{root}}, root.Child("Type"),
		r.Session.Registry().Wants(fType)}, nil
}

// Add counts the frames of a packet.
func (h *frameTypes) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if s := h.tree.Session; !s.MayHave(s.LayerStackOf(n), fType) {
		return
	}
	t := l.Redissect(n, h.wants)
	for i := range t.Nodes {
		if t.Field(i) != fType {
			continue
		}
		name := fType.ValueName(t.Nodes[i].Val)
		if name == "" {
			name = fmt.Sprintf("Unknown type (%d)", t.Nodes[i].Val)
		}
		h.tree.Path(t.Time(), h.tree.Roots[0], h.types, h.types.Child(name))
	}
}

// Print writes the tree.
func (h *frameTypes) Print(w *bufio.Writer) { h.tree.Print(w) }
