package smtp

import (
	"bytes"

	"remora/dissect"
)

// A session is what is known of a connection.
type session struct {
	begun     bool
	server    int // the direction in which answers go
	asked     uint32
	waiting   []question // commands without an answer, oldest first
	input     bool       // the client's lines are a message, up to a dot alone
	midLine   bool       // its last part ended within a line
	chunk     int        // bytes of a BDAT chunk that are still to come
	last      bool       // the chunk is its message's last
	login     uint8      // what the client's next line is within AUTH
	method    uint8
	continued uint16 // the code of an answer that has more lines to come
	parts     []dissect.Place
	size      int
	unknown   bool // some part of the message cannot be named
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
	Server     bool
	Number     uint32 // of the command, or of that which the line answers
	Part       uint8  // it is a part of a message
	Login      uint8
	TLS        bool // the stream is TLS behind this line
	Continued  bool // an earlier line began the answer
	Unexpected bool
	First      uint32 // the message's parts
	Count      uint32
	Size       uint32
}

// The parts of messages.
const (
	noPart = iota
	partOf
	partLast    // ends with a dot alone
	partOfChunk // of BDAT
	partLastOfChunk
)

var (
	sessions = dissect.NewStore[session, note]()
	parts    = dissect.NewList[dissect.Place]()
)

// Limits of what a session remembers.
const (
	maxWaiting = 1024
	maxParts   = 1 << 14
	maxSize    = 16 << 20
)

// begin finds out who is the server: who greets with a code, else whose port is known, else whose line looks like an answer.
func (s *session) begin(d *dissect.D, line []byte) {
	if s.begun {
		return
	}
	s.begun = true
	code, _, ok := answer(line)
	mine, theirs := isPort(d.Src.Port), isPort(d.Dst.Port)
	if server := ok && code == 220 || mine && !theirs || mine == theirs && ok; server {
		s.server = d.Dir
	} else {
		s.server = 1 - d.Dir
	}
}

func isPort(p uint16) bool { return p == 25 || p == 465 || p == 587 }

// line takes a line into the session.
func (s *session) line(d *dissect.D, line []byte) (n note) {
	s.begin(d, line)
	if n.Server = d.Dir == s.server; n.Server {
		s.answer(line, &n)
		return n
	}
	if n.Login = s.login; n.Login != noLogin {
		if s.login = loginOther; n.Login == loginUser {
			s.login = loginPass
		}
		return n
	}
	word, rest := split(line)
	s.asked++
	n.Number = s.asked
	verb := verbOf(word)
	if len(s.waiting) < maxWaiting {
		s.waiting = append(s.waiting, question{s.asked, verb})
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
		s.asked++
		s.waiting[0] = question{s.asked, content}
		s.drop()
		return
	case q.verb == starttls && code == 220:
		*n = note{Server: true, Number: q.number, TLS: true}
		*s = session{begun: true, server: s.server, asked: s.asked}
		return
	}
	s.waiting = s.waiting[1:]
}

// drop forgets the parts of a message.
func (s *session) drop() { s.parts, s.size, s.unknown, s.midLine = nil, 0, false, false }

// part takes a part of a message, which is n bytes from the cursor on.
func (s *session) part(d *dissect.D, b []byte) (n note) {
	s.begin(d, b)
	size := len(b)
	if s.chunk > 0 {
		n.Part = partOfChunk
		if s.chunk -= min(s.chunk, size); s.chunk == 0 && s.last {
			n.Part = partLastOfChunk
		}
	} else if n.Part = partOf; dissect.DotEnds(b, s.midLine) {
		n.Part = partLast
		size -= len(dot)
		s.input = false
		if len(s.waiting) > 0 {
			n.Number = s.waiting[0].number
		}
	}
	s.midLine = !bytes.HasSuffix(b, []byte("\n"))
	places, ok := d.Stream().PlacesAt(d.Pos(), size)
	s.unknown = s.unknown || !ok || len(s.parts)+len(places) > maxParts || s.size+size > maxSize
	s.size += size
	if !s.unknown {
		s.parts = append(s.parts, places...)
	}
	if n.Part != partLast && n.Part != partLastOfChunk {
		return n
	}
	if !s.unknown && s.size > size {
		for _, r := range s.parts {
			if at := parts.Put(d, r); n.First == 0 {
				n.First = at
			}
		}
		n.Count, n.Size = uint32(len(s.parts)), uint32(s.size)
	} else if s.size > size {
		n.Size = uint32(s.size)
	}
	s.drop()
	return n
}

// mailing tells whether the client is in the middle of a message.
func (s *session) mailing(d *dissect.D) bool {
	return s.begun && d.Dir != s.server && (s.input || s.chunk > 0)
}
