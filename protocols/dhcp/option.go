package dhcp

import (
	"fmt"
	"net/netip"

	"remora/dissect"
)

var (
	fOption  = proto.Uint8("option.type", "Option", "Which option.").Named(optionNames)
	fLength  = proto.Uint8("option.length", "Length", "Length of the option's value.")
	fValue   = proto.Bytes("option.value", "Value", "The option's value.")
	fRaw     = proto.Bytes("option.value", "Value", "The option's value, where it has fields of its own.").Hidden()
	fEnd     = proto.Uint8("option.end", "Option End", "The last option.")
	fType    = proto.Kind("option.dhcp", "DHCP", messages, "What the message is.").Dec().Wordless()
	fRequest = proto.Uint8("option.request_list_item", "Parameter Request List Item", "An option that the client wants.").Named(optionNames)

	fPolicyIP   = proto.IPv4("option.policy_filter.ip", "IP Address", "Where packets may go.")
	fPolicyMask = proto.IPv4("option.policy_filter.subnet_mask", "Subnet Mask", "The mask of the address.")
	fRouteIP    = proto.IPv4("option.static_route.ip", "Destination IP Address", "Where the route leads.")
	fRouteVia   = proto.IPv4("option.static_route.router", "Destination Router", "The router.")
	fRoute      = proto.Bytes("option.classless_static_route", "Subnet/MaskWidth-Router", "Width, network and router of a route.")
	fSearch     = proto.String("option.dhcp_dns_domain_search_list_fqdn", "FQDN", "A domain to search in.")

	fIDType   = proto.Uint8("client_id.type", "Type", "What the identifier is.").Named(dissect.Values{0: "Not a hardware address"})
	fIDHType  = proto.Uint8("hw.type", "Hardware type", "Sort of the network.").Hex().Named(hardware)
	fIDText   = proto.String("client_id.undef", "Client Identifier", "The identifier.")
	fIDUUID   = proto.GUID("client_id.uuid", "Client Identifier (UUID)", "The identifier.")
	fID4      = proto.Bytes("client_id.iaid", "IAID", "Which of the client's networks.")
	fDUIDType = proto.Uint16("client_id.duid_type", "DUID Type", "How the client is named.").Named(duidTypes)
	fDUIDLLT  = proto.Uint16("client_id.duid_llt_hw_type", "Hardware type", "Sort of the network.").Named(hardware)
	fDUIDLL   = proto.Uint16("client_id.duid_ll_hw_type", "Hardware type", "Sort of the network.").Named(hardware)
	fDUIDTime = proto.Uint32("client_id.time", "Time", "When the name was made, in seconds since 2000.")
	fDUIDAddr = proto.Ether("client_id.link_layer_address", "Link layer address", "A hardware address of the client.")
	fDUIDPEN  = proto.Uint32("client_id.enterprise_num", "Enterprise-number", "Who made the name.")
	fDUIDRest = proto.Bytes("client_id", "Identifier", "The rest of the name.")

	fUserLen  = proto.Uint8("option.user_class.length", "User Class Length", "Length of the class.")
	fUserData = proto.Bytes("option.user_class.data", "User Class Data", "A class of clients.")
	fUserText = proto.String("option.user_class.text", "User Class Data (Text)", "A class of clients.")

	fFQFlags = proto.Uint8("fqdn.flags", "Flags", "Who updates the names.").Hex()
	fFQN     = proto.Bool("fqdn.n", "Server DDNS", "The server shall not update names.").Masked(0x08).TrueFalse("No server updates", "Some server updates")
	fFQE     = proto.Bool("fqdn.e", "Encoding", "The name is in the format of DNS.").Masked(0x04).TrueFalse("Binary encoding", "ASCII encoding")
	fFQO     = proto.Bool("fqdn.o", "Server overrides", "The server did not follow the client.").Masked(0x02).TrueFalse("Override", "No override")
	fFQS     = proto.Bool("fqdn.s", "Server", "The server shall update the address record.").Masked(0x01).TrueFalse("Server", "Client")
	fFQRes   = proto.Uint8("fqdn.mbz", "Reserved flags", "Always 0.").Hex().Masked(0xf0)
	fFQ1     = proto.Uint8("fqdn.rcode1", "A-RR result", "How the update of the address record went.")
	fFQ2     = proto.Uint8("fqdn.rcode2", "PTR-RR result", "How the update of the pointer record went.")
	fFQName  = proto.String("fqdn.name", "Client name", "The client's name.")

	fMajor = proto.Uint8("client_network_id_major", "Major Version", "Version of the network interface.")
	fMinor = proto.Uint8("client_network_id_minor", "Minor Version", "Version of the network interface.")

	fVIPEN   = proto.Uint32("option.vi.enterprise", "Enterprise", "Whose option it is.")
	fVILen   = proto.Uint8("option.vi.length", "Length", "Length of what follows.")
	fVIValue = proto.Bytes("option.vi.value", "Value", "The vendor's value.")
	fVCPEN   = proto.Uint32("option.vi_class.enterprise", "Enterprise", "Whose class it is.")
	fVCLen   = proto.Uint8("option.vi_class.length", "Length", "Length of what follows.")
	fVCData  = proto.String("option.vi_class.data", "Data", "The class.")
	fSub43   = proto.Uint8("option.vendor.suboption", "Option 43 Suboption", "A vendor's own option.")
	fSubVal  = proto.Bytes("option.vendor.value", "Value", "The vendor's value.")
	fSubLen  = proto.Uint8("option.suboption_length", "Length", "Length of the value.")

	fSIP     = proto.Uint8("option.sip_server.encoding", "SIP Server Encoding", "Names or addresses.").Named(dissect.Values{0: "Fully Qualified Domain Name", 1: "IPv4 Address"})
	fSIPName = proto.String("option.sip_server.name", "SIP Server Name", "A server for calls.")
	fSIPAddr = proto.IPv4("option.sip_server.address", "SIP Server Address", "A server for calls.")
)

const (
	optPad      = 0
	optOverload = 52
	optType     = 53
	optEnd      = 255
)

// hand are the options that simple cannot say.
var hand = map[uint64]func(d *dissect.D){
	21: func(d *dissect.D) { pairs(d, fPolicyIP, fPolicyMask) }, 33: func(d *dissect.D) { pairs(d, fRouteIP, fRouteVia) }, 43: vendor, 53: func(d *dissect.D) { d.Kind(fType) },
	55: wanted, 61: clientID, 77: userClass, 81: name, 82: agent, 94: network, 97: uuid, 119: search, 120: sip, 121: routes, 124: vendorClass, 125: vendorOptions, 249: routes,
}

// options reads options up to the last one and tells whether a message type was among them, and which.
func options(d *dissect.D, needsEnd bool) (message uint64, typed bool) {
	for d.More() {
		kind, at := uint64(d.Peek(0)), d.Pos()
		switch kind {
		case optPad:
			n := 1
			for n < d.Left() && d.Peek(n) == optPad {
				n++
			}
			d.Put(fOption, kind, at, n)
			d.Below(func() { d.Bytes(fPad, n) })
			continue
		case optEnd:
			d.Put(fOption, kind, at, 1)
			d.Below(func() { d.Uint(fEnd) })
			return message, typed
		}
		if kind == optType {
			message, typed = uint64(d.Peek(2)), true
		}
		option(d, kind)
	}
	if needsEnd && !d.Short() && !d.CutShort() {
		d.Mark(nEnd)
	}
	return message, typed
}

// option reads one option.
func option(d *dissect.D, kind uint64) {
	at := d.Pos()
	n := int(d.Peek(1))
	d.Put(fOption, kind, at, min(2+n, d.Left()))
	d.Skip(1)
	d.Below(func() {
		d.Uint(fLength)
		if d.Short() || n == 0 {
			return
		}
		d.Within(n, func() {
			read := hand[kind]
			f := simple[kind]
			if read == nil && f == nil {
				d.Rest(fValue)
				return
			}
			d.Put(fRaw, 0, d.Pos(), min(n, d.Left()))
			if read != nil {
				read(d)
			} else {
				values(d, f)
			}
			if d.More() {
				d.Mark(nLength)
				d.Rest(fValue)
			}
		})
	})
}

// values reads a field, or several of them up to the value's end.
func values(d *dissect.D, f *dissect.Field) {
	switch f.Type() {
	case dissect.TypeString:
		d.Padded(f, d.Left())
	case dissect.TypeBytes:
		d.Rest(f)
	case dissect.TypeIPv4:
		for d.Left() >= 4 && d.More() {
			d.IPv4(f)
		}
	case dissect.TypeInt:
		if d.Left() >= f.Size() {
			d.Int(f)
		}
	default:
		for d.Left() >= f.Size() && d.More() {
			d.Uint(f)
		}
	}
}

func pairs(d *dissect.D, a, b *dissect.Field) {
	for d.Left() >= 8 && d.More() {
		d.IPv4(a)
		d.IPv4(b)
	}
}

func wanted(d *dissect.D) {
	for d.More() {
		d.Uint(fRequest)
	}
}

// clientID reads the client's identifier: a hardware address, a DUID (RFC 4361), or anything.
func clientID(d *dissect.D) {
	switch kind, n := d.Peek(0), d.Left(); {
	case n == 7 && kind > 0 && kind < 48:
		d.Uint(fIDHType)
		d.Ether(fMAC)
	case n == 17 && kind == 0:
		uuid(d)
	case kind == 0xff && n > 7:
		d.Skip(1)
		d.Put(fIDType, 0xff, d.Pos()-1, 1)
		d.Bytes(fID4, 4)
		duid(d)
	default:
		d.Uint(fIDType)
		d.Rest(fIDText)
	}
}

// duid reads a DHCP unique identifier (RFC 8415 section 11).
func duid(d *dissect.D) {
	const (
		withTime = 1
		byVendor = 2
		plain    = 3
	)
	switch d.Uint(fDUIDType) {
	case withTime:
		d.Uint(fDUIDLLT)
		d.Uint(fDUIDTime)
	case byVendor:
		d.Uint(fDUIDPEN)
		d.Rest(fDUIDRest)
	case plain:
		d.Uint(fDUIDLL)
	}
	if d.Left() == 6 {
		d.Ether(fDUIDAddr)
	}
	d.Rest(fDUIDRest)
}

func uuid(d *dissect.D) {
	d.Uint(fIDType)
	if d.Left() == 16 {
		at, b := d.Pos(), d.Data()
		d.Skip(16)
		if d.Wanted(fIDUUID) { // its first three numbers are little-endian (RFC 4578 section 2.3)
			d.PutText(fIDUUID, string([]byte{b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6]})+string(b[8:16]), at, 16)
		}
	}
	d.Rest(fIDText)
}

// userClass reads classes with a length each (RFC 3004), or the text that clients send instead.
func userClass(d *dissect.D) {
	if int(d.Peek(0)) >= d.Left() {
		d.Rest(fUserText)
		return
	}
	for d.More() {
		n := int(d.Uint(fUserLen))
		if n == 0 {
			return
		}
		d.Bytes(fUserData, n)
	}
}

// name reads the client's name (RFC 4702).
func name(d *dissect.D) {
	v := d.Peek(0)
	d.Put(fFQFlags, uint64(v), d.Pos(), min(1, d.Left()))
	d.Below(func() { d.Bits(fFQRes, fFQN, fFQE, fFQO, fFQS) })
	d.Uint(fFQ1)
	d.Uint(fFQ2)
	if v&4 != 0 {
		text, n := domain(d.Data(), 0)
		d.PutText(fFQName, text, d.Pos(), n)
		d.Skip(n)
	}
	d.Rest(fFQName)
}

func network(d *dissect.D) {
	d.Skip(1)
	d.Put(fIDType, uint64(0), d.Pos()-1, 1)
	d.Uint(fMajor)
	d.Uint(fMinor)
}

// search reads the list of domains, whose names may point to earlier ones.
func search(d *dissect.D) {
	b, start := d.Data(), d.Pos()
	for at := 0; at < len(b) && d.More(); {
		text, n := domain(b, at)
		if n == 0 {
			d.Mark(nLength)
			d.Rest(fValue)
			return
		}
		d.PutText(fSearch, text, start+at, n)
		d.Skip(n)
		at += n
	}
}

// domain reads a name in the format of DNS (RFC 1035 section 3.1). It returns how many bytes it takes at its place, 0 when
// it is wrong.
func domain(b []byte, at int) (text string, taken int) {
	here := true
	for jumps, total := 0, 0; at < len(b) && jumps < 32 && total < 256; {
		n := int(b[at])
		switch {
		case n == 0:
			if here {
				taken++
			}
			return text, taken
		case n >= 0xc0 && at+1 < len(b):
			to := n&0x3f<<8 | int(b[at+1])
			if here {
				taken, here = taken+2, false
			}
			if to >= at {
				return "", 0
			}
			at = to
			jumps++
		case n < 0x40 && at+1+n <= len(b):
			if text != "" {
				text += "."
			}
			text += string(b[at+1 : at+1+n])
			if here {
				taken += 1 + n
			}
			at += 1 + n
			total += 1 + n
		default:
			return "", 0
		}
	}
	if here && at == len(b) { // some leave out the root
		return text, taken
	}
	return "", 0
}

// routes reads routes as RFC 3442 packs them: of the network only the bytes that its width needs are there.
func routes(d *dissect.D) {
	for d.More() {
		width := int(d.Peek(0))
		n := (width + 7) / 8
		if width > 32 {
			d.Mark(nLength)
			d.Rest(fValue)
			return
		}
		b := d.Bytes(fRoute, 1+n+4)
		if d.Short() || !d.Labelling() {
			continue
		}
		var to, via [4]byte
		copy(to[:], b[1:1+n])
		copy(via[:], b[1+n:])
		text := "default"
		if width > 0 {
			text = fmt.Sprintf("%s/%d", netip.AddrFrom4(to), width)
		}
		d.Suffix(fRoute, fmt.Sprintf(" (%s-%s)", text, netip.AddrFrom4(via)))
	}
}

func sip(d *dissect.D) {
	if d.Uint(fSIP) == 1 {
		for d.Left() >= 4 && d.More() {
			d.IPv4(fSIPAddr)
		}
		return
	}
	for d.More() {
		text, n := domain(d.Data(), 0)
		if n == 0 {
			d.Rest(fSIPName)
			return
		}
		d.PutText(fSIPName, text, d.Pos(), n)
		d.Skip(n)
	}
}

// vendor reads option 43: suboptions, where they fit, else bytes.
func vendor(d *dissect.D) {
	b := d.Data()
	at := 0
	for at+1 < len(b) && b[at] != optEnd && b[at] != optPad {
		at += 2 + int(b[at+1])
	}
	if at > len(b) || at < len(b) && b[at] != optEnd && b[at] != optPad {
		d.Rest(fValue)
		return
	}
	for d.More() {
		kind, n := uint64(d.Peek(0)), int(d.Peek(1))
		if kind == optEnd || kind == optPad || d.Left() < 2 {
			d.Rest(fPad)
			return
		}
		d.Put(fSub43, kind, d.Pos(), 2+n)
		d.Skip(1)
		d.Below(func() {
			d.Uint(fSubLen)
			if n > 0 {
				d.Bytes(fSubVal, n)
			}
		})
	}
}

func vendorClass(d *dissect.D) {
	for d.Left() >= 5 && d.More() {
		d.Uint(fVCPEN)
		d.Below(func() {
			if n := int(d.Uint(fVCLen)); n > 0 {
				d.Bytes(fVCData, n)
			}
		})
	}
}

func vendorOptions(d *dissect.D) {
	for d.Left() >= 5 && d.More() {
		d.Uint(fVIPEN)
		d.Below(func() {
			if n := int(d.Uint(fVILen)); n > 0 {
				d.Bytes(fVIValue, n)
			}
		})
	}
}
