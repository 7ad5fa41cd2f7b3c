package filter

// arith reads a term: the loosest operator is &, then + and -, then * / %.
func (p *parser) arith() (*Expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	return p.row(p.sum, "&")
}
func (p *parser) sum() (*Expr, error)     { return p.row(p.product, "+", "-") }
func (p *parser) product() (*Expr, error) { return p.row(p.factor, "*", "/", "%") }

func (p *parser) row(side func() (*Expr, error), ops ...string) (*Expr, error) {
	left, err := side()
	for n := 0; err == nil; n++ {
		op := ""
		for _, o := range ops {
			if p.take(o) {
				op = o
				break
			}
		}
		if op == "" {
			return left, nil
		}
		if n > maxDepth {
			return nil, p.fail(left.Pos, left.End, "", "the filter is nested too deep")
		}
		var right *Expr
		if right, err = side(); err == nil {
			left = &Expr{Op: Op(op), Args: []*Expr{left, right}, Pos: left.Pos, End: right.End}
		}
	}
	return nil, err
}

// factor is a group in braces or a signed entity.
func (p *parser) factor() (*Expr, error) {
	open := p.peek()
	if !p.take("{") {
		return p.signed()
	}
	e, err := p.arith()
	if err != nil {
		return nil, err
	}
	end := p.peek()
	if !p.take("}") {
		return nil, p.unexpected(end)
	}
	e.Pos, e.End = open.pos, end.end
	return e, nil
}

// signed is an entity with at most one sign in front.
func (p *parser) signed() (*Expr, error) {
	t := p.peek()
	op := OpNeg
	switch {
	case p.take("-"):
	case p.take("+"):
		op = OpPos
	default:
		return p.entity()
	}
	e, err := p.entity()
	if err != nil {
		return nil, err
	}
	return &Expr{Op: op, Args: []*Expr{e}, Pos: t.pos, End: e.End}, nil
}

// entity is a field, literal, reference or function call, or a slice of one.
func (p *parser) entity() (*Expr, error) {
	e, err := p.plainEntity()
	for err == nil && p.is("[") {
		open := p.next()
		var spans []span
		if spans, err = p.spans(open); err != nil {
			return nil, err
		}
		e = &Expr{Op: OpSlice, Args: []*Expr{e}, Spans: spans, Pos: e.Pos, End: p.tokens[p.at-1].end}
	}
	return e, err
}

func (p *parser) plainEntity() (*Expr, error) {
	t := p.peek()
	switch {
	case t.kind == tokWord && p.tokens[p.at+1].is("("):
		return p.call()
	case t.kind == tokWord, t.kind == tokField:
		return p.field()
	case t.kind == tokString, t.kind == tokChar, t.kind == tokLiteral:
		p.next()
		op := map[kind]Op{tokString: OpString, tokChar: OpChar, tokLiteral: OpLiteral}[t.kind]
		return &Expr{Op: op, Text: t.text, Pos: t.pos, End: t.end}, nil
	case t.is("${"), t.is("$"), t.is("@"):
		return p.marked()
	}
	return nil, p.unexpected(t)
}

// field is a word or field with the layers behind it.
func (p *parser) field() (*Expr, error) {
	t := p.next()
	op := OpWord
	if t.kind == tokField {
		op = OpField
	} else if t.kind != tokWord {
		p.at = max(0, p.at-1)
		return nil, p.unexpected(t)
	}
	e := &Expr{Op: op, Text: t.text, Pos: t.pos, End: t.end}
	hash := p.peek()
	if !p.take("#") {
		return e, nil
	}
	e.Layered = true
	n := p.next()
	switch {
	case n.is("["):
		var err error
		if e.Spans, err = p.spans(n); err != nil {
			return nil, err
		}
		e.End = p.tokens[p.at-1].end
	case n.kind == tokWord && run(n.text, len(n.text), isDigit) == len(n.text) && len(n.text) < 9:
		s, err := parseSpan(trimZeros(n.text))
		if err != nil {
			return nil, p.fail(n.pos, n.end, "", "%s", err)
		}
		e.Spans, e.End = []span{s}, n.end
	default:
		return nil, p.fail(hash.pos, max(n.end, hash.end), "as in ip.src#2 or ip.src#[-1]",
			"behind # goes the number of a layer")
	}
	return e, nil
}

// trimZeros takes the zeros off the front, so that a number stays decimal.
func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}

func (p *parser) call() (*Expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	t := p.next()
	p.next()
	e := &Expr{Op: OpCall, Text: t.text, Pos: t.pos}
	for !p.is(")") {
		arg, err := p.arith()
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, arg)
		if !p.take(",") {
			if !p.is(")") {
				return nil, p.unexpected(p.peek())
			}
		} else if p.is(")") {
			return nil, p.unexpected(p.peek())
		}
	}
	e.End = p.next().end
	return e, nil
}

// marked reads ${field}, $field and @field.
func (p *parser) marked() (*Expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	t := p.next()
	inner := p.field
	if t.text != "@" && p.is("@") {
		inner = p.marked
	}
	e, err := inner()
	if err != nil {
		return nil, err
	}
	op, end := OpRef, e.End
	switch t.text {
	case "@":
		op = OpRaw
	case "${":
		if end = p.peek().end; !p.take("}") {
			return nil, p.unexpected(p.peek())
		}
	}
	return &Expr{Op: op, Args: []*Expr{e}, Pos: t.pos, End: end}, nil
}

// spans reads the parts in square brackets, the first of which is read already.
func (p *parser) spans(open token) ([]span, error) {
	var spans []span
	for {
		t := p.next()
		if t.kind != tokRange {
			return nil, p.fail(open.pos, t.end, spanHint, "a part is missing in the brackets")
		}
		s, err := parseSpan(t.text)
		if err != nil {
			return nil, p.fail(t.pos, t.end, spanHint, "%s", err)
		}
		spans = append(spans, s)
		if end := p.next(); end.is("]") {
			return spans, nil
		}
	}
}

const spanHint = "as in [0:3], [2-4], [:2], [5:] or [-4:]"
