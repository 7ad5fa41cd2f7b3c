package kerberos

import (
	"remora/dissect"
	"remora/protocols/internal/ber"
)

var (
	fCRealm   = proto.String("crealm", "crealm", "The realm of the client.")
	fRealm    = proto.String("realm", "realm", "The realm of the server.")
	gCName    = group("cname", "cname", "Who the client is.")
	gSName    = group("sname", "sname", "Who the server is.")
	fNameType = proto.Int32("name_type", "name-type", "What kind of name it is.").Named(nameTypes)
	fCNames   = proto.Uint32("cname_string", "cname-string", "How many parts the client's name has.").In("items")
	fCName    = proto.String("CNameString", "CNameString", "A part of the client's name.")
	fSNames   = proto.Uint32("sname_string", "sname-string", "How many parts the server's name has.").In("items")
	fSName    = proto.String("SNameString", "SNameString", "A part of the server's name.")
	fFrom     = proto.Time("from", "from", "From when the ticket is to hold.")
	fTill     = proto.Time("till", "till", "To when it is to hold.")
	fRTime    = proto.Time("rtime", "rtime", "To when it is to be renewed.")
	fNonce    = proto.Uint32("nonce", "nonce", "A number used once.")
	fEtypes   = proto.Uint32("kdc-req-body.etype", "etype", "How many ways of encryption the client knows.").In("items")
	fEnctype  = proto.Int32("ENCTYPE", "ENCTYPE", "A way of encryption, the best one first.").Named(etypes)
	fAddrs    = proto.Uint32("addresses", "addresses", "How many addresses the ticket is to hold for.").In("items")
	gAddr     = group("HostAddress", "HostAddress", "An address.")
	fAddrType = proto.Int32("addr_type", "addr-type", "What kind of address it is.").Named(addressTypes)
	fAddrIP   = proto.IPv4("addr_ip", "IP Address", "An address of IPv4.")
	fAddrIP6  = proto.IPv6("addr_ipv6", "IPv6 Address", "An address of IPv6.")
	fAddr     = proto.Bytes("address", "address", "An address of another kind.")
	gReqBody  = group("req_body", "req-body", "What is wanted.")
	gEncAuth  = group("enc_authorization_data", "enc-authorization-data", "What else is known of the client.")
	fTickets  = proto.Uint32("additional_tickets", "additional-tickets", "How many tickets come with it.").In("items")
	fHanded   = proto.Uint32("tickets", "tickets", "How many tickets are handed on.").In("items")
	gTicket   = group("ticket", "ticket", "What the client shows to the server.")
	gOne      = group("Ticket", "Ticket", "A ticket.")
	fTktVno   = proto.Uint32("tkt_vno", "tkt-vno", "Version of the ticket: 5.")
	gEncPart  = group("enc_part", "enc-part", "What is encrypted.")
	gAuth     = group("authenticator", "authenticator", "Proof that the client knows the key of the ticket.")
	fEtype    = proto.Int32("etype", "etype", "How it is encrypted.").Named(etypes)
	fKvno     = proto.Uint32("kvno", "kvno", "Version of the key.")
	fCipher   = proto.Bytes("cipher", "cipher", "The encrypted bytes.")
	gCksum    = group("cksum", "cksum", "Proof that nobody changed it.")
	fSumType  = proto.Int32("cksumtype", "cksumtype", "How the proof was made.").Named(checksumTypes)
	fChecksum = proto.Bytes("checksum", "checksum", "The proof.")
	gBody     = group("safe_body", "safe-body", "The data.")
	fUserData = proto.Bytes("user_data", "user-data", "The data.")
	fStamp    = proto.Time("timestamp", "timestamp", "When they were sent.")
	fUsec     = proto.Uint32("usec", "usec", "Microseconds of that time.")
	fSeq      = proto.Uint32("seq_number", "seq-number", "Counts messages.")
	fCTime    = proto.Time("ctime", "ctime", "Time of the client.")
	fCUsec    = proto.Uint32("cusec", "cusec", "Microseconds of it.")
	fSTime    = proto.Time("stime", "stime", "Time of the server.")
	fSUsec    = proto.Uint32("susec", "susec", "Microseconds of it.")
	fError    = proto.Int32("error_code", "error-code", "What went wrong.").Named(errors)
	fEText    = proto.String("e_text", "e-text", "What went wrong, in words.")
	fEData    = proto.Bytes("e_data", "e-data", "More about it.")
)

// principal reads a name of several parts (RFC 4120 section 5.2.2).
func principal(d *dissect.D, g, count, part *dissect.Field) {
	d.In(g, func() {
		parts{
			0: unsigned(fNameType),
			1: func(d *dissect.D) { list(d, count, func() { asn.Bytes(d, part, generalString) }) },
		}.read(d)
	})
}

func client(d *dissect.D)  { principal(d, gCName, fCNames, fCName) }
func service(d *dissect.D) { principal(d, gSName, fSNames, fSName) }

// checksumParts are what Checksum is made of, ticketParts a ticket (RFC 4120 sections 5.2.9 and 5.3), safeBody those of
// what KRB-SAFE protects.
var (
	checksumParts = parts{0: unsigned(fSumType), 1: bytes(fChecksum)}
	ticketParts   = parts{0: unsigned(fTktVno), 1: text(fRealm), 2: service, 3: within(gEncPart, encrypted(inTicket))}
	safeBody      = parts{0: bytes(fUserData), 1: moment(fStamp), 2: unsigned(fUsec), 3: unsigned(fSeq), 4: address,
		5: address}
)

func checksum(d *dissect.D) { checksumParts.read(d) }

// applicationTicket is the tag of a ticket.
const applicationTicket = ber.Application | 1

func ticket(d *dissect.D) { oneTicket(d, gTicket) }

func oneTicket(d *dissect.D, g *dissect.Field) {
	asn.Group(d, g, applicationTicket, func() { ticketParts.read(d) })
}

func tickets(d *dissect.D) { list(d, fHanded, func() { oneTicket(d, gOne) }) }

// address reads one address, of which those of the internet have forms of their own (RFC 4120 section 7.5.3).
func address(d *dissect.D) {
	d.In(gAddr, func() {
		kind := int64(0)
		parts{
			0: func(d *dissect.D) { kind = number(d, fAddrType) },
			1: func(d *dissect.D) { asn.Value(d, ber.Octets, func(_ byte, n int) { place(d, kind, n) }) },
		}.read(d)
	})
}

func place(d *dissect.D, kind int64, n int) {
	switch {
	case kind == 2 && n == 4:
		d.IPv4(fAddrIP)
	case kind == 24 && n == 16:
		d.IPv6(fAddrIP6)
	default:
		d.Rest(fAddr)
	}
}

// bodyParts are what is wanted of the key distribution centre (RFC 4120 section 5.4.1).
var bodyParts = parts{
	0: kdcOptions.read, 1: client, 2: text(fRealm), 3: service, 4: moment(fFrom), 5: moment(fTill), 6: moment(fRTime),
	7:  unsigned(fNonce),
	8:  func(d *dissect.D) { list(d, fEtypes, func() { number(d, fEnctype) }) },
	9:  func(d *dissect.D) { list(d, fAddrs, func() { address(d) }) },
	10: within(gEncAuth, encrypted(inAuth)),
	11: func(d *dissect.D) { list(d, fTickets, func() { oneTicket(d, gOne) }) },
}

func requestBody(d *dissect.D) { d.In(gReqBody, func() { bodyParts.read(d) }) }
