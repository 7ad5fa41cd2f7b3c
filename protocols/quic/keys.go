package quic

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"hash"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"remora/internal/crypt"
)

// Versions by number. The drafts of version 1 are 0xff000000 and their own number.
const (
	version1   = 1
	version2   = 0x6b3343cf
	version2At = 0x709a50c4 // a draft of version 2
	drafts     = 0xff000000
	firstDraft = 22 // the first that is read: the lengths of connection IDs stand in one byte before
	lastDraft  = 34
)

// likeDraft are the drafts that versions of others are made after.
var likeDraft = map[uint32]uint32{0xfaceb001: 22, 0xfaceb002: 27, 0xfaceb00e: 27}

// spoken tells the versions whose packets are understood.
func spoken(v uint32) bool { return dialectOf(v) != nil }

// greased tells the versions that only test whether a server refuses them, and that no server speaks (RFC 9000 section
// 15).
func greased(v uint32) bool { return v&0x0f0f0f0f == 0x0a0a0a0a }

// second tells the versions with the types and labels of version 2.
func second(v uint32) bool { return v == version2 || v == version2At }

// A dialect is in what versions differ: the salt of the first keys, and the key and nonce of the tags of Retry packets.
type dialect struct{ salt, retryKey, retryNonce string }

var (
	// RFC 9001 sections 5.2 and 5.8.
	dialect1 = &dialect{"\x38\x76\x2c\xf7\xf5\x59\x34\xb3\x4d\x17\x9a\xe6\xa4\xc8\x0c\xad\xcc\xbb\x7f\x0a",
		"\xbe\x0c\x69\x0b\x9f\x66\x57\x5a\x1d\x76\x6b\x54\xe3\x68\xc8\x4e",
		"\x46\x15\x99\xd3\x5d\x63\x2b\xf2\x23\x98\x25\xbb"}
	// RFC 9369 section 3.3.
	dialect2 = &dialect{"\x0d\xed\xe3\xde\xf7\x00\xa6\xdb\x81\x93\x81\xbe\x6e\x26\x9d\xcb\xf9\xbd\x2e\xd9",
		"\x8f\xb4\xb0\x1b\x56\xac\x48\xe2\x60\xfb\xcb\xce\xad\x7c\xcc\x92",
		"\xd8\x69\x69\xbc\x2d\x7c\x6d\x99\x90\xef\xb0\x4a"}
	// draft-ietf-quic-v2-01 section 3.3.
	dialect2At = &dialect{"\xa7\x07\xc2\x03\xa5\x9b\x47\x18\x4a\x1d\x62\xca\x57\x04\x06\xea\x7a\xe3\xe5\xd3",
		"\xba\x85\x8d\xc7\xb4\x3d\xe5\xdb\xf8\x76\x17\xff\x4a\xb2\x53\xdb",
		"\x14\x1b\x99\xc2\x39\xb0\x3e\x78\x5d\x6a\x2e\x9f"}
	// draft-ietf-quic-tls-29 to 32, sections 5.2 and 5.8.
	dialect29 = &dialect{"\xaf\xbf\xec\x28\x99\x93\xd2\x4c\x9e\x97\x86\xf1\x9c\x61\x11\xe0\x43\x90\xa8\x99",
		"\xcc\xce\x18\x7e\xd0\x9a\x09\xd0\x57\x28\x15\x5a\x6c\xb9\x6b\xe1",
		"\xe5\x49\x30\xf9\x7f\x21\x36\xf0\x53\x0a\x8c\x1c"}
	// draft-ietf-quic-tls-25 to 28, sections 5.2 and 5.8.
	dialect25 = &dialect{dialect23.salt, "\x4d\x32\xec\xdb\x2a\x21\x33\xc8\x41\xe4\x04\x3d\xf2\x7d\x44\x30",
		"\x4d\x16\x11\xd0\x55\x13\xa5\x52\xc5\x87\xd5\x75"}
	// draft-ietf-quic-tls-23 and 24, section 5.2. Retry packets have no tag yet.
	dialect23 = &dialect{salt: "\xc3\xee\xf7\x12\xc7\x2e\xbb\x5a\x11\xa7\xd2\x43\x2b\xb4\x63\x65\xbe\xf9\xf5\x02"}
	// draft-ietf-quic-tls-21 and 22, section 5.2.
	dialect22 = &dialect{salt: "\x7f\xbc\xdb\x0e\x7c\x66\xbb\xe9\x19\x3a\x96\xcd\x21\x51\x9e\xbd\x7a\x02\x64\x4a"}
)

// tagged tells whether Retry packets end with a tag.
func (d *dialect) tagged() bool { return d.retryKey != "" }

// dialectOf is how a version speaks, nil for one that is not understood. Versions that test servers are taken for draft
// 29, as Wireshark does; ngtcp2 writes them so.
func dialectOf(v uint32) *dialect {
	switch {
	case v == version1:
		return dialect1
	case v == version2:
		return dialect2
	case v == version2At:
		return dialect2At
	case greased(v):
		return dialect29
	}
	draft, ok := likeDraft[v]
	if !ok {
		draft = v - drafts
	}
	switch {
	case draft < firstDraft || draft > lastDraft:
		return nil
	case draft < 23:
		return dialect22
	case draft < 25:
		return dialect23
	case draft < 29:
		return dialect25
	case draft < 33:
		return dialect29
	}
	return dialect1
}

// prefixOf is what stands in front of the labels of a version's keys (RFC 9369 section 3.3.2).
func prefixOf(v uint32) string {
	if second(v) {
		return "quicv2 "
	}
	return "quic "
}

// updateLabel is the label of the secret behind another (RFC 9001 section 6.1, draft-ietf-quic-tls-23 section 6).
func updateLabel(v uint32) string {
	if d := dialectOf(v); d == dialect22 || v == drafts+23 {
		return "traffic upd"
	}
	return prefixOf(v) + "ku"
}

// The forms of encryption.
const (
	formGCM    = iota + 1 // AES
	formChaCha            // ChaCha20 with Poly1305
	formCCM               // AES
)

// A suite says how packets are encrypted.
type suite struct {
	form, size uint8 // of the key
	hash       func() hash.Hash
}

// The cipher suites that can be read, under their numbers in TLS.
var suites = map[uint16]suite{0x1301: suite128, 0x1302: {formGCM, 32, sha512.New384},
	0x1303: {formChaCha, 32, sha256.New}, 0x1304: {formCCM, 16, sha256.New}}

// suite128 is the suite of Initial packets.
var suite128 = suite{formGCM, 16, sha256.New}

// A keyBlock opens packets of one side for a while.
type keyBlock struct {
	Key  [32]byte
	Hide [32]byte // takes off the protection of the header
	IV   [12]byte
	Size uint8 // of both keys
	Form uint8
}

// initialSecret is the secret from which a side's first keys come, of a connection that a client began with the ID (RFC
// 9001 section 5.2).
func initialSecret(version uint32, id []byte, server bool) []byte {
	d := dialectOf(version)
	if d == nil {
		return nil
	}
	secret, err := hkdf.Extract(sha256.New, id, []byte(d.salt))
	if err != nil {
		return nil
	}
	if server {
		return expand(sha256.New, secret, "server in", 32)
	}
	return expand(sha256.New, secret, "client in", 32)
}

// keysOf are the keys of a secret (RFC 9001 section 5.1).
func keysOf(version uint32, s suite, secret []byte) keyBlock {
	k, prefix := keyBlock{Size: s.size, Form: s.form}, prefixOf(version)
	copy(k.Key[:], expand(s.hash, secret, prefix+"key", int(s.size)))
	copy(k.Hide[:], expand(s.hash, secret, prefix+"hp", int(s.size)))
	copy(k.IV[:], expand(s.hash, secret, prefix+"iv", 12))
	return k
}

// update is the secret behind another, and the keys of it. The header's key stays (RFC 9001 section 6.1).
func (k *keyBlock) update(version uint32, s suite, secret []byte) (next []byte, keys keyBlock) {
	next = expand(s.hash, secret, updateLabel(version), s.hash().Size())
	keys = keysOf(version, s, next)
	keys.Hide = k.Hide
	return next, keys
}

// expand is HKDF-Expand-Label without context (RFC 8446 section 7.1).
func expand(h func() hash.Hash, secret []byte, label string, n int) []byte {
	info := binary.BigEndian.AppendUint16(nil, uint16(n))
	info = append(info, byte(6+len(label)))
	info = append(info, "tls13 "+label...)
	out, err := hkdf.Expand(h, secret, string(append(info, 0)), n)
	if err != nil {
		return make([]byte, n)
	}
	return out
}

// gcm is AES with GCM under a key.
func gcm(key []byte) (cipher.AEAD, error) { return withAES(key, cipher.NewGCM) }

func ccm(b cipher.Block) (cipher.AEAD, error) { return crypt.NewCCM(b, 12, 16) }

func withAES(key []byte, mode func(cipher.Block) (cipher.AEAD, error)) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return mode(block)
}

// aead is the cipher of the packets.
func (k *keyBlock) aead() (cipher.AEAD, error) {
	switch k.Form {
	case formChaCha:
		return chacha20poly1305.New(k.Key[:])
	case formCCM:
		return withAES(k.Key[:k.Size], ccm)
	}
	return gcm(k.Key[:k.Size])
}

// mask is what hides the header of a packet with a sample of its payload (RFC 9001 sections 5.4.3 and 5.4.4).
func (k *keyBlock) mask(sample []byte) (mask [16]byte, ok bool) {
	if k.Form == formChaCha {
		c, err := chacha20.NewUnauthenticatedCipher(k.Hide[:], sample[4:16])
		if err != nil {
			return mask, false
		}
		c.SetCounter(binary.LittleEndian.Uint32(sample))
		c.XORKeyStream(mask[:5], mask[:5])
		return mask, true
	}
	block, err := aes.NewCipher(k.Hide[:k.Size])
	if err != nil {
		return mask, false
	}
	block.Encrypt(mask[:], sample)
	return mask, true
}

// genuine tells whether the tag at the end of a Retry packet is right, id being what the client began with.
func genuine(version uint32, id, packet []byte) bool {
	dia := dialectOf(version)
	if dia == nil || !dia.tagged() || len(packet) < 16 {
		return false
	}
	aead, err := gcm([]byte(dia.retryKey))
	if err != nil {
		return false
	}
	whole := append([]byte{byte(len(id))}, id...)
	whole = append(whole, packet[:len(packet)-16]...)
	return string(aead.Seal(nil, []byte(dia.retryNonce), nil, whole)) == string(packet[len(packet)-16:])
}
