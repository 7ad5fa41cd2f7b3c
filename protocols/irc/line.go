package irc

import (
	"bytes"

	"remora/dissect"
)

// A reader walks over the words of one line.
type reader struct {
	d    *dissect.D
	at   int    // of b
	b    []byte // what is left of the line, without its end
	side *side
}

// line reads one line of n bytes (RFC 2812 section 2.3.1).
func line(d *dissect.D, n int, fromServer bool) {
	s := &client
	if fromServer {
		s = &server
	}
	text := bytes.TrimRight(d.Data()[:n], "\r\n")
	r := reader{d, d.Pos(), text, s}
	if d.Wanted(s.line) {
		d.PutText(s.line, string(text), d.Pos(), n)
	}
	d.Below(func() { r.read(fromServer) })
	d.Skip(n)
}

// word is the next word, with the spaces behind it passed over.
func (r *reader) word() (word []byte, at int) {
	word, _, _ = bytes.Cut(r.b, []byte{' '})
	at = r.at
	r.skip(len(word))
	for p := (dissect.Progress{}); len(r.b) > 0 && r.b[0] == ' ' && p.Down(len(r.b)); {
		r.skip(1)
	}
	return word, at
}

func (r *reader) skip(n int) { r.at, r.b = r.at+n, r.b[n:] }

func (r *reader) read(fromServer bool) {
	d := r.d
	if len(r.b) > 0 && r.b[0] == '@' {
		tags, at := r.word()
		d.Put(fTags, 0, at, len(tags))
	}
	if len(r.b) > 0 && r.b[0] == ':' {
		r.skip(1)
		prefix, at := r.word()
		d.Put(r.side.prefix, 0, at, len(prefix))
		if at+len(prefix) == r.at && !d.CutShort() {
			d.Expert(nPrefix)
		}
	}
	command, at := r.word()
	if len(command) == 0 && d.CutShort() {
		return
	}
	if len(command) == 0 {
		d.Expert(map[bool]*dissect.Field{true: nResponse, false: nRequest}[fromServer])
		return
	}
	d.Put(r.side.command, 0, at, len(command))
	number, numeric := digits(command)
	switch {
	case numeric && fromServer:
		d.Put(server.number, number, at, len(command))
		d.SetKind(fKind, number)
	case numeric:
		d.Expert(nNumeric)
		d.SetKind(fKind, number)
	default:
		d.SetKind(fKind, verbOf(command))
	}
	if d.Info().Wanted() {
		d.Info().Setf("(%s)", command)
	}
	r.parameters(command)
}

// digits reads the three digits of an answer.
func digits(b []byte) (n uint64, ok bool) {
	if len(b) != 3 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

// maxParams bounds the parameters that are shown; the protocol allows fifteen.
const maxParams = 100

// parameters reads what stands behind the command: words, and behind a colon the rest of the line.
func (r *reader) parameters(command []byte) {
	d := r.d
	if len(r.b) > 0 && r.b[0] != ':' {
		group := d.Open(r.side.params)
		for n := 0; len(r.b) > 0 && r.b[0] != ':' && n < maxParams; n++ {
			word, at := r.word()
			d.Put(r.side.param, 0, at, len(word))
		}
		d.Close(group)
	}
	if len(r.b) < 2 || r.b[0] != ':' {
		return
	}
	r.skip(1)
	d.Put(r.side.trailer, 0, r.at, len(r.b))
	r.ctcp(command)
}

// ctcp shows what programs tell each other: text between two bytes of 1 in a message.
func (r *reader) ctcp(command []byte) {
	d := r.d
	for n := 0; n < maxParams; n++ {
		start := bytes.IndexByte(r.b, 1)
		if start < 0 {
			return
		}
		r.skip(start + 1)
		end := bytes.IndexByte(r.b, 1)
		if end < 0 {
			d.Expert(nDelimiter)
			return
		}
		if end > 0 {
			d.Put(fCTCP, 0, r.at, end)
			if !bytes.EqualFold(command, []byte("PRIVMSG")) && !bytes.EqualFold(command, []byte("NOTICE")) {
				d.Expert(nTagged)
			}
		}
		r.skip(end + 1)
	}
}
