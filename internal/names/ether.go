package names

import "encoding/hex"

// groups are addresses, and beginnings of addresses (the rest is zero), that standards and makers gave a meaning.
var groups = map[uint64]string{
	0x01005e000000: "IPv4mcast", 0x333300000000: "IPv6mcast", 0x0180c2000000: "Spanning-tree-(for-bridges)",
	0x0180c2000001: "MAC-specific-ctrl-proto-01", 0x0180c2000002: "Slow-Protocols",
	0x0180c2000003: "Nearest-non-TPMR-bridge",
	0x0180c2000008: "Provider-Bridge", 0x0180c200000d: "Provider-Bridge-MVRP", 0x0180c200000e: "LLDP_Multicast",
	0x0180c2000021: "GVRP", 0x0180c2000020: "GMRP", 0x01000ccccccc: "CDP/VTP/DTP/PAgP/UDLD", 0x01000ccccccd: "PVST+",
	0x01000ccdcdcd: "STP-UplinkFast", 0x01000ccdcdce: "VLAN-bridge", 0x01000cdddddd: "CGMP", 0x01000c000000: "ISL-Frame",
	0x011b19000000: "IEEE-1588", 0x00000c07ac00: "All-HSRP-routers", 0x00005e000100: "IETF-VRRP-VRID",
}

// Ether is what people call a hardware address (48 bits in network order), in Wireshark's words: the name of a group,
// or the short name of the maker with the last three bytes. Where neither is known it is the address itself.
func Ether(mac uint64) string { return etherTexts.of(mac, etherText) }

var etherTexts cache

func etherText(mac uint64) string {
	if mac == 1<<48-1 {
		return "Broadcast"
	}
	if name := groups[mac]; name != "" && !spacious(mac) {
		return name
	}
	if text := inGroup(mac, 47, 24); text != "" {
		return text
	}
	if name := maker(mac); name != "" {
		return name + "_" + tail(mac, 24)
	}
	if text := inGroup(mac, 23, 16); text != "" {
		return text
	}
	return tail(mac, 48)
}

// spacious tells whether a name is of a range of addresses, and none of its own.
func spacious(mac uint64) bool {
	switch mac {
	case 0x01005e000000, 0x333300000000, 0x0180c2000000, 0x00000c07ac00, 0x00005e000100, 0x01000c000000:
		return true
	}
	return false
}

// inGroup looks for a group that begins with as many bits of the address, from most to fewest, and writes what is left.
func inGroup(mac uint64, from, to int) string {
	for bits := from; bits >= to; bits-- {
		if name := groups[mac&^(1<<(48-bits)-1)]; name != "" {
			return name + "_" + tail(mac, 48-bits)
		}
	}
	return ""
}

// tail writes the last bits of an address, byte by byte.
func tail(mac uint64, bits int) string {
	mac &= 1<<bits - 1
	text := make([]byte, 0, len("00:00:00:00:00:00"))
	for at := (bits - 1) / 8 * 8; at >= 0; at -= 8 {
		text = append(hex.AppendEncode(text, []byte{byte(mac >> at)}), ':')
	}
	return string(text[:len(text)-1])
}

// maker is the short name of the maker of a device, or "".
func maker(mac uint64) string {
	if mac>>24 == 0 { // Xerox' first prefix, which hardly anybody means
		return "00:00:00"
	}
	name := Vendor(mac)
	if name == "" && mac>>40&1 != 0 { // a group of the maker's
		name = Vendor(mac &^ (1 << 40))
	}
	return short(name)
}
