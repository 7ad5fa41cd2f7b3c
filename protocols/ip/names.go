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

var statuses = dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}
