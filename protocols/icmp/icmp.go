// Package icmp dissects the Internet Control Message Protocol (RFC 792, RFC 4884 not yet).
package icmp

import "remora/dissect"

var proto = dissect.NewProtocol("icmp", "ICMP", "Internet Control Message Protocol: pings and errors of IPv4.").
	Called("Internet Control Message Protocol").Hued(dissect.HueMagenta)

var types = dissect.Values{0: "Echo (ping) reply", 3: "Destination unreachable", 4: "Source quench", 5: "Redirect", 8: "Echo (ping) request", 9: "Mobile IP Advertisement", 10: "Router solicitation",
	11: "Time-to-live exceeded", 12: "Parameter problem", 13: "Timestamp request", 14: "Timestamp reply", 15: "Information request", 16: "Information reply", 17: "Address mask request", 18: "Address mask reply", 42: "Extended Echo request", 43: "Extended Echo reply"}

var codes = map[uint64]dissect.Values{
	3: {0: "Network unreachable", 1: "Host unreachable", 2: "Protocol unreachable", 3: "Port unreachable", 4: "Fragmentation needed", 5: "Source route failed", 6: "Network unknown", 7: "Host unknown",
		8: "Source host isolated", 9: "Network administratively prohibited", 10: "Host administratively prohibited", 11: "Network unreachable for TOS", 12: "Host unreachable for TOS", 13: "Communication administratively filtered", 14: "Host precedence violation", 15: "Precedence cutoff in effect"},
	5:  {0: "Redirect for network", 1: "Redirect for host", 2: "Redirect for TOS and network", 3: "Redirect for TOS and host"},
	11: {0: "Time to live exceeded in transit", 1: "Fragment reassembly time exceeded"},
	12: {0: "Pointer indicates the error", 1: "Required option missing", 2: "Bad length"},
}

var (
	fType    = proto.Kind("type", "Type", types, "What the message asks or reports.").Dec().Wordless()
	fCode    = proto.Uint8("code", "Code", "What exactly, depending on the type.")
	fSum     = proto.Uint16("checksum", "Checksum", "Checksum over the message.").Hex()
	fStatus  = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fIdent   = proto.Uint16("ident", "Identifier (BE)", "Who asks.").HexDec()
	fIdentLE = proto.Uint16("ident_le", "Identifier (LE)", "The same, in the byte order of some senders.").HexDec().LE()
	fSeqLE   = proto.Uint16("seq_le", "Sequence Number (LE)", "The same, in the byte order of some senders.").HexDec().LE()
	fSeq     = proto.Uint16("seq", "Sequence Number (BE)", "Which question of the asker's this is.").HexDec()
	fMTU     = proto.Uint16("mtu", "MTU of next hop", "How long packets may be.").In("bytes")
	fGateway = proto.IPv4("redir_gw", "Gateway Address", "The better router.")
	fPointer = proto.Uint8("pointer", "Pointer", "The byte at which the error is.")
	fUnused  = proto.Bytes("unused", "Unused", "Zero.")
	fOrigin  = proto.Uint32("originate_timestamp", "Originate Timestamp", "When the question was sent, in milliseconds since midnight UTC.").In("ms")
	fReceive = proto.Uint32("receive_timestamp", "Receive Timestamp", "When it was received.").In("ms")
	fTransm  = proto.Uint32("transmit_timestamp", "Transmit Timestamp", "When the answer was sent.").In("ms")
	fMask    = proto.IPv4("address_mask", "Address Mask", "Mask of the network.")
	fRespIn  = proto.FrameRef("resp_in", "Response frame", "The frame with the answer.")
	fRespTo  = proto.FrameRef("resp_to", "Request frame", "The frame with the question.")
	fTime    = proto.Float64("resptime", "Response time", "Time from the question to the answer.").Derived().In("ms")

	nSum = proto.Note("checksum.bad", dissect.Warn, "Bad checksum")
)

// Plugin attaches ICMP to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, On: []dissect.Key{{Table: dissect.TableIP, Value: 1}}}
}

func message(d *dissect.D) {
	whole := d.Data()
	kind := d.Kind(fType)
	code := d.Uint(fCode)
	if text := codes[kind][code]; text != "" && d.Texting() && !d.Short() {
		d.Info("{type:name} (" + text + ")")
	} else {
		d.Info("{type:name}")
	}
	d.Uint(fSum)
	checksum(d, whole)
	switch kind {
	case 0, 8, 42, 43:
		echo(d, kind)
	case 3:
		d.Bytes(fUnused, 2)
		d.Uint(fMTU)
		quoted(d)
	case 5:
		d.IPv4(fGateway)
		quoted(d)
	case 12:
		d.Uint(fPointer)
		d.Bytes(fUnused, 3)
		quoted(d)
	case 4, 11:
		d.Bytes(fUnused, 4)
		quoted(d)
	case 13, 14:
		d.Uint(fIdent)
		d.Uint(fSeq)
		d.Uint(fOrigin)
		d.Uint(fReceive)
		d.Uint(fTransm)
	case 17, 18:
		d.Uint(fIdent)
		d.Uint(fSeq)
		d.IPv4(fMask)
	}
	if d.More() {
		d.Next("icmp.payload", uint32(kind))
	}
}

// echo joins a question with its answer by identifier and sequence number.
func echo(d *dissect.D, kind uint64) {
	at := d.Pos()
	id := d.Uint(fIdent)
	seq := d.Uint(fSeq)
	if !d.Short() {
		d.Put(fIdentLE, swap(id), at, 2)
		d.Put(fSeqLE, swap(seq), at+2, 2)
	}
	if d.Short() || d.Quoted() {
		return
	}
	if d.Texting() {
		d.Infof("%sid=0x%04x, seq=%d/%d, ttl=%d", gap(kind), id, seq, swap(seq), d.Hops)
	}
	d.Converse("icmp", 0, 0)
	key := id<<16 | seq
	if kind == 8 || kind == 42 {
		d.Request(key, fRespIn)
		d.Info("[(reply in {resp_in})]")
		return
	}
	if n := d.Answer(key, fRespIn, fRespTo, nil); n != 0 {
		d.Set(fTime, dissect.Float64(float64(d.Time()-d.TimeOf(n))/1e6))
		d.Info("(request in {resp_to})")
	}
}

// swap is the number in the other byte order.
func swap(v uint64) uint64 { return v>>8&0xff | v&0xff<<8 }

// gap keeps the numbers of questions and answers in one column, as Wireshark does.
func gap(kind uint64) string {
	switch kind {
	case 8:
		return " "
	case 0:
		return "   "
	}
	return ""
}

// quoted shows the packet that the error is about.
func quoted(d *dissect.D) {
	if d.More() {
		d.Quote(func() { d.Next(dissect.TableEther, 0x0800) })
	}
}

func checksum(d *dissect.D, whole []byte) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) || d.Short() {
		return
	}
	switch {
	case d.CutShort() || d.Quoted():
		d.Set(fStatus, 2)
	case dissect.Checksum(whole) == 0:
		d.Set(fStatus, 1)
	default:
		d.Set(fStatus, 0)
		d.Mark(nSum)
	}
}
