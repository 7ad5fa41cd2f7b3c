// Package dccp dissects the Datagram Congestion Control Protocol (RFC 4340).
package dccp

import (
	"fmt"

	"remora/dissect"
)

// TablePort has what ports of DCCP carry.
const TablePort dissect.Table = "dccp.port"

var proto = dissect.NewProtocol("dccp", "DCCP", "Datagram Congestion Control Protocol.").
	Traits(dissect.HandsOn | dissect.Underlies).
	Summary("Datagram Congestion Control Protocol, Src Port: {srcport}, Dst Port: {dstport}").Color(dissect.HueBlue)

const (
	typeRequest  = 0
	typeResponse = 1
	typeData     = 2
	typeDataAck  = 4
	typeReset    = 7
	typeListen   = 10
)

var types = dissect.Values{typeRequest: "Request", typeResponse: "Response", typeData: "Data", 3: "Ack",
	typeDataAck: "DataAck", 5: "CloseReq", 6: "Close", typeReset: "Reset", 8: "Sync", 9: "SyncAck", typeListen: "Listen"}

var services = dissect.Values{1852861808: "NPMP: NetPerfMeter Data", 1094796105: "RTPA", 1145656131: "DISC",
	1381257281: "RTPA: RTP session conveying audio data", 1381257286: "RTPV: RTP session conveying video data",
	1381257300: "RTPT: RTP session conveying text media", 1381257295: "RTPO: RTP session conveying other media",
	1280594024: "LTP"}

var (
	fPort    = proto.Uint16("port", "Source or Destination Port", "Port of either end.")
	fSrcPort = proto.Uint16("srcport", "Source Port", "Port of the sender.").Sender().Also(fPort)
	fDstPort = proto.Uint16("dstport", "Destination Port", "Port of the receiver.").Receiver().Also(fPort)
	fStream  = proto.Uint32("stream", "Stream index", "Number of the conversation among those of DCCP, counted from 0.").
			Derived()
	fOffset = proto.Uint8("data_offset", "Data Offset", "Length of the header in words of four bytes.")
	fCCVal  = proto.Uint8("ccval", "CCVal", "A value that congestion control uses.").Masked(0xf0)
	fCover  = proto.Uint8("cscov", "Checksum Coverage", "How much of the payload the checksum covers.").Masked(0x0f)
	fSum    = proto.Uint16("checksum", "Checksum", "Checksum over a pseudo header, the header and what is covered.").Hex()
	fStatus = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").
		Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fRes1 = proto.Uint8("res1", "Reserved", "Must be zero.").Hex().Masked(0xe0)
	fType = proto.Kind("type", "Type", types, "What the packet is for.").Masked(0x1e).Wordless()
	fLong = proto.Bool("x", "Extended Sequence Numbers", "Sequence numbers have 48 bits, not 24.").Masked(0x01)
	fRes2 = proto.Uint8("res2", "Reserved", "Must be zero.").Hex()
	fSeq  = proto.Uint64("seq", "Sequence Number", "Number of the packet, from the start of the connection.").
		In("(relative sequence number)").Derived()
	fSeqRaw = proto.Uint64("seq_raw", "Sequence Number (raw)", "Number of the packet.")
	fAckRes = proto.Uint16("ack_res", "Reserved", "Must be zero.").Hex()
	fAck    = proto.Uint64("ack", "Acknowledgement Number", "The greatest number received, from the start.").
		In("(relative acknowledgement number)").Derived()
	fAckRaw  = proto.Uint64("ack_raw", "Acknowledgement Number (raw)", "The greatest number received.")
	fService = proto.Uint32("service_code", "Service Code", "Which application the connection is for.").Named(services)
	fReset   = proto.Uint8("reset_code", "Reset Code", "Why the connection ends.").Named(dissect.Values{0: "Unspecified",
		1: "Closed", 2: "Aborted", 3: "No Connection", 4: "Packet Error", 5: "Option Error", 6: "Mandatory Error",
		7: "Connection Refused", 8: "Bad Service Code", 9: "Too Busy", 10: "Bad Init Cookie", 11: "Aggression Penalty"})
	fData1 = proto.Uint8("data1", "Data 1", "More of the reason.")
	fData2 = proto.Uint8("data2", "Data 2", "More of the reason.")
	fData3 = proto.Uint8("data3", "Data 3", "More of the reason.")

	fPayload = proto.Bytes("payload", "DCCP payload", "What the packet carries.").Hidden().Own()
	nLength  = proto.Expert("advertised_header_length.bad", dissect.Error, "Advertised header length bad").
			About(dissect.AboutMalformed)
	nSum  = proto.Expert("bad_checksum", dissect.Error, "Bad checksum").About(dissect.AboutChecksum)
	nType = proto.Expert("packet_type.reserved", dissect.Warn,
		"Reserved packet type: unable to dissect further")
)

// Plugin attaches DCCP to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet,
		Transport: &dissect.Transport{Table: TablePort, SrcPort: fSrcPort, DstPort: fDstPort, Stream: fStream,
			Payload: fPayload},
		Ends: &dissect.EndLayer{Title: "DCCP", Rare: true, Ports: TablePort},
		On:   []dissect.Key{{Table: dissect.TableIP, Value: 33}}}
}

// A start is the first sequence number of each end.
type start struct {
	seq   [2]uint64
	known [2]bool
}

// starts keeps the two numbers at a packet: that of its sender and that of its receiver.
var starts = dissect.NewStore[start, [2]uint64]()

func packet(d *dissect.D) {
	at, whole := d.Pos(), d.Data()
	src, dst := uint16(d.Uint(fSrcPort)), uint16(d.Uint(fDstPort))
	header := 4 * int(d.Peek(0))
	d.Uint(fOffset)
	cover := d.PeekUint(0, 1)
	d.Put(fCCVal, cover, d.Pos(), 1)
	d.Put(fCover, cover, d.Pos(), 1)
	d.Skip(1)
	sum := d.Uint(fSum)
	kind, long := kindOf(d)
	if d.Short() {
		return
	}
	checksum(d, whole, sum, header, int(cover&15))
	if c := d.Ends().Converse(TablePort, src, dst); c != nil {
		d.Set(fStream, uint64(c.Stream))
	}
	if types[kind] == "" {
		d.Expert(nType)
		return
	}
	said := numbers(d, kind, long)
	if d.Short() {
		return
	}
	switch kind {
	case typeRequest, typeResponse, typeListen:
		v := d.Uint(fService)
		name := services[v]
		if v == 0 {
			name = "not specified"
		} else if name == "" {
			name = fmt.Sprintf("Unknown (%d)", v)
		}
		said += " (service=" + name + ")"
	case typeReset:
		code := d.Uint(fReset)
		d.Uint(fData1)
		d.Uint(fData2)
		d.Uint(fData3)
		said += " (code=" + fReset.KindName(code) + ")"
	}
	if d.Info().Wanted() {
		d.Info().Setf("%d → %d [%s] %s", src, dst, types[kind], said)
	}
	left := header - (d.Pos() - at)
	if left < 0 || left > d.Left()+d.Missing() {
		d.Expert(nLength)
		return
	}
	if left > 0 {
		options(d, left)
	}
	carried(d, kind, src, dst)
}

// kindOf reads the type of the packet, and whether its numbers are long.
func kindOf(d *dissect.D) (kind uint64, long bool) {
	at, v := d.Pos(), d.PeekUint(0, 1)
	d.Put(fRes1, v, at, 1)
	kind = d.Kind(fType)
	if !d.Short() {
		d.Put(fLong, v, at, 1)
	}
	return kind, v&1 != 0
}

// numbers reads the sequence number and what is acknowledged, and says both.
func numbers(d *dissect.D, kind uint64, long bool) (said string) {
	size := 3
	if long {
		size = 6
		d.Uint(fRes2)
	}
	at, seq := d.Pos(), d.PeekUint(0, size)
	d.Skip(size)
	if d.Short() {
		return ""
	}
	opens := kind == typeRequest || kind == typeResponse
	first := starts.FirstPass(d, func(st *start) [2]uint64 {
		if way := d.Dir & 1; opens || !st.known[way] {
			st.seq[way], st.known[way] = seq, true
		}
		return [2]uint64{st.seq[d.Dir&1], st.seq[1-d.Dir&1]}
	})
	relative := seq - first[0]
	said = fmt.Sprintf("Seq=%d", relative)
	if opens {
		said = fmt.Sprintf("Seq=%d", seq)
	} else {
		d.Put(fSeq, relative, at, size)
	}
	d.Put(fSeqRaw, seq, at, size)
	if kind == typeRequest || kind == typeData || kind == typeListen {
		return said
	}
	if long {
		d.Uint(fAckRes)
	} else {
		d.Uint(fRes2)
	}
	at, ack := d.Pos(), d.PeekUint(0, size)
	d.Skip(size)
	if !d.Short() {
		d.Put(fAck, ack-first[1], at, size)
		d.Put(fAckRaw, ack, at, size)
		said += fmt.Sprintf(" (Ack=%d)", ack-first[1])
	}
	return said
}

// carried hands the application's data on. Acknowledgements may carry some, too, which says nothing.
func carried(d *dissect.D, kind uint64, src, dst uint16) {
	if !d.More() {
		return
	}
	d.Put(fPayload, 0, d.Pos(), d.Left())
	if kind == typeData || kind == typeDataAck || kind <= typeResponse {
		d.Next(TablePort, uint32(min(src, dst)))
	}
}

// checksum verifies the checksum, which covers the header and some words of the payload; 0 is all of it.
func checksum(d *dissect.D, whole []byte, sum uint64, header, cover int) {
	covered := len(whole)
	if cover > 0 {
		covered = header + 4*(cover-1)
	}
	if !verify.On(d) || d.CutShort() || d.Quoted() || covered > len(whole) {
		d.Set(fStatus, 2)
		return
	}
	if dissect.Correct(uint16(sum), d.Ends().PseudoSum(33, whole[:covered])) == uint16(sum) {
		d.Set(fStatus, 1)
		return
	}
	d.Set(fStatus, 0)
	d.Expert(nSum)
}

var verify = proto.Switch("check_checksum", "Check the validity of the DCCP checksum when possible",
	"Whether to check the validity of the DCCP checksum.", true)
