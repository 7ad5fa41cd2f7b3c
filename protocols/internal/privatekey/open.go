package privatekey

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"hash"
	"math/big"
	"slices"
	"strings"
	"unicode/utf16"

	"remora/internal/crypt"
)

// maxRounds bounds how often a password is hashed.
const maxRounds = 10_000_000

var (
	oidPBES2   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13}
	oidPBKDF2  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
	oidPBE3DES = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1, 3}
	oidPBERC2  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1, 6}
)

// hashes are those of PBKDF2, by their object identifiers; SHA-1 is the usual one.
var hashes = map[string]func() hash.Hash{"": sha1.New, "1.2.840.113549.2.7": sha1.New, "1.2.840.113549.2.9": sha256.New,
	"1.2.840.113549.2.10": sha512.New384, "1.2.840.113549.2.11": sha512.New}

// A lock is a cipher with CBC.
type lock struct {
	size int
	open func([]byte) (cipher.Block, error)
}

// locks are the ciphers by their object identifiers, and by their names in PEM.
var locks = map[string]lock{
	"2.16.840.1.101.3.4.1.2": {16, aes.NewCipher}, "2.16.840.1.101.3.4.1.22": {24, aes.NewCipher},
	"2.16.840.1.101.3.4.1.42": {32, aes.NewCipher}, "1.2.840.113549.3.7": {24, des.NewTripleDESCipher},
	"AES-128-CBC": {16, aes.NewCipher}, "AES-192-CBC": {24, aes.NewCipher}, "AES-256-CBC": {32, aes.NewCipher},
	"DES-EDE3-CBC": {24, des.NewTripleDESCipher}, "DES-CBC": {8, des.NewCipher},
}

// open decrypts and takes the padding off.
func (l lock) decrypt(key, iv, data []byte) ([]byte, error) {
	if l.open == nil {
		return nil, errCipher
	}
	block, err := l.open(key)
	if err != nil {
		return nil, errCipher
	}
	n := block.BlockSize()
	if len(iv) != n || len(data) == 0 || len(data)%n != 0 {
		return nil, errNone
	}
	plain := make([]byte, len(data))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, data)
	pad := int(plain[len(plain)-1])
	if pad == 0 || pad > n || !bytes.HasSuffix(plain, bytes.Repeat([]byte{byte(pad)}, pad)) {
		return nil, errPassword
	}
	return plain[:len(plain)-pad], nil
}

// openPEM decrypts a key in the way of PEM itself (RFC 1421; OpenSSL makes the key of the password by MD5).
func openPEM(block *pem.Block, password string) ([]byte, error) {
	name, digits, _ := strings.Cut(block.Headers["DEK-Info"], ",")
	iv, err := hex.DecodeString(digits)
	l, known := locks[name]
	if err != nil || !known || len(iv) < 8 {
		return nil, errCipher
	}
	var key, last []byte
	for range (l.size + md5.Size - 1) / md5.Size {
		sum := md5.Sum(append(append(last, password...), iv[:8]...))
		last = sum[:]
		key = append(key, last...)
	}
	return l.decrypt(key[:l.size], iv, block.Bytes)
}

// The parameters of encryption by a password (RFC 8018 appendix A, RFC 7292 appendix C).
type (
	pbes2 struct{ KDF, Cipher algorithm }
	kdf   struct {
		Salt   []byte
		Rounds int
		Length int       `asn1:"optional"`
		PRF    algorithm `asn1:"optional"`
	}
	pbe struct {
		Salt   []byte
		Rounds int
	}
)

// open decrypts by the password.
func (s *sealed) open(password string) ([]byte, error) {
	parameters := s.Algorithm.Parameters.FullBytes
	switch {
	case s.Algorithm.ID.Equal(oidPBE3DES), s.Algorithm.ID.Equal(oidPBERC2):
		var p pbe
		if _, err := asn1.Unmarshal(parameters, &p); err != nil || p.Rounds < 1 || p.Rounds > maxRounds {
			return nil, errCipher
		}
		secret := bmp(password)
		l := lock{24, des.NewTripleDESCipher}
		if s.Algorithm.ID.Equal(oidPBERC2) {
			l = lock{5, func(key []byte) (cipher.Block, error) { return crypt.NewRC2(key, 40) }}
		}
		return l.decrypt(derive(1, secret, p.Salt, p.Rounds, l.size), derive(2, secret, p.Salt, p.Rounds, 8), s.Data)
	case s.Algorithm.ID.Equal(oidPBES2):
		var p pbes2
		var k kdf
		if _, err := asn1.Unmarshal(parameters, &p); err != nil || !p.KDF.ID.Equal(oidPBKDF2) {
			return nil, errCipher
		}
		if _, err := asn1.Unmarshal(p.KDF.Parameters.FullBytes, &k); err != nil || k.Rounds < 1 || k.Rounds > maxRounds {
			return nil, errCipher
		}
		h, l := hashes[k.PRF.ID.String()], locks[p.Cipher.ID.String()]
		if h == nil || l.open == nil {
			return nil, errCipher
		}
		key, err := pbkdf2.Key(h, password, k.Salt, k.Rounds, l.size)
		if err != nil {
			return nil, errCipher
		}
		return l.decrypt(key, p.Cipher.Parameters.Bytes, s.Data)
	}
	return nil, errCipher
}

// bmp is a password as PKCS#12 has it: two bytes a character, and two of zero at the end.
func bmp(s string) (out []byte) {
	for _, u := range append(utf16.Encode([]rune(s)), 0) {
		out = append(out, byte(u>>8), byte(u))
	}
	return out
}

// derive makes n bytes of a password (RFC 7292 appendix B.2), with SHA-1.
func derive(id byte, password, salt []byte, rounds, n int) (out []byte) {
	const v = sha1.BlockSize
	fill := func(b []byte) []byte {
		if len(b) == 0 {
			return nil
		}
		size := (len(b) + v - 1) / v * v
		return bytes.Repeat(b, size/len(b)+1)[:size]
	}
	diversifier, i := bytes.Repeat([]byte{id}, v), append(fill(salt), fill(password)...)
	for range (n + sha1.Size - 1) / sha1.Size {
		a := sha1.Sum(append(bytes.Clone(diversifier), i...))
		for range rounds - 1 {
			a = sha1.Sum(a[:])
		}
		out = append(out, a[:]...)
		b := new(big.Int).SetBytes(bytes.Repeat(a[:], v/sha1.Size+1)[:v])
		b.Add(b, big.NewInt(1))
		for part := range slices.Chunk(i, v) {
			sum := new(big.Int).Add(new(big.Int).SetBytes(part), b).Bytes()
			clear(part)
			copy(part[max(0, v-len(sum)):], sum[max(0, len(sum)-v):])
		}
	}
	return out[:n]
}
