package ftp

import (
	"bytes"
	"path"

	"remora/dissect"
)

// A session is what is known of a control connection.
type session struct {
	begun     bool
	server    int // the direction in which answers go
	asked     uint32
	waiting   []question // commands without an answer, oldest first
	continued uint64     // the code of an answer that has more lines to come
	dir       string
	dirNumber uint32
	private   bool // files go through TLS
	ends      [2]dissect.Endpoint
	setup     dissect.FrameNum // where the ends were told, 0 once they are used
}

// A question is a command that waits for its answer.
type question struct {
	number uint32
	verb   string
	arg    string
}

// A note is how a line stands in its session.
type note struct {
	Server    bool
	Within    bool   // a line inside a longer answer
	Number    uint32 // of the command, or of that which the line answers
	Bad       bool   // it should say where, and does not
	Announces bool   // it says where a file will pass
	Setup     dissect.FrameNum
	Dir       uint32 // the working directory, in its list
	BadDir    bool
	TLS       bool // the stream is TLS behind this line
}

// A directory is a path in its list, cut off where it is too long.
type directory struct {
	size uint8
	text [255]byte
}

func (p directory) String() string { return string(p.text[:p.size]) }

var (
	sessions = dissect.NewStore[session, note]()
	dirs     = dissect.NewList[directory]()
)

const (
	maxWaiting = 256
	maxArg     = 255
)

// A line is one line under dissection.
type line struct {
	d         *dissect.D
	at, whole int
	text      []byte
	note      note
	ends      [2]dissect.Endpoint // in the first pass, where a file will pass
	private   bool
}

// begin finds out who is the server: who greets, else whose port is known, else whose line looks like an answer.
func (s *session) begin(d *dissect.D, text []byte) {
	if s.begun {
		return
	}
	s.begun = true
	code, _, ok := answerCode(text)
	mine, theirs := d.Src.Port == port || d.Src.Port == tlsPort, d.Dst.Port == port || d.Dst.Port == tlsPort
	if server := ok && code == 220 || mine && !theirs || mine == theirs && ok; server {
		s.server = d.Dir
	} else {
		s.server = 1 - d.Dir
	}
}

// pass takes the line into the session.
func (l *line) pass(s *session) (n note) {
	s.begin(l.d, l.text)
	if n.Server = l.d.Dir == s.server; n.Server {
		l.passAnswer(s, &n)
	} else {
		l.passRequest(s, &n)
	}
	n.Dir = s.dirNumber
	return n
}

func (l *line) passRequest(s *session, n *note) {
	word, rest, _ := bytes.Cut(l.text, []byte{' '})
	s.asked++
	n.Number = s.asked
	q := question{number: s.asked, verb: kinds[uint64(verbOf(word))], arg: string(rest[:min(len(rest), maxArg)])}
	if len(s.waiting) < maxWaiting {
		s.waiting = append(s.waiting, q)
	}
	switch q.verb {
	case "PORT", "EPRT":
		l.announce(s, n, activeEnd(q.verb, rest), l.d.Src)
	case "RETR", "STOR", "STOU", "APPE", "LIST", "NLST", "MLSD":
		n.Setup, l.ends = s.setup, s.ends
		s.setup = 0
	}
}

// announce remembers where a file will pass: the end that was named, and the same port at the address of who named it,
// which differs where a router translates addresses.
func (l *line) announce(s *session, n *note, e end, own dissect.Endpoint) {
	if !e.ok {
		n.Bad = !l.d.CutShort()
		return
	}
	own.Port = e.port
	named := own
	if e.given {
		named.Addr = e.addr
	}
	n.Announces = true
	s.setup, s.ends = l.d.Frame, [2]dissect.Endpoint{named, own}
	l.ends, l.private = s.ends, s.private
}

func (l *line) passAnswer(s *session, n *note) {
	code, more, ok := answerCode(l.text)
	if s.continued != 0 {
		if !ok || code != s.continued || more {
			n.Within = !ok || code != s.continued
			return
		}
		s.continued = 0
	} else if ok && more {
		s.continued = code
		return
	}
	if !ok || len(s.waiting) == 0 {
		return
	}
	q := s.waiting[0]
	n.Number = q.number
	if code < 200 {
		return // another answer follows
	}
	s.waiting = s.waiting[1:]
	switch {
	case code == 227 || code == 229:
		l.announce(s, n, passiveEnd(code, l.text), l.d.Src)
	case q.verb == "AUTH" && code == 234:
		n.TLS = true
		s.waiting = nil
	case q.verb == "PROT" && code == 200:
		s.private = q.arg == "P" || q.arg == "p"
	case code/100 == 2:
		l.move(s, n, q, code)
	}
}

// move follows the client through the directories.
func (l *line) move(s *session, n *note, q question, code uint64) {
	was := s.dir
	switch q.verb {
	case "PWD", "XPWD":
		_, rest, _ := bytes.Cut(l.text, []byte{'"'})
		dir, _, ok := bytes.Cut(rest, []byte{'"'})
		if n.BadDir = !ok; ok && code == 257 {
			s.dir = string(dir)
		}
	case "CWD", "XCWD":
		if s.dir = path.Clean(q.arg); !path.IsAbs(q.arg) {
			s.dir = path.Join(was, q.arg)
		}
	case "CDUP", "XCUP":
		s.dir = path.Join(was, "..")
	}
	if s.dir == was {
		return
	}
	var p directory
	if len(s.dir) > 4*maxArg {
		s.dir = s.dir[:4*maxArg]
	}
	p.size = uint8(copy(p.text[:], s.dir))
	s.dirNumber = dirs.Put(l.d, p)
}
