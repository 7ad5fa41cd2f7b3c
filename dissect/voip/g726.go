package voip

import "math/bits"

// Sound of ITU-T G.726: differences of 2 to 5 bits, each a sample at 8 kHz. The names of the steps are those of the
// recommendation's section 4.

// A g726Rate is what one of the rates has for the codes without a sign; the others mirror them.
type g726Rate struct {
	levels []int16 // the logarithms of the differences
	wi     []int32 // how the step grows
	fi     []int16 // how fast it does
}

// g726Rates are those of 2, 3, 4 and 5 bits.
var g726Rates = [4]g726Rate{
	{[]int16{116, 365}, []int32{-704, 14048}, []int16{0, 0xe00}},
	{[]int16{-2048, 135, 273, 373}, []int32{-128, 960, 4384, 18624}, []int16{0, 0x200, 0x400, 0xe00}},
	{[]int16{-2048, 4, 135, 213, 273, 323, 373, 425}, []int32{-384, 576, 1312, 2048, 3584, 6336, 11360, 35904},
		[]int16{0, 0, 0, 0x200, 0x200, 0x200, 0x600, 0xe00}},
	{[]int16{-2048, -66, 28, 104, 169, 224, 274, 318, 358, 395, 429, 459, 488, 514, 539, 566},
		[]int32{448, 448, 768, 1248, 1280, 1312, 1856, 3200, 4512, 5728, 7008, 8960, 11456, 14080, 16928, 22272},
		[]int16{0, 0, 0, 0, 0, 0x200, 0x200, 0x200, 0x200, 0x200, 0x400, 0x600, 0x800, 0xa00, 0xc00, 0xc00}},
}

// A g726 is the state of a decoder.
type g726 struct {
	bits       int
	slow, fast int // the scale factors: yl, yu
	dms, dml   int // short and long means of the speed
	ap         int // how much of the fast one counts
	a          [2]int
	b          [6]int
	dq         [6]int // the last differences and samples, as floating point of 11 bits
	sr         [2]int
	pk         [2]int // signs
	tone       bool
}

// float is FLOATA and FLOATB.
func float(magnitude int, negative bool) int {
	exp := bits.Len(uint(magnitude))
	v := 0x20
	if magnitude != 0 {
		v = exp<<6 + magnitude<<6>>exp
	}
	if negative {
		v -= 0x400
	}
	return v
}

// product is FMULT.
func product(an, srn int) int {
	mag := an
	if an <= 0 {
		mag = -an & 0x1fff
	}
	exp, mant := bits.Len(uint(mag))-6, 32
	switch {
	case mag == 0:
	case exp >= 0:
		mant = mag >> exp
	default:
		mant = mag << -exp
	}
	exp += srn>>6&15 - 13
	v := (mant*(srn&63) + 0x30) >> 4
	if exp >= 0 {
		v = v << exp & 0x7fff
	} else {
		v >>= -exp
	}
	if an^srn < 0 {
		return -v
	}
	return v
}

// scale is MIX: the step's size between the slow and the fast factor.
func (x *g726) scale() int {
	if x.ap >= 256 {
		return x.fast
	}
	y := x.slow >> 6
	switch diff := x.fast - y; {
	case diff > 0:
		y += diff * (x.ap >> 2) >> 6
	case diff < 0:
		y += (diff*(x.ap>>2) + 0x3f) >> 6
	}
	return y
}

// sample decodes a code.
func (x *g726) sample(code int) int16 {
	rate, half := &g726Rates[x.bits-2], 1<<(x.bits-1)
	negative, at := code >= half, code
	if negative {
		at = 2*half - 1 - code
	}
	zeros := 0
	for i := range x.b {
		zeros += product(x.b[i]>>2, x.dq[i])
	}
	estimate := (zeros + product(x.a[1]>>2, x.sr[1]) + product(x.a[0]>>2, x.sr[0])) >> 1
	y := x.scale()
	mag := 0
	if log := int(rate.levels[at]) + y>>2; log >= 0 {
		mag = (128 + log&127) << 7 >> (14 - log>>7&15)
	}
	sr := estimate + mag
	if negative {
		sr = estimate - mag
	}
	x.update(y, int(rate.wi[at]), int(rate.fi[at]), mag, negative, sr, sr-estimate+zeros>>1)
	return int16(saturate(sr << 2))
}

// update adapts the step and the predictor to a difference, what it gave, and that without the poles.
func (x *g726) update(y, wi, fi, mag int, negative bool, sr, sez int) {
	change := x.changed(mag)
	x.fast = max(544, min(5120, y+(wi-y)>>5))
	x.slow += x.fast + -x.slow>>6
	x.predictor(change, mag, negative, sez)
	copy(x.dq[1:], x.dq[:5])
	x.dq[0] = float(mag, negative)
	x.sr[1], x.sr[0] = x.sr[0], float(max(sr, -sr)&0x7fff, sr < 0)
	x.tone = !change && x.a[1] < -11776
	x.dms += (fi - x.dms) >> 5
	x.dml += (fi<<2 - x.dml) >> 7
	switch spread := x.dms<<2 - x.dml; {
	case change:
		x.ap = 256
	case y < 1536, x.tone, max(spread, -spread) >= x.dml>>3:
		x.ap += (0x200 - x.ap) >> 4
	default:
		x.ap += -x.ap >> 4
	}
}

// changed is TRANS: whether a tone ends.
func (x *g726) changed(mag int) bool {
	threshold := 31 << 10
	if whole := x.slow >> 15; whole <= 9 {
		threshold = (32 + x.slow>>10&31) << whole
	}
	return x.tone && mag > (threshold+threshold>>1)>>1
}

// predictor adapts poles and zeros.
func (x *g726) predictor(change bool, mag int, negative bool, sez int) {
	pk := 0
	if sez < 0 {
		pk = 1
	}
	defer func() { x.pk = [2]int{pk, x.pk[0]} }()
	if change {
		x.a, x.b = [2]int{}, [6]int{}
		return
	}
	same := pk == x.pk[0]
	a2 := x.a[1] - x.a[1]>>7
	a1 := x.a[0] - x.a[0]>>8
	if sez != 0 {
		f := x.a[0]
		if same {
			f = -f
		}
		switch {
		case f < -8191:
			a2 -= 0x100
		case f > 8191:
			a2 += 0xff
		default:
			a2 += f >> 5
		}
		if pk != x.pk[1] {
			a2 -= 0x80
		} else {
			a2 += 0x80
		}
		a2 = max(-12288, min(12288, a2))
		if same {
			a1 += 192
		} else {
			a1 -= 192
		}
	}
	bound := 15360 - a2
	x.a = [2]int{max(-bound, min(bound, a1)), a2}
	slow := 8
	if x.bits == 5 {
		slow = 9
	}
	for i := range x.b {
		x.b[i] -= x.b[i] >> slow
		switch {
		case mag == 0:
		case negative == (x.dq[i] < 0):
			x.b[i] += 128
		default:
			x.b[i] -= 128
		}
	}
}

// decodeG726 begins a stream of codes of so many bits, the first in a byte's lowest bits (RFC 3551 section 4.5.4), or
// in its highest (AAL2).
func decodeG726(width int, high bool) func() func([]byte) []int16 {
	return func() func([]byte) []int16 {
		x := g726{bits: width, slow: 34816, fast: 544, dq: [6]int{32, 32, 32, 32, 32, 32}, sr: [2]int{32, 32}}
		return func(b []byte) []int16 {
			out, held, n := make([]int16, 0, 8*len(b)/width), 0, 0
			for _, c := range b {
				if high {
					held = held<<8 | int(c)
				} else {
					held |= int(c) << n
				}
				for n += 8; n >= width; {
					n -= width
					code := held & (1<<width - 1)
					if high {
						code = held >> n & (1<<width - 1)
					} else {
						held >>= width
					}
					out = append(out, x.sample(code))
				}
				held &= 1<<n - 1
			}
			return out
		}
	}
}
