package crypt

import (
	"crypto/cipher"
	"crypto/subtle"
)

// shortGCM is GCM with nonces of 12 bytes and tags shorter than the standard library takes.
type shortGCM struct {
	cipher.AEAD
	block cipher.Block
	tag   int
}

// NewGCM is the mode GCM of a cipher with blocks of 16 bytes, with nonces of 12 bytes and tags of 4 to 16.
func NewGCM(block cipher.Block, tagSize int) (cipher.AEAD, error) {
	if tagSize < 4 || tagSize > blockSize {
		return nil, errSize
	}
	whole, err := cipher.NewGCM(block)
	if err != nil || tagSize == blockSize {
		return whole, err
	}
	return &shortGCM{AEAD: whole, block: block, tag: tagSize}, nil
}

// Overhead is the length of the tag.
func (g *shortGCM) Overhead() int { return g.tag }

// Seal encrypts and authenticates.
func (g *shortGCM) Seal(dst, nonce, plain, extra []byte) []byte {
	out := g.AEAD.Seal(dst, nonce, plain, extra)
	return out[:len(out)-blockSize+g.tag]
}

// Open decrypts, seals what came out and compares the tags.
func (g *shortGCM) Open(dst, nonce, sealed, extra []byte) ([]byte, error) {
	if len(sealed) < g.tag {
		return nil, errOpen
	}
	if len(nonce) != g.NonceSize() {
		panic("crypt: wrong length of a nonce for GCM")
	}
	plain := make([]byte, len(sealed)-g.tag)
	iv := [blockSize]byte{blockSize - 1: 2} // the counter of the first block; 1 is that of the tag
	copy(iv[:], nonce)
	cipher.NewCTR(g.block, iv[:]).XORKeyStream(plain, sealed[:len(plain)])
	if subtle.ConstantTimeCompare(g.Seal(nil, nonce, plain, extra), sealed) != 1 {
		return nil, errOpen
	}
	return append(dst, plain...), nil
}
