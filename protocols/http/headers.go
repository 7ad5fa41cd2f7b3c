package http

import (
	"bytes"
	"encoding/base64"
	"strings"

	"remora/dissect"
)

// The header fields that Wireshark names. All others are shown as lines.
var (
	fReqLine  = proto.String("request.line", "Request line", "A line of a request's header.").Plain()
	fResLine  = proto.String("response.line", "Response line", "A line of a response's header.").Plain()
	fUnknown  = proto.String("unknown_header", "Unknown header", "A line of the header of an event's message.")
	fReqKnown = proto.String("request.line", "Request line", "A line of a request's header that has a field of its own.").
			Plain().Hidden()
	fResKnown = proto.String("response.line", "Response line",
		"A line of a response's header that has a field of its own.").Plain().Hidden()
	fLength = proto.Uint64("content_length", "Content length", "Length of the body, as a number.").Derived()
	fBasic  = proto.String("authbasic", "Credentials", "Name and password of basic authentication (RFC 7617).").Derived()
	fPair   = proto.String("cookie_pair", "Cookie pair", "One cookie.")

	fAuthorization = proto.String("authorization", "Authorization", "Who asks.")
	fLengthText    = proto.String("content_length_header", "Content-Length", "Length of the body, as it is written.")
	fCookie        = proto.String("cookie", "Cookie", "What the server had the client keep.")
	fEncoding      = proto.String("content_encoding", "Content-Encoding", "How the body is packed.")
	fTransfer      = proto.String("transfer_encoding", "Transfer-Encoding", "How the body is sent.")
	fProxyAuth     = proto.String("proxy_authorization", "Proxy-Authorization", "Who asks, for a proxy.")
	fAsked         = proto.String("www_authenticate", "WWW-Authenticate", "How the server wants to know who asks.")
	fProxyAsked    = proto.String("proxy_authenticate", "Proxy-Authenticate", "How a proxy wants to know who asks.")

	named = map[string]*dissect.Field{
		"authorization":       fAuthorization,
		"content-length":      fLengthText,
		"cookie":              fCookie,
		"content-encoding":    fEncoding,
		"transfer-encoding":   fTransfer,
		"proxy-authorization": fProxyAuth,
		"accept":              proto.String("accept", "Accept", "The types of bodies the client takes."),
		"accept-encoding":     proto.String("accept_encoding", "Accept Encoding", "The packings the client takes."),
		"accept-language": proto.String("accept_language", "Accept-Language",
			"The languages the client's user reads."),
		"cache-control":      proto.String("cache_control", "Cache-Control", "What caches may do."),
		"connection":         proto.String("connection", "Connection", "What becomes of the connection."),
		"content-type":       proto.String("content_type", "Content-Type", "What the body is."),
		"date":               proto.String("date", "Date", "When the message was made."),
		"host":               proto.String("host", "Host", "The server's name."),
		"http2-settings":     proto.String("http2_settings", "HTTP2-Settings", "Settings for a change to HTTP/2."),
		"last-modified":      proto.String("last_modified", "Last-Modified", "When the body last changed."),
		"location":           proto.String("location", "Location", "Where to go instead."),
		"proxy-authenticate": fProxyAsked,
		"referer":            proto.String("referer", "Referer", "The page that led here."),
		"sec-websocket-accept": proto.String("sec_websocket_accept", "Sec-WebSocket-Accept",
			"The answer to the client's key."),
		"sec-websocket-extensions": proto.String("sec_websocket_extensions", "Sec-WebSocket-Extensions",
			"Extensions of WebSocket."),
		"sec-websocket-key": proto.String("sec_websocket_key", "Sec-WebSocket-Key", "The client's key."),
		"sec-websocket-protocol": proto.String("sec_websocket_protocol", "Sec-WebSocket-Protocol",
			"What WebSocket carries."),
		"sec-websocket-version": proto.String("sec_websocket_version", "Sec-WebSocket-Version", "Version of WebSocket."),
		"server":                proto.String("server", "Server", "The server's program."),
		"set-cookie":            proto.String("set_cookie", "Set-Cookie", "What the client shall keep."),
		"upgrade":               proto.String("upgrade", "Upgrade", "The protocol to change to."),
		"user-agent":            proto.String("user_agent", "User-Agent", "The client's program."),
		"www-authenticate":      fAsked,
		"x-forwarded-for":       proto.String("x_forwarded_for", "X-Forwarded-For", "For whom a proxy asks."),
	}
)

// headers records the lines of the header. A line that begins with a space goes on with the one before.
func headers(d *dissect.D, b []byte, h *head) {
	for at, more := h.next, d.Elements(); more.Next(); {
		line, next, ok := dissect.LineAt(b, at, maxHead)
		if ok && line == at {
			d.Put(fEnd, 0, d.Pos(), next-at)
			d.Skip(next - at)
			return
		}
		for p := (dissect.Progress{}); ok && next < len(b) && (b[next] == ' ' || b[next] == '\t') && p.Up(next); {
			line, next, ok = dissect.LineAt(b, next, maxHead)
		}
		header(d, b, h, span{at, line}, next-at)
		at = next
	}
}

// header records one line, with all its n bytes.
func header(d *dissect.D, b []byte, h *head, s span, n int) {
	pos := d.Pos()
	name, value := nameAndValue(b, s.from, s.to)
	f := named[lower(b, name)]
	plain, known := fReqLine, fReqKnown
	switch {
	case h.response:
		plain, known = fResLine, fResKnown
	case h.notice():
		plain, known = fUnknown, nil
	}
	switch {
	case name.to == s.to && d.CutShort() && n == d.Left(): // the colon may follow
	case name.to == s.to:
		d.Expert(nHead)
	case !token(b[name.from:name.to]) && (!d.CutShort() || n < d.Left()):
		d.Expert(nName)
	}
	if f == nil {
		d.Put(plain, 0, pos, n)
		d.Skip(n)
		return
	}
	text := b[value.from:value.to]
	if d.Wanted(f) {
		d.PutText(f, string(text), pos, n)
		d.Suffix(f, string(b[s.to:s.from+n]))
	}
	d.Below(func() { detail(d, f, h, text, pos, pos+value.from-s.from, n) })
	if known != nil {
		d.Put(known, 0, pos, n)
	}
	d.Skip(n)
}

// detail takes the value of a header field apart: n is the line's length, at where the value stands.
func detail(d *dissect.D, f *dissect.Field, h *head, text []byte, pos, at, n int) {
	switch f {
	case fLengthText:
		if v := number(text); v >= 0 {
			d.Put(fLength, uint64(v), pos, n)
		}
		if h.chunked {
			d.Expert(nBoth)
		}
	case fTransfer:
		if !h.chunked && !strings.EqualFold(string(text), "identity") && (!d.CutShort() || d.Left() > 0) {
			d.Expert(nCoding)
		}
	case fAuthorization, fProxyAuth:
		if words := strings.Fields(string(text[:min(len(text), 1024)])); len(words) == 2 &&
			strings.EqualFold(words[0], "basic") && d.Wanted(fBasic) {
			if plain, err := base64.StdEncoding.DecodeString(words[1]); err == nil {
				d.PutText(fBasic, string(plain), at, len(text))
			}
		}
		proof(d, text)
	case fAsked, fProxyAsked:
		proof(d, text)
	case fCookie:
		cookies(d, text, at)
	}
}

// cookies records the parts of a Cookie header.
func cookies(d *dissect.D, text []byte, at int) {
	if !d.Wanted(fPair) {
		return
	}
	for more := d.Elements(); len(text) > 0 && more.NextAt(at); {
		n := bytes.IndexByte(text, ';')
		if n < 0 {
			n = len(text)
		}
		from := 0
		for from < n && text[from] == ' ' {
			from++
		}
		if n > from {
			d.Put(fPair, 0, at+from, n-from)
		}
		n = min(n+1, len(text))
		at, text = at+n, text[n:]
	}
}
