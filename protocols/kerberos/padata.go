package kerberos

import (
	"remora/dissect"
	"remora/protocols/internal/ber"
)

var (
	fPadata  = proto.Uint32("padata", "padata", "How many proofs and hints come with it.").In("items")
	gPadata  = group("PA_DATA", "PA-DATA", "A proof or a hint.").Summary("PA-DATA[ {kerberos.padata_type:name}]")
	fPaType  = proto.Int32("padata_type", "padata-type", "Which proof or hint it is.").Named(padataTypes)
	fPaValue = proto.Bytes("padata_value", "padata-value", "The proof or hint.")
	gInfo    = group("ETYPE_INFO_ENTRY", "ETYPE-INFO-ENTRY", "A way to make a key of a password.")
	gInfo2   = group("ETYPE_INFO2_ENTRY", "ETYPE-INFO2-ENTRY", "A way to make a key of a password.")
	fSalt    = proto.Bytes("info_salt", "salt", "What is mixed into the key.")
	fSalt2   = proto.String("info2_salt", "salt", "What is mixed into the key.")
	fS2K     = proto.Bytes("s2kparams", "s2kparams", "How much work the key takes.")
	fPAC     = proto.Bool("include_pac", "include-pac", "Whether Windows' list of groups is wanted.").
			TrueFalse("True", "False")
	gArmored = group("armored_data", "armored-data", "A message in a tunnel (RFC 6113).")
	gReqSum  = group("req_checksum", "req-checksum", "Proof that nobody changed the request.")
	gFastReq = group("enc_fast_req", "enc-fast-req", "The request in the tunnel.")
	gFastRep = group("enc_fast_rep", "enc-fast-rep", "The answer in the tunnel.")
	gArmor   = group("armor", "armor", "What the tunnel is made of.")
	fArmor   = proto.Int32("armor_type", "armor-type", "What the tunnel is made of.").
			Named(dissect.Values{0: "fX-FAST-reserved", 1: "fX-FAST-ARMOR-AP-REQUEST"})
	fArmorVal = proto.Bytes("armor_value", "armor-value", "What the tunnel is made of.")
)

// padata reads the proofs and hints of a message (RFC 4120 section 5.2.7).
func padata(d *dissect.D) { list(d, fPadata, func() { hint(d) }) }

// hint reads one of them.
func hint(d *dissect.D) {
	d.In(gPadata, func() {
		kind := int64(0)
		parts{
			1: func(d *dissect.D) { kind = number(d, fPaType) },
			2: func(d *dissect.D) { proof(d, kind) },
		}.read(d)
	})
}

// proof reads a proof or hint of a kind. Some are empty.
func proof(d *dissect.D, kind int64) {
	asn.Value(d, ber.Octets, func(_ byte, n int) {
		if n == 0 {
			return
		}
		p, known := formOf(kind)
		if !known || p.tag != ber.Next(d) {
			d.Rest(fPaValue)
			return
		}
		d.Put(fPaValue, 0, d.Pos(), n)
		d.Below(func() { p.read(d) })
	})
}

// A padataForm is how a proof or hint begins, and how it is read.
type padataForm struct {
	tag  byte
	read func(d *dissect.D)
}

// formOf tells how a proof or hint of a type is read; most are not.
func formOf(kind int64) (f padataForm, known bool) {
	switch kind {
	case 1:
		return padataForm{ber.Application | apReq, shownInside}, true
	case 2:
		return padataForm{ber.Sequence, encrypted(inTime)}, true
	case 11:
		return padataForm{ber.Sequence, func(d *dissect.D) { keys(d, gInfo, infoParts) }}, true
	case 19:
		return padataForm{ber.Sequence, func(d *dissect.D) { keys(d, gInfo2, info2Parts) }}, true
	case 128:
		return padataForm{ber.Sequence, func(d *dissect.D) { pacParts.read(d) }}, true
	case 136:
		return padataForm{ber.Context, tunnel}, true
	case 138:
		return padataForm{ber.Sequence, encrypted(inChallenge)}, true
	case 149:
		return padataForm{ber.Sequence, checksum}, true
	}
	return f, false
}

// shownInside reads a ticket that is shown within another message.
func shownInside(d *dissect.D) {
	asn.Group(d, gAPReq, ber.Application|apReq, func() { inner.read(d) })
}

// What ways to make keys are made of (RFC 4120 sections 5.2.7.4 and 5.2.7.5), and what asks for Windows' list (MS-KILE
// section 2.2.3).
var (
	infoParts  = parts{0: unsigned(fEtype), 1: bytes(fSalt)}
	info2Parts = parts{0: unsigned(fEtype), 1: text(fSalt2), 2: bytes(fS2K)}
	pacParts   = parts{0: func(d *dissect.D) { asn.Number(d, fPAC, ber.Boolean) }}
)

func keys(d *dissect.D, g *dissect.Field, p parts) {
	asn.Value(d, ber.Sequence, func(byte, int) { asn.Each(d, func() { d.In(g, func() { p.read(d) }) }) })
}

// tunnel reads a message in a tunnel (RFC 6113 section 5.4): a request has a checksum, an answer has not.
func tunnel(d *dissect.D) {
	asn.Value(d, ber.Context, func(byte, int) {
		d.In(gArmored, func() {
			if len(ber.After(ber.Inside(d.Data(), ber.Sequence))) == 0 {
				parts{0: within(gFastRep, encrypted(inTunnelReply()))}.read(d)
				return
			}
			parts{0: within(gArmor, parts{0: unsigned(fArmor), 1: armored}.read), 1: within(gReqSum, checksum),
				2: within(gFastReq, encrypted(inTunnelRequest()))}.read(d)
		})
	})
}

// errorData reads more about an error: where a proof is wanted, which ones will do (RFC 4120 section 5.9.1).
func errorData(d *dissect.D) {
	asn.Value(d, ber.Octets, func(_ byte, n int) {
		if n == 0 {
			return
		}
		b := ber.Inside(d.Data(), ber.Sequence)
		if ber.Next(d) != ber.Sequence || ber.Inside(ber.Inside(b, ber.Sequence), ber.Context|1) == nil {
			d.Rest(fEData)
			return
		}
		d.Put(fEData, 0, d.Pos(), n)
		d.Below(func() { asn.Value(d, ber.Sequence, func(byte, int) { asn.Each(d, func() { hint(d) }) }) })
	})
}
