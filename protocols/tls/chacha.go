package tls

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"math/bits"
)

// chaCha is the AEAD of RFC 8439: ChaCha20 with Poly1305, for reading only. It is not made to withstand attacks by timing:
// whoever reads a capture has the keys.
type chaCha struct{ key [8]uint32 }

func newChaCha(key []byte) cipher.AEAD {
	c := &chaCha{}
	for i := range c.key {
		c.key[i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	return c
}

func (c *chaCha) NonceSize() int { return 12 }
func (c *chaCha) Overhead() int  { return 16 }

var errTag = errors.New("tls: the tag is wrong")

// Seal is not needed for reading.
func (c *chaCha) Seal(_, _, _, _ []byte) []byte { panic("tls: chaCha only opens") }

// Open decrypts and checks (RFC 8439 section 2.8).
func (c *chaCha) Open(dst, nonce, sealed, extra []byte) ([]byte, error) {
	if len(sealed) < 16 || len(nonce) != 12 {
		return nil, errTag
	}
	text, tag := sealed[:len(sealed)-16], sealed[len(sealed)-16:]
	var block [64]byte
	c.block(&block, nonce, 0)
	var p poly1305
	p.start(block[:32])
	p.padded(extra)
	p.padded(text)
	sizes := binary.LittleEndian.AppendUint64(nil, uint64(len(extra)))
	p.block(binary.LittleEndian.AppendUint64(sizes, uint64(len(text))), 1)
	if got := p.tag(); subtle.ConstantTimeCompare(got[:], tag) != 1 {
		return nil, errTag
	}
	at := len(dst)
	dst = append(dst, text...)
	for n, counter := at, uint32(1); n < len(dst); n, counter = n+64, counter+1 {
		c.block(&block, nonce, counter)
		part := dst[n:min(n+64, len(dst))]
		subtle.XORBytes(part, part, block[:len(part)])
	}
	return dst, nil
}

// block is the ChaCha20 block function (RFC 8439 section 2.3).
func (c *chaCha) block(out *[64]byte, nonce []byte, counter uint32) {
	start := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
	copy(start[4:], c.key[:])
	start[12] = counter
	for i := range 3 {
		start[13+i] = binary.LittleEndian.Uint32(nonce[4*i:])
	}
	x := start
	for range 10 {
		for i := range 4 {
			quarter(&x, i, i+4, i+8, i+12)
		}
		for i := range 4 {
			quarter(&x, i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
		}
	}
	for i := range x {
		binary.LittleEndian.PutUint32(out[4*i:], x[i]+start[i])
	}
}

func quarter(x *[16]uint32, a, b, c, d int) {
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 16)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 12)
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 8)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 7)
}

// poly1305 is the one-time authenticator (RFC 8439 section 2.5): h = (h + block) * r modulo 2^130 - 5.
type poly1305 struct {
	h    [3]uint64
	r, s [2]uint64
}

func (p *poly1305) start(key []byte) {
	le := binary.LittleEndian
	p.r = [2]uint64{le.Uint64(key) & 0x0ffffffc0fffffff, le.Uint64(key[8:]) & 0x0ffffffc0ffffffc}
	p.s = [2]uint64{le.Uint64(key[16:]), le.Uint64(key[24:])}
}

// padded takes bytes as whole blocks, with zeros behind the last.
func (p *poly1305) padded(b []byte) {
	for len(b) >= 16 {
		p.block(b[:16], 1)
		b = b[16:]
	}
	if len(b) > 0 {
		var last [16]byte
		copy(last[:], b)
		p.block(last[:], 1)
	}
}

// block takes 16 bytes and the bit above them.
func (p *poly1305) block(b []byte, high uint64) {
	var c uint64
	p.h[0], c = bits.Add64(p.h[0], binary.LittleEndian.Uint64(b), 0)
	p.h[1], c = bits.Add64(p.h[1], binary.LittleEndian.Uint64(b[8:]), c)
	p.h[2] += high + c
	// The product has four words; r is small enough that nothing is carried beyond.
	m00h, m00 := bits.Mul64(p.h[0], p.r[0])
	m10h, m10 := bits.Mul64(p.h[1], p.r[0])
	m01h, m01 := bits.Mul64(p.h[0], p.r[1])
	m11h, m11 := bits.Mul64(p.h[1], p.r[1])
	m20, m21 := p.h[2]*p.r[0], p.h[2]*p.r[1]
	var t [4]uint64
	t[0] = m00
	t[1], c = bits.Add64(m00h, m10, 0)
	t[2], c = bits.Add64(m10h, m20, c)
	t[3] = c
	t[1], c = bits.Add64(t[1], m01, 0)
	t[2], c = bits.Add64(t[2], m01h, c)
	t[3] += c
	t[2], c = bits.Add64(t[2], m11, 0)
	t[3], _ = bits.Add64(t[3], m11h+m21, c)
	// What is above 2^130 counts five times below: once times four, which lies there already, and once.
	low := [3]uint64{t[0], t[1], t[2] & 3}
	four := [2]uint64{t[2] &^ 3, t[3]}
	one := [2]uint64{t[2]>>2 | t[3]<<62, t[3] >> 2}
	for _, add := range [...][2]uint64{four, one} {
		low[0], c = bits.Add64(low[0], add[0], 0)
		low[1], c = bits.Add64(low[1], add[1], c)
		low[2] += c
	}
	p.h = low
}

// tag is the end: h modulo 2^130 - 5, plus s modulo 2^128.
func (p *poly1305) tag() (out [16]byte) {
	var t [3]uint64
	var b uint64
	t[0], b = bits.Sub64(p.h[0], 0xfffffffffffffffb, 0)
	t[1], b = bits.Sub64(p.h[1], 0xffffffffffffffff, b)
	_, b = bits.Sub64(p.h[2], 3, b)
	if b != 0 {
		t = p.h
	}
	var c uint64
	t[0], c = bits.Add64(t[0], p.s[0], 0)
	t[1], _ = bits.Add64(t[1], p.s[1], c)
	binary.LittleEndian.PutUint64(out[:], t[0])
	binary.LittleEndian.PutUint64(out[8:], t[1])
	return out
}
