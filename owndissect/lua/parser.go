package lua

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// A parser reads scripts in the syntax of Lua 5.4, of which that of 5.1 and 5.2 is a part, and makes of them what the
// interpreter of 5.1 has: the operators that it lacks are calls of functions, and so is the joining of texts, which it
// does not bound.
type parser struct {
	lexer
	t, ahead token
	peeked   bool
	scopes   []scope
	depth    int
	needs
	used  []string         // functions that scripts do not see
	longs map[string]int64 // integers that are written out, by the names of what holds them
}

// needs are what makes scripts slower, and is there for those that ask for it.
type needs struct {
	wide     bool // objects of 64 bits, or of the script's own classes, may be compared with numbers
	integers bool // numbers are those of Lua 5.3 and later
}

// needing ends the reading of a script, which is read once more with what it needs.
type needing struct{ needs }

// A script is what a parser made of a text.
type script struct {
	needs
	chunk []ast.Stmt
	used  []string
	longs map[string]int64
}

// A scope is the local variables of a block.
type scope struct {
	names    []string
	constant []bool
	function bool // of a function's own block
	loop     bool
}

// mostDeep is how deep expressions and blocks may lie in each other.
const mostDeep = 180

// parseScript reads a script.
func parseScript(path, text string) (s *script, err error) {
	var n needs
	for s == nil && err == nil {
		p := &parser{lexer: lexer{path: path, s: text, line: 1}, needs: n, longs: map[string]int64{}}
		s, n, err = p.script()
	}
	return s, err
}

// script reads a whole script, or tells what it needs besides.
func (p *parser) script() (s *script, more needs, err error) {
	more = p.needs
	defer func() {
		switch x := recover().(type) {
		case nil:
		case syntaxError:
			err = x.Error
		case needing:
			more = x.needs
		default:
			panic(x)
		}
	}()
	p.advance()
	p.open(true, false)
	chunk := p.block()
	p.expect(tokEnd)
	return &script{needs: p.needs, chunk: p.hidden(chunk), used: p.used, longs: p.longs}, p.needs, nil
}

// hidden gives a script the functions that it does not see, as variables around it: it may change its globals.
func (p *parser) hidden(chunk []ast.Stmt) []ast.Stmt {
	if len(p.used) == 0 {
		return chunk
	}
	whole := at(&ast.FunctionExpr{ParList: &ast.ParList{HasVargs: true, Names: []string{}}, Stmts: chunk}, 1)
	whole.SetLastLine(p.line)
	return []ast.Stmt{
		at(&ast.LocalAssignStmt{Names: p.used, Exprs: []ast.Expr{at(&ast.Comma3Expr{}, 1)}}, 1),
		at(&ast.ReturnStmt{Exprs: []ast.Expr{whole}}, 1),
	}
}

// need has the script read once more, unless that is done.
func (p *parser) need(n needs) {
	if n.wide && !p.wide || n.integers && !p.integers {
		panic(needing{needs{p.wide || n.wide, p.integers || n.integers}})
	}
}

// hint looks at a name: does it tell that the script needs something?
func (p *parser) hint(name string) {
	switch lower := strings.ToLower(name); {
	case strings.Contains(lower, "int64") || name == "value" || name == "__lt" || name == "__le":
		p.need(needs{wide: true})
	case name == "maxinteger" || name == "mininteger" || name == "tointeger" || name == "ult":
		p.need(needs{integers: true})
	}
}

func (p *parser) advance() {
	if p.peeked {
		p.t, p.peeked = p.ahead, false
		return
	}
	if p.t = p.lexer.next(); p.t.kind == tokName {
		p.hint(p.t.text)
	}
}

func (p *parser) peek() token {
	if !p.peeked {
		p.ahead, p.peeked = p.lexer.next(), true
	}
	return p.ahead
}

// near fails at the token at hand.
func (p *parser) near(text string) {
	word := p.t.text
	if word == "" {
		word = p.t.kind
	}
	p.line = p.t.line
	p.fail(fmt.Sprintf("%s near '%s'", text, word))
}

func (p *parser) is(kind string) bool { return p.t.kind == kind }

// take goes past a token if it is there.
func (p *parser) take(kind string) bool {
	if !p.is(kind) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(kind string) token {
	if !p.is(kind) {
		p.near("'" + kind + "' expected")
	}
	t := p.t
	p.advance()
	return t
}

// closing expects the end of what began in a line.
func (p *parser) closing(kind, what string, line int) token {
	if !p.is(kind) {
		if line == p.t.line {
			p.near("'" + kind + "' expected")
		}
		p.near(fmt.Sprintf("'%s' expected (to close '%s' at line %d)", kind, what, line))
	}
	return p.expect(kind)
}

func at[N ast.PositionHolder](n N, line int) N {
	n.SetLine(line)
	n.SetLastLine(line)
	return n
}

func (p *parser) deeper() func() {
	if p.depth++; p.depth > mostDeep {
		p.near("the script has too many levels")
	}
	return func() { p.depth-- }
}

func (p *parser) open(function, loop bool) {
	p.scopes = append(p.scopes, scope{function: function, loop: loop})
}

func (p *parser) close() { p.scopes = p.scopes[:len(p.scopes)-1] }

func (p *parser) declare(name string, constant bool) {
	s := &p.scopes[len(p.scopes)-1]
	s.names, s.constant = append(s.names, name), append(s.constant, constant)
}

// local tells whether a name is that of a local variable, and of one that stays as it is.
func (p *parser) local(name string) (known, constant bool) {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		s := &p.scopes[i]
		for k := len(s.names) - 1; k >= 0; k-- {
			if s.names[k] == name {
				return true, s.constant[k]
			}
		}
	}
	return false, false
}

func (p *parser) blockEnds() bool {
	switch p.t.kind {
	case tokEnd, "end", "else", "elseif", "until":
		return true
	}
	return false
}

// block reads statements until the block ends. Its scope is the caller's.
func (p *parser) block() []ast.Stmt {
	defer p.deeper()()
	out := []ast.Stmt{}
	for !p.blockEnds() {
		if p.is("return") {
			line := p.t.line
			p.advance()
			var results []ast.Expr
			if !p.blockEnds() && !p.is(";") {
				results = p.expressions()
			}
			p.take(";")
			if !p.blockEnds() {
				p.near("'" + tokEnd + "' expected")
			}
			return append(out, at(&ast.ReturnStmt{Exprs: results}, line))
		}
		stmts, ends := p.statement()
		if out = append(out, stmts...); ends {
			return out
		}
	}
	return out
}

// scoped reads a block with a scope of its own.
func (p *parser) scoped(loop bool, names ...string) []ast.Stmt {
	p.open(false, loop)
	defer p.close()
	for _, n := range names {
		p.declare(n, false)
	}
	return p.block()
}

// statement reads a statement. It ends the block where the rest of it became a part of the statement.
func (p *parser) statement() (out []ast.Stmt, ends bool) {
	one := func(s ast.Stmt, last int) ([]ast.Stmt, bool) {
		if last > 0 {
			s.SetLastLine(last)
		}
		return []ast.Stmt{s}, false
	}
	line := p.t.line
	switch p.t.kind {
	case ";":
		p.advance()
		return nil, false
	case "::":
		p.advance()
		s := at(&ast.LabelStmt{Name: p.expect(tokName).text}, line)
		p.expect("::")
		return one(s, 0)
	case "goto":
		p.advance()
		return one(at(&ast.GotoStmt{Label: p.expect(tokName).text}, line), 0)
	case "break":
		p.advance()
		return one(at(&ast.BreakStmt{}, line), 0)
	case "do":
		p.advance()
		s := at(&ast.DoBlockStmt{Stmts: p.scoped(false)}, line)
		return one(s, p.closing("end", "do", line).line)
	case "while":
		p.advance()
		s := at(&ast.WhileStmt{Condition: p.expression()}, line)
		p.expect("do")
		s.Stmts = p.scoped(true)
		return one(s, p.closing("end", "while", line).line)
	case "repeat":
		p.advance()
		p.open(false, true)
		s := at(&ast.RepeatStmt{Stmts: p.block()}, line)
		p.closing("until", "repeat", line)
		s.Condition = p.expression() // it sees the block's variables
		p.close()
		return one(s, s.Condition.Line())
	case "if":
		s, last := p.conditional(line)
		return one(s, last)
	case "for":
		s, last := p.loop(line)
		return one(s, last)
	case "function":
		return one(p.functionStatement(line), 0)
	case "local":
		p.advance()
		return p.localStatement(line)
	}
	return one(p.expressionStatement(line), 0)
}

func (p *parser) conditional(line int) (*ast.IfStmt, int) {
	p.advance()
	s := at(&ast.IfStmt{Condition: p.expression()}, line)
	p.expect("then")
	s.Then = p.scoped(false)
	switch {
	case p.is("elseif"):
		inner, last := p.conditional(p.t.line)
		s.Else = []ast.Stmt{inner}
		return s, last
	case p.take("else"):
		s.Else = p.scoped(false)
	}
	return s, p.closing("end", "if", line).line
}

func (p *parser) loop(line int) (ast.Stmt, int) {
	p.advance()
	names := []string{p.expect(tokName).text}
	if p.take("=") {
		s := at(&ast.NumberForStmt{Name: names[0], Init: p.expression()}, line)
		p.expect(",")
		s.Limit = p.expression()
		if p.take(",") {
			s.Step = p.expression()
		}
		p.expect("do")
		s.Stmts = p.scoped(true, names...)
		return s, p.closing("end", "for", line).line
	}
	for p.take(",") {
		names = append(names, p.expect(tokName).text)
	}
	p.expect("in")
	s := at(&ast.GenericForStmt{Names: names, Exprs: p.expressions()}, line)
	p.expect("do")
	s.Stmts = p.scoped(true, names...)
	return s, p.closing("end", "for", line).line
}

func (p *parser) functionStatement(line int) ast.Stmt {
	p.advance()
	name := p.expect(tokName)
	var fn ast.Expr = p.variable(name)
	out := &ast.FuncName{Func: fn}
	for p.is(".") || p.is(":") {
		method := p.take(":")
		if !method {
			p.advance()
		}
		key := p.expect(tokName)
		if method {
			out = &ast.FuncName{Receiver: fn, Method: key.text}
			break
		}
		fn = at(&ast.AttrGetExpr{Object: fn, Key: at(&ast.StringExpr{Value: key.text}, key.line)}, key.line)
		out = &ast.FuncName{Func: fn}
	}
	body := p.function(line, out.Method != "")
	if _, ok := out.Func.(*ast.IdentExpr); !ok && out.Method == "" {
		return at(&ast.AssignStmt{Lhs: []ast.Expr{out.Func}, Rhs: []ast.Expr{body}}, line)
	}
	return at(&ast.FuncDefStmt{Name: out, Func: body}, line)
}

// localStatement reads what stands behind local.
func (p *parser) localStatement(line int) ([]ast.Stmt, bool) {
	if p.take("function") {
		name := p.expect(tokName).text
		p.declare(name, false)
		s := at(&ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{p.function(line, false)}}, line)
		return []ast.Stmt{s}, false
	}
	s := at(&ast.LocalAssignStmt{Exprs: []ast.Expr{}}, line)
	constant, closed := []bool{}, ""
	for {
		name, attribute := p.expect(tokName).text, ""
		if p.take("<") {
			if attribute = p.expect(tokName).text; attribute != "const" && attribute != "close" {
				p.near("unknown attribute '" + attribute + "'")
			}
			p.expect(">")
		}
		if attribute == "close" {
			closed = name
		}
		s.Names, constant = append(s.Names, name), append(constant, attribute != "")
		if !p.take(",") {
			break
		}
	}
	if p.take("=") {
		s.Exprs = p.expressions()
	}
	for i, name := range s.Names {
		p.declare(name, constant[i])
	}
	if closed != "" {
		return append([]ast.Stmt{s}, p.closes(closed, line)), true
	}
	return []ast.Stmt{s}, false
}

// closes makes the rest of the block a function, which is called so that the variable is closed behind it.
func (p *parser) closes(name string, line int) ast.Stmt {
	whole := p.scopes[len(p.scopes)-1].function
	rest := p.block()
	if crosses(rest, false) || !whole && crosses(rest, true) {
		p.line = line
		p.fail("a variable is to be closed in a block that is left by break, goto or return: give it a function of its own")
	}
	fn := at(&ast.FunctionExpr{ParList: &ast.ParList{HasVargs: true}, Stmts: rest}, line)
	args := []ast.Expr{at(&ast.IdentExpr{Value: name}, line), fn}
	if whole {
		args = append(args, at(&ast.Comma3Expr{}, line))
		return at(&ast.ReturnStmt{Exprs: []ast.Expr{p.runtime(closes, line, args...)}}, line)
	}
	return at(&ast.FuncCallStmt{Expr: p.runtime(closes, line, args...)}, line)
}

// crosses tells whether statements leave the block that they are in: by break or goto, or by return.
func crosses(stmts []ast.Stmt, byReturn bool) bool {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			if byReturn {
				return true
			}
		case *ast.GotoStmt:
			return true
		case *ast.BreakStmt:
			if !byReturn {
				return true
			}
		case *ast.DoBlockStmt:
			if crosses(s.Stmts, byReturn) {
				return true
			}
		case *ast.IfStmt:
			if crosses(s.Then, byReturn) || crosses(s.Else, byReturn) {
				return true
			}
		case *ast.WhileStmt:
			if byReturn && crosses(s.Stmts, true) {
				return true
			}
		case *ast.NumberForStmt:
			if byReturn && crosses(s.Stmts, true) {
				return true
			}
		case *ast.GenericForStmt:
			if byReturn && crosses(s.Stmts, true) {
				return true
			}
		case *ast.RepeatStmt:
			if byReturn && crosses(s.Stmts, true) {
				return true
			}
		}
	}
	return false
}

// expressionStatement reads an assignment or a call.
func (p *parser) expressionStatement(line int) ast.Stmt {
	e := p.suffixed()
	if !p.is("=") && !p.is(",") {
		call, ok := e.(*ast.FuncCallExpr)
		if !ok || call.AdjustRet {
			p.near("syntax error")
		}
		return at(&ast.FuncCallStmt{Expr: call}, line)
	}
	s := at(&ast.AssignStmt{Lhs: []ast.Expr{e}}, line)
	for p.take(",") {
		s.Lhs = append(s.Lhs, p.suffixed())
	}
	p.expect("=")
	for _, to := range s.Lhs {
		switch to := to.(type) {
		case *ast.IdentExpr:
			if _, constant := p.local(to.Value); constant {
				p.line = line
				p.fail("attempt to assign to const variable '" + to.Value + "'")
			}
		case *ast.AttrGetExpr:
		default:
			p.near("syntax error")
		}
	}
	s.Rhs = p.expressions()
	return s
}
