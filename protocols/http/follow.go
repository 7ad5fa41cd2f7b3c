package http

import (
	"strconv"

	"remora/dissect"
)

// followModes reads the messages that a packet completes: of each its header, and its body, put together and unpacked.
var followModes = []dissect.FollowMode{{Name: proto.Name(), Read: readMessages}}

func readMessages(t *dissect.Tree, add func(dissect.FollowPiece)) {
	for i, n := range t.Nodes {
		if t.Field(i) != proto.Self() || t.IsQuoted(i) {
			continue
		}
		all := t.Source(n.Src)
		from, to := int(n.Off), min(int(n.Off+n.Len), len(all))
		body, found := []byte(nil), false
		for k := i + 1; k < t.End(i); k++ {
			switch t.Field(k) {
			case fData:
				if !found {
					body, found = t.Bytes(k), true
				}
			case fChunked, fPacked:
			default:
				continue
			}
			if child := t.Nodes[k]; child.Src == n.Src && int(child.Off) >= from {
				to = min(to, int(child.Off))
			}
		}
		if from >= to {
			continue
		}
		add(dissect.FollowPiece{Data: all[from:to]})
		if len(body) > 0 {
			add(dissect.FollowPiece{Data: body, Info: "body, " + strconv.Itoa(len(body)) + " bytes"})
		}
	}
}
