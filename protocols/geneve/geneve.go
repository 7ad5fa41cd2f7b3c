// Package geneve dissects Generic Network Virtualization Encapsulation (RFC 8926).
package geneve

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var proto = dissect.NewProtocol("geneve", "Geneve",
	"Generic Network Virtualization Encapsulation: frames in datagrams, with options.").
	Summary("Generic Network Virtualization Encapsulation, VNI: 0x{vni:hex}").Color(dissect.HueBlue)

var protocols = dissect.Values{0x0800: "IPv4", 0x0806: "ARP", 0x6558: "Transparent Ethernet bridging", 0x86dd: "IPv6",
	0x8847: "MPLS label switched packet", 0x894f: "Network Service Header"}

// classes are those that own options (IANA, NVO3 registry).
var classes = []struct {
	low, high uint64
	name      string
}{{0x0000, 0x00ff, "Standard"}, {0x0100, 0x0100, "Linux"}, {0x0101, 0x0101, "Open vSwitch"},
	{0x0102, 0x0102, "Open Virtual Networking (OVN)"}, {0x0103, 0x0103, "In-band Network Telemetry (INT)"},
	{0x0104, 0x0104, "VMware"},
	{0x0105, 0x0105, "Amazon.com, Inc."}, {0x0106, 0x0106, "Cisco Systems, Inc."}, {0x0107, 0x0107, "Oracle Corporation"},
	{0x0108, 0x0110, "Amazon.com, Inc."}, {0x0111, 0x0118, "IBM"}, {0x0119, 0x0128, "Ericsson"},
	{0x0129, 0x0129, "Oxide Computer Company"}, {0x0130, 0x0131, "Cisco Systems, Inc."}, {0x0132, 0x0135, "Google LLC"},
	{0x0136, 0x0136, "InfoQuick Global Connection Tech Ltd."}, {0xfff0, 0xffff, "Experimental"}}

var (
	fVersion = proto.Uint8("version", "Version", "Always 0.").Masked(0xc0)
	fLength  = proto.Uint8("option.length", "Length", "Length of all options in bytes.").Masked(0x3f).Times(4).In("bytes")
	fFlags   = proto.Uint8("flags", "Flags", "Sort of packet.").Hex()
	fOAM     = flag("flags.oam", "Operations, Administration and Management Frame", 0x80,
		"The packet is for the tunnel's end itself.")
	fCritical = flag("flags.critical", "Critical Options Present", 0x40, "An option must be understood.")
	fReserved = flag("flags.reserved", "Reserved", 0x3f, "Zero.")
	fProto    = proto.Uint16("proto_type", "Protocol Type", "What the payload is (EtherType).").Hex().Named(protocols)
	fVNI      = proto.Uint24("vni", "Virtual Network Identifier (VNI)", "Number of the virtual network.").HexFirst()
	fZero     = proto.Uint8("reserved", "Reserved", "Zero.").Hex()
	fOptions  = proto.Group("options", "Geneve Options", "What the tunnel's ends tell one another.").Summary("")
	fOption   = proto.Group("option", "Option", "One option.")
	fClass    = proto.Uint16("option.class", "Class", "Who defines the option.").Hex().Format(class)
	fType     = proto.Uint8("option.type", "Type", "Which of the class's options.").Hex()
	fTypeCrit = flag("option.type.critical", "Critical Option", 0x80, "The option must be understood.").Hidden()
	fOptRes   = proto.Bool("option.flags.reserved", "Reserved", "Zero.").Masked(0xe0).Hidden()
	fOptLen   = proto.Uint8("option.length", "Length", "Length of the option in bytes, with its header.").In("bytes")
	fData     = proto.Bytes("option.unknown.data", "Unknown Option Data", "Value of the option.")

	fBroken = proto.Bytes("option.broken", "Broken option",
		"An option that is longer than the rest of them. Wireshark has no name for it.")

	nVersion = proto.Expert("version.unknown", dissect.Warn, "Unknown version")
	nLength  = proto.Expert("option.length.invalid", dissect.Warn, "Invalid length for option")
)

func flag(name, label string, mask uint64, doc string) *dissect.Field {
	return proto.Bool(name, label, doc).Masked(mask).TrueFalse("True", "False")
}

// Plugin attaches Geneve to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: []uint16{6081}, Fits: fits}
}

// fits tells whether a header can be one of Geneve: of its version, with zero where nothing is defined, and options
// that end within the packet (RFC 8926 section 3.4).
func fits(d *dissect.D) bool {
	n := 8 + int(d.Peek(0)&0x3f)*4
	return d.Peek(0)>>6 == 0 && d.Peek(1)&0x3f == 0 && d.Peek(7) == 0 && (n <= d.Left() || d.CutShort())
}

// optionHeader is the length of an option's own header.
const optionHeader = 4

func packet(d *dissect.D) {
	first := d.Bits(fVersion, fLength)
	if first>>6 != 0 {
		d.ExpertText(nVersion, fmt.Sprintf("Unknown version %d", first>>6))
	}
	at := d.Pos()
	v := d.Uint(fFlags)
	if !d.Short() {
		if d.Labelling() {
			d.Suffix(fFlags, flagText(v))
		}
		d.Below(func() {
			for _, f := range [...]*dissect.Field{fOAM, fCritical, fReserved} {
				d.Put(f, v, at, 1)
			}
		})
	}
	kind := d.Uint(fProto)
	d.Uint(fVNI)
	if d.Short() {
		return
	}
	if v&0x80 != 0 {
		d.Suffix(proto.Self(), ", OAM")
	}
	d.Uint(fZero)
	d.Info().Set("Encapsulated {proto_type:name}")
	if n := int(first&0x3f) * 4; n > 0 {
		d.In(fOptions, func() { d.Within(n, func() { options(d) }) })
	}
	if kind == 0x6558 {
		d.Next(dissect.TableLink, 1)
	} else {
		d.Next(dissect.TableEther, uint32(kind))
	}
}

func options(d *dissect.D) {
	for more := d.Elements(); d.Left() >= optionHeader && more.Next(); {
		n := int(d.Peek(3)&0x1f)*4 + optionHeader
		if n > d.Left() {
			d.ExpertText(nLength, fmt.Sprintf("Option with a length of %d is past end of options", n))
			d.Bytes(fBroken, d.Left())
			return
		}
		d.In(fOption, func() { option(d, n) })
	}
}

func option(d *dissect.D, n int) {
	d.Uint(fClass)
	at := d.Pos()
	v := d.Uint(fType)
	word := " (Non-critical)"
	if v&0x80 != 0 {
		word = " (Critical)"
	}
	d.Suffix(fType, word)
	d.Put(fTypeCrit, v, at, 1)
	last, at := d.PeekUint(0, 1), d.Pos()
	d.Skip(1)
	if d.Short() {
		return
	}
	d.Put(fOptRes, last, at, 1)
	d.Put(fOptLen, uint64(n), at, 1)
	if n > optionHeader {
		d.Bytes(fData, n-optionHeader)
	}
}

func class(v uint64) string {
	for _, c := range classes {
		if v >= c.low && v <= c.high {
			return fmt.Sprintf("%s (0x%04x)", c.name, v)
		}
	}
	return fmt.Sprintf("Unknown (0x%04x)", v)
}

func flagText(v uint64) string {
	var b strings.Builder
	for _, f := range [...]*dissect.Field{fOAM, fCritical} {
		if v&f.Mask() != 0 {
			b.WriteString(", " + f.Label())
		}
	}
	return b.String()
}
