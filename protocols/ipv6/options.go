package ipv6

import (
	"fmt"

	"remora/dissect"
)

// The options (IANA registry).
const (
	optPad1     = 0x00
	optPadN     = 0x01
	optTunnel   = 0x04
	optAlert    = 0x05
	optCALIPSO  = 0x07
	optDPD      = 0x08
	optPDM      = 0x0f
	optQuick    = 0x26
	optPMTU     = 0x30
	optRPL      = 0x63
	optMPL      = 0x6d
	optEndpoint = 0x8a
	optILNP     = 0x8b
	optLineID   = 0x8c
	optJumbo    = 0xc2
	optHome     = 0xc9
	optDFF      = 0xee
)

var optionTypes = dissect.Values{optPad1: "Pad1", optPadN: "PadN", optTunnel: "Tunnel Encapsulation Limit",
	optAlert: "Router Alert", optCALIPSO: "CALIPSO", optDPD: "SMF_DPD", optPDM: "Performance and Diagnostic Metrics",
	0x1e: "Experimental (0x1E)", optQuick: "Quick-Start", optPMTU: "Path MTU Option",
	0x31: "IOAM Option", 0x3e: "Experimental (0x3E)", 0x41: "Tunnel Payload Forwarding (TPF) Information",
	0x5e: "Experimental (0x5E)", optRPL: "RPL Option", optMPL: "MPL Option", 0x7e: "Experimental (0x7E)",
	optEndpoint: "Endpoint Identification", optILNP: "ILNP Nonce", optLineID: "Line-Identification Option",
	0x9e: "Experimental (0x9E)", 0xbe: "Experimental (0xBE)", optJumbo: "Jumbo Payload", optHome: "Home Address",
	0xde: "Experimental (0xDE)", optDFF: "IP_DFF", 0xfe: "Experimental (0xFE)"}

var (
	fOpt     = proto.Node("opt", "IPv6 Option", "One option.").Summary("[]")
	fOptType = proto.Uint8("opt.type", "Type", "Which option it is.").Hex().Named(optionTypes)
	fOptAct  = proto.Uint8("opt.type.action", "Action", "What to do with the packet where the option is not known.").
			Masked(0xc0).
			Named(dissect.Values{0: "Skip and continue", 1: "Discard", 2: "Discard and send ICMP",
			3: "Discard and send ICMP if not multicast"})
	fOptChg = proto.Bool("opt.type.change", "May Change", "Routers may change the content.").Masked(0x20).
		TrueFalse("Yes", "No")
	fOptLow = proto.Uint8("opt.type.rest", "Low-Order Bits", "Number of the option without the bits above.").
		Masked(0x1f).Hex()
	fOptLen = proto.Uint8("opt.length", "Length", "Length of the option's content in bytes.")
	fPad1   = proto.Label("opt.pad1", "Pad1", "One byte that fills up.")
	fPadN   = proto.Bytes("opt.padn", "PadN", "Bytes that fill up.")
	fAlert  = proto.Uint16("opt.router_alert", "Router Alert", "Why routers should look at the packet.").
		Named(dissect.Values{0: "MLD", 1: "RSVP", 2: "Active Network"})
	fTunnel = proto.Uint8("opt.tel", "Tunnel Encapsulation Limit",
		"How many tunnels inside one another the packet may still enter.")
	fJumbo    = proto.Uint32("opt.jumbo", "Payload Length", "Length of a jumbogram in bytes.")
	fHome     = proto.IPv6("opt.mipv6.home_address", "MIPv6 Home Address", "The address that a mobile host has at home.")
	fExperim  = proto.Bytes("opt.experimental", "Experimental Option", "Content of an experiment.")
	fUnknown  = proto.Bytes("opt.unknown", "Unknown Option Payload", "Content of an option that is not known.")
	fRest     = proto.Bytes("opt_unknown_data", "Unknown Data", "Bytes behind what is known of an option.")
	fPMTUMin  = proto.Uint16("opt.pmtu.min", "Minimum Reported PMTU", "The least length of packets on the way so far.")
	fPMTURtn  = proto.Uint16("opt.pmtu.rtn", "Return Minimum PMTU", "The least length on the way back.")
	fPMTUFlag = proto.Bool("opt.pmtu.r_flag", "Return Flag", "The receiver shall report what it sees.").
			TrueFalse("True", "False")
	fRPLFlags = proto.Flags8("opt.rpl.flag", "Flag",
		[]dissect.Flag{{Name: "o", Label: "Down", Mask: 0x80, Doc: "The packet goes away from the root."},
			{Name: "r", Label: "Rank Error", Mask: 0x40, Doc: "The ranks on the way contradict the direction."},
			{Name: "f", Label: "Forwarding Error", Mask: 0x20, Doc: "A router could not pass the packet on."}},
		"State of a packet in an RPL network.")
	fRPLInst = proto.Uint8("opt.rpl.instance_id", "RPLInstanceID", "Which RPL network it is.").Hex()
	fRPLRank = proto.Uint16("opt.rpl.sender_rank", "Sender Rank", "How far from the root the sender is.").Hex()
	fPDMScR  = proto.Uint8("opt.pdm.scale_dtlr", "Scale DTLR", "Scale of the first time.")
	fPDMScS  = proto.Uint8("opt.pdm.scale_dtls", "Scale DTLS", "Scale of the second time.")
	fPDMThis = proto.Uint16("opt.pdm.psn_this_pkt", "PSN This Packet", "Number of this packet.")
	fPDMLast = proto.Uint16("opt.pdm.psn_last_recv", "PSN Last Received", "Number of the packet received last.")
	fPDMRecv = proto.Uint16("opt.pdm.delta_last_recv", "Delta Time Last Received", "Time since it was received.")
	fPDMSent = proto.Uint16("opt.pdm.delta_last_sent", "Delta Time Last Sent",
		"Time between the packets sent and received last.")
	fNonce   = proto.Bytes("opt.ilnp_nonce", "ILNP Nonce", "A number that an ILNP session keeps.")
	fLineLen = proto.Uint8("opt.lio.length", "LineIDLen", "Length of the line's name.")
	fLine    = proto.String("opt.lio.line_id", "Line ID", "Name of a subscriber's line.")
	fDOI     = proto.Uint32("opt.calipso.doi", "CALIPSO Domain of Interpretation", "Who says what levels mean.")
	fCmptLen = proto.Uint8("opt.calipso.cmpt.length", "Compartment Length", "Length of the bit map in units of 4 bytes.")
	fLevel   = proto.Uint8("opt.calipso.sens_level", "Sensitivity Level", "How secret the packet is.")
	fCalSum  = proto.Uint16("opt.calipso.checksum", "Checksum", "Checksum over the option.").Hex()
	fCmptMap = proto.Bytes("opt.calipso.cmpt_bitmap", "Compartment Bitmap", "Which compartments the packet belongs to.")
	fQSFunc  = proto.Uint8("opt.qs_func", "Function", "Asking for a rate or reporting one (RFC 4782).").Masked(0xf0).
			Named(dissect.Values{0: "Rate request", 8: "Rate report"})
	fQSRate  = proto.Uint8("opt.qs_rate", "Rate", "The rate: 40 kbit/s doubled as often as the number says.").Masked(0x0f)
	fQSTTL   = proto.Uint8("opt.qs_ttl", "QS TTL", "Counted down by routers that know the option.")
	fQSNonce = proto.Uint32("opt.qs_nonce", "QS Nonce", "Changed by routers that grant less.").Masked(0xfffffffc).Hex()
	fQSRes   = proto.Uint32("opt.qs_reserved", "Reserved", "Zero.").Masked(0x3).Hex()

	nHeader = proto.Expert("opt.header_mismatch", dissect.Warn, "The option belongs into the other sort of options header")
	nOldOpt = proto.Expert("opt.deprecated", dissect.Hint, "The option is no longer in use").About(dissect.AboutDeprecated)
	nUndec  = proto.Expert("opt.unknown_data.expert", dissect.Hint, "The content of an option is not known").
		About(dissect.AboutUndecoded)
	nOptLen = proto.Expert("opt.invalid_len", dissect.Error, "The length of an option is wrong").
		About(dissect.AboutMalformed)
)

// options reads the options of a hop-by-hop or destination header.
func options(d *dissect.D, header uint64) {
	for more := d.Elements(); more.Next(); {
		d.In(fOpt, func() { option(d, header) })
	}
}

func option(d *dissect.D, header uint64) {
	at := d.Pos()
	kind := d.Uint(fOptType)
	if d.Short() {
		return
	}
	if d.Labelling() {
		d.Suffix(fOpt, optionName(kind))
	}
	if kind == optPad1 {
		d.Put(fPad1, 0, at, 1)
		return
	}
	d.Below(func() {
		d.Put(fOptAct, kind, at, 1)
		d.Put(fOptChg, kind, at, 1)
		d.Put(fOptLow, kind, at, 1)
	})
	rules(d, kind, header)
	n := int(d.Uint(fOptLen))
	if d.Short() {
		return
	}
	if want := optionLen[kind]; want > 0 && n != want {
		d.ExpertText(nOptLen, fmt.Sprintf("%s: Invalid Length (%d bytes)", optionName(kind), n))
		d.Within(n, func() { d.Rest(fUnknown) })
		return
	}
	d.Within(n, func() {
		content(d, kind, n)
		d.Rest(fRest)
	})
}

// optionLen is the length of the content where it is fixed.
var optionLen = map[uint64]int{optAlert: 2, optTunnel: 1, optJumbo: 4, optHome: 16, optPDM: 10, optPMTU: 4, optQuick: 6}

func optionName(kind uint64) string {
	if name := optionTypes[kind]; name != "" {
		return name
	}
	return fmt.Sprintf("Unknown IPv6 Option (%d)", kind)
}

// rules marks options in the wrong header, and old ones.
func rules(d *dissect.D, kind, header uint64) {
	switch kind {
	case optTunnel, optHome, optPDM, optILNP, optLineID:
		if header == hopByHop {
			d.ExpertText(nHeader, optionName(kind)+" must use a destination options header")
		}
	case optAlert, optJumbo:
		if header == destination {
			d.ExpertText(nHeader, optionName(kind)+" must use a hop-by-hop options header")
		}
	case optEndpoint:
		d.Expert(nOldOpt)
	}
}

// content reads the n bytes of an option.
func content(d *dissect.D, kind uint64, n int) {
	switch kind {
	case optPadN:
		d.Bytes(fPadN, n)
	case optAlert:
		d.Uint(fAlert)
	case optTunnel:
		d.Uint(fTunnel)
	case optJumbo:
		d.Uint(fJumbo)
	case optHome:
		d.IPv6(fHome)
	case optRPL:
		d.Uint(fRPLFlags)
		d.Uint(fRPLInst)
		d.Uint(fRPLRank)
	case optPDM:
		for _, f := range []*dissect.Field{fPDMScR, fPDMScS, fPDMThis, fPDMLast, fPDMRecv, fPDMSent} {
			d.Uint(f)
		}
	case optILNP:
		d.Rest(fNonce)
	case optLineID:
		d.Bytes(fLine, min(int(d.Uint(fLineLen)), d.Left()))
	case optCALIPSO:
		d.Uint(fDOI)
		d.Uint(fCmptLen)
		d.Uint(fLevel)
		d.Uint(fCalSum)
		d.Rest(fCmptMap)
	case optPMTU:
		d.Uint(fPMTUMin)
		at, v := d.Pos(), d.PeekUint(0, 2)
		d.Skip(2)
		if d.Short() {
			return
		}
		d.Put(fPMTURtn, v&0xfffe, at, 2)
		d.Put(fPMTUFlag, v&1, at+1, 1)
	case optQuick:
		d.Bits(fQSFunc, fQSRate)
		d.Uint(fQSTTL)
		d.Bits(fQSNonce, fQSRes)
	case 0x1e, 0x3e, 0x5e, 0x7e, 0x9e, 0xbe, 0xde, 0xfe:
		d.Rest(fExperim)
	default:
		d.Expert(nUndec)
		d.Rest(fUnknown)
	}
}
