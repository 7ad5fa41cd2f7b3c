package snmp

import "remora/dissect"

var pdus = dissect.Values{
	0: "get-request", 1: "get-next-request", 2: "get-response", 3: "set-request", 4: "trap", 5: "getBulkRequest",
	6: "informRequest", 7: "snmpV2-trap",
	8: "report",
}

var versions = dissect.Values{
	0: "version-1", 1: "v2c", 2: "v2u", 3: "snmpv3",
}

var errors = dissect.Values{
	0: "noError", 1: "tooBig", 2: "noSuchName", 3: "badValue", 4: "readOnly", 5: "genErr", 6: "noAccess", 7: "wrongType",
	8: "wrongLength",
	9: "wrongEncoding", 10: "wrongValue", 11: "noCreation", 12: "inconsistentValue", 13: "resourceUnavailable",
	14: "commitFailed", 15: "undoFailed",
	16: "authorizationError", 17: "notWritable", 18: "inconsistentName",
}

var traps = dissect.Values{
	0: "coldStart", 1: "warmStart", 2: "linkDown", 3: "linkUp", 4: "authenticationFailure", 5: "egpNeighborLoss",
	6: "enterpriseSpecific",
}

var models = dissect.Values{
	0: "Any", 1: "V1", 2: "V2C", 3: "USM",
}

var engineFormats = dissect.Values{
	1: "IPv4 address", 2: "IPv6 address", 3: "MAC address", 4: "Text, administratively assigned",
	5:   "Octets, administratively assigned",
	128: "Reserved/Enterprise-specific",
}

var scopes = dissect.Values{
	0: "plaintext", 1: "encryptedPDU",
}
