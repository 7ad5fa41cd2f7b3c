// Package cdp dissects the Cisco Discovery Protocol, versions 1 and 2, as Cisco's documents and other programs describe
// it.
package cdp

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("cdp", "CDP",
	"Cisco Discovery Protocol: Cisco's devices tell their neighbours who they are.").
	Summary("Cisco Discovery Protocol").Color(dissect.HueYellow)

var tlvs = dissect.Values{1: "Device ID", 2: "Addresses", 3: "Port ID", 4: "Capabilities", 5: "Software version",
	6: "Platform", 7: "IP Prefix/Gateway (used for ODR)", 8: "Protocol Hello", 9: "VTP Management Domain",
	10: "Native VLAN", 11: "Duplex",
	14: "VoIP VLAN Reply", 15: "VoIP VLAN Query", 16: "Power consumption", 17: "MTU", 18: "Trust Bitmap",
	19: "Untrusted Port CoS", 20: "System Name", 21: "System Object ID", 22: "Management Address", 23: "Location",
	24: "External Port-ID", 25: "Power Requested", 26: "Power Available", 27: "Unidirectional Mode", 29: "EnergyWise",
	31: "Spare PoE"}

var (
	fVersion = proto.Uint8("version", "Version", "1 or 2.")
	fTTL     = proto.Uint8("ttl", "TTL", "How long what is told holds.").In("seconds")
	fSum     = proto.Uint16("checksum", "Checksum", "Checksum over the message.").Hex()
	fTLV     = proto.Group("tlv", "TLV", "One piece of information.").Summary("{tlv.type:name}")
	fType    = proto.Uint16("tlv.type", "Type", "What the piece says.").Hex().Named(tlvs)
	fLen     = proto.Uint16("tlv.len", "Length", "Length of the piece with its header in bytes.")
	fDevice  = proto.String("deviceid", "Device ID", "Name of the device.")
	fPort    = proto.String("portid", "Sent through Interface", "Name of the sending port.")
	fSoft    = proto.String("software_version", "Software version", "What the device runs.")
	fPlat    = proto.String("platform", "Platform", "What the device is.")
	fDomain  = proto.String("vtp_management_domain", "VTP Management Domain", "Domain in which VLANs are managed.")
	fVLAN    = proto.Uint16("native_vlan", "Native VLAN", "VLAN of frames without a tag.")
	fDuplex  = proto.Bool("duplex", "Duplex", "Both ends may send at once.").TrueFalse("Full", "Half")
	fCaps    = proto.Flags32("capabilities", "Capabilities", capabilities, "What the device is.")
	fCount   = proto.Uint32("number_of_addresses", "Number of addresses", "Number of addresses.")
	fPrType  = proto.Uint8("protocol_type", "Protocol type", "How the address' protocol is named.").Hex().
			Named(dissect.Values{1: "NLPID", 2: "802.2"})
	fPrLen   = proto.Uint8("protocol_length", "Protocol length", "Length of its name in bytes.")
	fProto   = proto.Bytes("protocol", "Protocol", "The address' protocol.")
	fAddrLen = proto.Uint16("address_length", "Address length", "Length of the address in bytes.")
	fIPv4    = proto.IPv4("nrgyz.ip_address", "IP Address", "The address.")
	fIPv6    = proto.IPv6("nrgyz.ipv6_address", "IP Address", "The address.")
	fAddr    = proto.Bytes("address", "Address", "An address of another sort.")
	fPower   = proto.Uint16("power_consumption", "Power Consumption", "Power that the device takes in milliwatts.").
			In("mW")
	fMTU     = proto.Uint32("mtu", "MTU", "Longest packet in bytes.")
	fTrust   = proto.Uint8("trust_bitmap", "Trust Bitmap", "Whose priorities are trusted.").Hex()
	fCoS     = proto.Uint8("untrusted_port_cos", "Untrusted port CoS", "Priority given to others.").Hex()
	fName    = proto.String("system_name", "System Name", "Name of the system.")
	fPlace   = proto.Uint8("location.unknown", "UNKNOWN", "Of no known meaning.").Hex().Unknown()
	fLoc     = proto.String("location", "Location", "Where the device stands.")
	fReqID   = proto.Uint16("request_id", "Request-ID", "Number of the request for power.")
	fMgmtID  = proto.Uint16("management_id", "Management-ID", "Number of the power's management.")
	fAvail   = proto.Uint32("power_available", "Power Available", "Power on offer in milliwatts.").In("mW")
	fWant    = proto.Uint32("power_requested", "Power Requested", "Power asked for in milliwatts.").In("mW")
	fGateway = proto.IPv4("odr_default_gateway", "ODR Default gateway", "The gateway.")
	fVData   = proto.Bytes("data", "Data", "Of no known meaning here.")
	fHello   = proto.Bytes("hello.unknown", "Unknown", "A message of another protocol's. Wireshark takes it to pieces.")
	fVoice   = proto.Uint16("voice_vlan", "Voice VLAN", "VLAN of telephones.")

	nLen = proto.Expert("tlv.len.invalid", dissect.Warn, "TLV with invalid length")
)

var capabilities = []dissect.Flag{{Name: "router", Label: "Router", Mask: 0x01, Doc: "A router."},
	{Name: "trans_bridge", Label: "Transparent Bridge", Mask: 0x02, Doc: "A bridge."},
	{Name: "src_bridge", Label: "Source Route Bridge", Mask: 0x04, Doc: "A bridge of token rings."},
	{Name: "switch", Label: "Switch", Mask: 0x08, Doc: "A switch."},
	{Name: "host", Label: "Host", Mask: 0x10, Doc: "A host."},
	{Name: "igmp_capable", Label: "IGMP capable", Mask: 0x20, Doc: "It listens to IGMP."},
	{Name: "repeater", Label: "Repeater", Mask: 0x40, Doc: "A repeater."},
	{Name: "voip_phone", Label: "VoIP Phone", Mask: 0x80, Doc: "A telephone."},
	{Name: "remote", Label: "Remotely Managed Device", Mask: 0x100, Doc: "It is managed from elsewhere."},
	{Name: "cvta", Label: "CVTA/STP Dispute Resolution/Cisco VT Camera", Mask: 0x200, Doc: "A camera or the like."},
	{Name: "mac_relay", Label: "Two Port Mac Relay", Mask: 0x400, Doc: "It relays between two ports."}}

// Plugin attaches CDP to Cisco's number for it.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: tables.LLCCisco, Value: 0x2000}}}
}

func packet(d *dissect.D) {
	d.Uint(fVersion)
	d.Uint(fTTL)
	d.Uint(fSum)
	for more := d.Elements(); more.Next(); {
		n := int(d.PeekUint(2, 2))
		if n < 4 {
			d.Uint(fType)
			d.Uint(fLen)
			d.Expert(nLen)
			d.Rest(fVData)
			return
		}
		d.In(fTLV, func() { piece(d, n-4) })
	}
}

// texts are the pieces that hold nothing but a text.
func text(kind uint64) *dissect.Field {
	switch kind {
	case 1:
		return fDevice
	case 3:
		return fPort
	case 5:
		return fSoft
	case 6:
		return fPlat
	case 9:
		return fDomain
	case 20:
		return fName
	}
	return nil
}

func piece(d *dissect.D, n int) {
	kind := d.Uint(fType)
	d.Uint(fLen)
	d.Within(n, func() {
		if f := text(kind); f != nil {
			d.Rest(f)
			switch kind {
			case 1:
				d.Info().Set("Device ID: {deviceid}  ")
			case 3:
				d.Info().Set("Port ID: {portid}  ")
			}
			return
		}
		number(d, kind)
		d.Rest(fVData)
	})
}

func number(d *dissect.D, kind uint64) {
	switch kind {
	case 2, 22:
		addresses(d)
	case 4:
		d.Uint(fCaps)
	case 7:
		if d.Left() == 4 {
			d.IPv4(fGateway)
		}
	case 8:
		d.Rest(fHello)
	case 10:
		d.Uint(fVLAN)
	case 11:
		d.Bool(fDuplex)
	case 14, 15:
		d.Bytes(fVData, 1)
		if d.More() {
			d.Uint(fVoice)
		}
	case 16:
		d.Uint(fPower)
	case 17:
		d.Uint(fMTU)
	case 18:
		d.Uint(fTrust)
	case 19:
		d.Uint(fCoS)
	case 23:
		d.Uint(fPlace)
		d.Rest(fLoc)
	case 25, 26:
		power(d, kind)
	}
}

func addresses(d *dissect.D) {
	for n, more := d.Uint(fCount), d.Elements(); n > 0 && more.Next(); n-- {
		d.Uint(fPrType)
		d.Counted(fPrLen, fProto)
		switch size := int(d.Uint(fAddrLen)); size {
		case 4:
			d.IPv4(fIPv4)
		case 16:
			d.IPv6(fIPv6)
		case 0:
		default:
			d.Bytes(fAddr, size)
		}
	}
}

func power(d *dissect.D, kind uint64) {
	d.Uint(fReqID)
	d.Uint(fMgmtID)
	f := fAvail
	if kind == 25 {
		f = fWant
	}
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		d.Uint(f)
	}
}
