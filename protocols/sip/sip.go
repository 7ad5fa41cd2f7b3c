// Package sip dissects the Session Initiation Protocol (RFC 3261): how calls are set up, changed and ended. What a call
// sends is described by the bodies, which other protocols dissect by their media type.
package sip

import (
	"bytes"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("sip", "SIP", "Session Initiation Protocol: sets up, changes and ends calls.").
	Summary("Session Initiation Protocol ({sip.type:name})").Color(dissect.HueMagenta)

var (
	fKind = proto.Kind("type", "Message type", kinds, "The method of a request, the status of a response.").Wide(2).
		Dec().Derived().Wordless()
	fRequest = proto.String("Request-Line", "Request-Line", "The first line of a request.")
	fMethod  = proto.String("Method", "Method", "What is asked for.")
	fStatus  = proto.String("Status-Line", "Status-Line", "The first line of a response.")
	fCode    = proto.Uint32("Status-Code", "Status-Code", "How the request went.")
	fHeader  = proto.String("msg_hdr", "Message Header", "The lines behind the first, up to the empty one.")
	fEnd     = proto.Label("header_end", "\\r\\n", "The empty line behind the header.")
	fLine    = proto.String("header_line", "Header", "A line of the header that has no field of its own.")
	fBody    = proto.Node("msg_body", "Message Body", "What the message carries.")
	fText    = proto.String("body.text", "Text", "A body of text.")
	fOther   = proto.Bytes("body.data", "Data", "A body of a kind that nobody knows.")
	fStray   = proto.Bytes("continuation", "Continuation data", "Bytes that belong to no message.")
	fAlive   = proto.Label("keepalive", "Keep-alive", "Empty lines that keep a path open (RFC 5626 section 3.5.1).")
	nNoColon = proto.Expert("header_no_colon", dissect.Warn, "Header has no colon after the name").
			About(dissect.AboutMalformed)
	nNoEnd = proto.Expert("header_not_terminated", dissect.Warn, "Header not terminated by empty line (CRLF)").
		About(dissect.AboutMalformed)
	nUnknown = proto.Expert("unrecognized_header", dissect.Hint, "Unrecognised SIP header").About(dissect.AboutUndecoded)
	nBadCode = proto.Expert("Status-Code.invalid", dissect.Hint, "Invalid Status-Code").About(dissect.AboutMalformed)
	nBadLen  = proto.Expert("content_length.invalid", dissect.Hint, "Invalid content_length").
			About(dissect.AboutMalformed)
	nBodyLess = proto.Expert("body.short", dissect.Hint, "The body ends before its announced length")
)

// ports are those that Wireshark takes for SIP.
var ports = []uint16{5060}

// Plugin attaches SIP to its port. On others it knows datagrams and streams by a whole first line.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Statistics: statistics, Dissect: message, UDP: ports, TCP: ports, Guess: recognise, GuessAll: true,
		Message: length, Remainder: true,
		Calls: &dissect.CallFields{ID: fCallID, Other: fOtherID, Method: fMethod, Status: fCode, Of: fSeqMethod,
			From: fromPlace.uri,
			To:   toPlace.uri},
	}
}

// recognise takes what begins with a first line of SIP; on its port also the empty lines that keep a path open.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	var h head
	if mayBegin(b) {
		h = parse(b, d.CutShort())
	}
	switch {
	case h.request || h.response:
		return dissect.Strong
	case len(b) > 0 && len(b) <= 4 && len(bytes.Trim(b, "\r\n")) == 0:
		return dissect.Weak
	}
	return dissect.No
}

// length is how long the message at the start of b is; a number beyond b's length is the least it can be.
func length(b []byte) int {
	if blank := blanks(b); blank > 0 {
		return blank
	}
	h := parse(b, false)
	switch {
	case h.request || h.response:
		if h.end > 0 {
			return h.end + int(min(max(h.length, 0), dissect.MaxMessage))
		}
		if len(b) >= maxHead {
			return len(b)
		}
		return 0
	case bytes.IndexByte(b[:min(len(b), maxLine)], '\n') < 0 && len(b) < maxLine:
		return 0
	}
	return len(b)
}

// blanks is how many bytes of empty lines b begins with.
func blanks(b []byte) int { return len(b) - len(bytes.TrimLeft(b, "\r\n")) }

func message(d *dissect.D) {
	b := d.Data()
	h := parse(b, d.CutShort())
	switch {
	case blanks(b) == len(b):
		d.Put(fAlive, 0, d.Pos(), len(b))
		d.Skip(len(b))
		d.Info().Setf("Keep-alive")
		return
	case !h.request && !h.response:
		if d.Ends().Transport() != dissect.TableTCP {
			d.Reject()
			return
		}
		d.Rest(fStray)
		d.Info().Setf("Continuation")
		return
	}
	d.Inner().ExportAs(dissect.ExportLayer7, dissect.ExportedAs{Name: proto.Name()})
	d.SetKind(fKind, h.kind(b))
	m := reader{d: d, base: d.Pos(), b: b, h: &h}
	m.firstLine()
	m.headers()
	m.info()
	m.body()
	d.Info().KeepProtocol()
}

// A reader shows the parts of one message by their places in it.
type reader struct {
	d    *dissect.D
	base int // where the message begins in its source
	b    []byte
	h    *head
}

// put records a part of the message's text.
func (m *reader) put(f *dissect.Field, s span) {
	if s.to > s.from {
		m.d.Put(f, 0, m.base+s.from, s.to-s.from)
	}
}

// number records digits as a number, if they are one.
func (m *reader) number(f *dissect.Field, s span) {
	if v := number(m.b[s.from:s.to]); v >= 0 && (f.Size() == 8 || v < 1<<(8*f.Size())) {
		m.d.Put(f, uint64(v), m.base+s.from, s.to-s.from)
	}
}

func (m *reader) firstLine() {
	d, h := m.d, m.h
	f := fRequest
	if h.response {
		f = fStatus
	}
	if d.Wanted(f) {
		d.PutText(f, string(m.b[:h.line]), m.base, h.next)
	}
	d.Below(func() {
		if h.request {
			m.put(fMethod, h.method)
			m.put(requestURI.uri, h.uri)
			d.Below(func() { m.uri(requestURI, h.uri) })
		} else {
			m.number(fCode, h.code)
			if h.status < 100 || h.status > 699 {
				d.Expert(nBadCode)
			}
		}
		m.transaction()
	})
	d.Skip(h.next)
}

// begins are the requests that begin a dialog, and may also come within one.
var begins = map[string]bool{"INVITE": true, "SUBSCRIBE": true, "REFER": true}

// info is what Wireshark says of the message: first line, method of what is answered, bindings of registrations.
func (m *reader) info() {
	d, h := m.d, m.h
	if !d.Info().Wanted() {
		return
	}
	var text strings.Builder
	if h.request {
		fmt.Fprintf(&text, "Request: %s %s", m.b[h.method.from:h.method.to], m.b[h.uri.from:h.uri.to])
		if h.inDialog && begins[string(m.b[h.method.from:h.method.to])] {
			text.WriteString(", in-dialog")
		}
	} else {
		fmt.Fprintf(&text, "Status: %s", m.b[h.code.from:h.line])
		if h.status >= 200 && h.status < 300 {
			fmt.Fprintf(&text, " (%s)", m.b[h.verb.from:h.verb.to])
		}
	}
	registers := string(m.b[h.verb.from:h.verb.to]) == "REGISTER"
	switch n := h.contacts; {
	case !registers || h.response && (h.status < 200 || h.status > 299):
	case h.request && n == 0:
		text.WriteString("  (fetch bindings)")
	case h.star && h.request:
		text.WriteString("  (remove all bindings)")
	case h.request && h.leaves:
		fmt.Fprintf(&text, "  (remove %s)", plural(n, "binding"))
	default:
		fmt.Fprintf(&text, "  (%s)", plural(n, "binding"))
	}
	text.WriteString(" | ") // what follows is of the body
	d.Info().Fence(dissect.Escape(text.String()))
}

// body hands on what the message carries.
func (m *reader) body() {
	d, h := m.d, m.h
	n := d.Left()
	switch {
	case h.length >= 0 && h.length < int64(n):
		n = int(h.length)
	case h.length > int64(n) && !d.CutShort():
		d.Expert(nBodyLess)
	}
	if n == 0 {
		return
	}
	d.In(fBody, func() {
		kind := mediaType(m.b[h.kindOf.from:h.kindOf.to])
		switch {
		case kind == "" && h.length < 0:
			d.Bytes(fOther, n)
		case strings.HasPrefix(kind, "multipart/"):
			d.SetLayerData(m.b[h.kindOf.from:h.kindOf.to])
			d.Within(n, func() { d.NextPart(tables.MediaType, dissect.Word("multipart/*")) })
		case d.Inner().Attached(tables.MediaType, dissect.Word(kind)):
			d.SetLayerData(m.b[h.kindOf.from:h.kindOf.to])
			d.Within(n, func() { d.NextPart(tables.MediaType, dissect.Word(kind)) })
		default:
			f := fOther
			if strings.HasPrefix(kind, "text/") || textual(kind) {
				f = fText
			}
			d.Bytes(f, n)
		}
	})
	d.Rest(fStray)
}
