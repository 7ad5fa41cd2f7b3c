// Package ftp dissects the control connection of the File Transfer Protocol (RFC 959), line by line.
package ftp

import (
	"bytes"

	"remora/dissect"
)

var proto = dissect.NewProtocol("ftp", "File Transfer Protocol (FTP)", "FTP: commands that move files, and the answers to them.").
	Hued(dissect.HueCyan)

var kinds = dissect.Values{1: "Request", 2: "Response"}

var (
	fKind     = proto.Kind("type", "Type", kinds, "Whether the line asks or answers.").Dec().Derived().Wordless()
	fLine     = proto.String("line", "Line", "The whole line.")
	fRequest  = proto.Bool("request", "Request", "The line is a command.").Derived()
	fResponse = proto.Bool("response", "Response", "The line is an answer.").Derived()
	fCommand  = proto.String("request.command", "Request command", "What is asked for.")
	fArgument = proto.String("request.arg", "Request arg", "What the command is about.")
	fCode     = proto.Uint32("response.code", "Response code", "The answer as three digits.")
	fText     = proto.String("response.arg", "Response arg", "The answer in words.")
)

// port is that of servers: what comes from it answers, even where a line of a longer answer has no code.
const port = 21

// maxLine is the longest line that is waited for; what is longer is shown in pieces.
const maxLine = 4096

// Plugin attaches FTP to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: line, TCP: []uint16{port}, Message: length, Remainder: true}
}

// length is that of the line at the start of b, with its end.
func length(b []byte) int {
	if i := bytes.IndexByte(b[:min(len(b), maxLine)], '\n'); i >= 0 {
		return i + 1
	}
	if len(b) >= maxLine {
		return maxLine
	}
	return 0
}

func line(d *dissect.D) {
	b := bytes.TrimRight(d.Data(), "\r\n")
	at, whole := d.Pos(), d.Left()
	d.PutText(fLine, string(b), at, whole)
	d.Below(func() {
		if d.Src.Port == port {
			answer(d, b, at)
		} else {
			request(d, b, at)
		}
	})
	d.Skip(whole)
}

// answerCode reads the three digits that an answer starts with (RFC 959 section 4.2).
func answerCode(b []byte) (code uint64, ok bool) {
	if len(b) < 3 || len(b) > 3 && b[3] != ' ' && b[3] != '-' {
		return 0, false
	}
	for _, c := range b[:3] {
		if c < '0' || c > '9' {
			return 0, false
		}
		code = code*10 + uint64(c-'0')
	}
	return code, true
}

func answer(d *dissect.D, b []byte, at int) {
	d.SetKind(fKind, 2)
	d.Set(fRequest, 0)
	d.Set(fResponse, 1)
	skip := 0
	if code, ok := answerCode(b); ok {
		d.Put(fCode, code, at, 3)
		skip = min(4, len(b))
	}
	if len(b) > skip {
		d.PutText(fText, string(b[skip:]), at+skip, len(b)-skip)
	}
	if d.Texting() {
		d.Infof("Response: %s", b)
	}
}

func request(d *dissect.D, b []byte, at int) {
	d.SetKind(fKind, 1)
	d.Set(fRequest, 1)
	d.Set(fResponse, 0)
	word, rest, _ := bytes.Cut(b, []byte{' '})
	if len(word) > 0 {
		d.PutText(fCommand, string(word), at, len(word))
	}
	if len(rest) > 0 {
		d.PutText(fArgument, string(rest), at+len(word)+1, len(rest))
	}
	if d.Texting() {
		d.Infof("Request: %s", b)
	}
}
