package http3

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/httpbody"
)

// tableUntyped is empty: bodies without a media type are data.
const tableUntyped dissect.Table = "http3.untyped"

var (
	fFragments = proto.Group("body.fragments", "Body fragments", "The frames that the body came in.").Summary("[{http3.body.fragment.count} Body fragments ({http3.body.reassembled.length} bytes)]")
	fFragment  = proto.FrameRef("body.fragment", "Body fragment", "A packet with a part of the body.")
	fFragCount = proto.Uint32("body.fragment.count", "Body fragment count", "How many parts the body came in.").Derived()
	fTotal     = proto.Uint32("body.reassembled.length", "Reassembled body length", "Length of the body.").Derived()
	fBody      = proto.Bytes("body.reassembled.data", "Reassembled body data", "The body.").Derived()
	fWholeIn   = proto.FrameRef("body.reassembled.in", "Reassembled body in frame", "The packet in which the body ends.")
	fPacked    = proto.Bytes("data.encoded", "Content-encoded entity body", "The body as it is packed.")
	nInflate   = proto.Expert("body_decompression_failed", dissect.Warn, "Body decompression failed")
	nBomb      = proto.Expert("body_decompression_large", dissect.Warn, "The body is too large: its beginning is shown")
)

// What a body is shown by, and what puts it together.
var (
	entities = httpbody.Fields{Data: fData, Packed: fPacked, Broken: nInflate, Large: nBomb, Untyped: tableUntyped}
	joined   = httpbody.Joined{Group: fFragments, Part: fFragment, Count: fFragCount, Size: fTotal, Bytes: fBody, In: fWholeIn}
	pieces   = dissect.NewList[httpbody.Piece]()
	bodies   = dissect.NewStore[messages, bodyNote]()
)

// messages are the bodies that the first pass knows of, and the words for what they are, which repeat a lot.
type messages struct {
	all   dissect.BoundedMap[messageKey, message]
	words map[string]text
}

type messageKey struct {
	link   uint32
	server bool
	stream uint64
}

// A message is a request or an answer of which the body may come.
type message struct {
	media   string
	packing string
	length  int // as the header tells it, -1 where it does not
	body    httpbody.Body
}

// A bodyNote is what the last frame of a body leaves for re-dissections.
type bodyNote struct {
	Whole   bool
	Parts   uint32 // the last of its pieces, 0 where it is all in this frame
	Media   text
	Packing text
}

// Limits: of the messages whose bodies are waited for, of the words for what a body is, and of the words that are kept to
// be found again.
const (
	maxMessages = 4096
	maxMedia    = 1024
	maxWords    = 1024
)

func (r *reader) messageKey() messageKey { return messageKey{r.link, r.server, r.place.stream} }

// announce keeps what a header says of the body behind it. A header behind a body says nothing more of it.
func (r *reader) announce() {
	if r.again {
		return
	}
	bodies.FirstPassIn(r.d, func(s *messages) (n bodyNote) {
		if m := s.all.Get(r.messageKey(), maxMessages); m.body.Size == 0 {
			*m = r.said
		}
		return n
	})
}

// say takes a field of a header that says something of the body.
func (m *message) say(f field) {
	switch f.name {
	case "content-type":
		m.media = f.value
	case "content-encoding":
		m.packing = strings.ToLower(f.value)
	case "content-length":
		if n, err := strconv.Atoi(f.value); err == nil {
			m.length = n
		}
	}
}

// data reads a DATA frame: a part of a body, or all of it. Bytes that came before belong to no further body. The Info column
// goes on telling of frames and streams, as Wireshark's does.
func (r *reader) data() {
	d := r.d
	size, last := d.Left(), r.ends && r.last
	var n bodyNote
	if !r.again {
		n = bodies.FirstPassIn(d, func(s *messages) bodyNote { return s.data(d, r.messageKey(), size, last) })
	}
	switch {
	case n.Whole && n.Parts == 0:
		e := n.entity(d)
		d.Info().Suppress(func() { e.Show(d.Data()) })
	case n.Whole:
		e := n.entity(d)
		d.Rest(fData)
		d.Info().Suppress(func() { e.ShowJoined(&pieces, n.Parts, &joined, d.WantedOf(proto)) })
	default:
		d.Rest(fData)
		d.Links().ShowForward(fWholeIn)
	}
}

// data takes a part of a body. It ends where the stream does, or where the header said.
func (s *messages) data(d *dissect.D, k messageKey, size int, last bool) (n bodyNote) {
	m := s.all.Find(k)
	if m == nil || size == 0 && !last {
		return n
	}
	last = last || m.length >= 0 && m.body.Size+size >= m.length
	m.body.Add(d, &pieces, d.Pos(), size, last)
	if !last {
		return n
	}
	if m.body.Whole() && len(m.media) <= maxMedia && len(m.packing) <= maxMedia {
		n = bodyNote{Whole: true, Parts: m.body.Last, Media: s.word(d, m.media), Packing: s.word(d, m.packing)}
	}
	s.all.Drop(k)
	return n
}

// word puts a word on the shelf of texts, or finds it there.
func (s *messages) word(d *dissect.D, w string) text {
	t, ok := s.words[w]
	if ok || w == "" {
		return t
	}
	if s.words == nil || len(s.words) >= maxWords {
		s.words = map[string]text{}
	}
	t = put(d, w)
	s.words[w] = t
	return t
}

// entity finds out who reads a body; the last frame of it may be empty.
func (n bodyNote) entity(d *dissect.D) httpbody.Entity {
	at := d.Pos()
	if d.Left() == 0 {
		d.Seek(max(0, at-1))
		defer d.Seek(at)
	}
	return httpbody.Open(d, &entities, []byte(n.Media.string(d)), n.Packing.string(d))
}
