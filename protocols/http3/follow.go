package http3

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// followModes reads the headers that a packet brings, line by line, and the pieces of bodies as they come. It is that
// of HTTP, and the usual one: exchanges lie in each other's way.
var followModes = []dissect.FollowMode{{Name: "http", Opens: dissect.OpensCarried, Read: readFrames}}

func readFrames(t *dissect.Tree, add func(dissect.FollowPiece)) {
	for i := range t.Nodes {
		if t.Field(i) != fFrame {
			continue
		}
		stream := strings.TrimPrefix(t.Sources()[t.Nodes[i].Src].Name, "QUIC ")
		var head, body []byte
		for k := i + 1; k < t.End(i); k++ {
			switch t.Field(k) {
			case fHName:
				head = append(append(head, t.Text(k)...), ": "...)
			case fHValue:
				head = append(append(head, t.Text(k)...), "\r\n"...)
			case fData:
				body = append(body, t.Bytes(k)...)
			}
		}
		if len(head) > 0 {
			add(dissect.FollowPiece{Data: append(head, "\r\n"...), Info: stream + ", header"})
		}
		if len(body) > 0 {
			add(dissect.FollowPiece{Data: body, Info: fmt.Sprintf("%s, body, %d bytes", stream, len(body))})
		}
	}
}
