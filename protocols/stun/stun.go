// Package stun dissects Session Traversal Utilities for NAT (RFC 8489, RFC 3489) with the attributes of TURN (RFC 8656)
// and ICE (RFC 8445), and TURN's channel data.
package stun

import "remora/dissect"

// tableChannel is empty: what channels carry is data.
const tableChannel dissect.Table = "stun.channel"

var proto = dissect.NewProtocol("stun", "STUN",
	"Session Traversal Utilities for NAT: what address a sender is seen under, and relays.").
	Summary("Session Traversal Utilities for NAT").Color(dissect.HueCyan)

var (
	fType = proto.Kind("type", "Message Type", types, "What the message is: its method and class.").Wide(2).
		Wordless()
	fClass = proto.Uint16("type.class", "Message Class", "Request, indication or response.").Hex().Masked(0x0110).
		Named(classes)
	fMethod     = proto.Uint16("type.method", "Message Method", "What is done.").Hex().Masked(0x3eef).Format(methodText)
	fAssignment = proto.Uint16("type.method-assignment", "Message Method Assignment",
		"Who gives out the method's number.").Hex().Masked(0x2000).Named(assignments)
	fLength  = proto.Uint16("length", "Message Length", "Length of the attributes.")
	fCookie  = proto.Bytes("cookie", "Message Cookie", "Always 2112a442, since RFC 5389.")
	fID      = proto.Bytes("id", "Message Transaction ID", "Joins request and response.")
	fVersion = proto.Uint8("network_version", "STUN Network Version", "Which version of the protocol this is.").
			Named(versions).Derived()
	fAttributes = proto.Node("attributes", "Attributes", "What the message says.")
	fRespIn     = proto.FrameRef("response-in", "Response In", "The answer to this request.")
	fRespTo     = proto.FrameRef("response-to", "Request In", "The request that this answers.")
	fTime       = proto.Span("time", "Time", "Time from the request to the response.").Derived()
	fChannel    = proto.Uint16("channel", "Channel Number", "Number of the relay's channel.").Hex()
	fRest       = proto.Bytes("trailing", "Trailing bytes", "Bytes behind the message.").Unknown()

	nLength = proto.Expert("wrong_msglen", dissect.Warn, "Packet length is not multiple of 4 bytes").
		About(dissect.AboutMalformed)
	nShort = proto.Expert("short_packet", dissect.Error, "Packet is too short").About(dissect.AboutMalformed)
)

const magic = 0x2112A442

// Plugin attaches STUN to its port. On others its datagrams are known one by one by the cookie, as they stand among
// those of other protocols.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, UDP: []uint16{port}, TCP: []uint16{port}, Guess: recognise,
		Shared: true, Message: frame}
}

const port = 3478

// channelled are the conversations in which channels were bound, by a request or its answer.
var channelled = dissect.NewStore[bool, bool]()

const (
	bindRequest = 0x0009
	bindSuccess = 0x0109
)

// recognise goes by the cookie, the two zero bits in front and a length that fits exactly. Where a channel was bound,
// and on the port, TURN's channel data count too, and on a stream messages without a cookie.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 4 {
		return dissect.No
	}
	length := int(b[2])<<8 | int(b[3])
	whole := len(b) == 20+length || d.CutShort()
	switch {
	case len(b) >= 20 && b[0]&0xc0 == 0 && d.PeekUint(4, 4) == magic &&
		(whole || d.Ends().Transport() == dissect.TableTCP):
		return dissect.Strong
	case b[0]&0xf0 == 0x40 && (4+length == len(b) || 4+(length+3)&^3 == len(b)) && bound(d):
		return dissect.Strong
	case d.Ends().Transport() == dissect.TableTCP && len(b) >= 20 && b[0]&0xc0 == 0 && whole &&
		types[d.PeekUint(0, 2)] != "", b[0]&0xc0 == 0x40 && 4+length <= len(b)+d.Missing():
		return dissect.Weak
	}
	return dissect.No
}

// bound tells whether a channel was bound in the conversation. It runs in the first pass alone.
func bound(d *dissect.D) bool {
	s := channelled.Peek(d)
	return s != nil && *s
}

// frame cuts messages from a stream: STUN's say their length, channel data are padded.
func frame(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	length := int(b[2])<<8 | int(b[3])
	if b[0]&0xc0 == 0x40 {
		return 4 + (length+3)&^3
	}
	return 20 + length
}

func message(d *dissect.D) {
	if d.Peek(0)&0xc0 == 0x40 {
		channel(d)
		return
	}
	if d.Peek(0)&0xc0 != 0 {
		d.Reject()
		return
	}
	if d.Left() < 20 && !d.CutShort() {
		d.Expert(nShort)
	}
	at, v := d.Pos(), d.PeekUint(0, 2)
	if v == bindRequest || v == bindSuccess {
		channelled.FirstPass(d, func(s *bool) bool { *s = true; return false })
	}
	d.Kind(fType)
	d.Below(func() {
		for _, f := range [...]*dissect.Field{fClass, fMethod, fAssignment} {
			if !d.Short() {
				d.Put(f, v, at, 2)
			}
		}
	})
	length := int(d.Uint(fLength))
	start, version := at, uint64(3)
	if d.PeekUint(0, 4) == magic {
		d.Bytes(fCookie, 4)
	} else {
		version = 2
	}
	id := d.Bytes(fID, at+20-d.Pos())
	if d.Short() {
		return
	}
	d.Info().Set("{type:name}")
	d.Set(fVersion, version)
	pair(d, v, id)
	if length%4 != 0 && version == 3 {
		d.Expert(nLength)
	}
	if length > 0 {
		d.In(fAttributes, func() {
			d.Within(length, func() {
				for more := d.Elements(); more.Next(); {
					attribute(d, start, id)
				}
			})
		})
	}
	d.Rest(fRest)
}

// pair joins requests and responses by their number.
func pair(d *dissect.D, kind uint64, id []byte) {
	var key uint64
	for _, c := range id[max(0, len(id)-8):] {
		key = key<<8 | uint64(c)
	}
	switch kind & 0x0110 {
	case 0:
		d.Request(key, fRespIn)
	case 0x0100, 0x0110:
		d.Response(key, fRespIn, fRespTo, fTime)
	}
}

// channel reads TURN's channel data (RFC 8656 section 12.4).
func channel(d *dissect.D) {
	d.Uint(fChannel)
	n := int(d.Uint(fLength))
	d.Info().Setf("ChannelData TURN Message")
	if d.Short() {
		return
	}
	d.Behind(min(n, d.Left()), func() {
		if d.More() {
			d.Next(tableChannel, 0)
		}
	}, func() { d.Rest(fRest) })
}
