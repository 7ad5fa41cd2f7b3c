// Package udt dissects UDT, a transport for much data over UDP (draft-gg-udt-03). It is known by its handshake, in
// datagrams and within DTLS.
package udt

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var proto = dissect.NewProtocol("udt", "UDT", "UDP-based Data Transfer: reliable streams and messages over UDP.").
	Summary("UDT Protocol").Color(dissect.HueCyan)

var (
	fControl = proto.Uint32("iscontrol", "Type", "Whether it is data or about it.").Masked(0x80000000).
			Named(dissect.Values{0: "DATA", 1: "CONTROL"})
	fType  = proto.Uint32("type", "Type", "What the control packet says.").Masked(0x7fff0000).Hex().Named(types)
	fSeq   = proto.Uint32("seqno", "Sequence Number", "Number of the data packet.").Masked(0x7fffffff)
	fInfo  = proto.Uint32("addinfo", "Additional Info", "What depends on the type.")
	fFirst = proto.Uint32("msg.first", "First Indicator", "The message begins here.").Masked(0x80000000)
	fLast  = proto.Uint32("msg.last", "Last Indicator", "The message ends here.").Masked(0x40000000)
	fOrder = proto.Uint32("msg.order", "In-Order Indicator", "Messages are delivered in order.").Masked(0x20000000)
	fMsg   = proto.Uint32("msgno", "Message Number", "Number of the message.").Masked(0x1fffffff)
	fTime  = proto.Uint32("timestamp", "Timestamp", "Microseconds since the connection began.")
	fID    = proto.Uint32("id", "ID", "The receiver's socket.").Hex()

	fAckNo = proto.Uint32("ackno", "Ack Number", "Number of the acknowledgement.")
	fAck   = proto.Uint32("ack_seqno", "Ack Sequence Number", "All packets in front of this one have come.")
	fRTT   = proto.Uint32("rtt", "RTT (microseconds)", "Round trip time.")
	fVar   = proto.Uint32("rttvar", "RTT Variance (microseconds)", "By how much round trips differ.")
	fBuf   = proto.Uint32("buf", "Buffer Available (packets)", "How many packets the receiver has room for.")
	fRate  = proto.Uint32("rate", "Rate (packets/second)", "How many packets come.")
	fCap   = proto.Uint32("linkcap", "Link Capacity (packets/second)", "How many packets could come.")

	fVersion = proto.Uint32("hs.version", "Version", "Version of UDT.")
	fSocket  = proto.Uint32("hs.type", "Type", "What the socket carries.").
			Named(dissect.Values{1: "STREAM", 2: "DGRAM"})
	fISN    = proto.Uint32("hs.isn", "Initial Sequence Number", "Where numbers of packets begin.")
	fMTU    = proto.Uint32("hs.mtu", "MTU", "The largest packet.")
	fWindow = proto.Uint32("hs.flow_window", "Flow Window", "How many packets may be under way.")
	fAsked  = proto.Int32("hs.reqtype", "Requested Type", "Whose turn of the handshake it is.")
	fOwn    = proto.Uint32("hs.id", "ID", "The sender's socket.")
	fCookie = proto.Uint32("hs.cookie", "SYN Cookie", "What shows that the client gets what is sent to its address.").
		Hex()
	fPeer = proto.Bytes("hs.peerip", "Peer IP Address", "The receiver's address.")

	nMissing = proto.Expert("nak_seqno", dissect.Hint, "Missing Sequence Number(s)").About(dissect.AboutSequence)
)

const (
	handshake = 0
	ack       = 2
	nak       = 3
	ack2      = 6

	header     = 16
	greeting   = 64
	maxNumber  = 1<<31 - 1
	maxMissing = 500 // ranges that are told of one packet
)

var types = dissect.Values{handshake: "handshake", 1: "keepalive", ack: "ack", nak: "nak", 5: "shutdown", ack2: "ack2"}

// A start is the number that packets of a conversation begin with.
type start struct {
	ISN   uint32
	Known bool
}

var starts = dissect.NewStore[start, start]()

// tablePayload is empty: nothing here says what UDT carries.
const tablePayload dissect.Table = "udt.payload"

// Plugin attaches UDT to conversations that begin with its handshake.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, Guess: recognise, GuessAll: true}
}

// recognise wants a whole handshake of version 4.
func recognise(d *dissect.D) dissect.Confidence {
	if kind := d.PeekUint(20, 4); d.Left() != greeting || d.PeekUint(0, 4) != 1<<31 || d.PeekUint(16, 4) != 4 ||
		kind != 1 && kind != 2 || d.PeekUint(24, 4) > maxNumber || d.PeekUint(28, 4) > 1<<16 {
		return dissect.No
	}
	return dissect.Strong
}

func packet(d *dissect.D) {
	first := d.PeekUint(0, 4)
	greets := first == 1<<31 && d.Left() >= greeting
	isn := uint32(d.PeekUint(24, 4))
	s := starts.FirstPass(d, func(s *start) start {
		if greets && !s.Known {
			*s = start{isn, true}
		}
		return *s
	})
	if first>>31 == 0 {
		data(d, s)
		return
	}
	kind := d.Bits(fControl, fType) >> 16 & 0x7fff
	if kind == ack || kind == ack2 {
		d.Uint(fAckNo)
	} else {
		d.Uint(fInfo)
	}
	d.Uint(fTime)
	d.Uint(fID)
	said := ""
	switch kind {
	case handshake:
		shake(d)
	case ack:
		said = fmt.Sprintf("  seqno: %d", acknowledged(d, s))
	case nak:
		said = " missing:" + missing(d, s)
	}
	name := types[kind]
	if name == "" {
		name = fmt.Sprintf("Unknown Control Type (%x)", kind)
	}
	if d.Info().Wanted() {
		d.Info().Setf("UDT type: %s%s", name, said)
	}
	d.Limit(0) // what fills the packet up
}

func shake(d *dissect.D) {
	for _, f := range []*dissect.Field{fVersion, fSocket, fISN, fMTU, fWindow, fAsked, fOwn, fCookie} {
		if f == fAsked {
			d.Int(f)
		} else {
			d.Uint(f)
		}
	}
	d.Bytes(fPeer, 16)
}

// relative is a number as it counts from the start of the conversation.
func (s start) relative(n uint32) uint32 { return (n - s.ISN) & maxNumber }

// number reads a sequence number, and gives it from the start on.
func (s start) number(d *dissect.D, f *dissect.Field) uint32 {
	n := uint32(d.Uint(f)) & maxNumber
	rel := s.relative(n)
	if s.Known && d.Labelling() {
		d.Suffix(f, fmt.Sprintf(" (relative: %d)", rel))
	}
	return rel
}

// acknowledged reads an acknowledgement, a short one, or one with what the receiver measured.
func acknowledged(d *dissect.D, s start) uint32 {
	n := s.number(d, fAck)
	for _, f := range []*dissect.Field{fRTT, fVar, fBuf, fRate, fCap} {
		if d.Left() >= 4 {
			d.Uint(f)
		}
	}
	return n
}

// missing reads numbers and ranges of them, of which the first has its highest bit set.
func missing(d *dissect.D, s start) string {
	var all []string
	for more := d.Elements(); d.Left() >= 4 && len(all) < maxMissing && more.Next(); {
		from := uint32(d.PeekUint(0, 4))
		to, size := from, 4
		if from>>31 != 0 {
			if d.Left() < 8 {
				break
			}
			to, size = uint32(d.PeekUint(4, 4)), 8
		}
		text := fmt.Sprint(s.relative(from & maxNumber))
		if size == 8 {
			text += fmt.Sprintf("-%d", s.relative(to&maxNumber))
		}
		all = append(all, text)
		d.ExpertText(nMissing, "Missing Sequence Numbers: "+text)
		d.Skip(size)
	}
	return strings.Join(all, ",")
}

func data(d *dissect.D, s start) {
	control := d.Bits(fControl)
	n := s.relative(uint32(control) & maxNumber)
	d.Put(fSeq, control&maxNumber, d.Pos()-4, 4)
	if s.Known && d.Labelling() {
		d.Suffix(fSeq, fmt.Sprintf(" (relative: %d)", n))
	}
	message := d.Bits(fFirst, fLast, fOrder, fMsg) & 0x1fffffff
	d.Uint(fTime)
	d.Uint(fID)
	if d.Info().Wanted() {
		d.Info().Setf("UDT type: data seqno: %d msgno: %d", n, message)
	}
	d.Next(tablePayload, 0)
}
