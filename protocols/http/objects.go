package http

import (
	"path"
	"strings"

	"remora/dissect"
)

// objects are the bodies of requests and responses. They are named by the last part of the request's target, as in
// Wireshark.
var objects = &dissect.Objects{Name: proto.Name(), New: func(*dissect.Session) dissect.ObjectReader {
	f := &bodyFinder{}
	return f.read
}}

// A bodyFinder knows the requests that responses may answer.
type bodyFinder struct {
	asked dissect.BoundedMap[askedKey, target]
}

// An askedKey is the packet of a request, and its number in the connection.
type askedKey struct {
	frame  dissect.FrameNum
	number uint64
}

// A target is what a request asks for.
type target struct{ host, uri string }

// maxTargets bounds the requests that wait for their responses.
const maxTargets = 4096

// A bodyOf is what a message says of its body.
type bodyOf struct {
	dissect.Object
	target
	key    askedKey
	method bool // it is a request
	data   []byte
	found  bool
	broken bool // it cannot be unpacked
}

func (f *bodyFinder) read(t *dissect.Tree, add dissect.ObjectPart) {
	for i := range t.Nodes {
		if t.Field(i) != proto.Self() || t.IsQuoted(i) {
			continue
		}
		b := readBody(t, i)
		if b.method {
			*f.asked.Get(b.key, maxTargets) = b.target
		} else if of := f.asked.Find(b.key); of != nil {
			b.target = *of
		}
		if !b.found || b.broken || len(b.data) == 0 {
			continue
		}
		if b.Host = b.host; b.uri != "" {
			b.Name = path.Base(b.uri)
		}
		add(&b.Object, 0, b.data)
	}
}

// readBody reads the message whose protocol's node is given. Some of its fields stand behind a layer that it carries,
// such as a proof of who asks.
func readBody(t *dissect.Tree, at int) (b bodyOf) {
	b.Frame, b.key.frame = t.Frame, t.Frame
	for k := at + 1; k < len(t.Nodes); k++ {
		switch t.Field(k) {
		case proto.Self():
			return b
		case fMethod:
			b.method = true
		case fURI:
			b.uri = t.Text(k)
		case named["host"]:
			b.host = t.Text(k)
		case named["content-type"]:
			b.Type = strings.TrimSpace(t.Text(k))
		case fReqNo, fResNo:
			b.key.number = t.Nodes[k].Val
		case fReqIn:
			b.key.frame = dissect.FrameNum(t.Nodes[k].Val)
		case nInflate:
			b.broken = true
		case fData:
			if !b.found {
				b.data, b.found = t.Bytes(k), true
			}
		}
	}
	return b
}
