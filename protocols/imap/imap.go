// Package imap dissects the Internet Message Access Protocol (RFC 3501): commands and answers with their tags, the
// messages in literals, and the change to TLS.
package imap

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/mail"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("imap", "IMAP", "Internet Message Access Protocol: mail that stays on its server.").
	Summary("Internet Message Access Protocol").Color(dissect.HueGreen)

var (
	fKind       = proto.Kind("type", "Type", kinds, "The command, or the status of the answer.").Dec().Derived().Wordless()
	fIsRequest  = proto.Bool("isrequest", "Request", "The client says this.").TrueFalse("True", "False").Derived().Hidden()
	fLine       = proto.String("line", "Line", "A line, whole.")
	fRequest    = proto.String("request", "Request", "What the client says.")
	fRequestTag = proto.String("request_tag", "Request Tag", "By what the answer will be known.")
	fResponse   = proto.String("response", "Response", "What the server says.")
	fAnswerTag  = proto.String("response_tag", "Response Tag", "The tag of what is answered; * and + are none.")
	fCommand    = proto.String("request.command", "Request Command", "What is asked for.")
	fDone       = proto.String("response.command", "Response Command", "The word behind the status.")
	fStatus     = proto.String("response.status", "Response Status", "How it went.")
	fTag        = proto.String("tag", "Tag", "The tag of a command or of an answer.").Hidden()
	fAny        = proto.String("command", "Command", "The command of a request, or the word behind an answer's status.").
			Hidden()
	fFolder = proto.String("request.folder", "Request Folder", "The folder that the command is about.")
	fUID    = proto.Bool("request.command.uid", "Request isUID", "Messages are named by lasting numbers.").
		TrueFalse("True", "False").Derived()
	fUser    = proto.String("request.username", "Request Username", "Who logs in.")
	fPass    = proto.String("request.password", "Request Password", "The password.")
	fLiteral = proto.Bytes("literal", "Literal", "Text or data of a length that was said before.")
	fParts   = mail.Fields{
		Title: "Reassembled literal",
		Group: proto.Group("literal.fragments", "Literal fragments", "The parts of a literal that came in several packets."),
		Part:  proto.FrameRef("literal.fragment", "Literal fragment", "A packet with a part of the literal."),
		In: proto.FrameRef("literal.reassembled.in", "Reassembled literal in frame",
			"The packet in which the literal ends."),
	}
	fAnswerIn = proto.FrameRef("response_in", "Response In", "The answer to this command.")
	fAskedIn  = proto.FrameRef("response_to", "Request In", "The command that this answers.")
	fTime     = proto.Span("time", "Response Time", "Time from the command to its answer.").Derived()
)

const (
	port    = 143
	tlsPort = 993
)

var ports = []uint16{port, tlsPort}

// The packet types. Commands follow.
const (
	kindOther = iota
	kindUntagged
	kindMore
	kindOK
	kindNo
	kindBad
	kindLiteral
	kindInput
	firstVerb
)

var commands = mail.Commands{First: firstVerb,
	Words: []string{"CAPABILITY", "NOOP", "LOGOUT", "STARTTLS", "AUTHENTICATE", "LOGIN",
		"SELECT", "EXAMINE", "CREATE", "DELETE", "RENAME", "SUBSCRIBE", "UNSUBSCRIBE", "LIST", "LSUB", "STATUS", "APPEND",
		"CHECK", "CLOSE",
		"EXPUNGE", "SEARCH", "FETCH", "STORE", "COPY", "MOVE", "UID", "IDLE", "ID", "ENABLE", "NAMESPACE", "UNSELECT", "SORT",
		"THREAD",
		"GETQUOTA", "GETQUOTAROOT", "SETQUOTA", "GETACL", "SETACL", "DELETEACL", "LISTRIGHTS", "MYRIGHTS", "COMPRESS",
		"GETMETADATA",
		"SETMETADATA", "XLIST"}}

var kinds = commands.Kinds(dissect.Values{
	kindOther: "Command", kindUntagged: "Untagged", kindMore: "Continue", kindOK: "OK", kindNo: "NO", kindBad: "BAD",
	kindLiteral: "Literal", kindInput: "Input",
})

// Plugin attaches IMAP to its port. On others it knows a server by its greeting.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Logins: &dissect.LoginFields{Title: "IMAP", Name: fUser},
		Dissect: reader.Read, TCP: ports[:1], On: []dissect.Key{{Table: tables.TLSPort, Value: tlsPort}},
		Guess: greeting, GuessTCP: true, Fits: text, Cut: cut, Remainder: true,
	}
}

// greeting knows a server by what it says first.
// text takes what is text on the protocol's ports.
func text(d *dissect.D) bool { return dissect.IsText(d.Data()) }

func greeting(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if !bytes.HasPrefix(b, []byte("* OK ")) {
		return dissect.Weak
	}
	line, _, ok := bytes.Cut(b, []byte("\r\n"))
	if !ok {
		line = b
	}
	if bytes.Contains(line, []byte("IMAP4")) {
		return dissect.Strong
	}
	return dissect.Weak
}

var reader = mail.Reader[session, note]{Sessions: &sessions, Take: take, Part: part, Line: one}
