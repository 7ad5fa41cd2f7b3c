package filter

import (
	"bytes"
	"cmp"
	"math"

	"remora/dissect"
)

// A value is what two sides of a comparison are made of: a number in n (unsigned, signed or float bits by the class) or
// bytes in b. bits is the prefix length of an address literal.
type value struct {
	n    uint64
	b    []byte
	bits int
}

// A class says how values are compared.
type class uint8

const (
	classUint class = iota
	classInt
	classFloat
	classIPv4
	classIPv6
	classBytes
	classString
	classProtocol
	classNone
)

func classOf(t dissect.Type) class {
	switch t {
	case dissect.TypeUint, dissect.TypeBool, dissect.TypeFrame:
		return classUint
	case dissect.TypeInt, dissect.TypeTime, dissect.TypeSpan:
		return classInt
	case dissect.TypeFloat:
		return classFloat
	case dissect.TypeIPv4:
		return classIPv4
	case dissect.TypeIPv6:
		return classIPv6
	case dissect.TypeEther, dissect.TypeBytes, dissect.TypeGUID:
		return classBytes
	case dissect.TypeString:
		return classString
	case dissect.TypeProtocol:
		return classProtocol
	}
	return classNone
}

// compare orders two values of a class. Addresses are compared under the shorter of their prefixes.
func (c class) compare(a, b value) int {
	switch c {
	case classUint:
		return cmp.Compare(a.n, b.n)
	case classInt:
		return cmp.Compare(int64(a.n), int64(b.n))
	case classFloat:
		return cmp.Compare(math.Float64frombits(a.n), math.Float64frombits(b.n))
	case classIPv4:
		shift := 32 - min(a.bits, b.bits)
		return cmp.Compare(a.n>>shift, b.n>>shift)
	case classIPv6:
		return comparePrefix(a.b, b.b, min(a.bits, b.bits))
	case classProtocol:
		if d := cmp.Compare(len(a.b), len(b.b)); d != 0 {
			return d
		}
	}
	return bytes.Compare(a.b, b.b)
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
func holds(op string, order int) bool {
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

// comparison is the test of a value against one literal. Comparing numbers is most of what filters do.
func (c class) comparison(op string, want value) func(v value) bool {
	if c == classUint {
		switch op {
		case "==", "===":
			return func(v value) bool { return v.n == want.n }
		case "!=", "!==":
			return func(v value) bool { return v.n != want.n }
		}
	}
	return func(v value) bool { return holds(op, c.compare(v, want)) }
}

// A span is one range of a slice; to is -1 for the end. Negative starts count from the end.
type span struct{ from, length int } // length -1: to the end

// cut takes the spans of b, or reports that one lies outside.
func cut(b []byte, spans []span) ([]byte, bool) {
	var out []byte
	for k, s := range spans {
		from := s.from
		if from < 0 {
			from += len(b)
		}
		to := from + s.length
		if s.length < 0 {
			to = len(b)
		}
		if from < 0 || to > len(b) || from >= to {
			return nil, false
		}
		if len(spans) == 1 {
			return b[from:to], true
		}
		if k == 0 {
			out = make([]byte, 0, to-from)
		}
		out = append(out, b[from:to]...)
	}
	return out, true
}

// An operand is a field as one side of a comparison, with the slice or function around it.
type operand struct {
	ids    []dissect.FieldID
	fields []*dissect.Field
	class  class
	spans  [][]span // slices of slices, innermost first
	call   string   // len, count, lower, upper or ""
	plain  bool     // numbers of the class uint, int or float, taken as they stand in the nodes
	pos    int
	end    int
}

func (o *operand) has(id dissect.FieldID) bool {
	for _, x := range o.ids {
		if x == id {
			return true
		}
	}
	return false
}

// numbers tells whether all values are numbers that need no more than their nodes.
func (o *operand) numbers() bool {
	for _, f := range o.fields {
		if cl := classOf(f.Type()); cl != classUint && cl != classInt && cl != classFloat {
			return false
		}
	}
	return len(o.spans) == 0 && o.call == ""
}

// read is the value of node i, or false when a slice of it lies outside.
func (o *operand) read(t *dissect.Tree, i int) (value, bool) {
	n := &t.Nodes[i]
	if o.plain {
		return value{n: n.Val}, true
	}
	base := classOf(t.Field(i).Type())
	if len(o.spans) == 0 && o.call == "" {
		switch base {
		case classUint, classInt, classFloat:
			return value{n: n.Val}, true
		case classIPv4:
			return value{n: n.Val, bits: 32}, true
		}
	}
	v := value{bits: 128}
	switch base {
	case classString:
		v.b = t.TextBytes(i)
	case classProtocol, classUint, classInt, classFloat, classIPv4:
		v.b = t.Raw(i)
	default:
		v.b = t.Bytes(i)
	}
	switch o.call {
	case "len":
		return value{n: uint64(len(v.b))}, true
	case "lower":
		v.b = bytes.ToLower(v.b)
	case "upper":
		v.b = bytes.ToUpper(v.b)
	}
	for _, s := range o.spans {
		b, ok := cut(v.b, s)
		if !ok {
			return value{}, false
		}
		v.b = b
	}
	return v, true
}
