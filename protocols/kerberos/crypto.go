package kerberos

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"hash"
)

// Types of encryption that are undone (RFC 3962, RFC 8009, RFC 4757).
const (
	aes128     = 17
	aes256     = 18
	aes128SHA2 = 19
	aes256SHA2 = 20
	rc4HMAC    = 23
)

// keySizes are the lengths of keys by their type.
var keySizes = map[uint16]int{aes128: 16, aes256: 32, aes128SHA2: 16, aes256SHA2: 32, rc4HMAC: 16}

// open decrypts a text under a key that is used for a purpose; nil says that the key does not fit.
func open(etype uint16, key []byte, usage uint32, sealed []byte) []byte {
	if len(key) != keySizes[etype] {
		return nil
	}
	switch etype {
	case rc4HMAC:
		return openRC4(key, usage, sealed)
	case aes128, aes256:
		return openAES(derived(key, usage, 0xaa), mac(sha1.New, derived(key, usage, 0x55)), 12, sealed, false)
	case aes128SHA2, aes256SHA2:
		h, size := sha256.New, 16
		if etype == aes256SHA2 {
			h, size = sha512.New384, 24
		}
		return openAES(derivedSHA2(h, key, usage, 0xaa, len(key)), mac(h, derivedSHA2(h, key, usage, 0x55, size)), size,
			sealed, true)
	}
	return nil
}

func mac(h func() hash.Hash, key []byte) hash.Hash { return hmac.New(h, key) }

func sumOf(h hash.Hash, parts ...[]byte) []byte {
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// confounder is the random block in front of what AES encrypts; RC4 has one of eight bytes.
const confounder = aes.BlockSize

// openAES undoes AES with ciphertext stealing, and checks the code behind it: of what is encrypted, or of the encrypted
// bytes.
func openAES(key []byte, code hash.Hash, size int, sealed []byte, ofSealed bool) []byte {
	n := len(sealed) - size
	if n < confounder {
		return nil
	}
	plain := unsteal(key, sealed[:n])
	var sum []byte
	if ofSealed {
		sum = sumOf(code, make([]byte, aes.BlockSize), sealed[:n])
	} else {
		sum = sumOf(code, plain)
	}
	if !hmac.Equal(sum[:size], sealed[n:]) {
		return nil
	}
	return plain[confounder:]
}

// unsteal undoes CBC with ciphertext stealing (RFC 3962 section 5), where the last two blocks always change places.
func unsteal(key, b []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	const size = aes.BlockSize
	out := make([]byte, len(b))
	if len(b) == size {
		block.Decrypt(out, b)
		return out
	}
	last := (len(b)-1)%size + 1 // the length of the last block
	head := len(b) - last - size
	before := make([]byte, size)
	if head > 0 {
		cipher.NewCBCDecrypter(block, before).CryptBlocks(out[:head], b[:head])
		before = b[head-size : head]
	}
	var mixed, second [size]byte
	block.Decrypt(mixed[:], b[head:head+size])
	copy(second[:], b[head+size:])
	copy(second[last:], mixed[last:])
	for i := range last {
		out[head+size+i] = mixed[i] ^ second[i]
	}
	block.Decrypt(second[:], second[:])
	for i := range size {
		out[head+i] = second[i] ^ before[i]
	}
	return out
}

// derived is a key for one purpose (RFC 3961 section 5.1).
func derived(key []byte, usage uint32, kind byte) []byte {
	return derivedFrom(key, append(binary.BigEndian.AppendUint32(nil, usage), kind))
}

func derivedFrom(key, text []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	next := folded(text, aes.BlockSize)
	var out []byte
	for range len(key) / aes.BlockSize {
		block.Encrypt(next, next)
		out = append(out, next...)
	}
	return out
}

// folded is n-fold of RFC 3961: the text again and again, each time turned by 13 bits, and summed with carries that go
// around.
func folded(text []byte, n int) []byte {
	all := len(text) * n / gcd(len(text), n)
	long := make([]byte, all)
	bits := 8 * len(text)
	for i := range 8 * all {
		turn := i / bits * 13 % bits
		from := (i%bits - turn + bits) % bits
		long[i/8] |= text[from/8] >> (7 - from%8) & 1 << (7 - i%8)
	}
	sum := make([]byte, n)
	carry := 0
	for i := 0; i < all || carry > 0; i++ { // from the back
		at := (all - 1 - i%all) % n
		v := carry + int(sum[at])
		if i < all {
			v += int(long[all-1-i])
		}
		sum[at], carry = byte(v), v>>8
	}
	return sum
}

func gcd(a, b int) int {
	if b == 0 {
		return a
	}
	return gcd(b, a%b)
}

// derivedSHA2 is a key for one purpose (RFC 8009 section 3).
func derivedSHA2(h func() hash.Hash, key []byte, usage uint32, kind byte, size int) []byte {
	b := append([]byte{0, 0, 0, 1}, binary.BigEndian.AppendUint32(nil, usage)...)
	b = append(b, kind, 0)
	return sumOf(mac(h, key), binary.BigEndian.AppendUint32(b, uint32(8*size)))[:size]
}

// usagesRC4 are the purposes that have other numbers there (RFC 4757 section 3).
var usagesRC4 = map[uint32]uint32{3: 8, 9: 8, 23: 13}

func openRC4(key []byte, usage uint32, sealed []byte) []byte {
	if len(sealed) < md5.Size+8 {
		return nil
	}
	if other := usagesRC4[usage]; other != 0 {
		usage = other
	}
	k := sumOf(mac(md5.New, key), binary.LittleEndian.AppendUint32(nil, usage))
	c, err := rc4.NewCipher(sumOf(mac(md5.New, k), sealed[:md5.Size]))
	if err != nil {
		return nil
	}
	plain := make([]byte, len(sealed)-md5.Size)
	c.XORKeyStream(plain, sealed[md5.Size:])
	if !hmac.Equal(sumOf(mac(md5.New, k), plain), sealed[:md5.Size]) {
		return nil
	}
	return plain[8:]
}
