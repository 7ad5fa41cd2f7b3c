// Package pop dissects the Post Office Protocol, version 3 (RFC 1939, RFC 2449): commands, answers, the messages that are
// fetched, and the change to TLS (RFC 2595).
package pop

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("pop", "POP", "Post Office Protocol: how mail is fetched from a server.").
	Summary("Post Office Protocol").Color(dissect.HueGreen).WithColumns("pop.request.command", "pop.response.indicator", "pop.time")

var (
	fKind     = proto.Kind("type", "Type", kinds, "The command, or how the answer begins.").Dec().Derived().Wordless()
	fResponse = proto.String("response", "Response", "A line of the server, whole.")
	fWord     = proto.String("response.indicator", "Response indicator", "Whether it worked.")
	fText     = proto.String("response.description", "Response description", "The answer in words.")
	fData     = proto.String("response.data", "Data", "A line of an answer that has several.")
	fRequest  = proto.String("request", "Request", "A line of the client, whole.")
	fCommand  = proto.String("request.command", "Request command", "What is asked for.")
	fParam    = proto.String("request.parameter", "Request parameter", "What the command is about.")
	fInput    = proto.String("request.data", "Data", "A line that goes on with a command.")

	fParts = proto.Group("data.fragments", "DATA fragments", "The parts of a message that came in several packets.").
		Summary("{data.fragment.count} DATA fragments ({data.reassembled.length} bytes)")
	fPartIn = proto.FrameRef("data.fragment", "DATA fragment", "A packet with a part of the message.")
	fCount  = proto.Uint32("data.fragment.count", "DATA fragment count", "How many parts there are.").Derived()
	fLength = proto.Uint32("data.reassembled.length", "Reassembled DATA length", "How long the message is.").Derived()
	fWhole  = proto.FrameRef("data.reassembled.in", "Reassembled DATA in frame", "The packet in which the message ends.")

	fAnswerIn = proto.FrameRef("response_in", "Response in", "The answer to this command.")
	fAskedIn  = proto.FrameRef("response_to", "Request in", "The command that this answers.")
	fTime     = proto.Span("time", "Response Time", "Time from the command to its answer.").Derived()
)

// The packet types.
const (
	kindOther = iota
	kindOK
	kindErr
	kindMore
	kindData
	kindInput
	firstVerb
)

var verbs = []string{"USER", "PASS", "APOP", "AUTH", "STLS", "CAPA", "STAT", "LIST", "RETR", "DELE", "NOOP", "RSET", "TOP", "UIDL", "QUIT", "UTF8", "LANG"}

var kinds = func() dissect.Values {
	v := dissect.Values{kindOther: "Command", kindOK: "+OK", kindErr: "-ERR", kindMore: "+", kindData: "Data", kindInput: "Credentials"}
	for i, name := range verbs {
		v[uint64(firstVerb+i)] = name
	}
	return v
}()

const (
	port    = 110
	tlsPort = 995
)

// Plugin attaches POP to its port. On others it knows a server by its greeting.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Logins: &dissect.LoginFields{Title: "POP3", Info: "Username in packet %d", Verb: fCommand, Argument: fParam}, Dissect: lines, TCP: []uint16{port}, On: []dissect.Key{{Table: tables.TLSPort, Value: tlsPort}}, Guess: greeting, GuessTCP: true,
		Cut: cut, Remainder: true,
	}
}

// greeting knows a server by what it says first.
func greeting(d *dissect.D) dissect.Confidence {
	if !bytes.HasPrefix(d.Data(), []byte("+OK ")) {
		return dissect.Weak
	}
	line, _, ok := bytes.Cut(d.Data(), []byte("\r\n"))
	if ok && len(line) < 512 && bytes.Contains(line, []byte("POP3")) {
		return dissect.Strong
	}
	return dissect.Weak
}

// lines reads the lines of one message, or a part of what is fetched.
func lines(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		whole := d.Data()
		line := whole
		if i := bytes.IndexByte(whole, '\n'); i >= 0 {
			line = whole[:i+1]
		}
		n := sessions.FirstPass(d, func(s *session) note {
			if s.fetching(d) {
				return s.part(d, whole)
			}
			return s.line(d, line)
		})
		if n.Part != noPart {
			d.Message(func() { part(d, n) })
			return
		}
		d.Message(func() { one(d, line, n) })
		if n.TLS {
			d.Inner().HandOver(tables.TLS, 0)
		}
	}
}

// one shows one line.
func one(d *dissect.D, line []byte, n note) {
	at, text := d.Pos(), bytes.TrimRight(line, "\r\n")
	who, f := "C: ", fRequest
	switch {
	case n.Server && n.Data:
		who, f = "S: ", fData
	case n.Server:
		who, f = "S: ", fResponse
	case n.Data:
		f = fInput
	}
	if !n.Quiet && d.Info().Wanted() {
		d.Info().Setf("%s%s", who, text)
	}
	if f == fData || f == fInput {
		d.SetKind(fKind, map[bool]uint64{true: kindData, false: kindInput}[n.Server])
	}
	d.Bytes(f, len(line))
	if n.Data || len(text) == 0 {
		return
	}
	word, rest, _ := bytes.Cut(text, []byte{' '})
	d.SetKind(fKind, n.Kind(word))
	d.Below(func() {
		wordField, restField := fCommand, fParam
		if n.Server {
			wordField, restField = fWord, fText
		}
		d.Put(wordField, 0, at, len(word))
		if len(rest) > 0 {
			d.Put(restField, 0, at+len(word)+1, len(rest))
		}
		switch {
		case n.Number == 0:
		case n.Server:
			d.Response(uint64(n.Number), fAnswerIn, fAskedIn, fTime)
		default:
			d.Request(uint64(n.Number), fAnswerIn)
		}
	})
}

// Kind is the packet type of a line that begins with the word.
func (n note) Kind(word []byte) uint64 {
	if !n.Server {
		return uint64(verbOf(word))
	}
	switch string(word) {
	case "+OK":
		return kindOK
	case "-ERR":
		return kindErr
	}
	return kindMore
}

func verbOf(word []byte) uint8 {
	for i, v := range verbs {
		if len(word) == len(v) && bytes.EqualFold(word, []byte(v)) {
			return uint8(firstVerb + i)
		}
	}
	return kindOther
}
