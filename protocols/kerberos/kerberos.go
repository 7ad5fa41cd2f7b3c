// Package kerberos dissects Kerberos version 5 (RFC 4120): tickets that a key distribution centre gives, and that
// clients show to servers. What is encrypted is read with the keys of a keytab.
package kerberos

import (
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/ber"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("kerberos", "KRB5", "Kerberos: tickets that prove who somebody is.").
	Summary("Kerberos").Color(dissect.HueBlue)

var (
	asn   = ber.For(proto)
	fMark = proto.Group("rm", "Record Mark", "What stands in front of a message on a connection.").
		Summary("Record Mark[: {kerberos.rm.length} bytes]")
	fMarkRe = proto.Bool("rm.reserved", "Reserved", "Always 0.").Wide(4).Masked(0x80000000).TrueFalse("Set", "Not set")
	fLength = proto.Uint32("rm.length", "Record Length", "Length of the message.").Masked(0x7fffffff)
	fType   = proto.Kind("msg_type", "msg-type", types, "What the message is.").Dec().Wordless()
	fPvno   = proto.Uint32("pvno", "pvno", "Version of the protocol: 5.")
	fIn     = proto.FrameRef("response_in", "Response in", "The answer of the key distribution centre.")
	fTo     = proto.FrameRef("response_to", "Response to", "The request.")
	fTime   = proto.Span("time", "Time", "Time from the request to the answer.").Derived()
	fRest   = proto.Bytes("data", "Data", "What belongs to no known part.")
)

// Plugin attaches Kerberos to its port, and to what carries its messages.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: []uint16{88}, TCP: []uint16{88}, Message: length,
		Fits: fits, Keys: secrets, On: []dissect.Key{{Table: tables.Kerberos, Value: 1}}}
}

// maxMessage bounds a message on a connection.
const maxMessage = 4 << 20

// length is how long the message at the start of b is, with its length in front (RFC 4120 section 7.2.2).
func length(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	n := int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3])
	if n > maxMessage {
		return len(b)
	}
	return 4 + n
}

// fits tells whether the bytes begin as a message does, with a length that it can have.
func fits(d *dissect.D) bool {
	b := d.Data()
	if d.Ends().Transport() == dissect.TableTCP {
		if length(b) == len(b) && len(b) < 4 || len(b) > 0 && b[0]&0x80 != 0 {
			return false
		}
		b = b[min(4, len(b)):]
	}
	tag, n, size := ber.Header(b)
	if size == 0 || tag&0xe0 != ber.Application || size >= len(b) || b[size] != ber.Sequence {
		return false
	}
	// The first part of each message is numbered 0 or 1, and the sequence is all that there is.
	inner, held, head := ber.Header(b[size:])
	if first := size + head; inner != ber.Sequence || head+held != n || first < len(b) && b[first]&^1 != firstPart {
		return false
	}
	return n <= maxMessage && (d.CutShort() || d.Ends().Transport() == dissect.TableTCP || size+n <= len(b))
}

const firstPart = 0xa0 // the tag of the part with the number 0

// packet reads one message: whole datagrams begin with it, on connections its length stands in front.
func packet(d *dissect.D) {
	if d.Left() > wrapSize && d.PeekUint(0, 2) == wrapToken {
		wrapped(d)
		return
	}
	if d.More() && d.Peek(0)&0xe0 != ber.Application {
		if d.Left() < 5 || d.Peek(4)&0xe0 != ber.Application || d.PeekUint(0, 4) > maxMessage {
			d.Reject()
			return
		}
		d.In(fMark, func() { d.Bits(fMarkRe, fLength) })
	}
	if d.More() {
		message(d)
	}
	d.Rest(fRest)
}

// A form is what a type of message is called, and what is in it, by the number of each part.
type form struct {
	name  string
	group *dissect.Field
	parts parts
}

// parts are the readers of a sequence whose values are numbered.
type parts map[byte]func(d *dissect.D)

// read reads such a sequence. Values that nobody knows are shown as they are.
func (p parts) read(d *dissect.D) {
	asn.Value(d, ber.Sequence, func(byte, int) {
		asn.Each(d, func() {
			asn.Value(d, 0, func(tag byte, _ int) {
				if read := p[tag&0x1f]; read != nil && tag&0xe0 == ber.Context {
					read(d)
				}
				d.Rest(fRest)
			})
		})
	})
}

// message reads one message.
func message(d *dissect.D) {
	tag := ber.Next(d)
	f := forms[tag&0x1f]
	if f == nil || tag&0xe0 != ber.Application {
		asn.Odd(d)
		return
	}
	pair(d, tag&0x1f)
	d.Info().Setf("%s", f.name)
	asn.Group(d, f.group, tag, func() { f.parts.read(d) })
}

// pair joins requests and what the key distribution centre says to them. The error of a server is in the same place.
func pair(d *dissect.D, kind byte) {
	switch kind {
	case asReq, tgsReq:
		d.Request(0, fIn)
	case asRep, tgsRep, krbError:
		d.Response(0, fIn, fTo, fTime)
	}
}

// messageType reads the number of the type, which the tag around has said already.
func messageType(d *dissect.D) {
	asn.Value(d, ber.Integer, func(_ byte, n int) {
		if n == 1 {
			d.Kind(fType)
		}
	})
}

// innerType is messageType of a message within another one.
func innerType(d *dissect.D) { asn.Number(d, fType, ber.Integer) }

// failure reads why something was refused.
func failure(d *dissect.D) {
	code := number(d, fError)
	if d.Info().Wanted() {
		name := errorNames[uint64(code)]
		if name == "" {
			name = fmt.Sprintf("Unknown error code %#x", code)
		}
		d.Info().Setf("%s", name)
	}
}
