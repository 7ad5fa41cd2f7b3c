package imap

import (
	"bytes"

	"remora/dissect"
)

// A session is what is known of a connection.
type session struct {
	begun     bool
	server    int
	asked     uint32
	waiting   map[string]question // by tag
	told      dissect.FrameNum    // the packet of the last line
	input     bool                // the client goes on with AUTHENTICATE or IDLE
	letters   uint8               // messages that the packet lettersIn has brought
	lettersIn dissect.FrameNum
	halves    [2]half
}

// A half is one direction: the literal within it.
type half struct {
	left    int  // bytes of the literal that are still to come
	mail    bool // it is a message
	goesOn  bool // the line behind a literal goes on with the command before
	parts   []dissect.Place
	size    int
	unknown bool
}

type question struct {
	number uint32
	verb   uint8
}

// A note is how a line, or a part of a literal, stands in its session.
type note struct {
	Server  bool
	Rest    bool // it goes on with the line before
	Input   bool
	Part    uint8
	Mail    bool
	Letters uint8 // messages in the packet so far
	TLS     bool
	Later   bool // another line of the packet was before
	Number  uint32
	First   uint32
	Count   uint32
	Size    uint32
}

const (
	noPart = iota
	partOf
	partLast
)

var (
	sessions = dissect.NewStore[session, note]()
	parts    = dissect.NewList[dissect.Place]()
)

const (
	maxWaiting = 1024
	maxTag     = 64
	maxParts   = 1 << 14
	maxSize    = 16 << 20
	maxLine    = 64 << 10
	maxLetters = 8 // of a packet that are counted
)

// begin finds out who is the server: who greets, else whose port is known.
func (s *session) begin(d *dissect.D, line []byte) {
	if s.begun {
		return
	}
	s.begun = true
	server := bytes.HasPrefix(line, []byte("* "))
	if dst := d.Dst.Port; server || (d.Src.Port == port || d.Src.Port == tlsPort) && dst != port && dst != tlsPort {
		s.server = d.Dir
	} else {
		s.server = 1 - d.Dir
	}
}

// literal is how many bytes of a literal are still to come in this direction.
func (s *session) literal(d *dissect.D) int { return s.halves[d.Dir&1].left }

// line takes a line into the session.
func (s *session) line(d *dissect.D, line []byte) (n note) {
	s.begin(d, line)
	h := &s.halves[d.Dir&1]
	text := bytes.TrimRight(line, "\r\n")
	n.Server, n.Rest, n.Later = d.Dir == s.server, h.goesOn, s.told == d.Frame
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
	s.asked++
	n.Number = s.asked
	if s.waiting == nil || len(s.waiting) >= maxWaiting {
		s.waiting = map[string]question{}
	}
	s.waiting[tag] = question{s.asked, verbOf(word)}
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
			*s = session{begun: true, server: s.server, asked: s.asked}
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
	n = note{Server: d.Dir == s.server, Part: partOf, Mail: h.mail}
	h.left -= min(h.left, len(b))
	if h.left == 0 && h.mail {
		s.letters, s.lettersIn = s.lettersOf(d)+1, d.Frame
	}
	n.Letters = s.lettersOf(d)
	places, ok := d.Stream().PlacesAt(d.Pos(), len(b))
	h.unknown = h.unknown || !ok || len(h.parts)+len(places) > maxParts || h.size+len(b) > maxSize
	h.size += len(b)
	if !h.unknown {
		h.parts = append(h.parts, places...)
	}
	if h.left > 0 {
		return n
	}
	n.Part = partLast
	if h.size > len(b) {
		n.Size = uint32(h.size)
	}
	if n.Size > 0 && !h.unknown {
		n.Count = uint32(len(h.parts))
		for _, r := range h.parts {
			if at := parts.Put(d, r); n.First == 0 {
				n.First = at
			}
		}
	}
	h.parts, h.size, h.unknown = nil, 0, false
	return n
}

// cut makes a message of the lines that are there, up to one that announces a literal, or of a part of a literal.
func cut(d *dissect.D, b []byte) int {
	if s := sessions.Peek(d); s != nil && s.literal(d) > 0 {
		return min(s.literal(d), len(b))
	}
	end := 0
	for p := (dissect.Progress{}); p.Up(end); {
		i := bytes.IndexByte(b[end:], '\n')
		if i < 0 {
			break
		}
		line := bytes.TrimRight(b[end:end+i], "\r\n")
		end += i + 1
		if _, ok := literalAt(line); ok {
			break
		}
	}
	if end == 0 && len(b) >= maxLine {
		return maxLine
	}
	return end
}
