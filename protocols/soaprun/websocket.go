package soaprun

import (
	"bytes"
	"encoding/binary"

	"remora/dissect"
)

// The replacement server also speaks WebSocket (RFC 6455) on the game's port: after the usual handshake each binary
// frame is one message, type and body, without the Length. A message may also come in parts, a frame each (RFC 6455
// section 5.4), with pings between them.

var (
	fWS = proto.Group("ws", "WebSocket frame", "The frame that the message came in, instead of a Length.").
		Summary("WebSocket frame: {ws.opcode:name}, {ws.length} bytes[, masked with {ws.mask}]")
	fWSFin = proto.Bool("ws.fin", "Last part", "The message ends with this frame.").Masked(0x80).TrueFalse("yes", "no")
	fWSOp  = proto.Uint8("ws.opcode", "Frame type", "What the frame is.").Masked(0x0f).
		Named(dissect.Values{0: "continuation", 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong"})
	fWSMasked = proto.Bool("ws.masked", "Masked", "The bytes are masked, as a client has to.").Masked(0x80).
			TrueFalse("yes", "no")
	fWSSmall = proto.Uint8("ws.length.small", "Length",
		"Length of the payload; 126 and 127 say that a longer field follows.").Masked(0x7f)
	fWSLong  = proto.Uint16("ws.length.long", "Extended length", "Length of the payload in 2 bytes, network order.").BE()
	fWSHuge  = proto.Uint64("ws.length.huge", "Extended length", "Length of the payload in 8 bytes, network order.").BE()
	fWSKey   = proto.Bytes("ws.mask", "Mask", "What the bytes of the payload are combined with, byte by byte.")
	fWSLen   = proto.Uint64("ws.length", "Payload length", "Length of the payload.").Derived()
	fWSData  = proto.Bytes("ws.payload", "Masked payload", "The payload as it is on the wire.")
	fWSPart  = proto.Bytes("ws.part", "Part of the payload", "What a frame has of a message that comes in several.")
	fWSPlain = proto.Bytes("ws.control", "Payload", "What a frame carries that is no message of the game.")
)

// The frame types that occur.
const (
	wsBinary = 2
	wsClose  = 8
	wsPong   = 10
)

// A wsFrame is the header of a frame: where the payload is, and its mask.
type wsFrame struct {
	op        byte
	last      bool // the message ends with it
	head, len int
	mask      []byte
}

func (f *wsFrame) size() int { return f.head + f.len }

// control tells a frame that carries nothing of a message.
func (f *wsFrame) control() bool { return f.op >= wsClose }

// parseWS reads the header of a frame. ok is false when b begins otherwise or is too short to tell.
func parseWS(b []byte) (f wsFrame, ok bool) {
	if len(b) < 2 || b[0]&0x70 != 0 {
		return f, false
	}
	f.op, f.last, f.head, f.len = b[0]&15, b[0]&0x80 != 0, 2, int(b[1]&0x7f)
	switch f.len {
	case 126:
		if len(b) < 4 {
			return f, false
		}
		f.head, f.len = 4, int(binary.BigEndian.Uint16(b[2:]))
	case 127:
		if len(b) < 10 || binary.BigEndian.Uint64(b[2:]) > maxLength {
			return f, false
		}
		f.head, f.len = 10, int(binary.BigEndian.Uint64(b[2:]))
	}
	if b[1]&0x80 != 0 {
		if len(b) < f.head+4 {
			return f, false
		}
		f.mask = b[f.head : f.head+4]
		f.head += 4
	}
	return f, true
}

// measureWS is the size of what is at the start of b: a binary frame that holds a message of a known type, the frames
// of one in parts, or a frame that closes or keeps up the connection. 0 is none of them, or too short to tell; -1 is
// one whose size needs more bytes.
func measureWS(b []byte) int {
	f, ok := parseWS(b)
	if !ok {
		return 0
	}
	switch {
	case f.op == wsBinary && f.len >= 4 && len(b) >= f.head+4:
		var name [4]byte
		f.unmask(name[:], b[f.head:f.head+4])
		if !knownType(binary.BigEndian.Uint32(name[:])) {
			return 0
		}
		if f.last {
			return f.size()
		}
		return partsWS(b)
	case f.control() && f.op <= wsPong && f.last && f.len <= maxControl:
		if size := f.size(); len(b) < size {
			return -1
		} else if len(b) == size || beginsWS(b[size]) {
			return size
		}
	}
	return 0
}

// beginsWS reports whether a frame that may stand behind another one begins with c.
func beginsWS(c byte) bool {
	op := c & 15
	return c&0x70 == 0 && (op == wsBinary || c&0x80 != 0 && op >= wsClose && op <= wsPong)
}

// partsWS is the size of all frames of a message in parts.
func partsWS(b []byte) int {
	for at, payload, p := 0, 0, (dissect.Progress{}); p.Up(at); {
		f, ok := parseWS(b[at:])
		if !ok && len(b)-at < maxHead {
			return -1
		}
		if payload += f.len; !ok || payload > maxLength || at > 0 && f.op != 0 && !f.control() {
			return 0
		}
		if at += f.size(); at > len(b) {
			return -1
		}
		if f.last && f.op == 0 {
			return at
		}
	}
	return 0
}

// The bounds of frames: the payload of one that carries nothing of a message, and the longest header.
const (
	maxControl = 125
	maxHead    = 14
)

// joinWS is the plain payload of the frames in b.
func joinWS(b []byte) (plain []byte) {
	for p := (dissect.Progress{}); p.Down(len(b)); {
		f, ok := parseWS(b)
		if !ok {
			return plain
		}
		end := min(f.size(), len(b)) // the capture may have cut off the rest
		if !f.control() {
			at := len(plain)
			plain = append(plain, b[f.head:end]...)
			f.unmask(plain[at:], plain[at:])
		}
		b = b[end:]
	}
	return plain
}

// frameOrMessage is the size of the frames at the start of b, as measureWS. A frame without anything in it can look
// like the Length of a message: the type behind it tells, for which it waits.
func frameOrMessage(b []byte) int {
	size := measureWS(b)
	if f, _ := parseWS(b); size != 0 && f.control() && plausible(b) {
		size = 0
	}
	return size
}

// unmask writes the plain bytes of src, which begins where the payload does, to dst.
func (f *wsFrame) unmask(dst, src []byte) {
	for i, c := range src {
		if dst[i] = c; f.mask != nil {
			dst[i] = c ^ f.mask[i&3]
		}
	}
}

// exactWS reports whether b begins with the whole frames of a message that has the right size, and its type.
func exactWS(b []byte) (kind uint32, ok bool) {
	size := measureWS(b)
	if size <= 0 || size > len(b) {
		return 0, false
	}
	if f, _ := parseWS(b); f.op != wsBinary {
		return 0, false
	}
	plain := joinWS(b[:size])
	kind = binary.BigEndian.Uint32(plain)
	return kind, fits(kind, plain[4:], len(plain)-4) == yes
}

// webSocket dissects one frame, or those of a message in parts.
func webSocket(d *dissect.D, b []byte) {
	f, _ := parseWS(b)
	headWS(d, b, f)
	payload := d.Data()
	switch {
	case f.op != wsBinary:
		d.SetKind(fType, kWebSocket)
		d.Rest(fWSPlain)
		if d.Info().Wanted() {
			d.Info().Setf("%s", map[byte]string{wsClose: "close", 9: "ping", wsPong: "pong"}[f.op])
		}
	case f.last && f.mask == nil:
		typed(d, payload, readRight)
	case f.last:
		d.Rest(fWSData)
		plain := joinWS(b)
		d.From("Unmasked WebSocket data", plain, func() { typed(d, plain, readRight) })
	default:
		d.Bytes(fWSPart, f.len)
		for more := d.Elements(); more.Next(); {
			at := d.Data()
			f, ok := parseWS(at)
			if !ok {
				break
			}
			headWS(d, at, f)
			if f.control() {
				d.Bytes(fWSPlain, f.len)
			} else {
				d.Bytes(fWSPart, f.len)
			}
		}
		plain := joinWS(b)
		d.From("WebSocket message", plain, func() { typed(d, plain, readRight) })
	}
}

// headWS reads the header of a frame.
func headWS(d *dissect.D, b []byte, f wsFrame) {
	d.In(fWS, func() {
		d.Bits(fWSFin, fWSOp)
		d.Bits(fWSMasked, fWSSmall)
		switch b[1] & 0x7f {
		case 126:
			d.Uint(fWSLong)
		case 127:
			d.Uint(fWSHuge)
		}
		if f.mask != nil {
			d.Bytes(fWSKey, 4)
		}
		d.Set(fWSLen, uint64(f.len))
	})
}

// upgrade reports whether b begins with the request for WebSocket, or the reply that grants it.
func upgrade(b []byte) bool {
	if bytes.HasPrefix(b, []byte("HTTP/1.1 101")) {
		return true
	}
	return bytes.HasPrefix(b, []byte("GET ")) &&
		bytes.Contains(bytes.ToLower(b[:min(len(b), 2000)]), []byte("\nupgrade: websocket"))
}

// dissectUpgrade shows a handshake line by line.
func dissectUpgrade(d *dissect.D, b []byte) {
	d.SetKind(fType, kWebSocket)
	for more := d.Elements(); more.Next(); {
		_, next := nextLine(d.Data(), 0)
		d.Bytes(fHeader, next)
	}
	if bytes.HasPrefix(b, []byte("GET ")) {
		d.Request(keyDispatch, fAnsweredIn)
		d.Info().Set("asks for WebSocket")
		return
	}
	d.Response(keyDispatch, fAnsweredIn, fRequestIn, fTime)
	d.Info().Set("from here on WebSocket frames")
}
