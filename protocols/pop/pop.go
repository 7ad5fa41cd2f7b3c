// Package pop dissects the Post Office Protocol, version 3 (RFC 1939, RFC 2449): commands, answers, the messages that
// are fetched, and the change to TLS (RFC 2595).
package pop

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/mail"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("pop", "POP", "Post Office Protocol: how mail is fetched from a server.").
	Summary("Post Office Protocol").Color(dissect.HueGreen)

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

	fParts = mail.DataFields(proto)

	fAnswerIn = proto.FrameRef("response_in", "Response in", "The answer to this command.")
	fAskedIn  = proto.FrameRef("response_to", "Request in", "The command that this answers.")
	fTime     = proto.Span("time", "Response Time", "Time from the command to its answer.").Derived()
)

// The packet types. Commands follow.
const (
	kindOther = iota
	kindOK
	kindErr
	kindMore
	kindData
	kindInput
	firstVerb
)

var commands = mail.Commands{First: firstVerb,
	Words: []string{"USER", "PASS", "APOP", "AUTH", "STLS", "CAPA", "STAT", "LIST", "RETR",
		"DELE", "NOOP", "RSET", "TOP", "UIDL", "QUIT", "UTF8", "LANG"}}

var kinds = commands.Kinds(dissect.Values{
	kindOther: "Command", kindOK: "+OK", kindErr: "-ERR", kindMore: "+", kindData: "Data", kindInput: "Credentials",
})

const (
	port    = 110
	tlsPort = 995
)

var ports = []uint16{port, tlsPort}

// Plugin attaches POP to its port. On others it knows a server by its greeting.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto,
		Logins:   &dissect.LoginFields{Title: "POP3", Info: "Username in packet %d", Verb: fCommand, Argument: fParam},
		Dissect:  reader.Read, TCP: ports[:1], On: []dissect.Key{{Table: tables.TLSPort, Value: tlsPort}},
		Guess: greeting, GuessTCP: true, Fits: text, Cut: cut, Remainder: true,
	}
}

// greeting knows a server by what it says first.
// text takes what is text on the protocol's ports.
func text(d *dissect.D) bool { return dissect.IsText(d.Data()) }

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

var reader = mail.Reader[session, note]{Sessions: &sessions, Take: take, Part: part, Line: one}

// one shows one line.
func one(d *dissect.D, line []byte, n note, _ mail.Place) {
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
		return uint64(commands.Kind(word))
	}
	switch string(word) {
	case "+OK":
		return kindOK
	case "-ERR":
		return kindErr
	}
	return kindMore
}
