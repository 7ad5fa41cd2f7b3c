package dhcpv6

import "remora/dissect"

var messages = dissect.Values{
	1: "Solicit", 2: "Advertise", 3: "Request", 4: "Confirm", 5: "Renew", 6: "Rebind", 7: "Reply", 8: "Release", 9: "Decline", 10: "Reconfigure",
	11: "Information-request", 12: "Relay-forw", 13: "Relay-reply", 14: "Leasequery", 15: "Leasequery-reply", 16: "Leasequery-done", 17: "Leasequery-data",
	18: "Reconfigure-request", 19: "Reconfigure-reply",
}

// optionNames are the options of RFC 8415 and of the registry it keeps.
var optionNames = dissect.Values{
	1: "Client Identifier", 2: "Server Identifier", 3: "Identity Association for Non-temporary Address", 4: "Identity Association for Temporary Address",
	5: "IA Address", 6: "Option Request", 7: "Preference", 8: "Elapsed time", 9: "Relay Message", 11: "Authentication", 12: "Server unicast",
	13: "Status code", 14: "Rapid Commit", 15: "User Class", 16: "Vendor Class", 17: "Vendor-specific Information", 18: "Interface-Id",
	19: "Reconfigure Message", 20: "Reconfigure Accept", 21: "SIP Server Domain Name List", 22: "SIP Servers IPv6 Address List",
	23: "DNS recursive name server", 24: "Domain Search List", 25: "Identity Association for Prefix Delegation", 26: "IA Prefix",
	27: "Network Information Server", 28: "Network Information Server V2", 29: "Network Information Server Domain Name",
	30: "Network Information Server V2 Domain Name", 31: "Simple Network Time Protocol Server", 32: "Lifetime", 33: "BCMCS Server Domain",
	34: "BCMCS Servers IPv6 Address List", 36: "Geoconf Civic Address", 37: "Remote Identifier", 38: "Subscriber Identifier",
	39: "Client Fully Qualified Domain Name", 40: "PANA Agents IPv6 Address List", 41: "Time Zone", 42: "Time Zone Database", 43: "Echo Request Option",
	44: "Leasequery Query", 45: "Leasequery Client Data", 46: "Client Last Transaction Time", 47: "Leasequery Relay Data",
	48: "Leasequery Client Link Address List", 49: "Home Network Identifier FQDN", 50: "Visited Home Network Information", 51: "LoST Server",
	52: "CAPWAP Access Controllers", 53: "Relay-ID", 54: "MoS IPv6 Address", 55: "MoS Domain Name List", 56: "NTP Server", 57: "Access Network Domain Name",
	58: "SIP User Agent Configuration Service Domains", 59: "Boot File URL", 60: "Boot File Parameters", 61: "Client System Architecture Type",
	62: "Client Network Interface Identifier", 63: "Geolocation", 64: "Dual-Stack Lite AFTR Name", 65: "ERP Local Domain Name", 66: "Relay-Supplied Options",
	67: "Prefix Exclude", 68: "Virtual Subnet Selection", 69: "Identified Home Network Information", 70: "Unrestricted Home Network Information",
	71: "Home Network Prefix", 72: "Home Agent Address", 73: "Home Agent FQDN", 74: "RDNSS Selection", 75: "Kerberos Principal Name",
	76: "Kerberos Realm Name", 77: "Kerberos Default Realm Name", 78: "Kerberos KDC", 79: "Client Link-Layer Address", 80: "Link Address", 81: "RADIUS",
	82: "SOL_MAX_RT", 83: "INF_MAX_RT", 84: "Address Selection", 85: "Address Selection table", 86: "PCP Server", 87: "DHCPv4 Message",
	88: "DHCP 4o6 Servers Address", 89: "S46 Rule", 90: "S46 BR", 91: "S46 DMR", 92: "S46 IPv4/IPv6 Address Binding", 93: "S46 Port Parameters",
	94: "S46 MAP-E Container", 95: "S46 MAP-T Container", 96: "S46 Lightweight 4over6 Container", 97: "4rd Options", 98: "4rd Mapping Rule",
	99: "4rd Non-Mapping Rule", 100: "LQ Server Base Time", 101: "LQ Server Query Start Time", 102: "LQ Server Query End Time", 103: "Captive Portal",
	104: "MPL Parameter Configuration", 105: "Access Technology Type", 106: "Access Network Name", 107: "Access Point Name", 108: "Access Point BSSID",
	109: "Access Network Operator ID", 110: "Access Network Operator Realm", 111: "S46 Priority", 112: "Manufacturer Usage Description",
	113: "IPv4/IPv6 Multicast Prefixes", 114: "Failover Binding Status", 115: "Failover Connect Flags", 116: "Failover DNS Removal Info",
	117: "Failover DNS Hostname", 118: "Failover DNS Zone Name", 119: "Failover DNS Flags", 120: "Failover Expiration Time",
	121: "Failover Maximum Number Unacked BNDUPD Messages", 122: "Failover Maximum Client Lead Time (MCLT)", 123: "Failover Partner Lifetime",
	124: "Failover Partner Lifetime Sent", 125: "Failover Partner Down Time", 126: "Failover Partner Raw Client Time", 127: "Failover Protocol Version",
	128: "Failover Keepalive Time", 129: "Failover Reconfigure Data", 130: "Failover Relationship Name", 131: "Failover Server Flags",
	132: "Failover Server State", 133: "Failover Start Time of State", 134: "Failover State Expiration Time", 135: "Relay Source Port", 136: "SZTP Redirect",
	137: "Softwire Source Binding Prefix Hint", 143: "ANDSF IPv6 Address", 165: "Mobile IPv6 Home Agent", 166: "Mobile IPv6 Home Address",
	167: "Network Access Identifier",
}

var statuses = dissect.Values{
	0: "Success", 1: "UnspecFail", 2: "NoAddrAvail", 3: "NoBinding", 4: "NotOnLink", 5: "UseMulticast", 6: "NoPrefixAvail", 7: "UnknownQueryType",
	8: "MalformedQuery", 9: "NotConfigured", 10: "NotAllowed", 11: "QueryTerminated", 12: "DataMissing", 13: "CatchUpComplete", 14: "NotSupported",
	15: "TLSConnectionRefused",
}

var duidTypes = dissect.Values{
	1: "link-layer address plus time", 2: "assigned by vendor based on Enterprise number", 3: "link-layer address",
	4: "Universally Unique IDentifier (UUID)",
}

var hardware = dissect.Values{
	0: "NET/ROM pseudo", 1: "Ethernet", 2: "Experimental Ethernet", 3: "AX.25", 4: "ProNET", 5: "Chaos", 6: "IEEE 802", 7: "ARCNET", 8: "Hyperchannel",
	9: "Lanstar", 10: "Autonet Short Address", 11: "Localtalk", 12: "LocalNet", 13: "Ultra link", 14: "SMDS", 15: "Frame Relay DLCI", 16: "ATM", 17: "HDLC",
	18: "Fibre Channel", 19: "ATM (RFC 2225)", 20: "Serial Line", 21: "ATM", 22: "MIL-STD-188-220", 23: "Metricom STRIP", 24: "IEEE 1394.1995", 25: "MAPOS",
	26: "Twinaxial", 27: "EUI-64", 28: "HIPARP", 29: "IP and ARP over ISO 7816-3", 30: "ARPSec", 31: "IPsec tunnel", 32: "InfiniBand",
	33: "TIA-102 Project 25 CAI", 34: "Wiegand Interface", 35: "Pure IP", 36: "Experimental 1", 37: "HFI", 256: "Experimental 2", 257: "AEthernet",
	260: "Notional KISS type", 264: "ADAPT", 270: "ROSE", 271: "CCITT X.25", 272: "Boards with X.25 in firmware", 280: "Controller Area Network", 512: "PPP",
	513: "Cisco HDLC", 516: "LAPB", 517: "Digital's DDCMP protocol", 518: "Raw HDLC", 519: "Raw IP", 768: "IPIP tunnel", 769: "IP6IP6 tunnel",
	770: "Frame Relay Access Device", 771: "SKIP vif", 772: "Loopback", 774: "Fiber Distributed Data Interface", 775: "AP1000 BIF",
	776: "sit0 device - IPv6-in-IPv4", 777: "IP over DDP tunneller", 778: "GRE over IP", 779: "PIMSM register interface",
	780: "High Performance Parallel Interface", 781: "Nexus 64Mbps Ash", 782: "Acorn Econet", 783: "Linux-IrDA", 784: "Point to point fibrechannel",
	785: "Fibrechannel arbitrated loop", 786: "Fibrechannel public loop", 787: "Fibrechannel fabric", 800: "Magic type ident for TR", 801: "IEEE 802.11",
	802: "IEEE 802.11 + Prism2 header", 803: "IEEE 802.11 + radiotap header", 804: "IEEE 802.15.4", 805: "IEEE 802.15.4 network monitor",
	820: "PhoNet media type", 821: "PhoNet pipe header", 822: "CAIF media type", 823: "GRE over IPv6", 824: "Netlink", 825: "IPv6 over LoWPAN",
	826: "Vsock monitor header", 65535: "Void type, nothing is known", 65534: "zero header length",
}

var ntpOptions = dissect.Values{
	1: "NTP Server Address", 2: "NTP Multicast Address", 3: "NTP Server FQDN",
}
