// Package lldp dissects the Link Layer Discovery Protocol (IEEE 802.1AB-2016): stations tell their neighbours who they
// are.
package lldp

import (
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("lldp", "LLDP",
	"Link Layer Discovery Protocol: stations tell their neighbours who they are.").
	Summary("Link Layer Discovery Protocol").Color(dissect.HueYellow)

var tlvs = dissect.Values{0: "End of LLDPDU", 1: "Chassis Id", 2: "Port Id", 3: "Time to Live", 4: "Port Description",
	5: "System Name", 6: "System Description", 7: "System Capabilities", 8: "Management Address",
	127: "Organization Specific"}

var (
	chassisTypes = dissect.Values{0: "Reserved", 1: "Chassis component", 2: "Interface alias", 3: "Port component",
		4: "MAC address", 5: "Network address", 6: "Interface name", 7: "Locally assigned"}
	portTypes = dissect.Values{0: "Reserved", 1: "Interface alias", 2: "Port component", 3: "MAC address",
		4: "Network address", 5: "Interface name", 6: "Agent circuit Id", 7: "Locally assigned"}
	families = dissect.Values{0: "Reserved", 1: "IPv4", 2: "IPv6"}
	owners   = map[uint64]string{0x0080c2: "IEEE", 0x00120f: "Ieee 802.3",
		0x0012bb: "Telecommunications Industry Association TR-41 Committee"}
)

var (
	fTLV     = proto.Group("tlv", "TLV", "One piece of information.").Summary("{tlv.type:name}")
	fType    = proto.Uint16("tlv.type", "TLV Type", "What the piece says.").Masked(0xfe00).Named(tlvs)
	fLen     = proto.Uint16("tlv.len", "TLV Length", "Length of the piece in bytes.").Masked(0x01ff)
	fChType  = proto.Uint8("chassis.subtype", "Chassis Id Subtype", "Sort of the station's name.").Named(chassisTypes)
	fChID    = proto.Bytes("chassis.id", "Chassis Id", "The station's name.")
	fChMAC   = proto.Ether("chassis.id.mac", "Chassis Id", "The station's name: an address.")
	fCh4     = proto.IPv4("chassis.id.ip4", "Chassis Id", "The station's name: an address.")
	fCh6     = proto.IPv6("chassis.id.ip6", "Chassis Id", "The station's name: an address.")
	fPoType  = proto.Uint8("port.subtype", "Port Id Subtype", "Sort of the port's name.").Named(portTypes)
	fPoID    = proto.String("port.id", "Port Id", "The port's name.")
	fPoMAC   = proto.Ether("port.id.mac", "Port Id", "The port's name: an address.")
	fPo4     = proto.IPv4("port.id.ip4", "Port Id", "The port's name: an address.")
	fPo6     = proto.IPv6("port.id.ip6", "Port Id", "The port's name: an address.")
	fNet     = proto.Uint8("network_address.subtype", "Network Address family", "Sort of address (IANA).").Named(families)
	fTTL     = proto.Uint16("time_to_live", "Seconds", "How long what is told holds; 0: no more.")
	fPoDesc  = proto.String("port.desc", "Port Description", "The port in words.")
	fName    = proto.String("tlv.system.name", "System Name", "Name of the station.")
	fDesc    = proto.String("tlv.system.desc", "System Description", "The station in words.")
	fCaps    = proto.Flags16("tlv.system_cap", "Capabilities", capabilities, "What the station can be.")
	fEnabled = proto.Flags16("tlv.enable_system_cap", "Enabled Capabilities", capabilities, "What the station is.")
	fMgnLen  = proto.Uint8("mgn.address.len", "Address String Length", "Length of the address with its sort.")
	fMgnType = proto.Uint8("mgn.address.subtype", "Address Subtype", "Sort of the address.").
			Named(dissect.Values{0: "Reserved", 1: "IPv4", 2: "IPv6",
			6: "802 (includes all 802 media plus Ethernet \"canonical format\")"})
	fMgn4   = proto.IPv4("mgn.addr.ip4", "Management Address", "Where the station can be managed.")
	fMgn6   = proto.IPv6("mgn.addr.ip6", "Management Address", "Where the station can be managed.")
	fMgnHex = proto.Bytes("mgn.addr.hex", "Management Address", "Where the station can be managed.")
	fIfType = proto.Uint8("mgn.interface.subtype", "Interface Subtype", "How interfaces are numbered.").
		Named(dissect.Values{1: "Unknown", 2: "ifIndex", 3: "System port number"})
	fIf     = proto.Uint32("mgn.interface.number", "Interface Number", "Number of the interface.")
	fOIDLen = proto.Uint8("mgn.obj.len", "OID String Length", "Length of the object's identifier in bytes.")
	fOID    = proto.Bytes("mgn.obj.oid", "Object Identifier",
		"What is managed, as the bytes of an ASN.1 identifier. Wireshark decodes it in lldp.mgn.obj.id.")
	fOUI   = proto.Uint24("orgtlv.oui", "Organization Unique Code", "Who defined the piece.").Format(owner)
	fValue = proto.Bytes("tlv.value", "Value", "A piece of another sort. Wireshark has no common name for it.")
	fTail  = proto.Bytes("trailer", "Trailing data", "Bytes behind the last piece. Wireshark has no name for them.")

	nOrder = proto.Expert("error", dissect.Warn, "Invalid order of pieces")
)

var capabilities = []dissect.Flag{{Name: "other", Label: "Other", Mask: 0x01, Doc: "Something else."},
	{Name: "repeater", Label: "Repeater", Mask: 0x02, Doc: "A repeater."},
	{Name: "bridge", Label: "Bridge", Mask: 0x04, Doc: "A bridge."},
	{Name: "wlan_access_pt", Label: "WLAN access point", Mask: 0x08, Doc: "A wireless access point."},
	{Name: "router", Label: "Router", Mask: 0x10, Doc: "A router."},
	{Name: "telephone", Label: "Telephone", Mask: 0x20, Doc: "A telephone."},
	{Name: "docsis_cable_device", Label: "DOCSIS cable device", Mask: 0x40, Doc: "A cable modem."},
	{Name: "station_only", Label: "Station only", Mask: 0x80, Doc: "A station and nothing else."}}

// Plugin attaches LLDP to its EtherType.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: dissect.TableEther, Value: 0x88cc}}}
}

const (
	tlvEnd = iota
	tlvChassis
	tlvPort
	tlvTTL
	tlvPortDesc
	tlvName
	tlvDesc
	tlvCaps
	tlvManage
	tlvOrg = 127
)

func packet(d *dissect.D) {
	if i := orderly(d); i > 0 {
		disordered(d, i)
		return
	}
	for more := d.Elements(); more.Next(); {
		kind := int(d.PeekUint(0, 2) >> 9)
		d.In(fTLV, func() { piece(d, kind) })
		if kind == tlvEnd {
			break
		}
	}
	d.Limit(0)
}

// orderly is the place of the first piece that is not where it must be: chassis, port and lifetime come first (IEEE
// 802.1AB section 8.2). It is 0 when all is well, or when the packet ends before.
func orderly(d *dissect.D) int {
	at := 0
	for i := tlvChassis; i <= tlvTTL; i++ {
		v := int(d.PeekUint(at, 2))
		if at+2 <= d.Left() && v>>9 != i {
			return i
		}
		at += 2 + v&0x1ff
	}
	return 0
}

func disordered(d *dissect.D, i int) {
	word := [...]string{"", "Invalid Chassis ID TLV", "Invalid Port ID TLV", "Invalid Time-to-Live TLV"}[i]
	d.ExpertText(nOrder, word)
	if d.Info().Wanted() {
		d.Info().Setf("%s", word)
	}
	d.Rest(fTail)
}

func piece(d *dissect.D, kind int) {
	n := int(d.Bits(fType, fLen) & 0x1ff)
	d.Within(n, func() {
		switch kind {
		case tlvChassis:
			chassis(d)
		case tlvPort:
			port(d)
		case tlvTTL:
			d.Uint(fTTL)
			d.Info().Set("{time_to_live:raw}")
		case tlvPortDesc:
			d.Rest(fPoDesc)
		case tlvName:
			if d.More() {
				d.Rest(fName)
				d.Info().Set("SysN={tlv.system.name}")
			}
		case tlvDesc:
			if d.More() {
				d.Rest(fDesc)
				d.Info().Set("SysD={tlv.system.desc}")
			}
		case tlvCaps:
			d.Uint(fCaps)
			d.Uint(fEnabled)
		case tlvManage:
			managementAddress(d)
		case tlvOrg:
			organization(d)
		}
		d.Rest(fValue)
	})
}

func chassis(d *dissect.D) {
	switch kind := d.Uint(fChType); {
	case kind == 4 && d.Left() == 6:
		d.Ether(fChMAC)
		d.Info().Set("MA/{chassis.id.mac}")
	case kind == 5:
		network(d, fCh4, fCh6, fChID)
	default:
		setTextInfo(d, [8]string{"RS", "CC", "IA", "PC", "MA", "NA", "IN", "LA"}, kind, d.Rest(fChID))
	}
}

func port(d *dissect.D) {
	switch kind := d.Uint(fPoType); {
	case kind == 3 && d.Left() == 6:
		d.Ether(fPoMAC)
		d.Info().Set("MA/{port.id.mac}")
	case kind == 4:
		network(d, fPo4, fPo6, fPoID)
	default:
		setTextInfo(d, [8]string{"RS", "IA", "PC", "MA", "NA", "IN", "AC", "LA"}, kind, d.Rest(fPoID))
	}
}

// network reads an address behind the sort of it.
func network(d *dissect.D, four, six, other *dissect.Field) {
	switch family := d.Uint(fNet); {
	case family == 1 && d.Left() == 4:
		a := d.IPv4(four)
		setAddressInfo(d, a.String())
	case family == 2 && d.Left() == 16:
		a := d.IPv6(six)
		setAddressInfo(d, a.String())
	default:
		setAddressInfo(d, fmt.Sprintf("%x", d.Rest(other)))
	}
}

func setAddressInfo(d *dissect.D, address string) {
	if d.Info().Wanted() {
		d.Info().Setf("NA/%s", address)
	}
}

func setTextInfo(d *dissect.D, words [8]string, kind uint64, text []byte) {
	if d.Info().Wanted() && !d.Short() {
		d.Info().Setf("%s/%s", words[min(kind, 7)], dissect.Escape(string(text)))
	}
}

// managementAddress is an address for management (IEEE 802.1AB section 8.5.9).
func managementAddress(d *dissect.D) {
	n := int(d.Uint(fMgnLen))
	d.Within(n, func() {
		switch kind := d.Uint(fMgnType); {
		case kind == 1 && d.Left() == 4:
			d.IPv4(fMgn4)
		case kind == 2 && d.Left() == 16:
			d.IPv6(fMgn6)
		default:
			d.Rest(fMgnHex)
		}
	})
	d.Uint(fIfType)
	d.Uint(fIf)
	if n := int(d.Uint(fOIDLen)); n > 0 {
		d.Bytes(fOID, n)
	}
}

func owner(v uint64) string {
	text := fmt.Sprintf("%02x:%02x:%02x", v>>16&0xff, v>>8&0xff, v&0xff)
	if name := owners[v]; name != "" {
		text += " (" + name + ")"
	}
	return text
}
