// Package gss dissects what proves who somebody is where other protocols carry it: tokens of GSS-API (RFC 2743), the
// negotiation of a mechanism (SPNEGO, RFC 4178), the messages of NTLM (MS-NLMP) and the tokens of Kerberos (RFC 4121).
package gss

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/ber"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("gss-api", "GSS-API",
	"GSS-API: tokens that prove who somebody is, by one mechanism or another.").
	Summary("GSS-API Generic Security Service Application Program Interface").Color(dissect.HueBlue).Quiet()

var (
	asn   = ber.For(proto)
	fOID  = proto.String("OID", "OID", "The mechanism.")
	fRest = proto.Bytes("token_object", "Token object", "A token of a mechanism that nobody knows.")
)

// Tables: what carries tokens hands them on as number 1 of blobs; mechanisms are by the numbers below.
const (
	mechanisms dissect.Table = "gss.mechanism"
)

const (
	mechNTLM     = 1
	mechSPNEGO   = 2
	mechKerberos = 3
)

// objects are the mechanisms by their object identifiers: the name that Wireshark shows and the number in mechanisms.
var objects = map[string]struct {
	name string
	mech uint32
}{
	"1.3.6.1.5.5.2":          {"SPNEGO - Simple Protected Negotiation", mechSPNEGO},
	"1.2.840.113554.1.2.2":   {"KRB5 - Kerberos 5", mechKerberos},
	"1.2.840.48018.1.2.2":    {"MS KRB5 - Microsoft Kerberos 5", mechKerberos},
	"1.2.840.113554.1.2.2.3": {"KRB5 - Kerberos 5 - User to User", mechKerberos},
	"1.3.6.1.5.2.5":          {"IAKERB - Kerberos through the server", 0},
	"1.3.6.1.4.1.311.2.2.10": {"NTLMSSP - Microsoft NTLM Security Support Provider", mechNTLM},
	"1.3.6.1.4.1.311.2.2.30": {"NEGOEX - SPNEGO Extended Negotiation Security Mechanism", 0},
}

// Plugin attaches tokens to what carries them.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: token, On: []dissect.Key{{Table: tables.GSS, Value: 1}}}
}

// token reads one token: in the envelope that names the mechanism (RFC 2743 section 3.1), or one that goes on without.
func token(d *dissect.D) {
	b := d.Data()
	d.Info().Add("")
	switch {
	case bytes.HasPrefix(b, ntlmMagic):
		d.Next(mechanisms, mechNTLM)
	case len(b) > 0 && b[0] == ber.Application:
		enveloped(d, asn, fOID)
	case len(b) > 0 && b[0] >= 0xa0 && b[0] <= 0xa2:
		d.Next(mechanisms, mechSPNEGO)
	case len(b) >= protectedSize && (b[0] == 4 || b[0] == 5) && b[1] == 4:
		d.Next(mechanisms, mechKerberos)
	}
	if d.Left() > 0 {
		d.Rest(fRest)
	}
}

// enveloped reads the envelope and hands on what is in it.
func enveloped(d *dissect.D, c *ber.Coding, oid *dissect.Field) {
	c.Value(d, ber.Application, func(byte, int) {
		o := objects[c.Object(d, oid)]
		if o.name != "" {
			d.Suffix(oid, " ("+o.name+")")
		}
		if o.mech != 0 && d.More() {
			d.Next(mechanisms, o.mech)
			d.Skip(d.Left())
		}
		d.Rest(fRest)
	})
}
