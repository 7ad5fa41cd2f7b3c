package eth

import "remora/dissect"

// etherTypes are the names of EtherTypes (IEEE registry), as Wireshark writes them.
var etherTypes = dissect.Values{
	0x0600: "XNS Internet Datagram Protocol", 0x0800: "IPv4", 0x0805: "X.25 Layer 3", 0x0806: "ARP", 0x0842: "Wake on LAN",
	0x0bad: "Vines IP",
	0x22ea: "802.1Qat Multiple Stream Reservation Protocol", 0x22f0: "IEEE 1722 Audio Video Transport Protocol",
	0x22f3: "Transparent Interconnection of Lots of Links", 0x22f4: "Intermediate System to Intermediate System",
	0x6001: "DEC DNA Dump/Load", 0x6002: "DEC DNA Remote Console", 0x6003: "DEC DNA Routing", 0x6004: "DEC LAT",
	0x6558: "Transparent Ethernet bridging",
	0x8035: "RARP", 0x809b: "AppleTalk LLAP bridging", 0x80f3: "AARP", 0x8100: "802.1Q Virtual LAN",
	0x8137: "Netware IPX/SPX", 0x86dd: "IPv6",
	0x8808: "MAC Control", 0x8809: "Slow Protocols", 0x8819: "Cirrus Cobranet Packet",
	0x8847: "MPLS label switched packet", 0x8848: "MPLS multicast label switched packet",
	0x8863: "PPPoE Discovery", 0x8864: "PPPoE Session", 0x886f: "MS NLB heartbeat", 0x8870: "Jumbo LLC",
	0x8874: "Broadcom tag", 0x887b: "Homeplug", 0x888e: "802.1X Authentication",
	0x8892: "PROFINET", 0x8899: "Realtek Layer 2 Protocols", 0x88a2: "ATA over Ethernet", 0x88a4: "EtherCAT frame",
	0x88a8: "802.1ad Provider Bridge (Q-in-Q)", 0x88ab: "ETHERNET Powerlink v2",
	0x88b5: "Local Experimental Ethertype 1", 0x88b6: "Local Experimental Ethertype 2",
	0x88b7: "IEEE 802a OUI Extended Ethertype", 0x88b8: "IEC 61850/GOOSE", 0x88b9: "IEC 61850/GSE management services",
	0x88c7: "802.11i Pre-Authentication", 0x88ca: "Transparent Inter Process Communication",
	0x88cc: "802.1 Link Layer Discovery Protocol (LLDP)", 0x88d9: "Link Layer Topology Discovery (LLTD)",
	0x88e1: "Homeplug AV", 0x88e3: "MRP", 0x88e5: "802.1AE (MACsec)",
	0x88e7: "802.1ah Provider Backbone Bridge (mac-in-mac)", 0x88f6: "802.1ak Multiple Mac Registration Protocol",
	0x88f7: "PTPv2 over Ethernet (IEEE1588)", 0x88f8: "Network Controller Sideband Interface",
	0x88fb: "Parallel Redundancy Protocol (PRP) and HSR Supervision (IEC62439 Part 3)",
	0x8902: "IEEE 802.1ag Connectivity Fault Management (CFM) protocol", 0x8906: "Fibre Channel over Ethernet",
	0x8914: "FCoE Initialization Protocol", 0x8915: "RDMA over Converged Ethernet",
	0x892f: "High-availability Seamless Redundancy (IEC62439 Part 3)",
	0x893a: "1905.1a Convergent Digital Home Network for Heterogenous Technologies",
	0x893f: "802.1br Bridge Port Extension E-Tag",
	0x894f: "Network Service Header", 0x9000: "Loopback", 0x9100: "QinQ: old non-standard 802.1ad", 0xa0ed: "6LoWPAN",
	0xaefe: "eCPRI", 0xf1c1: "802.1CB Frame Replication and Elimination for Reliability",
}
