package sctp

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// The types of chunks (RFC 9260 section 3.2 and the extensions).
const (
	chunkData       = 0
	chunkInit       = 1
	chunkInitAck    = 2
	chunkSack       = 3
	chunkBeat       = 4
	chunkBeatAck    = 5
	chunkAbort      = 6
	chunkShutdown   = 7
	chunkError      = 9
	chunkCookie     = 10
	chunkECNE       = 12
	chunkCWR        = 13
	chunkComplete   = 14
	chunkAuth       = 15
	chunkNRSack     = 16
	chunkIData      = 0x40
	chunkConfAck    = 0x80
	chunkReconfig   = 0x82
	chunkPad        = 0x84
	chunkForward    = 0xc0
	chunkConf       = 0xc1
	chunkHeadLength = 4
)

// chunk reads one chunk, and hands the message on that it may carry.
func chunk(d *dissect.D, p *packetState) {
	kind, n := uint64(d.Peek(0)), int(d.PeekUint(2, 2))-chunkHeadLength
	node := d.Open(fChunk)
	at, flags := d.Pos(), uint64(d.Peek(1))
	d.Kind(fType)
	if d.Short() {
		d.Close(node)
		return
	}
	d.Below(func() {
		d.Put(fBit1, kind, at, 1)
		d.Put(fBit2, kind, at, 1)
	})
	d.Bits(fFlags, flagsOf[kind]...)
	d.Uint(fLength)
	if n < 0 {
		d.Expert(nLength)
		d.Rest(fValue)
		d.Close(node)
		return
	}
	if kind == chunkData || kind == chunkIData {
		data(d, p, kind, n, flags, node)
		return
	}
	d.Within(n, func() { content(d, p, kind) })
	pad(d, n, fPad)
	d.Close(node)
}

var flagsOf = map[uint64][]*dissect.Field{
	chunkData: {fI, fU, fB, fE}, chunkIData: {fI, fU, fB, fE}, chunkAbort: {fAbortT}, chunkComplete: {fShutT},
	chunkSack: {fNonce},
}

// summary is the Info column: what all chunks are. It is made before they are read, since the messages inside may have
// texts of their own.
func summary(d *dissect.D, p *packetState) string {
	text := ""
	for b, steps := d.Data(), (dissect.Progress{}); len(b) >= chunkHeadLength && steps.Down(len(b)); {
		n := int(b[2])<<8 | int(b[3])
		name := chunkTypes[uint64(b[0])]
		if name == "" {
			name = "RESERVED"
		}
		if text != "" {
			text += " "
		}
		text += name + details(b[:min(max(n, chunkHeadLength), len(b))], p)
		if n = max(n+3, chunkHeadLength) &^ 3; n > len(b) || len(text) > maxSummary {
			break
		}
		b = b[n:]
	}
	return text
}

// maxSummary bounds the text of a packet of many small chunks.
const maxSummary = 1000

// details are the numbers of chunks of data and of acknowledgements.
func details(b []byte, p *packetState) string {
	switch {
	case len(b) < 16:
	case b[0] == chunkData || b[0] == chunkIData:
		text := fmt.Sprintf(" (TSN=%d)", binary.BigEndian.Uint32(b[4:])-p.from.Own)
		if b[1]&(flagBegin|flagEnd) != flagBegin|flagEnd {
			text += " (Message Fragment)"
		}
		return text
	case b[0] == chunkSack:
		plus := ""
		if gaps := int(binary.BigEndian.Uint16(b[12:])); gaps > 0 && 16+4*gaps <= len(b) {
			plus = fmt.Sprintf("+%d", binary.BigEndian.Uint16(b[14+4*gaps:]))
		}
		return fmt.Sprintf(" (Ack=%d%s, Arwnd=%d)", binary.BigEndian.Uint32(b[4:])-p.from.Other, plus,
			binary.BigEndian.Uint32(b[8:]))
	}
	return ""
}

// pad reads the zeros behind what has n bytes, up to the next four.
func pad(d *dissect.D, n int, f *dissect.Field) {
	if n = -n & 3; n > 0 && d.More() {
		d.Bytes(f, min(n, d.Left()))
	}
}

const (
	flagEnd   = 0x01
	flagBegin = 0x02

	flagUnordered = 0x04
)

// data is a message or a part of one (RFC 9260 section 3.3.1, RFC 8260 section 2.1). The chunk's node ends where the
// message begins, which is a layer of its own.
func data(d *dissect.D, p *packetState, kind uint64, n int, flags uint64, node int) {
	head, ppid := 12, uint32(0)
	at, tsn := d.Pos(), uint32(d.PeekUint(0, 4))
	which := place{number: tsn}
	if d.Left() >= 4 {
		d.Put(fTSN, uint64(tsn-p.from.Own), at, 4)
	}
	d.Uint(fTSNRaw)
	sid := d.Uint(fSID)
	if kind == chunkIData {
		head = 16
		d.Uint(fReserved)
		which = place{series: series(1<<63 | flags&flagUnordered<<60 | sid<<32)}
		which.series |= series(d.Uint(fMID))
		if flags&flagBegin != 0 {
			ppid = uint32(d.Uint(fPPID))
		} else {
			which.number = uint32(d.Uint(fFSN))
		}
	} else {
		d.Uint(fSSN)
		ppid = uint32(d.Uint(fPPID))
	}
	whole := flags&(flagBegin|flagEnd) == flagBegin|flagEnd
	d.Close(node)
	if n < head || d.Short() {
		if n < head && !d.Short() {
			d.Expert(nLength)
		}
		return
	}
	d.Within(n-head, func() {
		if whole && d.More() {
			message(d, p, ppid)
			return
		}
		piece(d, p, which, flags, ppid)
	})
	pad(d, n, fPad)
}

// exportedPorts is the type of SCTP's ports in headers of exported packets (wsutil/exported_pdu_tlvs.h of Wireshark).
const exportedPorts = 1

// message hands a whole message to the protocol of its identifier, or of a port.
func message(d *dissect.D, p *packetState, ppid uint32) {
	table, key := TablePPID, ppid
	if !d.Inner().Attached(table, key) {
		table, key = tables.SCTPPort, uint32(p.dst)
		if !d.Inner().Attached(table, key) && d.Inner().Attached(table, uint32(p.src)) {
			key = uint32(p.src)
		}
	}
	if d.Inner().Exporting(dissect.ExportLayer3) {
		as := dissect.ExportedAs{Name: d.Inner().CalledBy(table, key)}
		if as.Name == "data" {
			as = dissect.ExportedAs{Table: table, Number: key}
		}
		as.Ports = exportedPorts
		d.Inner().ExportAs(dissect.ExportLayer3, as)
	}
	d.Next(table, key)
}

func content(d *dissect.D, p *packetState, kind uint64) {
	switch kind {
	case chunkInit:
		start(d, fInitTag, fInitCredit, fInitOut, fInitIn, fInitTSN)
	case chunkInitAck:
		start(d, fAckTag, fAckCredit, fAckOut, fAckIn, fAckTSN)
	case chunkSack:
		sack(d, p)
	case chunkBeat, chunkBeatAck, chunkReconfig:
		parameters(d)
	case chunkAbort, chunkError:
		causes(d)
	case chunkShutdown:
		d.Uint(fShutTSN)
	case chunkCookie:
		d.Rest(fCookie)
	case chunkECNE:
		d.Uint(fECN)
	case chunkCWR:
		d.Uint(fCWR)
	case chunkAuth:
		d.Uint(fKeyID)
		d.Uint(fHMACID)
		d.Rest(fHMAC)
	case chunkForward:
		d.Uint(fFwd)
		for more := d.Elements(); more.Next(); {
			d.Uint(fFwdSID)
			d.Uint(fFwdSSN)
		}
	case chunkConf, chunkConfAck:
		f := fSeqConf
		if kind == chunkConfAck {
			f = fSeqConfAck
		}
		d.Uint(f)
		parameters(d)
	case chunkPad:
		d.Rest(fPadding)
	}
	d.Rest(fValue)
}

// start opens an association (RFC 9260 sections 3.3.2 and 3.3.3).
func start(d *dissect.D, tag, credit, out, in, tsn *dissect.Field) {
	at, v := d.Pos(), d.PeekUint(0, 4)
	if d.Left() >= 4 {
		d.Put(fInitTag0, v, at, 4)
	}
	for _, f := range []*dissect.Field{tag, credit, out, in, tsn} {
		d.Uint(f)
	}
	parameters(d)
}

// sack says what has come (RFC 9260 section 3.3.4).
func sack(d *dissect.D, p *packetState) {
	at, tsn := d.Pos(), uint32(d.PeekUint(0, 4))
	if d.Left() >= 4 {
		d.Put(fCum, uint64(tsn-p.from.Other), at, 4)
	}
	d.Uint(fCumRaw)
	if credit := d.Uint(fCredit); credit == 0 && !d.Short() {
		d.Expert(nWindow)
	}
	gaps := d.Uint(fGaps)
	dups := d.Uint(fDups)
	sum, last := uint64(0), uint64(0)
	for more := d.Elements(); gaps > 0 && more.Next(); gaps-- {
		d.In(fGap, func() { sum += gap(d, tsn-p.from.Other, &last) })
	}
	if sum > 0 {
		d.Set(fGapTSNs, sum)
	}
	for more := d.Elements(); dups > 0 && more.Next(); dups-- {
		d.Uint(fDup)
	}
}

// gap is a run of chunks that have come. It returns how many.
func gap(d *dissect.D, tsn uint32, last *uint64) uint64 {
	at := d.Pos()
	from := d.Uint(fGapStart)
	if !d.Short() {
		d.Below(func() { d.Put(fGapStartTSN, uint64(tsn+uint32(from)), at, 2) })
	}
	to := d.Uint(fGapEnd)
	if d.Short() {
		return 0
	}
	d.Below(func() { d.Put(fGapEndTSN, uint64(tsn+uint32(to)), at+2, 2) })
	if from > to {
		d.Expert(nGap)
		return 0
	}
	if from <= *last {
		d.Expert(nOrder)
	}
	*last = to
	return to - from + 1
}
