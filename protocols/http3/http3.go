// Package http3 dissects HTTP/3 (RFC 9114) as QUIC hands it on: the frames of requests and of control streams, and
// header fields packed by QPACK (RFC 9204) with its static and dynamic tables.
package http3

import (
	"encoding/binary"

	"remora/dissect"
	"remora/protocols/internal/tables"
	"remora/protocols/internal/varint"
)

var proto = dissect.NewProtocol("http3", "HTTP3",
	"Hypertext Transfer Protocol version 3: requests and answers over QUIC.").
	Summary("Hypertext Transfer Protocol Version 3").Color(dissect.HueGreen)

var (
	fKind   = proto.Kind("type", "Frame type", frameTypes, "What the frame is.").Wide(4).Dec().Derived().Wordless()
	fStream = proto.Uint64("stream_type", "Stream Type", "What a stream in one direction is for.").Named(streamTypes)
	fPush   = proto.Uint64("push_id", "Push ID", "Which promised answer it is about.")
	fFrame  = proto.Group("frame", "Frame", "One frame of a stream.").
		Summary("{http3.frame_type:name}[ {http3.headers.method} {http3.headers.path}][ {http3.headers.status}]")
	fType    = proto.Uint64("frame_type", "Type", "What the frame is.").Named(frameTypes)
	fLength  = proto.Uint64("frame_length", "Length", "Bytes of the frame behind its header.")
	fPayload = proto.Bytes("frame_payload", "Frame Payload", "What the frame holds.")
	fData    = proto.Bytes("data", "Data", "A part of what is asked for, or sent.")
	fSet     = proto.Node("settings", "Settings", "One setting of the sender.").
			Summary("Settings - {http3.settings.id:name}: {http3.settings.value}")
	fSetID  = proto.Uint64("settings.id", "Settings Identifier", "Which setting it is.").Named(settings)
	fSetVal = proto.Uint64("settings.value", "Settings Value", "The value.")
	fTable  = proto.Uint64("settings.qpack.max_table_capacity", "Max Table Capacity",
		"Bytes of the dynamic table at most.")
	fList    = proto.Uint64("settings.max_field_section_size", "Max header list size", "Bytes of header fields at most.")
	fBlocked = proto.Uint64("settings.qpack.blocked_streams", "Blocked Streams",
		"How many streams may wait for the table.")
	fConnect = proto.Uint64("settings.extended_connect", "Extended CONNECT",
		"Whether CONNECT may carry other protocols (RFC 9220).")
	fLastID = proto.Uint64("goaway.id", "Last ID", "The first request, or push, that is not done any more.")
	fPrioID = proto.Uint64("priority_update_element_id", "Priority Update Element ID",
		"The stream or push that it is about (RFC 9218).")
	fPrio    = proto.String("priority_update_field_value", "Priority Update Field Value", "How urgent it is.")
	fUnknown = proto.Bytes("unknown_stream", "Unknown stream", "Bytes of a stream that nobody knows the use of.").Unknown()
	fAnswer  = proto.FrameRef("response_in", "Response in frame", "The answer's first header fields.")
	fRequest = proto.FrameRef("request_in", "Request in frame", "The request's first header fields.")
	fTook    = proto.Span("time", "Time since request", "How long the answer took.").Derived()
	nStream  = proto.Expert("unknown_stream_type", dissect.Warn, "An unknown stream type was encountered").
			About(dissect.AboutUndecoded)
)

// The types of streams in one direction (RFC 9114 section 6.2, RFC 9204 section 4.2).
const (
	streamControl = 0
	streamPush    = 1
	streamEncoder = 2
	streamDecoder = 3
)

var streamTypes = dissect.Values{streamControl: "Control Stream", streamPush: "Push Stream",
	streamEncoder: "QPACK Encoder Stream", streamDecoder: "QPACK Decoder Stream"}

// The types of frames (RFC 9114 section 7.2, RFC 9218 section 7.2).
const (
	frameData       = 0
	frameHeaders    = 1
	frameCancel     = 3
	frameSettings   = 4
	framePromise    = 5
	frameGoAway     = 7
	frameMaxPush    = 13
	framePrioStream = 0xf0700
	framePrioPush   = 0xf0701
)

var frameTypes = dissect.Values{frameData: "DATA", frameHeaders: "HEADERS", 2: "Reserved", frameCancel: "CANCEL_PUSH",
	frameSettings: "SETTINGS",
	framePromise:  "PUSH_PROMISE", 6: "Reserved", frameGoAway: "GOAWAY", 8: "Reserved", 9: "Reserved",
	frameMaxPush: "MAX_PUSH_ID", 14: "Reserved",
	framePrioStream: "PRIORITY_UPDATE", framePrioPush: "PRIORITY_UPDATE"}

// The settings (RFC 9114 section 7.2.4.1, RFC 9204 section 5, RFC 9220).
const (
	setTable   = 1
	setList    = 6
	setBlocked = 7
	setConnect = 8
)

var settings = dissect.Values{setTable: "Max Table Capacity", setList: "Max Field Section Size",
	setBlocked: "Blocked Streams", setConnect: "Extended CONNECT"}

// Plugin attaches HTTP/3 to its name in ALPN.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Follow: followModes, Dissect: layer, Cut: cut,
		On: []dissect.Key{{Table: tables.TLSALPN, Value: dissect.Word("h3")},
			{Table: tables.TLSALPN, Value: dissect.Word("h3-29")}}}
}

// A place is where in a connection bytes stand, as QUIC tells it: the number of the connection in 4 bytes, the number
// of the stream in 8, the offset in it in 8, its first 8 bytes, and one of flags: 1 when the server sent it, 2 when it
// came before, 4 when the stream ends with it.
type place struct {
	link   uint32
	stream uint64
	offset uint64
	head   []byte
	server bool
	again  bool
	ends   bool
}

func placeOf(result []byte) (p place, ok bool) {
	if len(result) != 29 {
		return p, false
	}
	p = place{link: binary.BigEndian.Uint32(result), stream: binary.BigEndian.Uint64(result[4:]),
		offset: binary.BigEndian.Uint64(result[12:]), head: result[20:28]}
	p.server, p.again = result[28]&1 != 0, result[28]&2 != 0
	p.ends = result[28]&4 != 0
	return p, true
}

// oneWay tells whether the stream goes in one direction (RFC 9000 section 2.1).
func (p *place) oneWay() bool { return p.stream&2 != 0 }

// typ is what a stream in one direction is for, and how many bytes say so.
func (p *place) typ() (uint64, int) { return varint.Number(p.head) }

// cut cuts frames and instructions from a stream. What stands in front of them is a message of its own.
func cut(d *dissect.D, b []byte) int {
	p, ok := placeOf(d.LayerData())
	if !ok {
		return len(b)
	}
	if !p.oneWay() {
		return frameSize(b)
	}
	if p.offset == 0 {
		typ, n := varint.Number(b)
		if _, m := varint.Number(b[n:]); typ == streamPush && n > 0 {
			if m == 0 {
				return 0
			}
			return n + m
		}
		return n
	}
	switch typ, _ := p.typ(); typ {
	case streamControl, streamPush:
		return frameSize(b)
	case streamEncoder:
		return instructionSize(b)
	case streamDecoder:
		_, n := integer(b, decoderBits(b))
		return n
	}
	return len(b)
}

// maxFrame is beyond what is put together.
const maxFrame = 1 << 40

// frameSize is how long the frame at the start of b is, 0 where that cannot be told yet.
func frameSize(b []byte) int {
	_, n := varint.Number(b)
	if n == 0 {
		return 0
	}
	size, m := varint.Number(b[n:])
	if m == 0 {
		return 0
	}
	return n + m + int(min(size, maxFrame))
}

// layer reads what QUIC hands on: whole frames or instructions of one stream.
func layer(d *dissect.D) {
	p, ok := placeOf(d.LayerData())
	if !ok {
		d.Reject()
		return
	}
	r := reader{d: d, place: p}
	if p.oneWay() {
		r.control()
		return
	}
	for more := d.Elements(); !d.Short() && more.Next(); {
		d.In(fFrame, r.frame)
	}
}

// A reader reads a part of a stream.
type reader struct {
	d *dissect.D
	place
	said message // what the header says of the body
	last bool    // the frame is the last one of what was handed on
}

// control reads a stream in one direction, whose first number says what it is for.
func (r *reader) control() {
	d := r.d
	typ, _ := r.typ()
	if r.offset == 0 {
		typ, _ = varint.Read(d, fStream)
		if typ == streamPush {
			varint.Read(d, fPush)
		}
		if streamTypes[typ] == "" {
			d.Expert(nStream)
		}
	}
	for more := d.Elements(); !d.Short() && more.Next(); {
		switch typ {
		case streamControl, streamPush:
			d.In(fFrame, r.frame)
		case streamEncoder:
			r.instructions()
		case streamDecoder:
			r.acknowledgments()
		default:
			d.Rest(fUnknown)
		}
	}
}
