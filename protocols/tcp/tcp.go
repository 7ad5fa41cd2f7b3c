// Package tcp dissects the Transmission Control Protocol (RFC 9293) with its options, and hands its streams to the
// engine, which puts them together.
package tcp

import (
	"fmt"
	"strconv"

	"remora/dissect"
)

var proto = dissect.NewProtocol("tcp", "TCP", "Transmission Control Protocol.").
	Traits(dissect.HandsOn | dissect.Underlies).
	Color(dissect.HueGreen).
	Summary("Transmission Control Protocol, Src Port: {srcport}, Dst Port: {dstport}[, Seq: {seq:raw}]")

// The derived packet types.
const (
	kindACK = iota + 1
	kindData
	kindSYN
	kindSYNACK
	kindFIN
	kindRST
	kindNone
)

var types = dissect.Values{kindACK: "ACK", kindData: "DATA", kindSYN: "SYN", kindSYNACK: "SYN-ACK", kindFIN: "FIN",
	kindRST: "RST", kindNone: "NO-FLAGS"}

// The flag bits.
const (
	fin = 1 << iota
	syn
	rst
	psh
	ack
	urg
)

// flagBits are the single flags.
var flagBits = []*dissect.Field{
	flag("res", "Reserved", 0xe00, "Must not be set."),
	flag("ae", "Accurate ECN", 0x100, "More exact congestion marks."),
	flag("cwr", "Congestion Window Reduced", 0x080, "The sender has slowed down."),
	flag("ece", "ECN-Echo", 0x040, "The sender saw a congestion mark."),
	flag("urg", "Urgent", urg, "The urgent pointer counts."),
	flag("ack", "Acknowledgment", ack, "The acknowledgment number counts."),
	flag("push", "Push", psh, "Hand the data on at once."),
	flag("reset", "Reset", rst, "The connection is broken off."),
	flag("syn", "Syn", syn, "A connection begins."),
	flag("fin", "Fin", fin, "The sender has no more data."),
}

func flag(name, label string, mask uint64, doc string) *dissect.Field {
	return proto.Bool("flags."+name, label, doc).Wide(2).Masked(mask).Drawn(12)
}

var (
	fPort    = proto.Uint16("port", "Source or Destination Port", "Port of either end.")
	fSrcPort = proto.Uint16("srcport", "Source Port", "Port of the sender.").Sender().PortOf(dissect.TableTCP).Also(fPort)
	fDstPort = proto.Uint16("dstport", "Destination Port", "Port of the receiver.").Receiver().PortOf(dissect.TableTCP).
			Also(fPort)
	fStream   = proto.Uint32("stream", "Stream index", "Number of the connection, counted from 0.").Derived()
	fComplete = proto.Uint8("completeness", "Conversation completeness",
		"Which parts of a whole connection the capture has.").Format(completeText).Derived()
	fType = proto.Kind("type", "Segment type", types, "What the segment is for, told from its flags and length.").
		Dec().Derived().Wordless().Own()
	fLen = proto.Uint32("len", "TCP Segment Len", "Length of the payload.").Derived()
	fSeq = proto.Uint32("seq", "Sequence Number", "Number of the first byte, from the start of the connection.").
		In("   (relative sequence number)").InIf(relative)
	fSeqRaw = proto.Uint32("seq_raw", "Sequence Number (raw)", "Number of the first byte as it is in the packet.")
	fNext   = proto.Uint32("nxtseq", "Next Sequence Number", "Number of the byte behind the segment.").
		In("   (relative sequence number)").InIf(relative).Derived()
	fAck = proto.Uint32("ack", "Acknowledgment Number", "Number of the byte that is expected next.").
		In("   (relative ack number)").InIf(relative)
	fNoAck  = proto.Uint32("ack", "Acknowledgment Number", "What stands in its place where it does not count.")
	fAckRaw = proto.Uint32("ack_raw", "Acknowledgment number (raw)",
		"Number of the byte that is expected next, as it is in the packet.")
	fHdrLen = proto.Uint8("hdr_len", "Header Length", "Length of the header with its options.").Masked(0xf0).
		WholeBytes().Times(4).Format(func(v uint64) string { return fmt.Sprintf("%d bytes (%d)", v, v/4) })
	fFlags = proto.Uint16("flags", "Flags", "What the segment does to the connection.").Hex().Masked(0x0fff).
		Drawn(0).Format(flagText)
	fFlagStr = proto.String("flags.str", "TCP Flags", "The flags as letters.").Derived()
	fWindow  = proto.Uint16("window_size_value", "Window", "How much the sender can take, before scaling.")
	fWinSize = proto.Uint32("window_size", "Calculated window size", "How much the sender can take.").Derived()
	fScale   = proto.Int32("window_size_scalefactor", "Window size scaling factor",
		"What the window is multiplied with; -1 when the start of the connection was not captured, -2 without scaling.").
		Derived().Format(scaleText)
	fSum    = proto.Uint16("checksum", "Checksum", "Checksum over a pseudo header, the header and the payload.").Hex()
	fStatus = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").
		Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fUrgent  = proto.Uint16("urgent_pointer", "Urgent Pointer", "Where urgent data end.")
	fPayload = proto.Bytes("payload", "TCP payload", "What the segment carries.").Sized()
	fCause   = proto.String("reset_cause", "Reset cause", "Why the sender broke off, in its words.")
	fWhole   = proto.FrameRef("reassembled_in", "Reassembled PDU in frame",
		"The frame in which the message ends that this segment is a part of.")
	fPart = proto.Bytes("segment_data", "TCP segment data",
		"What the segment carries of a message in several segments.").Late().Sized()
	fSegments = proto.Node("segments", "Reassembled TCP Segments", "The segments that a message came in.").
			Summary("\\[{count} Reassembled TCP Segments ({reassembled.length:raw} bytes)\\]").Late()
	fPiece   = proto.FrameRef("segment", "Segment in frame", "A frame with a part of the message.").Late()
	fCount   = proto.Uint32("segment.count", "Segment count", "How many segments the message came in.").Derived().Late()
	fJoinLen = proto.Uint32("reassembled.length", "Reassembled TCP length", "Length of the message.").Derived().Late()
	fJoined  = proto.Bytes("reassembled.data", "Reassembled TCP Data", "The whole message.").Late()

	fRight = proto.Uint16("checksum_calculated", "Calculated Checksum", "What the checksum should be.").Hex().Derived().
		Hidden()

	nSum = proto.Expert("checksum_bad.expert", dissect.Error,
		"Bad checksum (may be caused by \"TCP checksum offload\")").About(dissect.AboutChecksum)
	nOverlap = proto.Expert("segment.overlap.repeated", dissect.Error,
		"New fragment overlaps old data (retransmission?)").About(dissect.AboutMalformed).Own()
	nHdr = proto.Expert("bogus_header_length", dissect.Error,
		"Bogus TCP header length: it is below 20 bytes or beyond the packet")
)

var verify = proto.Switch("check_checksum", "Validate the TCP checksum if possible",
	"Whether to validate the TCP checksum; network cards that make it leave a wrong one in what is captured on the "+
		"sender.",
	false)

var relative = proto.Switch("relative_sequence_numbers", "Relative sequence numbers",
	"Whether sequence numbers count from the start of the connection, and not as they are in the packet.", true)

var joins = proto.Switch("desegment_tcp_streams", "Allow subdissector to reassemble TCP streams",
	"Whether messages are put together of several segments.", true)

// joined are the fields of messages that came in several segments.
var joined = dissect.SegmentFields{In: fWhole, Group: fSegments, Piece: fPiece, Count: fCount, Length: fJoinLen,
	Whole: fJoined, Part: fPart}

// Plugin attaches TCP to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Transport: transport,
		Ends: &dissect.EndLayer{Title: "TCP", Ports: dissect.TableTCP}, Flow: flowGraph, Dissect: segment,
		Segments: &dissect.SegmentNumbers{Sequence: fSeq, Acknowledged: fAck, Length: fLen, Window: fWinSize,
			RoundTrip: fAckRTT, InFlight: fFlight},
		On: []dissect.Key{{Table: dissect.TableIP, Value: 6}}}
}

// header is what the rest of the dissection needs of the fixed header.
type header struct {
	at       int // where it begins
	src, dst uint16
	seq, ack uint32
	flags    uint64
	length   int // of the header
	payload  int // its length, with what the capture cut off
	missing  int // bytes that the capture cut off
	window   uint64
	urgent   uint64
	scale    int    // of the window scale option, -1 without
	unread   bool   // the capture cut the options off
	sack     []byte // the ranges of the selective acknowledgment option
	frame    dissect.FrameNum
	previous dissect.FrameNum // of the connection; see dissect.D.Ends().Previous
	time     int64
}

func segment(d *dissect.D) {
	whole := d.Data()
	h := header{at: d.Pos()}
	h.src, h.dst = uint16(d.Uint(fSrcPort)), uint16(d.Uint(fDstPort))
	h.seq, h.ack = uint32(d.PeekUint(0, 4)), uint32(d.PeekUint(4, 4))
	h.length = int(d.Peek(8)>>4) * 4
	h.flags = d.PeekUint(8, 2) & 0xfff
	if d.Quoted() && d.Left() < 16 { // an ICMP error quotes eight bytes only
		if d.Left() >= 4 {
			d.Put(fSeq, d.PeekUint(0, 4), d.Pos(), 4)
			d.Uint(fSeqRaw)
		}
		d.Info().Set("{srcport} → {dstport}")
		return
	}
	if d.Left() < 16 {
		if len(whole) >= 4 {
			d.Info().Set("{srcport} → {dstport}")
		}
		d.Skip(16)
		return
	}
	if h.length < 20 || h.length > len(whole) && !d.CutShort() {
		bogus(d, &h)
		return
	}
	if d.CutShort() && !d.Quoted() { // the capture kept the packet's start alone
		h.missing = d.Missing()
	}
	h.payload = max(0, len(whole)+h.missing-h.length)
	h.window, h.urgent = d.PeekUint(10, 2), d.PeekUint(14, 2)
	h.readOptions(whole)
	n, v := track(d, &h)
	if !relative.On(d) {
		n.Seq, n.Ack = 0, 0
	}
	if c := d.Conversation(); c != nil {
		if d.Wanted(fStream) {
			d.Put(fStream, uint64(c.Stream), h.at, 0)
		}
	} else {
		n.Scale = -1
		if s, ok := d.Stream().Quoted(); ok {
			d.Set(fStream, uint64(s))
		}
	}
	if d.Session().FirstPass() && !d.WantedOf(proto) && d.Left() >= behindPorts {
		unshown(d, &h, &v)
	} else {
		fixed(d, &h, n, &v, whole)
	}
	marksInfo(d, &v)
	summary(d, &h, n)
	if h.length > 20 {
		d.Within(h.length-20, func() { options(d, &h, n) })
	}
	if d.Short() {
		return
	}
	times(d, &h)
	showAnalysis(d, &h, n, &v)
	payload(d, &h, n, &v)
}

// bogus tells of a header whose length cannot be.
func bogus(d *dissect.D, h *header) {
	d.Put(fHdrLen, uint64(d.Peek(8)), d.Pos()+8, 1)
	text := "Short segment. Segment/fragment does not contain a full TCP header"
	if h.length < 20 {
		text = fmt.Sprintf("Bogus TCP header length (%d, must be at least 20)", h.length)
	}
	d.ExpertText(nHdr, text)
	if d.Info().Wanted() {
		limit := "must be at least 20"
		if h.length >= 20 {
			limit = "longer than the segment"
		}
		d.Info().Setf("%s → %s [%s] Win=%d, bogus TCP header length (%d, %s)", d.Names().Port(dissect.TableTCP, h.src),
			d.Names().Port(dissect.TableTCP, h.dst), words(h.flags), d.PeekUint(10, 2), h.length, limit)
	}
}

// behindPorts is the length of the fixed header without its ports.
const behindPorts = 16

// unshown is fixed where nobody records a field, as in nearly every first pass: what else it leaves.
func unshown(d *dissect.D, h *header, v *verdict) {
	d.SetKind(fType, kind(h))
	if h.ack != 0 && h.flags&ack == 0 {
		d.Expert(nAckZero)
	}
	flagNotes(d, h, v)
	if h.urgent != 0 && h.flags&urg == 0 {
		d.Expert(nUrgZero)
	}
	d.Skip(behindPorts)
}

// fixed reads the fixed header.
func fixed(d *dissect.D, h *header, n note, v *verdict, whole []byte) {
	d.SetKind(fType, kind(h))
	title(d, h, n)
	if d.Wanted(fComplete) && d.Conversation() != nil {
		d.Put(fComplete, completeness(d), h.at, 0)
	}
	d.Put(fLen, uint64(h.payload), h.at, 0)
	at := d.Pos()
	d.Put(fSeq, uint64(h.seq-n.Seq), at, 4)
	d.Uint(fSeqRaw)
	size := uint32(h.payload)
	if h.flags&(syn|fin) != 0 {
		size++
	}
	d.Put(fNext, uint64(h.seq-n.Seq+size), h.at, 0)
	if h.flags&ack != 0 {
		d.Put(fAck, uint64(h.ack-n.Ack), at+4, 4)
	} else {
		d.Put(fNoAck, uint64(h.ack), at+4, 4)
	}
	if d.Uint(fAckRaw) != 0 && h.flags&ack == 0 {
		d.Expert(nAckZero)
	}
	d.Put(fHdrLen, uint64(d.Peek(0)), at+8, 1)
	d.Uint(fFlags)
	showFlags(d, h, v)
	at = d.Pos()
	d.Uint(fWindow)
	if h.flags&syn != 0 || n.Scale < 0 {
		d.Put(fWinSize, h.window, at, 2)
	} else {
		d.Put(fWinSize, h.window<<n.Scale, at, 2)
	}
	if h.flags&syn == 0 {
		scale := int64(n.Scale)
		if scale >= 0 {
			scale = 1 << scale
		}
		d.Put(fScale, uint64(scale), at, 2)
	}
	sum := uint16(d.Uint(fSum))
	checksum(d, whole, sum)
	if d.Uint(fUrgent) != 0 && h.flags&urg == 0 {
		d.Expert(nUrgZero)
	}
}

// title ends the text of the protocol's node.
func title(d *dissect.D, h *header, n note) {
	if !d.Labelling() {
		return
	}
	var room [48]byte
	b := room[:0]
	if h.flags&ack != 0 {
		b = add(b, ", Ack: ", uint64(h.ack-n.Ack))
	}
	d.Suffix(proto.Self(), string(add(b, ", Len: ", uint64(h.payload))))
}

// showFlags records the single flags, with what is to be said of them below.
func showFlags(d *dissect.D, h *header, v *verdict) {
	at := d.Pos() - 2
	d.Below(func() {
		for _, f := range flagBits {
			if f.Mask() > 0xff {
				d.Put(f, h.flags, at, 1)
				continue
			}
			d.Put(f, h.flags, at+1, 1)
			if h.flags&f.Mask()&(rst|syn|fin) != 0 {
				d.Below(func() { flagNote(d, h, f.Mask()) })
			}
		}
		if d.Wanted(fFlagStr) {
			d.PutText(fFlagStr, letters(h.flags), at, 2)
		}
		d.Below(func() { closingNote(d, h, v) })
	})
}

// scaleText says what numbers below 0 are, too.
func scaleText(v uint64) string {
	switch n := int64(v); n {
	case -1:
		return "-1 (unknown)"
	case -2:
		return "-2 (no window scaling used)"
	default:
		return strconv.FormatInt(n, 10)
	}
}

func kind(h *header) uint64 {
	switch {
	case h.flags&rst != 0:
		return kindRST
	case h.flags&syn != 0 && h.flags&ack != 0:
		return kindSYNACK
	case h.flags&syn != 0:
		return kindSYN
	case h.flags&fin != 0:
		return kindFIN
	case h.payload > 0:
		return kindData
	case h.flags&ack != 0:
		return kindACK
	}
	return kindNone
}

// letters draws the flags as Wireshark's column does: "·······AP···" with the bits from the left.
func letters(v uint64) string {
	const names = "RRRACEUAPRSF"
	out := make([]rune, 12)
	for i := range out {
		out[i] = '·'
		if v>>(11-i)&1 != 0 {
			out[i] = rune(names[i])
		}
	}
	return string(out)
}

// checksum verifies the checksum if somebody looks and all its bytes are there, which of a quoted segment is not known.
func checksum(d *dissect.D, whole []byte, sum uint16) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) && !d.Wanted(fRight) {
		return
	}
	at := d.Pos() - 2
	if d.CutShort() || d.Quoted() || !verify.On(d) {
		d.Suffix(fSum, " [unverified]")
		d.Put(fStatus, 2, at, 0)
		return
	}
	left := d.Ends().PseudoSum(6, whole)
	right := uint64(dissect.Correct(sum, left))
	if left == 0 {
		d.Suffix(fSum, " [correct]")
		d.Put(fStatus, 1, at, 0)
	} else {
		d.Suffix(fSum, fmt.Sprintf(" incorrect, should be 0x%04x(maybe caused by \"TCP checksum offload\"?)", right))
		d.Put(fStatus, 0, at, 0)
		d.Expert(nSum)
	}
	d.Set(fRight, right)
}

// payload shows what the segment carries and hands it to the stream.
func payload(d *dissect.D, h *header, n note, v *verdict) {
	if d.Quoted() {
		d.Rest(fPayload)
		return
	}
	if h.flags&ack != 0 {
		d.Stream().Acked(h.ack)
	}
	if d.Left() > 0 && h.flags&rst == 0 && d.Wanted(fPayload) {
		d.Put(fPayload, 0, d.Pos(), d.Left())
	}
	if h.flags&rst != 0 && d.Left() > 0 { // some stacks say here why
		d.Bytes(fCause, d.Left())
	}
	state := d.Stream().Segment(dissect.Segment{Seq: h.seq, SYN: h.flags&syn != 0, Over: h.flags&(fin|rst) != 0,
		Reset: h.flags&rst != 0, Missing: min(h.missing, h.payload), SrcPort: h.src, DstPort: h.dst,
		Apart: !joins.On(d), Base: n.Seq, Next: h.seq - n.Seq + uint32(h.payload), Ack: h.ack - n.Ack,
		Flags: uint16(h.flags)}, &joined)
	if state == dissect.Repeated && v.Marks&markOutOfOrder != 0 { // overtook itself
		d.Expert(nOverlap)
	}
}
