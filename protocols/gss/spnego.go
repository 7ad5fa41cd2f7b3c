package gss

import (
	"remora/dissect"
	"remora/protocols/internal/ber"
	"remora/protocols/internal/tables"
)

var spnego = dissect.NewProtocol("spnego", "SPNEGO", "SPNEGO: two ends agree on how to prove who they are.").
	Summary("Simple Protected Negotiation").Color(dissect.HueBlue).Quiet().SharesFields(proto)

var (
	nego      = ber.For(spnego)
	sInit     = spnego.Node("negTokenInit_element", "negTokenInit", "The first token: what the sender can do.")
	sTarg     = spnego.Node("negTokenTarg_element", "negTokenTarg", "A further token.")
	sMechs    = spnego.Uint32("mechTypes", "mechTypes", "How many mechanisms the sender can use.").In("items")
	sMech     = spnego.String("MechType", "MechType", "A mechanism, the best one first.")
	sFlags    = spnego.Bytes("reqFlags", "reqFlags", "What the sender wants of it.")
	sToken    = spnego.Bytes("mechToken", "mechToken", "The first token of the best mechanism.")
	sHints    = spnego.Node("negHints_element", "negHints", "What the server says without being asked.")
	sHint     = spnego.String("hintName", "hintName", "A name, which means nothing.")
	sHintAddr = spnego.Bytes("hintAddress", "hintAddress", "An address, which means nothing.")
	sMIC      = spnego.Bytes("mechListMIC", "mechListMIC", "Proof that nobody changed the list of mechanisms.")
	sResult   = spnego.Uint32("negResult", "negResult", "Whether both are done.").
			Named(dissect.Values{0: "accept-completed", 1: "accept-incomplete", 2: "reject", 3: "request-mic"})
	sSupported = spnego.String("supportedMech", "supportedMech", "The mechanism that was chosen.")
	sResponse  = spnego.Bytes("responseToken", "responseToken", "A token of that mechanism.")
	sKerberos  = dissect.NewProtocol("spnego-krb5", "SPNEGO-KRB5", "Kerberos as a mechanism of GSS-API.").
			Summary("SPNEGO-KRB5").Color(dissect.HueBlue).Quiet().SharesFields(spnego, proto)
	sKrbID      = spnego.Uint16("krb5.tok_id", "krb5_tok_id", "Which token it is.").LE().Hex().Named(kerberosTokens)
	sKrbRest    = spnego.Bytes("krb5.blob", "krb5_blob", "A token that Kerberos makes of data.")
	sUnexpected = spnego.Bytes("data", "Data", "What belongs to no known part.")
)

var kerberosTokens = dissect.Values{
	1: "KRB5_AP_REQ", 2: "KRB5_AP_REP", 3: "KRB5_ERROR", 0x101: "KRB5_GSS_GetMIC", 0x102: "KRB5_GSS_Wrap",
	0x201: "KRB5_GSS_Delete_sec_context",
	4:     "KERB_TGT_REQUEST", 0x104: "KERB_TGT_REPLY", 0x404: "KRB_TOKEN_CFX_GetMic", 0x405: "KRB_TOKEN_CFX_WRAP",
}

// Negotiation attaches SPNEGO to GSS-API.
func Negotiation() dissect.Plugin {
	return dissect.Plugin{Protocol: spnego, Dissect: negotiation,
		On: []dissect.Key{{Table: mechanisms, Value: mechSPNEGO}}}
}

// Kerberos attaches the tokens of Kerberos to GSS-API.
func Kerberos() dissect.Plugin {
	return dissect.Plugin{Protocol: sKerberos, Dissect: kerberosToken,
		On: []dissect.Key{{Table: mechanisms, Value: mechKerberos}}}
}

// negotiation reads a token (RFC 4178 section 4.2, MS-SPNG section 2.2.1).
func negotiation(d *dissect.D) {
	switch ber.Next(d) {
	case ber.Context:
		nego.Group(d, sInit, ber.Context, func() { initial(d) })
	case ber.Context | 1:
		nego.Group(d, sTarg, ber.Context|1, func() { further(d) })
	}
	d.Rest(sUnexpected)
}

func initial(d *dissect.D) {
	nego.Value(d, ber.Sequence, func(byte, int) {
		best := ""
		nego.Optional(d, ber.Context, func() { best = mechanismList(d) })
		nego.Optional(d, ber.Context|1, func() { nego.Bytes(d, sFlags, ber.BitString) })
		nego.Optional(d, ber.Context|2, func() { mechToken(d, sToken, best) })
		nego.Optional(d, ber.Context|3, func() {
			if ber.Next(d) == ber.Sequence {
				nego.Group(d, sHints, ber.Sequence, func() { hints(d) })
			} else {
				mechListMIC(d)
			}
		})
		nego.Optional(d, ber.Context|4, func() { mechListMIC(d) })
	})
}

const generalString = 0x1b

func hints(d *dissect.D) {
	nego.Optional(d, ber.Context, func() { nego.Bytes(d, sHint, generalString) })
	nego.Optional(d, ber.Context|1, func() { nego.Bytes(d, sHintAddr, ber.Octets) })
}

// mechanismList reads what the sender can do, and returns the best of it.
func mechanismList(d *dissect.D) (best string) {
	n := uint64(0)
	for b, p := ber.Inside(d.Data(), ber.Sequence), (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); b = ber.After(b) {
		n++
	}
	d.Put(sMechs, n, d.Pos(), d.Left())
	d.Below(func() {
		nego.Value(d, ber.Sequence, func(byte, int) {
			nego.Each(d, func() {
				if oid := mechanism(d, sMech); best == "" {
					best = oid
				}
			})
		})
	})
	return best
}

func mechanism(d *dissect.D, f *dissect.Field) string {
	oid := nego.Object(d, f)
	if name := objects[oid].name; name != "" {
		d.Suffix(f, " ("+name+")")
	}
	return oid
}

// further reads what follows the first token.
func further(d *dissect.D) {
	nego.Value(d, ber.Sequence, func(byte, int) {
		chosen := ""
		nego.Optional(d, ber.Context, func() { nego.Number(d, sResult, ber.Enumerated) })
		nego.Optional(d, ber.Context|1, func() { chosen = mechanism(d, sSupported) })
		nego.Optional(d, ber.Context|2, func() { mechToken(d, sResponse, chosen) })
		nego.Optional(d, ber.Context|3, func() { mechListMIC(d) })
	})
}

// mechToken reads the token of a mechanism: where the negotiation does not say which, the token does.
func mechToken(d *dissect.D, f *dissect.Field, oid string) {
	nego.Value(d, ber.Octets, func(_ byte, n int) {
		b := d.Data()
		d.Put(f, 0, d.Pos(), n)
		if n == 0 {
			return
		}
		switch {
		case len(b) > 8 && string(b[:8]) == string(ntlmMagic):
			d.Next(mechanisms, mechNTLM)
		case b[0] == ber.Application:
			d.Put(sKrbRest, 0, d.Pos(), n)
			d.Below(func() { enveloped(d, nego, sKrbOID) })
		case objects[oid].mech == mechKerberos && len(b) > 2:
			d.Next(mechanisms, mechKerberos)
		}
		d.Skip(d.Left())
	})
}

// mechListMIC reads the proof at the end, which is a signature of the mechanism.
func mechListMIC(d *dissect.D) {
	nego.Value(d, ber.Octets, func(_ byte, n int) {
		if n == 0 {
			return
		}
		signed := verifier(d.Data())
		d.Put(sMIC, 0, d.Pos(), n)
		if signed {
			d.Next(mechanisms, mechNTLM)
		}
		d.Skip(d.Left())
	})
}

var sKrbOID = spnego.String("krb5_oid", "KRB5 OID", "The mechanism.")

// kerberosToken reads a token of Kerberos (RFC 4121 section 4).
func kerberosToken(d *dissect.D) {
	if d.Left() >= 2 && d.Peek(0)&0x60 != ber.Application {
		switch id := d.Uint(sKrbID); id {
		case 1, 2, 3:
			d.Info().Suppress(func() { d.Next(tables.Kerberos, 1) })
			d.Skip(d.Left())
		case 0x404, 0x405:
			protected(d, id == 0x405)
		}
	} else if d.More() {
		d.Info().Suppress(func() { d.Next(tables.Kerberos, 1) })
		d.Skip(d.Left())
	}
	d.Rest(sKrbRest)
}
