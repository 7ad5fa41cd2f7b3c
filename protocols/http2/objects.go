package http2

import (
	"path"

	"remora/dissect"
)

// objects are the bodies of requests and answers, named by the last part of the request's path as those of HTTP are.
var objects = &dissect.Objects{Name: proto.Name(), New: func(*dissect.Session) dissect.ObjectReader {
	f := &bodyFinder{}
	return f.read
}}

// A bodyFinder knows the exchanges whose bodies may come.
type bodyFinder struct {
	exchanges dissect.BoundedMap[exchangeKey, said]
}

type exchangeKey struct{ conversation, stream uint32 }

// said is what the headers of an exchange say of its bodies.
type said struct {
	host, path string
	media      [2]string // by the direction
	begun      [2]bool   // parts of the body came before
}

func (f *bodyFinder) read(t *dissect.Tree, add dissect.ObjectPart) {
	if t.Conv == nil {
		return
	}
	for i := range t.Nodes {
		if t.Field(i) == proto.Self() && !t.IsQuoted(i) {
			f.frame(t, i, add)
		}
	}
}

// frame reads the frame whose protocol's node is given. The last form of a body that is shown is that put together and
// unpacked.
func (f *bodyFinder) frame(t *dissect.Tree, at int, add dissect.ObjectPart) {
	var x *said
	var body []byte
	whole, ends := false, false
	for k := at + 1; k < t.End(at); k++ {
		switch t.Field(k) {
		case fStreamID:
			x = f.exchanges.Get(exchangeKey{t.Conv.ID, uint32(t.Nodes[k].Val)}, maxStreams)
		case fEnd:
			ends = ends || t.Nodes[k].Val != 0
		case fData:
			body = t.Bytes(k)
		case joined.Group:
			whole = true
		}
		if x != nil {
			x.learn(t, k)
		}
	}
	if body == nil || x == nil {
		return
	}
	if begun := &x.begun[t.Dir&1]; !ends || *begun && !whole {
		*begun = true
		return
	}
	o := &dissect.Object{Frame: t.Frame, Host: x.host, Type: x.media[t.Dir&1]}
	if x.path != "" {
		o.Name = path.Base(x.path)
	}
	add(o, 0, body)
}

// learn takes a line of a header.
func (x *said) learn(t *dissect.Tree, k int) {
	switch t.Field(k) {
	case named[":path"]:
		x.path = t.Text(k)
	case named[":authority"]:
		x.host = t.Text(k)
	case named["content-type"]:
		x.media[t.Dir&1] = t.Text(k)
	}
}
