package lua

import (
	"github.com/yuin/gopher-lua/ast"
)

// priorities are those of the operators with two operands, at their left and at their right.
var priorities = map[string][2]int{
	"or": {1, 1}, "and": {2, 2}, "<": {3, 3}, ">": {3, 3}, "<=": {3, 3}, ">=": {3, 3}, "~=": {3, 3}, "==": {3, 3},
	"|": {4, 4}, "~": {5, 5}, "&": {6, 6}, "<<": {7, 7}, ">>": {7, 7}, "..": {9, 8}, "+": {10, 10}, "-": {10, 10},
	"*": {11, 11}, "/": {11, 11}, "//": {11, 11}, "%": {11, 11}, "^": {14, 13},
}

const unaryPriority = 12

// called are the operators that are functions here.
var called = map[string]string{"|": "__bor", "~": "__bxor", "&": "__band", "<<": "__shl", ">>": "__shr", "//": "__idiv"}

func (p *parser) expressions() []ast.Expr {
	out := []ast.Expr{p.expression()}
	for p.take(",") {
		out = append(out, p.expression())
	}
	return out
}

func (p *parser) expression() ast.Expr { return p.binary(0) }

// binary reads an expression of operators that bind tighter than a priority.
func (p *parser) binary(limit int) ast.Expr {
	defer p.deeper()()
	left := p.unary()
	for {
		op := p.t.kind
		prio, ok := priorities[op]
		if !ok || prio[0] <= limit {
			return left
		}
		line := p.t.line
		p.advance()
		if op == ".." {
			left = p.joined(left, line)
			continue
		}
		left = p.operation(op, left, p.binary(prio[1]), line)
	}
}

func (p *parser) operation(op string, left, right ast.Expr, line int) ast.Expr {
	switch op {
	case "or", "and":
		return at(&ast.LogicalOpExpr{Operator: op, Lhs: left, Rhs: right}, line)
	case "<", ">", "<=", ">=", "~=", "==":
		return at(&ast.RelationalOpExpr{Operator: op, Lhs: left, Rhs: right}, line)
	}
	if fn := called[op]; fn != "" {
		return p.runtime(fn, line, left, right)
	}
	return at(&ast.ArithmeticOpExpr{Operator: op, Lhs: left, Rhs: right}, line)
}

// joined joins all the texts that stand behind each other in one call.
func (p *parser) joined(left ast.Expr, line int) ast.Expr {
	parts := []ast.Expr{left, p.binary(9)}
	for p.take("..") {
		parts = append(parts, p.binary(9))
	}
	for i := len(parts) - 1; i > 0; i-- { // those that are written out are joined now
		a, isA := parts[i-1].(*ast.StringExpr)
		b, isB := parts[i].(*ast.StringExpr)
		if isA && isB && len(a.Value)+len(b.Value) <= maxText {
			parts[i-1] = at(&ast.StringExpr{Value: a.Value + b.Value}, line)
			parts = append(parts[:i], parts[i+1:]...)
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	last := parts[len(parts)-1] // of a call that gives more than one value, it is the first
	switch e := last.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return p.runtime("__cat", line, parts...)
}

// runtime calls a function that scripts do not see.
func (p *parser) runtime(name string, line int, args ...ast.Expr) *ast.FuncCallExpr {
	if name != "__closing" { // of what gives several values, an operator takes the first
		for _, a := range args {
			switch e := a.(type) {
			case *ast.FuncCallExpr:
				e.AdjustRet = true
			case *ast.Comma3Expr:
				e.AdjustRet = true
			}
		}
	}
	return at(&ast.FuncCallExpr{Func: at(&ast.IdentExpr{Value: name}, line), Args: args}, line)
}

func (p *parser) unary() ast.Expr {
	line := p.t.line
	switch p.t.kind {
	case "not":
		p.advance()
		return at(&ast.UnaryNotOpExpr{Expr: p.binary(unaryPriority)}, line)
	case "-":
		p.advance()
		return at(&ast.UnaryMinusOpExpr{Expr: p.binary(unaryPriority)}, line)
	case "#":
		p.advance()
		return at(&ast.UnaryLenOpExpr{Expr: p.binary(unaryPriority)}, line)
	case "~":
		p.advance()
		return p.runtime("__bnot", line, p.binary(unaryPriority))
	}
	return p.simple()
}

func (p *parser) simple() ast.Expr {
	t := p.t
	var e ast.Expr
	switch t.kind {
	case tokNumber:
		e = at(&ast.NumberExpr{Value: t.text}, t.line)
	case tokText:
		e = at(&ast.StringExpr{Value: t.text}, t.line)
	case "nil":
		e = at(&ast.NilExpr{}, t.line)
	case "true":
		e = at(&ast.TrueExpr{}, t.line)
	case "false":
		e = at(&ast.FalseExpr{}, t.line)
	case "...":
		e = at(&ast.Comma3Expr{}, t.line)
	case "{":
		return p.table()
	case "function":
		p.advance()
		return p.function(t.line, false)
	default:
		return p.suffixed()
	}
	p.advance()
	return e
}

// variable is what a name stands for: a local variable, or one of _ENV.
func (p *parser) variable(t token) ast.Expr {
	if known, _ := p.local(t.text); !known {
		if t.text == "_ENV" {
			return at(&ast.IdentExpr{Value: "_G"}, t.line)
		}
		if env, _ := p.local("_ENV"); env {
			return at(&ast.AttrGetExpr{Object: at(&ast.IdentExpr{Value: "_ENV"}, t.line),
				Key: at(&ast.StringExpr{Value: t.text}, t.line)}, t.line)
		}
	}
	return at(&ast.IdentExpr{Value: t.text}, t.line)
}

// suffixed reads a name or an expression in parentheses, with what is taken of it.
func (p *parser) suffixed() ast.Expr {
	line := p.t.line
	var e ast.Expr
	switch {
	case p.is(tokName):
		e = p.variable(p.t)
		p.advance()
	case p.take("("):
		e = p.expression()
		p.closing(")", "(", line)
		switch inner := e.(type) {
		case *ast.FuncCallExpr:
			inner.AdjustRet = true
		case *ast.Comma3Expr:
			inner.AdjustRet = true
		}
	default:
		p.near("unexpected symbol")
	}
	for {
		switch p.t.kind {
		case ".":
			p.advance()
			key := p.expect(tokName)
			e = at(&ast.AttrGetExpr{Object: e, Key: at(&ast.StringExpr{Value: key.text}, key.line)}, key.line)
		case "[":
			p.advance()
			e = at(&ast.AttrGetExpr{Object: e, Key: p.expression()}, line)
			p.expect("]")
		case ":":
			p.advance()
			name := p.expect(tokName)
			e = at(&ast.FuncCallExpr{Receiver: e, Method: name.text, Args: p.arguments()}, line)
		case "(", "{", tokText:
			e = at(&ast.FuncCallExpr{Func: e, Args: p.arguments()}, line)
		default:
			return e
		}
	}
}

func (p *parser) arguments() []ast.Expr {
	line := p.t.line
	switch {
	case p.is(tokText):
		return []ast.Expr{p.simple()}
	case p.is("{"):
		return []ast.Expr{p.table()}
	}
	if !p.take("(") {
		p.near("function arguments expected")
	}
	out := []ast.Expr{}
	if !p.is(")") {
		out = p.expressions()
	}
	p.closing(")", "(", line)
	return out
}

func (p *parser) table() ast.Expr {
	defer p.deeper()()
	line := p.t.line
	p.expect("{")
	t := at(&ast.TableExpr{Fields: []*ast.Field{}}, line)
	for !p.is("}") {
		f := &ast.Field{}
		switch {
		case p.take("["):
			f.Key = p.expression()
			p.expect("]")
			p.expect("=")
		case p.is(tokName) && p.peek().kind == "=":
			f.Key = at(&ast.StringExpr{Value: p.t.text}, p.t.line)
			p.advance()
			p.advance()
		}
		f.Value = p.expression()
		t.Fields = append(t.Fields, f)
		if !p.take(",") && !p.take(";") {
			break
		}
	}
	p.closing("}", "{", line)
	return t
}

// function reads parameters and body.
func (p *parser) function(line int, method bool) *ast.FunctionExpr {
	defer p.deeper()()
	p.expect("(")
	list := &ast.ParList{Names: []string{}}
	for !p.is(")") {
		if p.take("...") {
			list.HasVargs = true
			break
		}
		list.Names = append(list.Names, p.expect(tokName).text)
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	p.open(true, false)
	defer p.close()
	if method {
		p.declare("self", false)
	}
	for _, n := range list.Names {
		p.declare(n, false)
	}
	f := at(&ast.FunctionExpr{ParList: list, Stmts: p.block()}, line)
	f.SetLastLine(p.closing("end", "function", line).line)
	return f
}
