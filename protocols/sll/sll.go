// Package sll dissects the headers of Linux cooked captures, which stand in for a link layer when a capture has none or
// several ("any"): version 1 (LINKTYPE_LINUX_SLL) and version 2 (LINKTYPE_LINUX_SLL2), www.tcpdump.org/linktypes.
package sll

import "remora/dissect"

var proto = dissect.NewProtocol("sll", "SLL", "The link header of Linux cooked captures.").Called("Linux cooked capture")

var directions = dissect.Values{0: "Unicast to us", 1: "Broadcast", 2: "Multicast", 3: "Unicast to another host", 4: "Sent by us"}

var hardware = dissect.Values{1: "Ethernet", 280: "CAN", 512: "PPP", 768: "IPIP tunnel", 769: "IPv6 tunnel", 772: "Loopback", 776: "6in4 tunnel", 778: "GRE over IP", 801: "802.11", 803: "802.11 with radiotap", 65534: "None"}

var etherTypes = dissect.Values{0x0001: "802.3 (Novell)", 0x0004: "802.2 LLC", 0x0800: "IPv4", 0x0806: "ARP", 0x8100: "802.1Q Virtual LAN", 0x86dd: "IPv6", 0x88cc: "802.1 Link Layer Discovery Protocol (LLDP)"}

var (
	fDirection = proto.Uint16("pkttype", "Packet type", "Where the packet came from or went.").Named(directions)
	fPktType   = proto.Uint8("pkttype", "Packet type", "Where the packet came from or went.").Named(directions)
	fHardware  = proto.Uint16("hatype", "Link-layer address type", "Sort of the interface (ARPHRD_).").Named(hardware)
	fHalen     = proto.Uint16("halen", "Link-layer address length", "Bytes of the address that count.")
	fHalen8    = proto.Uint8("halen", "Link-layer address length", "Bytes of the address that count.")
	fEth       = proto.Ether("src.eth", "Source", "Ethernet address of the sender.")
	fIPv4      = proto.IPv4("src.ipv4", "Source", "IPv4 address of the tunnel's sender.")
	fOther     = proto.Bytes("src.other", "Source", "Address of another sort.")
	fUnused    = proto.Bytes("unused", "Unused", "Rest of the address field.")
	fType      = proto.Uint16("etype", "Protocol", "What the payload is (EtherType).").Hex().Named(etherTypes)
	fReserved  = proto.Uint16("reserved", "Reserved", "Must be zero.").Hex()
	fIndex     = proto.Uint32("ifindex", "Interface index", "Number of the interface on the capturing machine.")
)

// Plugin attaches both versions to their link types.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: cooked, On: []dissect.Key{{Table: dissect.TableLink, Value: 113}, {Table: dissect.TableLink, Value: 276}}}
}

func cooked(d *dissect.D) {
	if d.Key() == 276 {
		version2(d)
		return
	}
	d.Uint(fDirection)
	hw := d.Uint(fHardware)
	n := d.Uint(fHalen)
	address(d, hw, n)
	next(d, d.Uint(fType))
}

func version2(d *dissect.D) {
	kind := d.Uint(fType)
	d.Uint(fReserved)
	d.Uint(fIndex)
	hw := d.Uint(fHardware)
	d.Uint(fPktType)
	n := d.Uint(fHalen8)
	address(d, hw, n)
	next(d, kind)
}

// address reads the eight bytes that hold the sender's address and as many bytes of anything as are left.
func address(d *dissect.D, hw, n uint64) {
	n = min(n, 8)
	switch {
	case n == 6:
		d.Between(d.Ether(fEth), dissect.Addr{})
	case n == 4 && (hw == 768 || hw == 778):
		d.IPv4(fIPv4)
	case n > 0:
		d.Bytes(fOther, int(n))
	}
	if n < 8 {
		d.Bytes(fUnused, int(8-n))
	}
}

func next(d *dissect.D, kind uint64) {
	switch kind {
	case 4:
		d.Next(dissect.TableLLC, 0)
	default:
		d.Next(dissect.TableEther, uint32(kind))
	}
}
