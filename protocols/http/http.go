// Package http dissects the Hypertext Transfer Protocol, versions 1.0 and 1.1 (RFC 9110, RFC 9112), and what speaks its
// format over UDP: the Simple Service Discovery Protocol (UPnP Device Architecture 2.0, section 1).
package http

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("http", "HTTP", "Hypertext Transfer Protocol: requests and answers of the web.").
	Summary("Hypertext Transfer Protocol").Color(dissect.HueGreen)

// SSDP is a protocol of its own with the fields of HTTP.
var ssdp = dissect.NewProtocol("ssdp", "SSDP",
	"Simple Service Discovery Protocol: devices that tell of themselves, in the format of HTTP.").
	Summary("Simple Service Discovery Protocol").Color(dissect.HueGreen).SharesFields(proto)

var (
	fKind = proto.Kind("type", "Message type", kinds, "The method of a request, the status of a response.").Wide(2).
		Dec().Derived().Wordless()
	fFirst = proto.Group("first_line", "First line", "The request line or the status line.").
		Summary("{http.first_line.text}")
	fFirstTx = proto.String("first_line.text", "First line", "The request line or the status line, whole.").Hidden().Own()
	fMethod  = proto.String("request.method", "Request Method", "What is asked for.")
	fURI     = proto.String("request.uri", "Request URI", "What it is asked of.")
	fPath    = proto.String("request.uri.path", "Request URI Path", "The URI up to the question mark.")
	fQuery   = proto.String("request.uri.query", "Request URI Query", "The URI behind the question mark.")
	fParam   = proto.String("request.uri.query.parameter", "Request URI Query Parameter", "One part of the query.")
	fReqVers = proto.String("request.version", "Request Version", "The client's version of HTTP.")
	fResVers = proto.String("response.version", "Response Version", "The server's version of HTTP.")
	fCode    = proto.Uint16("response.code", "Status Code", "How the request went.")
	fDesc    = proto.String("response.code.desc", "Status Code Description",
		"What the number means (RFC 9110 section 15).").Derived()
	fPhrase   = proto.String("response.phrase", "Response Phrase", "How the request went, in the server's words.")
	fEnd      = proto.Label("header_end", "\\r\\n", "The empty line behind the header.").Unnamed()
	fIsReq    = proto.Bool("request", "Request", "The message is a request.").TrueFalse("True", "False").Derived().Hidden()
	fIsNotice = proto.Bool("notification", "Notification", "The message tells of an event, or asks to be told of them.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsRes = proto.Bool("response", "Response", "The message is a response.").TrueFalse("True", "False").Derived().
		Hidden()

	nChat    = proto.Expert("chat", dissect.Chat, "Formatted text").About(dissect.AboutSequence)
	nLeading = proto.Expert("leading_crlf", dissect.Error,
		"Leading CRLF previous message in the stream may have extra CRLF").About(dissect.AboutMalformed)
	nName = proto.Expert("bad_header_name", dissect.Warn, "Illegal characters found in header name")
	nBoth = proto.Expert("te_and_length", dissect.Warn,
		"The Content-Length and Transfer-Encoding header must not be set together").About(dissect.AboutMalformed)
	nCoding = proto.Expert("te_unknown", dissect.Warn, "Unknown transfer coding name in Transfer-Encoding header").
		About(dissect.AboutUndecoded)
	nInflate = proto.Expert("decompression_failed", dissect.Warn, "Decompression failed").About(dissect.AboutUndecoded)
	nLarge   = proto.Expert("decompression.large", dissect.Warn, "The body is too large: its beginning is shown")
	nHead    = proto.Expert("header.bad", dissect.Warn, "A line of the header has no colon")
	nBroken  = proto.Expert("body.short", dissect.Hint, "The body ends before its announced length")
)

// The ports are those that Wireshark takes for HTTP.
var ports = []uint16{80, 1900, 2710, 2869, 3128, 3132, 5985, 8080, 8088, 11371}

// Plugin attaches HTTP to its ports. On others it knows a stream by a whole first line.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Follow: followModes, Objects: objects,
		Logins:     &dissect.LoginFields{Title: "HTTP basic auth", Name: fBasic},
		Statistics: statistics, Dissect: message, TCP: ports,
		On: []dissect.Key{{Table: tables.TLSALPN, Value: dissect.Word("http/1.1")},
			{Table: tables.TLSALPN, Value: dissect.Word("http/1.0")}},
		Guess: recognise, GuessTCP: true, Message: func(b []byte) int { return cut(b, nil) }, Cut: cutInTurn, Remainder: true,
		Joins: joinsHeaders, JoinsBody: joinsBody, Begun: begun,
	}
}

// SSDP attaches the Simple Service Discovery Protocol to its port.
func SSDP() dissect.Plugin {
	return dissect.Plugin{Protocol: ssdp, Dissect: message, UDP: []uint16{1900}}
}

var (
	joinsHeaders = proto.Switch("desegment_headers", "Reassemble HTTP headers spanning multiple TCP segments",
		"Whether headers are put together of several segments.", true)
	joinsBody = proto.Switch("desegment_body", "Reassemble HTTP bodies spanning multiple TCP segments",
		"Whether bodies are put together of several segments.", true)
)

// recognise takes streams that begin with a first line. A request for a page is looked at only when its header is whole
// or long: games ask for pages too, and are known by what stands further down.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	h := parse(b)
	switch {
	case !h.request && !h.response, bytes.HasPrefix(b, []byte("PRI * HTTP/2.0\r\n")): // RFC 9113 section 3.4
		return dissect.No
	case bytes.HasPrefix(b, []byte("GET ")) && h.end == 0 && len(b) < maxStart && !d.CutShort():
		return dissect.No
	}
	return dissect.Strong
}

// maxStart is how many bytes of a request may come before it must be known. The engine forgets earlier bytes of streams
// nobody knows beyond these.
const maxStart = 64

// message dissects one message: a request, a response, or bytes of neither.
func message(d *dissect.D) {
	b := d.Data()
	h := parse(b)
	x := h.exchange(d, b)
	switch {
	case x.Tunnel != 0:
		tunnel(d, x)
		return
	case x.Foreign:
		d.Reject()
		return
	case !h.request && !h.response:
		d.Rest(fData)
		d.Info().Setf("Continuation")
		return
	}
	if h.start > 0 {
		d.Expert(nLeading)
		d.Put(fEnd, 0, d.Pos(), h.start)
		d.Skip(h.start)
	}
	d.SetKind(fKind, h.kind())
	firstLine(d, b, &h)
	if d.Info().Wanted() {
		d.Info().Fence(dissect.Escape(string(b[h.start:h.line])) + " ")
	}
	headers(d, b, &h)
	x.show(d, b, &h)
	body(d, b, &h, x)
}

// firstLine records the parts of the request line or the status line.
func firstLine(d *dissect.D, b []byte, h *head) {
	base := d.Pos() - h.start
	put := func(f *dissect.Field, s span) {
		if s.to > s.from {
			d.Put(f, 0, base+s.from, s.to-s.from)
		}
	}
	d.In(fFirst, func() {
		put(fFirstTx, span{h.start, h.next})
		if d.Wanted(nChat) {
			d.ExpertText(nChat, string(b[h.start:h.next]))
		} else {
			d.Expert(nChat)
		}
		if h.request {
			put(fMethod, h.method)
			put(fURI, h.uri)
			d.Below(func() { uri(d, b, base, h.uri) })
			put(fReqVers, h.version)
		} else {
			put(fResVers, h.version)
			d.Put(fCode, uint64(h.status), base+h.code.from, h.code.to-h.code.from)
			if desc, ok := statuses[uint64(h.status)]; ok && d.Wanted(fDesc) {
				d.PutText(fDesc, desc, base+h.code.from, h.code.to-h.code.from)
			}
			put(fPhrase, h.phrase)
		}
		d.Skip(h.next - h.start)
	})
}

// uri takes a request's target apart, where it has a query.
func uri(d *dissect.D, b []byte, base int, s span) {
	q := bytes.IndexByte(b[s.from:s.to], '?')
	if q < 0 {
		return
	}
	d.Put(fPath, 0, base+s.from, q)
	query := b[s.from+q+1 : s.to]
	if len(query) == 0 {
		return
	}
	at := base + s.from + q + 1
	d.Put(fQuery, 0, at, len(query))
	d.Below(func() {
		for more := d.Elements(); len(query) > 0 && more.NextAt(at); {
			n := bytes.IndexByte(query, '&')
			if n < 0 {
				n = len(query)
			}
			d.Put(fParam, 0, at, n)
			n = min(n+1, len(query))
			at, query = at+n, query[n:]
		}
	})
}
