// Package irc dissects Internet Relay Chat (RFC 1459, RFC 2812) with the Client-To-Client Protocol in its messages.
package irc

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("irc", "IRC", "Internet Relay Chat: people and programs that talk in channels.").
	Summary("Internet Relay Chat").Color(dissect.HueCyan)

// A side has the fields of what clients say, or of what servers say.
type side struct{ line, prefix, command, number, params, param, trailer *dissect.Field }

var (
	fKind  = proto.Kind("type", "Type", kinds, "The command.").Wide(2).Dec().Derived().Wordless()
	client = side{
		line:    proto.String("request", "Request", "A line of the client, whole."),
		prefix:  proto.String("request.prefix", "Prefix", "Who says it."),
		command: proto.String("request.command", "Command", "What the client wants."),
		params:  proto.Group("request.command_parameters", "Command parameters", "What the command is about."),
		param:   proto.String("request.command_parameter", "Parameter", "One word of what the command is about."),
		trailer: proto.String("request.trailer", "Trailer", "The words at the end of the line."),
	}
	server = side{
		line:    proto.String("response", "Response", "A line of the server, whole."),
		prefix:  proto.String("response.prefix", "Prefix", "Who says it."),
		command: proto.String("response.command", "Command", "What happened."),
		number: proto.Uint16("response.num_command", "Command", "What happened, as a number (RFC 2812 section 5).").
			Named(numerics).Hidden(),
		params:  proto.Group("response.command_parameters", "Command parameters", "What the command is about."),
		param:   proto.String("response.command_parameter", "Parameter", "One word of what the command is about."),
		trailer: proto.String("response.trailer", "Trailer", "The words at the end of the line."),
	}
	fCTCP = proto.String("ctcp", "CTCP Data", "What one program tells another within a message.")
	fTags = proto.String("tags", "Tags", "What stands in front of the line for programs (IRCv3).")

	nDelimiter = proto.Expert("missing_end_delimiter", dissect.Warn, "Missing ending tag delimiter (0x01)").
			About(dissect.AboutMalformed)
	nTagged = proto.Expert("tag_data_invalid", dissect.Warn, "Tag data outside of NOTICE or PRIVMSG command")
	nPrefix = proto.Expert("prefix_missing_ending_space", dissect.Warn, "Prefix missing ending <space>").
		About(dissect.AboutMalformed)
	nRequest = proto.Expert("request.command.missing", dissect.Warn, "Request has no command").
			About(dissect.AboutMalformed)
	nNumeric  = proto.Expert("request.command.numeric", dissect.Warn, "Numeric command not allowed in request")
	nResponse = proto.Expert("response.command.missing", dissect.Warn, "Response has no command").
			About(dissect.AboutMalformed)
)

// ports are those of servers. TLS has its own.
var ports = []uint16{6667, 57000}

const tlsPort = 6697

// Plugin attaches IRC to its ports. On others it knows a client by its first words.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Dissect: lines, TCP: ports, On: []dissect.Key{{Table: tables.TLSPort, Value: tlsPort}},
		Guess: greeting, GuessTCP: true, Fits: text,
		Message: length, Remainder: true,
	}
}

// A session knows which direction of a connection the server's is.
type session struct {
	begun  bool
	server int
}

var sessions = dissect.NewStore[session, bool]()

// serves tells whether the server says the line: its port is known, or it does not begin as clients do.
func (s *session) serves(d *dissect.D, line []byte) bool {
	if !s.begun {
		s.begun = true
		src, dst := isPort(d.Src.Port), isPort(d.Dst.Port)
		if server := src && !dst ||
			src == dst && (len(line) > 0 && line[0] == ':' || bytes.HasPrefix(line, []byte("NOTICE "))); server {
			s.server = d.Dir
		} else {
			s.server = 1 - d.Dir
		}
	}
	return s.server == d.Dir
}

func isPort(p uint16) bool { return p == 6667 || p == 57000 || p == tlsPort }

// greeting knows clients that say who they are, and servers that greet them.
// text takes what is text on the protocol's ports.
func text(d *dissect.D) bool { return dissect.IsText(d.Data()) }

func greeting(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if first := b[:min(1, len(b))]; string(first) != "N" && string(first) != "C" && string(first) != ":" {
		return dissect.Weak
	}
	line, _, ok := bytes.Cut(b, []byte("\r\n"))
	switch {
	case !ok || len(line) > 510:
	case bytes.HasPrefix(b, []byte("NICK ")) && bytes.Contains(b, []byte("\r\nUSER ")),
		bytes.HasPrefix(b, []byte("CAP LS")) && bytes.Contains(b, []byte("\r\nNICK ")),
		b[0] == ':' && bytes.Contains(line, []byte(" NOTICE ")) && bytes.Contains(line, []byte(" :***")),
		b[0] == ':' && bytes.Contains(line, []byte(" 001 ")):
		return dissect.Strong
	}
	return dissect.Weak
}

const maxLine = 16 << 10

// length is that of the lines at the start of b that are whole.
func length(b []byte) int {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	if len(b) >= maxLine {
		return maxLine
	}
	return 0
}

// lines reads the lines of one message.
func lines(d *dissect.D) {
	fromServer := sessions.FirstPass(d, func(s *session) bool { return s.serves(d, d.Data()) })
	if d.Info().Wanted() {
		d.Info().Setf("%s", map[bool]string{true: "Response", false: "Request"}[fromServer])
	}
	for more := d.Elements(); more.Next(); {
		n := len(d.Data())
		if i := bytes.IndexByte(d.Data(), '\n'); i >= 0 {
			n = i + 1
		}
		d.Message(func() { line(d, n, fromServer) })
	}
}
