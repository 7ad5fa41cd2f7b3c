package smb

import (
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var (
	oTPC     = old.Uint16("tpc", "Total Parameter Count", "How many bytes of parameters there are in all messages.")
	oTDC     = old.Uint16("tdc", "Total Data Count", "How many bytes of data there are in all messages.")
	oMPC     = old.Uint16("mpc", "Max Parameter Count", "How many bytes of parameters the response may have.")
	oMDC     = old.Uint16("mdc", "Max Data Count", "How many bytes of data the response may have.")
	oMSC     = old.Uint8("msc", "Max Setup Count", "How many words of setup the response may have.")
	oTFlags  = old.Uint16("transaction.flags", "Flags", "Whether to answer, and to leave the share.").Hex()
	oOneWay  = old.Bool("transaction.flags.owt", "One Way Transaction", "No response is wanted.").Wide(2).Masked(2)
	oLeave   = old.Bool("transaction.flags.dtid", "Disconnect TID", "The share is left afterwards.").Wide(2).Masked(1)
	oTimeout = old.Uint32("timeout", "Timeout", "How long the server may take.").In("ms")
	oPC      = old.Uint16("pc", "Parameter Count", "How many bytes of parameters there are here.")
	oPO      = old.Uint16("po", "Parameter Offset", "Where they are, counted from the header.")
	oPD      = old.Uint16("pd", "Parameter Displacement", "Where they belong.")
	oDC      = old.Uint16("dc", "Data Count", "How many bytes of data there are here.")
	oDO      = old.Uint16("data_offset", "Data Offset", "Where they are, counted from the header.")
	oDD      = old.Uint16("data_disp", "Data Displacement", "Where they belong.")
	oSC      = old.Uint8("sc", "Setup Count", "How many words of setup follow.")
	oSub     = old.Uint16("trans2.cmd", "Subcommand", "What is asked.").Hex().Named(trans2)
	oTName   = old.String("trans_name", "Transaction Name", "The pipe or mail slot that it is for.")
	oTParams = old.Bytes("trans.parameters", "Parameters", "What the transaction is about.")
	oTData   = old.Bytes("trans.data", "Data", "What it brings.")
	oPad     = old.Bytes("padding", "Padding", "Bytes that align what follows.")
)

var (
	slot = dissect.NewProtocol("mailslot", "SMB Mailslot", "Mail slots: messages to a name, without an answer.").
		LittleEndian().Summary("SMB MailSlot Protocol").Color(dissect.HueBlue)
	sOpcode   = slot.Uint16("opcode", "Opcode", "What is to be done.").Named(dissect.Values{1: "Write Mail Slot"})
	sPriority = slot.Uint16("priority", "Priority", "How urgent it is.")
	sClass    = slot.Uint16("class", "Class", "Whether it must arrive.").
			Named(dissect.Values{1: "Reliable", 2: "Unreliable & Broadcast"})
	sName = slot.String("name", "Mailslot Name", "For whom it is.").Derived()
)

// Mailslot has the fields of mail slots, which transactions show.
func Mailslot() dissect.Plugin {
	return dissect.Plugin{Protocol: slot, Dissect: func(d *dissect.D) { d.Rest(oTData) }}
}

// A transaction is where the parts of a transaction are (MS-CIFS section 2.2.4.33).
type transaction struct {
	pc, po, dc, do, setup int
	words                 [3]uint64 // of the setup
}

var trans2 = dissect.Values{
	0: "OPEN2", 1: "FIND_FIRST2", 2: "FIND_NEXT2", 3: "QUERY_FS_INFO", 4: "SET_FS_QUOTA", 5: "QUERY_PATH_INFO",
	6: "SET_PATH_INFO", 7: "QUERY_FILE_INFO",
	8: "SET_FILE_INFO", 9: "FSCTL", 10: "IOCTL2", 11: "FIND_NOTIFY_FIRST", 12: "FIND_NOTIFY_NEXT", 13: "CREATE_DIRECTORY",
	14: "SESSION_SETUP",
	16: "GET_DFS_REFERRAL", 17: "REPORT_DFS_INCONSISTENCY",
}

// transWords reads the words of a transaction.
func (o *oldReader) transWords() {
	d, t := o.d, &o.trans
	d.Uint(oTPC)
	d.Uint(oTDC)
	d.Uint(oMPC)
	d.Uint(oMDC)
	d.Uint(oMSC)
	d.Bytes(oRes, 1)
	d.Bits(oTFlags, oOneWay, oLeave)
	d.Uint(oTimeout)
	d.Bytes(oRes, 2)
	t.pc, t.po = int(d.Uint(oPC)), int(d.Uint(oPO))
	t.dc, t.do = int(d.Uint(oDC)), int(d.Uint(oDO))
	t.setup = int(d.Uint(oSC))
	d.Bytes(oRes, 1)
	for i := range t.words {
		t.words[i] = little(d.Data(), 2*i, 2)
	}
	if o.cmd == oldTrans2 && t.setup > 0 {
		sub := d.Uint(oSub)
		if d.Info().Wanted() {
			d.Info().List(trans2[sub])
		}
	} else if t.setup == 3 && t.words[0] == 1 {
		d.Uint(sOpcode)
		d.Uint(sPriority)
		d.Uint(sClass)
	}
}

// transBytes reads the name of a transaction and hands on what it brings.
func (o *oldReader) transBytes() {
	d, t := o.d, &o.trans
	name := o.text(oTName)
	o.part(t.po, t.pc, func() { o.params(strings.EqualFold(name, pipeLanman)) })
	o.part(t.do, t.dc, func() {
		switch {
		case t.setup == 3 && t.words[0] == 1:
			o.post(name)
		case t.setup == 2 && t.words[0] == transactPipe:
			o.piped(uint16(t.words[1]))
		}
		d.Rest(oTData)
	})
}

// transactPipe is the function that writes to a pipe and reads what it says.
const transactPipe = 0x26

// piped hands on what goes through a pipe.
func (o *oldReader) piped(fid uint16) {
	d := o.d
	d.SetLayerData([]byte{byte(fid), byte(fid >> 8), 0xff, 0xff})
	d.Next(tables.SMBPipe, 1)
	d.Skip(d.Left())
}

// pipeLanman is the pipe of the oldest calls.
const pipeLanman = `\PIPE\LANMAN`

// params reads the parameters of a transaction: those of calls go to their protocol.
func (o *oldReader) params(lanman bool) {
	d := o.d
	if lanman && d.More() {
		answers := byte(0)
		if o.response {
			answers = 1
		}
		d.SetLayerData([]byte{answers, byte(o.note.Sub), byte(o.note.Sub >> 8)})
		d.Next(tables.SMBLanman, 1)
		d.Skip(d.Left())
	}
	d.Rest(oTParams)
}

// part goes to where a part is, and reads it.
func (o *oldReader) part(off, n int, read func()) {
	d := o.d
	gap := o.base + off - d.Pos()
	if n == 0 || gap < 0 || gap > d.Left() {
		return
	}
	if gap > 0 {
		d.Bytes(oPad, gap)
	}
	d.Within(min(n, d.Left()), read)
}

// transedWords reads the words of a transaction's response.
func (o *oldReader) transedWords() {
	d, t := o.d, &o.trans
	d.Uint(oTPC)
	d.Uint(oTDC)
	d.Bytes(oRes, 2)
	t.pc, t.po = int(d.Uint(oPC)), int(d.Uint(oPO))
	d.Uint(oPD)
	t.dc, t.do = int(d.Uint(oDC)), int(d.Uint(oDO))
	d.Uint(oDD)
	d.Uint(oSC)
	d.Bytes(oRes, 1)
}

func (o *oldReader) transedBytes() {
	d, t := o.d, &o.trans
	o.part(t.po, t.pc, func() { o.params(o.note.Lanman) })
	o.part(t.do, t.dc, func() {
		if o.note.HasSub && o.note.Sub == transactPipe {
			o.piped(o.note.FID)
		}
		d.Rest(oTData)
	})
}

// post reads what goes to a mail slot, for which the protocol of the slot is asked.
func (o *oldReader) post(name string) {
	d := o.d
	d.Info().Protocol("SMB Mailslot")
	d.SetText(sName, name)
	d.Next(tables.SMBMailslot, dissect.Word(strings.ToUpper(name)))
	d.Skip(d.Left())
}
