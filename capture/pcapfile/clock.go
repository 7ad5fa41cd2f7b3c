package pcapfile

import (
	"math"
	"math/bits"
)

// A clock turns the time stamps of one interface into nanoseconds since 1970.
type clock struct {
	mul, div uint64 // for powers of ten: units × mul ÷ div nanoseconds; one of them is 1
	shift    uint   // for powers of two: units are 2^-shift seconds
	binary   bool
	offset   int64 // nanoseconds to add
}

const second = 1_000_000_000

// newClock reads pcapng's if_tsresol and if_tsoffset (seconds).
func newClock(resolution byte, offset int64) clock {
	c := clock{mul: 1, div: 1, offset: saturate(offset)}
	n := uint(resolution & 0x7F)
	switch {
	case resolution&0x80 != 0:
		c.binary, c.shift = true, n
	case n <= 9:
		c.mul = pow10(9 - n)
	case n-9 <= 19:
		c.div = pow10(n - 9)
	default: // finer than 64 bits can count: every stamp is less than a nanosecond
		c.div, c.mul = 1, 0
	}
	return c
}

// nanos converts a time stamp; what does not fit is pinned to the ends of the scale.
func (c *clock) nanos(units uint64) int64 {
	var ns uint64
	switch {
	case c.binary:
		hi, lo := bits.Mul64(units, second)
		switch {
		case c.shift >= 64:
			ns = hi >> (c.shift - 64)
		case hi>>c.shift != 0:
			ns = math.MaxUint64
		default:
			ns = hi<<(64-c.shift) | lo>>c.shift
		}
	case c.div != 1:
		ns = units / c.div
	default:
		hi, lo := bits.Mul64(units, c.mul)
		ns = lo
		if hi != 0 {
			ns = math.MaxUint64
		}
	}
	return addSaturating(int64(min(ns, math.MaxInt64)), c.offset)
}

// saturate turns seconds into nanoseconds.
func saturate(seconds int64) int64 {
	switch {
	case seconds > math.MaxInt64/second:
		return math.MaxInt64
	case seconds < math.MinInt64/second:
		return math.MinInt64
	}
	return seconds * second
}

// addSaturating adds b to a, which is not negative.
func addSaturating(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func pow10(n uint) uint64 {
	p := uint64(1)
	for ; n > 0; n-- {
		p *= 10
	}
	return p
}
