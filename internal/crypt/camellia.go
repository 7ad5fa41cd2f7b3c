package crypt

import (
	"crypto/cipher"
	"encoding/binary"
	"math/bits"
)

// camellia is the cipher of RFC 3713.
type camellia struct {
	white [4]uint64 // kw of the RFC
	round []uint64  // k
	layer []uint64  // ke
}

// NewCamellia is the cipher Camellia with a key of 16, 24 or 32 bytes.
func NewCamellia(key []byte) (cipher.Block, error) {
	var l, r pair
	switch len(key) {
	case 16:
		l = pairOf(key)
	case 24:
		l = pairOf(key)
		right := binary.BigEndian.Uint64(key[16:])
		r = pair{right, ^right}
	case 32:
		l, r = pairOf(key), pairOf(key[16:])
	default:
		return nil, errSize
	}
	a := pair{l[0] ^ r[0], l[1] ^ r[1]}
	a[1] ^= camelliaF(a[0], 0xA09E667F3BCC908B)
	a[0] ^= camelliaF(a[1], 0xB67AE8584CAA73B2)
	a = pair{a[0] ^ l[0], a[1] ^ l[1]}
	a[1] ^= camelliaF(a[0], 0xC6EF372FE94F82BE)
	a[0] ^= camelliaF(a[1], 0x54FF53A5F1D36F1C)
	if len(key) == 16 {
		return camelliaShort(l, a), nil
	}
	b := pair{a[0] ^ r[0], a[1] ^ r[1]}
	b[1] ^= camelliaF(b[0], 0x10E527FADE682D1D)
	b[0] ^= camelliaF(b[1], 0xB05688C2B3E6C1FD)
	return camelliaLong(l, r, a, b), nil
}

// A pair is 128 bits.
type pair [2]uint64

func pairOf(b []byte) pair { return pair{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])} }

// turn rotates to the left.
func (p pair) turn(n int) pair {
	if n >= 64 {
		p, n = pair{p[1], p[0]}, n-64
	}
	if n == 0 {
		return p
	}
	return pair{p[0]<<n | p[1]>>(64-n), p[1]<<n | p[0]>>(64-n)}
}

// camelliaShort lays out the keys of 18 rounds (section 2.2).
func camelliaShort(l, a pair) *camellia {
	c := &camellia{white: whites(l, a.turn(111))}
	for _, p := range []pair{a, l.turn(15), a.turn(15), l.turn(45), {a.turn(45)[0], l.turn(60)[1]}, a.turn(60), l.turn(94),
		a.turn(94), l.turn(111)} {
		c.round = append(c.round, p[0], p[1])
	}
	for _, p := range []pair{a.turn(30), l.turn(77)} {
		c.layer = append(c.layer, p[0], p[1])
	}
	return c
}

// camelliaLong lays out the keys of 24 rounds.
func camelliaLong(l, r, a, b pair) *camellia {
	c := &camellia{white: whites(l, b.turn(111))}
	for _, p := range []pair{b, r.turn(15), a.turn(15), b.turn(30), l.turn(45), a.turn(45), r.turn(60), b.turn(60),
		l.turn(77), r.turn(94), a.turn(94), l.turn(111)} {
		c.round = append(c.round, p[0], p[1])
	}
	for _, p := range []pair{r.turn(30), l.turn(60), a.turn(77)} {
		c.layer = append(c.layer, p[0], p[1])
	}
	return c
}

func whites(before, behind pair) [4]uint64 {
	return [4]uint64{before[0], before[1], behind[0], behind[1]}
}

// BlockSize is the length of a block.
func (c *camellia) BlockSize() int { return blockSize }

// Encrypt encrypts a block.
func (c *camellia) Encrypt(dst, src []byte) {
	d := pairOf(src)
	d[0], d[1] = d[0]^c.white[0], d[1]^c.white[1]
	for i := range c.round {
		if i > 0 && i%6 == 0 {
			d[0], d[1] = camelliaFL(d[0], c.layer[i/3-2]), camelliaInverse(d[1], c.layer[i/3-1])
		}
		d[1-i&1] ^= camelliaF(d[i&1], c.round[i])
	}
	binary.BigEndian.PutUint64(dst, d[1]^c.white[2])
	binary.BigEndian.PutUint64(dst[8:], d[0]^c.white[3])
}

// Decrypt decrypts a block: the keys the other way round.
func (c *camellia) Decrypt(dst, src []byte) {
	d := pairOf(src)
	d[1], d[0] = d[0]^c.white[2], d[1]^c.white[3]
	for i := len(c.round) - 1; i >= 0; i-- {
		d[1-i&1] ^= camelliaF(d[i&1], c.round[i])
		if i > 0 && i%6 == 0 {
			d[0], d[1] = camelliaInverse(d[0], c.layer[i/3-2]), camelliaFL(d[1], c.layer[i/3-1])
		}
	}
	binary.BigEndian.PutUint64(dst, d[0]^c.white[0])
	binary.BigEndian.PutUint64(dst[8:], d[1]^c.white[1])
}

// camelliaF is the function of a round (section 2.4.1).
func camelliaF(in, key uint64) uint64 {
	x := in ^ key
	s := func(shift, in, out int) uint64 {
		return uint64(bits.RotateLeft8(camelliaBox[bits.RotateLeft8(byte(x>>shift), in)], out))
	}
	t1, t2, t3, t4 := s(56, 0, 0), s(48, 0, 1), s(40, 0, 7), s(32, 1, 0)
	t5, t6, t7, t8 := s(24, 0, 1), s(16, 0, 7), s(8, 1, 0), s(0, 0, 0)
	y1, y2 := t1^t3^t4^t6^t7^t8, t1^t2^t4^t5^t7^t8
	y3, y4 := t1^t2^t3^t5^t6^t8, t2^t3^t4^t5^t6^t7
	y5, y6 := t1^t2^t6^t7^t8, t2^t3^t5^t7^t8
	y7, y8 := t3^t4^t5^t6^t8, t1^t4^t5^t6^t7
	return y1<<56 | y2<<48 | y3<<40 | y4<<32 | y5<<24 | y6<<16 | y7<<8 | y8
}

func camelliaFL(in, key uint64) uint64 {
	l, r := uint32(in>>32), uint32(in)
	r ^= bits.RotateLeft32(l&uint32(key>>32), 1)
	l ^= r | uint32(key)
	return uint64(l)<<32 | uint64(r)
}

func camelliaInverse(in, key uint64) uint64 {
	l, r := uint32(in>>32), uint32(in)
	l ^= r | uint32(key)
	r ^= bits.RotateLeft32(l&uint32(key>>32), 1)
	return uint64(l)<<32 | uint64(r)
}

// camelliaBox is SBOX1; the other three are it with bytes turned.
var camelliaBox = [256]byte{
	112, 130, 44, 236, 179, 39, 192, 229, 228, 133, 87, 53, 234, 12, 174, 65,
	35, 239, 107, 147, 69, 25, 165, 33, 237, 14, 79, 78, 29, 101, 146, 189,
	134, 184, 175, 143, 124, 235, 31, 206, 62, 48, 220, 95, 94, 197, 11, 26,
	166, 225, 57, 202, 213, 71, 93, 61, 217, 1, 90, 214, 81, 86, 108, 77,
	139, 13, 154, 102, 251, 204, 176, 45, 116, 18, 43, 32, 240, 177, 132, 153,
	223, 76, 203, 194, 52, 126, 118, 5, 109, 183, 169, 49, 209, 23, 4, 215,
	20, 88, 58, 97, 222, 27, 17, 28, 50, 15, 156, 22, 83, 24, 242, 34,
	254, 68, 207, 178, 195, 181, 122, 145, 36, 8, 232, 168, 96, 252, 105, 80,
	170, 208, 160, 125, 161, 137, 98, 151, 84, 91, 30, 149, 224, 255, 100, 210,
	16, 196, 0, 72, 163, 247, 117, 219, 138, 3, 230, 218, 9, 63, 221, 148,
	135, 92, 131, 2, 205, 74, 144, 51, 115, 103, 246, 243, 157, 127, 191, 226,
	82, 155, 216, 38, 200, 55, 198, 59, 129, 150, 111, 75, 19, 190, 99, 46,
	233, 121, 167, 140, 159, 110, 188, 142, 41, 245, 249, 182, 47, 253, 180, 89,
	120, 152, 6, 106, 231, 70, 113, 186, 212, 37, 171, 66, 136, 162, 141, 250,
	114, 7, 185, 85, 248, 238, 172, 10, 54, 73, 42, 104, 60, 56, 241, 164,
	64, 40, 211, 123, 187, 201, 67, 193, 21, 227, 173, 244, 119, 199, 128, 158,
}
