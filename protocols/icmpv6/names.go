package icmpv6

import (
	"fmt"

	"remora/dissect"
)

// The types with a dissection of their own.
const (
	typeUnreachable  = 1
	typeTooBig       = 2
	typeExceeded     = 3
	typeParameter    = 4
	typeRequest      = 128
	typeReply        = 129
	typeMLDQuery     = 130
	typeMLDReport    = 131
	typeMLDDone      = 132
	typeRouterSol    = 133
	typeRouterAdv    = 134
	typeNeighbourSol = 135
	typeNeighbourAdv = 136
	typeRedirect     = 137
	typeMLDv2Report  = 143
	typeExtRequest   = 160
	typeExtReply     = 161
)

// types are the names of message types (IANA registry), as Wireshark writes them.
var types = dissect.Values{typeUnreachable: "Destination Unreachable", typeTooBig: "Packet Too Big",
	typeExceeded: "Time Exceeded", typeParameter: "Parameter Problem", 100: "Private experimentation",
	101: "Private experimentation", 127: "Reserved for expansion of ICMPv6 error messages",
	typeRequest: "Echo (ping) request", typeReply: "Echo (ping) reply", typeMLDQuery: "Multicast Listener Query",
	typeMLDReport: "Multicast Listener Report", typeMLDDone: "Multicast Listener Done",
	typeRouterSol: "Router Solicitation", typeRouterAdv: "Router Advertisement", typeNeighbourSol: "Neighbor Solicitation",
	typeNeighbourAdv: "Neighbor Advertisement", typeRedirect: "Redirect", 138: "Router Renumbering",
	139: "Node Information Query", 140: "Node Information Reply",
	141: "Inverse Neighbor Discovery Solicitation", 142: "Inverse Neighbor Discovery Advertisement",
	typeMLDv2Report: "Multicast Listener Report Message v2", 144: "Home Agent Address Discovery Request",
	145: "Home Agent Address Discovery Reply", 146: "Mobile Prefix Solicitation", 147: "Mobile Prefix Advertisement",
	148: "Certification Path Solicitation", 149: "Certification Path Advertisement", 150: "Experimental Mobility",
	151: "Multicast Router Advertisement", 152: "Multicast Router Solicitation", 153: "Multicast Router Termination",
	154: "FMIPv6", 155: "RPL Control", 156: "Locator Update",
	157: "Duplicate Address Request", 158: "Duplicate Address Confirmation", 159: "MPL Control Message",
	typeExtRequest: "Extended Echo request", typeExtReply: "Extended Echo reply", 200: "Private experimentation",
	201: "Private experimentation", 255: "Reserved for expansion of ICMPv6 informational messages"}

var codes = map[uint64]dissect.Values{
	typeUnreachable: {0: "no route to destination", 1: "Administratively prohibited", 2: "Beyond scope of source address",
		3: "Address unreachable", 4: "Port unreachable", 5: "Source address failed ingress/egress policy",
		6: "Reject route to destination", 7: "Error in Source Routing Header"},
	typeExceeded: {0: "hop limit exceeded in transit", 1: "fragment reassembly time exceeded"},
	typeParameter: {0: "erroneous header field encountered", 1: "unrecognized Next Header type encountered",
		2: "unrecognized IPv6 option encountered", 3: "IPv6 First Fragment has incomplete IPv6 Header Chain"},
	138: {0: "Command", 1: "Result", 255: "Sequence number reset"},
	139: {0: "Query subject = IPv6 addresses", 1: "Query subject = DNS name or empty",
		2: "Query subject = IPv4 addresses"},
	140: {0: "Successful", 1: "Refused", 2: "Unknown query type"},
	155: {0: "DODAG Information Solicitation", 1: "DODAG Information Object",
		2: "Destination Advertisement Object", 3: "Destination Advertisement Object Acknowledgment"},
	typeExtRequest: {0: "No error"},
	typeExtReply: {0: "No error", 1: "Malformed Query", 2: "No Such Interface", 3: "No Such Table Entry",
		4: "Multiple Interfaces Satisfy Query"},
}

// codeText names a code; it is "" for types whose codes mean nothing.
func codeText(kind, code uint64) string {
	names := codes[kind]
	if names == nil {
		return ""
	}
	if name := names[code]; name != "" {
		return name
	}
	return fmt.Sprintf("Unknown (%d)", code)
}

var optionTypes = dissect.Values{optSource: "Source link-layer address", optTarget: "Target link-layer address",
	optPrefix: "Prefix information", optRedirected: "Redirected header", optMTU: "MTU", 6: "NBMA Shortcut Limit Option",
	optInterval: "Advertisement Interval", optHomeAgent: "Home Agent Information",
	optSources: "Source Address List", optTargets: "Target Address List", 11: "CGA", 12: "RSA Signature",
	optTimestamp: "Timestamp", optNonce: "Nonce", 15: "Trust Anchor", 16: "Certificate", 17: "IP Address/Prefix Option",
	18: "New Router Prefix Information", 19: "Link-layer Address", 20: "Neighbor Advertisement Acknowledgment",
	23: "MAP", optRoute: "Route Information", optRDNSS: "Recursive DNS Server", optFlags: "RA Flags Extension",
	27: "Handover Key Request", 28: "Handover Key Reply", 29: "Handover Assist Information",
	30: "Mobile Node Identifier Option", optDNSSL: "DNS Search List Option", 32: "Proxy Signature (PS)",
	33: "Address Registration Option", opt6CO: "6LoWPAN Context Option", optABRO: "Authoritative Border Router",
	opt6CIO: "6LoWPAN Capability Indication Option", optPortal: "DHCP Captive-Portal", optPREF64: "PREF64 Option",
	138: "CARD Request", 139: "CARD Reply", 253: "RFC3692-style Experiment 1", 254: "RFC3692-style Experiment 2"}

// preferences are those of routers and routes (RFC 4191 section 2.1).
var preferences = dissect.Values{0: "Medium", 1: "High", 2: "Reserved", 3: "Low"}

// lifetime writes a number of seconds; all ones are for ever.
func lifetime(v uint64) string {
	if v == 0xffffffff {
		return "Infinity (4294967295)"
	}
	return fmt.Sprint(v)
}
