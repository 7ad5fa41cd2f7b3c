package follow

import (
	"fmt"

	"remora/dissect"
)

// streams are the headers of HTTP/2 that a packet completes, line by line, and the bodies, put together and unpacked.
func streams(tree *dissect.Tree, u Unit) []Unit {
	var out []Unit
	for i := range tree.Nodes {
		if f := tree.Field(i); f.Name() != "http2" || f.Type() != dissect.TypeProtocol || tree.IsQuoted(i) {
			continue
		}
		f := readFrame(tree, i)
		if len(f.head) > 0 {
			head := u
			head.Kind, head.Info = "", fmt.Sprintf("stream %d, header", f.stream)
			head.Data = append(f.head, "\r\n"...)
			out = append(out, head)
		}
		if f.ends && len(f.body) > 0 {
			body := u
			body.Kind, body.Info = "", fmt.Sprintf("stream %d, body, %d bytes", f.stream, len(f.body))
			body.Data = f.body
			out = append(out, body)
		}
	}
	return out
}

// A streamFrame is what one frame of HTTP/2 brings.
type streamFrame struct {
	stream uint64
	head   []byte
	body   []byte // the last form of it that is shown: put together and unpacked
	ends   bool
}

// readFrame reads the frame whose protocol's node is given.
func readFrame(tree *dissect.Tree, at int) (f streamFrame) {
	for k := at + 1; k < tree.End(at); k++ {
		switch tree.Field(k).Name() {
		case "http2.streamid":
			f.stream = tree.Nodes[k].Val
		case "http2.header.name":
			f.head = append(append(f.head, tree.Bytes(k)...), ": "...)
		case "http2.header.value":
			f.head = append(append(f.head, tree.Bytes(k)...), "\r\n"...)
		case "http2.data.data":
			f.body = append([]byte(nil), tree.Bytes(k)...)
		case "http2.flags.end_stream":
			f.ends = f.ends || tree.Nodes[k].Val != 0
		}
	}
	return f
}
