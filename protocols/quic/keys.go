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

// The versions that differ in their keys.
const (
	version1   = 1
	version2   = 0x6b3343cf
	version2At = 0x709a50c4 // a draft of version 2
	draftFirst = 0xff00001d // 29: the first with the salts below
	draftLast  = 0xff000020 // 32
	draft34    = 0xff000022
)

// The salts of the first keys (RFC 9001 section 5.2, RFC 9369 section 3.3.1, draft-ietf-quic-tls-29 section 5.2,
// draft-ietf-quic-v2-01 section 3.3.1).
var (
	salt1 = []byte{0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34, 0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, 0xc8, 0x0c, 0xad,
		0xcc, 0xbb, 0x7f, 0x0a}
	salt2 = []byte{0x0d, 0xed, 0xe3, 0xde, 0xf7, 0x00, 0xa6, 0xdb, 0x81, 0x93, 0x81, 0xbe, 0x6e, 0x26, 0x9d, 0xcb,
		0xf9, 0xbd, 0x2e, 0xd9}
	salt2At = []byte{0xa7, 0x07, 0xc2, 0x03, 0xa5, 0x9b, 0x47, 0x18, 0x4a, 0x1d, 0x62, 0xca, 0x57, 0x04, 0x06, 0xea,
		0x7a, 0xe3, 0xe5, 0xd3}
	saltDraft = []byte{0xaf, 0xbf, 0xec, 0x28, 0x99, 0x93, 0xd2, 0x4c, 0x9e, 0x97, 0x86, 0xf1, 0x9c, 0x61, 0x11, 0xe0,
		0x43, 0x90, 0xa8, 0x99}
)

// spoken tells the versions whose packets are understood. Those that only test whether a server refuses them (RFC 9000
// section 15) are taken for draft 29, as Wireshark does; ngtcp2 writes them so.
func spoken(v uint32) bool {
	return v == version1 || v == version2 || v == version2At || v >= draftFirst && v <= draft34 || greased(v)
}

// greased tells the versions that no server speaks.
func greased(v uint32) bool { return v&0x0f0f0f0f == 0x0a0a0a0a }

// second tells the versions with the types and labels of version 2.
func second(v uint32) bool { return v == version2 || v == version2At }

func saltOf(v uint32) []byte {
	switch {
	case v == version2:
		return salt2
	case v == version2At:
		return salt2At
	case v >= draftFirst && v <= draftLast || greased(v):
		return saltDraft
	}
	return salt1
}

// prefixOf is what stands in front of the labels of a version's keys (RFC 9369 section 3.3.2).
func prefixOf(v uint32) string {
	if second(v) {
		return "quicv2 "
	}
	return "quic "
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
	secret, err := hkdf.Extract(sha256.New, id, saltOf(version))
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
	next = expand(s.hash, secret, prefixOf(version)+"ku", s.hash().Size())
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

// The keys and nonces of the tags of Retry packets (RFC 9001 section 5.8, RFC 9369 section 3.3.3,
// draft-ietf-quic-tls-29 section 5.8, draft-ietf-quic-v2-01 section 3.3.3).
const (
	retryKey1       = "\xbe\x0c\x69\x0b\x9f\x66\x57\x5a\x1d\x76\x6b\x54\xe3\x68\xc8\x4e"
	retryNonce1     = "\x46\x15\x99\xd3\x5d\x63\x2b\xf2\x23\x98\x25\xbb"
	retryKey2       = "\x8f\xb4\xb0\x1b\x56\xac\x48\xe2\x60\xfb\xcb\xce\xad\x7c\xcc\x92"
	retryNonce2     = "\xd8\x69\x69\xbc\x2d\x7c\x6d\x99\x90\xef\xb0\x4a"
	retryKey2At     = "\xba\x85\x8d\xc7\xb4\x3d\xe5\xdb\xf8\x76\x17\xff\x4a\xb2\x53\xdb"
	retryNonce2At   = "\x14\x1b\x99\xc2\x39\xb0\x3e\x78\x5d\x6a\x2e\x9f"
	retryKeyDraft   = "\xcc\xce\x18\x7e\xd0\x9a\x09\xd0\x57\x28\x15\x5a\x6c\xb9\x6b\xe1"
	retryNonceDraft = "\xe5\x49\x30\xf9\x7f\x21\x36\xf0\x53\x0a\x8c\x1c"
)

// genuine tells whether the tag at the end of a Retry packet is right, id being what the client began with.
func genuine(version uint32, id, packet []byte) bool {
	key, nonce := retryKey1, retryNonce1
	switch {
	case version == version2At:
		key, nonce = retryKey2At, retryNonce2At
	case version == version2:
		key, nonce = retryKey2, retryNonce2
	case version >= draftFirst && version <= draftLast:
		key, nonce = retryKeyDraft, retryNonceDraft
	}
	aead, err := gcm([]byte(key))
	if err != nil || len(packet) < 16 {
		return false
	}
	whole := append([]byte{byte(len(id))}, id...)
	whole = append(whole, packet[:len(packet)-16]...)
	return string(aead.Seal(nil, []byte(nonce), nil, whole)) == string(packet[len(packet)-16:])
}
