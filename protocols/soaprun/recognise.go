package soaprun

import (
	"bytes"

	"remora/dissect"
)

// recognise says how sure the start of a stream makes us: a greeting, a Prtc request, two whole messages in a row or
// the dispatch's texts claim at once; one whole message needs another; what only begins as a message does counts on
// the game's own port and with servers that a dispatch named. Four letters alone are never enough, being words.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	switch {
	case len(b) == 0:
		return dissect.No
	case len(b) >= 4 && b[0] >= 0x20:
		if dispatchRequest(b) || understood(b) {
			return dissect.Strong
		}
	}
	if kind, ok := exactWS(b); ok {
		if kind == tWelcome || kind == tOver || kind == tProtocol {
			return dissect.Strong
		}
		return dissect.Likely
	}
	if !plausible(b) {
		if upgrade(b) {
			return dissect.Weak
		}
		if nextMessage(b) > 0 {
			return dissect.Strong
		}
		if size, _ := measure(b); size > 0 {
			return dissect.Weak
		}
		return dissect.No
	}
	if n := exact(b); n > 0 {
		switch _, kind, _ := header(b); {
		case kind == tWelcome || kind == tOver || kind == tProtocol:
			return dissect.Strong
		case exact(b[n:]) > 0:
			return dissect.Strong
		case n == len(b):
			return dissect.Likely
		}
	}
	return dissect.Weak
}

// onPort takes a whole message: the game's ports alone say nothing. Who asks for WebSocket there is taken for HTTP
// until a server greets as the game's does.
func onPort(d *dissect.D) bool { return recognise(d) >= dissect.Likely }

// userAgent is the line by which the game gives itself away.
const userAgent = "User-Agent: Soaprun1"

// dispatchRequest reports whether b begins with the game's request to the dispatch.
func dispatchRequest(b []byte) bool {
	if !bytes.HasPrefix(b, []byte("GET ")) {
		return false
	}
	i := bytes.Index(b, []byte("\n"+userAgent))
	if i < 0 {
		return false
	}
	rest := b[i+1+len(userAgent):]
	return len(rest) > 0 && (rest[0] == '\r' || rest[0] == '\n')
}

// understood reports whether b holds a reply that the game takes, with the protocol's name in it.
func understood(b []byte) bool {
	if !bytes.Contains(b, []byte(protocolName)) || !bytes.Contains(b, []byte(marker)) {
		return false
	}
	r := parseReply(b)
	return r.broken == keepsRules && string(r.token(b, tokenProtocol)) == protocolName
}

const (
	protocolName    = "Soaprun"
	protocolVersion = 64
)
