package pop

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/mail"
)

// A session is what is known of a connection.
type session struct {
	mail.Connection
	waiting   []question
	listing   bool             // the server's lines go on up to a dot alone
	fetched   bool             // what they are is a message
	lastFrame dissect.FrameNum // the packet of the last line
	input     bool             // the client's next line goes on with AUTH
	body      mail.Body
}

// A question is a command that waits for its answer.
type question struct {
	number     uint32
	verb       uint8
	parameters bool
}

// A note is how a line, or a part of a message, stands in its session.
type note struct {
	mail.Note
	Data  bool // it goes on with what was said before
	Quiet bool // the packet's first line is in the Info column
}

var sessions = dissect.NewStore[session, note]()

const (
	maxWaiting = 1024
	maxLine    = 16 << 10
)

func (s *session) fetching(d *dissect.D) bool { return s.FromServer(d) && s.listing && s.fetched }

// take takes a line, or a part of a message, into the session.
func take(d *dissect.D, s *session, whole, line []byte) note {
	if s.fetching(d) {
		return s.part(d, whole)
	}
	return s.line(d, line)
}

// line takes a line into the session.
func (s *session) line(d *dissect.D, line []byte) (n note) {
	s.Begin(d, bytes.HasPrefix(line, []byte("+OK")) || bytes.HasPrefix(line, []byte("-ERR")), ports)
	text := bytes.TrimRight(line, "\r\n")
	n.Server, n.Quiet = s.FromServer(d), s.lastFrame == d.Frame
	s.lastFrame = d.Frame
	switch {
	case n.Server && s.listing:
		n.Data = true
		s.listing = string(text) != "."
	case n.Server:
		s.answer(text, &n)
	case s.input:
		n.Data, s.input = true, false
	default:
		word, rest, _ := bytes.Cut(text, []byte{' '})
		n.Number = s.Ask()
		if len(s.waiting) < maxWaiting {
			s.waiting = append(s.waiting, question{n.Number, commands.Kind(word), len(rest) > 0})
		}
	}
	return n
}

// answer takes the first line of an answer.
func (s *session) answer(text []byte, n *note) {
	ok := bytes.HasPrefix(text, []byte("+OK"))
	if len(s.waiting) == 0 {
		return
	}
	if !ok && bytes.HasPrefix(text, []byte("+")) { // AUTH asks for more
		s.input = true
		return
	}
	q := s.waiting[0]
	s.waiting, s.input = s.waiting[1:], false
	n.Number = q.number
	if !ok {
		return
	}
	switch verb := kinds[uint64(q.verb)]; verb {
	case "RETR", "TOP":
		s.listing, s.fetched = true, true
	case "CAPA":
		s.listing, s.fetched = true, false
	case "LIST", "UIDL", "AUTH", "LANG":
		s.listing, s.fetched = !q.parameters, false
	case "STLS":
		n.TLS = true
		*s = session{Connection: s.Connection, lastFrame: s.lastFrame}
	}
}

// part takes a part of a message, which b is.
func (s *session) part(d *dissect.D, b []byte) (n note) {
	n.Server, n.Quiet = true, s.lastFrame == d.Frame
	n.Part, n.Whole = s.body.AddDot(d, b)
	s.listing = n.Part != mail.LastPart
	return n
}

// cut makes a message of the lines that are there, or of a part of what is fetched.
func cut(d *dissect.D, b []byte) int {
	s := sessions.Peek(d)
	if s != nil && s.fetching(d) {
		return s.body.CutDot(b)
	}
	return mail.Cut(b, maxLine, func([]byte) bool { // a message may begin behind each answer
		return s != nil && s.FromServer(d) && len(s.waiting) > 0 && !s.listing
	})
}
