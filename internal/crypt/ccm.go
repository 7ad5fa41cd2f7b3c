// Package crypt has the ciphers and modes that encrypted protocols use and the standard library lacks. All of it serves
// reading: nothing runs in constant time beyond the comparison of tags, and keys are those of whoever reads.
package crypt

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"slices"
)

var (
	errOpen = errors.New("message authentication failed")
	errSize = errors.New("sizes that the mode does not have")
)

const blockSize = 16

// ccm is counter mode with CBC-MAC (NIST SP 800-38C, RFC 3610).
type ccm struct {
	block      cipher.Block
	nonce, tag int
}

// NewCCM is the mode CCM of a cipher with blocks of 16 bytes: nonces have 7 to 13 bytes, tags 4 to 16, an even number.
// Open and Seal panic on nonces of another length, as those of the standard library do.
func NewCCM(block cipher.Block, nonceSize, tagSize int) (cipher.AEAD, error) {
	if block.BlockSize() != blockSize || nonceSize < 7 || nonceSize > 13 || tagSize < 4 || tagSize > 16 || tagSize%2 != 0 {
		return nil, errSize
	}
	return &ccm{block: block, nonce: nonceSize, tag: tagSize}, nil
}

// NonceSize is the length of nonces.
func (c *ccm) NonceSize() int { return c.nonce }

// Overhead is the length of the tag.
func (c *ccm) Overhead() int { return c.tag }

// Seal encrypts and authenticates.
func (c *ccm) Seal(dst, nonce, plain, extra []byte) []byte {
	c.check(nonce)
	tag := c.authenticate(nonce, plain, extra)
	out := make([]byte, len(plain)+c.tag)
	c.count(nonce, tag[:], out, plain)
	copy(out[len(plain):], tag[:c.tag])
	return append(dst, out...)
}

// Open decrypts and checks the tag.
func (c *ccm) Open(dst, nonce, sealed, extra []byte) ([]byte, error) {
	c.check(nonce)
	if len(sealed) < c.tag || !c.fits(len(sealed)-c.tag) {
		return nil, errOpen
	}
	n := len(sealed) - c.tag
	var tag [blockSize]byte
	copy(tag[:], sealed[n:])
	plain := make([]byte, n)
	c.count(nonce, tag[:], plain, sealed[:n])
	want := c.authenticate(nonce, plain, extra)
	if subtle.ConstantTimeCompare(tag[:c.tag], want[:c.tag]) != 1 {
		return nil, errOpen
	}
	return append(dst, plain...), nil
}

func (c *ccm) check(nonce []byte) {
	if len(nonce) != c.nonce {
		panic("crypt: wrong length of a nonce for CCM")
	}
}

// fits tells whether so many bytes have a length that the nonce leaves room for.
func (c *ccm) fits(n int) bool {
	bits := 8 * (15 - c.nonce)
	return bits >= 63 || uint64(n) < 1<<bits
}

// count encrypts the tag in place, with the counter at zero, and the text with those that follow.
func (c *ccm) count(nonce, tag, dst, src []byte) {
	var iv [blockSize]byte
	iv[0] = byte(14 - c.nonce)
	copy(iv[1:], nonce)
	stream := cipher.NewCTR(c.block, iv[:])
	stream.XORKeyStream(tag, tag)
	stream.XORKeyStream(dst[:len(src)], src)
}

// authenticate is the CBC-MAC of all there is.
func (c *ccm) authenticate(nonce, plain, extra []byte) (x [blockSize]byte) {
	x[0] = byte((c.tag-2)/2<<3 | (14 - c.nonce))
	if len(extra) > 0 {
		x[0] |= 1 << 6
	}
	copy(x[1:], nonce)
	n := uint64(len(plain))
	for i := blockSize - 1; i > c.nonce; i-- {
		x[i] = byte(n)
		n >>= 8
	}
	c.block.Encrypt(x[:], x[:])
	if len(extra) > 0 {
		head := binary.BigEndian.AppendUint16(nil, uint16(len(extra)))
		if len(extra) >= 1<<16-1<<8 {
			head = binary.BigEndian.AppendUint32([]byte{0xff, 0xfe}, uint32(len(extra)))
		}
		c.chain(&x, append(head, extra...))
	}
	c.chain(&x, plain)
	return x
}

// chain goes on with bytes, the last block of which is filled with zero.
func (c *ccm) chain(x *[blockSize]byte, b []byte) {
	for part := range slices.Chunk(b, blockSize) {
		subtle.XORBytes(x[:], x[:], part)
		c.block.Encrypt(x[:], x[:])
	}
}
