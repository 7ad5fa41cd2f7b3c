// Package icmpv6 dissects ICMP for IPv6 (RFC 4443), neighbour discovery (RFC 4861) with its options, multicast listener
// discovery (RFC 2710, RFC 3810), node information (RFC 4620), mobile IP (RFC 6275) and extended echo (RFC 8335).
package icmpv6

import (
	"fmt"
	"math"

	"remora/dissect"
)

// tableConversation is what conversations of echoes are told apart by.
const tableConversation dissect.Table = "icmpv6"

// tablePayload is empty: what messages of other types carry is data.
const tablePayload dissect.Table = "icmpv6.payload"

var proto = dissect.NewProtocol("icmpv6", "ICMPv6", "Pings, errors, neighbours and groups of IPv6.").
	Summary("Internet Control Message Protocol v6").Traits(dissect.Quotes).Color(dissect.HueMagenta)

var (
	fType   = proto.Kind("type", "Type", types, "What the message asks or reports.").Dec().Wordless()
	fCode   = proto.Uint8("code", "Code", "What exactly, depending on the type.")
	fSum    = proto.Uint16("checksum", "Checksum", "Checksum over a pseudo header and the message.").Hex()
	fStatus = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").
		Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fReserv  = proto.Bytes("reserved", "Reserved", "Zero.")
	fData    = proto.Bytes("data", "Data", "Content of a message that is not known.")
	fMTU     = proto.Uint32("mtu", "MTU", "How long packets may be, in bytes.")
	fPointer = proto.Uint32("pointer", "Pointer", "The byte at which the error is.")
	fIdent   = proto.Uint16("echo.identifier", "Identifier", "Who asks.").Hex()
	fSeq     = proto.Uint16("echo.sequence_number", "Sequence", "Which question of the asker's this is.")
	fRespIn  = proto.FrameRef("resp_in", "Response In", "The frame with the answer.")
	fRespTo  = proto.FrameRef("resp_to", "Response To", "The frame with the question.")
	fTime    = proto.Float64("resptime", "Response Time", "Time from the question to the answer, in milliseconds.").
			Derived().Format(func(v uint64) string { return fmt.Sprintf("%.3f ms", math.Float64frombits(v)) })
	fNoResp = proto.Label("no_resp", "No response seen", "The capture has no answer.").Summary("\\[No response seen\\]").
		Derived()

	fExtSeq  = proto.Uint8("ext.echo.seq", "Sequence number", "Which question of the asker's this is.").HexDec()
	fReqRes  = proto.Uint8("ext.echo.req.res", "Reserved", "Zero.").Masked(0xfe).Hex()
	fReqLoc  = proto.Bool("ext.echo.req.local", "Local bit", "The interface is the receiver's own.").Masked(0x01)
	fRspStat = proto.Uint8("ext.echo.rsp.state", "State", "What the receiver knows of its neighbour.").Masked(0xe0).
			Named(dissect.Values{0: "Reserved", 1: "Incomplete", 2: "Reachable", 3: "Stale", 4: "Delay", 5: "Probe",
			6: "Failed"})
	fRspRes = proto.Uint8("ext.echo.rsp.res", "Reserved", "Zero.").Masked(0x18).Hex()
	fRspAct = proto.Bool("ext.echo.rsp.active", "Active bit", "The interface works.").Masked(0x04)
	fRsp4   = proto.Bool("ext.echo.rsp.ipv4", "IPv4 bit", "IPv4 runs on it.").Masked(0x02)
	fRsp6   = proto.Bool("ext.echo.rsp.ipv6", "IPv6 bit", "IPv6 runs on it.").Masked(0x01)

	nSum = proto.Expert("checksum_bad.expert", dissect.Warn, "Bad checksum").About(dissect.AboutChecksum)
	nOpt = proto.Expert("invalid_option_length", dissect.Error, "The length of an option is impossible").
		About(dissect.AboutMalformed)
	nNoResp = proto.Expert("resp_not_found", dissect.Warn, "No response seen to ICMPv6 request").
		About(dissect.AboutSequence)
)

// Plugin attaches ICMPv6 to its next header number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Flow: flowGraph, Statistics: statistics, Dissect: message,
		On: []dissect.Key{{Table: dissect.TableIP, Value: 58}}}
}

func message(d *dissect.D) {
	whole := d.Data()
	kind := d.Kind(fType)
	code := d.Uint(fCode)
	d.Ends().SetMessage(uint8(kind), uint8(code))
	header(d, kind, code)
	sum := d.Uint(fSum)
	checksum(d, whole, sum)
	switch kind {
	case typeUnreachable, typeExceeded:
		d.Bytes(fReserv, 4)
		quoted(d)
	case typeTooBig:
		d.Uint(fMTU)
		quoted(d)
	case typeParameter:
		d.Uint(fPointer)
		quoted(d)
	case typeRequest, typeReply:
		echo(d, kind)
		if d.More() {
			d.Next(tablePayload, uint32(kind))
		}
	case typeExtRequest, typeExtReply:
		d.Uint(fIdent)
		d.Uint(fExtSeq)
		if kind == typeExtReply {
			d.Bits(fRspStat, fRspRes, fRspAct, fRsp4, fRsp6)
		} else {
			d.Bits(fReqRes, fReqLoc)
		}
	default:
		if read := messages[kind]; read != nil {
			read(d, kind)
		}
		d.Rest(fData)
	}
}

// messages are the types that have nothing to do with errors and pings.
var messages = map[uint64]func(d *dissect.D, kind uint64){
	typeMLDQuery: listeners, typeMLDReport: listeners, typeMLDDone: listeners, typeMLDv2Report: groups,
	typeRouterSol: routerSolicitation, typeRouterAdv: routerAdvertisement, typeNeighbourSol: neighbour,
	typeNeighbourAdv: neighbour, typeRedirect: redirect,
	139: nodeInformation, 140: nodeInformation, 144: mobile, 145: mobile, 146: mobile, 147: mobile, 151: multicastRouter,
}

// header writes the code's name and the start of the Info column.
func header(d *dissect.D, kind, code uint64) {
	if d.Short() {
		return
	}
	text := codeText(kind, code)
	if text != "" {
		d.Suffix(fCode, " ("+text+")")
		text = " (" + text + ")"
	}
	if d.Info().Wanted() {
		name := types[kind]
		if name == "" {
			name = fmt.Sprintf("Unknown (%d)", kind)
		}
		d.Info().Setf("%s%s", name, text)
	}
}

// echo joins a question with its answer by identifier and sequence number.
func echo(d *dissect.D, kind uint64) {
	id, seq := d.Uint(fIdent), d.Uint(fSeq)
	if d.Short() {
		return
	}
	if d.Info().Wanted() {
		d.Info().Setf("id=0x%04x, seq=%d, hop limit=%d", id, seq, d.Hops)
	}
	if d.Quoted() {
		return
	}
	d.Ends().Converse(tableConversation, 0, 0)
	key := id<<16 | seq
	if kind == typeRequest {
		request(d, key)
	} else if n := d.Response(key, fRespIn, fRespTo, nil); n != 0 {
		if at, known := d.Packet().TimeOf(n); known {
			d.Set(fTime, dissect.Float64(float64(d.Time()-at)/1e6))
		}
		d.Info().Set("(request in {resp_to})")
	}
}

func request(d *dissect.D, key uint64) {
	d.Request(key, fRespIn)
	switch {
	case d.Links().Forward(fRespIn) != 0:
		d.Info().Set("[(reply in {resp_in})]")
	case d.Dst.Addr.Netip().IsMulticast():
		d.Info().Set("(multicast)")
	case d.Session().Ended():
		d.Info().Set("(no response found!)")
		d.In(fNoResp,
			func() { d.ExpertText(nNoResp, fmt.Sprintf("No response seen to ICMPv6 request in frame %d", d.Frame)) })
	}
}

func quoted(d *dissect.D) {
	if d.More() {
		d.Quote(func() { d.Next(dissect.TableEther, 0x86dd) })
	}
}

func checksum(d *dissect.D, whole []byte, sum uint64) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) || d.Short() {
		return
	}
	over := uint64(d.Ends().PseudoSum(58, whole)) // the complement of the sum with the checksum in it
	at := d.Pos() - 2
	switch {
	case d.CutShort() || d.Quoted():
		d.Suffix(fSum, " [unverified]")
		d.Put(fStatus, 2, at, 0)
	case over == 0:
		d.Suffix(fSum, " [correct]")
		d.Put(fStatus, 1, at, 0)
	default:
		right := over + sum
		right = right&0xffff + right>>16
		d.Suffix(fSum, fmt.Sprintf(" incorrect, should be 0x%04x", right))
		d.Put(fStatus, 0, at, 0)
		d.ExpertText(nSum, fmt.Sprintf("Bad checksum [should be 0x%04x]", right))
	}
}
