package pop

import (
	"bytes"

	"remora/dissect"
)

// A session is what is known of a connection.
type session struct {
	begun   bool
	server  int
	asked   uint32
	waiting []question
	listing bool // the server's lines go on up to a dot alone
	fetched bool // what they are is a message
	midLine bool
	told    dissect.FrameNum // the packet of the last line
	input   bool             // the client's next line goes on with AUTH
	parts   []dissect.Place
	size    int
	unknown bool
}

// A question is a command that waits for its answer.
type question struct {
	number     uint32
	verb       uint8
	parameters bool
}

// A note is how a line, or a part of a message, stands in its session.
type note struct {
	Server bool
	Data   bool // it goes on with what was said before
	Part   uint8
	TLS    bool
	Quiet  bool // the packet's first line is in the Info column
	Number uint32
	First  uint32
	Count  uint32
	Size   uint32
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
	maxParts   = 1 << 14
	maxSize    = 16 << 20
	maxLine    = 16 << 10
	dot        = ".\r\n"
)

// begin finds out who is the server: who greets, else whose port is known.
func (s *session) begin(d *dissect.D, line []byte) {
	if s.begun {
		return
	}
	s.begun = true
	server := bytes.HasPrefix(line, []byte("+OK")) || bytes.HasPrefix(line, []byte("-ERR"))
	if dst := d.Dst.Port; server || (d.Src.Port == port || d.Src.Port == tlsPort) && dst != port && dst != tlsPort {
		s.server = d.Dir
	} else {
		s.server = 1 - d.Dir
	}
}

func (s *session) fetching(d *dissect.D) bool {
	return s.begun && d.Dir == s.server && s.listing && s.fetched
}

// line takes a line into the session.
func (s *session) line(d *dissect.D, line []byte) (n note) {
	s.begin(d, line)
	text := bytes.TrimRight(line, "\r\n")
	n.Server, n.Quiet = d.Dir == s.server, s.told == d.Frame
	s.told = d.Frame
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
		s.asked++
		n.Number = s.asked
		if len(s.waiting) < maxWaiting {
			s.waiting = append(s.waiting, question{s.asked, verbOf(word), len(rest) > 0})
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
		*s = session{begun: true, server: s.server, asked: s.asked, told: s.told}
	}
}

// part takes a part of a message, which b is.
func (s *session) part(d *dissect.D, b []byte) (n note) {
	n = note{Server: true, Part: partOf, Quiet: s.told == d.Frame}
	size := len(b)
	if dissect.DotEnds(b, s.midLine) {
		n.Part = partLast
		size -= len(dot)
		s.listing = false
	}
	s.midLine = !bytes.HasSuffix(b, []byte("\n"))
	places, ok := d.Stream().PlacesAt(d.Pos(), size)
	s.unknown = s.unknown || !ok || len(s.parts)+len(places) > maxParts || s.size+size > maxSize
	s.size += size
	if !s.unknown {
		s.parts = append(s.parts, places...)
	}
	if n.Part != partLast {
		return n
	}
	if s.size > size {
		n.Size = uint32(s.size)
	}
	if n.Size > 0 && !s.unknown {
		n.Count = uint32(len(s.parts))
		for _, r := range s.parts {
			if at := parts.Put(d, r); n.First == 0 {
				n.First = at
			}
		}
	}
	s.parts, s.size, s.unknown, s.midLine = nil, 0, false, false
	return n
}

// cut makes a message of the lines that are there, or of a part of what is fetched.
func cut(d *dissect.D, b []byte) int {
	s := sessions.Peek(d)
	if s != nil && s.fetching(d) {
		return dissect.DotPart(b, s.midLine)
	}
	end := 0
	if s != nil && s.begun && d.Dir == s.server && len(s.waiting) > 0 && !s.listing { // a message may begin behind each answer
		end = bytes.IndexByte(b, '\n') + 1
	} else {
		end = bytes.LastIndexByte(b, '\n') + 1
	}
	if end == 0 && len(b) >= maxLine {
		return maxLine
	}
	return end
}
