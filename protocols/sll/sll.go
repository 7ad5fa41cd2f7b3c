// Package sll dissects the headers of Linux cooked captures, which stand in for a link layer when a capture has none or
// several ("any"): version 1 (LINKTYPE_LINUX_SLL) and version 2 (LINKTYPE_LINUX_SLL2), www.tcpdump.org/linktypes.
package sll

import "remora/dissect"

// tableLinkType is empty: what has no EtherType is data.
const tableLinkType dissect.Table = "sll.ltype"

var proto = dissect.NewProtocol("sll", "SLL", "The link header of Linux cooked captures.").
	Traits(dissect.HandsOn | dissect.Underlies).Summary("Linux cooked capture")

var directions = dissect.Values{0: "Unicast to us", 1: "Broadcast", 2: "Multicast", 3: "Unicast to another host",
	4: "Sent by us"}

// hardware are the sorts of interfaces (ARPHRD_ in linux/if_arp.h).
var hardware = dissect.Values{1: "Ethernet", 3: "AX.25", 6: "IEEE 802", 7: "ARCNET", 15: "Frame Relay DLCI",
	19: "ATM (RFC 2225)", 24: "IEEE 1394.1995", 27: "EUI-64", 32: "InfiniBand", 280: "Controller Area Network", 512: "PPP",
	513: "Cisco HDLC", 516: "LAPB", 519: "Raw IP",
	768: "IPIP tunnel", 769: "IP6IP6 tunnel", 770: "Frame Relay Access Device", 772: "Loopback",
	774: "Fiber Distributed Data Interface", 776: "sit0 device - IPv6-in-IPv4", 777: "IP over DDP tunneller",
	hwGRE: "GRE over IP", 783: "Linux-IrDA",
	801: "IEEE 802.11", 802: "IEEE 802.11 + Prism2 header", 803: "IEEE 802.11 + radiotap header", 804: "IEEE 802.15.4",
	820: "PhoNet media type", 822: "CAIF media type", 823: "GRE over IPv6", 824: "Netlink", 825: "IPv6 over LoWPAN",
	826:   "Vsock monitor header",
	65534: "zero header length", 65535: "Void type, nothing is known"}

var etherTypes = dissect.Values{0x0800: "IPv4", 0x0806: "ARP", 0x8035: "RARP", 0x8100: "802.1Q Virtual LAN",
	0x86dd: "IPv6", 0x8863: "PPPoE Discovery", 0x8864: "PPPoE Session", 0x888e: "802.1X Authentication",
	0x88a8: "802.1ad Provider Bridge (Q-in-Q)",
	0x88b5: "Local Experimental Ethertype 1", 0x88b6: "Local Experimental Ethertype 2",
	0x88cc: "802.1 Link Layer Discovery Protocol (LLDP)"}

// linuxTypes are what stands in place of an EtherType for payloads that have none (ETH_P_ in linux/if_ether.h).
var linuxTypes = dissect.Values{0x01: "Raw 802.3", 0x03: "Ethernet", 0x04: "802.2 LLC", 0x07: "PPP (HDLC)", 0x0c: "CAN",
	0x0d: "CAN FD", 0x17: "IrDA LAP", 0xf5: "ISI", 0xf6: "IEEE 802.15.4"}

// What the dissection depends on: the link type of version 2, GRE tunnels, and the least EtherType.
const (
	linkVersion2 = 276
	hwGRE        = 778
	minType      = 1536
)

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
	fLinux     = proto.Uint16("ltype", "Protocol", "What the payload is, where it has no EtherType (ETH_P_).").Hex().
			Named(linuxTypes)
	fTunnel = proto.Uint16("gretype", "Protocol", "What the payload of a GRE tunnel is.").Hex().
		Named(dissect.Values{0x0800: "IP", 0x86dd: "IPv6", 0x6558: "Transparent Ethernet bridging"})
	fReserved = proto.Uint16("reserved", "Reserved", "Must be zero. Wireshark has no name for it.").Hex()
	fIndex    = proto.Uint32("ifindex", "Interface index", "Number of the interface on the capturing machine.")
	fTrailer  = proto.Bytes("trailer", "Trailer", "Bytes behind the payload.").Late()
)

// Plugin attaches both versions to their link types.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: cooked,
		On: []dissect.Key{{Table: dissect.TableLink, Value: 113}, {Table: dissect.TableLink, Value: linkVersion2}}}
}

func cooked(d *dissect.D) {
	if d.Inner().Key() == linkVersion2 {
		version2(d)
		return
	}
	d.Suffix(proto.Self(), " v1")
	direction := d.Uint(fDirection)
	hw := d.Uint(fHardware)
	address(d, d.Uint(fHalen))
	kind := d.PeekUint(0, 2)
	info(d, direction, kind)
	protocol(d, hw, kind)
	next(d, hw, kind)
}

func version2(d *dissect.D) {
	d.Suffix(proto.Self(), " v2")
	kind, hw := d.PeekUint(0, 2), d.PeekUint(8, 2)
	protocol(d, hw, kind)
	d.Uint(fReserved)
	d.Uint(fIndex)
	d.Uint(fHardware)
	info(d, d.Uint(fPktType), kind)
	address(d, d.Uint(fHalen8))
	next(d, hw, kind)
}

// info is for packets whose payload nobody dissects.
func info(d *dissect.D, direction, kind uint64) {
	if !d.Info().Wanted() || d.Short() {
		return
	}
	if name := etherTypes[kind]; name != "" {
		d.Info().Setf("%s", name)
	} else if name := directions[direction]; name != "" {
		d.Info().Setf("%s", name)
	} else {
		d.Info().Setf("Unknown (%d)", direction)
	}
}

// protocol reads what the payload is, under the name of the sort of number it is.
func protocol(d *dissect.D, hw, kind uint64) {
	switch {
	case hw == hwGRE:
		d.Uint(fTunnel)
	case kind < minType:
		d.Uint(fLinux)
	default:
		d.Uint(fType)
	}
}

// address reads the eight bytes that hold the sender's address and as many bytes of anything as are left.
func address(d *dissect.D, n uint64) {
	n = min(n, 8)
	switch {
	case n == 6:
		d.Ends().Set(d.Ether(fEth), dissect.Addr{})
	case n == 4:
		d.IPv4(fIPv4)
	case n > 0:
		d.Bytes(fOther, int(n))
	}
	if n < 8 {
		d.Bytes(fUnused, int(8-n))
	}
}

func next(d *dissect.D, hw, kind uint64) {
	if d.Short() {
		return
	}
	d.Behind(-1, func() {
		switch {
		case kind == 3:
			d.Next(dissect.TableLink, 1)
		case kind == 4:
			d.Next(dissect.TableLLC, 0)
		case kind < minType && hw != hwGRE:
			d.Next(tableLinkType, uint32(kind))
		default:
			d.Next(dissect.TableEther, uint32(kind))
		}
	}, func() { d.Rest(fTrailer) })
}
