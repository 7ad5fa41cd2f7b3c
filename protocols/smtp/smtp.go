// Package smtp dissects the Simple Mail Transfer Protocol (RFC 5321): commands, answers, messages in DATA or BDAT, the
// steps of AUTH, and the change to TLS.
package smtp

import (
	"remora/dissect"
	"remora/protocols/internal/mail"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("smtp", "SMTP",
	"Simple Mail Transfer Protocol: how mail gets to servers and from one to the next.").
	Summary("Simple Mail Transfer Protocol").Color(dissect.HueGreen)

var (
	fKind = proto.Kind("type", "Type", kinds, "The command, or the code of the answer.").Wide(2).Dec().Derived().
		Wordless()
	fReq      = proto.Bool("req", "Request", "The client says this.").TrueFalse("True", "False").Derived().Hidden()
	fRsp      = proto.Bool("rsp", "Response", "The server says this.").TrueFalse("True", "False").Derived().Hidden()
	fLine     = proto.String("command_line", "Command Line", "A line of the client, whole.")
	fCommand  = proto.String("req.command", "Command", "What the client asks for.")
	fParam    = proto.String("req.parameter", "Request parameter", "What the command is about.")
	fResponse = proto.String("response", "Response", "A line of the server, whole.")
	fCode     = proto.Uint32("response.code", "Response code", "The answer as three digits (RFC 5321 section 4.2).").
			Named(codes)
	fText = proto.String("rsp.parameter", "Response parameter", "The answer in words.")
	fUser = proto.String("auth.username", "Username", "Who logs in, decoded.")
	fPass = proto.String("auth.password", "Password", "The password, decoded.")
	fBoth = proto.String("auth.username_password", "Username/Password",
		"Name and password in a form that cannot be decoded.")
	fLineEnd = proto.Label("line_end", "\\r\\n", "The end of a line.")
	fEnd     = proto.Label("eom", "EOM", "The line with a dot alone, which ends a message.")

	fPart  = proto.String("data.part", "Message data", "A line of the part of a message that this packet holds.")
	fParts = mail.DataFields(proto)

	fAnswerIn = proto.FrameRef("response_in", "Response in", "The answer to this command.")
	fAskedIn  = proto.FrameRef("response_to", "Request in", "The command that this answers.")
	fTime     = proto.Span("time", "Response Time", "Time from the command to its answer.").Derived()

	nBase64 = proto.Expert("base64_decode", dissect.Warn, "This is no text in Base64")
	nCode   = proto.Expert("response.code.unexpected", dissect.Warn, "Unexpected response code in multiline response")
)

// ports are those of mail servers: between themselves, for clients, and for clients that speak TLS from the start.
var ports = []uint16{25, 587, tlsPort}

const tlsPort = 465

// text takes what is text on the protocol's ports.
func text(d *dissect.D) bool { return dissect.IsText(d.Data()) }

// Plugin attaches SMTP to its ports. On others it knows a server by its greeting.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto,
		Logins:   &dissect.LoginFields{Title: "SMTP", Info: "Username in packet %d", User: fUser, Password: fPass},
		Dissect:  reader.Read, TCP: ports[:2], On: []dissect.Key{{Table: tables.TLSPort, Value: tlsPort}},
		Guess: greeting, GuessTCP: true, Fits: text, Cut: cut, Remainder: true,
	}
}
