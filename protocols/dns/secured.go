package dns

import (
	"encoding/base32"
	"strings"

	"remora/dissect"
)

var (
	fDSKey    = proto.Uint16("ds.key_id", "Key id", "The key that is meant.").Hex()
	fDSAlg    = proto.Uint8("ds.algorithm", "Algorithm", "Algorithm of the key.").Named(algorithms)
	fDSType   = proto.Uint8("ds.digest_type", "Digest Type", "Algorithm of the digest.").Named(digests)
	fDSDigest = proto.Bytes("ds.digest", "Digest", "Digest of the key.")
	fKeyFlags = proto.Flags16("dnskey.flags", "Flags", keyFlags, "What the key is for.")
	fKeyFree  = proto.Uint16("dnskey.flags.reserved", "Reserved", "Must be zero.").Hex().Masked(0xfe7e)
	fKeyProto = proto.Uint8("dnskey.protocol", "Protocol", "Always 3.")
	fKeyAlg   = proto.Uint8("dnskey.algorithm", "Algorithm", "Algorithm of the key.").Named(algorithms)
	fKeyID    = proto.Uint16("dnskey.key_id", "Key id", "The number by which signatures name the key.").Derived()
	fKey      = proto.Bytes("dnskey.public_key", "Public Key", "The key.")
	fSigType  = proto.Uint16("rrsig.type_covered", "Type Covered", "The sort of records that are signed.").
			Named(recordTypes)
	fSigAlg    = proto.Uint8("rrsig.algorithm", "Algorithm", "Algorithm of the signature.").Named(algorithms)
	fSigLabels = proto.Uint8("rrsig.labels", "Labels", "Labels of the name that is signed.")
	fSigTTL    = proto.Uint32("rrsig.original_ttl", "Original TTL", "Time to live in the zone itself.").In("s")
	fSigEnd    = proto.Time("rrsig.signature_expiration", "Signature Expiration", "Until when the signature holds.")
	fSigBegin  = proto.Time("rrsig.signature_inception", "Signature Inception", "From when the signature holds.")
	fSigKey    = proto.Uint16("rrsig.key_tag", "Key Tag", "The key of the signature.")
	fSigner    = proto.String("rrsig.signers_name", "Signer's name", "The zone of the key.")
	fSig       = proto.Bytes("rrsig.signature", "Signature", "The signature.")
	fNext      = proto.String("nsec.next_domain_name", "Next Domain Name", "The next name that there is.")
	fBitmap    = proto.Uint16("nsec.type", "RR type in bit map", "A sort of record that the name has.").Named(recordTypes).
			Also(fRType)
	fWindow  = proto.Bytes("nsec.window", "Bit map", "Which sorts of records of one block of 256 the name has.")
	fN3Alg   = proto.Uint8("nsec3.algo", "Hash algorithm", "How names are hashed.").Named(dissect.Values{1: "SHA-1"})
	fN3Flags = proto.Flags8("nsec3.flags", "NSEC3 flags",
		[]dissect.Flag{{Name: "opt_out", Label: "NSEC3 Opt-out flag", Mask: 1,
			Doc: "There may be unsigned zones in between."}}, "What the record leaves open.").Dec()
	fN3Iter    = proto.Uint16("nsec3.iterations", "NSEC3 iterations", "How often the hash is repeated.")
	fN3SaltLen = proto.Uint8("nsec3.salt_length", "Salt length", "Length of the salt.")
	fN3Salt    = proto.Bytes("nsec3.salt_value", "Salt value", "What is hashed with every name.")
	fN3HashLen = proto.Uint8("nsec3.hash_length", "Hash length", "Length of the hash.")
	fN3Hash    = proto.String("nsec3.hash_value", "Next hashed owner", "The next hash that there is, as a label.")
	fTLSAUse   = proto.Uint8("tlsa.certificate_usage", "Certificate Usage", "What the certificate must be.").
			Named(dissect.Values{0: "CA constraint (PKIX-TA)", 1: "Service certificate constraint (PKIX-EE)",
			2: "Trust anchor assertion (DANE-TA)", 3: "Domain-issued certificate (DANE-EE)"})
	fTLSASel = proto.Uint8("tlsa.selector", "Selector", "What of the certificate is compared.").
			Named(dissect.Values{0: "Full certificate", 1: "SubjectPublicKeyInfo"})
	fTLSAMatch = proto.Uint8("tlsa.matching_type", "Matching Type", "How it is compared.").
			Named(dissect.Values{0: "No Hash Used", 1: "SHA-256", 2: "SHA-512"})
	fTLSA = proto.Bytes("tlsa.certificate_association_data", "Certificate Association Data",
		"What it is compared with.")
	fSSHAlg = proto.Uint8("sshfp.algorithm", "Algorithm", "Algorithm of the key.").
		Named(dissect.Values{1: "RSA", 2: "DSA", 3: "ECDSA", 4: "Ed25519", 6: "Ed448"})
	fSSHType = proto.Uint8("sshfp.fingerprint.type", "Fingerprint type", "Algorithm of the fingerprint.").
			Named(dissect.Values{1: "SHA-1", 2: "SHA-256"})
	fSSH       = proto.Bytes("sshfp.fingerprint", "Fingerprint", "Fingerprint of the key.")
	fTSIGAlg   = proto.String("tsig.algorithm_name", "Algorithm Name", "Algorithm of the signature.")
	fTSIGTime  = proto.Time("tsig.time_signed", "Time Signed", "When the message was signed.")
	fTSIGFudge = proto.Uint16("tsig.fudge", "Fudge", "How much clocks may differ.").In("s")
	fTSIGSize  = proto.Uint16("tsig.mac_size", "MAC Size", "Length of the signature.")
	fTSIGMAC   = proto.Bytes("tsig.mac", "MAC", "The signature.")
	fTSIGID    = proto.Uint16("tsig.original_id", "Original Id", "The message's number when it was signed.")
	fTSIGError = proto.Uint16("tsig.error", "Error", "What was wrong with the signature before.").Named(rcodes)
	fTSIGLen   = proto.Uint16("tsig.other_len", "Other Len", "Length of what follows.")
	fTSIGOther = proto.Bytes("tsig.other_data", "Other Data", "More on the error.")
	fLocVer    = proto.Uint8("loc.version", "Version", "Version of the record.")
	fLocSize   = proto.Uint8("loc.size", "Size", "Size of the place, as a digit and a power of ten in centimetres.")
	fLocHoriz  = proto.Uint8("loc.horizontal_precision", "Horizontal Precision",
		"How exact the place is, written likewise.")
	fLocVert = proto.Uint8("loc.vertical_precision", "Vertical Precision", "How exact the height is, written likewise.")
	fLocLat  = proto.Uint32("loc.latitude", "Latitude", "Thousandths of arc seconds north of 2^31.")
	fLocLong = proto.Uint32("loc.longitude", "Longitude", "Thousandths of arc seconds east of 2^31.")
	fLocAlt  = proto.Uint32("loc.altitude", "Altitude", "Centimetres above 100 000 m below the ground.")
)

var keyFlags = []dissect.Flag{
	{Name: "zone_key", Label: "Zone Key", Mask: 0x0100, Doc: "The key signs a zone."},
	{Name: "key_revoked", Label: "Key Revoked", Mask: 0x0080, Doc: "The key holds no more."},
	{Name: "secure_entry_point", Label: "Key Signing Key", Mask: 0x0001, Doc: "The key signs keys."},
}

// secured reads the records with which names are signed and keys are told.
func (m *reader) secured(kind uint64) string {
	d := m.d
	switch kind {
	case typeDS, typeCDS, typeDLV:
		d.Uint(fDSKey)
		d.Uint(fDSAlg)
		d.Uint(fDSType)
		d.Rest(fDSDigest)
	case typeDNSKEY, typeCDNSKEY:
		whole := d.Data()
		flags, at := d.Uint(fKeyFlags), d.Pos()-2
		d.Below(func() { d.Put(fKeyFree, flags, at, 2) })
		d.Uint(fKeyProto)
		d.Uint(fKeyAlg)
		d.Set(fKeyID, keyTag(whole))
		d.Rest(fKey)
	case typeRRSIG, typeSIG:
		d.Uint(fSigType)
		d.Uint(fSigAlg)
		d.Uint(fSigLabels)
		d.Uint(fSigTTL)
		seconds(d, fSigEnd, 4)
		seconds(d, fSigBegin, 4)
		d.Uint(fSigKey)
		m.name(fSigner)
		d.Rest(fSig)
	case typeNSEC:
		text := m.name(fNext)
		bitmap(d)
		return text
	case typeNSEC3, typeNSEC3PARAM:
		d.Uint(fN3Alg)
		d.Uint(fN3Flags)
		d.Uint(fN3Iter)
		if n := int(d.Uint(fN3SaltLen)); n > 0 {
			d.Bytes(fN3Salt, n)
		}
		if kind == typeNSEC3 {
			nextHash(d)
			bitmap(d)
		}
	case typeTLSA, typeSMIMEA:
		d.Uint(fTLSAUse)
		d.Uint(fTLSASel)
		d.Uint(fTLSAMatch)
		d.Rest(fTLSA)
	case typeSSHFP:
		d.Uint(fSSHAlg)
		d.Uint(fSSHType)
		d.Rest(fSSH)
	default:
		return m.rarest(kind)
	}
	return ""
}

// keyTag is the sum that names a key; of the oldest algorithm it is a part of the key (RFC 4034 appendix B).
func keyTag(b []byte) uint64 {
	if n := len(b); n >= 7 && b[3] == 1 {
		return uint64(b[n-3])<<8 | uint64(b[n-2])
	}
	var sum uint64
	for i, c := range b {
		if i&1 == 0 {
			sum += uint64(c) << 8
		} else {
			sum += uint64(c)
		}
	}
	sum += sum >> 16 & 0xffff
	return sum & 0xffff
}

// seconds reads a point in time in seconds since 1970 UTC, n bytes wide.
func seconds(d *dissect.D, f *dissect.Field, n int) {
	v, at := d.PeekUint(0, n), d.Pos()
	d.Skip(n)
	if !d.Short() {
		d.Put(f, v*1e9, at, n)
	}
}

func nextHash(d *dissect.D) {
	n, at := int(d.Uint(fN3HashLen)), d.Pos()
	hash := d.Data()
	d.Skip(n)
	if !d.Short() && d.Wanted(fN3Hash) {
		d.PutText(fN3Hash, strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(hash[:n])), at, n)
	}
}

// bitmap reads which sorts of records a name has (RFC 4034 section 4.1.2): windows of up to 32 bytes, a bit for a type.
func bitmap(d *dissect.D) {
	for more := d.Elements(); d.Left() >= 2 && more.Next(); {
		window, n := uint64(d.Peek(0)), int(d.Peek(1))
		if n == 0 || n > 32 || n+2 > d.Left() {
			return // what is left becomes data
		}
		d.Put(fWindow, 0, d.Pos(), 2+n)
		for i := range n {
			b := d.Peek(2 + i)
			for bit := range 8 {
				if b&(0x80>>bit) != 0 {
					d.Put(fBitmap, window<<8|uint64(8*i+bit), d.Pos()+2+i, 1)
				}
			}
		}
		d.Skip(2 + n)
	}
}

func (m *reader) tsig() {
	d := m.d
	m.name(fTSIGAlg)
	seconds(d, fTSIGTime, 6)
	d.Uint(fTSIGFudge)
	d.Counted(fTSIGSize, fTSIGMAC)
	d.Uint(fTSIGID)
	d.Uint(fTSIGError)
	if n := int(d.Uint(fTSIGLen)); n > 0 {
		d.Bytes(fTSIGOther, n)
	}
}

func location(d *dissect.D) {
	if d.Peek(0) != 0 {
		return
	}
	for _, f := range []*dissect.Field{fLocVer, fLocSize, fLocHoriz, fLocVert, fLocLat, fLocLong, fLocAlt} {
		d.Uint(f)
	}
}

var (
	fSvcPrio   = proto.Uint16("svcb.svcpriority", "SvcPriority", "0 for an alias; lower ones are tried first.")
	fSvcTarget = proto.String("svcb.targetname", "TargetName", "Host of the service.")
	fSvcParam  = proto.Node("svcb.svcparam", "SvcParam", "One property of the service.").
			Summary("SvcParam: {dns.svcb.svcparam.key:name}")
	fSvcKey   = proto.Uint16("svcb.svcparam.key", "SvcParamKey", "Which property it is.").Named(serviceKeys)
	fSvcLen   = proto.Uint16("svcb.svcparam.value.length", "SvcParamValue length", "Length of the property.")
	fSvcValue = proto.Bytes("svcb.svcparam.value", "SvcParamValue", "Content of the property.")
	fSvcMust  = proto.Uint16("svcb.svcparam.mandatory.key", "Mandatory key", "A property that a client must understand.").
			Named(serviceKeys)
	fALPNLen = proto.Uint8("svcb.svcparam.alpn.length", "ALPN length", "Length of the name.")
	fALPN    = proto.String("svcb.svcparam.alpn", "ALPN", "A protocol that the service speaks.")
	fSvcPort = proto.Uint16("svcb.svcparam.port", "Port", "Port of the service.")
	fSvcV4   = proto.IPv4("svcb.svcparam.ipv4hint.ip", "IP", "Address of the service.")
	fSvcV6   = proto.IPv6("svcb.svcparam.ipv6hint.ip", "IP", "Address of the service.")
	fSvcECH  = proto.Bytes("svcb.svcparam.echconfig", "ECHConfig", "Keys for an encrypted hello.")
)

// serviceBinding reads SVCB and HTTPS records (RFC 9460 section 2.2).
func (m *reader) serviceBinding() {
	d := m.d
	d.Uint(fSvcPrio)
	m.name(fSvcTarget)
	for more := d.Elements(); more.Next(); {
		d.In(fSvcParam, func() {
			key := d.Uint(fSvcKey)
			d.Within(int(d.Uint(fSvcLen)), func() { serviceParam(d, key) })
		})
	}
}

func serviceParam(d *dissect.D, key uint64) {
	for more := d.Elements(); more.Next(); {
		switch {
		case key == 0 && d.Left() >= 2:
			d.Uint(fSvcMust)
		case key == 1:
			d.Counted(fALPNLen, fALPN)
		case key == 3 && d.Left() == 2:
			d.Uint(fSvcPort)
		case key == 4 && d.Left() >= 4:
			d.IPv4(fSvcV4)
		case key == 5:
			d.Rest(fSvcECH)
		case key == 6 && d.Left() >= 16:
			d.IPv6(fSvcV6)
		default:
			d.Rest(fSvcValue)
		}
	}
}
