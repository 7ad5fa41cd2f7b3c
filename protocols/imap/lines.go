package imap

import (
	"bytes"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/mail"
)

// A cursor takes the words of a line.
type cursor struct {
	at int
	b  []byte
}

// word is the next word: up to a space, or in quotes, which are left out.
func (c *cursor) word() (word []byte, at int) {
	if len(c.b) > 1 && c.b[0] == '"' {
		if end := bytes.IndexByte(c.b[1:], '"'); end >= 0 {
			word, at = c.b[1:1+end], c.at+1
			c.skip(end + 2)
			c.space()
			return word, at
		}
	}
	word, _, _ = bytes.Cut(c.b, []byte{' '})
	at = c.at
	c.skip(len(word))
	c.space()
	return word, at
}

func (c *cursor) skip(n int) { c.at, c.b = c.at+n, c.b[n:] }

func (c *cursor) space() {
	if len(c.b) > 0 && c.b[0] == ' ' {
		c.skip(1)
	}
}

// one shows one line. The last of a packet is in the Info column, since it tells how things went.
func one(d *dissect.D, line []byte, n note, place mail.Place) {
	c := cursor{d.Pos(), bytes.TrimRight(line, "\r\n")}
	if place.Last && n.Letters == 0 && d.Info().Wanted() {
		if n.Server {
			d.Info().Setf("Response: %s", c.b)
		} else {
			d.Info().Setf("Request: %s", c.b)
		}
	}
	if !n.Later {
		isRequest := uint64(1)
		if n.Server {
			isRequest = 0
		}
		d.Set(fIsRequest, isRequest)
	}
	d.Bytes(fLine, len(line))
	if n.Rest || len(c.b) == 0 {
		return
	}
	d.Below(func() {
		switch {
		case n.Server:
			response(d, c, n)
		case n.Input:
			d.SetKind(fKind, kindInput)
			d.Put(fRequest, 0, c.at, len(c.b))
		default:
			request(d, c, n)
		}
	})
}

// response shows the parts of an answer. Those without a tag tell what changed.
func response(d *dissect.D, c cursor, n note) {
	at, text := c.at, c.b
	tag, tagAt := c.word()
	if string(tag) == "*" {
		d.SetKind(fKind, kindUntagged)
		return
	}
	d.Put(fResponse, 0, at, len(text))
	d.Put(fAnswerTag, 0, tagAt, len(tag))
	d.Put(fTag, 0, tagAt, len(tag))
	status, statusAt := c.word()
	d.SetKind(fKind, statusOf(tag, status))
	if len(status) > 0 {
		d.Put(fStatus, 0, statusAt, len(status))
	}
	if word, wordAt := c.word(); len(word) > 0 && string(tag) != "+" {
		d.Put(fDone, 0, wordAt, len(word))
		d.Put(fAny, 0, wordAt, len(word))
	}
	if n.Number != 0 {
		d.Response(uint64(n.Number), fAnswerIn, fAskedIn, fTime)
	}
}

func statusOf(tag, status []byte) uint64 {
	switch {
	case string(tag) == "+":
		return kindMore
	case bytes.EqualFold(status, []byte("OK")):
		return kindOK
	case bytes.EqualFold(status, []byte("NO")):
		return kindNo
	case bytes.EqualFold(status, []byte("BAD")):
		return kindBad
	}
	return kindUntagged
}

// request shows the parts of a command.
func request(d *dissect.D, c cursor, n note) {
	at, text := c.at, c.b
	tag, tagAt := c.word()
	d.Put(fRequest, 0, at, len(text))
	d.Put(fRequestTag, 0, tagAt, len(tag))
	d.Put(fTag, 0, tagAt, len(tag))
	word, wordAt := c.word()
	verb := commands.Kind(word)
	if len(word) > 0 {
		d.Put(fAny, 0, wordAt, len(word))
		if kinds[uint64(verb)] == "UID" {
			d.Set(fUID, 1)
			word, wordAt = c.word()
			verb = commands.Kind(word)
		}
		d.Put(fCommand, 0, wordAt, len(word))
	}
	d.SetKind(fKind, uint64(verb))
	arguments(d, c, kinds[uint64(verb)])
	if n.Number != 0 {
		d.Request(uint64(n.Number), fAnswerIn)
	}
}

// arguments shows what some commands are about.
func arguments(d *dissect.D, c cursor, verb string) {
	put := func(f *dissect.Field) {
		if word, at := c.word(); len(word) > 0 && word[0] != '{' {
			d.Put(f, 0, at, len(word))
		}
	}
	switch verb {
	case "LOGIN":
		put(fUser)
		put(fPass)
	case "SELECT", "EXAMINE", "CREATE", "DELETE", "RENAME", "SUBSCRIBE", "UNSUBSCRIBE", "STATUS", "APPEND":
		put(fFolder)
	case "COPY", "MOVE":
		c.word()
		put(fFolder)
	}
}

// letter reads a message, and names its format behind this protocol in the Protocol column if the server sends it: once
// for each in the packet.
func letter(d *dissect.D, n note) {
	column := ""
	if n.Server {
		column = "IMAP" + strings.Repeat("/IMF", int(n.Letters))
	}
	mail.Letter(d, column)
}

// part shows a part of a literal. With the last, a message is read whole.
func part(d *dissect.D, n note) {
	d.SetKind(fKind, kindLiteral)
	size := d.Left()
	switch {
	case n.Part == mail.LastPart && n.Whole.Size == 0 && n.Mail:
		d.Within(size, func() { letter(d, n) })
		return
	case n.Letters > 0 && !n.Mail:
	case d.Info().Wanted() && n.Part == mail.OnePart:
		d.Info().Setf("Literal fragment, %d bytes", size)
	case d.Info().Wanted():
		d.Info().Setf("Literal, %d bytes", size)
	}
	d.Rest(fLiteral)
	switch {
	case n.Part == mail.OnePart:
		d.Links().ShowForward(fParts.In)
	case n.Whole.Count > 0:
		fParts.Join(d, n.Whole, func() {
			if n.Mail {
				letter(d, n)
			} else {
				d.Rest(fLiteral)
			}
		})
	}
}
