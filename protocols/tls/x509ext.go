package tls

import "remora/dissect"

var (
	fCertExts  = x509af.Uint32("extensions", "extensions", "What else the certificate says.").Format(items)
	fCertExt   = x509af.Node("Extension_element", "Extension", "One extension.")
	fCertExtID = x509af.String("extension.id", "Extension Id", "What the extension is about.")
	fCritical  = x509af.Bool("critical", "critical", "Who does not understand it must not take the certificate.").
			TrueFalse("True", "False")
	fExtValue = x509af.Bytes("extnValue", "extnValue", "What the extension says, in DER.")

	fKeyID     = x509ce.Bytes("SubjectKeyIdentifier", "SubjectKeyIdentifier", "A digest of the certificate's key.")
	fAuthority = x509ce.Node("AuthorityKeyIdentifier_element", "AuthorityKeyIdentifier",
		"Which key signed the certificate.")
	fAuthKeyID = x509ce.Bytes("keyIdentifier", "keyIdentifier", "A digest of the key.")
	fBasic     = x509ce.Node("BasicConstraintsSyntax_element", "BasicConstraintsSyntax",
		"Whether it may sign certificates.")
	fCA        = x509ce.Bool("cA", "cA", "It may sign certificates.").TrueFalse("True", "False")
	fPathLen   = x509ce.Uint8("pathLenConstraint", "pathLenConstraint", "How many certificates may stand below it.")
	fUsage     = x509ce.Bytes("KeyUsage", "KeyUsage", "What the key may be used for.")
	fUsageBits = usageBits()
	fPurposes  = x509ce.Uint32("KeyPurposeIDs", "KeyPurposeIDs", "What the certificate is for.").Format(items)
	fPurpose   = x509ce.String("KeyPurposeId", "KeyPurposeId", "A purpose, as an object identifier.")
	fAltNames  = x509ce.Uint32("GeneralNames", "GeneralNames", "Other names of whom the certificate is about.").
			Format(items)
	fAltName = x509ce.Uint32("GeneralName", "GeneralName", "What sort of name it is.").Named(nameForms)
	fMail    = x509ce.String("rfc822Name", "rfc822Name", "A mail address.")
	fDNSName = x509ce.String("dNSName", "dNSName", "A name of the Domain Name System.")
	fURI     = x509ce.String("uniformResourceIdentifier", "uniformResourceIdentifier", "A URI.")
	fIPv4    = x509ce.IPv4("IPAddress.ipv4", "iPAddress", "An address.")
	fIPv6    = x509ce.IPv6("IPAddress.ipv6", "iPAddress", "An address.")
)

var nameForms = dissect.Values{0: "otherName", 1: "rfc822Name", 2: "dNSName", 3: "x400Address", 4: "directoryName",
	5: "ediPartyName",
	6: "uniformResourceIdentifier", 7: "iPAddress", 8: "registeredID"}

// usageBits are the uses of a key (RFC 5280 section 4.2.1.3), the first in the highest bit.
func usageBits() (out []*dissect.Field) {
	uses := [...]struct{ name, doc string }{{"digitalSignature", "To sign."},
		{"contentCommitment", "To sign what one stands by."}, {"keyEncipherment", "To encrypt keys."},
		{"dataEncipherment", "To encrypt data."}, {"keyAgreement", "To agree on keys."},
		{"keyCertSign", "To sign certificates."}, {"cRLSign", "To sign lists of revoked certificates."},
		{"encipherOnly", "When agreeing on keys, to encrypt only."}}
	for i, u := range uses {
		out = append(out, x509ce.Bool("KeyUsage."+u.name, u.name, u.doc).Masked(0x80>>i).TrueFalse("True", "False"))
	}
	return out
}

// oidNames are the object identifiers that are met most.
var oidNames = map[string]string{
	"2.5.4.3": "id-at-commonName", "2.5.4.5": "id-at-serialNumber", "2.5.4.6": "id-at-countryName",
	"2.5.4.7": "id-at-localityName",
	"2.5.4.8": "id-at-stateOrProvinceName", "2.5.4.9": "id-at-streetAddress", "2.5.4.10": "id-at-organizationName",
	"2.5.4.11": "id-at-organizationalUnitName",
	"2.5.4.15": "id-at-businessCategory", "2.5.4.17": "id-at-postalCode", "2.5.4.97": "id-at-organizationIdentifier",
	"1.2.840.113549.1.9.1": "pkcs-9-at-emailAddress", "0.9.2342.19200300.100.1.25": "id-at-domainComponent",
	"1.2.840.113549.1.1.1": "rsaEncryption", "1.2.840.113549.1.1.5": "sha1WithRSAEncryption",
	"1.2.840.113549.1.1.10": "id-RSASSA-PSS",
	"1.2.840.113549.1.1.11": "sha256WithRSAEncryption", "1.2.840.113549.1.1.12": "sha384WithRSAEncryption",
	"1.2.840.113549.1.1.13": "sha512WithRSAEncryption",
	"1.2.840.10045.2.1":     "id-ecPublicKey", "1.2.840.10045.4.3.2": "ecdsa-with-SHA256",
	"1.2.840.10045.4.3.3": "ecdsa-with-SHA384", "1.2.840.10045.4.3.4": "ecdsa-with-SHA512",
	"1.3.101.112": "id-Ed25519", "1.3.101.113": "id-Ed448",
	"2.5.29.14": "id-ce-subjectKeyIdentifier", "2.5.29.15": "id-ce-keyUsage", "2.5.29.17": "id-ce-subjectAltName",
	"2.5.29.18": "id-ce-issuerAltName",
	"2.5.29.19": "id-ce-basicConstraints", "2.5.29.30": "id-ce-nameConstraints",
	"2.5.29.31": "id-ce-cRLDistributionPoints", "2.5.29.32": "id-ce-certificatePolicies",
	"2.5.29.35": "id-ce-authorityKeyIdentifier", "2.5.29.37": "id-ce-extKeyUsage",
	"1.3.6.1.5.5.7.1.1":       "id-pe-authorityInfoAccess",
	"1.3.6.1.4.1.11129.2.4.2": "SignedCertificateTimestampList", "1.3.6.1.5.5.7.3.1": "id-kp-serverAuth",
	"1.3.6.1.5.5.7.3.2": "id-kp-clientAuth",
	"1.3.6.1.5.5.7.3.3": "id-kp-codeSigning", "1.3.6.1.5.5.7.3.4": "id-kp-emailProtection",
	"1.3.6.1.5.5.7.3.8": "id-kp-timeStamping", "1.3.6.1.5.5.7.3.9": "id-kp-OCSPSigning",
}

// certExtensions reads the extensions of a certificate (RFC 5280 section 4.2).
func certExtensions(d *dissect.D) {
	element(d, func(n int) {
		d.Put(fCertExts, uint64(elements(d.Data())), d.Pos(), n)
		d.Below(func() {
			for more := d.Elements(); more.Next(); {
				d.In(fCertExt, func() {
					if !element(d, func(int) { certExtension(d) }, tagSequence) {
						pass(d)
					}
				})
			}
		})
	}, tagSequence)
}

func certExtension(d *dissect.D) {
	id := identifier(d, fCertExtID)
	d.Suffix(fCertExt, " ("+oidNames[id]+")")
	element(d, func(int) { d.Uint(fCritical) }, tagBool)
	element(d, func(int) {
		switch id {
		case "2.5.29.14":
			element(d, func(int) { d.Rest(fKeyID) }, tagOctets)
		case "2.5.29.15":
			element(d, func(int) { keyUsage(d) }, tagBits)
		case "2.5.29.17", "2.5.29.18":
			altNames(d)
		case "2.5.29.19":
			d.In(fBasic, func() { element(d, func(int) { basicConstraints(d) }, tagSequence) })
		case "2.5.29.35":
			d.In(fAuthority, func() {
				element(d, func(int) { element(d, func(int) { d.Rest(fAuthKeyID) }, 0x80) }, tagSequence)
			})
		case "2.5.29.37":
			purposes(d)
		case "1.3.6.1.4.1.11129.2.4.2":
			element(d, func(int) { timestamps(d) }, tagOctets)
		default:
			d.Rest(fExtValue)
		}
	}, tagOctets)
}

func basicConstraints(d *dissect.D) {
	element(d, func(int) { d.Uint(fCA) }, tagBool)
	element(d, func(int) { d.Uint(fPathLen) }, 0x02)
}

func keyUsage(d *dissect.D) {
	d.Skip(1)
	at := d.Pos()
	bits := d.Peek(0)
	d.Rest(fUsage)
	d.Below(func() {
		for _, f := range fUsageBits {
			d.Put(f, uint64(bits), at, 1)
		}
	})
}

func purposes(d *dissect.D) {
	element(d, func(n int) {
		d.Put(fPurposes, uint64(elements(d.Data())), d.Pos(), n)
		d.Below(func() {
			for more := d.Elements(); more.Next(); {
				if identifier(d, fPurpose) == "" {
					pass(d)
				}
			}
		})
	}, tagSequence)
}

func altNames(d *dissect.D) {
	element(d, func(n int) {
		d.Put(fAltNames, uint64(elements(d.Data())), d.Pos(), n)
		d.Below(func() {
			for more := d.Elements(); more.Next(); {
				form := uint64(d.Peek(0) & 0x1f)
				if !element(d, func(n int) {
					d.Put(fAltName, form, d.Pos(), n)
					d.Below(func() { altName(d, form, n) })
				}) {
					d.Skip(d.Left())
				}
			}
		})
	}, tagSequence)
}

func altName(d *dissect.D, form uint64, n int) {
	switch {
	case form == 1:
		d.Rest(fMail)
	case form == 2:
		d.Rest(fDNSName)
	case form == 6:
		d.Rest(fURI)
	case form == 7 && n == 4:
		d.IPv4(fIPv4)
	case form == 7 && n == 16:
		d.IPv6(fIPv6)
	}
}
