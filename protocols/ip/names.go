package ip

import "remora/dissect"

// protocols are the names of protocol numbers (IANA registry), as Wireshark writes them.
var protocols = named(dissect.Values{0: "IPv6 Hop-by-Hop Option", 1: "ICMP", 2: "IGMP", 3: "GGP", 4: "IPIP",
	5: "Stream", 6: "TCP", 7: "CBT", 8: "EGP", 9: "IGRP", 12: "PUP", 16: "CHAOS", 17: "UDP", 22: "IDP",
	27: "Reliable Data", 29: "ISO TP4", 33: "Datagram Congestion Control Protocol",
	36: "XTP", 37: "Datagram delivery", 41: "IPv6", 42: "Source demand routing", 43: "Routing Header for IPv6",
	44: "Fragment Header for IPv6", 45: "Inter-Domain Routing Protocol", 46: "Reservation Protocol",
	47: "Generic Routing Encapsulation", 48: "Dynamic source routing",
	50: "Encap Security Payload", 51: "Authentication Header", 54: "NBMA ARP", 55: "IP Mobility", 58: "ICMPv6",
	59: "No Next Header for IPv6", 60: "Destination Options for IPv6", 61: "any host internal protocol",
	63: "any local network", 80: "ISO Internet Protocol",
	88: "EIGRP", 89: "OSPF IGP", 93: "AX.25 Frames", 94: "IP in IP", 97: "Ether in IP", 98: "ENCAP",
	99: "any private encryption scheme", 103: "PIM", 108: "IPComp", 111: "IPX IN IP", 112: "VRRP", 113: "PGM",
	115: "Layer 2 Tunneling", 121: "SMP", 124: "ISIS over IP", 132: "SCTP", 133: "Fibre Channel",
	135: "Mobile IPv6", 136: "UDPLite", 137: "MPLS in IP", 138: "MANET", 139: "HIP", 140: "Shim6 header", 141: "WESP",
	142: "ROHC", 143: "Ethernet"})

// named says of the numbers that nobody has yet that nobody has them.
func named(v dissect.Values) dissect.Values {
	for n := uint64(144); n < 253; n++ {
		v[n] = "Unassigned"
	}
	return v
}

var dscp = dissect.Values{0: "Default", 1: "Lower Effort", 8: "Class Selector 1", 10: "Assured Forwarding 11",
	12: "Assured Forwarding 12", 14: "Assured Forwarding 13", 16: "Class Selector 2", 18: "Assured Forwarding 21",
	20: "Assured Forwarding 22",
	22: "Assured Forwarding 23", 24: "Class Selector 3", 26: "Assured Forwarding 31", 28: "Assured Forwarding 32",
	30: "Assured Forwarding 33", 32: "Class Selector 4", 34: "Assured Forwarding 41", 36: "Assured Forwarding 42",
	38: "Assured Forwarding 43", 40: "Class Selector 5", 44: "Voice Admit", 46: "Expedited Forwarding",
	48: "Class Selector 6", 56: "Class Selector 7"}

// dscpShort and ecnShort are the names in the RFCs' short forms (RFC 2474, 2597, 3246, 5865, 8622; RFC 3168).
var dscpShort = dissect.Values{0: "CS0", 1: "LE", 8: "CS1", 10: "AF11", 12: "AF12", 14: "AF13", 16: "CS2", 18: "AF21",
	20: "AF22", 22: "AF23", 24: "CS3", 26: "AF31", 28: "AF32", 30: "AF33",
	32: "CS4", 34: "AF41", 36: "AF42", 38: "AF43", 40: "CS5", 44: "VOICE-ADMIT", 46: "EF PHB", 48: "CS6", 56: "CS7"}

var ecn = dissect.Values{0: "Not ECN-Capable Transport", 1: "ECN-Capable Transport codepoint '01'",
	2: "ECN-Capable Transport codepoint '10'", 3: "Congestion Experienced"}

var ecnShort = [4]string{"Not-ECT", "ECT(1)", "ECT(0)", "CE"}

var statuses = dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}

// shortName is the short form of a class of service.
func shortName(v uint64) string {
	if name := dscpShort[v]; name != "" {
		return name
	}
	return "Unknown"
}
