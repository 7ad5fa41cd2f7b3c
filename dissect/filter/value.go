package filter

import (
	"bytes"
	"cmp"
	"math"
)

// A value is what the sides of a comparison are made of: a number in n (unsigned, signed, the bits of a float,
// nanoseconds, an IPv4 address) or bytes in b. bits is the length of an address's prefix. The bytes of a protocol go on
// to the end of what it carries, for contains and matches; n is how many are its own.
type value struct {
	n     uint64
	b     []byte
	bits  uint8
	class class
}

// own is the value's bytes without what a protocol carries.
func (v value) own() []byte {
	if v.class == classProtocol && v.n < uint64(len(v.b)) {
		return v.b[:v.n]
	}
	return v.b
}

// empty tells whether nothing was left of bytes that were sliced: no expression matches them.
func (v value) empty() bool { return v.class == classBytes && len(v.b) == 0 }

// compare orders two values of a family. Addresses are compared under the shorter of their prefixes.
func (c class) compare(a, b value) int {
	switch c {
	case classUint, classBool:
		return cmp.Compare(a.n, b.n)
	case classInt, classTime, classSpan:
		return cmp.Compare(int64(a.n), int64(b.n))
	case classFloat:
		return cmp.Compare(math.Float64frombits(a.n), math.Float64frombits(b.n))
	case classIPv4:
		shift := 32 - min(a.bits, b.bits)
		return cmp.Compare(a.n>>shift, b.n>>shift)
	case classIPv6:
		return comparePrefix(a.b, b.b, int(min(a.bits, b.bits)))
	case classProtocol, classBytes: // longer ones come behind
		if d := cmp.Compare(len(a.own()), len(b.own())); d != 0 {
			return d
		}
	}
	return bytes.Compare(a.own(), b.own())
}

func comparePrefix(a, b []byte, bits int) int {
	if len(a) < 16 || len(b) < 16 {
		return bytes.Compare(a, b)
	}
	whole := bits / 8
	if d := bytes.Compare(a[:whole], b[:whole]); d != 0 || bits%8 == 0 {
		return d
	}
	shift := 8 - bits%8
	return cmp.Compare(a[whole]>>shift, b[whole]>>shift)
}

// holds tells whether a comparison's outcome is what the operator asks for.
func holds(op Op, order int) bool {
	switch op {
	case "==", "===":
		return order == 0
	case "!=", "!==":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// related is a relation of two values of the class's family.
func (c class) related(op Op, a, b value) bool {
	if op == "contains" {
		return len(b.b) > 0 && bytes.Contains(a.b, b.own())
	}
	if c == classFloat && (isNaN(a) || isNaN(b)) {
		return op == "!=" || op == "!=="
	}
	return holds(op, c.compare(a, b))
}

func isNaN(v value) bool { x := math.Float64frombits(v.n); return x != x }

// comparison is the test of a value against one literal of its class. Comparing numbers is most of what filters do.
func (c class) comparison(op Op, want value) func(v value) bool {
	if quick := c.quick(op, want); quick != nil {
		return func(v value) bool { return quick(v.n) }
	}
	return func(v value) bool { return c.related(op, v, want) }
}

// quick is comparison for plain numbers and IPv4 addresses; nil for others.
func (c class) quick(op Op, want value) func(n uint64) bool {
	n, lo := want.n, uint64(0)
	if c == classIPv4 {
		lo = 32 - uint64(want.bits)
		n >>= lo
	} else if c != classUint && c != classBool {
		return nil
	}
	switch op {
	case "==", "===":
		if lo == 0 {
			return func(v uint64) bool { return v == n }
		}
		return func(v uint64) bool { return v>>lo == n }
	case "!=", "!==":
		return func(v uint64) bool { return v>>lo != n }
	case "<":
		return func(v uint64) bool { return v>>lo < n }
	case "<=":
		return func(v uint64) bool { return v>>lo <= n }
	case ">":
		return func(v uint64) bool { return v>>lo > n }
	case ">=":
		return func(v uint64) bool { return v>>lo >= n }
	}
	return nil
}

// cut takes the spans of b up to the first that lies outside, as Wireshark does. Several are joined in the arena.
func (e *eval) cut(b []byte, spans []span) []byte {
	start := len(e.arena)
	for _, s := range spans {
		from, to, ok := s.within(len(b))
		if !ok {
			break
		}
		if len(spans) == 1 {
			return b[from:to]
		}
		e.arena = append(e.arena, b[from:to]...)
	}
	return e.arena[start:len(e.arena):len(e.arena)]
}
