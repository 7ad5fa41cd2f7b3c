package tls

import (
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
	"strings"
)

// The ciphers in CBC mode that the standard library has, by how the names of suites call them, with the bytes of a key.
var cbcCiphers = map[string]cipherKind{
	"AES_128_CBC":  {form: formAES, size: 16},
	"AES_256_CBC":  {form: formAES, size: 32},
	"3DES_EDE_CBC": {form: form3DES, size: 24},
}

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

// cbcOf is how the records of a suite with CBC are encrypted, told from its name; form 0 for others. The names end in
// the cipher and the digest: TLS_RSA_WITH_AES_128_CBC_SHA.
func cbcOf(suite uint16) cipherKind {
	_, name, _ := strings.Cut(suites[uint64(suite)], "_WITH_")
	at := strings.LastIndexByte(name, '_')
	if at < 0 {
		return cipherKind{}
	}
	k, mac := cbcCiphers[name[:at]], macs[name[at+1:]]
	if k.form == 0 || mac == 0 {
		return cipherKind{}
	}
	k.mac, k.hash = mac, sha256.New
	if mac == macSHA384 { // the pseudorandom function is of the suite, too (RFC 5289 section 3)
		k.hash = sha512.New384
	}
	return k
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

// cbcKeys are the keys of one direction of a session with CBC (RFC 5246 section 6.3).
func (s *session) cbcKeys(k cipherKind, master []byte, client bool) keyBlock {
	b := keyBlock{Size: k.size, Form: k.form, Version: s.version, MAC: k.mac, Behind: s.behind}
	macSize, block := macHash(k.mac)().Size(), b.blockSize()
	seed := append(append([]byte(nil), s.serverRandom[:]...), s.clientRandom[:]...)
	n := 2 * (macSize + int(k.size) + block)
	var all []byte
	if s.version < 0x0303 {
		all = oldPRF(master, "key expansion", seed, n)
	} else {
		all = prf(k.hash, master, "key expansion", seed, n)
	}
	side := func(size int) []byte {
		both := all[:2*size]
		all = all[2*size:]
		if client {
			return both[:size]
		}
		return both[size:]
	}
	copy(b.MACKey[:], side(macSize))
	copy(b.Key[:], side(int(k.size)))
	copy(b.IV[:], side(block)) // of the first record; TLS 1.1 puts one in front of each
	return b
}

func (b *keyBlock) blockSize() int {
	if b.Form == form3DES {
		return des.BlockSize
	}
	return aes.BlockSize
}

// chained tells whether a record begins with the end of the one before, as in TLS 1.0.
func (b *keyBlock) chained() bool { return b.MAC != 0 && b.Version <= 0x0301 }

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
	c, err := b.block()
	if err != nil {
		return nil, false
	}
	cipher.NewCBCDecrypter(c, iv).CryptBlocks(plain, body)
	pad := int(plain[len(plain)-1]) + 1
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

func (b *keyBlock) block() (cipher.Block, error) {
	if b.Form == form3DES {
		return des.NewTripleDESCipher(b.Key[:b.Size])
	}
	return aes.NewCipher(b.Key[:b.Size])
}

// sum is the MAC over a record's number, its header with the length of what is covered, and that.
func (b *keyBlock) sum(seq uint64, record, covered []byte) []byte {
	h := macHash(b.MAC)
	head := append(binary.BigEndian.AppendUint64(nil, seq), record[:3]...)
	head = binary.BigEndian.AppendUint16(head, uint16(len(covered)))
	return mac(h, b.MACKey[:h().Size()], head, covered)
}
