package filter

import "remora/dissect"

// A class says what values are: how they are written, compared and counted with.
type class uint8

const (
	classNone class = iota // a label: nothing but its presence
	classUint
	classInt
	classBool
	classFloat
	classIPv4
	classIPv6
	classEther
	classBytes
	classGUID
	classString
	classProtocol
	classTime
	classSpan
)

var classNames = [...]string{"a label", "an unsigned number", "a signed number", "a truth value",
	"a floating-point number", "an IPv4 address", "an IPv6 address",
	"an Ethernet address", "bytes", "a GUID", "text", "a protocol", "a date and time", "a time span"}

// String names the class with its article, for error messages.
func (c class) String() string { return classNames[c] }

var classOfType = [...]class{
	dissect.TypeNone: classNone, dissect.TypeProtocol: classProtocol, dissect.TypeBool: classBool,
	dissect.TypeUint: classUint, dissect.TypeInt: classInt,
	dissect.TypeFloat: classFloat, dissect.TypeIPv4: classIPv4, dissect.TypeIPv6: classIPv6, dissect.TypeEther: classEther,
	dissect.TypeBytes:  classBytes,
	dissect.TypeString: classString, dissect.TypeTime: classTime, dissect.TypeSpan: classSpan,
	dissect.TypeFrame: classUint, dissect.TypeGUID: classGUID,
}

func classOf(t dissect.Type) class { return classOfType[t] }

// What a class takes part in. Values of a numeric class stand in value.n, others in value.b.
func (c class) numeric() bool    { return c == classInt || c == classUint || c == classFloat }
func (c class) integer() bool    { return c == classInt || c == classUint }
func (c class) inNumber() bool   { return c <= classIPv4 || c == classTime || c == classSpan }
func (c class) rowOfBytes() bool { return c == classEther || c == classBytes || c == classGUID }
func (c class) searched() bool {
	return c == classEther || c == classBytes || c == classProtocol || c == classString
}
func (c class) sliced() bool { return c.searched() || c == classIPv4 || c == classIPv6 }
func (c class) masked() bool {
	return c.integer() || c == classIPv4 || c == classIPv6 || c == classEther || c == classBytes
}

// comparable tells whether values of two classes can be compared: those of one family can.
func (c class) comparable(d class) bool {
	return c == d && c != classNone || c.rowOfBytes() && d.rowOfBytes() || c.integer() && d.integer()
}

// takes tells whether a class takes an arithmetic operator, the scalars behind spans and the spans behind times left
// aside.
func (c class) takes(op Op) bool {
	switch op {
	case "&":
		return c.masked()
	case "%":
		return c.integer()
	case "*", "/":
		return c.numeric() || c == classSpan
	case OpNeg:
		return c.numeric() || c == classSpan
	}
	return c.numeric() || c == classSpan || c == classTime
}
