package quic

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
)

// The versions that differ in their keys.
const (
	version1   = 1
	version2   = 0x6b3343cf
	draftFirst = 0xff00001d // 29: the first with the salts below
	draftLast  = 0xff000020 // 32
	draft34    = 0xff000022
)

// The salts of the first keys (RFC 9001 section 5.2, RFC 9369 section 3.3.1, draft-ietf-quic-tls-29 section 5.2).
var (
	salt1     = []byte{0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34, 0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, 0xc8, 0x0c, 0xad, 0xcc, 0xbb, 0x7f, 0x0a}
	salt2     = []byte{0x0d, 0xed, 0xe3, 0xde, 0xf7, 0x00, 0xa6, 0xdb, 0x81, 0x93, 0x81, 0xbe, 0x6e, 0x26, 0x9d, 0xcb, 0xf9, 0xbd, 0x2e, 0xd9}
	saltDraft = []byte{0xaf, 0xbf, 0xec, 0x28, 0x99, 0x93, 0xd2, 0x4c, 0x9e, 0x97, 0x86, 0xf1, 0x9c, 0x61, 0x11, 0xe0, 0x43, 0x90, 0xa8, 0x99}
)

// spoken tells the versions whose packets are understood.
func spoken(v uint32) bool {
	return v == version1 || v == version2 || v >= draftFirst && v <= draft34
}

// initialKeys open the Initial packets of one side.
type initialKeys struct {
	aead cipher.AEAD
	iv   []byte
	hide cipher.Block
}

func saltOf(v uint32) (salt []byte, prefix string) {
	switch {
	case v == version2:
		return salt2, "quicv2 "
	case v >= draftFirst && v <= draftLast:
		return saltDraft, "quic "
	}
	return salt1, "quic "
}

// keysOf makes the keys of a connection that a client began with the ID (RFC 9001 section 5.2).
func keysOf(version uint32, id []byte, server bool) (k initialKeys, ok bool) {
	salt, prefix := saltOf(version)
	secret, err := hkdf.Extract(sha256.New, id, salt)
	if err != nil {
		return k, false
	}
	side := "client in"
	if server {
		side = "server in"
	}
	secret = expand(secret, side, 32)
	key := expand(secret, prefix+"key", 16)
	k.iv = expand(secret, prefix+"iv", 12)
	block, err := aes.NewCipher(key)
	if err != nil {
		return k, false
	}
	if k.aead, err = cipher.NewGCM(block); err != nil {
		return k, false
	}
	k.hide, err = aes.NewCipher(expand(secret, prefix+"hp", 16))
	return k, err == nil
}

// expand is HKDF-Expand-Label without context (RFC 8446 section 7.1).
func expand(secret []byte, label string, n int) []byte {
	info := binary.BigEndian.AppendUint16(nil, uint16(n))
	info = append(info, byte(6+len(label)))
	info = append(info, "tls13 "+label...)
	out, err := hkdf.Expand(sha256.New, secret, string(append(info, 0)), n)
	if err != nil {
		return make([]byte, n)
	}
	return out
}

// An opened packet.
type opened struct {
	first   byte // without its protection
	number  uint64
	size    int // bytes of the number
	payload []byte
}

// open takes the protection off a packet whose number stands at an offset (RFC 9001 section 5.4), and decrypts it.
func (k *initialKeys) open(packet []byte, at int) (o opened, ok bool) {
	if at+4+16 > len(packet) {
		return o, false
	}
	var mask [16]byte
	k.hide.Encrypt(mask[:], packet[at+4:at+20])
	o.first = packet[0] ^ mask[0]&0x0f
	o.size = int(o.first&3) + 1
	header := append([]byte(nil), packet[:at+o.size]...)
	header[0] = o.first
	for i := range o.size {
		header[at+i] ^= mask[1+i]
		o.number = o.number<<8 | uint64(header[at+i])
	}
	nonce := append([]byte(nil), k.iv...)
	for i := range 8 {
		nonce[4+i] ^= byte(o.number >> (56 - 8*i))
	}
	payload, err := k.aead.Open(nil, nonce, packet[at+o.size:], header)
	if err != nil {
		return o, false
	}
	o.payload = payload
	return o, true
}
