package ftp

import (
	"bytes"

	"remora/dissect"
)

// codes are the answers of RFC 959 and its extensions.
var codes = dissect.Values{
	110: "Restart marker reply",
	120: "Service ready in nnn minutes",
	125: "Data connection already open; transfer starting",
	150: "File status okay; about to open data connection",
	200: "Command okay",
	202: "Command not implemented, superfluous at this site",
	211: "System status, or system help reply",
	212: "Directory status",
	213: "File status",
	214: "Help message",
	215: "NAME system type",
	220: "Service ready for new user",
	221: "Service closing control connection",
	225: "Data connection open; no transfer in progress",
	226: "Closing data connection",
	227: "Entering Passive Mode",
	229: "Entering Extended Passive Mode",
	230: "User logged in, proceed",
	232: "User logged in, authorized by security data exchange",
	234: "Security data exchange complete",
	235: "Security data exchange completed successfully",
	250: "Requested file action okay, completed",
	257: "PATHNAME created",
	331: "User name okay, need password",
	332: "Need account for login",
	334: "Requested security mechanism is ok",
	335: "Security data is acceptable, more is required",
	336: "Username okay, need password. Challenge is ...",
	350: "Requested file action pending further information",
	421: "Service not available, closing control connection",
	425: "Can't open data connection",
	426: "Connection closed; transfer aborted",
	431: "Need some unavailable resource to process security",
	450: "Requested file action not taken",
	451: "Requested action aborted: local error in processing",
	452: "Requested action not taken. Insufficient storage space in system",
	500: "Syntax error, command unrecognized",
	501: "Syntax error in parameters or arguments",
	502: "Command not implemented",
	503: "Bad sequence of commands",
	504: "Command not implemented for that parameter",
	522: "Network protocol not supported",
	530: "Not logged in",
	532: "Need account for storing files",
	533: "Command protection level denied for policy reasons",
	534: "Request denied for policy reasons",
	535: "Failed security check (hash, sequence, etc)",
	536: "Requested PROT level not supported by mechanism",
	537: "Command protection level not supported by security mechanism",
	550: "Requested action not taken: File unavailable",
	551: "Requested action aborted: page type unknown",
	552: "Requested file action aborted: Exceeded storage allocation",
	553: "Requested action not taken: File name not allowed",
	631: "Integrity protected reply",
	632: "Confidentiality and integrity protected reply",
	633: "Confidentiality protected reply",
}

var verbs = []string{
	"USER", "PASS", "ACCT", "CWD", "CDUP", "SMNT", "QUIT", "REIN", "PORT", "PASV", "TYPE", "STRU", "MODE", "RETR", "STOR",
	"STOU", "APPE",
	"ALLO", "REST", "RNFR", "RNTO", "ABOR", "DELE", "RMD", "MKD", "PWD", "LIST", "NLST", "SITE", "SYST", "STAT", "HELP",
	"NOOP", "FEAT",
	"OPTS", "AUTH", "PBSZ", "PROT", "CCC", "EPRT", "EPSV", "MDTM", "SIZE", "MLST", "MLSD", "LANG", "XCWD", "XCUP", "XPWD",
	"XMKD", "XRMD",
}

// firstVerb is the packet type of the first command: the numbers are ours, behind those of the answers.
const firstVerb = 1001

// kinds are the packet types: a code, or a command.
var kinds = func() dissect.Values {
	v := dissect.Values{firstVerb - 1: "Command"}
	for code, name := range codes {
		v[code] = name
	}
	for i, name := range verbs {
		v[uint64(firstVerb+i)] = name
	}
	return v
}()

// verbOf is the number of a command among the packet types.
func verbOf(word []byte) uint16 {
	for i, v := range verbs {
		if len(word) == len(v) && bytes.EqualFold(word, []byte(v)) {
			return uint16(firstVerb + i)
		}
	}
	return firstVerb - 1
}
