package dns

import "remora/dissect"

// The numbers of IANA's registry "Domain Name System (DNS) Parameters".

// The derived packet types: the opcode, with 16 added for responses.
var types = dissect.Values{0: "QUERY", 1: "IQUERY", 2: "STATUS", 4: "NOTIFY", 5: "UPDATE", 6: "DSO", 16: "RESPONSE",
	17: "IQUERY-RESPONSE", 18: "STATUS-RESPONSE", 20: "NOTIFY-RESPONSE", 21: "UPDATE-RESPONSE", 22: "DSO-RESPONSE"}

const opUpdate = 5

var opcodes = dissect.Values{0: "Standard query", 1: "Inverse query", 2: "Server status request",
	4: "Zone change notification", opUpdate: "Dynamic update", 6: "DNS Stateful operations (DSO)"}

var rcodes = dissect.Values{0: "No error", 1: "Format error", 2: "Server failure", 3: "No such name",
	4: "Not implemented", 5: "Refused", 6: "Name exists", 7: "RRset exists", 8: "RRset does not exist",
	9: "Not authoritative", 10: "Name out of zone", 11: "DSO-Type not implemented",
	16: "Bad OPT version", 17: "Key not recognized", 18: "Signature out of time window", 19: "Bad TKEY mode",
	20: "Duplicate key name", 21: "Algorithm not supported", 22: "Bad truncation", 23: "Bad/missing server cookie"}

// The types of records that are read in full.
const (
	typeA          = 1
	typeNS         = 2
	typeCNAME      = 5
	typeSOA        = 6
	typeNULL       = 10
	typePTR        = 12
	typeHINFO      = 13
	typeMX         = 15
	typeTXT        = 16
	typeRP         = 17
	typeAFSDB      = 18
	typeSIG        = 24
	typeAAAA       = 28
	typeLOC        = 29
	typeSRV        = 33
	typeNAPTR      = 35
	typeDNAME      = 39
	typeOPT        = 41
	typeDS         = 43
	typeSSHFP      = 44
	typeRRSIG      = 46
	typeNSEC       = 47
	typeDNSKEY     = 48
	typeNSEC3      = 50
	typeNSEC3PARAM = 51
	typeTLSA       = 52
	typeSMIMEA     = 53
	typeCDS        = 59
	typeCDNSKEY    = 60
	typeOPENPGPKEY = 61
	typeSVCB       = 64
	typeHTTPS      = 65
	typeSPF        = 99
	typeEUI48      = 108
	typeTSIG       = 250
	typeCAA        = 257
	typeDLV        = 32769
)

var recordTypes = dissect.Values{1: "A", 2: "NS", 3: "MD", 4: "MF", 5: "CNAME", 6: "SOA", 7: "MB", 8: "MG", 9: "MR",
	10: "NULL", 11: "WKS", 12: "PTR", 13: "HINFO", 14: "MINFO", 15: "MX", 16: "TXT", 17: "RP", 18: "AFSDB", 19: "X25",
	20: "ISDN", 21: "RT", 22: "NSAP",
	24: "SIG", 25: "KEY", 26: "PX", 27: "GPOS", 28: "AAAA", 29: "LOC", 30: "NXT", 31: "EID", 33: "SRV", 34: "ATMA",
	35: "NAPTR", 36: "KX", 37: "CERT", 38: "A6", 39: "DNAME", 40: "SINK", 41: "OPT", 42: "APL", 43: "DS", 44: "SSHFP",
	45: "IPSECKEY", 46: "RRSIG", 47: "NSEC",
	48: "DNSKEY", 49: "DHCID", 50: "NSEC3", 51: "NSEC3PARAM", 52: "TLSA", 53: "SMIMEA", 55: "HIP", 56: "NINFO", 57: "RKEY",
	58: "TALINK", 59: "CDS", 60: "CDNSKEY", 61: "OPENPGPKEY", 62: "CSYNC", 63: "ZONEMD", 64: "SVCB", 65: "HTTPS",
	99: "SPF", 100: "UINFO", 104: "NID", 105: "L32", 106: "L64", 107: "LP",
	108: "EUI48", 109: "EUI64", 249: "TKEY", 250: "TSIG", 251: "IXFR", 252: "AXFR", 253: "MAILB", 254: "MAILA", 255: "ANY",
	256: "URI", 257: "CAA", 32768: "TA", 32769: "DLV", 65281: "WINS", 65282: "WINS-R"}

var classes = dissect.Values{1: "IN", 2: "CS", 3: "CH", 4: "HS", 254: "NONE", 255: "ANY"}

var algorithms = dissect.Values{1: "RSA/MD5", 2: "Diffie-Hellman", 3: "DSA", 4: "Elliptic curve crypto", 5: "RSA/SHA1",
	6: "DSA + NSEC3/SHA1", 7: "RSA/SHA1 + NSEC3/SHA1", 8: "RSA/SHA-256", 10: "RSA/SHA-512", 12: "GOST R 34.10-2001",
	13: "ECDSA Curve P-256 with SHA-256", 14: "ECDSA Curve P-384 with SHA-384", 15: "Ed25519", 16: "Ed448",
	157: "HMAC/MD5", 252: "Indirect key", 253: "Private, domain name", 254: "Private, OID"}

var digests = dissect.Values{1: "SHA-1", 2: "SHA-256", 3: "GOST R 34.11-94", 4: "SHA-384"}

var optionCodes = dissect.Values{1: "LLQ - Long-lived query", 2: "UL - Update lease",
	3: "NSID - Name Server Identifier", 5: "DAU - DNSSEC Algorithm Understood", 6: "DHU - DS Hash Understood",
	7: "N3U - NSEC3 Hash Understood", 8: "CSUBNET - Client subnet", 9: "EDNS EXPIRE (RFC7314)", 10: "COOKIE",
	11: "EDNS TCP Keepalive", 12: "PADDING", 13: "CHAIN", 14: "KEYTAG", 15: "Extended DNS Error"}

var extendedErrors = dissect.Values{0: "Other Error", 1: "Unsupported DNSKEY Algorithm",
	2: "Unsupported DS Digest Type", 3: "Stale Answer", 4: "Forged Answer", 5: "DNSSEC Indeterminate", 6: "DNSSEC Bogus",
	7: "Signature Expired", 8: "Signature Not Yet Valid", 9: "DNSKEY Missing", 10: "RRSIGs Missing",
	11: "No Zone Key Bit Set", 12: "NSEC Missing",
	13: "Cached Error", 14: "Not Ready", 15: "Blocked", 16: "Censored", 17: "Filtered", 18: "Prohibited",
	19: "Stale NXDomain Answer", 20: "Not Authoritative", 21: "Not Supported", 22: "No Reachable Authority",
	23: "Network Error", 24: "Invalid Data"}

var serviceKeys = dissect.Values{0: "mandatory", 1: "alpn", 2: "no-default-alpn", 3: "port", 4: "ipv4hint",
	5: "echconfig", 6: "ipv6hint", 7: "dohpath"}
