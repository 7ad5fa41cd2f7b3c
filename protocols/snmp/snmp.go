// Package snmp dissects the Simple Network Management Protocol: version 1 (RFC 1157), 2c (RFC 1901, 3416) and 3 (RFC
// 3412) with the user-based security model (RFC 3414). Encrypted parts stay closed.
package snmp

import "remora/dissect"

var proto = dissect.NewProtocol("snmp", "SNMP", "Simple Network Management Protocol: what devices tell and are told.").
	Summary("Simple Network Management Protocol").Color(dissect.HueYellow)

var (
	fVersion   = proto.Uint32("version", "version", "Version of the protocol.").Named(versions)
	fVersion3  = proto.Uint32("msgVersion", "msgVersion", "Version of the protocol.").Named(versions)
	fCommunity = proto.String("community", "community", "The password, in the open.")
	fGlobal    = proto.Node("msgGlobalData_element", "msgGlobalData", "What concerns the message itself.")
	fMsgID     = proto.Uint32("msgID", "msgID", "Joins request and response.")
	fMaxSize   = proto.Uint32("msgMaxSize", "msgMaxSize", "Longest message that the sender takes.")
	fMsgFlags  = proto.Bytes("msgFlags", "msgFlags", "How the message is secured.")
	fReport    = proto.Bool("v3.flags.report", "Reportable", "The receiver may send a report.").Masked(0x04)
	fCrypt     = proto.Bool("v3.flags.crypt", "Encrypted", "The data are encrypted.").Masked(0x02)
	fAuth      = proto.Bool("v3.flags.auth", "Authenticated", "The sender proves itself.").Masked(0x01)
	fModel     = proto.Uint32("msgSecurityModel", "msgSecurityModel", "How the message is secured.").Named(models)
	fSecurity  = proto.Bytes("msgSecurityParameters", "msgSecurityParameters", "Parameters of the security model.")
	fEngineID  = proto.Bytes("msgAuthoritativeEngineID", "msgAuthoritativeEngineID",
		"Who is the authority of the exchange.")
	fBoots     = proto.Uint32("msgAuthoritativeEngineBoots", "msgAuthoritativeEngineBoots", "How often it was started.")
	fEngTime   = proto.Uint32("msgAuthoritativeEngineTime", "msgAuthoritativeEngineTime", "Seconds since it was started.")
	fUser      = proto.String("msgUserName", "msgUserName", "Who asks.")
	fAuthParam = proto.Bytes("msgAuthenticationParameters", "msgAuthenticationParameters", "The proof.")
	fPrivParam = proto.Bytes("msgPrivacyParameters", "msgPrivacyParameters", "What the key is mixed with.")
	fMsgData   = proto.Uint32("msgData", "msgData", "Whether the data are encrypted.").Named(scopes).Derived()
	fPlain     = proto.Node("plaintext_element", "plaintext", "Data that are not encrypted.")
	fEncrypted = proto.Bytes("encryptedPDU", "encryptedPDU", "Encrypted data.")
	fContextID = proto.Bytes("contextEngineID", "contextEngineID", "Whose data these are.")
	fContext   = proto.String("contextName", "contextName", "Which of its contexts.")
	fRespIn    = proto.FrameRef("response_in", "Response In", "The answer to this request.")
	fRespTo    = proto.FrameRef("response_to", "Response To", "The request that this answers.")
	fTime      = proto.Span("time", "Time", "Time from the request to the response.").Derived()

	fConform = proto.Bool("engineid.conform", "Engine ID Conformance", "The identifier is as RFC 3411 has it.").
			Masked(0x80).TrueFalse("RFC3411 (SNMPv3)", "RFC1910 (Non-SNMPv3)")
	fEnterprise = proto.Uint32("engineid.enterprise", "Engine Enterprise ID", "Who made the engine.").Masked(0x7fffffff)
	fEngFormat  = proto.Uint8("engineid.format", "Engine ID Format", "What follows.").Named(engineFormats)
	fEngIPv4    = proto.IPv4("engineid.ipv4", "Engine ID Data: IPv4 address", "The engine's address.")
	fEngIPv6    = proto.IPv6("engineid.ipv6", "Engine ID Data: IPv6 address", "The engine's address.")
	fEngMAC     = proto.Ether("engineid.mac", "Engine ID Data: MAC address", "The engine's hardware address.")
	fEngText    = proto.String("engineid.text", "Engine ID Data: Text", "The engine's name.")
	fEngMade    = proto.Time("engineid.time", "Engine ID Data: Creation Time", "When the number was drawn.")
	fEngData    = proto.Bytes("engineid.data", "Engine ID Data", "The engine's number.")
)

// Plugin attaches SNMP to its ports.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Statistics: statistics, Dissect: message, UDP: []uint16{161, 162},
		Fits: recognise}
}

// recognise takes what begins as a message: a sequence with a version in it.
func recognise(d *dissect.D) bool {
	tag, _, size := peekHeader(d)
	if tag != tagSequence || size == 0 || d.Peek(size) != tagInteger || d.Peek(size+1) != 1 ||
		versions[uint64(d.Peek(size+2))] == "" {
		return false
	}
	return true
}

const version3 = 3

func message(d *dissect.D) {
	value(d, tagSequence, func(byte, int) {
		f := fVersion
		if _, _, size := peekHeader(d); size > 0 && d.Peek(size) == version3 {
			f = fVersion3
		}
		if number(d, f, tagInteger) == version3 {
			secured(d)
			return
		}
		octets(d, fCommunity)
		pdu(d)
	})
	d.Rest(fOdd)
}

// secured reads a message of version 3 behind its version.
func secured(d *dissect.D) {
	var flags byte
	var model int64
	group(d, fGlobal, tagSequence, func() {
		number(d, fMsgID, tagInteger)
		number(d, fMaxSize, tagInteger)
		at := d.Pos() + 2
		if b := octets(d, fMsgFlags); len(b) > 0 {
			flags = b[0]
			d.Below(func() {
				for _, f := range [...]*dissect.Field{fReport, fCrypt, fAuth} {
					d.Put(f, uint64(flags), at, 1)
				}
			})
		}
		model = number(d, fModel, tagInteger)
	})
	value(d, tagOctets, func(_ byte, n int) {
		if model == 3 {
			userSecurity(d)
		} else if n > 0 {
			d.Bytes(fSecurity, n)
		}
	})
	if flags&2 != 0 {
		d.Set(fMsgData, 1)
		octets(d, fEncrypted)
		d.Info().Setf("encryptedPDU: privKey Unknown")
		return
	}
	d.Set(fMsgData, 0)
	group(d, fPlain, tagSequence, func() {
		engine(d, fContextID)
		octets(d, fContext)
		pdu(d)
	})
}

// userSecurity reads the parameters of the user-based security model.
func userSecurity(d *dissect.D) {
	value(d, tagSequence, func(byte, int) {
		engine(d, fEngineID)
		number(d, fBoots, tagInteger)
		number(d, fEngTime, tagInteger)
		octets(d, fUser)
		octets(d, fAuthParam)
		octets(d, fPrivParam)
	})
}

// little is a number of four bytes, lowest first.
func little(d *dissect.D) (v uint64) {
	for i := 3; i >= 0; i-- {
		v = v<<8 | uint64(d.Peek(i))
	}
	return v
}

// engine reads an engine's identifier (RFC 3411 section 5, SnmpEngineID).
func engine(d *dissect.D, f *dissect.Field) {
	const (
		ipv4 = 1
		ipv6 = 2
		mac  = 3
		text = 4

		netSNMP = 8072 // an enterprise with a format of its own: a random number, and when it was drawn
		random  = 128
	)
	value(d, tagOctets, func(_ byte, n int) {
		if n == 0 {
			return
		}
		d.Put(f, 0, d.Pos(), min(n, d.Left()))
		d.Below(func() {
			if n < 5 || d.Peek(0)&0x80 == 0 {
				d.Rest(fEngData)
				return
			}
			d.Put(fConform, uint64(d.Peek(0)), d.Pos(), 1)
			who := d.Uint(fEnterprise)
			switch kind := d.Uint(fEngFormat); {
			case who == netSNMP && kind == random && n >= 13 && d.Left() >= n-5:
				d.Bytes(fEngData, 4)
				d.Put(fEngMade, little(d)*1e9, d.Pos(), n-9)
				d.Skip(n - 9)
			case kind == ipv4 && n == 9:
				d.IPv4(fEngIPv4)
			case kind == ipv6 && n == 21:
				d.IPv6(fEngIPv6)
			case kind == mac && n == 11:
				d.Ether(fEngMAC)
			case kind == text:
				d.Rest(fEngText)
			default:
				d.Rest(fEngData)
			}
		})
	})
}
