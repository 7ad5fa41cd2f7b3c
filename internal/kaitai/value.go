package kaitai

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// A Kind is what sort of value a Value is.
type Kind uint8

// The kinds. Uint holds the whole numbers above the largest int64 alone, so that a number has one kind.
const (
	Null Kind = iota
	Int
	Uint
	Float
	Bool
	Enum
	Str
	Bytes
	List
	Struct
	IO
)

var kindNames = [...]string{"null", "integer", "integer", "float", "boolean", "enum", "string", "byte array", "array",
	"object", "stream"}

// String names the kind as the language does.
func (k Kind) String() string { return kindNames[k] }

// A Value is a field's value, or an expression's.
type Value struct {
	Kind Kind
	n    int64
	ref  any
}

// An Array is the values of a repeated field and where each stood; those of an expression stood nowhere.
type Array struct {
	Elems []Value
	Spans []Span
}

// A Label is a number of an enum: the enum and, where it has one, the name.
type Label struct {
	Of   *EnumDef
	Name string // empty for a number that the enum does not name
	Doc  string
	num  Value
}

func intValue(n int64) Value { return Value{Kind: Int, n: n} }

func uintValue(n uint64) Value {
	if n > math.MaxInt64 {
		return Value{Kind: Uint, n: int64(n)}
	}
	return Value{Kind: Int, n: int64(n)}
}

func floatValue(f float64) Value { return Value{Kind: Float, n: int64(math.Float64bits(f))} }

func boolValue(b bool) Value {
	if b {
		return Value{Kind: Bool, n: 1}
	}
	return Value{Kind: Bool}
}

func strValue(s string) Value      { return Value{Kind: Str, ref: s} }
func bytesValue(b []byte) Value    { return Value{Kind: Bytes, ref: b} }
func listValue(a *Array) Value     { return Value{Kind: List, ref: a} }
func structValue(o *Object) Value  { return Value{Kind: Struct, ref: o} }
func labelValue(l *Label) Value    { return Value{Kind: Enum, n: l.num.n, ref: l} }
func streamValue(io *Stream) Value { return Value{Kind: IO, ref: io} }
func (v Value) isNumber() bool     { return v.Kind == Int || v.Kind == Uint || v.Kind == Float }
func (v Value) isInteger() bool    { return v.Kind == Int || v.Kind == Uint }
func (v Value) stream() *Stream    { return v.ref.(*Stream) }
func (v Value) flag() bool         { return v.n != 0 }
func (v Value) number() (Value, bool) {
	switch v.Kind {
	case Int, Uint, Float:
		return v, true
	case Enum:
		return v.Label().num, true
	}
	return v, false
}

// Uint64 is the bits of an integer, of an enum's number, or of a boolean.
func (v Value) Uint64() uint64 { return uint64(v.n) }

// Int64 is an integer; one of kind Uint becomes negative.
func (v Value) Int64() int64 { return v.n }

// Float64 is a number as a floating-point one.
func (v Value) Float64() float64 {
	switch v.Kind {
	case Float:
		return math.Float64frombits(uint64(v.n))
	case Uint:
		return float64(uint64(v.n))
	}
	return float64(v.n)
}

// Text is a string.
func (v Value) Text() string { s, _ := v.ref.(string); return s }

// Raw is a byte array.
func (v Value) Raw() []byte { b, _ := v.ref.([]byte); return b }

// Array is an array.
func (v Value) Array() *Array { a, _ := v.ref.(*Array); return a }

// Object is an object.
func (v Value) Object() *Object { o, _ := v.ref.(*Object); return o }

// Label is an enum's value.
func (v Value) Label() *Label { l, _ := v.ref.(*Label); return l }

// Number is the number of an enum's value.
func (l *Label) Number() Value { return l.num }

// String is the value as text, for messages and for f-strings.
func (v Value) String() string {
	switch v.Kind {
	case Int:
		return strconv.FormatInt(v.n, 10)
	case Uint:
		return strconv.FormatUint(uint64(v.n), 10)
	case Float:
		return strconv.FormatFloat(v.Float64(), 'g', -1, 64)
	case Bool:
		return strconv.FormatBool(v.flag())
	case Enum:
		if l := v.Label(); l.Name != "" {
			return l.Name
		}
		return v.Label().num.String()
	case Str:
		return v.Text()
	case Bytes:
		return fmt.Sprintf("% x", v.Raw())
	case List:
		return fmt.Sprintf("%d elements", len(v.Array().Elems))
	case Struct:
		return v.Object().Type.Name
	}
	return v.Kind.String()
}

// wide is an integer of any size.
func (v Value) wide() *big.Int {
	if v.Kind == Uint {
		return new(big.Int).SetUint64(uint64(v.n))
	}
	return big.NewInt(v.n)
}

// narrow is a number of at most 64 bits again. What does not fit wraps, as it does in the languages that Kaitai
// compiles to.
func narrow(n *big.Int) Value {
	switch {
	case n.IsInt64():
		return intValue(n.Int64())
	case n.IsUint64():
		return uintValue(n.Uint64())
	}
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)) // of a negative one as if in two's complement
	if n.Sign() < 0 {
		return intValue(int64(low.Uint64()))
	}
	return uintValue(low.Uint64())
}
