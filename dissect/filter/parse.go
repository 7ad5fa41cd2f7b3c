package filter

import "fmt"

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
func (p *parser) is(op string) bool { return p.tokens[p.at].is(op) }
func (t token) is(op string) bool   { return t.kind == tokOp && t.text == op }
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

// deeper counts the nesting. The caller undoes it with p.depth--.
func (p *parser) deeper() error {
	if p.depth++; p.depth > maxDepth {
		t := p.peek()
		return p.fail(t.pos, t.end, "", "the filter is nested too deep")
	}
	return nil
}

func (p *parser) or() (*Expr, error)  { return p.binary("||", (*parser).xor) }
func (p *parser) xor() (*Expr, error) { return p.binary("^^", (*parser).and) }
func (p *parser) and() (*Expr, error) { return p.binary("&&", (*parser).not) }

func (p *parser) binary(op Op, side func(*parser) (*Expr, error)) (*Expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	left, err := side(p)
	for n := 0; err == nil && p.take(string(op)); n++ {
		if n > 50*maxDepth {
			return nil, p.fail(left.Pos, left.End, "", "the filter is too long")
		}
		var right *Expr
		if right, err = side(p); err == nil {
			left = join(op, left, right)
		}
	}
	return left, err
}

// join makes one node of a whole row of the same logical operator, so that long rows do not nest.
func join(op Op, left, right *Expr) *Expr {
	if left.Op == op && left.Quant == "" && (op == "&&" || op == "||") {
		left.Args, left.End = append(left.Args, right), right.End
		return left
	}
	return &Expr{Op: op, Args: []*Expr{left, right}, Pos: left.Pos, End: right.End}
}

func (p *parser) not() (*Expr, error) {
	t := p.peek()
	if !p.take("!") {
		return p.primary()
	}
	if err := p.deeper(); err != nil {
		return nil, err
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
	if t := p.peek(); p.take("(") {
		e, err := p.or()
		if err != nil {
			return nil, err
		}
		end := p.peek()
		if !p.take(")") {
			return nil, p.unexpected(end)
		}
		group := *e // a row inside parentheses ends here: what follows is no part of it
		if e.Op == "&&" || e.Op == "||" {
			group = Expr{Op: e.Op, Args: e.Args, Quant: "()"}
		}
		group.Pos, group.End = t.pos, end.end
		return &group, nil
	}
	quant := p.peek()
	if p.take("any") || p.take("all") {
		return p.relation(quant)
	}
	return p.relation(token{})
}

var comparisons = map[string]bool{"==": true, "!=": true, "===": true, "!==": true, "~=": true, ">": true, ">=": true,
	"<": true, "<=": true}

// relation is a chain of comparisons, contains, matches, a set test, or a term alone.
func (p *parser) relation(quant token) (*Expr, error) {
	left, err := p.arith()
	if err != nil {
		return nil, err
	}
	pos := left.Pos
	if quant.end > 0 {
		pos = quant.pos
	}
	op := p.peek()
	switch {
	case op.kind != tokOp:
	case comparisons[op.text]:
		return p.chain(left, pos, quant)
	case left.isEntity() && (op.text == "contains" || op.text == "matches" || op.text == "~"):
		p.next()
		right, err := p.entity()
		if err != nil {
			return nil, err
		}
		name := Op(op.text)
		if name == "~" {
			name = "matches"
		}
		return &Expr{Op: name, Quant: quant.text, Args: []*Expr{left, right}, Pos: pos, End: right.End}, nil
	case left.isEntity() && (op.text == "in" || op.text == "!" && p.tokens[p.at+1].is("in")):
		return p.set(left, pos, quant)
	}
	if quant.end > 0 {
		return nil, p.fail(quant.pos, quant.end, "as in "+quant.text+" ip.addr == 10.0.0.0/8",
			"%s stands in front of a comparison", quant.text)
	}
	return &Expr{Op: OpExists, Args: []*Expr{left}, Pos: left.Pos, End: left.End}, nil
}

// isEntity is true for what may stand beside contains, matches and in: no arithmetic.
func (e *Expr) isEntity() bool {
	switch e.Op {
	case "+", "-", "*", "/", "%", "&", OpNeg, OpPos:
		return false
	}
	return true
}

// chain reads a < b < c, which is the and of its neighbours.
func (p *parser) chain(left *Expr, pos int, quant token) (*Expr, error) {
	var chain *Expr
	for p.peek().kind == tokOp && comparisons[p.peek().text] {
		op := p.next()
		right, err := p.arith()
		if err != nil {
			return nil, err
		}
		e := &Expr{Op: Op(op.text), Quant: quant.text, Args: []*Expr{left, right}, Pos: left.Pos, End: right.End}
		if chain == nil {
			e.Pos, chain = pos, e
		} else {
			chain = join("&&", chain, e)
		}
		left = right
	}
	return chain, nil
}

func (p *parser) set(left *Expr, pos int, quant token) (*Expr, error) {
	negated := p.take("!")
	p.next()
	open := p.peek()
	if !p.take("{") {
		return nil, p.unexpected(open)
	}
	e := &Expr{Op: OpIn, Quant: quant.text, Args: []*Expr{left}, Pos: pos}
	for {
		r, err := p.element()
		if err != nil {
			return nil, err
		}
		e.Set = append(e.Set, r)
		t := p.peek()
		switch {
		case p.take("}"):
			e.End = t.end
			if negated {
				return &Expr{Op: "!", Args: []*Expr{e}, Pos: e.Pos, End: e.End}, nil
			}
			return e, nil
		case p.take(","):
		case t.kind == tokEnd:
			return nil, p.unexpected(t)
		default:
			return nil, p.fail(t.pos, t.end, "elements are separated by commas", "%s does not belong here", p.text[t.pos:t.end])
		}
	}
}

func (p *parser) element() (Range, error) {
	from, err := p.signed()
	if err != nil {
		return Range{}, err
	}
	r := Range{From: from}
	if p.take("..") {
		r.To, err = p.signed()
	}
	return r, err
}
