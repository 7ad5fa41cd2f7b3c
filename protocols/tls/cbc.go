package tls

import (
	"bytes"
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"hash"

	"remora/dissect"
	"remora/internal/crypt"
)

// The digests that suites with CBC authenticate with.
var macs = map[string]uint8{"MD5": macMD5, "SHA": macSHA, "SHA256": macSHA256, "SHA384": macSHA384}

const (
	macMD5 = iota + 1
	macSHA
	macSHA256
	macSHA384
)

// macHash is the hash function of a MAC.
func macHash(mac uint8) func() hash.Hash {
	switch mac {
	case macMD5:
		return md5.New
	case macSHA:
		return sha1.New
	case macSHA384:
		return sha512.New384
	}
	return sha256.New
}

// oldPRF is the pseudorandom function of TLS 1.0 and 1.1 (RFC 2246 section 5): MD5 and SHA-1, each with half the
// secret.
func oldPRF(secret []byte, label string, seed []byte, n int) []byte {
	half := (len(secret) + 1) / 2
	out := prf(md5.New, secret[:half], label, seed, n)
	for i, v := range prf(sha1.New, secret[len(secret)-half:], label, seed, n) {
		out[i] ^= v
	}
	return out
}

// macKeys are the keys of one direction of a session with CBC, RC4 or nothing (RFC 5246 section 6.3).
func (s *session) macKeys(k cipherKind, master []byte, client bool) keyBlock {
	b := keyBlock{Size: k.size, Form: k.form, Block: k.block, Version: s.version, MAC: k.mac, Behind: s.behind}
	macSize, block, secret := macHash(k.mac)().Size(), b.blockSize(), cmp.Or(k.secret, k.size)
	n := 2 * (macSize + int(secret) + block)
	all := s.expand(k.hash, master, n)
	side := func(size int) []byte {
		both := all[:2*size]
		all = all[2*size:]
		if client {
			return both[:size]
		}
		return both[size:]
	}
	copy(b.MACKey[:], side(macSize))
	key := side(int(secret))
	iv := side(block) // of the first record; TLS 1.1 puts one in front of each
	if k.secret != 0 {
		key, iv = s.export(k, key, client, block)
	}
	copy(b.Key[:], key)
	copy(b.IV[:], iv)
	return b
}

// expand makes keys of the master secret.
func (s *session) expand(h func() hash.Hash, master []byte, n int) []byte {
	seed := append(append([]byte(nil), s.serverRandom[:]...), s.clientRandom[:]...)
	switch {
	case s.version == 0x0300:
		return oldest(master, seed, n)
	case s.version < 0x0303:
		return oldPRF(master, "key expansion", seed, n)
	}
	return prf(h, master, "key expansion", seed, n)
}

// export makes keys of the short ones that suites made for export have (RFC 2246 section 6.3.1, RFC 6101 section
// 6.2.2.1).
func (s *session) export(k cipherKind, short []byte, client bool, block int) (key, iv []byte) {
	seed := append(append([]byte(nil), s.clientRandom[:]...), s.serverRandom[:]...)
	label := "server write key"
	if client {
		label = "client write key"
	}
	if s.version == 0x0300 {
		own, turned := seed, append(append([]byte(nil), s.serverRandom[:]...), s.clientRandom[:]...)
		if !client {
			own = turned
		}
		key = hashed(md5.New, append(bytes.Clone(short), own...))
		return key[:min(len(key), int(k.size))], hashed(md5.New, own)[:block]
	}
	key = oldPRF(short, label, seed, int(k.size))
	both := oldPRF(nil, "IV block", seed, 2*block)
	if client {
		return key, both[:block]
	}
	return key, both[block:]
}

func (b *keyBlock) blockSize() int {
	switch {
	case b.Form != formCBC:
		return 0
	case b.Block == blockAES, b.Block == blockCamellia:
		return aes.BlockSize
	}
	return des.BlockSize
}

// chained tells whether a record begins with the end of the one before, as in TLS 1.0.
func (b *keyBlock) chained() bool {
	return b.Form == formRC4 || b.Form == formCBC && b.Version <= 0x0301
}

// openMAC decrypts a record of RC4, or of nothing, and checks it.
func (b *keyBlock) openMAC(d *dissect.D, seq uint64, record []byte) (content []byte, ok bool) {
	plain, macSize := append([]byte(nil), record[headerSize:]...), macHash(b.MAC)().Size()
	if b.Form == formRC4 {
		state := streams.At(d, b.Stream)
		skipped := make([]byte, b.Skip)
		state.XORKeyStream(skipped, skipped)
		state.XORKeyStream(plain, plain)
	}
	if len(plain) < macSize {
		return nil, false
	}
	sum := plain[len(plain)-macSize:]
	plain = plain[: len(plain)-macSize : len(plain)-macSize]
	return plain, hmac.Equal(sum, b.sum(seq, record, plain))
}

// streams are states of RC4 from which records are decrypted.
var streams = dissect.NewList[crypt.RC4]()

// farthest is how many bytes of a stream are passed over again for the sake of one record.
const farthest = 1 << 14

// move goes on behind a record of so many bytes of RC4.
func (b *keyBlock) move(d *dissect.D, n int) {
	b.Skip += uint32(n)
	if b.Skip >= farthest {
		state, passed := streams.At(d, b.Stream), make([]byte, b.Skip)
		state.XORKeyStream(passed, passed)
		b.Stream, b.Skip = streams.Put(d, state), 0
	}
}

// openCBC decrypts a record and checks it. The MAC stands behind the content, within what is encrypted, or behind that
// (RFC 7366).
func (b *keyBlock) openCBC(seq uint64, record []byte) (content []byte, ok bool) {
	body, macSize, block := record[headerSize:], macHash(b.MAC)().Size(), b.blockSize()
	if b.Behind {
		if len(body) < macSize {
			return nil, false
		}
		sum := body[len(body)-macSize:]
		body = body[:len(body)-macSize]
		if !hmac.Equal(sum, b.sum(seq, record, body)) {
			return nil, false
		}
	}
	iv := b.IV[:block]
	if !b.chained() {
		if len(body) < block {
			return nil, false
		}
		iv, body = body[:block], body[block:]
	}
	if len(body) == 0 || len(body)%block != 0 {
		return nil, false
	}
	plain := make([]byte, len(body))
	c, err := blockCipher(b.Block, b.Key[:b.Size])
	if err != nil {
		return nil, false
	}
	cipher.NewCBCDecrypter(c, iv).CryptBlocks(plain, body)
	pad := int(plain[len(plain)-1]) + 1 // what stands in it is not looked at: SSL 3.0 leaves it open
	if pad > len(plain) {
		return nil, false
	}
	plain = plain[:len(plain)-pad]
	if b.Behind {
		return plain, true
	}
	if len(plain) < macSize {
		return nil, false
	}
	sum := plain[len(plain)-macSize:]
	plain = plain[: len(plain)-macSize : len(plain)-macSize]
	return plain, hmac.Equal(sum, b.sum(seq, record, plain))
}

// sum is the MAC over a record's number, its header with the length of what is covered, and that.
func (b *keyBlock) sum(seq uint64, record, covered []byte) []byte {
	h := macHash(b.MAC)
	if b.Version == 0x0300 {
		return b.oldSum(h, seq, record[0], covered)
	}
	head := append(binary.BigEndian.AppendUint64(nil, seq), record[:3]...)
	head = binary.BigEndian.AppendUint16(head, uint16(len(covered)))
	return mac(h, b.MACKey[:h().Size()], head, covered)
}

// oldSum is the MAC of SSL 3.0 (RFC 6101 section 5.2.3.1), from before there was HMAC.
func (b *keyBlock) oldSum(h func() hash.Hash, seq uint64, kind byte, covered []byte) []byte {
	inner, outer := h(), h()
	secret := b.MACKey[:inner.Size()]
	pad := 48 / inner.Size() * inner.Size() // 48 bytes for MD5, 40 for SHA-1
	head := append(binary.BigEndian.AppendUint64(nil, seq), kind)
	head = binary.BigEndian.AppendUint16(head, uint16(len(covered)))
	for _, part := range [][]byte{secret, bytes.Repeat([]byte{0x36}, pad), head, covered} {
		inner.Write(part)
	}
	for _, part := range [][]byte{secret, bytes.Repeat([]byte{0x5c}, pad), inner.Sum(nil)} {
		outer.Write(part)
	}
	return outer.Sum(nil)
}
