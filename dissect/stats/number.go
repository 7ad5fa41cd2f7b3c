package stats

import (
	"math"

	"remora/dissect"
)

// Numeric tells whether the values of a field can be added and compared: numbers, and times between packets.
func Numeric(f *dissect.Field) bool {
	switch f.Type() {
	case dissect.TypeUint, dissect.TypeInt, dissect.TypeFloat, dissect.TypeSpan:
		return true
	}
	return false
}

// Number is a field's value as a number: of a node, a span of time in nanoseconds.
func Number(f *dissect.Field, v uint64) float64 {
	switch f.Type() {
	case dissect.TypeInt, dissect.TypeSpan:
		return float64(int64(v))
	case dissect.TypeFloat:
		return math.Float64frombits(v)
	}
	return float64(v)
}

// Plottable tells whether a field's values are numbers.
func Plottable(f *dissect.Field) bool {
	switch f.Type() {
	case dissect.TypeUint, dissect.TypeInt, dissect.TypeFloat, dissect.TypeBool, dissect.TypeSpan:
		return true
	}
	return false
}
