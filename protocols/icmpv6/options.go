package icmpv6

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// The options of neighbour discovery that are read (IANA registry).
const (
	optSource     = 1
	optTarget     = 2
	optPrefix     = 3
	optRedirected = 4
	optMTU        = 5
	optInterval   = 7
	optHomeAgent  = 8
	optSources    = 9
	optTargets    = 10
	optTimestamp  = 13
	optNonce      = 14
	optRoute      = 24
	optRDNSS      = 25
	optFlags      = 26
	optDNSSL      = 31
	opt6CO        = 34
	optABRO       = 35
	opt6CIO       = 36
	optPortal     = 37
	optPREF64     = 38
)

var (
	fOption  = proto.Node("opt", "ICMPv6 Option", "One option.").Summary("[]")
	fOptType = proto.Uint8("opt.type", "Type", "Which option it is.").Named(optionTypes)
	fOptLen  = proto.Uint8("opt.length", "Length", "Length of the option in units of 8 bytes.").
			Format(func(v uint64) string { return fmt.Sprintf("%d (%d bytes)", v, 8*v) })
	fOptRes   = proto.Label("opt.reserved", "Reserved", "Zero.")
	fOptPad   = proto.Label("opt.padding", "Padding", "Bytes that fill up.")
	fOptMAC   = proto.Ether("opt.linkaddr", "Link-layer address", "Hardware address.")
	fOptSrcMC = proto.Ether("opt.src_linkaddr", "Source Link-layer address", "Hardware address of the sender.").Hidden()
	fOptTgtMC = proto.Ether("opt.target_linkaddr", "Target Link-layer address", "Hardware address of the target.").Hidden()
	fOptPLen  = proto.Uint8("opt.prefix.length", "Prefix Length", "Bits of the prefix.")
	fOptPFl   = proto.Flags8("opt.prefix.flag", "Flag",
		[]dissect.Flag{{Name: "l", Label: "On-link flag(L)", Mask: 0x80, Doc: "Addresses with the prefix are on the link."},
			{Name: "a", Label: "Autonomous address-configuration flag(A)", Mask: 0x40,
				Doc: "Hosts may make addresses with the prefix."},
			{Name: "r", Label: "Router address flag(R)", Mask: 0x20, Doc: "The prefix is the router's whole address."}},
		"What the prefix is for.").Format(prefixFlags)
	fOptPRes = proto.Uint8("opt.prefix.flag.reserved", "Reserved", "Zero.").Masked(0x1f)
	fOptVal  = proto.Uint32("opt.prefix.valid_lifetime", "Valid Lifetime", "How long the prefix is valid, in seconds.").
			Format(lifetime)
	fOptPref = proto.Uint32("opt.prefix.preferred_lifetime", "Preferred Lifetime",
		"How long the prefix is preferred, in seconds.").Format(lifetime)
	fOptPfx  = proto.IPv6("opt.prefix", "Prefix", "The prefix.")
	fOptMTU  = proto.Uint32("opt.mtu", "MTU", "How long packets on the link may be, in bytes.")
	fOptIntv = proto.Uint32("opt.advertisement_interval", "Advertisement Interval",
		"Time between advertisements, in milliseconds.")
	fOptHAPrf = proto.Uint16("opt.home_agent_preference", "Home Agent Preference",
		"The agent with the highest is to be used.")
	fOptHALif = proto.Uint16("opt.home_agent_lifetime", "Home Agent Lifetime",
		"How long the agent may be used, in seconds.")
	fOptAddr  = proto.IPv6("opt.ipv6_address", "IPv6 Address", "An address of the list.")
	fOptTime  = proto.Time("opt.timestamp", "Timestamp", "When the message was sent (RFC 3971).")
	fOptNonce = proto.Bytes("opt.nonce", "Nonce", "Joins the answer with the question (RFC 3971).")
	fOptRtFl  = proto.Uint8("opt.route_info.flag", "Flag", "How good the route is (RFC 4191).").Hex().
			Format(func(v uint64) string { return fmt.Sprintf("0x%02x, Route Preference: %s", v, preferences[v>>3&3]) })
	fOptRtPrf = proto.Uint8("opt.route_info.flag.route_preference", "Route Preference",
		"The route with the highest is to be used.").Masked(0x18).Named(preferences)
	fOptRtRes = proto.Uint8("opt.route_info.flag.reserved", "Reserved", "Zero.").Masked(0xe7)
	fOptRtLif = proto.Uint32("opt.route_lifetime", "Route Lifetime", "How long the route is valid, in seconds.").
			Format(lifetime)
	fOptDNSLf = proto.Uint32("opt.rdnss.lifetime", "Lifetime",
		"How long the servers may be asked, in seconds (RFC 8106).").Format(lifetime)
	fOptDNS   = proto.IPv6("opt.rdnss", "Recursive DNS Servers", "A DNS server.")
	fOptDSLif = proto.Uint32("opt.dnssl.lifetime", "Lifetime",
		"How long the domains are searched, in seconds (RFC 8106).").Format(lifetime)
	fOptDomai = proto.String("opt.dnssl", "Domain Names", "A domain to search.")
	fOptCtxLn = proto.Uint8("opt.6co.context_length", "Context Length", "Bits of the prefix (RFC 6775).")
	fOptCtxFl = proto.Uint8("opt.6co.flag", "Flag", "How the prefix is used.").Hex()
	fOptCtxLf = proto.Uint16("opt.6co.valid_lifetime", "Lifetime", "How long the prefix is valid, in minutes.")
	fOptCtx   = proto.IPv6("opt.6co.context_prefix", "Context Prefix", "A prefix that is left out of packets.")
	fOptVerLo = proto.Uint16("opt.abro.version_low", "Version Low", "Version of what the border router says (RFC 6775).")
	fOptVerHi = proto.Uint16("opt.abro.version_high", "Version", "Its upper part.")
	fOptABLif = proto.Uint16("opt.abro.valid_lifetime", "Valid Lifetime", "How long it is valid, in minutes.")
	fOptABR   = proto.IPv6("opt.abro.6lbr_address", "6LBR Address", "The border router.")
	fOptPort  = proto.String("opt.captive_portal", "Captive Portal", "Where to log in (RFC 8910).")
	fOptScale = proto.Uint16("opt.pref64.scaled_lifetime", "Scaled Lifetime",
		"How long the prefix is valid, in units of 8 seconds (RFC 8781).").Masked(0xfff8)
	fOptPLC = proto.Uint16("opt.pref64.plc", "PLC (Prefix Length Code)", "Bits of the prefix.").Hex().Masked(0x0007).
		Named(dissect.Values{0: "96 bits prefix length", 1: "64 bits prefix length", 2: "56 bits prefix length",
			3: "48 bits prefix length", 4: "40 bits prefix length", 5: "32 bits prefix length"})
	fOptP64   = proto.IPv6("opt.pref64.prefix", "Prefix", "The prefix of a translator to IPv4.")
	fOptQuote = proto.Label("opt.redirected_packet", "Redirected Packet", "The packet that took the worse way.")
	fOptData  = proto.Bytes("data", "Data", "Content of an option that is not known.")
	fOptRest  = proto.Bytes("unknown_data", "Unknown Data", "Bytes behind what is known of an option.")

	nUndec = proto.Expert("undecoded.option", dissect.Hint, "The option is not known").About(dissect.AboutUndecoded)
)

func prefixFlags(v uint64) string {
	text := fmt.Sprintf("0x%02x", v)
	for i, name := range [...]string{"On-link flag(L)", "Autonomous address-configuration flag(A)",
		"Router address flag(R)"} {
		if v&(0x80>>i) != 0 {
			text += ", " + name
		}
	}
	return text
}

// options reads the options up to the end of the message.
func options(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		kind, n := uint64(d.Peek(0)), int(d.Peek(1))*8
		if n == 0 || n > d.Left() && !d.CutShort() {
			d.Expert(nOpt)
			return
		}
		node := d.Open(fOption)
		if d.Labelling() {
			d.Suffix(fOption, "ICMPv6 Option ("+optionName(kind))
		}
		d.Within(n, func() { option(d, kind) })
		if kind != optRedirected {
			d.Suffix(fOption, ")")
		}
		d.Close(node)
		switch kind {
		case optSource:
			d.Info().Set("[from {opt.src_linkaddr}]")
		case optTarget:
			d.Info().Set("[is at {opt.target_linkaddr}]")
		}
	}
}

func optionName(kind uint64) string {
	if name := optionTypes[kind]; name != "" {
		return name
	}
	return fmt.Sprintf("Unknown %d", kind)
}

// reserved shows n bytes that are zero.
func reserved(d *dissect.D, n int) {
	at := d.Pos()
	d.Skip(n)
	if !d.Short() {
		d.Put(fOptRes, 0, at, n)
	}
}

func option(d *dissect.D, kind uint64) {
	d.Uint(fOptType)
	d.Uint(fOptLen)
	read := contents[kind]
	if read == nil {
		d.Expert(nUndec)
		d.Rest(fOptData)
		return
	}
	read(d, kind)
	if kind != optRedirected {
		d.Rest(fOptRest)
	}
}

// contents read what is behind the type and length of an option.
var contents = map[uint64]func(d *dissect.D, kind uint64){
	optSource: linkAddress, optTarget: linkAddress, optPrefix: prefix, optRedirected: redirected, optSources: addresses,
	optTargets: addresses, optRoute: route, optRDNSS: servers, optDNSSL: domains,
	optMTU: func(d *dissect.D, _ uint64) {
		reserved(d, 2)
		d.Suffix(fOption, fmt.Sprintf(" : %d", d.Uint(fOptMTU)))
	},
	optInterval: func(d *dissect.D, _ uint64) {
		reserved(d, 2)
		d.Suffix(fOption, fmt.Sprintf(" : %d", d.Uint(fOptIntv)))
	},
	optHomeAgent: func(d *dissect.D, _ uint64) { reserved(d, 2); d.Uint(fOptHAPrf); d.Uint(fOptHALif) },
	optTimestamp: timestamp,
	optNonce:     func(d *dissect.D, _ uint64) { d.Rest(fOptNonce) },
	optFlags:     func(d *dissect.D, _ uint64) { reserved(d, 6) },
	opt6CO: func(d *dissect.D, _ uint64) {
		d.Uint(fOptCtxLn)
		d.Uint(fOptCtxFl)
		reserved(d, 2)
		d.Uint(fOptCtxLf)
		short(d, fOptCtx, d.Left())
	},
	optABRO: func(d *dissect.D, _ uint64) {
		d.Uint(fOptVerLo)
		d.Uint(fOptVerHi)
		d.Uint(fOptABLif)
		d.IPv6(fOptABR)
	},
	optPortal: func(d *dissect.D, _ uint64) { d.Padded(fOptPort, d.Left()) },
	optPREF64: func(d *dissect.D, _ uint64) { d.Bits(fOptScale, fOptPLC); short(d, fOptP64, d.Left()) },
}

// linkAddress reads a hardware address, of six bytes on everything that is like Ethernet.
func linkAddress(d *dissect.D, kind uint64) {
	if d.Left() != 6 {
		return
	}
	at := d.Pos()
	a := d.Ether(fOptMAC)
	f := fOptSrcMC
	if kind == optTarget {
		f = fOptTgtMC
	}
	d.Put(f, a.Uint64(), at, 6)
	if d.Labelling() {
		d.Suffix(fOption, " : "+a.String())
	}
}

func prefix(d *dissect.D, _ uint64) {
	n := d.Uint(fOptPLen)
	at := d.Pos()
	v := d.Uint(fOptPFl)
	if d.Short() {
		return
	}
	d.Below(func() { d.Put(fOptPRes, v, at, 1) })
	d.Uint(fOptVal)
	d.Uint(fOptPref)
	reserved(d, 4)
	a := d.IPv6(fOptPfx)
	if d.Labelling() && !d.Short() {
		d.Suffix(fOption, fmt.Sprintf(" : %s/%d", a, n))
	}
}

// redirected shows the packet that took the worse way. What it quotes stands outside the option, so the option's text
// ends before it.
func redirected(d *dissect.D, _ uint64) {
	d.Suffix(fOption, ")")
	reserved(d, 6)
	if d.More() {
		d.Put(fOptQuote, 0, d.Pos(), d.Left())
		quoted(d)
	}
}

func addresses(d *dissect.D, _ uint64) {
	reserved(d, 6)
	several(d, fOptAddr)
}

// several reads addresses to the end of the option.
func several(d *dissect.D, f *dissect.Field) {
	for more := d.Elements(); d.Left() >= 16 && more.Next(); {
		a := d.IPv6(f)
		if d.Labelling() {
			d.Suffix(fOption, " "+a.String())
		}
	}
}

func servers(d *dissect.D, _ uint64) {
	reserved(d, 2)
	d.Uint(fOptDNSLf)
	several(d, fOptDNS)
}

// timestamp reads seconds since 1970 in 48 bits and 65536ths of one in 16.
func timestamp(d *dissect.D, _ uint64) {
	reserved(d, 6)
	at, v := d.Pos(), d.PeekUint(0, 8)
	d.Skip(8)
	if !d.Short() && v>>16 < 1<<33 {
		d.Put(fOptTime, v>>16*1e9+v&0xffff*1e9>>16, at, 8)
	}
}

func route(d *dissect.D, _ uint64) {
	n := d.Uint(fOptPLen)
	at := d.Pos()
	v := d.Uint(fOptRtFl)
	if d.Short() {
		return
	}
	d.Below(func() {
		d.Put(fOptRtPrf, v, at, 1)
		d.Put(fOptRtRes, v&0x07, at, 1)
	})
	d.Uint(fOptRtLif)
	text := "::"
	if d.More() {
		text = short(d, fOptPfx, d.Left())
	}
	if d.Labelling() {
		d.Suffix(fOption, fmt.Sprintf(" : %s %s/%d", preferences[v>>3&3], text, n))
	}
}

// short reads the first n bytes of an address whose rest is zero, and returns it as text. Shorter ones are kept as
// text: the node covers fewer bytes than an address has.
func short(d *dissect.D, f *dissect.Field, n int) string {
	n = min(n, 16)
	if n == 16 {
		return d.IPv6(f).String()
	}
	var b [16]byte
	copy(b[:], d.Data()[:min(n, d.Left())])
	at := d.Pos()
	d.Skip(n)
	if !d.Short() {
		d.PutText(f, string(b[:]), at, n)
	}
	return dissect.IPv6Addr(b[:]).String()
}

// domains reads names as DNS writes them (RFC 1035 section 3.1), without compression, to the first empty one.
func domains(d *dissect.D, _ uint64) {
	reserved(d, 2)
	d.Uint(fOptDSLif)
	for more := d.Elements(); d.Peek(0) != 0 && more.Next(); {
		at := d.Pos()
		var parts []string
		for n, more := int(d.Peek(0)), d.Elements(); n > 0 && n < 64 && n < d.Left() && more.Next(); n = int(d.Peek(0)) {
			parts = append(parts, string(d.Data()[1:1+n]))
			d.Skip(1 + n)
		}
		if d.Peek(0) != 0 || len(parts) == 0 {
			return
		}
		d.Skip(1)
		name := strings.Join(parts, ".")
		d.PutText(fOptDomai, name, at, d.Pos()-at)
		d.Suffix(fOption, " "+name)
	}
	if n := d.Left(); n > 0 {
		at := d.Pos()
		d.Skip(n)
		d.Put(fOptPad, 0, at, n)
	}
}
