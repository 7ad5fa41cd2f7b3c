package quic

import (
	"strconv"

	"remora/dissect"
)

var (
	fFrame     = proto.Group("frame", "Frame", "One frame of a packet.").Summary("{quic.frame_type:name}")
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
	fAppError  = proto.Uint64("cc.error_code.app", "Application Error code", "Why the connection ends, in the application's numbers.")
	fAlert     = proto.Uint8("cc.error_code.tls_alert", "TLS Alert Description", "The alert of TLS that ends the connection.")
	fCause     = proto.Uint64("cc.frame_type", "Frame Type", "The frame that was wrong.").Named(frameTypes)
	fReasonLen = proto.Uint64("cc.reason_phrase.length", "Reason phrase Length", "Bytes of the text.")
	fReason    = proto.String("cc.reason_phrase", "Reason phrase", "Why the connection ends, in words.")
	fUnread    = proto.Bytes("frame.data", "Frame data", "Frames that do not belong here.").Unknown()
	nFrame     = proto.Note("ft.unknown", dissect.Warn, "Unknown Frame Type")
	nClosed    = proto.Note("decryption_failed", dissect.Hint, "Failed to decrypt handshake: the first packet of the connection is missing")
)

// The frames of Initial packets (RFC 9000 section 12.4).
const (
	framePadding = 0x00
	framePing    = 0x01
	frameAck     = 0x02
	frameAckECN  = 0x03
	frameCrypto  = 0x06
	frameClose   = 0x1c
	frameAppEnd  = 0x1d
)

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// number takes a number of variable length off the front of b; n is 0 where b is too short.
func number(b []byte) (v uint64, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	n = 1 << (b[0] >> 6)
	if n > len(b) {
		return 0, 0
	}
	for i, c := range b[:n] {
		if i == 0 {
			c &= 0x3f
		}
		v = v<<8 | uint64(c)
	}
	return v, n
}

// eachCrypto finds the parts of the handshake in a payload: where they belong, where they are, how long they are.
func eachCrypto(b []byte, each func(off uint64, at, n int)) {
	for at := 0; at < len(b); {
		switch b[at] {
		case framePadding, framePing:
			at++
		case frameAck, frameAckECN:
			size := ackSize(b[at:])
			if size == 0 {
				return
			}
			at += size
		case frameCrypto:
			off, n := number(b[at+1:])
			size, m := number(b[min(len(b), at+1+n):])
			at += 1 + n + m
			if n == 0 || m == 0 || size > uint64(len(b)-at) {
				return
			}
			each(off, at, int(size))
			at += int(size)
		default:
			return
		}
	}
}

// ackSize is how long the ACK frame at the start of b is, 0 where it breaks off.
func ackSize(b []byte) int {
	at, count := 1, uint64(0)
	for i := uint64(0); i < 4+2*count; i++ {
		v, n := number(b[at:])
		if n == 0 {
			return 0
		}
		if at += n; i == 2 {
			count = min(v, uint64(len(b)))
		}
	}
	for i := 0; b[0] == frameAckECN && i < 3; i++ {
		_, n := number(b[at:])
		if n == 0 {
			return 0
		}
		at += n
	}
	return at
}

// frames reads the frames of an opened packet.
func frames(d *dissect.D) {
	for d.More() && !d.Short() {
		d.In(fFrame, func() { oneFrame(d) })
	}
}

func oneFrame(d *dissect.D) {
	at := d.Pos()
	typ, _ := varint(d, fFrameType)
	switch typ {
	case framePadding:
		n := 1
		for d.More() && d.Peek(0) == 0 {
			d.Skip(1)
			n++
		}
		d.Put(fPadding, uint64(n), at, n)
		tell(d, "PADDING")
	case framePing:
		tell(d, "PING")
	case frameAck, frameAckECN:
		ack(d, typ)
	case frameCrypto:
		tell(d, "CRYPTO")
		varint(d, fOffset)
		n, ok := varint(d, fCryptoLen)
		if !ok || n > uint64(d.Left()) {
			d.Skip(d.Left() + 1)
			return
		}
		d.In(fCrypto, func() { d.Skip(int(n)) })
	case frameClose, frameAppEnd:
		end(d, typ)
	default:
		d.Mark(nFrame)
		d.Rest(fUnread)
	}
}

func tell(d *dissect.D, what string) {
	if d.Texting() {
		d.Listed(what)
	}
}

// bytesOf reads bytes with their length in front.
func bytesOf(d *dissect.D, length, f *dissect.Field) {
	n, ok := varint(d, length)
	if !ok || n > uint64(d.Left()) {
		d.Skip(d.Left() + 1)
		return
	}
	if n > 0 {
		d.Bytes(f, int(n))
	}
}

func ack(d *dissect.D, typ uint64) {
	tell(d, "ACK")
	varint(d, fLargest)
	varint(d, fDelay)
	n, _ := varint(d, fRanges)
	varint(d, fFirst)
	for ; n > 0 && d.More(); n-- {
		varint(d, fGap)
		varint(d, fRange)
	}
	if typ == frameAckECN {
		varint(d, fECT0)
		varint(d, fECT1)
		varint(d, fCE)
	}
}

func end(d *dissect.D, typ uint64) {
	tell(d, "CC")
	if typ == frameClose {
		at := d.Pos()
		code, _ := varint(d, fError)
		if code>>8 == 1 {
			d.Put(fAlert, code&0xff, at, d.Pos()-at)
		}
		varint(d, fCause)
	} else {
		varint(d, fAppError)
	}
	bytesOf(d, fReasonLen, fReason)
}
