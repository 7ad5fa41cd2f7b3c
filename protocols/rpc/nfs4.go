package rpc

import "remora/dissect"

var (
	n4Tag    = nfs.String("tag", "Tag", "A name that the caller gives to the compound.")
	n4Minor  = nfs.Uint32("minorversion", "minorversion", "Minor version of the protocol.")
	n4Count  = nfs.Uint32("ops.count", "Operations", "How many operations follow.")
	n4Op     = nfs.Group("op", "Opcode", "One operation.").Summary("Opcode: {nfs.opcode}")
	n4Main   = nfs.Uint32("main_opcode", "Main Opcode", "The operation that the others prepare.").Named(opcodes).Derived()
	n4Code   = nfs.Uint32("opcode", "Opcode", "What is asked.").Named(opcodes)
	n4Status = nfs.Uint32("nfsstat4", "Status", "How it went.").Named(status4).
			Also(nfs.Uint32("status", "Status", "How it went.").Named(status4))
	n4Name   = nfs.String("pathname.component", "Name", "Name of a file within its folder.")
	n4StID   = nfs.Bytes("stateid", "StateID", "What was opened or locked.")
	n4StHash = nfs.Uint16("stateid.hash", "StateID Hash", "A short name for it.").Hex().Derived()
	n4StMore = nfs.Uint32("stateid.other_hash", "StateID Other hash", "A short name for what does not change of it.").
			Hex().Derived()
	n4StSeq  = nfs.Uint32("stateid.seqid", "StateID seqid", "Counts changes of the state.")
	n4State  = nfs.Bytes("stateid.other", "StateID Other", "Names what was opened or locked.")
	n4Seq    = nfs.Uint32("seqid", "seqid", "Counts requests.").Hex()
	n4Offset = nfs.Uint64("offset4", "offset", "Where in the file.")
	n4Count4 = nfs.Uint32("count4", "count", "How many bytes.")
	n4Stable = nfs.Uint32("stable_how4", "stable_how4", "How safe the bytes must be.").Named(stable)
	n4Client = nfs.Uint64("clientid", "clientid", "Names the client.").Hex()
	n4Verf   = nfs.Uint64("verifier4", "verifier", "Tells whether somebody has begun anew.").Hex()
	n4ID     = nfs.Bytes("nfs_client_id4.id", "id", "The client's own name.")
	n4Prog   = nfs.Uint32("cb_program", "cb_program", "The client's program for calls back.").Hex()
	n4Net    = nfs.String("r_netid", "r_netid", "How to reach it.")
	n4Addr   = nfs.String("r_addr", "r_addr", "Where it is.")
	n4IPv4   = nfs.IPv4("universal_address.ipv4", "IPv4 address", "The address in it.").Derived()
	n4Ident  = nfs.Uint32("callback.ident", "callback_ident", "The client's number for calls back.").Hex()
	n4Cookie = nfs.Uint64("cookie4", "cookie", "Where in the folder.")
	n4CkVerf = nfs.Uint64("cookie_verf4", "cookie_verf", "Tells whether the cookie still holds.")
	n4Dir    = nfs.Uint32("dircount", "dircount", "How many bytes of names.")
	n4Max    = nfs.Uint32("maxcount", "maxcount", "How many bytes at most.")
	n4EOF    = nfs.Uint32("eof", "eof", "The file ends here.")
	n4Sess   = nfs.Bytes("session_id4", "sessionid", "Names the session.")
	n4Slot   = nfs.Uint32("slotid", "slot id", "Which of the session's slots.")
	n4High   = nfs.Uint32("high_slotid", "high slot id", "The highest slot in use.")
	n4Cache  = nfs.Bool("cachethis", "cache this?", "Whether to keep the reply.").Wide(4).TrueFalse("Yes", "No")
	n4Flags  = nfs.Uint32("sequence.flags", "status flags", "What the client should know.").Hex()
)

// asks4 are the shapes of the arguments of operations (RFC 7530 section 16, RFC 8881 section 18). What is not listed is
// not taken apart, nor what stands behind it.
var asks4 = map[uint64]shape{
	3: "A", 4: "qs", 5: "oc", 8: "s", 9: "m", 10: "", 11: "n", 15: "n", 16: "", 20: "sq", 22: "h", 23: "", 24: "",
	25: "soc", 26: "kVdxm", 27: "",
	28: "n", 29: "nn", 30: "i", 31: "", 32: "", 33: "n", 34: "sa", 35: "vIpNUt", 36: "iv", 38: "soSW", 44: "Z",
	53: "ZqLHK", 57: "i", 58: "K",
}

// tells4 are those of the results where it went well.
var tells4 = map[uint64]shape{
	3: "B", 4: "s", 5: "v", 8: "", 9: "a", 10: "h", 15: "", 16: "", 20: "s", 22: "", 23: "", 24: "", 25: "eR", 27: "l",
	30: "", 31: "", 32: "",
	34: "m", 35: "iv", 36: "", 38: "cSv", 44: "", 53: "ZqLHHF", 57: "", 58: "",
}

// ranks tell which operations only prepare others: those of the lowest rank in a compound are what it is for. What is
// not listed has rank 0.
var ranks = map[uint64]int{3: 1, 9: 2, 10: 3, 17: 1, 22: 3, 23: 2, 24: 2, 31: 3, 32: 3, 37: 1, 53: 4}

var nfs4Args = map[uint32]routine{1: func(d *dissect.D) {
	opaque(d, fTextLen, n4Tag)
	d.Uint(n4Minor)
	(&compound{shapes: asks4}).read(d)
}}

var nfs4Results = map[uint32]routine{1: func(d *dissect.D) {
	d.Uint(n4Status)
	opaque(d, fTextLen, n4Tag)
	(&compound{shapes: tells4, answers: true}).read(d)
}}
