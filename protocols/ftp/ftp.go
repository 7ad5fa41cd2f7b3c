// Package ftp dissects the File Transfer Protocol (RFC 959, RFC 2428): the lines of its control connection, where they
// say that files will pass, and the connections with the files.
package ftp

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("ftp", "FTP",
	"File Transfer Protocol: commands that move files, and the answers to them.").
	Summary("File Transfer Protocol (FTP)").Color(dissect.HueCyan)

var (
	fKind = proto.Kind("type", "Type", kinds, "The command, or the code of the answer.").Wide(2).Dec().Derived().
		Wordless()
	fLine     = proto.String("line", "Line", "The whole line.")
	fRequest  = proto.Bool("request", "Request", "The line is a command.").TrueFalse("True", "False").Derived()
	fResponse = proto.Bool("response", "Response", "The line is an answer.").TrueFalse("True", "False").Derived()
	fCommand  = proto.String("request.command", "Request command", "What is asked for.")
	fArgument = proto.String("request.arg", "Request arg", "What the command is about.")
	fCode     = proto.Uint32("response.code", "Response code", "The answer as three digits (RFC 959 section 4.2).").
			Named(codes)
	fText = proto.String("response.arg", "Response arg", "The answer in words.")
	fDir  = proto.String("current-working-directory", "Current working directory",
		"Where the client is, as far as is known.").Derived()
	fAnswerIn = proto.FrameRef("response_in", "Response in", "The first answer to this command.")
	fAskedIn  = proto.FrameRef("response_to", "Request in", "The command that this answers.")
	fTime     = proto.Span("time", "Response Time", "Time from the command to this answer.").Derived()
	fSetup    = proto.FrameRef("setup-frame", "Setup frame", "Where it was said which connection the file takes.")
	fUsedIn   = proto.FrameRef("command-frame", "Command frame", "The command that uses the connection announced here.")
	fFirst    = proto.FrameRef("command-response.first-frame-num", "Command response first frame",
		"The first packet with the file.")

	nCode = proto.Expert("response.code.invalid", dissect.Warn, "Invalid response code").About(dissect.AboutMalformed)
	nPWD  = proto.Expert("response.pwd.invalid", dissect.Warn, "Invalid PWD response").About(dissect.AboutMalformed)
)

const (
	port    = 21
	tlsPort = 990
)

// maxLine is the longest line that is waited for; what is longer is shown in pieces.
const maxLine = 4096

// Plugin attaches FTP to its port. On others it knows a server by its greeting.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto,
		Logins:   &dissect.LoginFields{Title: "FTP", Info: "Username in packet: %d", Verb: fCommand, Argument: fArgument},
		Dissect:  lines, TCP: []uint16{port}, On: []dissect.Key{{Table: tables.TLSPort, Value: tlsPort}}, Guess: greeting,
		GuessTCP: true, Fits: text,
		Message: length, Remainder: true,
	}
}

// greeting knows a server by what it says first.
// text takes what is text on the protocol's port.
func text(d *dissect.D) bool { return dissect.IsText(d.Data()) }

func greeting(d *dissect.D) dissect.Confidence {
	if !bytes.HasPrefix(d.Data(), []byte("220")) {
		return dissect.Weak
	}
	line, _, ok := bytes.Cut(d.Data(), []byte("\r\n"))
	if code, _, is := answerCode(line); ok && is && code == 220 && len(line) < 512 {
		b := d.Data()
		if upper := bytes.ToUpper(b[:min(len(b), 512)]); bytes.Contains(upper, []byte("FTP")) &&
			!bytes.Contains(upper, []byte("SMTP")) {
			return dissect.Strong
		}
	}
	return dissect.Weak
}

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
	for first, more := true, d.Elements(); more.Next(); first = false {
		b := d.Data()
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			b = b[:i+1]
		}
		l := line{d: d, whole: len(b), text: bytes.TrimRight(b, "\r\n"), at: d.Pos()}
		l.note = sessions.FirstPass(d, l.pass)
		d.Message(func() { l.show(first) })
		l.place()
		if l.note.TLS {
			d.Inner().HandOver(tables.TLS, 0)
		}
	}
}

// answerCode reads the three digits that an answer starts with; more tells that other lines follow (RFC 959 section
// 4.2).
func answerCode(b []byte) (code uint64, more, ok bool) {
	if len(b) < 3 || len(b) > 3 && b[3] != ' ' && b[3] != '-' {
		return 0, false, false
	}
	for _, c := range b[:3] {
		if c < '0' || c > '9' {
			return 0, false, false
		}
		code = code*10 + uint64(c-'0')
	}
	return code, len(b) > 3 && b[3] == '-', true
}

// show records the line.
func (l *line) show(first bool) {
	d, n := l.d, l.note
	d.PutText(fLine, string(l.text), l.at, l.whole)
	d.Below(func() {
		if n.Server {
			l.answer()
		} else {
			l.request()
		}
	})
	if first && d.Info().Wanted() {
		if n.Server {
			d.Info().Setf("Response: %s", l.text)
		} else {
			d.Info().Setf("Request: %s", l.text)
		}
	}
	if n.Dir != 0 && first && d.Wanted(fDir) {
		d.SetText(fDir, dirs.At(d, n.Dir).String())
	}
	d.Skip(l.whole)
}

func (l *line) answer() {
	d, n := l.d, l.note
	d.Set(fRequest, 0)
	d.Set(fResponse, 1)
	skip := 0
	if code, _, ok := answerCode(l.text); ok && !n.Within {
		d.SetKind(fKind, code)
		d.Put(fCode, code, l.at, 3)
		skip = min(4, len(l.text))
		if code < 100 || code >= 700 {
			d.Expert(nCode)
		}
	}
	if len(l.text) > skip {
		d.PutText(fText, string(l.text[skip:]), l.at+skip, len(l.text)-skip)
	}
	if n.Announces {
		l.announcement()
		d.Links().ShowForward(fUsedIn)
	}
	if n.Number != 0 {
		d.Response(uint64(n.Number), fAnswerIn, fAskedIn, fTime)
	}
	if code, _, _ := answerCode(l.text); n.Bad && code == 229 {
		d.Expert(nEPSV)
	}
	if n.BadDir {
		d.Expert(nPWD)
	}
}

func (l *line) request() {
	d, n := l.d, l.note
	d.Set(fRequest, 1)
	d.Set(fResponse, 0)
	word, rest, _ := bytes.Cut(l.text, []byte{' '})
	d.SetKind(fKind, uint64(verbOf(word)))
	if len(word) > 0 {
		d.PutText(fCommand, string(word), l.at, len(word))
	}
	if len(rest) > 0 {
		d.PutText(fArgument, string(rest), l.at+len(word)+1, len(rest))
	}
	if n.Announces {
		l.announcement()
		d.Links().ShowForward(fUsedIn)
	}
	if n.Bad && len(word) == len("EPRT") && bytes.EqualFold(word, []byte("EPRT")) {
		d.Expert(nEPRT)
	}
	if n.Setup != 0 {
		d.Link(n.Setup, fUsedIn, fSetup)
		d.Links().ShowForward(fFirst)
	}
	if n.Number != 0 {
		d.Request(uint64(n.Number), fAnswerIn)
	}
}
