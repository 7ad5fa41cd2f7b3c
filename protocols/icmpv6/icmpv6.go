// Package icmpv6 dissects ICMP for IPv6 (RFC 4443), neighbour discovery (RFC 4861) and multicast listener discovery
// (RFC 2710, RFC 3810 as bytes).
package icmpv6

import "remora/dissect"

var proto = dissect.NewProtocol("icmpv6", "ICMPv6", "Pings, errors and neighbour discovery of IPv6.").
	Called("Internet Control Message Protocol v6").Hued(dissect.HueMagenta)

var types = dissect.Values{1: "Destination Unreachable", 2: "Packet Too Big", 3: "Time Exceeded", 4: "Parameter Problem", 128: "Echo (ping) request", 129: "Echo (ping) reply", 130: "Multicast Listener Query",
	131: "Multicast Listener Report", 132: "Multicast Listener Done", 133: "Router Solicitation", 134: "Router Advertisement", 135: "Neighbor Solicitation", 136: "Neighbor Advertisement", 137: "Redirect", 143: "Multicast Listener Report Message v2"}

var codes = map[uint64]dissect.Values{
	1: {0: "no route to destination", 1: "Administratively prohibited", 2: "Beyond scope of source address", 3: "Address unreachable", 4: "Port unreachable", 5: "Source address failed ingress/egress policy", 6: "Reject route to destination"},
	3: {0: "hop limit exceeded in transit", 1: "fragment reassembly time exceeded"},
	4: {0: "erroneous header field encountered", 1: "unrecognized Next Header type encountered", 2: "unrecognized IPv6 option encountered"},
}

var optionTypes = dissect.Values{1: "Source link-layer address", 2: "Target link-layer address", 3: "Prefix information", 4: "Redirected header", 5: "MTU", 14: "Nonce", 24: "Route Information", 25: "Recursive DNS Server", 31: "DNS Search List Option"}

var (
	fType    = proto.Kind("type", "Type", types, "What the message asks or reports.").Dec().Wordless()
	fCode    = proto.Uint8("code", "Code", "What exactly, depending on the type.")
	fSum     = proto.Uint16("checksum", "Checksum", "Checksum over a pseudo header and the message.").Hex()
	fStatus  = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fReserv  = proto.Bytes("reserved", "Reserved", "Zero.")
	fMTU     = proto.Uint32("mtu", "MTU", "How long packets may be.").In("bytes")
	fPointer = proto.Uint32("pointer", "Pointer", "The byte at which the error is.")
	fIdent   = proto.Uint16("echo.identifier", "Identifier", "Who asks.").Hex()
	fSeq     = proto.Uint16("echo.sequence_number", "Sequence", "Which question of the asker's this is.")
	fRespIn  = proto.FrameRef("resp_in", "Response In", "The frame with the answer.")
	fRespTo  = proto.FrameRef("resp_to", "Response To", "The frame with the question.")
	fTime    = proto.Float64("resptime", "Response Time", "Time from the question to the answer.").Derived().In("ms")

	fAsked   = proto.IPv6("nd.ns.target_address", "Target Address", "The address asked for.")
	fTold    = proto.IPv6("nd.na.target_address", "Target Address", "The address announced.")
	fBetter  = proto.IPv6("nd.rd.target_address", "Target Address", "The better way.")
	fRedirTo = proto.IPv6("rd.na.destination_address", "Destination Address", "Where the redirected packets go.")
	fHops    = proto.Uint8("nd.ra.cur_hop_limit", "Cur hop limit", "Hop limit that hosts should use.")
	fRAFlags = proto.Flags8("nd.ra.flag", "Flags", []dissect.Flag{{Name: "m", Label: "Managed address configuration", Mask: 0x80, Doc: "Addresses come from DHCPv6."}, {Name: "o", Label: "Other configuration", Mask: 0x40, Doc: "Other settings come from DHCPv6."}, {Name: "h", Label: "Home Agent", Mask: 0x20, Doc: "The router is a home agent."}}, "What hosts should do.")
	fLife    = proto.Uint16("nd.ra.router_lifetime", "Router lifetime", "How long the router may be used.").In("s")
	fReach   = proto.Uint32("nd.ra.reachable_time", "Reachable time", "How long a neighbour counts as reachable.").In("ms")
	fRetrans = proto.Uint32("nd.ra.retrans_timer", "Retrans timer", "Time between solicitations.").In("ms")
	fNAFlags = proto.Flags32("nd.na.flag", "Flags", []dissect.Flag{{Name: "r", Label: "Router", Mask: 0x80000000, Doc: "The sender is a router."}, {Name: "s", Label: "Solicited", Mask: 0x40000000, Doc: "Somebody asked."}, {Name: "o", Label: "Override", Mask: 0x20000000, Doc: "Replace what is remembered."}}, "What the announcement means.")
	fDelay   = proto.Uint16("mld.maximum_response_delay", "Maximum Response Delay", "How long receivers may wait.").In("ms")
	fMCast   = proto.IPv6("mld.multicast_address", "Multicast Address", "The group.")

	fOption  = proto.Group("opt", "ICMPv6 Option", "One option.").Summary("ICMPv6 Option ({icmpv6.opt.type:name}[ : {icmpv6.opt.linkaddr}][ : {icmpv6.opt.prefix}])")
	fOptType = proto.Uint8("opt.type", "Type", "Which option it is.").Named(optionTypes)
	fOptLen  = proto.Uint8("opt.length", "Length", "Length of the option in units of 8 bytes.")
	fOptMAC  = proto.Ether("opt.linkaddr", "Link-layer address", "Hardware address.")
	fOptPLen = proto.Uint8("opt.prefix.length", "Prefix Length", "Bits of the prefix.")
	fOptPFl  = proto.Uint8("opt.prefix.flag", "Flag", "On-link and autonomous configuration.").Hex()
	fOptVal  = proto.Uint32("opt.prefix.valid_lifetime", "Valid Lifetime", "How long the prefix is valid.").In("s")
	fOptPref = proto.Uint32("opt.prefix.preferred_lifetime", "Preferred Lifetime", "How long the prefix is preferred.").In("s")
	fOptPfx  = proto.IPv6("opt.prefix", "Prefix", "The prefix.")
	fOptData = proto.Bytes("opt.data", "Option data", "Content of the option.")

	nSum = proto.Note("checksum.bad", dissect.Warn, "Bad checksum")
	nOpt = proto.Note("opt.length.bad", dissect.Error, "The length of an option is impossible")
)

// Plugin attaches ICMPv6 to its next header number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, On: []dissect.Key{{Table: dissect.TableIP, Value: 58}}}
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
	case 1, 3:
		d.Bytes(fReserv, 4)
		quoted(d)
	case 2:
		d.Uint(fMTU)
		quoted(d)
	case 4:
		d.Uint(fPointer)
		quoted(d)
	case 128, 129:
		echo(d, kind)
	case 130, 131, 132:
		d.Uint(fDelay)
		d.Bytes(fReserv, 2)
		d.IPv6(fMCast)
	case 133:
		d.Bytes(fReserv, 4)
		options(d)
		d.Info("[from {opt.linkaddr}]")
	case 134:
		d.Uint(fHops)
		d.Uint(fRAFlags)
		d.Uint(fLife)
		d.Uint(fReach)
		d.Uint(fRetrans)
		options(d)
		d.Info("[from {opt.linkaddr}]")
	case 135, 136, 137:
		neighbour(d, kind)
	}
	if d.More() {
		d.Next("icmpv6.payload", uint32(kind))
	}
}

func neighbour(d *dissect.D, kind uint64) {
	flags := uint64(0)
	if kind == 136 {
		flags = d.Uint(fNAFlags)
	} else {
		d.Bytes(fReserv, 4)
	}
	switch kind {
	case 135:
		d.IPv6(fAsked)
		d.Info("for {nd.ns.target_address}")
		options(d)
		d.Info("[from {opt.linkaddr}]")
	case 136:
		d.IPv6(fTold)
		d.Info("{nd.na.target_address}")
		if d.Texting() {
			d.Infof("%s", announced(flags))
		}
		options(d)
		d.Info("[is at {opt.linkaddr}]")
	default:
		d.IPv6(fBetter)
		d.IPv6(fRedirTo)
		options(d)
		d.Info("[is at {opt.linkaddr}]")
	}
}

// announced are the flags of a neighbour advertisement as Wireshark's Info column has them: "(rtr, sol, ovr)".
func announced(flags uint64) string {
	text := ""
	for i, word := range [...]string{"rtr", "sol", "ovr"} {
		if flags&(0x80000000>>i) != 0 {
			if text != "" {
				text += ", "
			}
			text += word
		}
	}
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

func options(d *dissect.D) {
	for d.More() {
		n := int(d.Peek(1)) * 8
		if n == 0 || n > d.Left() {
			d.Mark(nOpt)
			return
		}
		d.In(fOption, func() { d.Within(n, func() { option(d) }) })
	}
}

func option(d *dissect.D) {
	kind := d.Uint(fOptType)
	d.Uint(fOptLen)
	switch {
	case (kind == 1 || kind == 2) && d.Left() == 6:
		d.Ether(fOptMAC)
	case kind == 3 && d.Left() == 30:
		d.Uint(fOptPLen)
		d.Uint(fOptPFl)
		d.Uint(fOptVal)
		d.Uint(fOptPref)
		d.Bytes(fReserv, 4)
		d.IPv6(fOptPfx)
	case kind == 5 && d.Left() == 6:
		d.Bytes(fReserv, 2)
		d.Uint(fMTU)
	}
	d.Rest(fOptData)
}

// echo joins a question with its answer by identifier and sequence number.
func echo(d *dissect.D, kind uint64) {
	id, seq := d.Uint(fIdent), d.Uint(fSeq)
	if d.Short() || d.Quoted() {
		return
	}
	if d.Texting() {
		d.Infof("id=0x%04x, seq=%d, hop limit=%d", id, seq, d.Hops)
	}
	d.Converse("icmpv6", 0, 0)
	key := id<<16 | seq
	if kind == 128 {
		d.Request(key, fRespIn)
		d.Info("[(reply in {resp_in})]")
		return
	}
	if n := d.Answer(key, fRespIn, fRespTo, nil); n != 0 {
		d.Set(fTime, dissect.Float64(float64(d.Time()-d.TimeOf(n))/1e6))
		d.Info("(request in {resp_to})")
	}
}

func quoted(d *dissect.D) {
	if d.More() {
		d.Quote(func() { d.Next(dissect.TableEther, 0x86dd) })
	}
}

func checksum(d *dissect.D, whole []byte) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) || d.Short() {
		return
	}
	switch {
	case d.CutShort() || d.Quoted():
		d.Set(fStatus, 2)
	case d.PseudoSum(58, whole) == 0:
		d.Set(fStatus, 1)
	default:
		d.Set(fStatus, 0)
		d.Mark(nSum)
	}
}
