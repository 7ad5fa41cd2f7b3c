package crypt

import (
	"encoding/binary"
	"math/bits"
)

// An element is a number modulo 2^255-19 in limbs of 51 bits.
type element [5]uint64

const limb = 1<<51 - 1

// X25519 is the scalar multiplication on Curve25519 (RFC 7748): the secret of a private and a public key. It is nil
// where the sizes are wrong, and where the point has a small order. It takes different times for different keys, as the
// reader of a capture may; crypto/ecdh has the same and 150 kB of another curve's tables.
func X25519(private, public []byte) []byte {
	if len(private) != 32 || len(public) != 32 {
		return nil
	}
	scalar := [32]byte(private)
	scalar[0] &= 248
	scalar[31] = scalar[31]&127 | 64
	x1 := elementOf(public)
	x2, z2, x3, z3 := element{1}, element{}, x1, element{1}
	for t := 254; t >= 0; t-- {
		bit := scalar[t/8]>>(t%8)&1 == 1
		if bit {
			x2, x3, z2, z3 = x3, x2, z3, z2
		}
		a, b := x2.plus(z2), x2.minus(z2)
		aa, bb := a.times(a), b.times(b)
		e := aa.minus(bb)
		da, cb := x3.minus(z3).times(a), x3.plus(z3).times(b)
		sum, difference := da.plus(cb), da.minus(cb)
		x3 = sum.times(sum)
		z3 = x1.times(difference.times(difference))
		x2 = aa.times(bb)
		z2 = e.times(aa.plus(e.times(element{121665})))
		if bit {
			x2, x3, z2, z3 = x3, x2, z3, z2
		}
	}
	out := x2.times(z2.inverse()).bytes()
	if out == [32]byte{} {
		return nil
	}
	return out[:]
}

// X25519Public is the public key of a private one, or nil.
func X25519Public(private []byte) []byte {
	return X25519(private, append([]byte{9}, make([]byte, 31)...))
}

func elementOf(b []byte) element {
	at := func(i, shift int) uint64 { return binary.LittleEndian.Uint64(b[i:]) >> shift & limb }
	return element{at(0, 0), at(6, 3), at(12, 6), at(19, 1), at(24, 12)}
}

func (a element) plus(b element) element {
	for i := range a {
		a[i] += b[i]
	}
	return a.carried()
}

// minus adds twice the modulus, so that no limb is less than zero.
func (a element) minus(b element) element {
	const low, high = 2 * (limb - 18), 2 * limb
	for i := range a {
		a[i] += high - b[i]
	}
	a[0] -= high - low
	return a.carried()
}

// carried has limbs of 51 bits, but for some too much in the first.
func (a element) carried() element {
	over := a[4] >> 51
	for i := 4; i > 0; i-- {
		a[i] = a[i]&limb + a[i-1]>>51
	}
	a[0] = a[0]&limb + over*19
	return a
}

func (a element) times(b element) (out element) {
	var high, low [5]uint64
	for i, x := range a {
		for j, y := range b {
			k := i + j
			if k > 4 {
				k, y = k-5, y*19
			}
			h, l := bits.Mul64(x, y)
			var carry uint64
			low[k], carry = bits.Add64(low[k], l, 0)
			high[k] += h + carry
		}
	}
	var over uint64
	for k := range out {
		var carry uint64
		low[k], carry = bits.Add64(low[k], over, 0)
		high[k] += carry
		out[k] = low[k] & limb
		over = high[k]<<13 | low[k]>>51
	}
	out[0] += over * 19
	return out.carried()
}

// inverse is the power of the modulus less two, which is 2^255 - 21.
func (a element) inverse() element {
	out := element{1}
	for i := 254; i >= 0; i-- {
		out = out.times(out)
		if i != 2 && i != 4 { // the bits of -21 that are not set
			out = out.times(a)
		}
	}
	return out
}

// bytes are those of the number below the modulus.
func (a element) bytes() (out [32]byte) {
	a = a.carried().carried()
	over := (a[0] + 19) >> 51
	for _, l := range a[1:] {
		over = (l + over) >> 51
	}
	a[0] += 19 * over
	for i := range 4 {
		a[i+1] += a[i] >> 51
		a[i] &= limb
	}
	a[4] &= limb
	for i, l := range a {
		for n := range 51 {
			if bit := 51*i + n; l>>n&1 == 1 {
				out[bit/8] |= 1 << (bit % 8)
			}
		}
	}
	return out
}
