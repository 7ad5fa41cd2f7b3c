package http3

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/httpbody"
	"remora/protocols/internal/texts"
)

var (
	entities, joined = httpbody.Declare(proto, fData)
	pieces           = dissect.NewList[httpbody.Piece]()
	bodies           = dissect.NewStore[messages, bodyNote]()
)

// messages are the bodies that the first pass knows of.
type messages struct {
	all dissect.BoundedMap[messageKey, message]
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
	Media   texts.Text
	Packing texts.Text
}

// Limits: of the messages whose bodies are waited for, and of the words for what a body is.
const (
	maxMessages = 4096
	maxMedia    = 1024
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
func (m *message) learn(f field) {
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

// data reads a DATA frame: a part of a body, or all of it. Bytes that came before belong to no further body. The Info
// column goes on telling of frames and streams, as Wireshark's does.
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
		d.Links().ShowForward(joined.In)
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
		n = bodyNote{Whole: true, Parts: m.body.Last, Media: texts.Keep(d, m.media), Packing: texts.Keep(d, m.packing)}
	}
	s.all.Drop(k)
	return n
}

// entity finds out who reads a body.
func (n bodyNote) entity(d *dissect.D) httpbody.Entity {
	return httpbody.Open(d, &entities, []byte(n.Media.String(d)), n.Packing.String(d))
}
