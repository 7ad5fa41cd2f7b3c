// Package telnet dissects the Telnet protocol (RFC 854): lines of text, commands, and the options that both ends agree
// on.
package telnet

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("telnet", "TELNET", "Telnet: a terminal at a distance.").
	Summary("Telnet").Color(dissect.HueCyan)

var (
	fKind    = proto.Kind("type", "Type", kinds, "What is said: text, or a command.").Dec().Derived().Wordless()
	fCommand = proto.Uint8("cmd", "Command", "What stands behind the byte 255 (RFC 854).").Named(commands)
	fOption  = proto.Uint8("subcmd", "Subcommand", "The option that it is about.").Format(optionName)
	fGroup   = proto.Group("command", "Command", "One command.").Summary("{telnet.cmd:name}[ {telnet.subcmd}]")
	fText    = proto.String("data", "Data", "A line of text, or a part of one.")
	fBytes   = proto.Bytes("option_data", "Option data", "What is said of the option.")
	fString  = proto.String("string_subopt.value", "Value", "The value of the option.")
	fAct     = proto.Uint8("string_subopt.cmd", "Action", "Whether the value is given or asked for.").
			Named(dissect.Values{0: "IS", 1: "SEND"})
	fWidth  = proto.Uint16("naws_subopt.width", "Width", "Columns of the window.")
	fHeight = proto.Uint16("naws_subopt.height", "Height", "Lines of the window.")
	fFlow   = proto.Uint8("rfc_subopt.cmd", "Command", "What stops and starts the output (RFC 1372).").
		Named(dissect.Values{0: "OFF", 1: "ON", 2: "RESTART-ANY", 3: "RESTART-XON"})
	fEncCmd = proto.Uint8("enc.cmd", "Enc Cmd", "What is said of encryption (RFC 2946).").
		Named(dissect.Values{0: "IS", 1: "SUPPORT", 2: "REPLY", 3: "START", 4: "END", 5: "REQUEST-START", 6: "REQUEST-END",
			7: "ENC_KEYID", 8: "DEC_KEYID"})
	fEncType = proto.Uint8("enc.type", "Enc Type", "A way to encrypt.").Named(encryptions)
	fEncData = proto.Bytes("enc.type_data", "Type-specific data", "What the way to encrypt needs.")
	fEncKey  = proto.Bytes("enc.key_id", "Key ID", "Which key is used.")
	fAuthCmd = proto.Uint8("auth.cmd", "Auth Cmd", "What is said of authentication (RFC 2941).").
			Named(dissect.Values{0: "IS", 1: "SEND", 2: "REPLY", 3: "NAME"})
	fAuth = proto.Uint8("auth.type", "Auth Type", "A way to prove who one is.").Named(authentications)
	fMod  = proto.Uint8("auth.mod", "Modifiers", "How it is done.").Hex()
	fName = proto.String("auth.name", "Name", "Who one is.")
	fTLS  = proto.Uint8("starttls", "Follows", "TLS begins.").Named(dissect.Values{1: "FOLLOWS"})

	nInvalid = proto.Expert("suboption_length.invalid", dissect.Warn, "Bogus suboption data")
)

const (
	port = 23
)

// Plugin attaches Telnet to its port. On others it knows a stream by several commands in a row.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Dissect: readText, TCP: []uint16{port}, On: []dissect.Key{{Table: tables.TLSPort, Value: 992}},
		Guess: options, GuessTCP: true, Fits: begins,
		Message: length, Remainder: true,
	}
}

// A session knows which directions said that TLS follows (draft-altman-telnet-starttls).
type session struct{ follows [2]bool }

var sessions = dissect.NewStore[session, bool]()

// options knows streams that begin with three commands about options that are known.
// begins takes text on the protocol's port, and commands in front of it.
func begins(d *dissect.D) bool {
	return d.Peek(0) == 0xff && d.Peek(1) >= 0xf0 || dissect.IsText(d.Data())
}

func options(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 9 {
		return dissect.Weak
	}
	for i := 0; i < 9; i += 3 {
		if b[i] != iac || b[i+1] < will || b[i+1] > dont || b[i+2] >= byte(len(optionNames)) {
			return dissect.Weak
		}
	}
	return dissect.Strong
}

// maxOption is how long a command may get that has not ended.
const maxOption = 8192

// length is all there is but a command at the end that goes on.
func length(b []byte) int {
	for at, p := 0, (dissect.Progress{}); p.Up(at); {
		i := bytes.IndexByte(b[at:], iac)
		if i < 0 {
			return len(b)
		}
		at += i
		n := commandLength(b[at:])
		if n == 0 {
			if len(b)-at > maxOption {
				return len(b)
			}
			return at
		}
		at += n
	}
	return len(b)
}

// commandLength is how long the command is that b begins with, 0 when it goes on.
func commandLength(b []byte) int {
	switch {
	case len(b) < 2:
		return 0
	case b[1] >= will && b[1] <= dont:
		if len(b) < 3 {
			return 0
		}
		return 3
	case b[1] != sub:
		return 2
	}
	for at := 2; at+1 < len(b); at++ {
		if b[at] != iac {
			continue
		}
		if b[at+1] != iac {
			return at // the end is a command of its own
		}
		at++
	}
	return 0
}

// readText reads text and commands.
func readText(d *dissect.D) {
	d.Info().Setf("Telnet Data ...")
	for more := d.Elements(); more.Next(); {
		b := d.Data()
		if b[0] == iac && len(b) > 1 && b[1] != iac {
			n := commandLength(b)
			if n == 0 {
				n = len(b)
			}
			d.Message(func() { d.In(fGroup, func() { command(d, n) }) })
			continue
		}
		d.SetKind(fKind, kindText)
		d.Bytes(fText, textLength(b))
	}
}

// textLength is how long the line is that b begins with: up to its end, or to a command.
func textLength(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '\n':
			return i + 1
		case b[i] == '\r' && i+1 < len(b) && b[i+1] != '\n':
			if b[i+1] == 0 {
				return i + 2
			}
			return i + 1
		case b[i] == iac && i > 0 && (i+1 >= len(b) || b[i+1] != iac):
			return i
		case b[i] == iac:
			i++
		}
	}
	return len(b)
}
