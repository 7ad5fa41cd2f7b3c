package netbios

import "remora/dissect"

var opcodes = dissect.Values{
	0: "Name query", 5: "Registration", 6: "Release", 7: "Wait for acknowledgment", 8: "Refresh",
	9:  "Refresh (alternate opcode)",
	15: "Multi-homed registration",
}

var rcodes = dissect.Values{
	0: "No error", 1: "Request was invalidly formatted", 2: "Server failure", 3: "Requested name does not exist",
	4: "Request is not implemented",
	5: "Request was refused", 6: "Name is owned by another node", 7: "Name is in conflict",
}

var nodeTypes = dissect.Values{
	0: "B-node", 8192: "P-node", 16384: "M-node", 24576: "H-node",
}

var ownerTypes = dissect.Values{
	0: "B-node", 8192: "P-node", 16384: "M-node",
}

var types = dissect.Values{
	32: "NB", 33: "NBSTAT",
}

var classes = dissect.Values{
	1: "IN", 2: "CS", 3: "CH", 4: "HS", 254: "NONE", 255: "ANY",
}

var datagrams = dissect.Values{
	16: "Direct_unique datagram", 17: "Direct_group datagram", 18: "Broadcast datagram", 19: "Datagram error",
	20: "Datagram query request",
	21: "Datagram positive query response", 22: "Datagram negative query response",
}

var datagramNodes = dissect.Values{
	0: "B node", 1: "P node", 2: "M node", 3: "NBDD",
}

var datagramErrors = dissect.Values{
	0x82: "Destination name not present", 0x83: "Invalid source name format", 0x84: "Invalid destination name format",
}

// suffixes are the services that the last byte of a name stands for.
var suffixes = map[byte]string{
	0x00: "Workstation/Redirector", 0x01: "Browser", 0x02: "Workstation/Redirector", 0x03: "Messenger service/Main name",
	0x05: "Forwarded name", 0x06: "RAS Server service", 0x1b: "Domain Master Browser", 0x1c: "Domain Controllers",
	0x1d: "Local Master Browser", 0x1e: "Browser Election Service", 0x1f: "Net DDE Service", 0x20: "Server service",
	0x21: "RAS client service", 0xbe: "Network Monitor Agent", 0xbf: "Network Monitor Application",
}
