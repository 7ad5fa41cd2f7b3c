package print

import (
	"bufio"
	"fmt"

	"remora/dissect"
	"remora/dissect/stats"
)

// http2Tree is http2,tree: the frames of HTTP/2 by type.
type http2Tree struct {
	itemTree
	kind  *dissect.Field
	types *stats.Item
	wants *dissect.Wants
}

func newHTTP2(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("http2.type")
	if err != nil {
		return nil, nil, err
	}
	h := &http2Tree{itemTree: itemTree{s: r.s, title: "HTTP2", roots: []*stats.Item{{Name: "HTTP2"}}}, kind: f[0], wants: r.s.Registry().Wants(f...)}
	h.types = h.roots[0].Child("Type")
	return h, []string{r.rest(0)}, nil
}

func (h *http2Tree) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !h.s.MayHave(h.s.ShapeOf(n), h.kind) {
		return
	}
	t := l.Look(n, h.wants)
	for i := range t.Nodes {
		if t.Field(i) != h.kind {
			continue
		}
		name := h.kind.ValueName(t.Nodes[i].Val)
		if name == "" {
			name = fmt.Sprintf("Unknown type (%d)", t.Nodes[i].Val)
		}
		h.path(t.Time(), h.roots[0], h.types, h.types.Child(name))
	}
}

func (h *http2Tree) print(w *bufio.Writer) {
	h.roots[0].Sort()
	h.itemTree.print(w)
}
