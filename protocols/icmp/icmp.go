// Package icmp dissects the Internet Control Message Protocol (RFC 792) with the messages of RFC 950 (address masks),
// RFC 1256 (router discovery), RFC 5944 (mobile IP) and RFC 8335 (extended echo), and multi-part messages (RFC 4884).
package icmp

import (
	"fmt"
	"math"

	"remora/dissect"
)

// tableConversation is what conversations of echoes are told apart by.
const tableConversation dissect.Table = "icmp"

// tablePayload is empty: what messages of other types carry is data.
const tablePayload dissect.Table = "icmp.payload"

var proto = dissect.NewProtocol("icmp", "ICMP", "Internet Control Message Protocol: pings and errors of IPv4.").
	Summary("Internet Control Message Protocol").Traits(dissect.Quotes).Color(dissect.HueMagenta)

var (
	fType   = proto.Kind("type", "Type", types, "What the message asks or reports.").Dec().Wordless().Format(typeText)
	fCode   = proto.Uint8("code", "Code", "What exactly, depending on the type.")
	fSum    = proto.Uint16("checksum", "Checksum", "Checksum over the message.").Hex()
	fStatus = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").Named(statuses).
		Derived()
	fIdent   = proto.Uint16("ident", "Identifier (BE)", "Who asks.").HexDec()
	fIdentLE = proto.Uint16("ident_le", "Identifier (LE)", "The same, in the byte order of some senders.").HexDec().LE()
	fSeq     = proto.Uint16("seq", "Sequence Number (BE)", "Which question of the asker's this is.").HexDec()
	fSeqLE   = proto.Uint16("seq_le", "Sequence Number (LE)", "The same, in the byte order of some senders.").HexDec().LE()
	fMTU     = proto.Uint16("mtu", "MTU of next hop", "How long packets may be, in bytes.")
	fGateway = proto.IPv4("redir_gw", "Gateway Address", "The better router.")
	fPointer = proto.Uint32("pointer", "Pointer", "The byte at which the error is.").Wide(1)
	fUnused  = proto.Bytes("unused", "Unused", "Zero.")
	fReserv  = proto.Bytes("reserved", "Reserved", "Zero.")
	fLength  = proto.Uint8("length", "Length", "Length of the quoted datagram in units of 4 bytes, where parts follow it.")
	fOrigLen = proto.Uint8("length.original_datagram", "Length of original datagram",
		"Length of the quoted datagram in bytes.").Derived()
	fOrigin = proto.Uint32("originate_timestamp", "Originate Timestamp",
		"When the question was sent, in milliseconds since midnight UTC.").Format(clock)
	fReceive = proto.Uint32("receive_timestamp", "Receive Timestamp", "When it was received.").Format(clock)
	fTransm  = proto.Uint32("transmit_timestamp", "Transmit Timestamp", "When the answer was sent.").Format(clock)
	fMask    = proto.IPv4("address_mask", "Address Mask", "Mask of the network.")
	fRespIn  = proto.FrameRef("resp_in", "Response frame", "The frame with the answer.")
	fRespTo  = proto.FrameRef("resp_to", "Request frame", "The frame with the question.")
	fTime    = proto.Float64("resptime", "Response time", "Time from the question to the answer, in milliseconds.").
			Derived().Format(func(v uint64) string { return fmt.Sprintf("%.3f ms", math.Float64frombits(v)) })
	fNoResp = proto.Label("no_resp", "No response seen", "The capture has no answer.").Summary("\\[No response seen\\]").
		Derived()
	fSent  = proto.Time("data_time", "Timestamp from icmp data", "When the asker says that it sent the question.")
	fSince = proto.Span("data_time_relative", "Timestamp from icmp data (relative)", "Time from then to the capture.").
		Derived()

	nSum    = proto.Expert("checksum_bad", dissect.Warn, "Bad checksum").About(dissect.AboutChecksum)
	nNoResp = proto.Expert("resp_not_found", dissect.Warn, "No response seen to ICMP request").About(dissect.AboutSequence)
)

var statuses = dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}

// Plugin attaches ICMP to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Flow: flowGraph, Statistics: statistics, Dissect: message,
		On: []dissect.Key{{Table: dissect.TableIP, Value: 1}}}
}

func message(d *dissect.D) {
	whole, at := d.Data(), d.Pos()
	kind := d.Kind(fType)
	code := d.Uint(fCode)
	d.Ends().SetMessage(uint8(kind), uint8(code))
	if text := codeText(kind, code); text != "" && !d.Short() {
		d.Suffix(fCode, " ("+text+")")
	}
	header(d, kind, code)
	sum := d.Uint(fSum)
	checksum(d, whole, sum)
	switch kind {
	case typeReply, typeRequest:
		echo(d, kind)
	case typeUnreachable, typeExceeded, typeParameter:
		failure(d, kind, code, at)
	case typeRedirect:
		d.IPv4(fGateway)
		quoted(d)
	case typeQuench:
		d.Bytes(fUnused, 4)
		quoted(d)
	case typeAdvertisement:
		routers(d)
	case typeSolicitation:
		d.Bytes(fReserv, 4)
	case 13, 14:
		identified(d, kind)
		d.Uint(fOrigin)
		d.Uint(fReceive)
		d.Uint(fTransm)
	case 15, 16:
		identified(d, kind)
	case 17, 18:
		identified(d, kind)
		d.IPv4(fMask)
	case typeExtRequest, typeExtReply:
		extendedEcho(d, kind)
	}
	if d.More() {
		d.Next(tablePayload, uint32(kind))
	}
}

// header writes the start of the Info column, in which Wireshark keeps the columns aligned.
func header(d *dissect.D, kind, code uint64) {
	if !d.Info().Wanted() || d.Short() || identifies(kind) {
		return
	}
	if text := codeText(kind, code); text != "" {
		d.Info().Setf("%-20s (%s)", typeName(kind), text)
	} else {
		d.Info().Setf("%s", typeName(kind))
	}
}

// identifies is true for types with an identifier and a sequence number.
func identifies(kind uint64) bool { return kind == 0 || kind == 8 || kind >= 13 && kind <= 18 }

// identified reads the identifier and the sequence number in both byte orders.
func identified(d *dissect.D, kind uint64) (id, seq uint64) {
	at := d.Pos()
	id, seq = d.PeekUint(0, 2), d.PeekUint(2, 2)
	d.Skip(4)
	if d.Short() {
		return 0, 0
	}
	d.Put(fIdent, id, at, 2)
	d.Put(fIdentLE, swap(id), at, 2)
	d.Put(fSeq, seq, at+2, 2)
	d.Put(fSeqLE, swap(seq), at+2, 2)
	if d.Info().Wanted() {
		d.Info().Setf("%-20s id=0x%04x, seq=%d/%d, ttl=%d", typeName(kind), id, seq, swap(seq), d.Hops)
	}
	return id, seq
}

// echo joins a question with its answer by identifier and sequence number.
func echo(d *dissect.D, kind uint64) {
	id, seq := identified(d, kind)
	if d.Short() {
		return
	}
	if !d.Quoted() {
		d.Ends().Converse(tableConversation, 0, 0)
		if key := id<<16 | seq; kind == typeRequest {
			request(d, key)
		} else if n := d.Response(key, fRespIn, fRespTo, nil); n != 0 {
			if at, known := d.Packet().TimeOf(n); known {
				d.Set(fTime, dissect.Float64(float64(d.Time()-at)/1e6))
			}
			d.Info().Set("(request in {resp_to})")
		}
	}
	timestamp(d)
}

func request(d *dissect.D, key uint64) {
	d.Request(key, fRespIn)
	switch {
	case d.Links().Forward(fRespIn) != 0:
		d.Info().Set("[(reply in {resp_in})]")
	case group(d.Dst.Addr):
		d.Info().Set("(multicast)")
	case d.Session().Ended():
		d.Info().Set("(no response found!)")
		d.In(fNoResp, func() { d.Expert(nNoResp) })
	}
}

// group is true for addresses that several hosts have: each may answer or not.
func group(a dissect.Addr) bool { return a.Uint64()>>28 == 0xe }

// timestamp reads the time that many ping programs put first: seconds and microseconds in either byte order. It is one
// if it lies within a day of the capture.
func timestamp(d *dissect.D) {
	if d.Left() < 8 {
		return
	}
	s, us := d.PeekUint(0, 4), d.PeekUint(4, 4)
	if !plausible(d, s, us) {
		if s, us = swap32(s), swap32(us); !plausible(d, s, us) {
			return
		}
	}
	then, at := int64(s*1e9+us*1e3), d.Pos()
	d.Skip(8)
	d.Put(fSent, uint64(then), at, 8)
	d.Put(fSince, uint64(d.Time()-then), at, 8)
}

func plausible(d *dissect.D, s, us uint64) bool {
	off := int64(s) - d.Time()/1e9
	return us < 1e6 && off > -86400 && off < 86400
}

// swap and swap32 are the number in the other byte order.
func swap(v uint64) uint64   { return v>>8&0xff | v&0xff<<8 }
func swap32(v uint64) uint64 { return swap(v)<<16 | swap(v>>16) }

func checksum(d *dissect.D, whole []byte, sum uint64) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) || d.Short() {
		return
	}
	right := uint64(dissect.Checksum(whole[:2], whole[4:]))
	at := d.Pos() - 2
	switch {
	case d.CutShort() || d.Quoted():
		d.Suffix(fSum, " [unverified]")
		d.Put(fStatus, 2, at, 0)
	case right == sum || right == 0xffff && sum == 0:
		d.Suffix(fSum, " [correct]")
		d.Put(fStatus, 1, at, 0)
	default:
		d.Suffix(fSum, fmt.Sprintf(" incorrect, should be 0x%04x", right))
		d.Put(fStatus, 0, at, 0)
		d.ExpertText(nSum, fmt.Sprintf("Bad checksum [should be 0x%04x]", right))
	}
}
