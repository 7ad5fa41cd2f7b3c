package tls

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"encoding/binary"
	"hash"

	"golang.org/x/crypto/chacha20poly1305"

	"remora/dissect"
	"remora/internal/crypt"
	"remora/protocols/internal/keylog"
)

// A keyBlock is what opens the records of one direction for a while.
type keyBlock struct {
	Key     [32]byte
	MACKey  [48]byte // with MAC
	IV      [16]byte
	Size    uint8 // of the key
	Form    uint8
	Block   uint8  // the cipher of blocks
	MAC     uint8  // the digest that authenticates, in suites with CBC, RC4 or nothing
	Stream  uint32 // in the list of states, with RC4
	Skip    uint32 // bytes of its stream in front of the record
	Behind  bool   // the MAC stands behind what is encrypted
	Version uint16
}

// The stages of a direction's secrets in TLS 1.3 (RFC 8446 section 7.1), in their order. Beyond stageData each change
// of keys is one further.
const (
	stageEarly     = -2
	stageHandshake = -1
	stageData      = 0
)

// labels are the words for the secrets in a key log, by direction: client, then server.
var labels = [2]map[int]string{
	{stageEarly: "CLIENT_EARLY_TRAFFIC_SECRET", stageHandshake: "CLIENT_HANDSHAKE_TRAFFIC_SECRET",
		stageData: "CLIENT_TRAFFIC_SECRET_0"},
	{stageHandshake: "SERVER_HANDSHAKE_TRAFFIC_SECRET", stageData: "SERVER_TRAFFIC_SECRET_0"},
}

// expandLabel is HKDF-Expand-Label without context (RFC 8446 section 7.1).
func expandLabel(h func() hash.Hash, secret []byte, label string, n int) []byte {
	info := binary.BigEndian.AppendUint16(nil, uint16(n))
	info = append(info, byte(6+len(label)))
	info = append(info, "tls13 "+label...)
	out, err := hkdf.Expand(h, secret, string(append(info, 0)), n)
	if err != nil {
		return make([]byte, n)
	}
	return out
}

// trafficKeys are the keys of a secret of TLS 1.3 (RFC 8446 section 7.3).
func trafficKeys(k cipherKind, version uint16, secret []byte) keyBlock {
	b := keyBlock{Size: k.size, Form: k.form, Block: k.block, Version: version}
	copy(b.Key[:], expandLabel(k.hash, secret, "key", int(k.size)))
	copy(b.IV[:], expandLabel(k.hash, secret, "iv", 12))
	return b
}

// prf is the pseudorandom function of TLS 1.2 (RFC 5246 section 5).
func prf(h func() hash.Hash, secret []byte, label string, seed []byte, n int) (out []byte) {
	seed = append([]byte(label), seed...)
	a := seed
	for len(out) < n {
		a = mac(h, secret, a)
		out = append(out, mac(h, secret, a, seed)...)
	}
	return out[:n]
}

func mac(h func() hash.Hash, secret []byte, parts ...[]byte) []byte {
	m := hmac.New(h, secret)
	for _, p := range parts {
		m.Write(p)
	}
	return m.Sum(nil)
}

// masterKeys are the keys of one direction of a session of TLS 1.2 (RFC 5246 section 6.3, RFC 5288, RFC 7905).
func (s *session) masterKeys(k cipherKind, master []byte, client bool) keyBlock {
	if k.mac != 0 {
		return s.macKeys(k, master, client)
	}
	b := keyBlock{Size: k.size, Form: k.form, Block: k.block, Version: 0x0303}
	iv := 4
	if k.form == formChaCha {
		iv = 12
	}
	seed := append(append([]byte(nil), s.serverRandom[:]...), s.clientRandom[:]...)
	all := prf(k.hash, master, "key expansion", seed, 2*int(k.size)+2*iv)
	key, nonce := all[:2*int(k.size)], all[2*int(k.size):]
	if client {
		copy(b.Key[:], key[:k.size])
		copy(b.IV[:], nonce[:iv])
	} else {
		copy(b.Key[:], key[k.size:])
		copy(b.IV[:], nonce[iv:])
	}
	return b
}

// aead makes the cipher of the keys, nil where it is none that can be read.
func (b *keyBlock) aead() cipher.AEAD {
	var aead cipher.AEAD
	block, err := blockCipher(b.Block, b.Key[:b.Size])
	switch {
	case err != nil:
	case b.Form == formGCM:
		aead, err = cipher.NewGCM(block)
	case b.Form == formCCM:
		aead, err = crypt.NewCCM(block, 12, 16)
	case b.Form == formCCM8:
		aead, err = crypt.NewCCM(block, 12, 8)
	case b.Form == formChaCha:
		aead, err = chacha20poly1305.New(b.Key[:])
	}
	if err != nil {
		return nil
	}
	return aead
}

// open decrypts a record, header included, and tells what it carries (RFC 8446 section 5.2, RFC 5288 section 3, RFC
// 7905 section 2).
//
// Behind the content, up to the capacity, stand the type and the padding that TLS 1.3 hides.
func (b *keyBlock) open(d *dissect.D, seq uint64, record []byte) (content []byte, kind uint8, ok bool) {
	d.Spend(len(record))
	if b.MAC != 0 && len(record) >= headerSize {
		if b.Form == formCBC {
			content, ok = b.openCBC(seq, record)
		} else {
			content, ok = b.openMAC(d, seq, record)
		}
		return content, record[0], ok
	}
	aead := b.aead()
	if aead == nil || len(record) < headerSize {
		return nil, 0, false
	}
	nonce, body, kind := [12]byte(b.IV[:12]), record[headerSize:], record[0]
	extra := record[:headerSize:headerSize]
	if b.Version >= firstDraft && b.Version < signedHeaders {
		extra = nil
	}
	explicit := b.Version < 0x0304 && b.Form != formChaCha // the rest of the nonce stands in front
	if b.Version < 0x0304 {
		if explicit {
			if len(body) < 8+aead.Overhead() {
				return nil, 0, false
			}
			copy(nonce[4:], body[:8])
			body = body[8:]
		}
		extra = binary.BigEndian.AppendUint64(nil, seq)
		extra = append(extra, record[:3]...)
		extra = binary.BigEndian.AppendUint16(extra, uint16(len(body)-aead.Overhead()))
	}
	if !explicit {
		number(&nonce, seq)
	}
	if len(body) < aead.Overhead() {
		return nil, 0, false
	}
	content, err := aead.Open(nil, nonce[:], body, extra)
	if err != nil {
		return nil, 0, false
	}
	if b.Version < 0x0304 {
		return content, kind, true
	}
	return inner(content)
}

// The drafts of TLS 1.3 that are read, and from which one on the header of a record is authenticated.
const (
	firstDraft    = 0x7f14
	lastDraft     = 0x7f16 // that has a hello of its own form
	signedHeaders = 0x7f19
)

// number mixes the record's number into the nonce.
func number(nonce *[12]byte, seq uint64) {
	for i := range 8 {
		nonce[4+i] ^= byte(seq >> (56 - 8*i))
	}
}

// inner takes the padding and the type off the end of what a record of TLS 1.3 held.
func inner(content []byte) ([]byte, uint8, bool) {
	for i := len(content) - 1; i >= 0; i-- {
		if content[i] != 0 {
			return content[:i:len(content)], content[i], true
		}
	}
	return nil, 0, false
}

// open tries to decrypt a record. It tells the note how.
func (s *session) open(d *dissect.D, h *half, record []byte, n *note) (content []byte, kind uint8, ok bool) {
	k := cipherOf(s.suite)
	if s.version == 0 && h.stage == stageEarly {
		return s.openEarly(d, h, record, n)
	}
	if s.version < 0x0304 {
		return s.openOld(d, h, k, record, n)
	}
	if record[0] != typeData || k.form == 0 || h.misses > maxMisses {
		return nil, 0, false
	}
	client := d.Dir&1 == s.client
	if h.key != 0 {
		b := keys.At(d, h.key)
		if content, kind, ok = b.open(d, h.seq, record); ok {
			return s.opened(h, n, content, kind)
		}
	}
	for _, stage := range [...]int{h.stage, h.stage + 1, h.stage + 2} {
		secret := s.secret(d, h, k, stage, client)
		if secret == nil {
			continue
		}
		n.Failed = true
		b := trafficKeys(k, s.version, secret)
		if content, kind, ok = b.open(d, 0, record); ok {
			h.key, h.seq, h.stage, h.secret = keys.Put(d, b), 0, stage, secret
			return s.opened(h, n, content, kind)
		}
	}
	h.misses++
	if h.key != 0 {
		h.seq++
	}
	return nil, 0, false
}

// earlySuites are those of which early data may be: no Server Hello has said yet which one it is.
var earlySuites = [...]uint16{0x1301, 0x1302, 0x1303}

// openEarly tries to decrypt a record that comes before the Server Hello (RFC 8446 section 4.2.10).
func (s *session) openEarly(d *dissect.D, h *half, record []byte, n *note) (content []byte, kind uint8, ok bool) {
	if record[0] != typeData || h.misses > maxMisses {
		return nil, 0, false
	}
	if h.key != 0 {
		b := keys.At(d, h.key)
		if content, kind, ok = b.open(d, h.seq, record); ok {
			return s.opened(h, n, content, kind)
		}
	} else if secret := d.Session().Secret(keylog.TLS, labels[0][stageEarly], s.clientRandom[:]); secret != nil {
		for _, suite := range earlySuites {
			k := cipherOf(suite)
			if len(secret) != k.hash().Size() {
				continue
			}
			b := trafficKeys(k, 0x0304, secret)
			if content, kind, ok = b.open(d, 0, record); ok {
				h.key, h.secret = keys.Put(d, b), secret
				return s.opened(h, n, content, kind)
			}
		}
		n.Failed = true
	}
	h.misses++
	return nil, 0, false
}

// secret is the secret of a stage: from the key log, or made of the one before.
func (s *session) secret(d *dissect.D, h *half, k cipherKind, stage int, client bool) []byte {
	if stage > stageData {
		if stage != h.stage+1 || h.secret == nil {
			return nil
		}
		return expandLabel(k.hash, h.secret, "traffic upd", k.hash().Size())
	}
	side := labels[1]
	if client {
		side = labels[0]
	}
	if side[stage] == "" {
		return nil
	}
	return d.Session().Secret(keylog.TLS, side[stage], s.clientRandom[:])
}

func (s *session) opened(h *half, n *note, content []byte, kind uint8) ([]byte, uint8, bool) {
	n.Key, n.Seq, n.Failed = h.key, h.seq, false
	h.seq++
	h.misses = 0
	return content, kind, true
}

// chain keeps the end of a record, with which the next one of TLS 1.0 begins. Keys are found again by what they began
// with.
func (s *session) chain(d *dissect.D, h *half, b keyBlock, record []byte) {
	end := len(record)
	if b.Form == formRC4 {
		b.move(d, len(record)-headerSize)
		h.key = keys.Put(d, b)
		return
	}
	if b.Behind {
		end -= macHash(b.MAC)().Size()
	}
	if n := b.blockSize(); end >= headerSize+n {
		copy(b.IV[:n], record[end-n:end])
		h.key = keys.Put(d, b)
	}
}

// openOld is open for TLS 1.0 to 1.2.
func (s *session) openOld(d *dissect.D, h *half, k cipherKind, record []byte, n *note) (content []byte, kind uint8,
	ok bool) {
	readable := k.form != 0 && s.version == 0x0303 || k.mac != 0
	if h.key == 0 && readable && h.misses <= maxMisses {
		if master := s.master(d); len(master) == 48 {
			b := s.masterKeys(k, master, d.Dir&1 == s.client)
			if b.Form == formRC4 {
				b.Stream = streams.Put(d, crypt.NewRC4(b.Key[:b.Size]))
			}
			h.key = keys.Put(d, b)
		}
	}
	if h.key != 0 {
		b := keys.At(d, h.key)
		if b.chained() {
			defer func() { s.chain(d, h, b, record) }()
		}
		if content, kind, ok = b.open(d, h.seq, record); ok {
			return s.opened(h, n, content, kind)
		}
		n.Failed = true
	}
	h.misses++
	h.seq++
	return nil, 0, false
}
