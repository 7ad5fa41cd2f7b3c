package ndp

import "remora/dissect"

// The numbers of the SynOptics MIB, in Wireshark's words.

var chassisTypes = dissect.Values{
	1: "other", 2: "3000", 3: "3030", 4: "2310", 5: "2810", 6: "2912",
	7: "2914", 8: "271x", 9: "2813", 10: "2814", 11: "2915", 12: "5000",
	13: "2813SA", 14: "2814SA", 15: "810M", 16: "Ethercell", 17: "5005", 18: "Alcatel Ethernet workgroup conc.",
	20: "2715SA", 21: "2486", 22: "28000 series", 23: "23000 series", 24: "5DN00x series", 25: "BayStack Ethernet",
	26: "23100 series", 27: "100Base-T Hub", 28: "3000 Fast Ethernet", 29: "Orion switch", 31: "DDS", 32: "Centillion (6 slot)",
	33: "Centillion (12 slot)", 34: "Centillion (1 slot)", 35: "BayStack 301", 36: "BayStack TokenRing Hub", 37: "FVC Multimedia Switch", 38: "Switch Node",
	39: "BayStack 302 Switch", 40: "BayStack 350 Switch", 41: "BayStack 150 Ethernet Hub", 42: "Centillion 50N switch", 43: "Centillion 50T switch", 44: "BayStack 303 and 304 Switches",
	45: "BayStack 200 Ethernet Hub", 46: "BayStack 250 10/100 Ethernet Hub", 48: "BayStack 450 10/100/1000 Switches", 49: "BayStack 410 10/100 Switches", 50: "Passport 1200 L3 Switch", 51: "Passport 1250 L3 Switch",
	52: "Passport 1100 L3 Switch", 53: "Passport 1150 L3 Switch", 54: "Passport 1050 L3 Switch", 55: "Passport 1051 L3 Switch", 56: "Passport 8610 L3 Switch", 57: "Passport 8606 L3 Switch",
	58: "Passport 8010", 59: "Passport 8006", 60: "BayStack 670 wireless access point", 61: "Passport 740", 62: "Passport 750", 63: "Passport 790",
	64: "Business Policy Switch 2000 10/100 Switches", 65: "Passport 8110 L2 Switch", 66: "Passport 8106 L2 Switch", 67: "BayStack 3580 Gig Switch", 68: "BayStack 10 Power Supply Unit", 69: "BayStack 420 10/100 Switch",
	70: "OPTera Metro 1200 Ethernet Service Module", 71: "OPTera 8010co", 72: "OPTera 8610co L3 switch", 73: "OPTera 8110co L2 switch", 74: "OPTera 8003", 75: "OPTera 8603 L3 switch",
	76: "OPTera 8103 L2 switch", 77: "BayStack 380 10/100/1000 Switch", 78: "Ethernet Switch 470-48T", 79: "OPTera Metro 1450 Ethernet Service Module", 80: "OPTera Metro 1400 Ethernet Service Module", 81: "Alteon Switch Family",
	82: "Ethernet Switch 460-24T-PWR", 83: "OPTera Metro 8010 OPM L2 Switch", 84: "OPTera Metro 8010co OPM L2 Switch", 85: "OPTera Metro 8006 OPM L2 Switch", 86: "OPTera Metro 8003 OPM L2 Switch", 87: "Alteon 180e",
	88: "Alteon AD3", 89: "Alteon 184", 90: "Alteon AD4", 91: "Passport 1424 L3 switch", 92: "Passport 1648 L3 switch", 93: "Passport 1612 L3 switch",
	94: "Passport 1624 L3 switch", 95: "BayStack 380-24F Fiber 1000 Switch", 96: "Ethernet Routing Switch 5510-24T", 97: "Ethernet Routing Switch 5510-48T", 98: "Ethernet Switch 470-24T", 99: "Nortel Networks Wireless LAN Access Point 2220",
	100: "Passport RBS 2402 L3 switch", 101: "Alteon Application Switch 2424", 102: "Alteon Application Switch 2224", 103: "Alteon Application Switch 2208", 104: "Alteon Application Switch 2216", 105: "Alteon Application Switch 3408",
	106: "Alteon Application Switch 3416", 107: "Nortel Networks Wireless LAN SecuritySwitch 2250", 108: "Ethernet Switch 425-48T", 109: "Ethernet Switch 425-24T", 110: "Nortel Networks Wireless LAN Access Point 2221", 111: "Nortel Metro Ethernet Service Unit 24-T SPF switch",
	112: " Nortel Metro Ethernet Service Unit 24-T LX DC switch", 113: "Passport 8300 10-slot chassis", 114: "Passport 8300 6-slot chassis", 115: "Ethernet Routing Switch 5520-24T-PWR", 116: "Ethernet Routing Switch 5520-48T-PWR", 117: "Nortel Networks VPN Gateway 3050",
	118: "Alteon SSL 310 10/100", 119: "Alteon SSL 310 10/100 Fiber", 120: "Alteon SSL 310 10/100 FIPS", 121: "Alteon SSL 410 10/100/1000", 122: "Alteon SSL 410 10/100/1000 Fiber", 123: "Alteon Application Switch 2424-SSL",
	124: "Ethernet Switch 325-24T", 125: "Ethernet Switch 325-24G", 126: "Nortel Networks Wireless LAN Access Point 2225", 127: "Nortel Networks Wireless LAN SecuritySwitch 2270", 128: "24-port Ethernet Switch 470-24T-PWR", 129: "48-port Ethernet Switch 470-48T-PWR",
	130: "Ethernet Routing Switch 5530-24TFD", 131: "Ethernet Switch 3510-24T", 132: "Nortel Metro Ethernet Service Unit 12G AC L3 switch", 133: "Nortel Metro Ethernet Service Unit 12G DC L3 switch", 134: "Nortel Secure Access Switch", 135: "Nortel Networks VPN Gateway 3070",
	136: "OPTera Metro 3500", 137: "SMB BES 1010 24T", 138: "SMB BES 1010 48T", 139: "SMB BES 1020 24T PWR", 140: "SMB BES 1020 48T PWR", 141: "SMB BES 2010 24T",
	142: "SMB BES 2010 48T", 143: "SMB BES 2020 24T PWR", 144: "SMB BES 2020 48T PWR", 145: "SMB BES 110 24T", 146: "SMB BES 110 48T", 147: "SMB BES 120 24T PWR",
	148: "SMB BES 120 48T PWR", 149: "SMB BES 210 24T", 150: "SMB BES 210 48T", 151: "SMB BES 220 24T PWR", 152: "SMB BES 220 48T PWR", 153: "OME 6500",
	154: "Ethernet Routing Switch 4548GT", 155: "Ethernet Routing Switch 4548GT-PWR", 156: "Ethernet Routing Switch 4550T", 157: "Ethernet Routing Switch 4550T-PWR", 158: "Ethernet Routing Switch 4526FX", 159: "Ethernet Routing Switch 2500-26T",
	160: "Ethernet Routing Switch 2500-26T-PWR", 161: "Ethernet Routing Switch 2500-50T", 162: "Ethernet Routing Switch 2500-50T-PWR", 213: "Virtual Services Platform 8284XSQ",
}

var backplanes = dissect.Values{
	1: "Other", 2: "Ethernet", 3: "Ethernet and Tokenring", 4: "Ethernet and FDDI",
	5: "Ethernet, Tokenring and FDDI", 6: "Ethernet and Tokenring with redundant power", 7: "Ethernet, Tokenring, FDDI with redundant power", 8: "Token Ring",
	9: "Ethernet, Tokenring and Fast Ethernet", 10: "Ethernet and Fast Ethernet", 11: "Ethernet, Tokenring, Fast Ethernet with redundant power", 12: "Ethernet, Fast Ethernet and Gigabit Ethernet",
}

var states = dissect.Values{
	1: "Topology Change", 2: "Heartbeat", 3: "New",
}
