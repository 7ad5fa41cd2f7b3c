package follow

import (
	"strconv"
	"strings"

	"remora/dissect"
)

// decrypted is the application data of the packet's TLS records, as far as they could be decrypted: of every data source that
// decryption made, what is no handshake and no alert.
func decrypted(tree *dissect.Tree) []byte {
	var out []byte
	kind := map[uint8]uint64{} // of a source's content
	length := map[uint8]int{}  // of a source's content: behind it are its type and padding
	last, lastKnown := uint64(0), false
	for i, n := range tree.Nodes {
		name := tree.Field(i).Name()
		if _, met := kind[n.Src]; n.Src > 0 && !met && lastKnown {
			kind[n.Src] = last // until the source itself says otherwise
		}
		if name != "tls.record.content_type" {
			continue
		}
		if n.Src == 0 || tree.Sources()[n.Src].Name != sourceTLS {
			last, lastKnown = n.Val, true
			continue
		}
		kind[n.Src], length[n.Src] = n.Val, int(n.Off)
	}
	for k, src := range tree.Sources() {
		if id := uint8(k); src.Name == sourceTLS && kind[id] == applicationData {
			data := src.Data
			if n, ok := length[id]; ok {
				data = data[:min(n, len(data))]
			}
			out = append(out, data...)
		}
	}
	return out
}

// The name of decrypted data sources, and the record type whose contents are the application's (RFC 8446 section 5.1).
const (
	sourceTLS       = "Decrypted TLS"
	applicationData = 23
)

// exchanges are the HTTP messages that a packet completes: of each its header, and its body, put together and unpacked.
func exchanges(tree *dissect.Tree, u Unit) []Unit {
	var out []Unit
	for i, n := range tree.Nodes {
		if f := tree.Field(i); f.Name() != "http" || f.Type() != dissect.TypeProtocol || tree.IsQuoted(i) {
			continue
		}
		all := tree.Source(n.Src)
		from, to := int(n.Off), min(int(n.Off+n.Len), len(all))
		body, found := []byte(nil), false
		for k := i + 1; k < tree.End(i); k++ {
			child := tree.Nodes[k]
			switch tree.Field(k).Name() {
			case "http.file_data":
				if !found {
					body, found = tree.Bytes(k), true
				}
			case "http.chunked", "http.encoded_body":
			default:
				continue
			}
			if child.Src == n.Src && int(child.Off) >= from {
				to = min(to, int(child.Off))
			}
		}
		if from >= to {
			continue
		}
		head := u
		head.Data = append([]byte(nil), all[from:to]...)
		out = append(out, head)
		if len(body) > 0 {
			b := u
			b.Kind, b.Info = "", "body, "+strconv.Itoa(len(body))+" bytes"
			b.Data = append([]byte(nil), body...)
			out = append(out, b)
		}
	}
	return out
}

// valuesShown is how many values of a message are put on its line.
const valuesShown = 6

// values are the first fields right below a node, with what they say, but for what its text says already.
func values(tree *dissect.Tree, node int, said string) string {
	out, shown := "", 0
	depth := tree.Nodes[node].Depth + 1
	for k := node + 1; k < tree.End(node) && shown < valuesShown; k++ {
		f := tree.Field(k)
		if tree.Nodes[k].Depth != depth || f.IsHidden() || f.IsKind() || f.IsNote() {
			continue
		}
		if v := tree.Value(k); v != "" && !strings.Contains(said, v) {
			out += ", " + f.Label() + " " + v
			shown++
		}
	}
	return out
}

// A place is where bytes lie in a tree: in which source, from where on, how many. The offset is -1 where there are none.
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
