package stun

import (
	"fmt"

	"remora/dissect"
)

var classes = dissect.Values{0x00: "Request", 0x01: "Indication", 0x10: "Success Response", 0x11: "Error Response"}

var methods = dissect.Values{
	1: "Binding", 2: "SharedSecret", 3: "Allocate", 4: "Refresh", 6: "Send", 7: "Data", 8: "CreatePermission",
	9: "Channel-Bind", 10: "Connect", 11: "ConnectionBind", 12: "ConnectionAttempt",
	0x80: "GooglePing",
}

// methodText writes a method, whose bits have the class's between them.
func methodText(v uint64) string {
	m := v&0xf | v>>1&0x70 | v>>2&0xf80
	if name := methods[m]; name != "" {
		return fmt.Sprintf("%s (0x%03x)", name, m)
	}
	return fmt.Sprintf("Unknown (0x%03x)", m)
}

// types are all methods in all classes.
var types = func() dissect.Values {
	v := dissect.Values{}
	for m, name := range methods {
		for c, class := range classes {
			v[m&0xf|m&0x70<<1|m&0xf80<<2|c<<4] = name + " " + class
		}
	}
	return v
}()

var assignments = dissect.Values{0: "IETF Review", 1: "Designated Expert"}

var versions = dissect.Values{
	1: "MS-TURN", 2: "RFC-3489 and earlier", 3: "RFC-5389/8489",
}

var families = dissect.Values{1: "IPv4", 2: "IPv6"}

var transports = dissect.Values{6: "TCP", 17: "UDP"}

var statuses = dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}

var costs = dissect.Values{
	0: "Min", 10: "Low", 50: "Unknown", 250: "Cellular5G", 500: "Cellular4G", 900: "Cellular", 910: "Cellular3G",
	980: "Cellular2G", 999: "Max",
}

var algorithms = dissect.Values{
	0: "Reserved", 1: "MD5", 2: "SHA-256",
}

// errorCodes are those of RFC 8489, 8445 and 8656.
var errorCodes = map[int]string{
	300: "Try Alternate", 400: "Bad Request", 401: "Unauthenticated", 403: "Forbidden", 405: "Mobility Forbidden",
	420: "Unknown Attribute", 437: "Allocation Mismatch", 438: "Stale Nonce", 440: "Address Family not Supported",
	441: "Wrong Credentials", 442: "Unsupported Transport Protocol", 443: "Peer Address Family Mismatch",
	446: "Connection Already Exists", 447: "Connection Timeout or Failure", 486: "Allocation Quota Reached",
	487: "Role Conflict", 500: "Server Error", 508: "Insufficient Capacity",
}

// The attributes (IANA's registry of STUN attributes).
const (
	attMapped       = 0x0001
	attResponse     = 0x0002
	attChange       = 0x0003
	attSource       = 0x0004
	attChanged      = 0x0005
	attUsername     = 0x0006
	attPassword     = 0x0007
	attIntegrity    = 0x0008
	attError        = 0x0009
	attUnknown      = 0x000a
	attReflected    = 0x000b
	attChannel      = 0x000c
	attLifetime     = 0x000d
	attBandwidth    = 0x0010
	attPeer         = 0x0012
	attData         = 0x0013
	attRealm        = 0x0014
	attNonce        = 0x0015
	attRelayed      = 0x0016
	attFamily       = 0x0017
	attEvenPort     = 0x0018
	attTransport    = 0x0019
	attToken        = 0x0022
	attPriority     = 0x0024
	attAlgorithm    = 0x001d
	attXorMapped    = 0x0020
	attXorMappedOld = 0x8020
	attSoftware     = 0x8022
	attAlternate    = 0x8023
	attCacheTimeout = 0x8027
	attFingerprint  = 0x8028
	attControlled   = 0x8029
	attControlling  = 0x802a
	attOrigin       = 0x802b
	attOther        = 0x802c
	attNetworkInfo  = 0xc057
	attResponsePort = 0x0027
	attExtraFamily  = 0x8000
	attDomain       = 0x8003
	attAlgorithms   = 0x8002
	attIntegrity256 = 0x001c
	attUserhash     = 0x001e
	attPadding      = 0x0026
	attDontFragment = 0x001a
	attUse          = 0x0025
	attConnection   = 0x002a
	attMobility     = 0x8030
	attICMP         = 0x8004
	attGoogleAck    = 0xc05a
)

var attributes = dissect.Values{
	attMapped: "MAPPED-ADDRESS", attResponse: "RESPONSE_ADDRESS", attChange: "CHANGE_REQUEST", attSource: "SOURCE_ADDRESS",
	attChanged: "CHANGED_ADDRESS", attUsername: "USERNAME", attPassword: "PASSWORD", attIntegrity: "MESSAGE-INTEGRITY",
	attError: "ERROR-CODE", attUnknown: "UNKNOWN-ATTRIBUTES", attReflected: "REFLECTED-FROM", attChannel: "CHANNEL-NUMBER",
	attLifetime: "LIFETIME", attBandwidth: "BANDWIDTH", attPeer: "XOR-PEER-ADDRESS", attData: "DATA", attRealm: "REALM",
	attNonce:   "NONCE",
	attRelayed: "XOR-RELAYED-ADDRESS", attFamily: "REQUESTED-ADDRESS-FAMILY", attEvenPort: "EVEN-PORT",
	attTransport: "REQUESTED-TRANSPORT", attDontFragment: "DONT-FRAGMENT", attIntegrity256: "MESSAGE-INTEGRITY-SHA256",
	attAlgorithm: "PASSWORD-ALGORITHM", attUserhash: "USERHASH",
	attXorMapped: "XOR-MAPPED-ADDRESS", attToken: "RESERVATION-TOKEN", attPriority: "PRIORITY", attUse: "USE-CANDIDATE",
	attPadding: "PADDING", attResponsePort: "RESPONSE-PORT", attConnection: "CONNECTION-ID",
	attXorMappedOld: "XOR-MAPPED-ADDRESS",
	attExtraFamily:  "ADDITIONAL-ADDRESS-FAMILY", attAlgorithms: "PASSWORD-ALGORITHMS", attDomain: "ALTERNATE-DOMAIN",
	attICMP: "ICMP", attSoftware: "SOFTWARE", attAlternate: "ALTERNATE-SERVER", attCacheTimeout: "CACHE-TIMEOUT",
	attFingerprint: "FINGERPRINT",
	attControlled:  "ICE-CONTROLLED", attControlling: "ICE-CONTROLLING", attOrigin: "RESPONSE-ORIGIN",
	attOther: "OTHER-ADDRESS", attMobility: "MOBILITY-TICKET", attNetworkInfo: "GOOG-NETWORK-INFO",
	0xc056: "GOOG-MISC-INFO", 0xc059: "GOOG-MESSAGE-INTEGRITY-32", attGoogleAck: "GOOG-DELTA",
	0xc058: "GOOG-LAST-ICE-CHECK-RECEIVED", 0x8008: "MS-VERSION", 0x8055: "MS-SERVICE-QUALITY",
	0x8054: "MS-CANDIDATE-IDENTIFIER", 0x8070: "MS-IMPLEMENTATION-VERSION",
}
