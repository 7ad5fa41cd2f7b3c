package kaillera

import (
	"bytes"
	"fmt"

	"remora/dissect"
)

const (
	helloWord  = "HELLO"
	acceptWord = "HELLOD00D"
)

var (
	fWord    = proto.String("connect", "Word", "What a datagram of the connect phase begins with: ASCII text (section 2).")
	fVersion = proto.String("connect.version", "Version",
		"Protocol version of the client: the text between HELLO and the NUL, usually 0.83.")
	fPort = proto.Uint32("connect.port", "Session port",
		"UDP port for the session, as decimal text of 1 to 5 digits behind HELLOD00D.")
	fTextual = proto.String("connect.text", "Text", "What stands behind the word but is no number and no version.").
			Unknown()
	fTry = proto.Uint16("connect.try", "Try", "Which HELLO in a row without an answer this is, counted from 1.").
		Derived()

	fRequestIn  = proto.FrameRef("request_in", "Request in", "The packet that this one answers.")
	fAnsweredIn = proto.FrameRef("answered_in", "Answered in", "The packet that answers this one.")
	fTime       = proto.Span("time", "Round trip",
		"Time since the packet that this one answers, as seen where the capture was made.").Derived()

	nFull     = proto.Expert("connect.full", dissect.Warn, "The server is full")
	nNoReply  = proto.Expert("connect.unanswered", dissect.Hint, "The HELLO before was not answered")
	nVersion  = proto.Expert("connect.version.other", dissect.Hint, "Not the version 0.83 that servers expect")
	nPort     = proto.Expert("connect.port.bad", dissect.Warn, "The session port is no UDP port")
	nConnText = proto.Expert("connect.form", dissect.Warn, "No form of the connect phase: bytes are missing or left over")
)

// connectForm tells which form of the connect phase a datagram has, and how long its word is. The kind is 0 for none.
func connectForm(b []byte) (kind uint64, word int) {
	switch {
	case bytes.HasPrefix(b, []byte(acceptWord)):
		return kindAccept, len(acceptWord)
	case bytes.HasPrefix(b, []byte(helloWord)):
		return kindHello, len(helloWord)
	case string(b) == "TOO\x00":
		return kindFull, 3
	case string(b) == "PING\x00":
		return kindPing, 4
	case string(b) == "PONG\x00":
		return kindPong, 4
	}
	return 0, 0
}

// portOf reads a decimal number of one to nine digits.
func portOf(b []byte) (n uint64, ok bool) {
	if len(b) > 9 || !digits(b) {
		return 0, false
	}
	for _, c := range b {
		n = 10*n + uint64(c-'0')
	}
	return n, true
}

// The keys that join requests of the connect phase with their answers.
const (
	keyHello = iota + 1
	keyPing
)

// connect dissects a datagram of the connect phase: a word, for some a version or a port as text, a NUL.
func connect(d *dissect.D, kind uint64, word int) {
	d.SetKind(fType, kind)
	d.Bytes(fWord, word)
	switch kind {
	case kindHello:
		hello(d)
	case kindAccept:
		accept(d)
	case kindFull:
		d.Bytes(fNUL, 1)
		d.Expert(nFull)
		d.Info().Setf("server full")
		d.Response(keyHello, fAnsweredIn, fRequestIn, fTime)
		connectNotes.FirstPassIn(d, func(*none) connectNote {
			worlds.FirstPassIn(d, func(w *world) none { w.answered(d); return none{} })
			return connectNote{}
		})
	case kindPing:
		d.Bytes(fNUL, 1)
		d.Request(keyPing, fAnsweredIn)
		d.Info().Setf("are you there?")
	case kindPong:
		d.Bytes(fNUL, 1)
		d.Response(keyPing, fAnsweredIn, fRequestIn, fTime)
		d.Info().Setf("here I am")
	}
	if d.More() {
		d.Expert(nConnText)
		d.Rest(fExtra)
	}
}

func hello(d *dissect.D) {
	n := bytes.IndexByte(d.Data(), 0)
	if n < 0 {
		unfinished(d)
		return
	}
	version := string(d.CString(fVersion))
	if version != "0.83" {
		d.Expert(nVersion)
	}
	d.Request(keyHello, fAnsweredIn)
	note := connectNotes.FirstPassIn(d, func(*none) (note connectNote) {
		worlds.FirstPassIn(d, func(w *world) none { note = w.hello(d); return none{} })
		return note
	})
	d.Set(fTry, uint64(note.try))
	if note.try > 1 {
		d.Transcript().Repeats(note.first)
		d.ExpertText(nNoReply, fmt.Sprintf("The %d before were not answered", note.try-1))
	}
	if d.Info().Wanted() {
		d.Info().Setf("version %s asks for a session port", version)
	}
}

func accept(d *dissect.D) {
	n := bytes.IndexByte(d.Data(), 0)
	if n < 0 {
		unfinished(d)
		return
	}
	port, ok := portOf(d.Data()[:n])
	if !ok {
		d.Expert(nConnText)
		d.CString(fTextual)
	} else {
		d.Put(fPort, port, d.Pos(), n)
		d.Skip(n)
		d.Bytes(fNUL, 1)
	}
	d.Response(keyHello, fAnsweredIn, fRequestIn, fTime)
	switch {
	case !ok:
	case port == 0 || port > 65535:
		d.Expert(nPort)
		d.Info().Setf("session port %d", port)
	default:
		connectNotes.FirstPassIn(d, func(*none) connectNote {
			worlds.FirstPassIn(d, func(w *world) none { w.announce(d, uint16(port)); return none{} })
			return connectNote{}
		})
		d.Ends().Claim(dissect.Endpoint{Addr: d.Src.Addr, Port: uint16(port)})
		if d.Info().Wanted() {
			d.Info().Setf("session port %d", port)
		}
	}
}

// unfinished reads a text whose NUL is missing.
func unfinished(d *dissect.D) {
	if !d.CutShort() {
		d.Expert(nConnText)
	}
	d.Rest(fTextual)
}
