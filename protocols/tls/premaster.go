package tls

import (
	"crypto/md5"
	"crypto/sha1"
	"encoding/binary"
	"hash"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/keylog"
)

// maxTranscript bounds the messages kept for the master secret of a session.
const maxTranscript = 1 << 18

// What keeps a session from being read, where somebody gave keys.
const (
	whyNothing = iota
	whyMissing // no secret of it is among those given
	whySuite   // the cipher
	whyForward // what RSA keys cannot open
	whyRSA     // no RSA key fits
	whyPSK     // the suite takes no shared key alone
	whyNotFrom // the handshake was not seen
)

var reasons = map[uint8]*dissect.Field{
	whyMissing: proto.Expert("decryption.no_secret", dissect.Hint, "None of the secrets given is of this session"),
	whySuite:   proto.Expert("decryption.suite", dissect.Hint, "The session's cipher suite is not decrypted here"),
	whyForward: proto.Expert("decryption.forward_secrecy", dissect.Hint,
		"RSA keys do not open this session: its keys are agreed on by Diffie-Hellman; a key log can"),
	whyRSA: proto.Expert("decryption.rsa", dissect.Hint, "None of the RSA keys given is that of the server"),
	whyPSK: proto.Expert("decryption.psk", dissect.Hint,
		"A pre-shared key alone does not open this session: its keys are agreed on by Diffie-Hellman, too"),
	whyNotFrom: proto.Expert("decryption.no_handshake", dissect.Hint,
		"The handshake of this session is not in the capture, and without it keys open nothing"),
}

// collect keeps a message for the master secret of a session that keys may open.
func (s *session) collect(d *dissect.D, b []byte) {
	if b[0] == clientHello {
		g := keyringOf(s.datagram)
		s.collecting = len(g.openers(d)) > 0 || g.shared(d) != nil || d.Session().HasSecrets(keylog.TLS)
		s.own, s.transcript, s.why = nil, nil, 0
	}
	if s.collecting && len(s.transcript)+len(b) <= maxTranscript {
		s.transcript = append(s.transcript, b...)
	}
}

// exchanged makes the master secret of the client's part of the key exchange, where a key was given that can.
func (s *session) exchanged(d *dissect.D, body []byte) {
	if !s.collecting {
		return
	}
	g := keyringOf(s.datagram)
	d.Spend(len(body))
	if premaster := s.premaster(d, g, cutter(body)); premaster != nil {
		s.own, s.why = s.masterOf(premaster), 0
		d.Session().Used(keylog.TLS, labelMaster, s.clientRandom[:], s.own)
		s.remember(d, []byte(s.name))
	}
	s.collecting, s.transcript = false, nil
}

// premaster is what the client and the server have in common, nil where no key gives it. It says why.
func (s *session) premaster(d *dissect.D, g keyring, c cutter) []byte {
	exchange, _, _ := strings.Cut(suites[uint64(s.suite)], "_WITH_")
	psk := g.shared(d)
	s.why = whyForward
	switch strings.TrimSuffix(exchange, "_EXPORT") {
	case "TLS_PSK":
		s.why = whyMissing
		if psk == nil {
			return nil
		}
		return pskSecret(make([]byte, len(psk)), psk)
	case "TLS_RSA_PSK":
		c.list(2)
		if s.why = whyMissing; psk == nil {
			return nil
		}
		if other := s.rsaSecret(d, g, c.list(2)); other != nil {
			return pskSecret(other, psk)
		}
		return nil
	case "TLS_RSA":
		sealed := []byte(c)
		if s.version > 0x0300 && len(c) >= 2 && int(binary.BigEndian.Uint16(c)) == len(c)-2 {
			sealed = c[2:]
		}
		return s.rsaSecret(d, g, sealed)
	case "TLS_DHE_PSK", "TLS_ECDHE_PSK":
		s.why = whyPSK
	}
	return nil
}

// pskSecret is a premaster secret with a shared key (RFC 4279 section 2).
func pskSecret(other, psk []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(other)))
	b = append(b, other...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(psk)))
	return append(b, psk...)
}

// rsaSecret tries the RSA keys, and what a key log has of what the client encrypted.
func (s *session) rsaSecret(d *dissect.D, g keyring, sealed []byte) []byte {
	s.why = whyRSA
	for _, o := range g.openers(d) {
		d.Spend(16 * len(sealed))
		if plain := o.key.Decrypt(sealed); len(plain) == 48 {
			return plain
		}
	}
	if len(sealed) < 8 {
		return nil
	}
	return d.Session().Secret(keylog.TLS, "RSA", sealed[:8]) // what NSS once wrote
}

// masterOf is the master secret (RFC 5246 section 8.1, RFC 7627 section 4, RFC 6101 section 6.1).
func (s *session) masterOf(premaster []byte) []byte {
	label := "master secret"
	seed := append(append([]byte(nil), s.clientRandom[:]...), s.serverRandom[:]...)
	if s.version == 0x0300 {
		return oldest(premaster, seed, 48)
	}
	old, h := s.version < 0x0303, s.prfHash()
	if s.extended {
		label, seed = "extended master secret", hashed(h, s.transcript)
		if old {
			seed = append(hashed(md5.New, s.transcript), hashed(sha1.New, s.transcript)...)
		}
	}
	if old {
		return oldPRF(premaster, label, seed, 48)
	}
	return prf(h, premaster, label, seed, 48)
}

// prfHash is the hash of the pseudorandom function of TLS 1.2.
func (s *session) prfHash() func() hash.Hash {
	if k := cipherOf(s.suite); k.hash != nil {
		return k.hash
	}
	return macHash(macSHA256)
}

func hashed(h func() hash.Hash, b []byte) []byte {
	m := h()
	m.Write(b)
	return m.Sum(nil)
}

// oldest makes n bytes of a secret in the way of SSL 3.0 (RFC 6101 section 6.2.2).
func oldest(secret, seed []byte, n int) (out []byte) {
	for i := byte(0); i < 16 && len(out) < n; i++ {
		inner := sha1.New()
		for range i + 1 {
			inner.Write([]byte{'A' + i})
		}
		inner.Write(secret)
		inner.Write(seed)
		out = append(out, hashed(md5.New, inner.Sum(append([]byte(nil), secret...)))...)
	}
	return out[:n]
}

// unreadable says why a record cannot be read, where somebody gave keys.
func (s *session) unreadable(d *dissect.D) uint8 {
	g := keyringOf(s.datagram)
	own := len(g.openers(d)) > 0 || g.shared(d) != nil
	if !own && !d.Session().HasSecrets(keylog.TLS) {
		return whyNothing
	}
	switch {
	case s.suite == 0:
		return whyNotFrom
	case cipherOf(s.suite).form == 0:
		return whySuite
	case own && s.why != 0 && !d.Session().HasSecrets(keylog.TLS):
		return s.why
	}
	return whyMissing
}
