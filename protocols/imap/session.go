package imap

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/mail"
)

// A session is what is known of a connection.
type session struct {
	mail.Connection
	waiting   map[string]question // by tag
	told      dissect.FrameNum    // the packet of the last line
	input     bool                // the client goes on with AUTHENTICATE or IDLE
	letters   uint8               // messages that the packet lettersIn has brought
	lettersIn dissect.FrameNum
	halves    [2]half
}

// A half is one direction: the literal within it.
type half struct {
	left   int  // bytes of the literal that are still to come
	mail   bool // it is a message
	goesOn bool // the line behind a literal goes on with the command before
	body   mail.Body
}

type question struct {
	number uint32
	verb   uint8
}

// A note is how a line, or a part of a literal, stands in its session.
type note struct {
	mail.Note
	Rest    bool // it goes on with the line before
	Input   bool
	Mail    bool
	Letters uint8 // messages in the packet so far
	Later   bool  // another line of the packet was before
}

var sessions = dissect.NewStore[session, note]()

const (
	maxWaiting = 1024
	maxTag     = 64
	maxLine    = 64 << 10
	maxLetters = 8 // of a packet that are counted
)

// take takes a line, or a part of a literal, into the session.
func take(d *dissect.D, s *session, whole, line []byte) note {
	if s.literal(d) > 0 {
		return s.part(d, whole)
	}
	return s.line(d, line)
}

// literal is how many bytes of a literal are still to come in this direction.
func (s *session) literal(d *dissect.D) int { return s.halves[d.Dir&1].left }

// line takes a line into the session.
func (s *session) line(d *dissect.D, line []byte) (n note) {
	s.Begin(d, bytes.HasPrefix(line, []byte("* ")), ports)
	h := &s.halves[d.Dir&1]
	text := bytes.TrimRight(line, "\r\n")
	n.Server, n.Rest, n.Later = s.FromServer(d), h.goesOn, s.told == d.Frame
	n.Letters = s.lettersOf(d)
	s.told = d.Frame
	h.left, h.mail, h.goesOn = 0, false, false
	if size, ok := literalAt(text); ok {
		h.left, h.goesOn = size, true
		h.mail = isMail(text)
	}
	if n.Rest {
		return n
	}
	tag, rest, _ := bytes.Cut(text, []byte{' '})
	switch {
	case n.Server:
		s.answer(string(tag), rest, &n)
	case s.input:
		n.Input = true
	case len(tag) > 0 && len(tag) <= maxTag:
		s.ask(string(tag), rest, &n)
	}
	return n
}

// ask remembers a command.
func (s *session) ask(tag string, rest []byte, n *note) {
	word, _, _ := bytes.Cut(rest, []byte{' '})
	n.Number = s.Ask()
	if s.waiting == nil || len(s.waiting) >= maxWaiting {
		s.waiting = map[string]question{}
	}
	s.waiting[tag] = question{n.Number, commands.Kind(word)}
}

// answer takes the first line of an answer.
func (s *session) answer(tag string, rest []byte, n *note) {
	if tag == "+" {
		for _, q := range s.waiting {
			verb := kinds[uint64(q.verb)]
			s.input = s.input || verb == "AUTHENTICATE" || verb == "IDLE"
		}
		return
	}
	q, ok := s.waiting[tag]
	if !ok {
		return
	}
	delete(s.waiting, tag)
	n.Number = q.number
	switch kinds[uint64(q.verb)] {
	case "AUTHENTICATE", "IDLE":
		s.input = false
	case "STARTTLS":
		if n.TLS = bytes.HasPrefix(rest, []byte("OK")); n.TLS {
			*s = session{Connection: s.Connection}
		}
	}
}

// literalAt reads the announcement of a literal at the end of a line: {12}, or {12+} which does not wait (RFC 7888).
func literalAt(text []byte) (size int, ok bool) {
	open := bytes.LastIndexByte(text, '{')
	if open < 0 || text[len(text)-1] != '}' {
		return 0, false
	}
	number := bytes.TrimRight(text[open+1:len(text)-1], "+-")
	if len(number) == 0 || len(number) > 9 {
		return 0, false
	}
	for _, c := range number {
		if c < '0' || c > '9' {
			return 0, false
		}
		size = size*10 + int(c-'0')
	}
	return size, true
}

// isMail tells whether the literal behind a line is a message: what FETCH brings of one, or APPEND stores.
func isMail(text []byte) bool {
	upper := bytes.ToUpper(text)
	for _, what := range [...]string{"BODY[] {", "BODY[]<0> {", "BODY[HEADER", "RFC822 {", "RFC822.HEADER {", " APPEND "} {
		if bytes.Contains(upper, []byte(what)) {
			return true
		}
	}
	return false
}

// lettersOf is how many messages the packet has brought.
func (s *session) lettersOf(d *dissect.D) uint8 {
	if s.lettersIn != d.Frame {
		return 0
	}
	return min(s.letters, maxLetters)
}

// part takes a part of a literal, which b is.
func (s *session) part(d *dissect.D, b []byte) (n note) {
	h := &s.halves[d.Dir&1]
	if d.Stream().Cut() { // a mail with holes is none
		h.mail = false
	}
	n.Server, n.Part, n.Mail = s.FromServer(d), mail.OnePart, h.mail
	if h.left -= min(h.left, len(b)+d.Missing()); h.left == 0 {
		n.Part = mail.LastPart
		if h.mail {
			s.letters, s.lettersIn = s.lettersOf(d)+1, d.Frame
		}
	}
	n.Letters = s.lettersOf(d)
	n.Whole = h.body.Add(d, len(b), n.Part == mail.LastPart)
	return n
}

// cut makes a message of the lines that are there, up to one that announces a literal, or of a part of a literal.
func cut(d *dissect.D, b []byte) int {
	if s := sessions.Peek(d); s != nil && s.literal(d) > 0 {
		return min(s.literal(d), len(b))
	}
	return mail.Cut(b, maxLine, func(line []byte) bool {
		_, ok := literalAt(bytes.TrimRight(line, "\r\n"))
		return ok
	})
}
