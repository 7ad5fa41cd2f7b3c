package frame

import "remora/dissect"

// unknownLink is Wireshark's number for link types that it does not know.
const unknownLink = 0

// encap is Wireshark's number and name of a LINKTYPE_ value.
type encap struct {
	number uint64
	name   string
}

// encaps are Wireshark's numbers (WTAP_ENCAP_, its own counting) of the link types of www.tcpdump.org/linktypes.html
// that captures are commonly of.
var encaps = map[int]encap{
	0:   {15, "NULL/Loopback"},
	1:   {1, "Ethernet"},
	3:   {148, "Amateur Radio AX.25"},
	6:   {2, "Token Ring"},
	7:   {8, "ARCNET"},
	8:   {3, "SLIP"},
	9:   {4, "PPP"},
	10:  {6, "FDDI with bit-swapped MAC addresses"},
	12:  {7, "Raw IP"},
	14:  {7, "Raw IP"},
	50:  {4, "PPP"},
	51:  {139, "PPP-over-Ethernet session"},
	100: {10, "RFC 1483 ATM"},
	101: {7, "Raw IP"},
	104: {28, "Cisco HDLC"},
	105: {20, "IEEE 802.11 Wireless LAN"},
	107: {26, "Frame Relay"},
	108: {174, "OpenBSD loopback"},
	109: {38, "OpenBSD enc(4) encapsulating interface"},
	113: {25, "Linux cooked-mode capture v1"},
	114: {30, "Localtalk"},
	117: {39, "OpenBSD PF Firewall logs"},
	119: {21, "IEEE 802.11 plus Prism II monitor mode radio header"},
	122: {18, "RFC 2625 IP-over-Fibre Channel"},
	127: {23, "IEEE 802.11 plus radiotap radio header"},
	129: {9, "Linux ARCNET"},
	138: {62, "Apple IP-over-IEEE 1394"},
	143: {33, "Data Over Cable Service Interface Specification"},
	163: {24, "IEEE 802.11 plus AVS radio header"},
	165: {63, "BACnet MS/TP"},
	166: {19, "PPP with Directional Info"},
	187: {41, "Bluetooth H4"},
	189: {95, "USB packets with Linux header"},
	192: {97, "Per-Packet Information header"},
	195: {104, "IEEE 802.15.4 Wireless PAN"},
	201: {99, "Bluetooth H4 with linux header"},
	220: {115, "USB packets with Linux header and padding"},
	227: {125, "SocketCAN"},
	228: {129, "Raw IPv4"},
	229: {130, "Raw IPv6"},
	230: {127, "IEEE 802.15.4 Wireless PAN with FCS not present"},
	231: {146, "D-Bus"},
	239: {141, "NFLOG"},
	249: {152, "USB packets with USBPcap header"},
	251: {154, "Bluetooth Low Energy Link Layer"},
	252: {155, "Wireshark Upper PDU export"},
	253: {158, "Linux Netlink"},
	254: {159, "Bluetooth Linux Monitor"},
	256: {161, "Bluetooth Low Energy Link Layer RF"},
	258: {171, "Apple PKTAP"},
	271: {185, "Linux vsock"},
	276: {210, "Linux cooked-mode capture v2"},
}

// encapsulations are the names by Wireshark's numbers.
var encapsulations = func() dissect.Values {
	names := dissect.Values{unknownLink: "Unknown"}
	for _, e := range encaps {
		names[e.number] = e.name
	}
	return names
}()

// encapsulation is Wireshark's number of a LINKTYPE_ value. The sixteen link types for private use stand in a row.
func encapsulation(link int) uint64 {
	if link >= 147 && link <= 162 {
		return uint64(45 + link - 147)
	}
	return encaps[link].number
}
