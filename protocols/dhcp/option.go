package dhcp

import (
	"fmt"
	"net/netip"

	"remora/dissect"
)

// optionText names an option as Wireshark does.
func optionText(v uint64) string {
	name := optionNames[v]
	if name == "" {
		name = "Unknown"
	}
	return fmt.Sprintf("(%d) %s", v, name)
}

var (
	fOption = proto.Uint8("option.type", "Option", "Which option.").Named(optionNames).Format(optionText)
	// Wireshark gives the last option the number 0.
	fLast = proto.Uint8("option.type", "Option", "The last option.").
		Format(func(uint64) string { return "(255) End" })
	fLength  = proto.Uint8("option.length", "Length", "Length of the option's value.")
	fValue   = proto.Bytes("option.value", "Value", "The option's value.")
	fRaw     = proto.Bytes("option.value", "Value", "The option's value, where it has fields of its own.").Hidden()
	fEnd     = proto.Uint8("option.end", "Option End", "The last option.")
	fType    = proto.Kind("option.dhcp", "DHCP", messages, "What the message is.").Dec().Wordless()
	fRequest = proto.Uint8("option.request_list_item", "Parameter Request List Item", "An option that the client wants.").
			Named(optionNames).Format(optionText)

	fPolicyIP   = proto.IPv4("option.policy_filter.ip", "IP Address", "Where packets may go.")
	fPolicyMask = proto.IPv4("option.policy_filter.subnet_mask", "Subnet Mask", "The mask of the address.")
	fRouteIP    = proto.IPv4("option.static_route.ip", "Destination IP Address", "Where the route leads.")
	fRouteVia   = proto.IPv4("option.static_route.router", "Destination Router", "The router.")
	fRoute      = proto.Bytes("option.classless_static_route", "Subnet/MaskWidth-Router",
		"Width, network and router of a route.")
	fSearch = proto.String("option.dhcp_dns_domain_search_list_fqdn", "FQDN", "A domain to search in.")

	fIDType = proto.Uint8("client_id.type", "Type", "What the identifier is.").
		Named(dissect.Values{0: "Not a hardware address"})
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

	fUser = proto.Uint8("option.user_class", "Instance of User Class", "Number of a class in the list.").
		Format(func(v uint64) string { return fmt.Sprintf("[%d]", v) })
	fUserLen  = proto.Uint8("option.user_class.length", "User Class Length", "Length of the class.")
	fUserData = proto.Bytes("option.user_class.data", "User Class Data", "A class of clients.")
	fUserText = proto.String("option.user_class.text", "User Class Data (Text)", "A class of clients.")

	fFQFlags = proto.Uint8("fqdn.flags", "Flags", "Who updates the names.").Hex()
	fFQN     = proto.Bool("fqdn.n", "Server DDNS", "The server shall not update names.").Masked(0x08).
			TrueFalse("No server updates", "Some server updates")
	fFQE = proto.Bool("fqdn.e", "Encoding", "The name is in the format of DNS.").Masked(0x04).
		TrueFalse("Binary encoding", "ASCII encoding")
	fFQO = proto.Bool("fqdn.o", "Server overrides", "The server did not follow the client.").Masked(0x02).
		TrueFalse("Override", "No override")
	fFQS = proto.Bool("fqdn.s", "Server", "The server shall update the address record.").Masked(0x01).
		TrueFalse("Server", "Client")
	fFQRes  = proto.Uint8("fqdn.mbz", "Reserved flags", "Always 0.").Hex().Masked(0xf0)
	fFQ1    = proto.Uint8("fqdn.rcode1", "A-RR result", "How the update of the address record went.")
	fFQ2    = proto.Uint8("fqdn.rcode2", "PTR-RR result", "How the update of the pointer record went.")
	fFQName = proto.String("fqdn.name", "Client name", "The client's name.")

	fMajor = proto.Uint8("client_network_id_major", "Major Version", "Version of the network interface.")
	fMinor = proto.Uint8("client_network_id_minor", "Minor Version", "Version of the network interface.")

	fVIPEN   = proto.Uint32("option.vi.enterprise", "Enterprise", "Whose option it is.")
	fVILen   = proto.Uint8("option.vi.length", "Length", "Length of what follows.")
	fVIValue = proto.Bytes("option.vi.value", "Value", "The vendor's value.")
	fVIRaw   = proto.Bytes("option.vi.value", "Value", "The vendor's value, where it has fields of its own.").Hidden()
	fVCPEN   = proto.Uint32("option.vi_class.enterprise", "Enterprise", "Whose class it is.")
	fVCLen   = proto.Uint8("option.vi_class.length", "Length", "Length of what follows.")
	fVCData  = proto.String("option.vi_class.data", "Data", "The class.")
	fSub43   = proto.Uint8("option.vendor.suboption", "Option 43 Suboption", "A vendor's own option.")
	fSubVal  = proto.Bytes("option.vendor.value", "Value", "The vendor's value.")
	fSubRaw  = proto.Bytes("option.vendor.value", "Value", "The vendor's value, where it has fields of its own.").Hidden()
	fSubPart = proto.Bytes("option.vendor.suboption.value", "Suboption Value",
		"The value of a vendor's own option, whose meaning is not known. Wireshark has no name for it.")
	fSubLen = proto.Uint8("option.suboption_length", "Length", "Length of the value.")

	fSIP = proto.Uint8("option.sip_server.encoding", "SIP Server Encoding", "Names or addresses.").
		Named(dissect.Values{0: "Fully Qualified Domain Name", 1: "IPv4 Address"})
	fSIPName = proto.String("option.sip_server.name", "SIP Server Name", "A server for calls.")
	fSIPAddr = proto.IPv4("option.sip_server.address", "SIP Server Address", "A server for calls.")
)

const (
	optPad         = 0
	optVendor      = 43
	optOverload    = 52
	optType        = 53
	optVendorClass = 60
	optEnd         = 255
)

// hand are the options that simple cannot say.
var hand = map[uint64]func(d *dissect.D){
	21: func(d *dissect.D) { pairs(d, fPolicyIP, fPolicyMask) }, 33: func(d *dissect.D) { pairs(d, fRouteIP, fRouteVia) },
	43: vendor, 53: func(d *dissect.D) { d.Kind(fType) },
	55: wanted, 61: clientID, 77: userClass, 81: name, 82: agent, 94: network, 97: uuid, 119: search, 120: sip,
	121: routes, 124: vendorClass, 125: vendorOptions, 249: routes,
}

// options reads options up to the last one and tells whether a message type was among them, and which.
func options(d *dissect.D, needsEnd bool) (message uint64, typed bool) {
	all := d.Data()
	for more := d.Elements(); more.Next(); {
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
			d.Put(fLast, 0, at, 1)
			d.Below(func() { d.Uint(fEnd) })
			return message, typed
		}
		if kind == optType {
			message, typed = uint64(d.Peek(2)), true
		}
		option(d, kind, all)
	}
	if needsEnd && !d.Short() && !d.CutShort() {
		d.Expert(nEnd)
	}
	return message, typed
}

// said is what an option says, where that is one address or the type of the message.
func said(d *dissect.D, kind uint64, n int) string {
	switch kind {
	case optType:
		if name := messages[uint64(d.Peek(2))]; name != "" && n == 1 {
			return " (" + name + ")"
		}
	case 1, 16, 28, 32, 50, 54:
		if n == 4 && d.Left() >= 6 {
			return " (" + netip.AddrFrom4([4]byte(d.Data()[2:6])).String() + ")"
		}
	}
	return ""
}

// option reads one of all options.
func option(d *dissect.D, kind uint64, all []byte) {
	at := d.Pos()
	n := int(d.Peek(1))
	d.Put(fOption, kind, at, min(2+n, d.Left()))
	if d.Labelling() {
		d.Suffix(fOption, said(d, kind, n))
	}
	d.Skip(1)
	d.Below(func() {
		d.Uint(fLength)
		if d.Short() || n == 0 {
			return
		}
		d.Within(n, func() {
			read := hand[kind]
			if kind == optVendor && bootsByPXE(all) {
				read = pxe
			}
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
				d.Expert(nLength)
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
		for more := d.Elements(); d.Left() >= 4 && more.Next(); {
			d.IPv4(f)
		}
	case dissect.TypeInt:
		if d.Left() >= f.Size() {
			d.Int(f)
		}
	default:
		for more := d.Elements(); d.Left() >= f.Size() && more.Next(); {
			d.Uint(f)
		}
	}
}

func pairs(d *dissect.D, a, b *dissect.Field) {
	for more := d.Elements(); d.Left() >= 8 && more.Next(); {
		d.IPv4(a)
		d.IPv4(b)
	}
}

func wanted(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		d.Uint(fRequest)
	}
}
