package ntp

import "remora/dissect"

var leaps = dissect.Values{
	0: "no warning", 1: "last minute of the day has 61 seconds", 2: "last minute of the day has 59 seconds",
	3: "unknown (clock unsynchronized)",
}

var versions = dissect.Values{
	0: "reserved", 1: "NTP Version 1", 2: "NTP Version 2", 3: "NTP Version 3", 4: "NTP Version 4", 5: "reserved",
	6: "reserved", 7: "reserved",
}

var modes = dissect.Values{
	0: "reserved", 1: "symmetric active", 2: "symmetric passive", 3: "client", 4: "server", 5: "broadcast",
	6: "reserved for NTP control message",
	7: "reserved for private use",
}

// extensions are the types of extension fields (RFC 5906, 7821, 8915).
var extensions = dissect.Values{
	0x2: "No-Operation Request", 0x102: "Association Message Request", 0x104: "Unique Identifier",
	0x202: "Certificate Message Request", 0x204: "NTS Cookie",
	0x302: "Cookie Message Request", 0x304: "NTS Cookie Placeholder", 0x402: "Autokey Message Request",
	0x404: "NTS Authenticator and Encrypted Extension Fields", 0x502: "Leapseconds Message Request",
	0x602: "Sign Message Request",
	0x702: "IFF Identity Message Request", 0x802: "GQ Identity Message Request", 0x902: "MV Identity Message Request",
	0x2005: "Checksum Complement",
	0x8002: "No-Operation Response", 0x8102: "Association Message Response", 0x8202: "Certificate Message Response",
	0x8302: "Cookie Message Response",
	0x8402: "Autokey Message Response", 0x8502: "Leapseconds Message Response", 0x8602: "Sign Message Response",
	0x8702: "IFF Identity Message Response",
	0x8802: "GQ Identity Message Response", 0x8902: "MV Identity Message Response", 0xc002: "No-Operation Error Response",
	0xc102: "Association Message Error Response", 0xc202: "Certificate Message Error Response",
	0xc302: "Cookie Message Error Response",
	0xc402: "Autokey Message Error Response", 0xc502: "Leapseconds Message Error Response",
	0xc602: "Sign Message Error Response",
	0xc702: "IFF Identity Message Error Response", 0xc802: "GQ Identity Message Error Response",
	0xc902: "MV Identity Message Error Response",
}

// opcodes are those of control messages (RFC 9327).
var opcodes = dissect.Values{
	0: "reserved", 1: "read status", 2: "read variables", 3: "write variables", 4: "read clock variables",
	5: "write clock variables",
	6: "set trap address/port", 7: "asynchronous message", 8: "runtime configuration", 9: "save config to file",
	10: "retrieve MRU (mrulist)",
	11: "retrieve ordered list", 12: "request a client nonce", 31: "unset trap address/port",
}

var controlErrors = dissect.Values{
	0: "unspecified", 1: "authentication failure", 2: "invalid message length or format", 3: "invalid opcode",
	4: "unknown association identifier",
	5: "unknown variable name", 6: "invalid variable value", 7: "administratively prohibited",
}

var clockSources = dissect.Values{
	0: "unspecified or unknown", 1: "Calibrated atomic clock (e.g. HP 5061)",
	2: "VLF (band 4) or LF (band 5) radio (e.g. OMEGA, WWVB)",
	3: "HF (band 7) radio (e.g. CHU, MSF, WWV/H)", 4: "UHF (band 9) satellite (e.g. GOES, GPS)",
	5: "local net (e.g. DCN, TSP, DTS)", 6: "UDP/NTP",
	7: "UDP/TIME", 8: "eyeball-and-wristwatch", 9: "telephone modem (e.g. NIST)",
}

var systemEvents = dissect.Values{
	0: "unspecified", 1: "frequency correction (drift) file not available",
	2: "frequency correction started (frequency stepped)",
	3: "spike detected and ignored, starting stepout timer", 4: "frequency training started", 5: "clock synchronized",
	6: "system restart",
	7: "panic stop (required step greater than panic threshold)", 8: "no system peer",
	9: "leap second insertion/deletion armed", 10: "leap second disarmed",
	11: "leap second inserted or deleted", 12: "clock stepped (stepout timer expired)",
	13: "kernel loop discipline status changed",
	14: "leapseconds table loaded from file", 15: "leapseconds table outdated, updated file needed",
}

var peerSelections = dissect.Values{
	0: "rejected", 1: "passed sanity checks (tests 1 through 8 in Section 3.4.3)",
	2: "passed correctness checks (intersection algorithm in Section 4.2.1)",
	3: "passed candidate checks (if limit check implemented)",
	4: "passed outlier checks (clustering algorithm in Section 4.2.2)",
	5: "current synchronization source; max distance exceeded (if limit check implemented)",
	6: "current synchronization source; max distance okay",
	7: "reserved",
}

var peerEvents = dissect.Values{
	0: "unspecified", 1: "association mobilized", 2: "association demobilized",
	3: "peer unreachable (peer.reach was nonzero now zero)",
	4: "peer reachable (peer.reach was zero now nonzero)", 5: "association restarted or timed out",
	6: "no server found (ntpdate mode)",
	7: "rate exceeded (kiss code RATE)", 8: "access denied (kiss code DENY)", 9: "leap armed from server LI code",
	10: "become system peer",
	11: "reference clock event (see clock status word)", 12: "authentication failure", 13: "popcorn spike suppressor",
	14: "entering interleave mode",
	15: "interleave error (recovered)", 16: "leapsecond values update from server",
}

var clockStates = dissect.Values{
	0: "clock operating within nominals", 1: "reply timeout", 2: "bad reply format", 3: "hardware or software fault",
	4: "propagation failure",
	5: "bad date format or value", 6: "bad time format or value",
}

var implementations = dissect.Values{
	0: "UNIV", 2: "XNTPD_OLD (pre-IPv6)", 3: "XNTPD",
}

var privateRequests = dissect.Values{
	0: "PEER_LIST", 1: "PEER_LIST_SUM", 2: "PEER_INFO", 3: "PEER_STATS", 4: "SYS_INFO", 5: "SYS_STATS", 6: "IO_STATS",
	7: "MEM_STATS", 8: "LOOP_INFO",
	9: "TIMER_STATS", 10: "CONFIG", 11: "UNCONFIG", 12: "SET_SYS_FLAG", 13: "CLR_SYS_FLAG", 14: "MONITOR", 15: "NOMONITOR",
	16: "GET_RESTRICT",
	17: "RESADDFLAGS", 18: "RESSUBFLAGS", 19: "UNRESTRICT", 20: "MON_GETLIST", 21: "RESET_STATS", 22: "RESET_PEER",
	23: "REREAD_KEYS", 24: "DO_DIRTY_HACK",
	25: "DONT_DIRTY_HACK", 26: "TRUSTKEY", 27: "UNTRUSTKEY", 28: "AUTHINFO", 29: "TRAPS", 30: "ADD_TRAP", 31: "CLR_TRAP",
	32: "REQUEST_KEY",
	33: "CONTROL_KEY", 34: "GET_CTLSTATS", 35: "GET_LEAPINFO", 36: "GET_CLOCKINFO", 37: "SET_CLKFUDGE", 38: "GET_KERNEL",
	39: "GET_CLKBUGINFO",
	41: "SET_PRECISION", 42: "MON_GETLIST_1", 43: "HOSTNAME_ASSOCID", 44: "IF_STATS", 45: "IF_RELOAD",
}

var privateErrors = dissect.Values{
	0x0: "No error", 0x1: "incompatible implementation number", 0x2: "unimplemented request code", 0x3: "format error",
	0x4: "no data available",
	0x5: "unknown", 0x6: "unknown", 0x7: "authentication failure",
}
