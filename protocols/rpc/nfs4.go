package rpc

import "remora/dissect"

var (
	n4Tag    = nfs.String("tag", "Tag", "A name that the caller gives to the compound.")
	n4Minor  = nfs.Uint32("minorversion", "minorversion", "Minor version of the protocol.")
	n4Count  = nfs.Uint32("ops.count", "Operations", "How many operations follow.")
	n4Op     = nfs.Group("op", "Opcode", "One operation.").Summary("Opcode: {nfs.opcode:name}")
	n4Code   = nfs.Uint32("opcode", "Opcode", "What is asked.").Named(opcodes)
	n4Status = nfs.Uint32("nfsstat4", "Status", "How it went.").Named(status4)
	n4Name   = nfs.String("pathname.component", "Name", "Name of a file within its folder.")
	n4StSeq  = nfs.Uint32("stateid.seqid", "StateID seqid", "Counts changes of the state.")
	n4State  = nfs.Bytes("stateid.other", "StateID Other", "Names what was opened or locked.")
	n4Seq    = nfs.Uint32("seqid", "seqid", "Counts requests.").Hex()
	n4Offset = nfs.Uint64("offset4", "offset", "Where in the file.")
	n4Count4 = nfs.Uint32("count4", "count", "How many bytes.")
	n4Stable = nfs.Uint32("stable_how4", "stable_how4", "How safe the bytes must be.").Named(stable)
	n4Words  = nfs.Uint32("attr_mask_words", "Attr mask words", "How many words of bits follow.")
	n4Mask   = nfs.Uint32("attr_mask", "Attr mask", "Which attributes.").Hex()
	n4Attrs  = nfs.Bytes("attr_vals", "Attributes", "The values of the attributes.")
	n4Client = nfs.Uint64("clientid", "clientid", "Names the client.").Hex()
	n4Verf   = nfs.Uint64("verifier4", "verifier", "Tells whether somebody has begun anew.").Hex()
	n4ID     = nfs.Bytes("nfs_client_id4.id", "id", "The client's own name.")
	n4Prog   = nfs.Uint32("cb_program", "cb_program", "The client's program for calls back.").Hex()
	n4Net    = nfs.String("r_netid", "r_netid", "How to reach it.")
	n4Addr   = nfs.String("r_addr", "r_addr", "Where it is.")
	n4Ident  = nfs.Uint32("callback.ident", "callback_ident", "The client's number for calls back.").Hex()
	n4Cookie = nfs.Uint64("cookie4", "cookie", "Where in the folder.")
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
	3: "A", 4: "qs", 5: "oc", 8: "s", 9: "m", 10: "", 11: "n", 15: "n", 16: "", 20: "sq", 22: "h", 23: "", 24: "", 25: "soc", 26: "kvdxm", 27: "",
	28: "n", 29: "nn", 30: "i", 31: "", 32: "", 33: "n", 34: "sa", 35: "vIpNUt", 36: "iv", 38: "soSW", 44: "Z", 53: "ZqLHK", 57: "i", 58: "K",
}

// tells4 are those of the results where it went well.
var tells4 = map[uint64]shape{
	3: "AA", 4: "s", 5: "v", 8: "", 9: "a", 10: "h", 15: "", 16: "", 20: "s", 22: "", 23: "", 24: "", 25: "eR", 27: "l", 30: "", 31: "", 32: "",
	34: "m", 35: "iv", 36: "", 38: "cSv", 44: "", 53: "ZqLHHF", 57: "", 58: "",
}

// minor are the operations that only prepare others.
var minor = map[uint64]bool{3: true, 9: true, 10: true, 22: true, 23: true, 24: true, 31: true, 32: true, 53: true}

var nfs4Args = map[uint32]routine{1: func(d *dissect.D) {
	opaque(d, nLen, n4Tag, nFill)
	d.Uint(n4Minor)
	operations(d, asks4, false)
}}

var nfs4Results = map[uint32]routine{1: func(d *dissect.D) {
	d.Uint(n4Status)
	opaque(d, nLen, n4Tag, nFill)
	operations(d, tells4, true)
}}

// operations reads the operations of a compound, as far as their forms are known.
func operations(d *dissect.D, shapes map[uint64]shape, answers bool) {
	n, gap := d.Uint(n4Count), " "
	for i := uint64(0); i < n && d.More(); i++ {
		whole := true
		d.In(n4Op, func() {
			code := d.Uint(n4Code)
			status := uint64(0)
			if answers {
				status = d.Uint(n4Status)
			}
			if d.Texting() && (!minor[code] || i == n-1 && n < 3) {
				d.Infof("%s%s", gap, opcodes[code])
				gap = ""
				if status != 0 {
					d.Infof("Status: %s", status4[status])
				}
			}
			if answers && status != 0 {
				return
			}
			sort := code
			if answers {
				sort |= 1 << 16
			}
			if read := special4[sort]; read != nil {
				if whole = read(d); !whole {
					d.Rest(nRest)
				}
				return
			}
			s, ok := shapes[code]
			if !ok {
				d.Rest(nRest)
				whole = false
				return
			}
			for j := 0; j < len(s) && !d.Short(); j++ {
				part4(d, s[j])
			}
		})
		if !whole {
			return
		}
	}
}

// part4 reads one part of an operation's arguments or results.
func part4(d *dissect.D, c byte) {
	switch c {
	case 'A':
		d.Uint(nAccess)
	case 'h':
		handle(d)
	case 'n':
		if name := opaque(d, nLen, n4Name, nFill); d.Texting() {
			d.Infof("%s", name)
		}
	case 's':
		d.Uint(n4StSeq)
		d.Bytes(n4State, 12)
	case 'q':
		d.Uint(n4Seq)
	case 'o':
		d.Uint(n4Offset)
	case 'c':
		d.Uint(n4Count4)
	case 'S':
		d.Uint(n4Stable)
	case 'W':
		opaque(d, nWrite, nData, nFill)
	case 'R':
		opaque(d, nRead, nData, nFill)
	case 'l':
		opaque(d, nLen, nLink, nFill)
	case 'm':
		bitmap(d)
	case 'a':
		bitmap(d)
		opaque(d, nLen, n4Attrs, nFill)
	case 'i':
		d.Uint(n4Client)
	case 'v':
		d.Uint(n4Verf)
	case 'I':
		opaque(d, nLen, n4ID, nFill)
	case 'p':
		d.Uint(n4Prog)
	case 'N':
		opaque(d, nLen, n4Net, nFill)
	case 'U':
		opaque(d, nLen, n4Addr, nFill)
	case 't':
		d.Uint(n4Ident)
	case 'k':
		d.Uint(n4Cookie)
	case 'd':
		d.Uint(n4Dir)
	case 'x':
		d.Uint(n4Max)
	case 'e':
		d.Uint(n4EOF)
	case 'Z':
		d.Bytes(n4Sess, 16)
	case 'L':
		d.Uint(n4Slot)
	case 'H':
		d.Uint(n4High)
	case 'K':
		d.Bool(n4Cache)
	case 'F':
		d.Uint(n4Flags)
	}
}

// bitmap reads which attributes are meant.
func bitmap(d *dissect.D) {
	for n := d.Uint(n4Words); n > 0 && d.More(); n-- {
		d.Uint(n4Mask)
	}
}
