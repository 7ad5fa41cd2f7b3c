package kaitai

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

type op uint8

const (
	opConst   op = iota
	opName       // a member of the type in which the expression stands
	opSpecial    // _root, _parent, _io, _index, _, _on, _sizeof …
	opField      // kids[0].text
	opCall       // kids[0].text(kids[1:])
	opIndex      // kids[0][kids[1]]
	opCast       // kids[0].as<text>
	opList       // [kids…]
	opLabel      // enum::label
	opNot
	opNegate
	opInvert
	opAnd
	opOr
	opTernary
	opBinary // text: one of the operators on two values
	opFormat // the parts of an f-string
	opSizeof // sizeof<text>, in bits where bits is set
)

// A node is an expression, or a part of one.
type node struct {
	op    op
	sign  sign // of opBinary
	text  string
	val   Value
	kids  []*node
	path  []string // of opLabel: the names in front of the label's
	attr  *Attr    // of opName
	cast  *typeRef // of opCast
	which special
	list  bool // of opCast: to an array
	bits  bool
}

type sign uint8

const (
	add sign = iota
	sub
	mul
	div
	mod
	shl
	shr
	and
	or
	xor
	eq
	ne
	lt
	le
	gt
	ge
)

type special uint8

const (
	specialRoot special = iota
	specialParent
	specialIO
	specialIndex
	specialSelf
	specialOn
	specialSizeof
)

var specials = map[string]special{"_root": specialRoot, "_parent": specialParent, "_io": specialIO,
	"_index": specialIndex,
	"_":      specialSelf, "_on": specialOn, "_sizeof": specialSizeof}

// An Expr is an expression of the language, compiled for a type.
type Expr struct{ top *node }

const maxNesting = 200 // parentheses and operators within each other, in one expression

type exprParser struct {
	toks  []token
	depth int
}

// parseExpr compiles an expression up to names, which resolve gives a meaning.
func parseExpr(src string) (n *node, err error) {
	defer caught(&err)
	p := &exprParser{toks: lex(src)}
	n = p.test()
	if p.toks[0].what != 0 {
		badSyntax("unexpected %q behind the expression", p.toks[0].text)
	}
	return n, nil
}

// parseCall compiles a name, with dots or colons in it, and what it is called with: "a.b(1, 2)".
func parseCall(src string) (name string, args []*node, err error) {
	defer caught(&err)
	p := &exprParser{toks: lex(src)}
	name = p.name()
	for p.is('o', ".") || p.is('o', "::") {
		name += p.next().text + p.name()
	}
	if p.take('o', "(") {
		args = p.list(")")
	}
	if p.toks[0].what != 0 {
		badSyntax("unexpected %q behind %s", p.toks[0].text, name)
	}
	return name, args, nil
}

func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case syntaxError:
		*err = textError(r)
	default:
		panic(r)
	}
}

type textError string

func (e textError) Error() string { return string(e) }

func (p *exprParser) next() token { t := p.toks[0]; p.toks = p.toks[1:]; return t }

func (p *exprParser) is(what byte, text string) bool {
	return p.toks[0].what == what && p.toks[0].text == text
}

func (p *exprParser) take(what byte, text string) bool {
	if !p.is(what, text) {
		return false
	}
	p.next()
	return true
}

func (p *exprParser) need(text string) {
	if !p.take('o', text) {
		if p.toks[0].what == 0 {
			badSyntax("%q is missing at the end", text)
		}
		badSyntax("expected %q, found %q", text, p.toks[0].text)
	}
}

func (p *exprParser) name() string {
	if p.toks[0].what != 'n' {
		badSyntax("expected a name, found %q", p.toks[0].text)
	}
	return p.next().text
}

func (p *exprParser) test() *node {
	if p.depth++; p.depth > maxNesting {
		badSyntax("the expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	cond := p.logical(opOr)
	if !p.take('o', "?") {
		return cond
	}
	yes := p.test()
	p.need(":")
	return &node{op: opTernary, kids: []*node{cond, yes, p.test()}}
}

func (p *exprParser) logical(o op) *node {
	word, below := "or", func() *node { return p.logical(opAnd) }
	if o == opAnd {
		word, below = "and", p.not
	}
	n := below()
	for p.take('n', word) {
		n = &node{op: o, kids: []*node{n, below()}}
	}
	return n
}

func (p *exprParser) not() *node {
	negate := false
	for p.take('n', "not") {
		negate = !negate
	}
	n := p.binary(0)
	if negate {
		return &node{op: opNot, kids: []*node{n}}
	}
	return n
}

// levels are the operators on two values from the weakest to the strongest.
var levels = []map[string]sign{
	{"<": lt, ">": gt, "<=": le, ">=": ge, "==": eq, "!=": ne},
	{"|": or}, {"^": xor}, {"&": and}, {"<<": shl, ">>": shr}, {"+": add, "-": sub}, {"*": mul, "/": div, "%": mod},
}

func (p *exprParser) binary(level int) *node {
	if level == len(levels) {
		return p.unary()
	}
	n := p.binary(level + 1)
	for p.toks[0].what == 'o' {
		s, ok := levels[level][p.toks[0].text]
		if !ok {
			break
		}
		text := p.next().text
		n = &node{op: opBinary, sign: s, text: text, kids: []*node{n, p.binary(level + 1)}}
	}
	return n
}

func (p *exprParser) unary() *node {
	if p.depth++; p.depth > maxNesting {
		badSyntax("the expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	switch {
	case p.take('o', "+"):
		return p.unary()
	case p.take('o', "-"):
		return negated(p.unary())
	case p.take('o', "~"):
		return &node{op: opInvert, kids: []*node{p.unary()}}
	}
	return p.trailers(p.atom())
}

// negated makes one number of a minus and digits, so that the lists of case labels and bounds are constants.
func negated(n *node) *node {
	if n.op == opConst && n.val.Kind == Int && n.val.n != 0 {
		return &node{op: opConst, val: intValue(-n.val.n)}
	}
	if n.op == opConst && n.val.Kind == Float {
		return &node{op: opConst, val: floatValue(-n.val.Float64())}
	}
	return &node{op: opNegate, kids: []*node{n}}
}

func (p *exprParser) list(end string) (out []*node) {
	for !p.take('o', end) {
		out = append(out, p.test())
		if !p.take('o', ",") {
			p.need(end)
			break
		}
	}
	return out
}

func (p *exprParser) trailers(n *node) *node {
	for {
		switch {
		case p.take('o', "["):
			n = &node{op: opIndex, kids: []*node{n, p.test()}}
			p.need("]")
		case p.take('o', "."):
			n = p.member(n)
		default:
			return n
		}
	}
}

func (p *exprParser) member(n *node) *node {
	name := p.name()
	if name == "as" && p.take('o', "<") {
		c := &node{op: opCast, kids: []*node{n}}
		c.text, c.list = p.typeName()
		p.closeType()
		return c
	}
	if p.take('o', "(") {
		return &node{op: opCall, text: name, kids: append([]*node{n}, p.list(")")...)}
	}
	return &node{op: opField, text: name, kids: []*node{n}}
}

// closeType takes the ">" of a type, which may have been read together with what follows.
func (p *exprParser) closeType() {
	if t := &p.toks[0]; t.what == 'o' && len(t.text) == 2 && t.text[0] == '>' {
		t.text = t.text[1:]
		return
	}
	p.need(">")
}

func (p *exprParser) typeName() (name string, list bool) {
	name = p.name()
	for p.take('o', "::") {
		name += "::" + p.name()
	}
	if p.take('o', "[") {
		p.need("]")
		list = true
	}
	return name, list
}

func (p *exprParser) atom() *node {
	switch t := p.next(); t.what {
	case 'i':
		return &node{op: opConst, val: number(t.text)}
	case 'f':
		f, err := strconv.ParseFloat(strings.ReplaceAll(t.text, "_", ""), 64)
		if err != nil {
			badSyntax("%s is no number", t.text)
		}
		return &node{op: opConst, val: floatValue(f)}
	case 's':
		for p.toks[0].what == 's' {
			t.text += p.next().text
		}
		return &node{op: opConst, val: strValue(t.text)}
	case 'F':
		return p.format(t.text)
	case 'n':
		return p.named(t.text)
	case 'o':
		switch t.text {
		case "(":
			n := p.test()
			p.need(")")
			return n
		case "[":
			return listNode(p.list("]"))
		}
		badSyntax("unexpected %q", t.text)
	}
	badSyntax("the expression ends too early")
	return nil
}

// listNode makes bytes of a list in which all are the numbers of bytes, as the language does.
func listNode(kids []*node) *node {
	raw := make([]byte, len(kids))
	for i, k := range kids {
		if k.op != opConst || k.val.Kind != Int || k.val.n < 0 || k.val.n > 255 {
			return &node{op: opList, kids: kids}
		}
		raw[i] = byte(k.val.n)
	}
	return &node{op: opConst, val: bytesValue(raw)}
}

func number(text string) Value {
	base := 0
	if len(text) > 1 && text[0] == '0' && isDigit(text[1]) { // leading zeros are no octal here
		base = 10
	}
	n, ok := new(big.Int).SetString(strings.ReplaceAll(text, "_", ""), base)
	if !ok {
		badSyntax("%s is no number", text)
	}
	if n.BitLen() > 64 {
		badSyntax("%s does not fit into 64 bits", text)
	}
	return narrow(n)
}

func (p *exprParser) named(text string) *node {
	switch text {
	case "true", "false":
		return &node{op: opConst, val: boolValue(text == "true")}
	case "sizeof", "bitsizeof":
		if p.take('o', "<") {
			n := &node{op: opSizeof, bits: text == "bitsizeof"}
			n.text, n.list = p.typeName()
			p.closeType()
			return n
		}
	}
	if w, ok := specials[text]; ok {
		return &node{op: opSpecial, which: w, text: text}
	}
	if !p.is('o', "::") {
		return &node{op: opName, text: text}
	}
	path := []string{text}
	for p.take('o', "::") {
		path = append(path, p.name())
	}
	return &node{op: opLabel, path: path[:len(path)-1], text: path[len(path)-1]}
}

// format takes an f-string apart: text and expressions in braces.
func (p *exprParser) format(s string) *node {
	n := &node{op: opFormat}
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			n.kids = append(n.kids, &node{op: opConst, val: strValue(b.String())})
			b.Reset()
		}
	}
	for i := 0; i < len(s); {
		switch s[i] {
		case '\\':
			text, size := escape(s[i+1:])
			b.WriteString(text)
			i += 1 + size
		case '{':
			flush()
			inner := &exprParser{toks: lex(s[i+1 : i+1+braceEnd(s[i+1:])]), depth: p.depth}
			n.kids = append(n.kids, inner.test())
			if inner.toks[0].what != 0 {
				badSyntax("unexpected %q in braces", inner.toks[0].text)
			}
			i += braceEnd(s[i+1:]) + 2
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	flush()
	return n
}

func braceEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '}':
			return i
		case '"', '\'':
			i += quotedLen(s[i:]) - 1
		}
	}
	badSyntax("a brace is not closed")
	return math.MaxInt
}
