package kerberos

import (
	"crypto/aes"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"

	"remora/dissect"
	"remora/protocols/internal/ber"
)

var (
	gStrengthen = group("strengthen_key", "strengthen-key", "What the key of the answer is mixed with.")
	gFinished   = group("finished", "finished", "The end of the exchange.")
	gTktSum     = group("ticket_checksum", "ticket-checksum", "Proof that nobody changed the ticket.")

	fNames = proto.Uint32("name_string", "name-string", "How many parts the name has.").In("items")
	fName  = proto.String("KerberosString", "KerberosString", "A part of the name.")

	fastOptions = newOptions("fast_options", "fast-options", "What the tunnel is to be like (RFC 6113 section 5.4.2).",
		"FastOptions", `reserved hide.client.names spare.bit2 spare.bit3 spare.bit4 spare.bit5 spare.bit6 spare.bit7
spare.bit8 spare.bit9 spare.bit10 spare.bit11 spare.bit12 spare.bit13 spare.bit14 spare.bit15 kdc.follow.referrals`)

	inChallenge = &content{usages: []uint32{54, 55}, forms: inTime.forms, derive: func(r *ring, k key) []key {
		return append(r.with.mixed(k, "clientchallengearmor", "challengelongterm"),
			r.with.mixed(k, "kdcchallengearmor", "challengelongterm")...)
	}}
)

// inTunnelRequest and inTunnelReply are what a tunnel carries: padata, which hold tunnels.
func inTunnelRequest() *content {
	return &content{usages: []uint32{51}, forms: map[byte]form{ber.Sequence: {parts: parts{
		0: fastOptions.read, 1: padata, 2: requestBody}}}}
}

func inTunnelReply() *content {
	return &content{usages: []uint32{52}, forms: map[byte]form{ber.Sequence: {parts: parts{
		0: padata, 1: within(gStrengthen, learnt(strengthening)), 2: within(gFinished, parts{0: moment(fStamp),
			1: unsigned(fUsec), 2: text(fCRealm), 3: func(d *dissect.D) { principal(d, gCName, fNames, fName) },
			4: within(gTktSum, checksum)}.read), 3: unsigned(fNonce)}}}}
}

// armoring makes the key of a tunnel of that of a proof and of the ticket that it is for.
func armoring(r *ring, k key) { r.add(k.mixed(r.with, "subkeyarmor", "ticketarmor")...) }

// strengthening keeps what the key of the answer is mixed with.
func strengthening(r *ring, k key) { r.strong = k }

// mixed makes a key of two (KRB-FX-CF2 of RFC 6113 section 5.1); none where one of them is missing.
func (k key) mixed(other key, first, second string) []key {
	a, b := k.stretched(first, int(k.Len)), other.stretched(second, int(k.Len))
	if a == nil || b == nil {
		return nil
	}
	for i := range a {
		a[i] ^= b[i]
	}
	mixed, ok := keyOf(k.Etype, a)
	if !ok {
		return nil
	}
	return []key{mixed}
}

// stretched is PRF+ of RFC 6113 section 5.1.
func (k key) stretched(text string, n int) (out []byte) {
	for i := range 2 { // half a key at least each time
		out = append(out, pseudoRandom(k.Etype, k.Bytes[:k.Len], append([]byte{byte(i + 1)}, text...))...)
	}
	if len(out) < n {
		return nil
	}
	return out[:n]
}

// pseudoRandom is the pseudo-random function of a type of encryption (RFC 3961 section 5.3, RFC 4757, RFC 8009 section
// 5).
func pseudoRandom(etype uint16, key, text []byte) []byte {
	switch etype {
	case rc4HMAC:
		return sumOf(mac(sha1.New, key), text)
	case aes128, aes256:
		sum := sha1.Sum(text)
		block, err := aes.NewCipher(derivedFrom(key, []byte("prf")))
		if err != nil {
			return nil
		}
		out := make([]byte, aes.BlockSize)
		block.Encrypt(out, sum[:aes.BlockSize])
		return out
	case aes128SHA2, aes256SHA2:
		h, size := sha256.New, 32
		if etype == aes256SHA2 {
			h, size = sha512.New384, 48
		}
		b := append(append([]byte("\x00\x00\x00\x01prf\x00"), text...), 0, 0)
		return sumOf(mac(h, key), binary.BigEndian.AppendUint16(b, uint16(8*size)))[:size]
	}
	return nil
}

// armored reads the ticket that a tunnel is made of.
func armored(d *dissect.D) {
	asn.Value(d, ber.Octets, func(_ byte, n int) {
		d.Put(fArmorVal, 0, d.Pos(), n)
		d.Below(func() { shownInside(d) })
	})
}
