package tls

import "remora/dissect"

// contentTypes are the types of records (RFC 8446 section 5.1, RFC 6520, RFC 9146).
var contentTypes = dissect.Values{
	20: "Change Cipher Spec",
	21: "Alert",
	22: "Handshake",
	23: "Application Data",
	24: "Heartbeat",
	25: "Connection ID",
}

// handshakeTypes are the types of handshake messages (RFC 8446 section 4, RFC 5246 section 7.4).
var handshakeTypes = dissect.Values{
	0:  "Hello Request",
	1:  "Client Hello",
	2:  "Server Hello",
	3:  "Hello Verify Request",
	4:  "New Session Ticket",
	5:  "End of Early Data",
	6:  "Hello Retry Request",
	8:  "Encrypted Extensions",
	11: "Certificate",
	12: "Server Key Exchange",
	13: "Certificate Request",
	14: "Server Hello Done",
	15: "Certificate Verify",
	16: "Client Key Exchange",
	20: "Finished",
	21: "Client Certificate URL",
	22: "Certificate Status",
	23: "Supplemental Data",
	24: "Key Update",
	25: "Compressed Certificate",
	67: "Encrypted Extensions",
}

// versions are the versions on the wire, with the numbers that drafts used and those that clients reserve (RFC 8701).
var versions = dissect.Values{
	0x0002: "SSL 2.0",
	0x0100: "DTLS 1.0 (OpenSSL pre 0.9.8f)",
	0x0101: "GMTLS",
	0x0300: "SSL 3.0",
	0x0301: "TLS 1.0",
	0x0302: "TLS 1.1",
	0x0303: "TLS 1.2",
	0x0304: "TLS 1.3",
	0x0a0a: "Reserved (GREASE)",
	0x1a1a: "Reserved (GREASE)",
	0x2a2a: "Reserved (GREASE)",
	0x3a3a: "Reserved (GREASE)",
	0x4a4a: "Reserved (GREASE)",
	0x5a5a: "Reserved (GREASE)",
	0x6a6a: "Reserved (GREASE)",
	0x7a7a: "Reserved (GREASE)",
	0x7f0e: "TLS 1.3 (draft 14)",
	0x7f0f: "TLS 1.3 (draft 15)",
	0x7f10: "TLS 1.3 (draft 16)",
	0x7f11: "TLS 1.3 (draft 17)",
	0x7f12: "TLS 1.3 (draft 18)",
	0x7f13: "TLS 1.3 (draft 19)",
	0x7f14: "TLS 1.3 (draft 20)",
	0x7f15: "TLS 1.3 (draft 21)",
	0x7f16: "TLS 1.3 (draft 22)",
	0x7f17: "TLS 1.3 (draft 23)",
	0x7f18: "TLS 1.3 (draft 24)",
	0x7f19: "TLS 1.3 (draft 25)",
	0x7f1a: "TLS 1.3 (draft 26)",
	0x7f1b: "TLS 1.3 (draft 27)",
	0x7f1c: "TLS 1.3 (draft 28)",
	0x8a8a: "Reserved (GREASE)",
	0x9a9a: "Reserved (GREASE)",
	0xaaaa: "Reserved (GREASE)",
	0xbaba: "Reserved (GREASE)",
	0xcaca: "Reserved (GREASE)",
	0xdada: "Reserved (GREASE)",
	0xeaea: "Reserved (GREASE)",
	0xfafa: "Reserved (GREASE)",
	0xfb17: "TLS 1.3 (Facebook draft 23)",
	0xfb1a: "TLS 1.3 (Facebook draft 26)",
	0xfefd: "DTLS 1.2",
	0xfeff: "DTLS 1.0",
}

// alertLevels say how bad an alert is (RFC 5246 section 7.2).
var alertLevels = dissect.Values{
	1: "Warning",
	2: "Fatal",
}

// alerts are the descriptions of alerts (RFC 8446 section 6, RFC 5246 section 7.2).
var alerts = dissect.Values{
	0:   "Close Notify",
	1:   "End of Early Data",
	10:  "Unexpected Message",
	20:  "Bad Record MAC",
	21:  "Decryption Failed",
	22:  "Record Overflow",
	30:  "Decompression Failure",
	40:  "Handshake Failure",
	41:  "No Certificate",
	42:  "Bad Certificate",
	43:  "Unsupported Certificate",
	44:  "Certificate Revoked",
	45:  "Certificate Expired",
	46:  "Certificate Unknown",
	47:  "Illegal Parameter",
	48:  "Unknown CA",
	49:  "Access Denied",
	50:  "Decode Error",
	51:  "Decrypt Error",
	60:  "Export Restriction",
	70:  "Protocol Version",
	71:  "Insufficient Security",
	80:  "Internal Error",
	86:  "Inappropriate Fallback",
	90:  "User Canceled",
	100: "No Renegotiation",
	109: "Missing Extension",
	110: "Unsupported Extension",
	111: "Certificate Unobtainable",
	112: "Unrecognized Name",
	113: "Bad Certificate Status Response",
	114: "Bad Certificate Hash Value",
	115: "Unknown PSK Identity",
	116: "Certificate Required",
	120: "No application Protocol",
	121: "ECH Required",
}

// compressions are the compression methods (RFC 3749, RFC 3943).
var compressions = dissect.Values{
	0:  "null",
	1:  "DEFLATE",
	64: "LZS",
}

// curveTypes say how a curve is described (RFC 8422 section 5.4).
var curveTypes = dissect.Values{
	1: "explicit_prime",
	2: "explicit_char2",
	3: "named_curve",
}

// statusTypes are the types of certificate status (RFC 6066, RFC 6961).
var statusTypes = dissect.Values{
	1: "OCSP",
	2: "OCSP Multi",
}

// pointFormats are the forms of points on curves (RFC 8422 section 5.1.2).
var pointFormats = dissect.Values{
	0: "uncompressed",
	1: "ansiX962_compressed_prime",
	2: "ansiX962_compressed_char2",
}

// pskModes are the ways to use a shared key (RFC 8446 section 4.2.9).
var pskModes = dissect.Values{
	0: "PSK-only key establishment (psk_ke)",
	1: "PSK with (EC)DHE key establishment (psk_dhe_ke)",
}

// certCompressions compress certificates (RFC 8879).
var certCompressions = dissect.Values{
	1: "zlib",
	2: "brotli",
	3: "zstd",
}

// clientCertTypes are the kinds of certificate that a server takes (RFC 5246 section 7.4.4, RFC 8422).
var clientCertTypes = dissect.Values{
	1:  "RSA Sign",
	2:  "DSS Sign",
	3:  "RSA Fixed DH",
	4:  "DSS Fixed DH",
	21: "GOST R 34.10-94",
	22: "GOST R 34.10-2001",
	64: "ECDSA Sign",
	65: "RSA Fixed ECDH",
	66: "ECDSA Fixed ECDH",
	80: "IBC Params",
}

// heartbeatTypes are the types of heartbeat messages (RFC 6520).
var heartbeatTypes = dissect.Values{
	1: "Request",
	2: "Response",
}

// updateRequests say whether the other side is to change its keys too (RFC 8446 section 4.6.3).
var updateRequests = dissect.Values{
	0: "update_not_requested",
	1: "update_requested",
}

// fragmentLengths are the lengths that a client may ask for (RFC 6066 section 4).
var fragmentLengths = dissect.Values{
	1: "512",
	2: "1024",
	3: "2048",
	4: "4096",
}
