package follow

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// sourceStream is how the data sources begin that hold what a stream of QUIC carries; its number follows.
const sourceStream = "QUIC stream "

// quicStreams are the bytes that a packet's streams of QUIC hand on, each in its order.
func quicStreams(tree *dissect.Tree, u Unit) []Unit {
	var out []Unit
	for _, src := range tree.Sources() {
		if number, ok := strings.CutPrefix(src.Name, sourceStream); ok && len(src.Data) > 0 {
			part := u
			part.Info = "stream " + number + ", " + fmt.Sprint(len(src.Data)) + " bytes"
			part.Data = append([]byte(nil), src.Data...)
			out = append(out, part)
		}
	}
	return out
}

// streams3 are the headers of HTTP/3 that a packet brings, line by line, and the pieces of bodies as they come.
func streams3(tree *dissect.Tree, u Unit) []Unit {
	var out []Unit
	for i := range tree.Nodes {
		if tree.Field(i).Name() != "http3.frame" {
			continue
		}
		stream := strings.TrimPrefix(tree.Sources()[tree.Nodes[i].Src].Name, "QUIC ")
		var head, body []byte
		for k := i + 1; k < tree.End(i); k++ {
			switch tree.Field(k).Name() {
			case "http3.headers.header.name":
				head = append(append(head, tree.Text(k)...), ": "...)
			case "http3.headers.header.value":
				head = append(append(head, tree.Text(k)...), "\r\n"...)
			case "http3.data":
				body = append(body, tree.Bytes(k)...)
			}
		}
		if len(head) > 0 {
			h := u
			h.Kind, h.Info, h.Data = "", stream+", header", append(head, "\r\n"...)
			out = append(out, h)
		}
		if len(body) > 0 {
			b := u
			b.Kind, b.Info, b.Data = "", fmt.Sprintf("%s, body, %d bytes", stream, len(body)), body
			out = append(out, b)
		}
	}
	return out
}
