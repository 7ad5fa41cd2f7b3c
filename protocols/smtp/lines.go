package smtp

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"remora/dissect"
	"remora/protocols/internal/mail"
)

var reader = mail.Reader[session, note]{Sessions: &sessions, Take: take, Part: part, Line: line}

// line shows a line of the server, of the client, or one within AUTH.
func line(d *dissect.D, b []byte, n note, place mail.Place) {
	switch {
	case n.Server:
		response(d, b, place.First, n)
	case n.Login != noLogin:
		login(d, b, place.First, n)
	default:
		command(d, b, place.First, n)
	}
}

// setInfo writes a line to the Info column, behind those of the packet before it.
func setInfo(d *dissect.D, who string, first bool, text []byte) {
	if !d.Info().Wanted() {
		return
	}
	if first {
		d.Info().Setf("%s%s", who, text)
	} else {
		d.Info().Setf("| %s", text)
	}
}

// response shows a line of the server.
func response(d *dissect.D, line []byte, first bool, n note) {
	at := d.Pos()
	text := bytes.TrimRight(line, "\r\n")
	d.Set(fRsp, 1)
	d.Bytes(fResponse, len(line))
	code, _, ok := answer(line)
	if !ok {
		setInfo(d, "S: ", first, text)
		return
	}
	d.SetKind(fKind, uint64(code))
	d.Below(func() {
		d.Put(fCode, uint64(code), at, 3)
		if n.Unexpected {
			d.Expert(nCode)
		}
		if prompt, ok := decode(text[min(4, len(text)):]); ok && code == 334 && len(text) > 4 {
			prompt = strings.TrimRight(prompt, "\x00")
			d.PutText(fText, prompt, at+4, len(text)-4)
			text = append(text[:4:4], prompt...)
		} else if len(text) > 4 {
			d.Put(fText, 0, at+4, len(text)-4)
		}
		if n.Number != 0 {
			d.Response(uint64(n.Number), fAnswerIn, fAskedIn, fTime)
		}
	})
	if !first && n.Continued && len(text) > 4 {
		text = text[4:]
	}
	setInfo(d, "S: ", first, text)
}

// command shows a line of the client.
func command(d *dissect.D, line []byte, first bool, n note) {
	at := d.Pos()
	word, rest := split(line)
	text := bytes.TrimRight(line, "\r\n")
	d.Set(fReq, 1)
	d.Bytes(fLine, len(line))
	if len(text) == 0 {
		return
	}
	verb := verbOf(word)
	d.SetKind(fKind, uint64(verb))
	known := string(text)
	d.Below(func() {
		d.Put(fCommand, 0, at, len(word))
		if len(rest) > 0 {
			d.Put(fParam, 0, at+len(word)+1, len(rest))
		}
		if verb == auth {
			known = initial(d, text, rest, at+len(text)-len(rest))
		}
		if n.Number != 0 {
			d.Request(uint64(n.Number), fAnswerIn)
		}
	})
	setInfo(d, "C: ", first, []byte(known))
}

// initial shows what AUTH says beyond the method, and gives the line with it decoded.
func initial(d *dissect.D, text, params []byte, at int) string {
	method, given, ok := bytes.Cut(params, []byte{' '})
	if !ok || len(given) == 0 {
		return string(text)
	}
	at += len(method) + 1
	switch methodOf(method) {
	case loginPlain:
		return "AUTH " + string(method) + " " + plain(d, given, at)
	case loginUser:
		if user, ok := decode(given); ok {
			d.PutText(fUser, user, at, len(given))
			return "AUTH " + string(method) + " User: " + user
		}
		d.Put(fUser, 0, at, len(given))
		d.Expert(nBase64)
	}
	return string(text)
}

// login shows a line within AUTH.
func login(d *dissect.D, line []byte, first bool, n note) {
	at := d.Pos()
	text := bytes.TrimRight(line, "\r\n")
	d.SetKind(fKind, credentials)
	d.Set(fReq, 1)
	show := func(f *dissect.Field, label string) string {
		decoded, ok := decode(text)
		if !ok {
			d.Put(f, 0, at, len(text))
			d.Expert(nBase64)
			return label + string(text)
		}
		d.PutText(f, decoded, at, len(text))
		return label + decoded
	}
	known := string(text)
	switch n.Login {
	case loginUser:
		known = show(fUser, "User: ")
	case loginPass:
		known = show(fPass, "Pass: ")
	case loginPlain:
		known = plain(d, text, at)
	default:
		d.Put(fLine, 0, at, len(line))
	}
	if n.Login != loginOther { // the end of the line
		d.Put(fLineEnd, 0, at+len(text), len(line)-len(text))
	}
	d.Skip(len(line))
	setInfo(d, "C: ", first, []byte(known))
}

// plain shows the name and the password of the method PLAIN (RFC 4616), and gives them as text.
func plain(d *dissect.D, b []byte, at int) string {
	decoded, ok := decode(b)
	parts := bytes.Split([]byte(decoded), []byte{0})
	if !ok || len(parts) != 3 {
		d.Put(fBoth, 0, at, len(b))
		d.Expert(nBase64)
		return string(b)
	}
	d.PutText(fUser, string(parts[1]), at, len(b))
	d.PutText(fPass, string(parts[2]), at, len(b))
	return "User: " + string(parts[1]) + "  Pass: " + string(parts[2])
}

// decode reads text in Base64.
func decode(b []byte) (string, bool) {
	out, err := base64.StdEncoding.DecodeString(string(b))
	return string(out), err == nil && utf8.Valid(out)
}
