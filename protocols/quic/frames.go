package quic

import (
	"strconv"

	"remora/dissect"
	"remora/protocols/internal/varint"
)

var (
	fFrame     = proto.Node("frame", "Frame", "One frame of a packet.").Summary("{quic.frame_type:name}")
	fFrameType = proto.Uint64("frame_type", "Frame Type", "What the frame is.").Named(frameTypes)
	fPadding   = proto.Uint32("padding_length", "Padding Length", "How many bytes of padding.").Derived()
	fLargest   = proto.Uint64("ack.largest_acknowledged", "Largest Acknowledged", "The highest packet number that came.")
	fDelay     = proto.Uint64("ack.ack_delay", "ACK Delay", "How long it waited.")
	fRanges    = proto.Uint64("ack.ack_range_count", "ACK Range Count", "How many further ranges.")
	fFirst     = proto.Uint64("ack.first_ack_range", "First ACK Range", "How many packets below the highest came too.")
	fGap       = proto.Uint64("ack.gap", "Gap", "How many packets did not come, less two.")
	fRange     = proto.Uint64("ack.ack_range", "ACK Range", "How many packets came below the gap, less one.")
	fECT0      = proto.Uint64("ack.ect0_count", "ECT(0) Count", "Packets with that mark.")
	fECT1      = proto.Uint64("ack.ect1_count", "ECT(1) Count", "Packets with that mark.")
	fCE        = proto.Uint64("ack.ecn_ce_count", "ECN-CE Count", "Packets that met congestion.")
	fOffset    = proto.Uint64("crypto.offset", "Offset", "Where in the handshake the bytes belong.")
	fCryptoLen = proto.Uint64("crypto.length", "Length", "How many bytes.")
	fCrypto    = proto.Label("crypto.crypto_data", "Crypto Data", "A part of the handshake.")
	fError     = proto.Uint64("cc.error_code", "Error code", "Why the connection ends.").Named(errorCodes)
	fAppError  = proto.Uint64("cc.error_code.app", "Application Error code",
		"Why the connection ends, in the application's numbers.")
	fAlert = proto.Uint8("cc.error_code.tls_alert", "TLS Alert Description",
		"The alert of TLS that ends the connection.")
	fCause     = proto.Uint64("cc.frame_type", "Frame Type", "The frame that was wrong.").Named(frameTypes)
	fReasonLen = proto.Uint64("cc.reason_phrase.length", "Reason phrase Length", "Bytes of the text.")
	fReason    = proto.String("cc.reason_phrase", "Reason phrase", "Why the connection ends, in words.")
	fUnread    = proto.Bytes("frame.data", "Frame data", "Frames that do not belong here.").Unknown()
	nFrame     = proto.Expert("ft.unknown", dissect.Hint, "Unknown Frame Type").About(dissect.AboutUndecoded)
	nIDSize    = proto.Expert("protocol_violation", dissect.Warn, "Connection ID Length must be between 1 and 20 bytes")

	fRstID    = proto.Uint64("rsts.stream_id", "Stream ID", "The stream that ends.")
	fRstError = proto.Uint64("rsts.application_error_code", "Application Error code",
		"Why it ends, in the application's numbers.")
	fRstSize   = proto.Uint64("rsts.final_size", "Final Size", "How many bytes the stream has.")
	fStopID    = proto.Uint64("ss.stream_id", "Stream ID", "The stream that nobody reads any more.")
	fStopError = proto.Uint64("ss.application_error_code", "Application Error code",
		"Why nobody reads it, in the application's numbers.")
	fNTLen   = proto.Uint64("nt.length", "(Token) Length", "Bytes of the token.")
	fNTToken = proto.Bytes("nt.token", "Token", "What the client may begin its next connection with.")
	fFin     = proto.Bool("stream.fin", "Fin", "The stream ends with this frame.").Masked(0x01).
			TrueFalse("True", "False")
	fHasLen = proto.Bool("stream.len", "Len(gth)", "The frame says how long it is.").Masked(0x02).
		TrueFalse("True", "False")
	fHasOff = proto.Bool("stream.off", "Off(set)", "The frame says where its bytes belong.").Masked(0x04).
		TrueFalse("True", "False")
	fStreamID  = proto.Uint64("stream.stream_id", "Stream ID", "Which stream it is of.")
	fInitiator = proto.Uint64("stream.initiator", "Stream initiator", "Who opened the stream.").Masked(1).
			Named(initiators).Derived()
	fDirection = proto.Uint64("stream.direction", "Stream direction", "Whether both ends send on the stream.").Masked(2).
			Named(directions).Derived()
	fStreamOff = proto.Uint64("stream.offset", "Offset", "Where in the stream the bytes belong.")
	fStreamLen = proto.Uint64("stream.length", "Length", "How many bytes.")
	fStream    = proto.Bytes("stream_data", "Stream Data", "Bytes of the stream.")
	fMaxData   = proto.Uint64("md.maximum_data", "Maximum Data", "How many bytes may be sent on the connection.")
	fMaxStrID  = proto.Uint64("msd.stream_id", "Stream ID", "The stream that it is about.")
	fMaxStr    = proto.Uint64("msd.maximum_stream_data", "Maximum Stream Data",
		"How many bytes may be sent on the stream.")
	fMaxCount  = proto.Uint64("ms.max_streams", "Max Streams", "How many streams of this sort may be opened in all.")
	fLimit     = proto.Uint64("sb.stream_data_limit", "Stream Data Limit", "How many bytes the sender may send.")
	fLimitID   = proto.Uint64("sdb.stream_id", "Stream ID", "The stream on which the sender may not send more.")
	fLimitStr  = proto.Uint64("sib.stream_limit", "Stream Limit", "How many streams the sender may open.")
	fNewSeq    = proto.Uint64("nci.sequence", "Sequence", "Counts the IDs that this end gives out.")
	fNewRetire = proto.Uint64("nci.retire_prior_to", "Retire Prior To", "IDs before this one shall be used no more.")
	fNewLen    = proto.Uint8("nci.connection_id.length", "Connection ID Length", "Bytes of the ID.")
	fNewID     = proto.Bytes("nci.connection_id", "Connection ID", "A further ID under which the sender can be reached.")
	fNewToken  = proto.Bytes("nci.stateless_reset_token", "Stateless Reset Token",
		"What tells that the sender forgot the connection.")
	fRetireSeq = proto.Uint64("rci.sequence", "Sequence", "The ID that is used no more.")
	fChallenge = proto.Bytes("path_challenge.data", "Data", "What the other end shall send back over the same way.")
	fResponse  = proto.Bytes("path_response.data", "Data", "What came in a challenge.")
	fDGLen     = proto.Uint64("dg.length", "Datagram Length", "Bytes of the datagram.")
	fDG        = proto.Bytes("dg", "Datagram", "Bytes that are not sent again.")
	fAFSeq     = proto.Uint64("af.sequence_number", "Sequence Number", "Which of several frames counts.")
	fAFCount   = proto.Uint64("af.ack_eliciting_threshold", "Ack-Eliciting Threshold",
		"How many packets may come without an answer.")
	fAFDelay = proto.Uint64("af.request_max_ack_delay", "Request Max Ack Delay", "How long acknowledgments may wait.").
			In("μs")
	fAFLast  = proto.Uint8("af.last_byte", "Last Byte", "What else the sender wishes.").Hex()
	fAFRest  = proto.Uint8("af.reserved", "Reserved", "Bits without meaning.").Masked(0xfc)
	fAFOrder = proto.Bool("af.ignore_order", "Ignore Order", "Packets out of order need no answer at once.").
			Masked(0x02).TrueFalse("True", "False")
	fAFCE = proto.Bool("af.ignore_ce", "Ignore CE", "Packets that met congestion need no answer at once.").
		Masked(0x01).TrueFalse("True", "False")
	fStamp = proto.Uint64("ts", "Time Stamp", "When the packet was sent, in the sender's clock.")
)

var (
	initiators = dissect.Values{0: "Client-initiated", 1: "Server-initiated"}
	directions = dissect.Values{0: "Bidirectional", 1: "Unidirectional"}
)

// The frames that are more than numbers one after another (RFC 9000 section 19, RFC 9221,
// draft-ietf-quic-ack-frequency).
const (
	framePadding   = 0x00
	framePing      = 0x01
	frameAck       = 0x02
	frameAckECN    = 0x03
	frameCrypto    = 0x06
	frameToken     = 0x07
	frameStream    = 0x08 // to 0x0f: with an offset, a length, the end
	frameNewID     = 0x18
	frameChallenge = 0x1a
	frameResponse  = 0x1b
	frameClose     = 0x1c
	frameAppEnd    = 0x1d
	frameDatagram  = 0x30
	frameSized     = 0x31 // a datagram with its length
	frameFrequency = 0xaf
)

// plain are the frames of numbers one after another, with what the Info column says of them. Where the first number is
// that of a stream, it is said too.
var plain = map[uint64]struct {
	word   string
	stream bool
	fields []*dissect.Field
}{
	framePing: {"PING", false, nil},
	0x04:      {"RS", true, []*dissect.Field{fRstID, fRstError, fRstSize}},
	0x05:      {"SS", true, []*dissect.Field{fStopID, fStopError}},
	0x10:      {"MD", false, []*dissect.Field{fMaxData}},
	0x11:      {"MSD", true, []*dissect.Field{fMaxStrID, fMaxStr}},
	0x12:      {"MS", false, []*dissect.Field{fMaxCount}},
	0x13:      {"MS", false, []*dissect.Field{fMaxCount}},
	0x14:      {"DB", false, []*dissect.Field{fLimit}},
	0x15:      {"SDB", true, []*dissect.Field{fLimitID, fLimit}},
	0x16:      {"SB", false, []*dissect.Field{fLimitStr}},
	0x17:      {"SB", false, []*dissect.Field{fLimitStr}},
	0x19:      {"RC", false, []*dissect.Field{fRetireSeq}},
	0x1e:      {"DONE", false, nil},
	0xac:      {"IA", false, nil},
	0x2f5:     {"TS", false, []*dissect.Field{fStamp}},
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// frames reads the frames of an opened packet.
func (r *reader) frames() {
	for more := r.d.Elements(); !r.d.Short() && more.Next(); {
		r.d.In(fFrame, r.frame)
	}
}

func (r *reader) frame() {
	d := r.d
	at := d.Pos()
	typ, _ := varint.Read(d, fFrameType)
	if p, ok := plain[typ]; ok {
		r.plain(p.word, p.stream, p.fields)
		return
	}
	switch typ {
	case framePadding:
		n := 1
		for more := d.Elements(); d.Peek(0) == 0 && more.Next(); {
			d.Skip(1)
			n++
		}
		d.Put(fPadding, uint64(n), at, n)
		r.addInfo("PADDING")
	case frameAck, frameAckECN:
		r.ack(typ)
	case frameCrypto:
		r.cryptoFrame()
	case frameToken:
		r.addInfo("NT")
		bytesOf(d, fNTLen, fNTToken)
	case frameNewID:
		r.newID()
	case frameChallenge:
		r.addInfo("PC")
		d.Bytes(fChallenge, 8)
	case frameResponse:
		r.addInfo("PR")
		d.Bytes(fResponse, 8)
	case frameClose, frameAppEnd:
		r.end(typ)
	case frameDatagram:
		r.addInfo("DG")
		d.Rest(fDG)
	case frameSized:
		r.addInfo("DG")
		bytesOf(d, fDGLen, fDG)
	case frameFrequency:
		r.frequency()
	default:
		if typ&^7 == frameStream {
			r.streamFrame(at, typ)
			return
		}
		d.Expert(nFrame)
		d.Rest(fUnread)
	}
}

// plain reads a frame of numbers.
func (r *reader) plain(word string, stream bool, fields []*dissect.Field) {
	for i, f := range fields {
		v, _ := varint.Read(r.d, f)
		if i > 0 || !stream {
			continue
		}
		if r.d.Info().Wanted() {
			word += "(" + itoa(v) + ")"
		}
		if r.d.Labelling() {
			r.d.Suffix(fFrame, " id="+itoa(v))
		}
	}
	r.addInfo(word)
}

// cryptoFrame reads a part of the handshake.
func (r *reader) cryptoFrame() {
	d := r.d
	r.addInfo("CRYPTO")
	off, _ := varint.Read(d, fOffset)
	n, ok := varint.Read(d, fCryptoLen)
	if !ok || n > uint64(d.Left()) || off >= maxOffset {
		d.Skip(d.Left() + 1)
		return
	}
	r.crypto(off, int(n))
	d.In(fCrypto, func() { d.Skip(int(n)) })
}

// maxOffset is beyond what streams can be long (RFC 9000 section 4.5).
const maxOffset = 1 << 62

// streamFrame reads bytes of a stream; its type, at an offset, says which numbers it has.
func (r *reader) streamFrame(at int, typ uint64) {
	d := r.d
	d.Put(fFin, typ, at, 1)
	d.Put(fHasLen, typ, at, 1)
	d.Put(fHasOff, typ, at, 1)
	at = d.Pos()
	id, ok := varint.Read(d, fStreamID)
	d.Put(fInitiator, id, at, d.Pos()-at)
	d.Put(fDirection, id, at, d.Pos()-at)
	if d.Info().Wanted() {
		r.addInfo("STREAM(" + itoa(id) + ")")
	}
	off, n := uint64(0), uint64(d.Left())
	if typ&4 != 0 && ok {
		off, ok = varint.Read(d, fStreamOff)
		n = uint64(d.Left())
	}
	if typ&2 != 0 && ok {
		n, ok = varint.Read(d, fStreamLen)
	}
	if !ok || n > uint64(d.Left()) || off >= maxOffset {
		d.Skip(d.Left() + 1)
		return
	}
	if d.Labelling() {
		d.Suffix(fFrame, streamText(typ, id, off, int(n)))
	}
	r.stream(id, off, int(n), typ&1 != 0)
	d.Bytes(fStream, int(n))
}

// newID reads a further ID of the sender, under which its packets are known from now on.
func (r *reader) newID() {
	d := r.d
	r.addInfo("NCI")
	varint.Read(d, fNewSeq)
	varint.Read(d, fNewRetire)
	n := int(d.Uint(fNewLen))
	if n == 0 || n > maxID {
		d.Expert(nIDSize)
	}
	b := d.Bytes(fNewID, n)
	token := d.Bytes(fNewToken, 16)
	if len(token) < 16 {
		return
	}
	worlds.FirstPassIn(d, func(w *world) note {
		if r.link != nil {
			w.add(b, end{r.link, r.from})
			w.token([16]byte(token))
		}
		return note{}
	})
}

// bytesOf reads bytes with their length in front.
func bytesOf(d *dissect.D, length, f *dissect.Field) {
	n, ok := varint.Read(d, length)
	if !ok || n > uint64(d.Left()) {
		d.Skip(d.Left() + 1)
		return
	}
	if n > 0 {
		d.Bytes(f, int(n))
	}
}

func (r *reader) ack(typ uint64) {
	d := r.d
	if typ == frameAckECN {
		r.addInfo("ACK_ECN")
	} else {
		r.addInfo("ACK")
	}
	varint.Read(d, fLargest)
	varint.Read(d, fDelay)
	n, _ := varint.Read(d, fRanges)
	varint.Read(d, fFirst)
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		varint.Read(d, fGap)
		varint.Read(d, fRange)
	}
	if typ == frameAckECN {
		varint.Read(d, fECT0)
		varint.Read(d, fECT1)
		varint.Read(d, fCE)
	}
}

// end reads why a connection ends.
func (r *reader) end(typ uint64) {
	d := r.d
	r.addInfo("CC")
	if typ == frameClose {
		at := d.Pos()
		code, _ := varint.Read(d, fError)
		if code>>8 == 1 {
			d.Put(fAlert, code&0xff, at, d.Pos()-at)
		}
		varint.Read(d, fCause)
	} else {
		varint.Read(d, fAppError)
	}
	bytesOf(d, fReasonLen, fReason)
}

// frequency reads how often the sender wants its packets acknowledged.
func (r *reader) frequency() {
	d := r.d
	r.addInfo("AF")
	varint.Read(d, fAFSeq)
	varint.Read(d, fAFCount)
	varint.Read(d, fAFDelay)
	at := d.Pos()
	last := d.Uint(fAFLast)
	for _, f := range []*dissect.Field{fAFRest, fAFOrder, fAFCE} {
		d.Put(f, last, at, 1)
	}
}
