package follow

import (
	"strings"

	"remora/dissect"
)

// valuesShown is how many values of a message are put on its line.
const valuesShown = 6

// values are the first fields right below a node, with what they say, but for what its text says already.
func values(tree *dissect.Tree, node int, said string) string {
	out, shown := "", 0
	depth := tree.Nodes[node].Depth + 1
	for k := node + 1; k < tree.End(node) && shown < valuesShown; k++ {
		f := tree.Field(k)
		if tree.Nodes[k].Depth != depth || f.IsHidden() || f.IsKind() || f.IsExpert() {
			continue
		}
		if v := tree.Value(k); v != "" && !strings.Contains(said, v) {
			out += ", " + f.Label() + " " + v
			shown++
		}
	}
	return out
}

// A place is where bytes lie in a tree: in which source, from where on, how many. The offset is -1 where there are
// none.
type place struct {
	src uint8
	off int
	n   int
}

// sent says which message it is, and where it lies within the bytes at a place.
func sent(m *dissect.Message, at place) Sent {
	s := Sent{ID: m.ID, Known: m.HasID, First: m.RepeatOf}
	if at.off >= 0 && m.Src == at.src && m.Off >= at.off && m.Off+m.Len <= at.off+at.n {
		s.Off, s.Len = int32(m.Off-at.off), int32(m.Len)
	}
	return s
}

// maxParts bounds the messages kept of one packet.
const maxParts = 64

// parts are the messages of a packet that holds several.
func parts(tree *dissect.Tree, at place) []Part {
	if len(tree.Messages) < 2 {
		return nil
	}
	var out []Part
	for _, m := range tree.Messages[:min(len(tree.Messages), maxParts)] {
		p := Part{Repeat: m.RepeatOf != 0, Sent: sent(&m, at)}
		if f := m.Protocol.KindField(); m.HasKind && f != nil {
			p.Kind = f.KindName(m.Kind)
		}
		if p.Text = m.Text; p.Text == "" && m.Node < len(tree.Nodes) {
			p.Text = tree.Label(m.Node)
			if !p.Repeat {
				p.Text += values(tree, m.Node, p.Text)
			}
		}
		out = append(out, p)
	}
	return out
}
