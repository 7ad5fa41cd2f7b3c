package tls

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"strings"

	"remora/internal/crypt"
)

// The forms of encryption.
const (
	formGCM    = iota + 1
	formCCM    // with tags of 16 bytes
	formCCM8   // with tags of 8
	formChaCha // ChaCha20 with Poly1305
	formCBC
	formRC4
	formNull // nothing is encrypted, but authenticated
)

// The ciphers of blocks, as far as the forms take one.
const (
	blockAES = iota
	block3DES
	blockDES
	blockRC2 // with 40 bits
	blockCamellia
)

// A cipherKind says how a suite encrypts.
type cipherKind struct {
	form   uint8
	block  uint8
	size   uint8 // of the key
	secret uint8 // of it, in suites made for export
	hash   func() hash.Hash
	mac    uint8 // with CBC, RC4 and nothing
}

// ciphers are those that are read, by how the names of suites call them.
var ciphers = map[string]cipherKind{
	"AES_128_CBC":      {form: formCBC, size: 16},
	"AES_256_CBC":      {form: formCBC, size: 32},
	"3DES_EDE_CBC":     {form: formCBC, size: 24, block: block3DES},
	"DES_CBC":          {form: formCBC, size: 8, block: blockDES},
	"DES40_CBC":        {form: formCBC, size: 8, secret: 5, block: blockDES},
	"RC2_CBC_40":       {form: formCBC, size: 16, secret: 5, block: blockRC2},
	"CAMELLIA_128_CBC": {form: formCBC, size: 16, block: blockCamellia},
	"CAMELLIA_256_CBC": {form: formCBC, size: 32, block: blockCamellia},
	"RC4_128":          {form: formRC4, size: 16},
	"RC4_40":           {form: formRC4, size: 16, secret: 5},
	"RC4_56":           {form: formRC4, size: 16, secret: 7},
	"NULL":             {form: formNull},
	"AES_128_GCM":      {form: formGCM, size: 16},
	"AES_256_GCM":      {form: formGCM, size: 32},
	"CAMELLIA_128_GCM": {form: formGCM, size: 16, block: blockCamellia},
	"CAMELLIA_256_GCM": {form: formGCM, size: 32, block: blockCamellia},
	"AES_128_CCM":      {form: formCCM, size: 16, hash: sha256.New},
	"AES_256_CCM":      {form: formCCM, size: 32, hash: sha256.New},
	"AES_128_CCM_8":    {form: formCCM8, size: 16, hash: sha256.New},
	"AES_256_CCM_8":    {form: formCCM8, size: 32, hash: sha256.New},
}

// cipherOf is how the records of a suite are encrypted; suites that cannot be read have form 0.
func cipherOf(suite uint16) cipherKind {
	switch suite {
	case 0x1301:
		return cipherKind{form: formGCM, size: 16, hash: sha256.New}
	case 0x1302:
		return cipherKind{form: formGCM, size: 32, hash: sha512.New384}
	case 0x1303, 0xcca8, 0xcca9, 0xccaa, 0xccab, 0xccac, 0xccad, 0xccae:
		return cipherKind{form: formChaCha, size: 32, hash: sha256.New}
	}
	return cipherNamed(suites[uint64(suite)])
}

// cipherNamed tells from the name of a suite, which ends in the cipher and the digest:
// TLS_RSA_WITH_AES_128_CBC_SHA.
func cipherNamed(suite string) cipherKind {
	_, name, old := strings.Cut(suite, "_WITH_")
	if !old {
		name = strings.TrimPrefix(suite, "TLS_")
	}
	if k := ciphers[name]; k.hash != nil { // of CCM the digest goes without saying
		return k
	}
	at := strings.LastIndexByte(name, '_')
	if at < 0 {
		return cipherKind{}
	}
	k, mac := ciphers[name[:at]], macs[name[at+1:]]
	if k.form == 0 || mac == 0 {
		return cipherKind{}
	}
	if k.hash = sha256.New; mac == macSHA384 { // the pseudorandom function is of the suite, too (RFC 5289 section 3)
		k.hash = sha512.New384
	}
	if k.form >= formCBC {
		k.mac = mac
	}
	return k
}

// blockCipher makes the cipher of blocks.
func blockCipher(kind uint8, key []byte) (cipher.Block, error) {
	switch kind {
	case block3DES:
		return des.NewTripleDESCipher(key)
	case blockDES:
		return des.NewCipher(key)
	case blockRC2:
		return crypt.NewRC2(key, 8*len(key))
	case blockCamellia:
		return crypt.NewCamellia(key)
	}
	return aes.NewCipher(key)
}
