// Package http2 dissects HTTP/2 (RFC 9113) with its compressed headers (HPACK, RFC 7541): within TLS by ALPN, over
// plain TCP by its preface, and where HTTP/1.1 changes to it.
package http2

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("http2", "HTTP2",
	"Hypertext Transfer Protocol, version 2: many requests at once over one connection.").
	Summary("HyperText Transfer Protocol 2").Color(dissect.HueGreen).Traits(dissect.Unpacks)

var (
	fStream   = proto.Node("stream", "Stream", "A frame of the connection.")
	fMagic    = proto.String("magic", "Magic", "With this a client begins.")
	fLength   = proto.Uint24("length", "Length", "Length of the frame behind its header.")
	fType     = proto.Kind("type", "Type", types, "What the frame is.").Dec().Wordless()
	fReserved = proto.Uint32("r", "Reserved", "A bit without a meaning.").Hex().Masked(0x80000000)
	fStreamID = proto.Uint32("streamid", "Stream Identifier",
		"The exchange that the frame belongs to, 0 for the connection.").Masked(0x7fffffff)
	fUnknown = proto.Bytes("unknown", "Unknown", "What a frame of an unknown type holds.")

	fFlags = proto.Uint8("flags", "Flags", "What they mean depends on the type of the frame.").Hex()
	fEnd   = proto.Bool("flags.end_stream", "End Stream", "The sender says nothing more on this stream.").
		TrueFalse("True", "False").Masked(flagEnd)
	fWhole = proto.Bool("flags.eh", "End Headers", "The header ends with this frame.").TrueFalse("True", "False").
		Masked(flagWhole)
	fPadded = proto.Bool("flags.padded", "Padded", "The frame is longer than it needs to be.").
		TrueFalse("True", "False").Masked(flagPadded)
	fPriorityBit = proto.Bool("flags.priority", "Priority", "The frame tells a priority.").TrueFalse("True", "False").
			Masked(flagPriority)
	fAckSettings = proto.Bool("flags.ack.settings", "ACK", "The settings were taken.").TrueFalse("True", "False").
			Masked(flagAck)
	fAckPing    = proto.Bool("flags.ack.ping", "ACK", "This is an answer.").TrueFalse("True", "False").Masked(flagAck)
	fUnused     = proto.Uint8("flags.unused", "Unused", "Bits without a meaning.").Hex().Masked(0xff)
	fUnusedData = proto.Uint8("flags.unused_data", "Unused", "Bits without a meaning.").Hex().Masked(0xf6)
	fUnusedHead = proto.Uint8("flags.unused_headers", "Unused", "Bits without a meaning.").Hex().Masked(0xd2)
	fUnusedSet  = proto.Uint8("flags.unused_settings", "Unused", "Bits without a meaning.").Hex().Masked(0xfe)
	fUnusedPing = proto.Uint8("flags.unused_ping", "Unused", "Bits without a meaning.").Hex().Masked(0xfe)
	fUnusedPush = proto.Uint8("flags.unused_push_promise", "Unused", "Bits without a meaning.").Hex().Masked(0xf3)
	fUnusedMore = proto.Uint8("flags.unused_continuation", "Unused", "Bits without a meaning.").Hex().Masked(0xfb)
)

// flagsOf are the flags of each type of frame. All others have none.
var flagsOf = map[uint64][]*dissect.Field{
	typeData: {fUnusedData, fPadded, fEnd}, typeHeaders: {fUnusedHead, fPriorityBit, fPadded, fWhole, fEnd},
	typeSettings: {fUnusedSet, fAckSettings},
	typePromise:  {fUnusedPush, fPadded, fWhole}, typePing: {fUnusedPing, fAckPing},
	typeContinuation: {fUnusedMore, fWhole},
}

// preface is what a client says first (RFC 9113 section 3.4).
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// headSize is the length of a frame's header (RFC 9113 section 4.1).
const headSize = 9

// Plugin attaches HTTP/2 to its name in ALPN and in the Upgrade header. Over plain TCP it knows a stream by the
// preface, or by a server's settings, whatever the port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Follow: followModes, Objects: objects, Statistics: statistics, Dissect: frame,
		Guess: recognise, GuessTCP: true, Special: true, Message: size,
		On: []dissect.Key{{Table: tables.TLSALPN, Value: dissect.Word("h2")},
			{Table: tables.HTTPUpgrade, Value: dissect.Word("h2c")}},
	}
}

func recognise(d *dissect.D) dissect.Confidence {
	if b := d.Data(); bytes.HasPrefix(b, []byte(preface)) || beginsServer(b) {
		return dissect.Strong
	}
	return dissect.No
}

// beginsServer tells whether b begins as servers do that do not wait for the client: with settings, all of them known.
func beginsServer(b []byte) bool {
	if len(b) < headSize+6 || string(b[:2]) != "\x00\x00" || string(b[3:headSize]) != "\x04\x00\x00\x00\x00\x00" {
		return false
	}
	n := int(b[2])
	if n == 0 || n%6 != 0 || headSize+n > len(b) {
		return false
	}
	for at := headSize; at < headSize+n; at += 6 {
		if _, known := settingNames[uint64(binary.BigEndian.Uint16(b[at:]))]; !known {
			return false
		}
	}
	return true
}

// size is how long the frame is that b begins with, or the preface.
func size(b []byte) int {
	switch n := min(len(b), len(preface)); {
	case n >= headSize && string(b[:n]) != preface[:n]:
		return headSize + int(binary.BigEndian.Uint32(b[:4])>>8)
	case n == len(preface):
		return n
	}
	return 0
}

// A head is the header of a frame.
type head struct {
	length int
	typ    uint64
	flags  byte
	stream uint32
}

// frame reads one frame, or the preface.
func frame(d *dissect.D) {
	if bytes.HasPrefix(d.Data(), []byte(preface)) {
		d.Info().FenceItem("Magic")
		d.In(fStream, func() { d.Bytes(fMagic, len(preface)) })
		d.Suffix(fStream, ": Magic")
		return
	}
	var h head
	group := d.Open(fStream)
	h.length = int(d.Uint(fLength))
	h.typ = d.Kind(fType)
	h.flags = d.Peek(0)
	flags, known := flagsOf[h.typ]
	if !known {
		flags = []*dissect.Field{fUnused}
	}
	d.Bits(fFlags, flags...)
	h.stream = uint32(d.Bits(fReserved, fStreamID)) & 0x7fffffff
	name := fType.KindName(h.typ)
	n := take(d, &h)
	if d.Info().Wanted() || d.Labelling() {
		said := n.summary(d)
		d.Info().FenceItem(dissect.Escape(join(fmt.Sprintf("%s[%d]", name, h.stream), ": ", said)))
		d.Suffix(fStream, join(fmt.Sprintf(": %s, Stream ID: %d, Length %d", name, h.stream, h.length), ", ", said))
	}
	d.Within(min(h.length, d.Left()), func() { read(d, &h, n) })
	d.Close(group)
}

// join is a text with what else there is to say of it.
func join(text, between, more string) string {
	if more == "" {
		return text
	}
	return text + between + more
}

// read reads what stands behind a frame's header.
func read(d *dissect.D, h *head, n note) {
	switch h.typ {
	case typeData:
		padded(d, h, fDataPadding, func() { data(d, n) })
	case typeHeaders:
		padded(d, h, fHeadersPadding, func() {
			if h.flags&flagPriority != 0 {
				priority(d)
			}
			block(d, n, fHeaders)
		})
	case typePromise:
		padded(d, h, fPromisePadding, func() {
			d.Bits(fPromiseR, fPromised)
			block(d, n, fPromise)
		})
	case typeContinuation:
		block(d, n, fContinued)
	default:
		control(d, h)
	}
	d.Rest(fUnknown)
}
