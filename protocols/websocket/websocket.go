// Package websocket dissects the WebSocket protocol (RFC 6455), to which connections change from HTTP.
package websocket

import (
	"bytes"
	"encoding/binary"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("websocket", "WebSocket",
	"WebSocket: messages both ways between a web page and a server.").
	Color(dissect.HueGreen).Traits(dissect.Unpacks)

var opcodes = dissect.Values{0: "Continuation", 1: "Text", 2: "Binary", 8: "Connection Close", 9: "Ping", 10: "Pong"}

var closings = dissect.Values{
	1000: "Normal Closure", 1001: "Going Away", 1002: "Protocol error", 1003: "Unsupported Data", 1004: "---Reserved----",
	1005: "No Status Rcvd", 1006: "Abnormal Closure",
	1007: "Invalid frame payload data", 1008: "Policy Violation", 1009: "Message Too Big", 1010: "Mandatory Ext.",
	1011: "Internal Server", 1015: "TLS handshake",
}

var (
	fKind     = proto.Kind("type", "Message type", opcodes, "What the frame is: the opcode.").Dec().Derived().Wordless()
	fFin      = proto.Bool("fin", "Fin", "The message ends with this frame.").TrueFalse("True", "False").Masked(0x80)
	fReserved = proto.Uint8("rsv", "Reserved", "Bits that extensions use.").Hex().Masked(0x70)
	fPacked   = proto.Bool("pmc", "Per-Message Compressed", "The message is packed (RFC 7692).").
			TrueFalse("True", "False").Masked(0x40)
	fOpcode = proto.Uint8("opcode", "Opcode", "What the frame is.").Named(opcodes).Masked(0x0f)
	fMask   = proto.Bool("mask", "Mask", "The payload is combined with a key, as clients do.").
		TrueFalse("True", "False").Masked(0x80)
	fLength = proto.Uint8("payload_length", "Payload length",
		"Length of the payload; 126 and 127 stand for a longer field behind.").
		Named(dissect.Values{126: "Extended Payload Length (16 bits)", 127: "Extended Payload Length (64 bits)"}).Masked(0x7f)
	fLength16 = proto.Uint16("payload_length_ext_16", "Extended Payload length (16 bits)", "Length of the payload.")
	fLength64 = proto.Uint64("payload_length_ext_64", "Extended Payload length (64 bits)", "Length of the payload.")
	fKey      = proto.Bytes("masking_key", "Masking-Key", "What the payload is combined with, byte by byte.")
	fMasked   = proto.Bytes("masked_payload", "Masked payload", "The payload as it is on the wire.")
	fPayload  = proto.Node("payload", "Payload", "What the frame carries.")
	fWhole    = proto.Bytes("payload.bytes", "Payload", "The payload.").Hidden()
	fPart     = proto.Bytes("payload.continue", "Continue", "A part of a message that comes in several frames.")
	fText     = proto.String("payload.text", "Text", "A message of text.")
	fPing     = proto.Bytes("payload.ping", "Ping", "What the answer shall repeat.")
	fPong     = proto.Bytes("payload.pong", "Pong", "What the ping said.")
	fUnknown  = proto.Bytes("payload.unknown", "Unknown", "The payload of a frame that nobody knows.")
	fClose    = proto.Node("payload.close", "Close", "Why the connection ends.")
	fStatus   = proto.Uint16("payload.close.status_code", "Status code", "Why the connection ends, as a number.").
			Named(closings)
	fReason = proto.String("payload.close.reason", "Reason", "Why the connection ends, in words.")

	nOpcode = proto.Expert("payload.unknown.expert", dissect.Hint, "Dissector for Websocket Opcode").
		About(dissect.AboutUndecoded)
	nLarge   = proto.Expert("decompression.large", dissect.Warn, "The message is too large: its beginning is shown")
	nInflate = proto.Expert("decompression.failed.expert", dissect.Warn, "Decompression failed")
)

// The opcodes (RFC 6455 section 5.2).
const (
	opText = iota + 1
	opBinary
)

const (
	opClose = iota + 8
	opPing
	opPong
)

// Plugin attaches WebSocket to what connections of HTTP change to.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Dissect: frame, On: []dissect.Key{{Table: tables.HTTPUpgrade, Value: dissect.Word("websocket")}},
		Message: size,
	}
}

// A head is what a frame says of itself.
type head struct {
	op        byte
	fin, pack bool
	at        int // where the payload begins
	length    uint64
	key       []byte
}

// parse reads a frame's header; false says that more bytes are needed.
func parse(b []byte) (h head, ok bool) {
	if len(b) < 2 {
		return h, false
	}
	h.op, h.fin, h.pack, h.at, h.length = b[0]&15, b[0]&0x80 != 0, b[0]&0x40 != 0, 2, uint64(b[1]&0x7f)
	switch {
	case h.length == 126 && len(b) >= 4:
		h.at, h.length = 4, uint64(binary.BigEndian.Uint16(b[2:]))
	case h.length == 127 && len(b) >= 10:
		h.at, h.length = 10, binary.BigEndian.Uint64(b[2:])
	case h.length >= 126:
		return h, false
	}
	if b[1]&0x80 != 0 {
		if len(b) < h.at+4 {
			return h, false
		}
		h.key = b[h.at : h.at+4]
		h.at += 4
	}
	return h, true
}

// size is how long the frame is that b begins with.
func size(b []byte) int {
	h, ok := parse(b)
	switch {
	case !ok:
		return 0
	case h.length > dissect.MaxMessage:
		return len(b)
	}
	return h.at + int(h.length)
}

// frame reads one frame, or those that came together where nobody cuts the stream.
func frame(d *dissect.D) {
	b := d.Data()
	h, ok := parse(b)
	if !ok {
		d.Rest(fUnknown)
		return
	}
	if key := greeting(h, b); key != 0 && d.Inner().Find(tables.WebSocketGreeting, key) != 0 {
		d.Inner().HandOver(tables.WebSocketGreeting, key)
		d.Next(tables.WebSocketGreeting, key)
		return
	}
	n := messages.FirstPass(d, func(s *state) note { return s.take(d, h, b) })
	d.SetKind(fKind, uint64(h.op))
	header(d, h)
	if d.Info().Wanted() {
		d.Info().Setf("%s", summary(h))
	}
	length := int(min(h.length, uint64(d.Left())))
	payload(d, h, n, length)
	if d.More() {
		d.Rest(fUnknown)
	}
}

// greeting is the number of a whole message of four bytes, as servers greet with, or 0.
func greeting(h head, b []byte) uint32 {
	if !h.fin || h.pack || h.op != opBinary || h.key != nil || h.length != 4 || len(b) != h.at+4 {
		return 0
	}
	return dissect.Word(string(b[h.at:]))
}

// header shows the fields in front of the payload.
func header(d *dissect.D, h head) {
	if h.pack {
		d.Bits(fFin, fReserved, fPacked, fOpcode)
	} else {
		d.Bits(fFin, fReserved, fOpcode)
	}
	if _, known := opcodes[uint64(h.op)]; !known {
		d.Expert(nOpcode)
	}
	switch d.Bits(fMask, fLength) & 0x7f {
	case 126:
		d.Uint(fLength16)
	case 127:
		d.Uint(fLength64)
	}
	if h.key != nil {
		d.Bytes(fKey, 4)
	}
}

// summary is what Wireshark says of a frame in its Info column.
func summary(h head) string {
	name, known := opcodes[uint64(h.op)]
	if !known {
		name = "Unknown Opcode"
	}
	text := "WebSocket " + name
	if h.fin {
		text += " [FIN]"
	} else {
		text += "[FRAGMENT]"
	}
	if h.key != nil {
		text += " [MASKED]"
	}
	return text
}

// unmask combines the payload with the key.
func unmask(b, key []byte) []byte {
	out := bytes.Clone(b)
	for i := range out {
		out[i] ^= key[i&3]
	}
	return out
}
