package ppp

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var (
	pap = dissect.NewProtocol("pap", "PPP PAP", "PPP's Password Authentication Protocol.").
		Summary("PPP Password Authentication Protocol").Color(dissect.HueYellow)
	chap = dissect.NewProtocol("chap", "PPP CHAP", "PPP's Challenge Handshake Authentication Protocol.").
		Summary("PPP Challenge Handshake Authentication Protocol").Color(dissect.HueYellow)
)

var (
	pCode = pap.Kind("code", "Code",
		dissect.Values{1: "Authenticate-Request", 2: "Authenticate-Ack", 3: "Authenticate-Nak"},
		"What the message asks or answers.").Dec().Wordless()
	pID    = pap.Uint8("identifier", "Identifier", "Joins an answer with its request.")
	pLen   = pap.Uint16("length", "Length", "Length of the message in bytes.")
	pUserN = pap.Uint8("peer_id.length", "Peer-ID-Length", "Length of the name.")
	pUser  = pap.String("peer_id", "Peer-ID", "The name.")
	pPassN = pap.Uint8("password.length", "Password-Length", "Length of the password.")
	pPass  = pap.String("password", "Password", "The password, in clear text.")
	pTextN = pap.Uint8("message.length", "Message-Length", "Length of the text.")
	pText  = pap.String("message", "Message", "A text for people.")
	pStuff = pap.Bytes("stuff", "stuff", "Bytes behind the message.")
	cCode  = chap.Kind("code", "Code", dissect.Values{1: "Challenge", 2: "Response", 3: "Success", 4: "Failure"},
		"What the message is.").Dec().Wordless()
	cID     = chap.Uint8("identifier", "Identifier", "Joins a response with its challenge.")
	cLength = chap.Uint16("length", "Length", "Length of the message in bytes.")
	cSize   = chap.Uint8("value_size", "Value Size", "Length of the value in bytes.")
	cValue  = chap.Bytes("value", "Value", "The challenge, or what the secret makes of it.")
	cName   = chap.String("name", "Name", "Who sends it.")
	cText   = chap.String("message", "Message", "A text for people.")
	cStuff  = chap.Bytes("stuff", "Stuff", "Bytes of another message.")
)

// PAP and CHAP are the two old authentications.
func PAP() dissect.Plugin {
	return dissect.Plugin{Protocol: pap, Dissect: password, On: []dissect.Key{{Table: tables.PPPProtocol, Value: kindPAP}}}
}

// CHAP is the one that does not send the password.
func CHAP() dissect.Plugin {
	return dissect.Plugin{Protocol: chap, Dissect: challenge,
		On: []dissect.Key{{Table: tables.PPPProtocol, Value: kindCHAP}}}
}

func password(d *dissect.D) {
	code := d.Kind(pCode)
	d.Uint(pID)
	d.Limit(int(d.Uint(pLen)) - headLength)
	switch code {
	case 1:
		d.Counted(pUserN, pUser)
		d.Counted(pPassN, pPass)
		d.Info().Set("{code:name} (Peer-ID='{peer_id}', Password='{password}')")
	case 2, 3:
		d.Counted(pTextN, pText)
		d.Info().Set("{code:name} (Message='{message}')")
	default:
		d.Info().Set("Unknown")
	}
	d.Rest(pStuff)
}

func challenge(d *dissect.D) {
	code := d.Kind(cCode)
	d.Uint(cID)
	d.Limit(int(d.Uint(cLength)) - headLength)
	switch code {
	case 1, 2:
		d.Counted(cSize, cValue)
		d.Rest(cName)
		d.Info().Set("{code:name} (NAME='[{name}]', VALUE=0x{value})")
	case 3, 4:
		d.Rest(cText)
		d.Info().Set("{code:name} (MESSAGE='[{message}]')")
	default:
		d.Info().Set("Unknown")
	}
	d.Rest(cStuff)
}
