// Package smb dissects Server Message Block, with which Windows and Samba share files: versions 2 and 3 (MS-SMB2), the
// headers of version 1 (MS-CIFS), the session service of NetBIOS that carries them (RFC 1002), and the messages with
// which users prove who they are (MS-NLMP).
package smb

import (
	"strings"

	"remora/dissect"
)

var nbss = dissect.NewProtocol("nbss", "NBSS", "NetBIOS Session Service: carries file sharing over TCP.").
	Summary("NetBIOS Session Service").Color(dissect.HueBlue)

var (
	sType    = nbss.Kind("type", "Message Type", messageTypes, "What the message is.").Wordless()
	sFlags   = nbss.Uint8("flags", "Flags", "The lowest bit extends the length.").Hex()
	sLength  = nbss.Uint24("length", "Length", "Length of what follows.")
	sLength2 = nbss.Uint16("length", "Length", "Length of what follows, without the bit of the flags.")
	sCalled  = nbss.String("called_name", "Called name", "Whom the session is with.")
	sCalling = nbss.String("calling_name", "Calling name", "Who asks for it.")
	sError   = nbss.Uint8("error_code", "Error code", "Why there is no session.").Named(refusals)
	sAddress = nbss.IPv4("retarget_ip_address", "Retarget IP address", "Where to go instead.")
	sPort    = nbss.Uint16("retarget_port", "Retarget port", "Where to go instead.")
	sStray   = nbss.Bytes("continuation_data", "Continuation data", "Bytes that belong to no message.")
)

// payloads is the table of what sessions carry, by the first four bytes.
const payloads dissect.Table = "nbss.payload"

// Session attaches the session service to its port, and to that of file sharing without NetBIOS.
func Session() dissect.Plugin {
	return dissect.Plugin{Protocol: nbss, Dissect: session, TCP: []uint16{139, 445}, Message: length, Fits: fits}
}

// fits tells whether the bytes begin as a message of the session service does, which carries SMB or is about a session.
func fits(d *dissect.D) bool {
	b := d.Data()
	switch {
	case len(b) < 4 || !known(b[0]):
		return false
	case b[0] != 0:
		return b[1]&^1 == 0 && b[2] == 0
	}
	return len(b) < 8 || b[4] >= 0xfc && string(b[5:8]) == "SMB"
}

// length is how long the message at the start of b is.
func length(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	if !known(b[0]) {
		return len(b)
	}
	return 4 + int(b[1])<<16 + int(b[2])<<8 + int(b[3])
}

func known(kind byte) bool { return kind == 0 || kind >= 0x81 && kind <= 0x85 }

func session(d *dissect.D) {
	if d.Left() < 4 || !known(d.Peek(0)) {
		d.Rest(sStray)
		d.Info().Setf("NBSS Continuation Message")
		return
	}
	kind := d.Kind(sType)
	if kind == 0 {
		n := int(d.Uint(sLength))
		d.Info().Setf("NBSS Session message")
		d.Within(n, func() {
			if d.Left() < 4 || !d.Next(payloads, uint32(d.PeekUint(0, 4))) {
				d.Rest(sStray)
			}
		})
		return
	}
	d.Uint(sFlags)
	n := int(d.Uint(sLength2))
	d.Within(n, func() { control(d, kind) })
}

// control reads what is said about the session itself.
func control(d *dissect.D, kind uint64) {
	switch kind {
	case 0x81:
		to, from := name(d, sCalled), name(d, sCalling)
		d.Info().Setf("Session request, to %s from %s", to, from)
	case 0x82:
		d.Info().Setf("Positive session response")
	case 0x83:
		d.Uint(sError)
		d.Info().Set("Negative session response, {nbss.error_code:name}")
	case 0x84:
		d.IPv4(sAddress)
		d.Uint(sPort)
		d.Info().Setf("Retarget session response")
	case 0x85:
		d.Info().Setf("Session keep-alive")
	}
	d.Rest(sStray)
}

// name reads a name of NetBIOS, in which every letter takes two (RFC 1001 section 14.1).
func name(d *dissect.D, f *dissect.Field) string {
	at, b := d.Pos(), d.Data()
	if len(b) < 34 || b[0] != 32 {
		return ""
	}
	var text strings.Builder
	last := byte(0)
	for i := 1; i < 33; i += 2 {
		last = (b[i]-'A')<<4 | (b[i+1]-'A')&15
		if i < 31 {
			text.WriteByte(last)
		}
	}
	out := strings.TrimRight(text.String(), " \x00") + "<" + string("0123456789abcdef"[last>>4]) +
		string("0123456789abcdef"[last&15]) + ">"
	d.PutText(f, out, at, 34)
	d.Skip(34)
	return out
}
