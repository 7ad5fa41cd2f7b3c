// Package ipsec has the ciphers and the message authentication codes of IPsec, for its packets and for those that agree
// on its keys (RFC 8221, RFC 8247).
package ipsec

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"

	"golang.org/x/crypto/blowfish"         //nolint:staticcheck // what captures hold was encrypted with it
	"golang.org/x/crypto/cast5"            //nolint:staticcheck // likewise
	"golang.org/x/crypto/chacha20poly1305" // RFC 7634
	"golang.org/x/crypto/ripemd160"        //nolint:staticcheck // likewise
	"golang.org/x/crypto/twofish"          //nolint:staticcheck // likewise

	"remora/internal/crypt"
)

// A mode is how blocks are chained.
type mode uint8

const (
	null mode = iota
	cbc
	ctr
	gcm
	ccm
	chacha
)

// A Cipher is an algorithm with the lengths that go with it, in bytes.
type Cipher struct {
	Name string
	mode mode
	make func(key []byte) (cipher.Block, error)
	key  int // 0: any that the cipher takes
	IV   int // what stands in front of the encrypted bytes
	salt int // what stands at the end of the key
	Tag  int // what stands behind the encrypted bytes and proves them; 0 for none
}

// The sorts of ciphers.
func block(name string, make func([]byte) (cipher.Block, error), key, size int) Cipher {
	return Cipher{Name: name, mode: cbc, make: make, key: key, IV: size}
}

func counted(name string, m mode, key, salt, tag int) Cipher {
	return Cipher{Name: name, mode: m, make: aes.NewCipher, key: key, IV: 8, salt: salt, Tag: tag}
}

// Null is no encryption.
func Null(name string) Cipher { return Cipher{Name: name} }

// TripleDES is DES three times.
func TripleDES(name string) Cipher { return block(name, des.NewTripleDESCipher, 24, 8) }

// DES is the Data Encryption Standard.
func DES(name string) Cipher { return block(name, des.NewCipher, 8, 8) }

// AES is AES in blocks that are chained; key is 0 for keys of any length.
func AES(name string, key int) Cipher { return block(name, aes.NewCipher, key, 16) }

// Camellia is Camellia in blocks that are chained.
func Camellia(name string) Cipher { return block(name, crypt.NewCamellia, 0, 16) }

// Blowfish is Blowfish.
func Blowfish(name string) Cipher {
	return block(name, func(k []byte) (cipher.Block, error) { return blowfish.NewCipher(k) }, 0, 8)
}

// CAST is CAST-128.
func CAST(name string) Cipher {
	return block(name, func(k []byte) (cipher.Block, error) { return cast5.NewCipher(k) }, 16, 8)
}

// Twofish is Twofish.
func Twofish(name string) Cipher {
	return block(name, func(k []byte) (cipher.Block, error) { return twofish.NewCipher(k) }, 0, 16)
}

// CTR is AES in counter mode (RFC 3686).
func CTR(name string, key int) Cipher { return counted(name, ctr, key, 4, 0) }

// GCM is AES in Galois counter mode (RFC 4106).
func GCM(name string, key, tag int) Cipher { return counted(name, gcm, key, 4, tag) }

// CCM is AES in counter mode with CBC-MAC (RFC 4309).
func CCM(name string, key, tag int) Cipher { return counted(name, ccm, key, 3, tag) }

// ChaCha is ChaCha20 with Poly1305 (RFC 7634).
func ChaCha(name string) Cipher {
	return Cipher{Name: name, mode: chacha, key: 32, IV: 8, salt: 4, Tag: 16}
}

// Check tells what is wrong with a key, as people give it: with the salt behind it.
func (c *Cipher) Check(key []byte) error {
	if c.mode == null {
		return nil
	}
	if n := c.key + c.salt; c.key != 0 && len(key) != n {
		return fmt.Errorf("a key for %s has %d bytes, not %d", c.Name, n, len(key))
	}
	if c.mode == chacha {
		return nil
	}
	if _, err := c.make(key[:max(0, len(key)-c.salt)]); err != nil {
		return fmt.Errorf("a key for %s does not have %d bytes", c.Name, len(key))
	}
	return nil
}

// ErrTag says that bytes were changed on their way, or that the key is another one.
var ErrTag = errors.New("the integrity check failed")

// ErrBlocks says that there are not whole blocks.
var ErrBlocks = errors.New("the encrypted bytes are no whole blocks")

// Open decrypts b, with its tag behind it. Extra is what the tag proves, too.
func (c *Cipher) Open(key, iv, b, extra []byte) ([]byte, error) {
	switch c.mode {
	case null:
		return b, nil
	case gcm, ccm, chacha:
		return c.authentic(key, iv, b, extra)
	}
	bl, err := c.make(key[:len(key)-c.salt])
	if err != nil {
		return nil, err
	}
	plain := make([]byte, len(b))
	if c.mode == ctr {
		start := append(append(append([]byte(nil), key[len(key)-c.salt:]...), iv...), 0, 0, 0, 1)
		cipher.NewCTR(bl, start).XORKeyStream(plain, b)
		return plain, nil
	}
	if len(b)%bl.BlockSize() != 0 {
		return nil, ErrBlocks
	}
	cipher.NewCBCDecrypter(bl, iv).CryptBlocks(plain, b)
	return plain, nil
}

func (c *Cipher) authentic(key, iv, b, extra []byte) ([]byte, error) {
	key, salt := key[:len(key)-c.salt], key[len(key)-c.salt:]
	var aead cipher.AEAD
	var err error
	if c.mode == chacha {
		aead, err = chacha20poly1305.New(key)
	} else {
		var bl cipher.Block
		if bl, err = c.make(key); err == nil && c.mode == gcm {
			aead, err = crypt.NewGCM(bl, c.Tag)
		} else if err == nil {
			aead, err = crypt.NewCCM(bl, c.salt+c.IV, c.Tag)
		}
	}
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open([]byte{}, append(append([]byte(nil), salt...), iv...), b, extra)
	if err != nil {
		return nil, ErrTag
	}
	return plain, nil
}

// A MAC is a message authentication code of which Size bytes are sent. New is nil where they are not checked.
type MAC struct {
	Name string
	New  func() hash.Hash
	Key  int // 0: any length
	Size int
}

// Of is the code of what the parts are together.
func (m *MAC) Of(key []byte, parts ...[]byte) []byte {
	h := hmac.New(m.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)[:m.Size]
}

// Check tells what is wrong with a key.
func (m *MAC) Check(key []byte) error {
	if m.New != nil && m.Key != 0 && len(key) != m.Key {
		return fmt.Errorf("a key for %s has %d bytes, not %d", m.Name, m.Key, len(key))
	}
	return nil
}

// The digests by which authentication codes are made.
var (
	MD5    = md5.New
	SHA1   = sha1.New
	SHA256 = sha256.New
	SHA384 = sha512.New384
	SHA512 = sha512.New
	RIPEMD = ripemd160.New
)

// Find is the entry of a list whose name is given: in full, or without the document in brackets behind it.
func Find[T any](list []T, name func(*T) string, what, wanted string) (*T, error) {
	var names []string
	for i := range list {
		n := name(&list[i])
		short, _, _ := strings.Cut(n, " [")
		if strings.EqualFold(n, wanted) || strings.EqualFold(short, wanted) {
			return &list[i], nil
		}
		names = append(names, n)
	}
	return nil, fmt.Errorf("%q is no %s; known are %s", wanted, what, strings.Join(names, ", "))
}

// Digits reads hexadecimal digits, with or without 0x in front of them.
func Digits(s string) ([]byte, error) {
	digits := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(s), "0x"), "0X")
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fmt.Errorf("%q are no bytes in hexadecimal digits", s)
	}
	return b, nil
}
