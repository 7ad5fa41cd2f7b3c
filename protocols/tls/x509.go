package tls

import (
	"encoding/asn1"
	"fmt"
	"strings"
	"time"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// Certificates (RFC 5280) have fields of several families, as Wireshark has them.
var (
	x509af = dissect.NewProtocol("x509af", "X509AF", "The frame of a certificate: who, by whom, from when until when.").
		Color(dissect.HueMagenta).SharesFields(x509if, x509sat, x509ce)
	x509if  = dissect.NewProtocol("x509if", "X509IF", "Distinguished names in certificates.").Color(dissect.HueMagenta)
	x509sat = dissect.NewProtocol("x509sat", "X509SAT", "The texts in distinguished names.").Color(dissect.HueMagenta)
	x509ce  = dissect.NewProtocol("x509ce", "X509CE", "The extensions of certificates.").Color(dissect.HueMagenta)
)

// Certificate makes the fields of certificates known (RFC 5280). They are shown within TLS, and where another protocol
// hands a certificate or a distinguished name on.
func Certificate() dissect.Plugin {
	return dissect.Plugin{Protocol: x509af, Dissect: handedOn, OwnNode: true, On: []dissect.Key{
		{Table: tables.X509, Value: tables.X509Certificate}, {Table: tables.X509, Value: tables.X509Name}}}
}

func handedOn(d *dissect.D) {
	if d.Inner().Key() == tables.X509Name {
		sequence(d, fRDNs)
	} else {
		showCertificate(d)
	}
	d.Skip(d.Left())
}

// Names makes the fields of distinguished names in certificates known, as Certificate does.
func Names() dissect.Plugin { return shown(x509if) }

// Texts makes the fields of the texts in distinguished names known, as Certificate does.
func Texts() dissect.Plugin { return shown(x509sat) }

// Extensions makes the fields of certificate extensions known, as Certificate does.
func Extensions() dissect.Plugin { return shown(x509ce) }

func shown(p *dissect.Protocol) dissect.Plugin {
	return dissect.Plugin{Protocol: p, Dissect: func(d *dissect.D) { d.Reject() }}
}

var (
	fSigned  = x509af.Node("signedCertificate_element", "signedCertificate", "What the signature is about.")
	fX509Ver = x509af.Uint8("version", "version", "The version of the format.").
			Named(dissect.Values{0: "v1", 1: "v2", 2: "v3"})
	fSerial  = x509af.Bytes("serialNumber", "serialNumber", "The issuer's number for the certificate.")
	fSigAlg  = x509af.Node("signature_element", "signature", "How the certificate is signed.")
	fAlgID   = x509af.String("algorithm.id", "Algorithm Id", "The name of an algorithm, as an object identifier.")
	fIssuer  = x509af.Uint32("issuer", "issuer", "Who signed the certificate.").Named(rdnForms)
	fSubject = x509af.Uint32("subject", "subject", "Whom the certificate is about.").Named(rdnForms)
	fRDNs    = x509if.Uint32("rdnSequence", "rdnSequence", "The name, from the widest part to the narrowest.").
			Format(items)
	fSubjRDNs = x509af.Uint32("rdnSequence", "rdnSequence", "The name, from the widest part to the narrowest.").
			Format(items)
	fRDN     = x509if.Uint32("RDNSequence_item", "RDNSequence item", "A part of the name.").Format(items)
	fRDNPart = x509if.Node("RelativeDistinguishedName_item_element", "RelativeDistinguishedName item",
		"An attribute of the name.")
	fOID      = x509if.String("oid", "Object Id", "Which attribute it is.")
	fCountry  = x509sat.String("CountryName", "CountryName", "A country, in two letters.")
	fDirStr   = x509sat.Uint32("DirectoryString", "DirectoryString", "How the text is written.").Named(directoryForms)
	fUTF8     = x509sat.String("uTF8String", "uTF8String", "A text.")
	fPrint    = x509sat.String("printableString", "printableString", "A text of few characters.")
	fTeletex  = x509sat.String("teletexString", "teletexString", "A text in an old encoding.").Encoded(dissect.Windows1252)
	fBMP      = x509sat.String("bmpString", "bmpString", "A text in UTF-16.").Encoded(dissect.UTF16BE)
	fIA5      = x509sat.String("ia5String", "ia5String", "A text in ASCII.")
	fValidity = x509af.Node("validity_element", "validity", "When the certificate holds.")
	fFrom     = x509af.Uint32("notBefore", "notBefore", "When it begins to hold.").Named(timeForms)
	fUntil    = x509af.Uint32("notAfter", "notAfter", "When it ends to hold.").Named(timeForms)
	fUTCTime  = x509af.String("utcTime", "utcTime", "A time of the years 1950 to 2049.")
	fGenTime  = x509af.Time("generalizedTime", "generalizedTime", "A time.")
	fSPKI     = x509af.Node("subjectPublicKeyInfo_element", "subjectPublicKeyInfo", "The public key.")
	fAlg      = x509af.Node("algorithm_element", "algorithm", "What the key is for.")
	fPublic   = x509af.Bytes("subjectPublicKey", "subjectPublicKey", "The key itself.")
	fSigAlg2  = x509af.Node("algorithmIdentifier_element", "algorithmIdentifier", "How the certificate is signed.")
	fSignBits = x509af.Bytes("encrypted", "encrypted", "The signature.")
	nDER      = x509af.Expert("der.bad", dissect.Warn, "The certificate is not built as DER has it")
)

var (
	rdnForms       = dissect.Values{0: "rdnSequence"}
	directoryForms = dissect.Values{0: "teletexString", 1: "printableString", 2: "universalString", 3: "bmpString",
		4: "uTF8String"}
	timeForms = dissect.Values{0: "utcTime", 1: "generalizedTime"}
)

func items(v uint64) string {
	if v == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", v)
}

// The tags of DER that are looked for.
const (
	tagBool     = 0x01
	tagBits     = 0x03
	tagOctets   = 0x04
	tagOID      = 0x06
	tagTeletex  = 0x14
	tagIA5      = 0x16
	tagUTCTime  = 0x17
	tagGenTime  = 0x18
	tagBMP      = 0x1e
	tagUTF8     = 0x0c
	tagPrint    = 0x13
	tagSequence = 0x30
	tagContext0 = 0xa0
	tagContext3 = 0xa3
)

// element reads the head of the next element and bounds read to what it holds. Where the element's tag is not one of
// the wanted, nothing is read.
func element(d *dissect.D, read func(n int), want ...byte) bool {
	tag, size, n := d.Peek(0), 2, int(d.Peek(1))
	if d.Left() < 2 {
		if d.More() { // a stray byte holds no element
			d.Expert(nDER)
			d.Skip(1)
		}
		return false
	}
	if n&0x80 != 0 {
		bytes := n & 0x7f
		if bytes > 4 {
			d.Expert(nDER)
			d.Skip(d.Left())
			return false
		}
		n = int(d.PeekUint(2, bytes))
		size += bytes
	}
	ok := len(want) == 0
	for _, w := range want {
		ok = ok || w == tag
	}
	if !ok {
		return false
	}
	if n > d.Left()-size {
		d.Expert(nDER)
		d.Skip(d.Left())
		return false
	}
	d.Skip(size)
	d.Within(n, func() { read(n) })
	return true
}

// pass goes over the next element, whatever it is.
func pass(d *dissect.D) { element(d, func(int) {}) }

// showCertificate reads a certificate (RFC 5280 section 4.1).
func showCertificate(d *dissect.D) {
	element(d, func(int) {
		d.In(fSigned, func() { element(d, func(int) { signedPart(d) }, tagSequence) })
		d.In(fSigAlg2, func() { algorithm(d) })
		element(d, func(int) {
			d.Skip(1)
			d.Rest(fSignBits)
		}, tagBits)
	}, tagSequence)
}

func signedPart(d *dissect.D) {
	element(d, func(int) { element(d, func(int) { d.Uint(fX509Ver) }) }, tagContext0)
	element(d, func(int) { d.Rest(fSerial) })
	d.In(fSigAlg, func() { algorithm(d) })
	name(d, fIssuer, fRDNs)
	d.In(fValidity, func() {
		element(d, func(int) {
			validTime(d, fFrom)
			validTime(d, fUntil)
		}, tagSequence)
	})
	name(d, fSubject, fSubjRDNs)
	d.In(fSPKI, func() {
		element(d, func(int) {
			d.In(fAlg, func() { algorithm(d) })
			element(d, func(int) {
				d.Skip(1)
				d.Rest(fPublic)
			}, tagBits)
		}, tagSequence)
	})
	for more := d.Elements(); more.Next(); {
		if !element(d, func(int) { certExtensions(d) }, tagContext3) {
			pass(d)
		}
	}
}

func algorithm(d *dissect.D) {
	element(d, func(int) { identifier(d, fAlgID) }, tagSequence)
}

// identifier reads an object identifier, shown as numbers with dots, and returns them.
func identifier(d *dissect.D, f *dissect.Field) (text string) {
	element(d, func(n int) {
		text = oidText(d.Data())
		d.PutText(f, text, d.Pos(), n)
		if name := oidNames[text]; name != "" {
			d.Suffix(f, " ("+name+")")
		}
		d.Skip(n)
	}, tagOID)
	return text
}

func oidText(b []byte) string {
	var id asn1.ObjectIdentifier
	whole := append([]byte{tagOID, byte(len(b))}, b...)
	if len(b) > 127 {
		return ""
	}
	if _, err := asn1.Unmarshal(whole, &id); err != nil {
		return ""
	}
	return id.String()
}

// name reads a distinguished name. f says whose it is.
func name(d *dissect.D, f, list *dissect.Field) {
	if d.Left() < 2 {
		return
	}
	d.Put(f, 0, d.Pos(), 0)
	d.Below(func() { sequence(d, list) })
}

// sequence reads the parts of a distinguished name.
func sequence(d *dissect.D, list *dissect.Field) {
	words, parts := nameText(d.Data())
	element(d, func(n int) {
		d.Put(list, uint64(parts), d.Pos(), n)
		d.Suffix(list, " ("+words+")")
		d.Below(func() {
			for more := d.Elements(); more.Next(); {
				namePart(d)
			}
		})
	}, tagSequence)
}

func namePart(d *dissect.D) {
	if !element(d, func(n int) {
		d.Put(fRDN, uint64(elements(d.Data())), d.Pos(), n)
		d.Below(func() {
			for more := d.Elements(); more.Next(); {
				d.In(fRDNPart, func() {
					if !element(d, func(int) { attribute(d) }, tagSequence) {
						pass(d)
					}
				})
			}
		})
	}) {
		d.Skip(d.Left())
	}
}

func attribute(d *dissect.D) {
	id := identifier(d, fOID)
	tag := d.Peek(0)
	element(d, func(n int) {
		if id == "2.5.4.6" {
			d.Rest(fCountry)
			return
		}
		switch tag {
		case tagUTF8:
			text(d, fUTF8, 4, n)
		case tagPrint:
			text(d, fPrint, 1, n)
		case tagTeletex:
			text(d, fTeletex, 0, n)
		case tagBMP:
			text(d, fBMP, 3, n)
		case tagIA5:
			d.Rest(fIA5)
		}
	})
}

func text(d *dissect.D, f *dissect.Field, form uint64, n int) {
	d.Put(fDirStr, form, d.Pos(), n)
	d.Below(func() { d.Rest(f) })
}

func validTime(d *dissect.D, f *dissect.Field) {
	tag := d.Peek(0)
	element(d, func(n int) {
		b := string(d.Data())
		if tag == tagGenTime {
			d.Put(f, 1, d.Pos(), n)
			if t, err := time.Parse("20060102150405Z", b); err == nil {
				d.Below(func() { d.Put(fGenTime, uint64(t.UnixNano()), d.Pos(), n) })
			}
		} else {
			d.Put(f, 0, d.Pos(), n)
			if t, err := time.Parse("060102150405Z", b); err == nil {
				if t.Year() >= 2050 {
					t = t.AddDate(-100, 0, 0)
				}
				b = t.Format("2006-01-02 15:04:05 (UTC)")
			}
			d.Below(func() { d.PutText(fUTCTime, b, d.Pos(), n) })
		}
		d.Skip(n)
	}, tagUTCTime, tagGenTime)
}

// elements counts the elements in b.
func elements(b []byte) (n int) {
	for p := (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); {
		var one asn1.RawValue
		rest, err := asn1.Unmarshal(b, &one)
		if err != nil {
			return n
		}
		b = rest
		n++
	}
	return n
}

// nameText is a distinguished name as text, the narrowest part first, and how many parts it has.
func nameText(b []byte) (string, int) {
	var whole asn1.RawValue
	if _, err := asn1.Unmarshal(b, &whole); err != nil {
		return "", 0
	}
	var words []string
	rest, count := whole.Bytes, 0
	for len(rest) > 0 && count < 64 {
		var set asn1.RawValue
		var err error
		if rest, err = asn1.Unmarshal(rest, &set); err != nil {
			break
		}
		count++
		for in, p := set.Bytes, (dissect.Progress{}); len(in) > 0 && p.Down(len(in)); {
			var a struct {
				ID    asn1.ObjectIdentifier
				Value asn1.RawValue
			}
			if in, err = asn1.Unmarshal(in, &a); err != nil {
				break
			}
			id := a.ID.String()
			if n := oidNames[id]; n != "" {
				id = n
			}
			words = append([]string{id + "=" + string(a.Value.Bytes)}, words...)
		}
	}
	return strings.Join(words, ","), count
}
