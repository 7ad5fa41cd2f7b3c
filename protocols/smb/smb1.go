package smb

import (
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var old = dissect.NewProtocol("smb", "SMB", "Server Message Block, version 1: what came before, by its headers.").
	LittleEndian().
	Summary("SMB (Server Message Block Protocol)").Color(dissect.HueBlue).SharesFields(slot)

var (
	oHeader = old.Group("header", "SMB Header", "What all messages begin with.")
	oMagic  = old.Uint32("server_component", "Server Component", "Always the same.").Hex()
	oCmd    = old.Kind("cmd", "SMB Command", commands1, "What is asked.").Wordless()
	oStatus = old.Uint32("nt_status", "NT Status", "How the request went.").Hex().Named(statuses)
	oClass  = old.Uint8("error_class", "Error Class", "Who says how the request went.").Hex().
		Named(dissect.Values{0: "Success", 1: "DOS Error", 2: "Server Error", 3: "Hardware Error",
			4: "Command Error - Not an SMB format command"})
	oError = old.Uint16("error_code", "Error Code", "How the request went.").Hex()
	oFlags = old.Flags8("flags", "Flags", []dissect.Flag{
		{Name: "response", Label: "Request/Response", Mask: 0x80, Doc: "This is a response."},
		{Name: "notify", Label: "Notify", Mask: 0x40, Doc: "The client wants to hear of changes."},
		{Name: "oplock", Label: "Oplocks", Mask: 0x20, Doc: "The client may keep things to itself."},
		{Name: "canon", Label: "Canonicalized Pathnames", Mask: 0x10, Doc: "Names are in their plain form."},
		{Name: "caseless", Label: "Case Sensitivity", Mask: 0x08, Doc: "Upper and lower case are the same."},
		{Name: "receive_buffer", Label: "Receive Buffer Posted", Mask: 0x02, Doc: "There is room for the response."},
		{Name: "lock", Label: "Lock and Read", Mask: 0x01, Doc: "Locking and reading go together."},
	}, "What the message is.")
	oFlags2 = old.Flags16("flags2", "Flags2", []dissect.Flag{
		{Name: "string", Label: "Unicode Strings", Mask: 0x8000, Doc: "Texts are Unicode."},
		{Name: "nt_error", Label: "Error Code Type", Mask: 0x4000, Doc: "The status is one of Windows NT."},
		{Name: "roe", Label: "Execute-only Reads", Mask: 0x2000, Doc: "What can be run can be read."},
		{Name: "dfs", Label: "Dfs", Mask: 0x1000, Doc: "Names are of a distributed file system."},
		{Name: "esn", Label: "Extended Security Negotiation", Mask: 0x0800, Doc: "Users prove who they are in newer ways."},
		{Name: "reparse_path", Label: "Reparse Path", Mask: 0x0400, Doc: "The name holds a time."},
		{Name: "long_names_used", Label: "Long Names Used", Mask: 0x40, Doc: "Names are long."},
		{Name: "sec_sig_required", Label: "Security Signatures Required", Mask: 0x10, Doc: "Messages must be signed."},
		{Name: "compressed", Label: "Compressed", Mask: 0x08, Doc: "Data may be packed."},
		{Name: "sec_sig", Label: "Security Signatures", Mask: 0x04, Doc: "Messages are signed."},
		{Name: "ea", Label: "Extended Attributes", Mask: 0x02, Doc: "Files have attributes of their own."},
		{Name: "long_names_allowed", Label: "Long Names Allowed", Mask: 0x01, Doc: "Names may be long."},
	}, "What the sender can do.")
	oPIDHigh = old.Uint16("pid.high", "Process ID High", "Upper half of the client's process.")
	oSign    = old.Bytes("signature", "Signature", "Proof that nobody changed the message.")
	oRes     = old.Bytes("reserved", "Reserved", "Unused.")
	oTID     = old.Uint16("tid", "Tree ID", "Which share.")
	oPID     = old.Uint16("pid", "Process ID", "The client's process.")
	oUID     = old.Uint16("uid", "User ID", "Which session.")
	oMID     = old.Uint16("mid", "Multiplex ID", "Joins request and response.")
	oTo      = old.FrameRef("response_to", "Response to", "The request.")
	oIn      = old.FrameRef("response_in", "Response in", "The response.")
	oTime    = old.Span("time", "Time from request", "Time from the request to the response.").Derived()
	oWords   = old.Uint8("wct", "Word Count (WCT)", "How many words follow.")
	oWord    = old.Bytes("words", "Words", "What the command makes of them.")
	oCount   = old.Uint16("bcc", "Byte Count (BCC)", "How many bytes follow.")
	oDialect = old.Group("dialects", "Requested Dialects", "The versions that the client speaks.")
	oFormat  = old.Uint8("buffer_format", "Buffer Format", "What follows.").Named(dissect.Values{2: "Dialect"})
	oName    = old.String("dialect.name", "Name", "A version.")
	oData    = old.Bytes("data", "Data", "What the command makes of them.")
)

// Old attaches version 1 to what sessions carry.
func Old() dissect.Plugin {
	return dissect.Plugin{Protocol: old, Statistics: oldStatistics, Objects: oldObjects, Dissect: oldMessage,
		On: []dissect.Key{{Table: payloads, Value: magicOld}, {Table: tables.NetBIOSDatagram, Value: 0}}}
}

// Commands of version 1.
const (
	oldNegotiate = 0x72
	oldSetup     = 0x73
)

func oldMessage(d *dissect.D) {
	b, base := d.Data(), d.Pos()
	if d.Left() >= 4 && d.PeekUint(0, 4) != magicOld {
		d.Reject()
		return
	}
	response := little(b, 9, 1)&0x80 != 0
	cmd, status := little(b, 4, 1), little(b, 5, 4)
	d.In(oHeader, func() {
		d.Uint(oMagic)
		d.Kind(oCmd)
		if little(b, 10, 2)&0x4000 != 0 {
			d.Uint(oStatus)
		} else { // errors of DOS
			d.Uint(oClass)
			d.Bytes(oRes, 1)
			d.Uint(oError)
		}
		d.Uint(oFlags)
		d.Uint(oFlags2)
		d.Uint(oPIDHigh)
		d.Bytes(oSign, 8)
		d.Bytes(oRes, 2)
		d.Uint(oTID)
		d.Uint(oPID)
		d.Uint(oUID)
		d.Uint(oMID)
	})
	if d.Short() {
		return
	}
	key := cmd<<32 | little(b, 26, 2)<<16 | little(b, 30, 2)
	what := "Request"
	if response {
		what = "Response"
		d.Response(key, oIn, oTo, oTime)
	} else {
		d.Request(key, oIn)
	}
	if d.Info().Wanted() {
		name := commands1[cmd]
		if name == "" {
			name = fmt.Sprintf("unknown-0x%02x", cmd)
		}
		if posts(b) {
			d.Info().Setf("Write Mail Slot")
		} else {
			d.Info().Setf("%s %s", name, what)
		}
	}
	o := &oldReader{d: d, base: base, cmd: cmd, response: response, unicode: little(b, 10, 2)&0x8000 != 0,
		pipe: little(b, 30, 2)}
	o.note = o.remember(b)
	o.body()
	if response && status != 0 && d.Info().Wanted() {
		d.Info().List("Error: " + statuses[status])
	}
	d.Rest(oData)
}

// posts tells whether a message is a transaction that writes to a mail slot: its setup says so.
func posts(b []byte) bool {
	return little(b, 4, 1) == oldTrans && little(b, 9, 1)&0x80 == 0 && little(b, 59, 1) == 3 && little(b, 61, 2) == 1
}
