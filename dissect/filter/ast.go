package filter

// An Op says what a node of a parsed filter is. Relations and arithmetic are called by their sign.
type Op string

// The nodes that no sign stands for.
const (
	OpExists  Op = "exists"  // a term alone: is it there, is it not zero
	OpIn      Op = "in"      // membership in Set
	OpWord    Op = "word"    // a field if there is one of that name, otherwise a literal
	OpField   Op = "field"   // a name with a dot in front: always a field
	OpLiteral Op = "literal" // an address or bytes: never a field
	OpString  Op = "string"
	OpChar    Op = "char"
	OpSlice   Op = "slice" // Spans of Args[0]
	OpCall    Op = "call"  // the function Text of Args
	OpRef     Op = "ref"   // ${...}: the field Args[0] of the selected packet
	OpRaw     Op = "raw"   // @: the bytes of the field Args[0]
	OpNeg     Op = "neg"   // unary minus
	OpPos     Op = "pos"   // unary plus
)

// An Expr is a node of a parsed filter. Names and literals are not looked up yet.
type Expr struct {
	Op       Op
	Quant    string // "any" or "all" in front of a relation
	Text     string // of words, fields, literals, strings, characters, calls
	Args     []*Expr
	Set      []Range // of OpIn
	Spans    []span  // of slices; of fields with layers
	Layered  bool    // a field with layers behind #
	Pos, End int     // the place in the filter, as byte offsets
}

// A Range is one element of a set: a value, or two with all between them.
type Range struct{ From, To *Expr }

// maxDepth bounds the nesting of a filter.
const maxDepth = 200
