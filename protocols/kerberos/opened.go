package kerberos

import (
	"encoding/binary"
	"fmt"
	"slices"

	"remora/dissect"
	"remora/protocols/internal/ber"
)

var (
	gEncKDC   = group("EncKDCRepPart", "encASRepPart or encTGSRepPart", "What the client alone can read.")
	gEncTkt   = group("encTicketPart", "encTicketPart", "What the server alone can read.")
	gProof    = group("Authenticator", "authenticator", "Proof that the client knows the key of the ticket.")
	gEncAP    = group("encAPRepPart", "encAPRepPart", "Proof that the server knows the key of the ticket.")
	gEncPriv  = group("encKrbPrivPart", "encKrbPrivPart", "Data that nobody else reads.")
	gKey      = group("key", "key", "A key that both sides use from now on.")
	gSubkey   = group("subkey", "subkey", "A key for this exchange alone.")
	fKeyType  = proto.Int32("keytype", "keytype", "For which way of encryption the key is.").Named(etypes)
	fKeyValue = proto.Bytes("keyvalue", "keyvalue", "The key.")
	fPATime   = proto.Time("patimestamp", "patimestamp", "When the client asked.")
	fPAUsec   = proto.Uint32("pausec", "pausec", "Microseconds of that time.")
	fExpires  = proto.Time("key_expiration", "key-expiration", "When the client's key ends.")
	fAuthTime = proto.Time("authtime", "authtime", "When the client proved who it is.")
	fStart    = proto.Time("starttime", "starttime", "From when the ticket holds.")
	fEnd      = proto.Time("endtime", "endtime", "To when it holds.")
	fRenew    = proto.Time("renew_till", "renew-till", "To when it may be renewed.")
	fSRealm   = proto.String("srealm", "srealm", "The realm of the server.")
	fAuthVno  = proto.Uint32("authenticator_vno", "authenticator-vno", "Version of the proof: 5.")
	fPlain    = proto.Bytes("decrypted", "Decrypted", "What was decrypted and is not read further.").Own()

	nOpened  = proto.Expert("decrypted_keytype", dissect.Chat, "Decrypted keytype")
	nMissing = proto.Expert("missing_keytype", dissect.Warn, "Missing keytype")
)

// A content is what is encrypted: the purposes of keys for it (RFC 4120 section 7.5.1), and how it is read; without a
// tag it is a bare sequence.
type content struct {
	usages []uint32
	forms  map[byte]form
	derive func(r *ring, k key) []key // keys that are made of the others
	read   func(d *dissect.D)         // in place of the forms
}

var (
	inReply = &content{usages: []uint32{3, 8, 9}, forms: map[byte]form{ber.Application | 25: {"", gEncKDC, kdcParts},
		ber.Application | 26: {"", gEncKDC, kdcParts}}, derive: func(r *ring, k key) []key {
		return r.strong.mixed(k, "strengthenkey", "replykey")
	}}
	inTicket = &content{usages: []uint32{2}, forms: map[byte]form{ber.Application | 3: {"", gEncTkt, ticketContent}}}
	inProof  = &content{usages: []uint32{7, 11}, forms: map[byte]form{ber.Application | 2: {"", gProof, proofParts}}}
	inAPRep  = &content{usages: []uint32{12}, forms: map[byte]form{ber.Application | 27: {"", gEncAP, parts{
		0: moment(fCTime), 1: unsigned(fCUsec), 2: within(gSubkey, learnt(nil)), 3: unsigned(fSeq)}}}}
	inPriv = &content{usages: []uint32{13}, forms: map[byte]form{ber.Application | 28: {"", gEncPriv, safeBody}}}
	inTime = &content{usages: []uint32{1}, forms: map[byte]form{ber.Sequence: {parts: parts{0: moment(fPATime),
		1: unsigned(fPAUsec)}}}}
	inAuth = &content{usages: []uint32{4, 5}, read: authorization}
	inCred = &content{usages: []uint32{14}}

	kdcParts = parts{0: within(gKey, learnt(nil)), 1: lastRequests, 2: unsigned(fNonce), 3: moment(fExpires),
		4: ticketFlags.read, 5: moment(fAuthTime), 6: moment(fStart), 7: moment(fEnd), 8: moment(fRenew), 9: text(fSRealm),
		10: service, 11: ticketAddresses, 12: func(d *dissect.D) { list(d, fEncPadata, func() { hint(d) }) }}
	ticketContent = parts{0: ticketFlags.read, 1: within(gKey, learnt(nil)), 2: text(fCRealm), 3: client,
		4: within(gTransited, parts{0: unsigned(fTransType), 1: bytes(fContents)}.read), 5: moment(fAuthTime),
		6: moment(fStart), 7: moment(fEnd), 8: moment(fRenew), 9: ticketAddresses, 10: authorization}
	proofParts = parts{0: unsigned(fAuthVno), 1: text(fCRealm), 2: client, 3: within(gCksum, checksum),
		4: unsigned(fCUsec),
		5: moment(fCTime), 6: within(gSubkey, learnt(armoring)), 7: unsigned(fSeq), 8: authorization}
)

// A ring is the keys that decrypted messages told, the one that was used last, and what the key of the next answer is
// mixed with. opened are all that decrypted something.
type ring struct {
	learnt       []key
	with, strong key
}

var (
	rings  = dissect.NewStore[ring, uint32]()
	opened = dissect.NewList[key]()
)

// anyType is the type of what does not say it.
const anyType = 0

// missing is the note of what no key decrypts, where there are keys.
const missing = ^uint32(0)

// encrypted reads what is encrypted, and what is in it where a key is known.
func encrypted(c *content) func(d *dissect.D) {
	return func(d *dissect.D) {
		etype := uint16(0)
		parts{
			0: func(d *dissect.D) { etype = uint16(number(d, fEtype)) },
			1: unsigned(fKvno),
			2: func(d *dissect.D) {
				asn.Value(d, ber.Octets, func(_ byte, n int) {
					sealed := d.Bytes(fCipher, n)
					if len(sealed) == n && pDecrypt.On(d) {
						c.open(d, etype, sealed)
					}
				})
			},
		}.read(d)
	}
}

// open decrypts with the key that fits, and shows what comes out.
func (c *content) open(d *dissect.D, etype uint16, sealed []byte) {
	at := rings.FirstPassIn(d, func(r *ring) uint32 {
		if !d.Session().HasSecrets(secrets) {
			return 0
		}
		if k, ok := c.find(d, r, etype, sealed); ok {
			r.with = k
			return opened.Put(d, k)
		}
		return missing
	})
	switch at {
	case 0:
		return
	case missing:
		if etype == anyType {
			d.ExpertText(nMissing, "Missing keytype: no key that was learnt fits")
			return
		}
		d.ExpertText(nMissing, fmt.Sprintf("Missing keytype %d: no key of the keytab, or that was learnt, fits", etype))
		return
	}
	k := opened.At(d, at)
	plain, usage := c.try(k, sealed)
	if plain == nil {
		return
	}
	d.Spend(len(sealed))
	d.ExpertText(nOpened, fmt.Sprintf("Decrypted keytype %d usage %d", k.Etype, usage))
	d.From("Krb5 plaintext", plain, func() { c.show(d) })
}

// find is the key that decrypts: one that is known, or else one made of those.
func (c *content) find(d *dissect.D, r *ring, etype uint16, sealed []byte) (key, bool) {
	fits := func(k key) bool {
		if k.Etype != etype && etype != anyType {
			return false
		}
		d.Spend(len(sealed))
		plain, _ := c.try(k, sealed)
		return plain != nil
	}
	known := r.keys(d)
	for _, k := range known {
		if fits(k) {
			return k, true
		}
	}
	if c.derive == nil {
		return key{}, false
	}
	for _, k := range known {
		for _, k = range c.derive(r, k) {
			if fits(k) {
				return k, true
			}
		}
	}
	return key{}, false
}

// try decrypts with a key for each of the purposes.
func (c *content) try(k key, sealed []byte) (plain []byte, usage uint32) {
	for _, usage = range c.usages {
		if plain = open(k.Etype, k.Bytes[:k.Len], usage, sealed); plain != nil {
			return plain, usage
		}
	}
	return nil, 0
}

// show reads what was decrypted.
func (c *content) show(d *dissect.D) {
	f, known := c.forms[ber.Next(d)]
	switch {
	case c.read != nil:
		c.read(d)
	case known && f.group == nil:
		f.parts.read(d)
	case known:
		asn.Group(d, f.group, ber.Next(d), func() { f.parts.read(d) })
	}
	d.Rest(fPlain)
}

// keys are those of the keytab and then those that were learnt.
func (r *ring) keys(d *dissect.D) (all []key) {
	for n := range uint32(maxKeys) {
		b := d.Session().Secret(secrets, numbered, binary.BigEndian.AppendUint32(nil, n))
		if len(b) < 2 {
			break
		}
		if k, ok := keyOf(binary.BigEndian.Uint16(b), b[2:]); ok {
			all = append(all, k)
		}
	}
	return append(all, r.learnt...)
}

// add takes in keys that are not known yet. The oldest ones go where there are too many.
func (r *ring) add(keys ...key) {
	for _, k := range keys {
		if slices.Contains(r.learnt, k) {
			continue
		}
		if len(r.learnt) >= maxKeys {
			r.learnt = r.learnt[1:]
		}
		r.learnt = append(r.learnt, k)
	}
}

// learnt reads a key, which decrypts what follows. More is what else becomes of it.
func learnt(more func(r *ring, k key)) func(d *dissect.D) {
	return func(d *dissect.D) {
		etype := uint16(0)
		parts{
			0: func(d *dissect.D) { etype = uint16(number(d, fKeyType)) },
			1: func(d *dissect.D) {
				b := asn.Bytes(d, fKeyValue, ber.Octets)
				rings.FirstPassIn(d, func(r *ring) uint32 {
					if k, ok := keyOf(etype, b); ok {
						r.add(k)
						if more != nil {
							more(r, k)
						}
					}
					return 0
				})
			},
		}.read(d)
	}
}
