package isakmp

import (
	"bytes"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// The types of payloads that are read further. Version 2 has its own from 33 on.
const (
	payloadNone      = 0
	payloadSA        = 1
	payloadProposal  = 2
	payloadTransform = 3
	payloadKE        = 4
	payloadID        = 5
	payloadCert      = 6
	payloadCertReq   = 7
	payloadHash      = 8
	payloadSig       = 9
	payloadNonce     = 10
	payloadNotify    = 11
	payloadDelete    = 12
	payloadVendor    = 13
	payloadConfig    = 14
	payloadNATD      = 20
	payloadNATOA     = 21
	payload2SA       = 33
	payload2KE       = 34
	payload2IDi      = 35
	payload2IDr      = 36
	payload2Cert     = 37
	payload2CertReq  = 38
	payload2Auth     = 39
	payload2Nonce    = 40
	payload2Notify   = 41
	payload2Delete   = 42
	payload2Vendor   = 43
	payload2TSi      = 44
	payload2TSr      = 45
	payload2SK       = 46
	payload2Config   = 47
	payload2EAP      = 48
	payload2SKF      = 53
	payloadDraftNATD = 130
	payloadDraftOA   = 131
)

var (
	fDOI       = proto.Uint32("sa.doi", "Domain of interpretation", "Whose numbers the payload has.").Named(dois)
	fSituation = proto.Bytes("sa.situation", "Situation", "What the agreement is for.")
	fIdentity  = situation("identity_only", "Identity Only", 1)
	fSecrecy   = situation("secrecy", "Secrecy", 2)
	fIntegrity = situation("integrity", "Integrity", 4)

	fPropNumber = proto.Uint8("prop.number", "Proposal number", "Number of the proposal.")
	fPropProto1 = proto.Uint8("prop.protoid", "Protocol ID", "What the proposal is for.").Named(protocols1)
	fPropProto2 = proto.Uint8("prop.protoid", "Protocol ID", "What the proposal is for.").Named(protocols2)
	fSPISize    = proto.Uint8("spisize", "SPI Size", "Length of the numbers of agreements that follow.")
	fTransCount = proto.Uint8("prop.transforms", "Proposal transforms", "How many transforms are proposed.")
	fSPI        = proto.Bytes("spi", "SPI", "The sender's number of the agreement.")

	fTransNumber = proto.Uint8("trans.number", "Transform number", "Number of the transform.")
	fTransIDs    = map[uint64]*dissect.Field{1: transform(transISAKMP), 2: transform(transAH), 3: transform(transESP),
		4: transform(transIPComp)}
	fTransID   = transform(nil)
	fTransType = proto.Uint8("tf.type", "Transform Type", "What is proposed.").Named(transformTypes)
	fTrans2    = map[uint64]*dissect.Field{1: transform2(".encr", " (ENCR)", transEncr),
		2: transform2(".prf", " (PRF)", transPRF),
		3: transform2(".integ", " (INTEG)", transInteg), 4: transform2(".dh", " (D-H)", groups),
		5: transform2(".esn", " (ESN)", transESN)}
	fTrans2ID = transform2("", "", nil)

	fGroup = proto.Uint16("key_exchange.dh_group", "DH Group #", "The group in which the key is exchanged.").Named(groups)
	fKE    = proto.Bytes("key_exchange.data", "Key Exchange Data", "The sender's public value.")
	fNonce = proto.Bytes("nonce", "Nonce DATA", "A number used once.")
	fHash  = proto.Bytes("hash", "Hash DATA", "A proof of the key.")
	fSig   = proto.Bytes("sig", "Signature DATA", "A signature.")

	fIDType1  = proto.Uint8("id.type", "ID type", "How the identity is written.").Named(idTypes1)
	fIDType2  = proto.Uint8("id.type", "ID type", "How the identity is written.").Named(idTypes2)
	fIDProto  = proto.Uint8("id.protoid", "Protocol ID", "The IP protocol that the identity is limited to, or 0.")
	fIDPort   = proto.Uint16("id.port", "Port", "The port that the identity is limited to, or 0.")
	fIDData   = proto.Node("id.data", "Identification Data:", "The identity.")
	fIDIPv4   = proto.IPv4("id.data.ipv4_addr", "ID_IPV4_ADDR", "An address.")
	fIDNet4   = proto.IPv4("id.data.ipv4_subnet", "ID_IPV4_SUBNET", "The mask of a network.")
	fIDFrom4  = proto.IPv4("id.data.ipv4_range_start", "ID_IPV4_RANGE (Start)", "The first address.")
	fIDTo4    = proto.IPv4("id.data.ipv4_range_end", "ID_IPV4_RANGE (End)", "The last address.")
	fIDIPv6   = proto.IPv6("id.data.ipv6_addr", "ID_IPV6_ADDR", "An address.")
	fIDNet6   = proto.IPv6("id.data.ipv6_subnet", "ID_IPV6A_ADDR_SUBNET", "The mask of a network.")
	fIDFrom6  = proto.IPv6("id.data.ipv6_range_start", "ID_IPV6_ADDR_RANGE (Start)", "The first address.")
	fIDTo6    = proto.IPv6("id.data.ipv6_range_end", "ID_IPV6_ADDR_RANGE (End)", "The last address.")
	fIDName   = proto.String("id.data.fqdn", "ID_FQDN", "A host's name.")
	fIDUser   = proto.String("id.data.user_fqdn", "ID_FQDN", "A person's name at a host.")
	fIDDN     = proto.Uint32("id.data.der_asn1_dn", "ID_DER_ASN1_DN", "A distinguished name.").Named(nameForms)
	fIDKey    = proto.Bytes("id.data.key_id", "ID_KEY_ID", "A name that only the peer understands.")
	fCertType = proto.Uint8("cert.encoding", "Certificate Encoding", "What sort of certificate it is.").Named(certTypes)
	fCertData = proto.Node("cert.data", "Certificate Data", "The certificate.")
	fCertHash = proto.Bytes("cert.x509.hash", "Hash", "The digest of the certificate.")
	fCertURL  = proto.String("cert.x509.url", "URL", "Where the certificate is.")
	fReqType  = proto.Uint8("certreq.type", "Certificate Type", "What sort of certificate is asked for.").Named(certTypes)
	fReqName  = proto.Uint32("ike.certreq.authority.sig", "Certificate Authority Signature",
		"Whose certificates are taken.").
		Named(nameForms)
	fReqData = proto.Bytes("ike.certreq.authority", "Certificate Authority Data", "Whose certificates are taken.")

	fAuthMethod = proto.Uint8("auth.method", "Authentication Method", "How the sender proves who it is.").
			Named(authMethods2)
	fAuthData  = proto.Bytes("auth.data", "Authentication Data", "The proof.")
	fSigLength = proto.Uint8("auth.data.sig.asn1.len", "ASN.1 Length", "Length of the algorithm's name.")
	fSigASN1   = proto.Bytes("auth.data.sig.asn1.data", "ASN.1 Data", "The name of the algorithm.")
	fSigValue  = proto.Bytes("auth.data.sig.value", "Signature Value", "The signature.")

	fNotifyDOI    = proto.Uint32("notify.doi", "Domain of interpretation", "Whose numbers the payload has.").Named(dois)
	fNotifyProto1 = proto.Uint8("notify.protoid", "Protocol ID", "What the notification is about.").Named(protocols1)
	fNotifyProto2 = proto.Uint8("notify.protoid", "Protocol ID", "What the notification is about.").Named(protocols2)
	fNotify1      = proto.Uint16("notify.msgtype", "Notify Message Type", "What is notified.").Named(notify1)
	fNotify2      = proto.Uint16("notify.msgtype", "Notify Message Type", "What is notified.").Named(notify2)
	fNotifyData   = proto.Bytes("notify.data", "Notification DATA", "What belongs to it.")
	fAreYou       = proto.Uint32("notify.data.dpd.are_you_there", "DPD ARE-YOU-THERE sequence", "Number of the question.")
	fIAm          = proto.Uint32("notify.data.dpd.are_you_there_ack", "DPD ARE-YOU-THERE-ACK sequence",
		"Number of the question.")
	fWantGroup = proto.Uint16("notify.data.accepted_dh_group", "Accepted DH group number", "The group that is wanted.")
	fAuthLife  = proto.Uint32("notify.data.auth_lifetime", "Authentication Lifetime", "For how long it holds.").In("s")
	fSigHash   = proto.Uint16("notify.data.signature_hash_algorithms", "Supported Signature Hash Algorithm",
		"A digest that signatures may be made with.").Named(signatureHashes)

	fDeleteDOI    = proto.Uint32("delete.doi", "Domain of interpretation", "Whose numbers the payload has.").Named(dois)
	fDeleteProto1 = proto.Uint8("delete.protoid", "Protocol ID", "What is deleted.").Named(protocols1)
	fDeleteProto2 = proto.Uint8("delete.protoid", "Protocol ID", "What is deleted.").Named(protocols2)
	fSPICount     = proto.Uint16("spinum", "Number of SPIs", "How many agreements are deleted.")
	fDeleteSPI    = proto.Bytes("delete.spi", "Delete SPI", "An agreement that is deleted.")

	fVendor     = proto.Bytes("vid_bytes", "Vendor ID", "What the sender can do, or who made it.")
	fVendorName = proto.String("vid_string", "Vendor ID", "What the sender can do, or who made it.").Derived()
	fNATHash    = proto.Bytes("ike.nat_hash", "HASH of the address and port", "Tells whether an address was translated.")
	fNAT4       = proto.IPv4("ike.nat_original_address_ipv4", "NAT Original IPv4 Address",
		"The address before it was translated.")
	fNAT6 = proto.IPv6("ike.nat_original_address_ipv6", "NAT Original IPv6 Address",
		"The address before it was translated.")

	fTSCount = proto.Uint8("ts.number", "Number of Traffic Selectors", "How many follow.")
	fTS      = proto.Node("ts.data", "Traffic Selector", "Which traffic the agreement is for.")
	fTSType  = proto.Uint8("ts.type", "Traffic Selector Type", "What the addresses are.").Named(selectorTypes)
	fTSProto = proto.Uint8("ts.protoid", "Protocol ID", "The IP protocol, or 0 for all.")
	fTSSize  = proto.Uint16("ts.selector_length", "Selector Length", "Length of the selector.")
	fTSFrom  = proto.Uint16("ts.start_port", "Start Port", "The first port.")
	fTSTo    = proto.Uint16("ts.end_port", "End Port", "The last port.")
	fTSFrom4 = proto.IPv4("ts.start_ipv4", "Starting Addr", "The first address.")
	fTSTo4   = proto.IPv4("ts.end_ipv4", "Ending Addr", "The last address.")
	fTSFrom6 = proto.IPv6("ts.start_ipv6", "Starting Addr", "The first address.")
	fTSTo6   = proto.IPv6("ts.end_ipv6", "Ending Addr", "The last address.")

	fEAP = proto.Bytes("eap.data", "EAP Message", "A packet of EAP.")
)

// nameForms are the forms of names in X.509, of which there is one.
var nameForms = dissect.Values{0: "rdnSequence"}

func situation(name, label string, mask uint64) *dissect.Field {
	return proto.Bool("sa.situation."+name, label, "What the agreement is for.").Wide(4).TrueFalse("True", "False").
		Masked(mask)
}

func transform(names dissect.Values) *dissect.Field {
	return proto.Uint8("trans.id", "Transform ID", "Which algorithm it is.").Named(names)
}

func transform2(name, label string, names dissect.Values) *dissect.Field {
	return proto.Uint16("tf.id"+name, "Transform ID"+label, "Which algorithm it is.").Named(names)
}

// body reads what a payload holds.
func (r *reading) body(kind, next uint64) {
	d := r.d
	switch kind {
	case payloadSA, payload2SA:
		r.association()
	case payloadProposal:
		r.proposal()
	case payloadKE, payload2KE:
		if r.version == 2 {
			d.Uint(fGroup)
			d.Bytes(fReserved, 2)
		}
		d.Rest(fKE)
	case payloadID, payload2IDi, payload2IDr:
		r.identity()
	case payloadCert, payload2Cert:
		r.certificate()
	case payloadCertReq, payload2CertReq:
		r.certificateRequest()
	case payloadHash:
		d.Rest(fHash)
	case payloadSig:
		d.Rest(fSig)
	case payloadNonce, payload2Nonce:
		d.Rest(fNonce)
	case payloadNotify, payload2Notify:
		r.notify()
	case payloadDelete, payload2Delete:
		r.delete()
	case payloadVendor, payload2Vendor:
		vendor(d)
	case payloadConfig, payload2Config:
		r.configuration()
	case payloadNATD, payloadDraftNATD:
		d.Rest(fNATHash)
	case payloadNATOA, payloadDraftOA:
		r.original()
	case payload2Auth:
		authentication(d)
	case payload2TSi, payload2TSr:
		selectors(d)
	case payload2EAP:
		at, n := d.Pos(), d.Left()
		d.Put(fEAP, 0, at, n)
		d.NextPart(tables.EAP, 0)
	case payload2SK, payload2SKF:
		r.sealed(kind, next)
	}
	d.Rest(fData)
}

// association reads the proposals of a security association.
func (r *reading) association() {
	d := r.d
	if r.version == 2 {
		r.payloads(payloadProposal)
		return
	}
	if d.Uint(fDOI) != 1 {
		d.Rest(fSituation)
		return
	}
	at := d.Pos()
	d.Bytes(fSituation, 4)
	d.Below(func() {
		d.Seek(at)
		d.Bits(fIdentity, fSecrecy, fIntegrity)
	})
	r.payloads(payloadProposal)
}

func (r *reading) proposal() {
	d := r.d
	number := d.Uint(fPropNumber)
	if d.Labelling() {
		d.Suffix(fPayload, fmt.Sprintf(" # %d", number))
	}
	which := d.Uint(choose2(r.version == 1, fPropProto1, fPropProto2))
	size := d.Uint(fSPISize)
	count := d.Uint(fTransCount)
	if size > 0 {
		d.Bytes(fSPI, int(size))
	}
	for more := d.Elements(); count > 0 && more.Next(); count-- {
		length := int(d.PeekUint(2, 2))
		if length < 4 || length > d.Left() {
			d.Expert(nLength)
			return
		}
		d.Put(fPayload, payloadTransform, d.Pos(), length)
		d.Below(func() {
			d.Uint(fNext)
			d.Bytes(fReserved, 1)
			d.Uint(fSize)
			d.Within(length-4, func() { r.transform(which) })
		})
	}
}

func choose2(is bool, yes, no *dissect.Field) *dissect.Field {
	if is {
		return yes
	}
	return no
}

// transform reads one algorithm with its attributes.
func (r *reading) transform(which uint64) {
	d := r.d
	if r.version == 2 {
		f := fTrans2[d.Uint(fTransType)]
		if f == nil {
			f = fTrans2ID
		}
		d.Bytes(fReserved, 1)
		d.Uint(f)
		attributes(d, &ike2Attributes)
		return
	}
	number := d.Uint(fTransNumber)
	if d.Labelling() {
		d.Suffix(fPayload, fmt.Sprintf(" # %d", number))
	}
	f := fTransIDs[which]
	if f == nil {
		f = fTransID
	}
	id := d.Uint(f)
	d.Bytes(fReserved, 2)
	if which == 1 && id == 1 {
		attributes(d, &phase1Attributes)
	} else {
		attributes(d, &phase2Attributes)
	}
}

// The sorts of identities.
const (
	idIPv4 = iota + 1
	idName
	idUser
	idNet4
	idIPv6
	idNet6
	idRange4
	idRange6
	idDN
	idGN
	idKey
)

func (r *reading) identity() {
	d := r.d
	kind := d.Uint(choose2(r.version == 1, fIDType1, fIDType2))
	if r.version == 1 {
		d.Uint(fIDProto)
		d.Uint(fIDPort)
	} else {
		d.Bytes(fReserved, 3)
	}
	d.In(fIDData, func() {
		switch kind {
		case idIPv4:
			d.IPv4(fIDIPv4)
		case idName:
			d.Rest(fIDName)
		case idUser:
			d.Rest(fIDUser)
		case idNet4:
			d.IPv4(fIDIPv4)
			d.IPv4(fIDNet4)
		case idIPv6:
			d.IPv6(fIDIPv6)
		case idNet6:
			d.IPv6(fIDIPv6)
			d.IPv6(fIDNet6)
		case idRange4:
			d.IPv4(fIDFrom4)
			d.IPv4(fIDTo4)
		case idRange6:
			d.IPv6(fIDFrom6)
			d.IPv6(fIDTo6)
		case idKey:
			d.Rest(fIDKey)
		case idDN:
			distinguished(d, fIDDN)
		}
		d.Skip(d.Left())
	})
}

func (r *reading) certificate() {
	d := r.d
	if d.Uint(fCertType) == 12 && r.version == 2 {
		d.Bytes(fCertHash, 20)
		d.Rest(fCertURL)
		return
	}
	d.In(fCertData, func() {
		d.Info().Suppress(func() { d.NextPart(tables.X509, tables.X509Certificate) })
		d.Skip(d.Left())
	})
}

// distinguished reads a distinguished name.
func distinguished(d *dissect.D, f *dissect.Field) {
	d.Put(f, 0, d.Pos(), d.Left())
	d.Below(func() { d.Info().Suppress(func() { d.NextPart(tables.X509, tables.X509Name) }) })
	d.Skip(d.Left())
}

func (r *reading) certificateRequest() {
	d := r.d
	kind := d.Uint(fReqType)
	switch {
	case r.version == 2:
		for more := d.Elements(); more.Next(); {
			d.Bytes(fReqData, 20)
		}
	case kind == 4 && d.More():
		distinguished(d, fReqName)
	default:
		d.Rest(fReqData)
	}
}

func authentication(d *dissect.D) {
	method := d.Uint(fAuthMethod)
	d.Bytes(fReserved, 3)
	at := d.Pos()
	d.Rest(fAuthData)
	if method != 14 {
		return
	}
	d.Below(func() {
		d.Seek(at)
		d.Counted(fSigLength, fSigASN1)
		d.Rest(fSigValue)
	})
}

func (r *reading) notify() {
	d := r.d
	f, which := fNotify2, fNotifyProto2
	if r.version == 1 {
		d.Uint(fNotifyDOI)
		f, which = fNotify1, fNotifyProto1
	}
	d.Uint(which)
	size := d.Uint(fSPISize)
	kind := d.Uint(f)
	if r.version == 2 && d.Labelling() {
		d.Suffix(fPayload, " - "+choose(notify2[kind] != "", notify2[kind], "Unknown"))
	}
	if size > 0 {
		d.Bytes(fSPI, int(size))
	}
	at := d.Pos()
	if d.More() {
		d.Rest(fNotifyData)
		d.Below(func() {
			d.Seek(at)
			r.notified(kind)
		})
		d.Skip(d.Left())
	}
}

// notified reads what belongs to a notification.
func (r *reading) notified(kind uint64) {
	d := r.d
	switch {
	case r.version == 1 && kind == 36136:
		d.Uint(fAreYou)
	case r.version == 1 && kind == 36137:
		d.Uint(fIAm)
	case r.version == 1 && kind == 24576:
		attributes(d, &phase2Attributes)
	case r.version == 2 && kind == 17:
		d.Uint(fWantGroup)
	case r.version == 2 && kind == 16403:
		d.Uint(fAuthLife)
	case r.version == 2 && kind == 16431:
		for more := d.Elements(); d.Left() >= 2 && more.Next(); {
			d.Uint(fSigHash)
		}
	}
}

func (r *reading) delete() {
	d := r.d
	which := fDeleteProto2
	if r.version == 1 {
		d.Uint(fDeleteDOI)
		which = fDeleteProto1
	}
	d.Uint(which)
	size := int(d.Uint(fSPISize))
	d.Uint(fSPICount)
	for more := d.Elements(); size > 0 && more.Next(); {
		d.Bytes(fDeleteSPI, size)
	}
}

func (r *reading) original() {
	d := r.d
	kind := d.Uint(choose2(r.version == 1, fIDType1, fIDType2))
	d.Bytes(fReserved, 3)
	switch kind {
	case idIPv4:
		d.IPv4(fNAT4)
	case idIPv6:
		d.IPv6(fNAT6)
	}
}

func selectors(d *dissect.D) {
	count := d.Uint(fTSCount)
	if d.Labelling() {
		d.Suffix(fPayload, fmt.Sprintf(" # %d", count))
	}
	d.Bytes(fReserved, 3)
	for more := d.Elements(); more.Next(); {
		length := int(d.PeekUint(2, 2))
		if length < 8 || length > d.Left() {
			d.Expert(nLength)
			return
		}
		d.In(fTS, func() { d.Within(length, func() { selector(d) }) })
	}
}

func selector(d *dissect.D) {
	kind := d.Uint(fTSType)
	d.Uint(fTSProto)
	d.Uint(fTSSize)
	switch kind {
	case 7:
		d.Uint(fTSFrom)
		d.Uint(fTSTo)
		d.IPv4(fTSFrom4)
		d.IPv4(fTSTo4)
	case 8:
		d.Uint(fTSFrom)
		d.Uint(fTSTo)
		d.IPv6(fTSFrom6)
		d.IPv6(fTSTo6)
	}
	d.Rest(fData)
}

// vendors are what the begins of vendor IDs mean.
var vendors = []struct{ prefix, name string }{
	{"\xaf\xca\xd7\x13\x68\xa1\xf1\xc9\x6b\x86\x96\xfc\x77\x57", "RFC 3706 DPD (Dead Peer Detection)"},
	{"\x4a\x13\x1c\x81\x07\x03\x58\x45\x5c\x57\x28\xf2\x0e\x95\x45\x2f",
		"RFC 3947 Negotiation of NAT-Traversal in the IKE"},
	{"\x90\xcb\x80\x91\x3e\xbb\x69\x6e\x08\x63\x81\xb5\xec\x42\x7b\x1f", "draft-ietf-ipsec-nat-t-ike-02\\n"},
	{"\x7d\x94\x19\xa6\x53\x10\xca\x6f\x2c\x17\x9d\x92\x15\x52\x9d\x56", "draft-ietf-ipsec-nat-t-ike-03"},
	{"\x09\x00\x26\x89\xdf\xd6\xb7\x12", "XAUTH"},
	{"\x12\xf5\xf2\x8c\x45\x71\x68\xa9\x70\x2d\x9f\xe2\x74\xcc", "CISCO-UNITY"},
	{"\x40\x48\xb7\xd5\x6e\xbc\xe8\x85\x25\xe7\xde\x7f\x00\xd6\xc2\xd3", "Cisco Fragmentation"},
	{"\x88\x2f\xe5\x6d\x6f\xd2\x0d\xbc\x22\x51\x61\x3b\x2e\xbe\x5b\xeb", "strongSwan"},
}

func vendor(d *dissect.D) {
	at, b := d.Pos(), d.Rest(fVendor)
	name := "Unknown Vendor ID"
	for _, v := range vendors {
		if bytes.HasPrefix(b, []byte(v.prefix)) {
			name = v.name
			break
		}
	}
	d.PutText(fVendorName, name, at, len(b))
	if d.Labelling() {
		d.Suffix(fPayload, " : "+name)
	}
}
