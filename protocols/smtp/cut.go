package smtp

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/mail"
)

const maxLine = 16 << 10

// cut makes a message of the lines that are there, or of a part of what is mailed.
func cut(d *dissect.D, b []byte) int {
	s := sessions.Peek(d)
	switch {
	case s == nil || !s.mailing(d):
		return mail.Cut(b, maxLine, func(line []byte) bool { // behind a BDAT command begins a chunk, which is no line
			return len(line) > 5 && bytes.EqualFold(line[:5], []byte("BDAT "))
		})
	case s.chunk > 0:
		return min(s.chunk, len(b))
	}
	return s.body.CutDot(b)
}

// answer reads the code at the start of a server's line; more tells that other lines follow (RFC 5321 section 4.2.1).
func answer(line []byte) (code uint16, more, ok bool) {
	if len(line) < 3 || len(line) > 3 && line[3] != ' ' && line[3] != '-' && line[3] != '\r' && line[3] != '\n' {
		return 0, false, false
	}
	for _, c := range line[:3] {
		if c < '0' || c > '9' {
			return 0, false, false
		}
		code = code*10 + uint16(c-'0')
	}
	return code, len(line) > 3 && line[3] == '-', true
}

// split parts a client's line, without its end, at the first space.
func split(line []byte) (word, rest []byte) {
	word, rest, _ = bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte{' '})
	return word, rest
}

func verbOf(word []byte) uint16 {
	if len(word) <= len("STARTTLS") {
		if v, ok := verbs[string(bytes.ToUpper(word))]; ok {
			return v
		}
	}
	return other
}

// methodOf is what the client's next line will be after AUTH with these parameters.
func methodOf(params []byte) uint8 {
	method, initial, given := bytes.Cut(params, []byte{' '})
	switch {
	case bytes.EqualFold(method, []byte("LOGIN")) && given && len(initial) > 0:
		return loginPass
	case bytes.EqualFold(method, []byte("LOGIN")):
		return loginUser
	case bytes.EqualFold(method, []byte("PLAIN")):
		return loginPlain
	}
	return loginOther
}

// chunkOf reads the parameters of BDAT (RFC 3030 section 2).
func chunkOf(params []byte) (size int, last bool) {
	number, rest, _ := bytes.Cut(params, []byte{' '})
	for _, c := range number {
		if c < '0' || c > '9' || size > 1<<30 {
			return 0, false
		}
		size = size*10 + int(c-'0')
	}
	return size, bytes.EqualFold(bytes.TrimSpace(rest), []byte("LAST"))
}

// greeting knows a server by what it says first.
func greeting(d *dissect.D) dissect.Confidence {
	if !bytes.HasPrefix(d.Data(), []byte("220")) {
		return dissect.Weak
	}
	line, _, ok := bytes.Cut(d.Data(), []byte("\r\n"))
	if code, _, is := answer(line); ok && is && code == 220 && len(line) < 512 {
		if bytes.Contains(line, []byte(" ESMTP")) || bytes.Contains(line, []byte(" SMTP")) {
			return dissect.Strong
		}
	}
	return dissect.Weak
}
