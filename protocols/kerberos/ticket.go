package kerberos

import (
	"encoding/binary"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/ber"
)

var (
	ticketFlags = newOptions("flags", "flags", "What the ticket is like (RFC 4120 section 5.3).", "TicketFlags",
		`reserved forwardable forwarded proxiable proxy may.postdate postdated invalid
renewable initial pre.authent hw.authent transited.policy.checked ok.as.delegate unused enc.pa.rep anonymous`)

	gTransited = group("transited", "transited", "The realms that took part.")
	fTransType = proto.Int32("tr_type", "tr-type", "How they are written.")
	fContents  = proto.Bytes("contents", "contents", "The realms.")
	fCAddrs    = proto.Uint32("caddr", "caddr", "How many addresses the ticket holds for.").In("items")
	fLast      = proto.Uint32("last_req", "last-req", "How many times of earlier requests are told.").In("items")
	gLast      = group("LastReq_item", "LastReq item", "A time.")
	fLastType  = proto.Int32("lr_type", "lr-type", "What happened then.").Named(lastTypes)
	fLastValue = proto.Time("lr_value", "lr-value", "When it happened.")
	fEncPadata = proto.Uint32("encrypted_pa_data", "encrypted-pa-data", "How many proofs and hints come with it.").
			In("items")

	fAuths    = proto.Uint32("authorization_data", "authorization-data", "How many restrictions there are.").In("items")
	gAuthItem = group("AuthorizationData_item", "AuthorizationData item", "A restriction.")
	fAuthType = proto.Int32("ad_type", "ad-type", "Which restriction it is.").Named(authTypes)
	fAuthData = proto.Bytes("ad_data", "ad-data", "The restriction.")

	fPACCount   = proto.Uint32("pac.entries", "Num Entries", "How many parts Windows' list of groups has.").LE()
	fPACVersion = proto.Uint32("pac.version", "Version", "Version of the list: 0.").LE()
	fPACType    = proto.Uint32("pac.type", "Type", "What the part is.").LE().Named(pacTypes)
	fPACSize    = proto.Uint32("pac.size", "Size", "Length of the part.").LE()
	fPACOffset  = proto.Uint32("pac.offset", "Offset", "Where the part stands.").LE()
	fClientID   = proto.Time("pac.clientid", "ClientID", "When the client proved who it is.")
	fClientLen  = proto.Uint16("pac.namelen", "Name Length", "Length of the client's name.").LE()
	fClientName = proto.String("pac.name", "Name", "The client's name.").Encoded(dissect.UTF16LE)
	fSignType   = proto.Int32("pac.signature.type", "Type", "How the part was signed.").LE()
	fSignature  = proto.Bytes("pac.signature.signature", "Signature", "The proof that nobody changed the list.")
)

var (
	lastTypes = dissect.Values{0: "lR-NONE", 1: "lR-INITIAL-TGT", 2: "lR-INITIAL", 3: "lR-ISSUE-USE-TGT", 4: "lR-RENEWAL",
		5: "lR-REQUEST", 6: "lR-PW-EXPTIME", 7: "lR-ACCT-EXPTIME"}
	authTypes = dissect.Values{1: "aD-IF-RELEVANT", 4: "aD-KDC-ISSUED", 5: "aD-AND-OR", 8: "aD-MANDATORY-FOR-KDC",
		70: "aD-authentication-strength", 71: "aD-fx-fast-armor", 72: "aD-fx-fast-used", 128: "aD-WIN2K-PAC",
		129: "aD-GSS-API-ETYPE-NEGOTIATION", 141: "aD-TOKEN-RESTRICTIONS", 142: "aD-LOCAL", 143: "aD-AP-OPTIONS",
		144: "aD-TARGET-PRINCIPAL"}
	pacTypes = dissect.Values{1: "Logon Info", 2: "Credentials Info", 6: "Server Checksum", 7: "Privsvr Checksum",
		10: "Client Info Type", 11: "S4U Delegation Info", 12: "UPN DNS Info", 13: "Client Claims Info", 14: "Device Info",
		15: "Device Claims Info", 16: "Ticket Checksum", 17: "Attributes Info", 18: "Requester Sid"}
	// pacFields are the fields of the parts of Windows' list.
	pacFields = map[uint64]*dissect.Field{1: pacField("logon_info"), 2: pacField("credential_info"),
		6: pacField("server_checksum"), 7: pacField("privsvr_checksum"), 10: pacField("client_info_type"),
		11: pacField("s4u_delegation_info"), 12: proto.Bytes("pac_upn_dns_info", "UPN_DNS_INFO", "A part of the list."),
		13: pacField("client_claims_info"), 14: pacField("device_info"), 15: pacField("device_claims_info"),
		16: pacField("ticket_checksum"), 17: pacField("attributes_info"), 18: pacField("requester_sid")}
)

func pacField(name string) *dissect.Field {
	return proto.Bytes("pac_"+name, "PAC_"+strings.ToUpper(name), "A part of the list.")
}

func ticketAddresses(d *dissect.D) { list(d, fCAddrs, func() { address(d) }) }

func lastRequests(d *dissect.D) {
	list(d, fLast, func() { d.In(gLast, func() { parts{0: unsigned(fLastType), 1: moment(fLastValue)}.read(d) }) })
}

// maxAuth is how deep restrictions may stand in each other.
const maxAuth = 4

// authorization reads what a ticket may be used for (RFC 4120 section 5.2.6).
func authorization(d *dissect.D) { list(d, fAuths, func() { restriction(d, 0) }) }

func restriction(d *dissect.D, depth int) {
	d.In(gAuthItem, func() {
		kind := int64(0)
		parts{
			0: func(d *dissect.D) { kind = number(d, fAuthType) },
			1: func(d *dissect.D) {
				asn.Value(d, ber.Octets, func(_ byte, n int) {
					d.Put(fAuthData, 0, d.Pos(), n)
					d.Below(func() {
						switch {
						case kind == 1 && depth < maxAuth:
							asn.Value(d, ber.Sequence, func(byte, int) { asn.Each(d, func() { restriction(d, depth+1) }) })
						case kind == 128 && n >= 8:
							privileges(d)
						}
					})
					d.Skip(d.Left())
				})
			},
		}.read(d)
	})
}

// privileges reads Windows' list of groups (MS-PAC section 2.3).
func privileges(d *dissect.D) {
	at, size := d.Pos(), d.Left()
	n := d.Uint(fPACCount)
	d.Uint(fPACVersion)
	for more := d.Elements(); n > 0 && d.Left() >= 16 && more.Next(); n-- {
		kind := d.Uint(fPACType)
		d.Below(func() {
			length, offset := d.Uint(fPACSize), d.Uint(fPACOffset)
			d.Skip(4) // the offset has 64 bits
			f := pacFields[kind]
			if f == nil || offset > uint64(size) || length > uint64(size)-offset {
				return
			}
			next := d.Pos()
			d.Seek(at + int(offset))
			d.Put(f, 0, d.Pos(), int(length))
			d.Below(func() { d.Within(int(length), func() { privilege(d, kind) }) })
			d.Seek(next)
		})
	}
}

func privilege(d *dissect.D, kind uint64) {
	switch kind {
	case 6, 7, 16:
		d.Int(fSignType)
		d.Rest(fSignature)
	case 10:
		if d.Left() < 10 {
			return
		}
		const epoch = 116444736000000000 // steps of 100 ns between 1601 and 1970
		d.Put(fClientID, (binary.LittleEndian.Uint64(d.Data())-epoch)*100, d.Pos(), 8)
		d.Skip(8)
		d.Bytes(fClientName, int(d.Uint(fClientLen)))
	}
}
