package http2

import (
	"fmt"

	"remora/dissect"
)

// followModes reads the headers that a packet completes, line by line, and the bodies, put together and unpacked. It is
// that of HTTP, and the usual one: exchanges lie in each other's way.
var followModes = []dissect.FollowMode{{Name: "http", Opens: dissect.OpensCarried, Read: readFrames}}

func readFrames(t *dissect.Tree, add func(dissect.FollowPiece)) {
	for i := range t.Nodes {
		if t.Field(i) != proto.Self() || t.IsQuoted(i) {
			continue
		}
		f := readFrame(t, i)
		if len(f.head) > 0 {
			add(dissect.FollowPiece{Data: append(f.head, "\r\n"...), Info: fmt.Sprintf("stream %d, header", f.stream)})
		}
		if f.ends && len(f.body) > 0 {
			add(dissect.FollowPiece{Data: f.body, Info: fmt.Sprintf("stream %d, body, %d bytes", f.stream, len(f.body))})
		}
	}
}

// A readable is what one frame brings to be read.
type readable struct {
	stream uint64
	head   []byte
	body   []byte // the last form of it that is shown: put together and unpacked
	ends   bool
}

// readFrame reads the frame whose protocol's node is given.
func readFrame(t *dissect.Tree, at int) (f readable) {
	for k := at + 1; k < t.End(at); k++ {
		switch t.Field(k) {
		case fStreamID:
			f.stream = t.Nodes[k].Val
		case fName:
			f.head = append(append(f.head, t.Bytes(k)...), ": "...)
		case fValue:
			f.head = append(append(f.head, t.Bytes(k)...), "\r\n"...)
		case fData:
			f.body = t.Bytes(k)
		case fEnd:
			f.ends = f.ends || t.Nodes[k].Val != 0
		}
	}
	return f
}
