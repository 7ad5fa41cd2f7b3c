package voip

// Sound of ITU-T G.722 at 64 kbit/s: each byte holds 6 bits of the lower band and 2 of the upper one, which give two
// samples at 16 kHz. The names of the steps are those of the recommendation's section 6.

// Its tables: the logarithms by which steps grow, and the inverse quantizers.
var (
	g722WL  = [8]int{-60, -30, 58, 172, 334, 538, 1198, 3042}
	g722RL  = [16]uint8{0, 7, 6, 5, 4, 3, 2, 1, 7, 6, 5, 4, 3, 2, 1, 0}
	g722WH  = [4]int{798, -214, 798, -214} // by the code itself
	g722QM2 = [4]int{-7408, -1616, 7408, 1616}
	g722QM4 = [16]int{0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0}
	g722QM6 = [32]int{-136, -136, -136, -136, -24808, -21904, -19008, -16704, -14984, -13512, -12280, -11192, -10232,
		-9360, -8576, -7856, -7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032, -1688,
		-1360, -1040, -728} // the codes from 32 on are those from 4 on without the sign, and four more
	g722Last = [4]int{432, 136, -432, -136}
	g722ILB  = [32]int{2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834,
		2896, 2960, 3025, 3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008}
	g722QMF = [12]int{3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11}
)

func saturate(v int) int { return max(-32768, min(32767, v)) }

// A g722Band is the predictor of one band.
type g722Band struct {
	step, log    int // the step's size and its logarithm
	s, zero      int // the prediction, and the part of it that the differences give
	d, b         [7]int
	r, p, a      [3]int
	most, shrink int // the largest logarithm, and how far the step is below it
}

// adapt is LOGSCL and SCALEL, or those of the upper band.
func (x *g722Band) adapt(by int) {
	x.log = max(0, min(x.most, x.log*127>>7+by))
	step := g722ILB[x.log>>6&31]
	if shift := x.shrink - x.log>>11; shift < 0 {
		step <<= -shift
	} else {
		step >>= shift
	}
	x.step = step << 2
}

// sign is -1 for what is below zero, else 0.
func sign(v int) int { return v >> 15 }

// predict is block 4: the poles and zeros follow the difference, and give the next prediction.
func (x *g722Band) predict(diff int) {
	x.d[0], x.r[0], x.p[0] = diff, saturate(x.s+diff), saturate(x.zero+diff)
	a2 := -saturate(x.a[1] << 2)
	a1 := 192
	if sign(x.p[0]) != sign(x.p[1]) {
		a2, a1 = -a2, -192
	}
	a2 = min(a2, 32767) >> 7
	if sign(x.p[0]) == sign(x.p[2]) {
		a2 += 128
	} else {
		a2 -= 128
	}
	a2 = max(-12288, min(12288, a2+x.a[2]*32512>>15))
	bound := saturate(15360 - a2)
	a1 = max(-bound, min(bound, saturate(a1+x.a[1]*32640>>15)))
	by := 128
	if diff == 0 {
		by = 0
	}
	zero := 0
	for i := 6; i > 0; i-- {
		step := by
		if sign(x.d[i]) != sign(diff) {
			step = -by
		}
		x.b[i] = saturate(step + x.b[i]*32640>>15)
	}
	copy(x.d[1:], x.d[:6])
	for i := 6; i > 0; i-- {
		zero = saturate(zero + x.b[i]*saturate(2*x.d[i])>>15)
	}
	x.r[2], x.r[1], x.p[2], x.p[1], x.a[2], x.a[1] = x.r[1], x.r[0], x.p[1], x.p[0], a2, a1
	x.zero = zero
	x.s = saturate(saturate(a1*saturate(2*x.r[1])>>15+a2*saturate(2*x.r[2])>>15) + zero)
}

// limit is LIMIT: the bands have 15 bits.
func limit(v int) int { return max(-16384, min(16383, v)) }

// decodeG722 begins a stream.
func decodeG722() func([]byte) []int16 {
	low := g722Band{step: 32, most: 18432, shrink: 8}
	high := g722Band{step: 8, most: 22528, shrink: 10}
	var past [24]int
	return func(b []byte) []int16 {
		out := make([]int16, 0, 2*len(b))
		for _, c := range b {
			at, upper := int(c&63), c>>6
			six := 0
			switch {
			case at >= 60:
				six = g722Last[at-60]
			case at >= 32:
				six = -g722QM6[at-28]
			default:
				six = g722QM6[at]
			}
			four := at >> 2
			l := limit(low.s + low.step*six>>15)
			diff := low.step * g722QM4[four] >> 15
			low.adapt(g722WL[g722RL[four]])
			low.predict(diff)
			diff = high.step * g722QM2[upper] >> 15
			h := limit(high.s + diff)
			high.adapt(g722WH[upper])
			high.predict(diff)
			copy(past[:], past[2:])
			past[22], past[23] = l+h, l-h
			var odd, even int
			for i, f := range g722QMF {
				even += past[2*i] * f
				odd += past[2*i+1] * g722QMF[11-i]
			}
			out = append(out, int16(saturate(odd>>11)), int16(saturate(even>>11)))
		}
		return out
	}
}
