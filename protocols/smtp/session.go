package smtp

import (
	"slices"

	"remora/dissect"
	"remora/protocols/internal/mail"
)

// A session is what is known of a connection.
type session struct {
	mail.Connection
	waiting   []question // commands without an answer, oldest first
	input     bool       // the client's lines are a message, up to a dot alone
	chunk     int        // bytes of a BDAT chunk that are still to come
	last      bool       // the chunk is its message's last
	login     uint8      // what the client's next line is within AUTH
	method    uint8
	continued uint16 // the code of an answer that has more lines to come
	body      mail.Body
}

// A question is a command that waits for its answer.
type question struct {
	number uint32
	verb   uint16
}

// The lines of AUTH.
const (
	noLogin = iota
	loginUser
	loginPass
	loginPlain
	loginOther
)

// A note is how one line, or part of a message, stands in its session.
type note struct {
	mail.Note
	Dot        bool // the part ends with a dot alone
	Login      uint8
	Continued  bool // an earlier line began the answer
	Unexpected bool
}

var sessions = dissect.NewStore[session, note]()

// maxWaiting bounds the commands that wait for an answer.
const maxWaiting = 1024

// begin finds out who is the server: who greets with a code, else whose port is known, else whose line looks like an
// answer.
func (s *session) begin(d *dissect.D, line []byte) {
	code, _, ok := answer(line)
	open := slices.Contains(ports, d.Src.Port) == slices.Contains(ports, d.Dst.Port)
	s.Begin(d, ok && (code == 220 || open), ports)
}

// take takes a line, or a part of a message, into the session.
func take(d *dissect.D, s *session, whole, line []byte) note {
	if s.mailing(d) {
		return s.part(d, whole)
	}
	return s.line(d, line)
}

// line takes a line into the session.
func (s *session) line(d *dissect.D, line []byte) (n note) {
	s.begin(d, line)
	if n.Server = s.FromServer(d); n.Server {
		s.answer(line, &n)
		n.Unexpected = n.Unexpected && !d.Stream().Cut()
		return n
	}
	if n.Login = s.login; n.Login != noLogin {
		if s.login = loginOther; n.Login == loginUser {
			s.login = loginPass
		}
		return n
	}
	word, rest := split(line)
	n.Number = s.Ask()
	verb := verbOf(word)
	if len(s.waiting) < maxWaiting {
		s.waiting = append(s.waiting, question{n.Number, verb})
	}
	switch verb {
	case auth:
		s.method = methodOf(rest)
	case bdat:
		s.chunk, s.last = chunkOf(rest)
	}
	return n
}

// answer takes a line of the server.
func (s *session) answer(line []byte, n *note) {
	code, more, ok := answer(line)
	if !ok {
		return
	}
	n.Continued = s.continued == code
	n.Unexpected = s.continued != 0 && s.continued != code
	if s.continued = 0; more {
		s.continued = code
		return
	}
	if len(s.waiting) == 0 {
		return
	}
	q := s.waiting[0]
	n.Number = q.number
	switch {
	case q.verb == auth && code == 334:
		if s.login == noLogin {
			s.login = s.method
		}
		return // the command has no answer yet
	case q.verb == auth:
		s.login = noLogin
	case q.verb == data && code == 354:
		s.input = true // the command's answer; another will follow the message
		s.waiting[0] = question{s.Ask(), content}
		s.body = mail.Body{}
		return
	case q.verb == starttls && code == 220:
		*n = note{Note: mail.Note{Server: true, Number: q.number, TLS: true}}
		*s = session{Connection: s.Connection}
		return
	}
	s.waiting = s.waiting[1:]
}

// part takes a part of a message, which b is.
func (s *session) part(d *dissect.D, b []byte) (n note) {
	if s.chunk > 0 {
		n.Part = mail.OnePart
		if s.chunk -= min(s.chunk, len(b)); s.chunk == 0 && s.last {
			n.Part = mail.LastPart
		}
		n.Whole = s.body.Add(d, len(b), n.Part == mail.LastPart)
		return n
	}
	if n.Part, n.Whole = s.body.AddDot(d, b); n.Part == mail.LastPart {
		n.Dot, s.input = true, false
		if len(s.waiting) > 0 {
			n.Number = s.waiting[0].number
		}
	}
	return n
}

// mailing tells whether the client is in the middle of a message.
func (s *session) mailing(d *dissect.D) bool { return s.FromClient(d) && (s.input || s.chunk > 0) }
