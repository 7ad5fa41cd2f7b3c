package lua

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// priorities are those of the operators with two operands, at their left and at their right.
var priorities = map[string][2]int{
	"or": {1, 1}, "and": {2, 2}, "<": {3, 3}, ">": {3, 3}, "<=": {3, 3}, ">=": {3, 3}, "~=": {3, 3}, "==": {3, 3},
	"|": {4, 4}, "~": {5, 5}, "&": {6, 6}, "<<": {7, 7}, ">>": {7, 7}, "..": {9, 8}, "+": {10, 10}, "-": {10, 10},
	"*": {11, 11}, "/": {11, 11}, "//": {11, 11}, "%": {11, 11}, "^": {14, 13},
}

const unaryPriority = 12

// The functions that scripts do not see have names that no script can write: operators, and these.
const (
	joins   = ".. "
	negates = "~ "
	closes  = "<close>"
	written = ".0" // of a quotient
)

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
	case "<", ">", "<=", ">=":
		if p.wide || p.integers {
			return p.runtime(op, line, left, right)
		}
		return at(&ast.RelationalOpExpr{Operator: op, Lhs: left, Rhs: right}, line)
	case "~=", "==":
		return at(&ast.RelationalOpExpr{Operator: op, Lhs: left, Rhs: right}, line)
	}
	switch op {
	case "|", "~", "&", "<<", ">>", "//":
		p.need(needs{integers: true})
		return p.runtime(op, line, left, right)
	case "*":
		if p.integers {
			return p.runtime(op, line, left, right)
		}
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
	if p.integers {
		p.write(parts)
	}
	return p.runtime(joins, line, parts...)
}

// runtime calls a function that scripts do not see.
func (p *parser) runtime(name string, line int, args ...ast.Expr) *ast.FuncCallExpr {
	if name != closes { // of what gives several values, an operator takes the first
		for _, a := range args {
			switch e := a.(type) {
			case *ast.FuncCallExpr:
				e.AdjustRet = true
			case *ast.Comma3Expr:
				e.AdjustRet = true
			}
		}
	}
	return at(&ast.FuncCallExpr{Func: p.unseen(name, line), Args: args}, line)
}

// unseen is a variable that scripts do not see.
func (p *parser) unseen(name string, line int) ast.Expr {
	if !slices.Contains(p.used, name) {
		p.used = append(p.used, name)
	}
	return at(&ast.IdentExpr{Value: name}, line)
}

// write has those of some values that are floating-point numbers written as such: 10 / 2 is 5.0.
func (p *parser) write(values []ast.Expr) {
	for i, v := range values {
		if floating(v) {
			values[i] = p.runtime(written, v.Line(), v)
		}
	}
}

// floating tells whether an expression is a floating-point number, if it is a number.
func floating(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ArithmeticOpExpr:
		return e.Operator == "/" || e.Operator == "^" || floating(e.Lhs) || floating(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		return floating(e.Expr)
	case *ast.NumberExpr:
		return strings.ContainsAny(e.Value, ".e") && !strings.HasPrefix(e.Value, "0x")
	case *ast.FuncCallExpr:
		fn, _ := e.Func.(*ast.IdentExpr)
		return fn != nil && (fn.Value == "*" || fn.Value == "//") && (floating(e.Args[0]) || floating(e.Args[1]))
	}
	return false
}

// writes tells whether a call writes numbers.
func writes(e *ast.FuncCallExpr) bool {
	switch fn := e.Func.(type) {
	case *ast.IdentExpr:
		return fn.Value == "print" || fn.Value == "tostring"
	case *ast.AttrGetExpr:
		key, _ := fn.Key.(*ast.StringExpr)
		return key != nil && key.Value == "format"
	}
	return e.Method == "format"
}

// called is the call of an expression.
func (p *parser) called(e *ast.FuncCallExpr) ast.Expr {
	if p.integers && writes(e) {
		p.write(e.Args)
	}
	if key, ok := e.Func.(*ast.AttrGetExpr); ok {
		lib, _ := key.Object.(*ast.IdentExpr)
		name, _ := key.Key.(*ast.StringExpr)
		if lib != nil && name != nil && lib.Value == "string" && (name.Value == "unpack" || name.Value == "pack") {
			p.need(needs{integers: true})
		}
	}
	if e.Method == "unpack" {
		p.need(needs{integers: true})
	}
	return e
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
		p.need(needs{integers: true})
		return p.runtime(negates, line, p.binary(unaryPriority))
	}
	return p.simple()
}

// number is a number as the interpreter reads it, or what holds an integer of more bits.
func (p *parser) number(t token) ast.Expr {
	v, _ := numberOf(t.text)
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !p.integers {
		return at(&ast.NumberExpr{Value: text}, t.line)
	}
	if n, ok := integerOf(t.text); !ok && strings.IndexByte(text, 'e') < 0 && !strings.Contains(text, ".") {
		text += ".0"
	} else if ok && (n > mostExact || n < -mostExact) {
		p.longs[t.text] = n
		return p.unseen(t.text, t.line)
	} else if ok {
		text = strconv.FormatInt(n, 10)
	}
	return at(&ast.NumberExpr{Value: text}, t.line)
}

func (p *parser) simple() ast.Expr {
	t := p.t
	var e ast.Expr
	switch t.kind {
	case tokNumber:
		e = p.number(t)
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
			e = p.called(at(&ast.FuncCallExpr{Receiver: e, Method: name.text, Args: p.arguments()}, line))
		case "(", "{", tokText:
			e = p.called(at(&ast.FuncCallExpr{Func: e, Args: p.arguments()}, line))
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
