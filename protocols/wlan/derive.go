package wlan

import (
	"bytes"
	"crypto/aes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"hash"
)

// An akm is a way to agree on keys: the lengths of the keys of a link and the hash that they are made with (IEEE
// 802.11-2020 table 12-10).
type akm struct {
	kck, kek int
	hash     func() hash.Hash
	kdf      bool // the newer way to make keys
	hmac     bool // the integrity code is made with the hash
	fast     bool // the keys serve several access points
}

func akmOf(kind uint8) (a akm, ok bool) {
	a = akm{kck: 16, kek: 16, hash: sha256.New, kdf: true}
	switch kind {
	case 1, 2:
		a.hash, a.kdf, a.hmac = sha1.New, false, true
	case 3, 4, 9:
		a.fast = true
	case 5, 6, 8:
	case 11, 18:
		a.hmac = true
	case 12, 13:
		a.kck, a.kek, a.hash, a.hmac, a.fast = 24, 32, sha512.New384, true, kind == 13
	default:
		return a, false
	}
	return a, true
}

// Ciphers (IEEE 802.11-2020 table 9-149).
const (
	cipherWEP     = 1
	cipherTKIP    = 2
	cipherCCMP    = 4
	cipherGCMP    = 8
	cipherGCMP256 = 9
	cipherCCMP256 = 10
)

// temporal is how long the temporal key of a cipher is; that of TKIP has two for integrity codes behind it.
func temporal(cipher uint8) int {
	switch cipher {
	case cipherCCMP, cipherGCMP:
		return 16
	case cipherTKIP, cipherCCMP256, cipherGCMP256:
		return 32
	}
	return 0
}

// prf makes keys the older way (IEEE 802.11-2020 section 12.7.1.2).
func prf(h func() hash.Hash, key []byte, label string, context []byte, n int) (out []byte) {
	for i := range (n + h().Size() - 1) / h().Size() {
		m := hmac.New(h, key)
		m.Write([]byte(label))
		m.Write([]byte{0})
		m.Write(context)
		m.Write([]byte{byte(i)})
		out = m.Sum(out)
	}
	return out[:n]
}

// kdf makes keys the newer way (IEEE 802.11-2020 section 12.7.1.6.2).
func kdf(h func() hash.Hash, key []byte, label string, context []byte, n int) (out []byte) {
	for i := range (n + h().Size() - 1) / h().Size() {
		m := hmac.New(h, key)
		m.Write(binary.LittleEndian.AppendUint16(nil, uint16(i+1)))
		m.Write([]byte(label))
		m.Write(context)
		m.Write(binary.LittleEndian.AppendUint16(nil, uint16(8*n)))
		out = m.Sum(out)
	}
	return out[:n]
}

// ordered are both, the smaller one first.
func ordered(a, b []byte) []byte {
	if bytes.Compare(a, b) > 0 {
		a, b = b, a
	}
	return append(bytes.Clone(a), b...)
}

// linkKeys are the keys of a link made of the pairwise master key (IEEE 802.11-2020 section 12.7.1.3).
func (a akm) linkKeys(pmk []byte, id link, anonce, snonce []byte, n int) []byte {
	context := append(ordered(id.ap[:], id.station[:]), ordered(anonce, snonce)...)
	if a.kdf {
		return kdf(a.hash, pmk, "Pairwise key expansion", context, n)
	}
	return prf(a.hash, pmk, "Pairwise key expansion", context, n)
}

// A fastLink is what the keys of a fast transition are made of beside nonces (IEEE 802.11-2020 section 12.7.1.6).
type fastLink struct {
	ssid       string
	domain     []byte // two bytes that name the access points that share keys
	r0, r1     []byte // names of those who hold the keys
	anonce     []byte
	snonce     []byte
	code       []byte // the integrity code
	group      []byte // the group's key, encrypted, and how long it is
	groupBytes int
}

// fastKeys are the keys of a link by a fast transition.
func (a akm) fastKeys(key []byte, id link, f *fastLink, anonce, snonce []byte, n int) []byte {
	size := a.hash().Size()
	context := append([]byte{byte(len(f.ssid))}, f.ssid...)
	context = append(append(context, f.domain...), byte(len(f.r0)))
	context = append(append(context, f.r0...), id.station[:]...)
	first := kdf(a.hash, key, "FT-R0", context, size+16)[:size]
	second := kdf(a.hash, first, "FT-R1", append(bytes.Clone(f.r1), id.station[:]...), size)
	context = append(append(bytes.Clone(snonce), anonce...), id.ap[:]...)
	return kdf(a.hash, second, "FT-PTK", append(context, id.station[:]...), n)
}

// proves tells whether the integrity code of a key frame is that of the key.
func (a akm) proves(version uint16, kck, frame, code []byte) bool {
	var sum []byte
	switch {
	case version == 1:
		sum = hashed(md5.New, kck, frame)
	case version == 2:
		sum = hashed(sha1.New, kck, frame)
	case a.hmac:
		sum = hashed(a.hash, kck, frame)
	default:
		sum = cmac(kck, frame)
	}
	return len(code) > 0 && len(sum) >= len(code) && hmac.Equal(sum[:len(code)], code)
}

func hashed(h func() hash.Hash, key, b []byte) []byte {
	m := hmac.New(h, key)
	m.Write(b)
	return m.Sum(nil)
}

// cmac is the integrity code of RFC 4493, nil for a key that AES does not have.
func cmac(key, b []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	var k, x [16]byte
	block.Encrypt(k[:], k[:])
	double(&k)
	whole := len(b) > 0 && len(b)%16 == 0
	if !whole {
		double(&k)
		b = append(bytes.Clone(b), 0x80)
		b = append(b, make([]byte, -len(b)&15)...)
	}
	for i, c := range b {
		if x[i&15] ^= c; i >= len(b)-16 {
			x[i&15] ^= k[i&15]
		}
		if i&15 == 15 {
			block.Encrypt(x[:], x[:])
		}
	}
	return x[:]
}

// double is a doubling in the field of 2^128 elements.
func double(k *[16]byte) {
	carry := byte(0)
	for i := 15; i >= 0; i-- {
		k[i], carry = k[i]<<1|carry, k[i]>>7
	}
	k[15] ^= 0x87 * carry
}

// unwrap undoes the key wrap of RFC 3394, nil where the key does not fit.
func unwrap(key, b []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil || len(b) < 16 || len(b)%8 != 0 {
		return nil
	}
	n := len(b)/8 - 1
	out := bytes.Clone(b[8:])
	var x [16]byte
	copy(x[:8], b)
	for t := 6 * n; t > 0; t-- {
		r := out[8*((t-1)%n):][:8]
		binary.BigEndian.PutUint64(x[:], binary.BigEndian.Uint64(x[:])^uint64(t))
		copy(x[8:], r)
		block.Decrypt(x[:], x[:])
		copy(r, x[8:])
	}
	if binary.BigEndian.Uint64(x[:]) != 0xa6a6a6a6a6a6a6a6 {
		return nil
	}
	return out
}

// unscramble decrypts key data of the first version, with RC4.
func unscramble(iv, kek, b []byte) []byte {
	c, err := rc4.NewCipher(append(bytes.Clone(iv), kek...))
	if err != nil {
		return nil
	}
	skipped, out := make([]byte, 256), make([]byte, len(b))
	c.XORKeyStream(skipped, skipped)
	c.XORKeyStream(out, b)
	return out
}
