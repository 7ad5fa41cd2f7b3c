package tls

import "strconv"

// The types of handshake messages.
const (
	clientHello       = 1
	serverHello       = 2
	newSessionTicket  = 4
	encryptedExts     = 8
	certificate       = 11
	serverKeyExchange = 12
	certificateReq    = 13
	certificateVerify = 15
	clientKeyExchange = 16
	finished          = 20
	certificateStatus = 22
	keyUpdate         = 24
	compressedCert    = 25
)

var (
	fVerify = proto.Bytes("handshake.verify_data", "Verify Data",
		"A digest of the whole handshake, by which each side knows that the other saw the same.")
	fLifetime = proto.Uint32("handshake.session_ticket_lifetime_hint", "Session Ticket Lifetime Hint",
		"How long the ticket holds.").In("seconds")
	fAgeAdd = proto.Uint32("handshake.session_ticket_age_add", "Session Ticket Age Add",
		"A number that hides the ticket's age.")
	fNonceLen = proto.Uint8("handshake.session_ticket_nonce_length", "Session Ticket Nonce Length", "Bytes of the nonce.")
	fNonce    = proto.Bytes("handshake.session_ticket_nonce", "Session Ticket Nonce",
		"What makes the ticket's key its own.")
	fTickLen = proto.Uint16("handshake.session_ticket_length", "Session Ticket Length", "Bytes of the ticket.")
	fUpdate  = proto.Uint8("handshake.key_update.request_update", "Key Update Request",
		"Whether the other side is to change its keys too.").Named(updateRequests)
	fVerSigL = proto.Uint16("handshake.client_cert_vrfy.sig_len", "Signature length", "Bytes of the signature.")
	fVerSig  = proto.Bytes("handshake.client_cert_vrfy.sig", "Signature",
		"Proof that the sender has the certificate's key.")
	fSigLen   = proto.Uint16("handshake.sig_len", "Signature Length", "Bytes of the signature.")
	fSigBytes = proto.Bytes("handshake.sig", "Signature", "The server's signature of its part of the key exchange.")
	fECDH     = proto.Group("handshake.ecdh_server", "EC Diffie-Hellman Server Params",
		"The server's part of the key exchange.")
	fCurve    = proto.Uint8("handshake.server_curve_type", "Curve Type", "How the curve is told.").Hex().Named(curveTypes)
	fCurveNm  = proto.Uint16("handshake.server_named_curve", "Named Curve", "The curve.").Hex().Named(groups)
	fSrvPtLen = proto.Uint8("handshake.server_point_len", "Pubkey Length", "Bytes of the public key.")
	fSrvPt    = proto.Bytes("handshake.server_point", "Pubkey", "The server's public key.")
	fECDHCli  = proto.Group("handshake.ecdh_client", "EC Diffie-Hellman Client Params",
		"The client's part of the key exchange.")
	fCliPtLen = proto.Uint8("handshake.client_point_len", "Pubkey Length", "Bytes of the public key.")
	fCliPt    = proto.Bytes("handshake.client_point", "Pubkey", "The client's public key.")
	fDH       = proto.Group("handshake.dh_server", "Diffie-Hellman Server Params",
		"The server's part of the key exchange.")
	fPLen  = proto.Uint16("handshake.p_len", "p Length", "Bytes of the prime.")
	fP     = proto.Bytes("handshake.p", "p", "The prime.")
	fGLen  = proto.Uint16("handshake.g_len", "g Length", "Bytes of the generator.")
	fG     = proto.Bytes("handshake.g", "g", "The generator.")
	fYsLen = proto.Uint16("handshake.ys_len", "Pubkey Length", "Bytes of the public key.")
	fYs    = proto.Bytes("handshake.ys", "Pubkey", "The server's public key.")
	fDHCli = proto.Group("handshake.dh_client", "Diffie-Hellman Client Params",
		"The client's part of the key exchange.")
	fYcLen = proto.Uint16("handshake.yc_len", "Pubkey Length", "Bytes of the public key.")
	fYc    = proto.Bytes("handshake.yc", "Pubkey", "The client's public key.")
	fRSA   = proto.Group("handshake.rsa_client", "RSA Encrypted PreMaster Secret",
		"The client's part of the key exchange.")
	fHintLen  = proto.Uint16("handshake.hint_len", "Hint Length", "Bytes of the hint.")
	fHint     = proto.Bytes("handshake.hint", "Hint", "Which shared key the client may take.")
	fIdentLen = proto.Uint16("handshake.identity_len", "Identity Length", "Bytes of the name.")
	fIdent    = proto.Bytes("handshake.identity", "Identity", "The name of the shared key.")
	fPMSLen   = proto.Uint16("handshake.epms_len", "Encrypted PreMaster length", "Bytes of the secret.")
	fPMS      = proto.Bytes("handshake.epms", "Encrypted PreMaster", "A secret that only the server can read.")
	fBody     = proto.Bytes("handshake.body", "Message", "What the message holds.").Unknown()
)

func itoa(n int) string { return strconv.Itoa(n) }

// whole is the length of the message at the start of b, 0 when its header is not there yet.
func whole(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	return 4 + int(b[1])<<16 + int(b[2])<<8 + int(b[3])
}

// fragments reads the handshake messages of a record. The first may have begun in an earlier one, the last may end in a
// later one.
func (c *context) fragments() {
	d := c.d
	used := min(int(c.note.Used), d.Left())
	if c.note.Unit != 0 {
		c.joined(units.At(d, c.note.Unit), func() { c.message() })
	}
	if used > 0 {
		d.Put(fPart, 0, d.Pos(), used)
		if c.note.Unit == 0 {
			d.Links().ShowForward(fJoinedIn)
		}
		d.Skip(used)
	}
	c.handshakes()
	if d.More() {
		if d.Info().Wanted() && d.Left() >= 4 {
			c.d.Info().ListBehind(named(handshakeTypes, uint64(d.Peek(0))))
		}
		d.Links().ShowForward(fJoinedIn)
		d.Rest(fPart)
	}
}

// handshakes reads the messages that are there as a whole, and one of which the capture has cut off the end.
func (c *context) handshakes() {
	d := c.d
	for more := d.Elements(); more.Next(); {
		n := whole(d.Data())
		if n == 0 || n > d.Left() {
			if !c.quic && !d.CutShort() {
				return
			}
			n = d.Left()
		}
		d.Within(n, c.message)
	}
}

// message reads one handshake message; it fills the range.
func (c *context) message() {
	d := c.d
	d.In(fHandshake, func() {
		typ := uint64(d.Peek(0))
		kind := typ
		if typ == serverHello && d.Left() > 4 && isRetry(d.Data()[4:]) {
			kind = retried
		}
		c.setKind(typeHandshake<<8 | kind)
		d.Uint(fType)
		d.Uint(fHsLength)
		c.messageBody(typ)
		d.Rest(fBody)
	})
}

func (c *context) messageBody(typ uint64) {
	d := c.d
	switch typ {
	case clientHello:
		c.clientHello()
	case serverHello:
		c.serverHello()
	case encryptedExts:
		c.extensions(encryptedExts)
	case newSessionTicket:
		c.ticket()
	case certificate:
		c.certificates()
	case certificateReq:
		c.certificateRequest()
	case certificateVerify:
		if c.version == 0 || c.version >= 0x0303 {
			signature(d)
		}
		d.Counted(fVerSigL, fVerSig)
	case certificateStatus:
		c.statusOf()
	case compressedCert:
		c.compressed()
	case serverKeyExchange:
		c.serverKeys()
	case clientKeyExchange:
		c.clientKeys()
	case finished:
		d.Rest(fVerify)
	case keyUpdate:
		d.Uint(fUpdate)
	}
}

func (c *context) ticket() {
	d := c.d
	d.Uint(fLifetime)
	if c.version >= 0x0304 {
		d.Uint(fAgeAdd)
		if n := d.Uint(fNonceLen); n > 0 {
			d.Bytes(fNonce, int(n))
		}
	}
	if n := d.Uint(fTickLen); n > 0 {
		d.Bytes(fTicket, int(n))
	}
	if c.version >= 0x0304 {
		c.extensions(newSessionTicket)
	}
}

// serverKeys reads the server's part of the key exchange, as far as the suite tells what it is (RFC 8422 section 5.4,
// RFC 5246 section 7.4.3, RFC 4279).
func (c *context) serverKeys() {
	d := c.d
	way, shared := exchangeOf(c.note.Suite)
	if shared {
		d.Counted(fHintLen, fHint)
	}
	switch way {
	case exchangeECDHE:
		d.In(fECDH, func() {
			if d.Uint(fCurve) != 3 {
				return
			}
			d.Uint(fCurveNm)
			d.Counted(fSrvPtLen, fSrvPt)
			c.exchangeSignature()
		})
	case exchangeDHE:
		d.In(fDH, func() {
			d.Counted(fPLen, fP)
			d.Counted(fGLen, fG)
			d.Counted(fYsLen, fYs)
			c.exchangeSignature()
		})
	}
}

func (c *context) exchangeSignature() {
	d := c.d
	if !d.More() {
		return
	}
	if c.version >= 0x0303 {
		signature(d)
	}
	d.Counted(fSigLen, fSigBytes)
}

func (c *context) clientKeys() {
	d := c.d
	way, shared := exchangeOf(c.note.Suite)
	if shared {
		d.Counted(fIdentLen, fIdent)
	}
	switch way {
	case exchangeECDHE:
		d.In(fECDHCli, func() { d.Counted(fCliPtLen, fCliPt) })
	case exchangeDHE:
		d.In(fDHCli, func() { d.Counted(fYcLen, fYc) })
	case exchangeRSA:
		d.In(fRSA, func() {
			if c.version > 0x0300 && d.PeekUint(0, 2) == uint64(d.Left()+d.Missing()-2) { // old versions of DTLS have none
				d.Uint(fPMSLen)
			}
			d.Rest(fPMS)
		})
	}
}
