package ppp

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

// The control protocols share a header (RFC 1661 section 5), whose fields Wireshark gives to PPP.
var (
	lcp = dissect.NewProtocol("lcp", "PPP LCP", "PPP's Link Control Protocol: how frames look.").
		Summary("PPP Link Control Protocol").Color(dissect.HueYellow).SharesFields(proto)
	ipcp = dissect.NewProtocol("ipcp", "PPP IPCP", "PPP's IP Control Protocol: the addresses of the ends.").
		Summary("PPP IP Control Protocol").Color(dissect.HueYellow).SharesFields(proto)
	ipv6cp = dissect.NewProtocol("ipv6cp", "PPP IPV6CP",
		"PPP's IPv6 Control Protocol: the interface identifiers of the ends.").Summary("PPP IPv6 Control Protocol").
		Color(dissect.HueYellow).SharesFields(proto)
	ccp = dissect.NewProtocol("ccp", "PPP CCP", "PPP's Compression Control Protocol.").
		Summary("PPP Compression Control Protocol").Color(dissect.HueYellow).SharesFields(proto)
)

var codes = dissect.Values{0: "Vendor Specific", 1: "Configuration Request", 2: "Configuration Ack",
	3: "Configuration Nak", 4: "Configuration Reject", 5: "Termination Request", 6: "Termination Ack", 7: "Code Reject",
	8: "Protocol Reject", 9: "Echo Request", 10: "Echo Reply", 11: "Discard Request", 12: "Identification",
	13: "Time Remaining", 14: "Reset Request", 15: "Reset Ack"}

var (
	fCode = proto.Kind("code", "Code", codes, "What a control message asks or answers.").Dec().Wordless()
	fID   = proto.Uint8("identifier", "Identifier", "Joins an answer with its request.").HexDec()
	fLen  = proto.Uint16("length", "Length", "Length of the message in bytes.")

	nOption = proto.Expert("opt.len.invalid", dissect.Warn, "Invalid length for option")
)

var lcpOptions = dissect.Values{0: "Vendor Specific", 1: "Maximum Receive Unit", 2: "Async Control Character Map",
	3: "Authentication Protocol", 4: "Quality Protocol", 5: "Magic Number", 7: "Protocol Field Compression",
	8: "Address and Control Field Compression", 9: "FCS Alternatives", 13: "Callback", 17: "Multilink MRRU",
	18: "Multilink Short Sequence Number Header", 19: "Multilink Endpoint Discriminator"}

var (
	lOption = lcp.Group("opt", "Option", "One option of the link.").Summary("{lcp.opt.type:name}")
	lType   = lcp.Uint8("opt.type", "Type", "Which option.").Named(lcpOptions)
	lLen    = lcp.Uint8("opt.length", "Length", "Length of the option in bytes.")
	lMRU    = lcp.Uint16("opt.mru", "Maximum Receive Unit", "Longest payload that the sender takes in bytes.")
	lMap    = lcp.Uint32("opt.asyncmap", "Async Control Character Map", "Control characters that must be escaped.").Hex()
	lAuth   = lcp.Uint16("opt.auth_protocol", "Authentication Protocol", "How the other end shall say who it is.").Hex().
		Named(protocols)
	lAlg = lcp.Uint8("opt.algorithm", "Algorithm", "The digest that is asked for.").
		Named(dissect.Values{5: "CHAP with MD5", 6: "SHA-1", 128: "MS-CHAP", 129: "MS-CHAP-2"})
	lQuality = lcp.Uint16("opt.quality_protocol", "Quality Protocol", "How the quality of the link is told.").Hex().
			Named(protocols)
	lSeconds = lcp.Uint32("secs_remaining", "Seconds Remaining", "How long the link stays up.")
	lMagic   = lcp.Uint32("opt.magic_number", "Magic Number", "A random number that tells the ends apart.").Hex()
	lValue   = lcp.Bytes("opt.data", "Data", "Value of another option.")
	lReject  = lcp.Uint16("rej_proto", "Rejected Protocol", "The protocol that the sender does not know.").Hex().
			Named(protocols)
	lMagicN = lcp.Uint32("magic_number", "Magic Number", "A random number that tells the ends apart.").Hex()
	lData   = lcp.Bytes("data", "Data", "Data of the message.")

	iOption = ipcp.Group("opt", "Option", "One option of IP.").Summary("{ipcp.opt.type:name}")
	iType   = ipcp.Uint8("opt.type", "Type", "Which option.").
		Named(dissect.Values{1: "IP Addresses (deprecated)", 2: "IP Compression Protocol", 3: "IP Address",
			4: "Mobile Node's Home IP Address", 129: "Primary DNS Server IP Address", 130: "Primary NBNS Server IP Address",
			131: "Secondary DNS Server IP Address", 132: "Secondary NBNS Server IP Address"})
	iLen   = ipcp.Uint8("opt.length", "Length", "Length of the option in bytes.")
	iAddr  = ipcp.IPv4("opt.ip_address", "IP Address", "Address of the sender; 0.0.0.0 asks for one.")
	iDNS1  = ipcp.IPv4("opt.pri_dns_address", "Primary DNS Address", "The first name server.")
	iNBNS1 = ipcp.IPv4("opt.pri_nbns_address", "Primary NBNS Address", "The first NetBIOS name server.")
	iDNS2  = ipcp.IPv4("opt.sec_dns_address", "Secondary DNS Address", "The second name server.")
	iNBNS2 = ipcp.IPv4("opt.sec_nbns_address", "Secondary NBNS Address", "The second NetBIOS name server.")
	iFrom  = ipcp.IPv4("opt.src_address", "Source IP Address", "Address of the sender, as it was told first (RFC 1172).")
	iTo    = ipcp.IPv4("opt.dst_address", "Destination IP Address", "Address that the other end is to take.")
	iHome  = ipcp.IPv4("opt.mobilenodehomeaddress", "Mobile Node's Home Address",
		"Address of a mobile node at home (RFC 2290).")
	iComp = ipcp.Uint16("opt.compress_proto", "IP Compression Protocol", "How headers are compressed.").Hex().
		Named(dissect.Values{0x0003: "Robust Header Compression (ROHC)", 0x002d: "VJ compression",
			0x0061: "IP Header Compression"})
	iSlots = ipcp.Uint8("opt.max_slot_id", "Max Slot ID", "Connections that can be compressed at once, less one.")
	iSlot  = ipcp.Bool("opt.comp_slot_id", "Comp Slot ID", "The connection's number may be left out.").Masked(0x01).
		TrueFalse("The slot identifier may be compressed", "The slot identifier must not be compressed")
	iData = ipcp.Bytes("data", "Data", "Value of another option, or data of the message.")

	vOption = ipv6cp.Group("opt", "Option", "One option of IPv6.").Summary("{ipv6cp.opt.type:name}")
	vType   = ipv6cp.Uint8("opt.type", "Type", "Which option.").
		Named(dissect.Values{1: "Interface Identifier", 2: "IPv6 compression"})
	vLen   = ipv6cp.Uint8("opt.length", "Length", "Length of the option in bytes.")
	vIdent = ipv6cp.Bytes("interface_identifier", "Interface Identifier", "Last 64 bits of the sender's address.")
	vData  = ipv6cp.Bytes("data", "Data", "Value of another option. Wireshark has no name for it.")

	cOption = ccp.Group("opt", "Option", "One way to compress.").Summary("{ccp.opt.type}")
	cType   = ccp.Uint8("opt.type", "Type", "Which way.").
		Named(dissect.Values{0: "OUI", 1: "Predictor type 1", 2: "Predictor type 2", 17: "Stac Electronics LZS",
			18: "Microsoft PPE/PPC", 21: "BSD LZW Compress", 26: "Deflate"})
	cLen  = ccp.Uint8("opt.length", "Length", "Length of the option in bytes.")
	cData = ccp.Bytes("opt.data", "Data", "Value of the option.")
)

// LCP sets up the link.
func LCP() dissect.Plugin {
	return control(lcp, kindLCP, set{lOption, lType, lLen, lData}, linkOption)
}

// IPCP sets up IP over it.
func IPCP() dissect.Plugin {
	return control(ipcp, kindIPCP, set{iOption, iType, iLen, iData}, addressOption)
}

// IPV6CP sets up IPv6 over it.
func IPV6CP() dissect.Plugin {
	return control(ipv6cp, kindIPv6CP, set{vOption, vType, vLen, vData}, identOption)
}

// CCP agrees on compression.
func CCP() dissect.Plugin {
	return control(ccp, kindCCP, set{cOption, cType, cLen, cData}, compression)
}

// set are the fields that a control protocol's options have, and the one for what nothing else takes.
type set struct{ group, kind, length, rest *dissect.Field }

func control(p *dissect.Protocol, key uint32, fields set, value func(*dissect.D, uint64)) dissect.Plugin {
	return dissect.Plugin{Protocol: p, Dissect: func(d *dissect.D) { message(d, fields, value) },
		On: []dissect.Key{{Table: tables.PPPProtocol, Value: key}}}
}

const headLength = 4

func message(d *dissect.D, fields set, value func(*dissect.D, uint64)) {
	code := d.Kind(fCode)
	d.Uint(fID)
	d.Limit(int(d.Uint(fLen)) - headLength)
	if d.Short() {
		return
	}
	if codes[code] == "" {
		d.Info().Set("Unknown")
	} else {
		d.Info().Set("{ppp.code:name}")
	}
	switch link := fields.group == lOption; {
	case code >= 1 && code <= 4:
		for more := d.Elements(); more.Next() && option(d, fields, value); {
		}
	case link && code == 8:
		d.Uint(lReject)
	case link && (code >= 9 && code <= 13):
		d.Uint(lMagicN)
		if code == 13 && d.Left() >= 4 {
			d.Uint(lSeconds)
		}
	}
	d.Rest(fields.rest)
}

func option(d *dissect.D, fields set, value func(*dissect.D, uint64)) bool {
	n := int(d.Peek(1))
	if n < 2 || n > d.Left() && !d.CutShort() {
		d.Expert(nOption)
		return false
	}
	d.In(fields.group, func() {
		kind := d.Uint(fields.kind)
		d.Uint(fields.length)
		d.Within(n-2, func() {
			value(d, kind)
			rest := fields.rest
			if rest == lData {
				rest = lValue
			}
			d.Rest(rest)
		})
	})
	return true
}

func linkOption(d *dissect.D, kind uint64) {
	switch {
	case kind == 1 && d.Left() == 2:
		d.Uint(lMRU)
	case kind == 2 && d.Left() == 4:
		d.Bits(lMap, mapBits...)
	case kind == 3 && d.Left() >= 2:
		if d.Uint(lAuth) == kindCHAP && d.More() {
			d.Uint(lAlg)
		}
	case kind == 4 && d.Left() >= 2:
		d.Uint(lQuality)
	case kind == 5 && d.Left() == 4:
		d.Uint(lMagic)
	}
}

func addressOption(d *dissect.D, kind uint64) {
	f := map[uint64]*dissect.Field{3: iAddr, 4: iHome, 129: iDNS1, 130: iNBNS1, 131: iDNS2, 132: iNBNS2}[kind]
	switch {
	case f != nil && d.Left() == 4:
		d.IPv4(f)
	case kind == 1 && d.Left() == 8:
		d.IPv4(iFrom)
		d.IPv4(iTo)
	case kind == 2 && d.Left() >= 2:
		if d.Uint(iComp) == 0x2d && d.Left() == 2 {
			d.Uint(iSlots)
			d.Bool(iSlot)
		}
	}
}

func identOption(d *dissect.D, kind uint64) {
	if kind == 1 && d.Left() == 8 {
		d.Bytes(vIdent, 8)
	}
}
