package rtp

import "remora/dissect"

// Transport-wide congestion control (draft-holmer-rmcat-transport-wide-cc-extensions-01).
var (
	cTCBase = rtcp.Uint16("rtpfb.transportcc.baseseq", "Base Sequence Number", "The first packet that is reported.").
		HexDec()
	cTCCount = rtcp.Uint16("rtpfb.transportcc.statuscount", "Packet Status Count", "How many packets are reported.").
			HexDec()
	cTCTime = rtcp.Int32("rtpfb.transportcc.reftime", "Reference Time", "When the report begins, in units of 64 ms.").
		Wide(3)
	cTCNumber = rtcp.Uint8("rtpfb.transportcc.pktcount", "Feedback Packets Count", "Counts reports.").HexDec()
	cTCChunk  = rtcp.Uint16("rtpfb.transportcc.pktchunk", "Packet Chunk", "Which packets came, as a run or as a list.").
			HexDec()
	cTCDelta = rtcp.Uint8("rtpfb.transportcc.recv_delta", "Recv Delta",
		"Time since the packet before, in units of 250 µs.").Hex()
	cTCDelta2 = rtcp.Uint16("rtpfb.transportcc.recv_delta", "Recv Delta", "The same where it is large, or below zero.").
			Hex()
	cTCPadding = rtcp.Uint16("rtpfb.transportcc.recv_delta.padding", "Recv Delta Padding",
		"Zeros up to the next four bytes.").Hex()
)

// What a packet's symbol says of it: the size of its time in bytes.
const (
	tcSmall = 1
	tcLarge = 2
)

// transportWide reads which packets came, and the time between them.
func transportWide(d *dissect.D) {
	d.Uint(cTCBase)
	count := int(d.Uint(cTCCount))
	d.Int(cTCTime)
	d.Uint(cTCNumber)
	var came []byte
	for seen, more := 0, d.Elements(); seen < count && d.Left() >= 2 && more.Next(); {
		symbols := tcSymbols(d.Uint(cTCChunk), count-seen)
		seen += len(symbols)
		came = append(came, symbols...)
	}
	for _, size := range came {
		switch {
		case size == tcSmall && d.Left() >= 1:
			d.Uint(cTCDelta)
		case size == tcLarge && d.Left() >= 2:
			d.Uint(cTCDelta2)
		}
	}
	if n := d.Left(); n > 0 && n <= 3 {
		d.Put(cTCPadding, d.PeekUint(0, min(n, 2)), d.Pos(), n)
		d.Skip(n)
	}
}

// tcSymbols are what a chunk says of the packets in turn, of at most so many: a run of the same, fourteen of one bit,
// or seven of two.
func tcSymbols(chunk uint64, most int) []byte {
	var out []byte
	switch {
	case chunk&0x8000 == 0:
		for range min(int(chunk&0x1fff), most) {
			out = append(out, byte(chunk>>13&3))
		}
		if len(out) == 0 { // a run of none would never end
			out = append(out, 0)
		}
	case chunk&0x4000 == 0:
		for i := range min(14, most) {
			out = append(out, byte(chunk>>(13-i)&1))
		}
	default:
		for i := range min(7, most) {
			out = append(out, byte(chunk>>(12-2*i)&3))
		}
	}
	return out
}
