package telnet

import (
	"bytes"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// The commands that need more than a name.
const (
	end  = 240
	sub  = 250
	will = 251
	dont = 254
	iac  = 255
)

const kindText = 0

var commands = dissect.Values{
	236: "End of File", 237: "Suspend Current Process", 238: "Abort Process", 239: "End of Record", end: "Suboption End",
	241: "No Operation", 242: "Data Mark", 243: "Break", 244: "Interrupt Process", 245: "Abort Output",
	246: "Are You There?",
	247: "Escape Character", 248: "Erase Line", 249: "Go Ahead", sub: "Suboption", will: "Will", 252: "Won't", 253: "Do",
	dont: "Don't",
}

// kinds are the packet types: text, or a command.
var kinds = func() dissect.Values {
	v := dissect.Values{kindText: "Data"}
	for n, name := range commands {
		v[n] = name
	}
	return v
}()

// optionNames are the options by number (IANA, Telnet Options).
var optionNames = [...]string{
	"Binary Transmission", "Echo", "Reconnection", "Suppress Go Ahead", "Approx Message Size Negotiation", "Status",
	"Timing Mark",
	"Remote Controlled Trans and Echo", "Output Line Width", "Output Page Size", "Output Carriage-Return Disposition",
	"Output Horizontal Tab Stops", "Output Horizontal Tab Disposition", "Output Formfeed Disposition",
	"Output Vertical Tabstops",
	"Output Vertical Tab Disposition", "Output Linefeed Disposition", "Extended ASCII", "Logout", "Byte Macro",
	"Data Entry Terminal",
	"SUPDUP", "SUPDUP Output", "Send Location", "Terminal Type", "End of Record", "TACACS User Identification",
	"Output Marking",
	"Terminal Location Number", "Telnet 3270 Regime", "X.3 PAD", "Negotiate About Window Size", "Terminal Speed",
	"Remote Flow Control",
	"Linemode", "X Display Location", "Environment Option", "Authentication Option", "Encryption Option",
	"New Environment Option",
	"TN3270E", "XAUTH", "CHARSET", "Remote Serial Port", "COM Port Control", "Suppress Local Echo", "Start TLS", "KERMIT",
	"SEND-URL", "FORWARD_X",
}

// The options whose values are taken apart.
const (
	optTerminal   = 24
	optWindow     = 31
	optSpeed      = 32
	optFlow       = 33
	optDisplay    = 35
	optAuth       = 37
	optEncryption = 38
	optTLS        = 46
)

func optionName(v uint64) string {
	if v < uint64(len(optionNames)) {
		return optionNames[v]
	}
	return fmt.Sprintf("<unknown option> (%d)", v)
}

var encryptions = dissect.Values{0: "NULL", 1: "DES_CFB64", 2: "DES_OFB64", 3: "DES3_CFB64", 4: "DES3_OFB64",
	8: "CAST5_40_CFB64",
	9: "CAST5_40_OFB64", 10: "CAST128_CFB64", 11: "CAST128_OFB64"}

var authentications = dissect.Values{0: "NULL", 1: "Kerberos v4", 2: "Kerberos v5", 3: "SPX", 4: "MINK", 5: "SRP",
	6: "RSA", 7: "SSL",
	10: "LOKI", 11: "SSA", 12: "KEA_SJ", 13: "KEA_SJ_INTEG", 14: "DSS", 15: "NTLM"}

// command reads a command of n bytes.
func command(d *dissect.D, n int) {
	whole := d.Data()[:n]
	d.SetKind(fKind, uint64(whole[1]))
	d.Put(fCommand, uint64(whole[1]), d.Pos(), 2)
	d.Skip(2)
	switch {
	case n < 3:
	case whole[1] == sub:
		option := whole[2]
		d.Uint(fOption)
		if bytes.Contains(whole, []byte{iac, iac}) { // doubled bytes shift what follows
			d.Bytes(fBytes, n-3)
			return
		}
		d.Within(n-3, func() { d.Below(func() { value(d, option) }) })
	default:
		d.Uint(fOption)
	}
}

// value reads what a suboption says.
func value(d *dissect.D, option byte) {
	size := d.Left()
	switch {
	case size == 0:
	case option == optWindow && size == 4:
		d.Uint(fWidth)
		d.Uint(fHeight)
	case option == optWindow:
		d.Expert(nInvalid)
	case option == optTerminal || option == optDisplay:
		if d.Uint(fAct) == 0 {
			d.Rest(fString)
		}
	case option == optFlow && size == 1:
		d.Uint(fFlow)
	case option == optEncryption:
		encryption(d)
	case option == optAuth:
		authentication(d)
	case option == optTLS && size == 1:
		d.Uint(fTLS)
		follows(d)
	}
	d.Rest(fBytes)
}

// follows hands the stream to TLS once both ends have said that it follows.
func follows(d *dissect.D) {
	both := sessions.FirstPass(d, func(s *session) bool {
		s.follows[d.Dir&1] = true
		return s.follows[0] && s.follows[1]
	})
	if both {
		d.Inner().HandOver(tables.TLS, 0)
	}
}

// encryption reads a suboption of encryption (RFC 2946 section 4).
func encryption(d *dissect.D) {
	switch d.Uint(fEncCmd) {
	case 0, 2:
		if d.More() {
			d.Uint(fEncType)
		}
		d.Rest(fEncData)
	case 1:
		for more := d.Elements(); more.Next(); {
			d.Uint(fEncType)
		}
	case 3, 7, 8:
		d.Rest(fEncKey)
	}
}

// authentication reads a suboption of authentication (RFC 2941 section 2).
func authentication(d *dissect.D) {
	switch d.Uint(fAuthCmd) {
	case 0, 2:
		if d.Left() >= 2 {
			d.Uint(fAuth)
			d.Uint(fMod)
		}
	case 1:
		for more := d.Elements(); d.Left() >= 2 && more.Next(); {
			d.Uint(fAuth)
			d.Uint(fMod)
		}
	case 3:
		d.Rest(fName)
	}
}
