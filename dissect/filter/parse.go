package filter

import "fmt"

// An Expr is a node of a parsed filter. Names and literals are not looked up yet.
type Expr struct {
	Op       string // "&&", "||", "!", a relation, "in", "exists", "word", "string", "char", "slice", "call", "neg"
	Quant    string // "any" or "all" in front of a relation
	Text     string // of words, strings, calls
	Args     []*Expr
	Set      []Range  // of "in"
	Slices   []string // of "slice": the ranges as written
	Pos, End int
}

// A Range is one element of a set: a value, or two with all between them.
type Range struct{ From, To *Expr }

// maxDepth bounds the nesting of a filter.
const maxDepth = 200

type parser struct {
	text   string
	tokens []token
	at     int
	depth  int
}

// Parse reads a filter. The empty filter gives nil. Errors are of type *Error.
func Parse(text string) (*Expr, error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	p := &parser{text: text, tokens: tokens}
	if p.peek().kind == tokEnd {
		return nil, nil
	}
	e, err := p.or()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != tokEnd {
		return nil, p.unexpected(t)
	}
	return e, nil
}

func (p *parser) peek() token { return p.tokens[p.at] }
func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != tokEnd {
		p.at++
	}
	return t
}
func (p *parser) is(op string) bool { t := p.peek(); return t.kind == tokOp && t.text == op }
func (p *parser) take(op string) bool {
	if p.is(op) {
		p.at++
		return true
	}
	return false
}

func (p *parser) fail(pos, end int, hint, format string, args ...any) error {
	return &Error{Text: p.text, Pos: pos, End: end, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func (p *parser) unexpected(t token) error {
	switch {
	case t.kind == tokEnd:
		return p.fail(len(p.text), len(p.text), "", "the filter ends too early")
	case t.text == "=":
		return p.fail(t.pos, t.end, "use ==", "= is no comparison")
	}
	hint := ""
	if t.kind == tokWord && p.at > 0 {
		hint = "between two tests goes && or ||; a capture filter like \"host 192.0.2.1\" belongs to -f"
	}
	return p.fail(t.pos, t.end, hint, "%s does not belong here", p.text[t.pos:t.end])
}

func (p *parser) or() (*Expr, error)  { return p.binary("||", (*parser).and) }
func (p *parser) and() (*Expr, error) { return p.binary("&&", (*parser).not) }

func (p *parser) binary(op string, side func(*parser) (*Expr, error)) (*Expr, error) {
	if p.depth++; p.depth > maxDepth {
		t := p.peek()
		return nil, p.fail(t.pos, t.end, "", "the filter is nested too deep")
	}
	defer func() { p.depth-- }()
	left, err := side(p)
	for err == nil && p.take(op) {
		var right *Expr
		if right, err = side(p); err == nil {
			left = &Expr{Op: op, Args: []*Expr{left, right}, Pos: left.Pos, End: right.End}
		}
	}
	return left, err
}

func (p *parser) not() (*Expr, error) {
	t := p.peek()
	if !p.take("!") {
		return p.primary()
	}
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(t.pos, t.end, "", "the filter is nested too deep")
	}
	defer func() { p.depth-- }()
	e, err := p.not()
	if err != nil {
		return nil, err
	}
	return &Expr{Op: "!", Args: []*Expr{e}, Pos: t.pos, End: e.End}, nil
}

// primary is a group in parentheses or one test.
func (p *parser) primary() (*Expr, error) {
	if p.take("(") {
		e, err := p.or()
		if err != nil {
			return nil, err
		}
		if !p.take(")") {
			return nil, p.unexpected(p.peek())
		}
		return e, nil
	}
	quant := ""
	if p.is("any") || p.is("all") {
		quant = p.next().text
	}
	return p.relation(quant)
}

var relations = map[string]bool{"==": true, "!=": true, "===": true, "!==": true, "~=": true, ">": true, ">=": true, "<": true, "<=": true, "contains": true, "matches": true, "~": true}

// relation is a chain of comparisons, a set test, or a term alone.
func (p *parser) relation(quant string) (*Expr, error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	negated := p.is("!") && p.at+1 < len(p.tokens) && p.tokens[p.at+1].text == "in" && p.tokens[p.at+1].kind == tokOp
	if negated {
		p.next()
	}
	if p.take("in") {
		e, err := p.set(left)
		if err != nil {
			return nil, err
		}
		e.Quant = quant
		if negated {
			e = &Expr{Op: "!", Args: []*Expr{e}, Pos: e.Pos, End: e.End}
		}
		return e, nil
	}
	var chain *Expr
	for p.peek().kind == tokOp && relations[p.peek().text] {
		op := p.next()
		right, err := p.operand()
		if err != nil {
			return nil, err
		}
		name := op.text
		switch name {
		case "~":
			name = "matches"
		case "~=":
			name = "!=="
		}
		e := &Expr{Op: name, Quant: quant, Args: []*Expr{left, right}, Pos: left.Pos, End: right.End}
		if chain == nil {
			chain = e
		} else {
			chain = &Expr{Op: "&&", Args: []*Expr{chain, e}, Pos: chain.Pos, End: e.End}
		}
		left = right
	}
	if chain != nil {
		return chain, nil
	}
	if quant != "" {
		return nil, p.fail(left.Pos, left.End, "", "%s stands in front of a comparison", quant)
	}
	return &Expr{Op: "exists", Args: []*Expr{left}, Pos: left.Pos, End: left.End}, nil
}

func (p *parser) set(left *Expr) (*Expr, error) {
	open := p.peek()
	if !p.take("{") {
		return nil, p.unexpected(open)
	}
	e := &Expr{Op: "in", Args: []*Expr{left}, Pos: left.Pos}
	for {
		from, err := p.operand()
		if err != nil {
			return nil, err
		}
		r := Range{From: from}
		if p.take("..") {
			if r.To, err = p.operand(); err != nil {
				return nil, err
			}
		}
		e.Set = append(e.Set, r)
		if t := p.next(); t.kind == tokOp && t.text == "}" {
			e.End = t.end
			return e, nil
		} else if t.kind != tokOp || t.text != "," {
			p.at--
			return nil, p.fail(t.pos, max(t.end, t.pos), "elements are separated by commas", "the set is not closed here")
		}
	}
}

// operand is a field, literal, function call or slice of one.
func (p *parser) operand() (*Expr, error) {
	t := p.next()
	var e *Expr
	switch {
	case t.kind == tokWord && p.is("("):
		p.next()
		e = &Expr{Op: "call", Text: t.text, Pos: t.pos}
		for !p.is(")") {
			arg, err := p.operand()
			if err != nil {
				return nil, err
			}
			e.Args = append(e.Args, arg)
			if !p.take(",") && !p.is(")") {
				return nil, p.unexpected(p.peek())
			}
		}
		e.End = p.next().end
	case t.kind == tokWord:
		e = &Expr{Op: "word", Text: t.text, Pos: t.pos, End: t.end}
	case t.kind == tokString:
		return &Expr{Op: "string", Text: t.text, Pos: t.pos, End: t.end}, nil
	case t.kind == tokChar:
		return &Expr{Op: "char", Text: t.text, Pos: t.pos, End: t.end}, nil
	case t.kind == tokOp && (t.text == "-" || t.text == "+"):
		if n := p.peek(); n.kind == tokWord {
			p.next()
			text := n.text
			if t.text == "-" {
				text = "-" + text
			}
			return &Expr{Op: "word", Text: text, Pos: t.pos, End: n.end}, nil
		}
		return nil, p.unexpected(p.peek())
	default:
		if t.kind != tokEnd {
			p.at--
		}
		return nil, p.unexpected(t)
	}
	for p.is("[") {
		var err error
		if e, err = p.slice(e); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// slice reads the ranges behind a term: [i], [i:j], [i-j], [:j], [i:], separated by commas.
func (p *parser) slice(of *Expr) (*Expr, error) {
	open := p.next()
	e := &Expr{Op: "slice", Args: []*Expr{of}, Pos: of.Pos}
	part := ""
	for {
		t := p.next()
		switch {
		case t.kind == tokEnd:
			return nil, p.fail(open.pos, len(p.text), "", "the slice has no closing bracket")
		case t.kind == tokOp && (t.text == "]" || t.text == ","):
			if part == "" {
				return nil, p.fail(open.pos, t.end, "as in [0:3], [2-4], [:2], [5:] or [-4:]", "the slice names no bytes")
			}
			e.Slices, part = append(e.Slices, part), ""
			if t.text == "]" {
				e.End = t.end
				return e, nil
			}
		default:
			part += t.text
		}
	}
}
