package dhcp

import "remora/dissect"

// optionNames are the options of RFC 2132 and of the registry that RFC 2939 describes.
var optionNames = dissect.Values{
	0: "Padding", 255: "End",
	1: "Subnet Mask", 2: "Time Offset", 3: "Router", 4: "Time Server", 5: "Name Server", 6: "Domain Name Server", 7: "Log Server", 8: "Quotes Server", 9: "LPR Server",
	10: "Impress Server", 11: "Resource Location Server", 12: "Host Name", 13: "Boot File Size", 14: "Merit Dump File", 15: "Domain Name", 16: "Swap Server",
	17: "Root Path", 18: "Extensions Path", 19: "IP Forwarding", 20: "Non-Local Source Routing", 21: "Policy Filter", 22: "Maximum Datagram Reassembly Size",
	23: "Default IP Time-to-Live", 24: "Path MTU Aging Timeout", 25: "Path MTU Plateau Table", 26: "Interface MTU", 27: "All Subnets are Local", 28: "Broadcast Address",
	29: "Perform Mask Discovery", 30: "Mask Supplier", 31: "Perform Router Discover", 32: "Router Solicitation Address", 33: "Static Route", 34: "Trailer Encapsulation",
	35: "ARP Cache Timeout", 36: "Ethernet Encapsulation", 37: "TCP Default TTL", 38: "TCP Keepalive Interval", 39: "TCP Keepalive Garbage", 40: "Network Information Service Domain",
	41: "Network Information Service Servers", 42: "Network Time Protocol Servers", 43: "Vendor-Specific Information", 44: "NetBIOS over TCP/IP Name Server",
	45: "NetBIOS over TCP/IP Datagram Distribution Name Server", 46: "NetBIOS over TCP/IP Node Type", 47: "NetBIOS over TCP/IP Scope", 48: "X Window System Font Server",
	49: "X Window System Display Manager", 50: "Requested IP Address", 51: "IP Address Lease Time", 52: "Option Overload", 53: "DHCP Message Type", 54: "DHCP Server Identifier",
	55: "Parameter Request List", 56: "Message", 57: "Maximum DHCP Message Size", 58: "Renewal Time Value", 59: "Rebinding Time Value", 60: "Vendor class identifier",
	61: "Client identifier", 62: "Novell/Netware IP domain", 63: "Novell Options", 64: "Network Information Service+ Domain", 65: "Network Information Service+ Servers",
	66: "TFTP Server Name", 67: "Bootfile name", 68: "Mobile IP Home Agent", 69: "SMTP Server", 70: "POP3 Server", 71: "NNTP Server", 72: "Default WWW Server",
	73: "Default Finger Server", 74: "Default IRC Server", 75: "StreetTalk Server", 76: "StreetTalk Directory Assistance Server", 77: "User Class Information",
	78: "Directory Agent Information", 79: "Service Location Agent Scope", 80: "Rapid commit", 81: "Client Fully Qualified Domain Name", 82: "Agent Information Option",
	83: "iSNS", 85: "Novell Directory Services Servers", 86: "Novell Directory Services Tree Name", 87: "Novell Directory Services Context", 88: "BCMCS Controller Domain Name",
	89: "BCMCS Controller IPv4 address", 90: "Authentication", 91: "Client last transaction time", 92: "Associated IP option", 93: "Client System Architecture",
	94: "Client Network Device Interface", 95: "LDAP", 97: "UUID/GUID-based Client Identifier", 98: "Open Group's User Authentication", 99: "Civic Addresses Configuration",
	100: "PCode", 101: "TCode", 108: "IPv6-Only Preferred", 112: "NetInfo Parent Server Address", 113: "NetInfo Parent Server Tag", 114: "DHCP Captive-Portal",
	116: "DHCP Auto-Configuration", 117: "Name Service Search", 118: "Subnet Selection Option", 119: "Domain Search", 120: "SIP Servers", 121: "Classless Static Route",
	122: "CableLabs Client Configuration", 123: "Coordinate-based Location Configuration", 124: "V-I Vendor Class", 125: "V-I Vendor-specific Information",
	128: "DOCSIS full security server IP", 129: "PXE - undefined (vendor specific)", 130: "PXE - undefined (vendor specific)", 131: "PXE - undefined (vendor specific)",
	132: "PXE - undefined (vendor specific)", 133: "PXE - undefined (vendor specific)", 134: "PXE - undefined (vendor specific)", 135: "PXE - undefined (vendor specific)",
	136: "PANA Authentication Agent", 137: "LoST Server Domain Name", 138: "CAPWAP Access Controllers", 139: "IPv4 Address-MoS", 140: "IPv4 FQDN-MoS", 141: "SIP UA Configuration Domains",
	142: "IPv4 Address ANDSF", 143: "Zerotouch Redirect", 144: "Geospatial Location", 145: "Forcerenew Nonce Capable", 146: "RDNSS Selection", 150: "TFTP Server Address",
	151: "Leasequery Status code", 152: "Leasequery Base Time", 153: "Leasequery Start Time of State", 154: "Leasequery Query Start Time", 155: "Leasequery Query End Time",
	156: "Leasequery Dhcp State", 157: "Leasequery Data Source", 158: "PCP Server", 159: "Portparams", 161: "Manufacturer Usage Description", 175: "Etherboot",
	176: "IP Telephone", 177: "Etherboot", 208: "PXELINUX Magic", 209: "PXE Configuration file", 210: "PXE Path Prefix", 211: "Reboot Time", 212: "6RD", 213: "V4 Access Domain",
	220: "Subnet Allocation", 221: "Virtual Subnet Selection", 224: "Private", 225: "Private", 226: "Private", 227: "Private", 228: "Private", 229: "Private",
	230: "Private", 231: "Private", 232: "Private", 233: "Private", 234: "Private", 235: "Private", 236: "Private", 237: "Private", 238: "Private", 239: "Private",
	240: "Private", 241: "Private", 242: "Private/Avaya IP Telephone", 243: "Private", 244: "Private", 245: "Private", 246: "Private", 247: "Private", 248: "Private",
	249: "Private/Classless Static Route (Microsoft)", 250: "Private", 251: "Private", 252: "Private/Proxy autodiscovery", 253: "Private", 254: "Private",
}

var hardware = dissect.Values{
	0x0: "NET/ROM pseudo", 0x1: "Ethernet", 0x2: "Experimental Ethernet", 0x3: "AX.25", 0x4: "ProNET", 0x5: "Chaos", 0x6: "IEEE 802", 0x7: "ARCNET",
	0x8: "Hyperchannel", 0x9: "Lanstar", 0xa: "Autonet Short Address", 0xb: "Localtalk", 0xc: "LocalNet", 0xd: "Ultra link", 0xe: "SMDS",
	0xf: "Frame Relay DLCI", 0x10: "ATM", 0x11: "HDLC", 0x12: "Fibre Channel", 0x13: "ATM (RFC 2225)", 0x14: "Serial Line", 0x15: "ATM",
	0x16: "MIL-STD-188-220", 0x17: "Metricom STRIP", 0x18: "IEEE 1394.1995", 0x19: "MAPOS", 0x1a: "Twinaxial", 0x1b: "EUI-64", 0x1c: "HIPARP",
	0x1d: "IP and ARP over ISO 7816-3", 0x1e: "ARPSec", 0x1f: "IPsec tunnel", 0x20: "InfiniBand", 0x21: "TIA-102 Project 25 CAI", 0x22: "Wiegand Interface",
	0x23: "Pure IP", 0x24: "Experimental 1", 0x25: "HFI", 0x100: "Experimental 2", 0x101: "AEthernet", 0x104: "Notional KISS type", 0x108: "ADAPT",
	0x10e: "ROSE", 0x10f: "CCITT X.25", 0x110: "Boards with X.25 in firmware", 0x118: "Controller Area Network", 0x200: "PPP", 0x201: "Cisco HDLC",
	0x204: "LAPB", 0x205: "Digital's DDCMP protocol", 0x206: "Raw HDLC", 0x207: "Raw IP", 0x300: "IPIP tunnel", 0x301: "IP6IP6 tunnel",
	0x302: "Frame Relay Access Device", 0x303: "SKIP vif", 0x304: "Loopback", 0x306: "Fiber Distributed Data Interface", 0x307: "AP1000 BIF",
	0x308: "sit0 device - IPv6-in-IPv4", 0x309: "IP over DDP tunneller", 0x30a: "GRE over IP", 0x30b: "PIMSM register interface",
	0x30c: "High Performance Parallel Interface", 0x30d: "Nexus 64Mbps Ash", 0x30e: "Acorn Econet", 0x30f: "Linux-IrDA",
	0x310: "Point to point fibrechannel", 0x311: "Fibrechannel arbitrated loop", 0x312: "Fibrechannel public loop", 0x313: "Fibrechannel fabric",
	0x320: "Magic type ident for TR", 0x321: "IEEE 802.11", 0x322: "IEEE 802.11 + Prism2 header", 0x323: "IEEE 802.11 + radiotap header",
	0x324: "IEEE 802.15.4", 0x325: "IEEE 802.15.4 network monitor", 0x334: "PhoNet media type", 0x335: "PhoNet pipe header", 0x336: "CAIF media type",
	0x337: "GRE over IPv6", 0x338: "Netlink", 0x339: "IPv6 over LoWPAN", 0x33a: "Vsock monitor header", 0xffff: "Void type, nothing is known",
	0xfffe: "zero header length",
}

var messages = dissect.Values{
	1: "Discover", 2: "Offer", 3: "Request", 4: "Decline", 5: "ACK", 6: "NAK", 7: "Release", 8: "Inform", 9: "Force Renew", 10: "Lease query",
	11: "Lease Unassigned", 12: "Lease Unknown", 13: "Lease Active", 14: "Bulk Lease Query", 15: "Lease Query Done", 16: "Active LeaseQuery",
	17: "Lease Query Status", 18: "TLS",
}

var agentOptions = dissect.Values{
	0: "Padding", 1: "Agent Circuit ID", 2: "Agent Remote ID", 3: "Reserved", 4: "DOCSIS Device Class", 5: "Link selection", 6: "Subscriber ID",
	7: "RADIUS Attributes", 8: "Authentication", 9: "Vendor-Specific Information", 10: "Flags", 11: "Server ID Override", 12: "Relay Agent Identifier",
	13: "Access Technology Type", 14: "Access Network Name", 15: "Access Point Name", 16: "Access Point BSSID", 17: "Access Network Operator ID",
	18: "Access Network Operator Realm", 19: "Source Port", 150: "Link selection (Cisco proprietary)", 151: "VRF name/VPN ID",
	152: "Server ID Override (Cisco proprietary)",
}

var duidTypes = dissect.Values{
	1: "link-layer address plus time", 2: "assigned by vendor based on Enterprise number", 3: "link-layer address",
}
