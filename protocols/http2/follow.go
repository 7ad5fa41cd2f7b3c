package http2

import (
	"fmt"

	"remora/dissect"
)

// followModes reads the headers that a packet completes, line by line, and the bodies, put together and unpacked. It is
// that of HTTP, and the usual one: exchanges lie in each other's way.
var followModes = []dissect.FollowMode{{Name: "http", Opens: dissect.OpensCarried, Read: readFrames},
	{Name: proto.Name(), Transport: dissect.TableTCP, Sub: fStreamID,
		Read:    func(t *dissect.Tree, add func(dissect.FollowPiece)) { eachFrame(t, nil, add) },
		ReadSub: func(t *dissect.Tree, sub uint64, add func(dissect.FollowPiece)) { eachFrame(t, &sub, add) }}}

// eachFrame reads the frames of a packet, of one stream or of all: headers as they are without compression, others as
// they came.
func eachFrame(t *dissect.Tree, sub *uint64, add func(dissect.FollowPiece)) {
	for i := range t.Nodes {
		if t.Field(i) != fStreamID || t.IsQuoted(i) || sub != nil && t.Nodes[i].Val != *sub {
			continue
		}
		frame := t.Parent(i)
		b := frameBytes(t, frame)
		if len(b) > 0 {
			add(dissect.FollowPiece{Data: b, Info: fmt.Sprintf("stream %d", t.Nodes[i].Val), Typed: true})
		}
	}
}

// frameBytes is what there is to read of a frame; nothing of a header whose end comes later.
func frameBytes(t *dissect.Tree, at int) []byte {
	header := false
	for k := at + 1; k < t.End(at); k++ {
		switch f := t.Field(k); f {
		case fHeader:
			return t.Source(t.Nodes[k].Src)
		case fHeaders, fPromise, fContinued:
			header = true
		}
	}
	if header {
		return nil
	}
	n := t.Nodes[at]
	all := t.Source(n.Src)
	return all[min(int(n.Off), len(all)):min(int(n.Off+n.Len), len(all))]
}

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
