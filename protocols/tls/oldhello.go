package tls

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
)

// The hello of SSL 2.0, with which clients once offered later versions, too (RFC 5246 appendix E.2).
var (
	fOldLength    = proto.Uint16("record.length", "Length", "Bytes of the record behind its header.")
	fSpecLen      = proto.Uint16("handshake.cipher_spec_len", "Cipher Spec Length", "Bytes of the list.")
	fOldSessLen   = proto.Uint16("handshake.session_id_length", "Session ID Length", "Bytes of the session's name.")
	fChallengeLen = proto.Uint16("handshake.challenge_length", "Challenge Length", "Bytes of the challenge.")
	fSpecs        = proto.Node("handshake.ciphersuites", "Cipher Specs", "What the client can do.")
	fSpec         = proto.Uint24("handshake.cipherspec", "Cipher Spec",
		"Algorithms for keys, encryption and authentication.").Hex().Named(specs)
	fChallenge = proto.Bytes("handshake.challenge", "Challenge", "Bytes that nobody chose: the random.")
	fOldType   = proto.Uint8("handshake.type", "Handshake Message Type", "Which message it is.").Named(handshakeTypes)
)

// specs are the suites of SSL 2.0; those with a zero in front are the later ones.
var specs = oldSpecs()

func oldSpecs() dissect.Values {
	v := dissect.Values{0x010080: "SSL2_RC4_128_WITH_MD5", 0x020080: "SSL2_RC4_128_EXPORT40_WITH_MD5",
		0x030080: "SSL2_RC2_128_CBC_WITH_MD5", 0x040080: "SSL2_RC2_128_CBC_EXPORT40_WITH_MD5",
		0x050080: "SSL2_IDEA_128_CBC_WITH_MD5", 0x060040: "SSL2_DES_64_CBC_WITH_MD5",
		0x0700c0: "SSL2_DES_192_EDE3_CBC_WITH_MD5", 0x080080: "SSL2_RC4_64_WITH_MD5"}
	for n, name := range suites {
		v[n] = name
	}
	return v
}

const oldHeader = 11 // with the lengths

// oldHello is the length of such a hello at the start of b; 0 for anything else, and where too little is there to tell.
func oldHello(b []byte) int {
	if len(b) < oldHeader || b[0]&0x80 == 0 || b[2] != clientHello || b[3] != 3 || b[4] > 3 {
		return 0
	}
	number := func(at int) int { return int(binary.BigEndian.Uint16(b[at:])) }
	size, suites, name, random := number(0)&0x7fff, number(5), number(7), number(9)
	if suites == 0 || suites%3 != 0 || name != 0 && name != 16 || random < 16 || random > 32 ||
		size != oldHeader-2+suites+name+random {
		return 0
	}
	return 2 + size
}

// oldClientHello reads the record.
func (c *context) oldClientHello(whole []byte) {
	d := c.d
	size := oldHello(whole)
	if len(whole) < size {
		d.Skip(size)
		return
	}
	hello := whole[:size]
	c.note = sessions.FirstPass(d, func(s *session) note {
		s.oldHello(d, hello)
		s.foretell(d)
		return note{Kind: typeHandshake}
	})
	d.Info().Protocol("SSLv2")
	c.setKind(typeHandshake<<8 | clientHello)
	d.Within(size, func() {
		d.In(fRecord, func() {
			if d.Labelling() {
				d.Suffix(fRecord, "SSLv2 Record Layer: Client Hello")
			}
			d.Set(fVersion, 2)
			d.Put(fOldLength, uint64(size-2), d.Pos(), 2)
			d.Skip(2)
			d.Uint(fOldType)
			d.Uint(fHsVersion)
			specs, name, random := int(d.Uint(fSpecLen)), int(d.Uint(fOldSessLen)), int(d.Uint(fChallengeLen))
			d.Within(specs, func() {
				d.In(fSpecs, func() {
					if d.Labelling() {
						d.Suffix(fSpecs, fmt.Sprintf(" (%d specs)", specs/3))
					}
					for more := d.Elements(); more.Next(); {
						d.Uint(fSpec)
					}
				})
			})
			if name > 0 {
				d.Bytes(fSessID, name)
			}
			d.Bytes(fChallenge, random)
		})
	})
}

// oldHello takes what the hello says. The challenge is the end of the random.
func (s *session) oldHello(d *dissect.D, b []byte) {
	s.collect(d, append([]byte{clientHello}, b[3:]...))
	if s.collecting {
		s.transcript = append([]byte(nil), b[2:]...)
	}
	s.client, s.known, s.port = d.Dir&1, true, d.Dst.Port
	s.clientRandom = [32]byte{}
	random := int(binary.BigEndian.Uint16(b[9:]))
	copy(s.clientRandom[32-random:], b[len(b)-random:])
	s.offered, s.ticket, s.origin = "", "", s.clientRandom
	s.version, s.suite, s.alpn, s.inner = 0, 0, "", 0
}
