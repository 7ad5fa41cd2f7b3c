package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// inputFolders hold the code that goes over bytes of packets.
var inputFolders = []string{"protocols/…", "dissect", "internal/coding", "internal/crypt"}

// otherLoops are the functions whose loops end for another reason than that they visibly move on.
var otherLoops = map[string]string{
	"dissect.appendEscaped":  "each rune has a width",
	"dissect.at":             "goes back over changes, each of which was before the last",
	"dissect.put":            "appends until it is long enough",
	"dissect.escapeRest":     "each rune has a width",
	"dissect.answerOf":       "appends until it is long enough",
	"dissect.rebuild":        "doubles until it is large enough",
	"dissect.shrink":         "ends when a turn gave up nothing",
	"dissect.of":             "follows a list that only grows at its end",
	"dissect.Pass":           "waits for packets; each turn passes frames",
	"dissect.redissect":      "each turn times one field more",
	"dissect.addField":       "appends until it is long enough",
	"dissect.bytes":          "goes back over the stream's refs, none of which is empty",
	"dissect.catchUp":        "each turn takes a parked segment away",
	"dissect.templateParts":  "goes over a declaration's own text",
	"dissect.grow":           "a hash table is never full",
	"dissect.guarded":        "waits for work; each turn but the last gives up a frame for good",
	"dissect.hang":           "follows a list that only grows at its end",
	"dissect.lose":           "follows a list that only grows at its end",
	"dissect.onesComplement": "fixed steps through a slice, and a carry that vanishes",
	"dissect.place":          "a hash table is never full",
	"dissect.placeOf":        "a hash table is never full",
	"dissect.reachOf":        "appends until it is long enough",
	"dissect.take": "each turn takes one of the stream's refs, which hold as many bytes as are " +
		"asked for",
	"dissect.touch":                                  "follows a list that only grows at its end",
	"dissect.watch":                                  "waits for the work that it watches",
	"protocols/internal/httpbody.chain":              "follows numbers of a list up to a bound",
	"protocols/internal/protofile.find":              "goes outwards through scopes",
	"protocols/internal/protofile.typeOf":            "goes outwards through scopes",
	"protocols/internal/protofile.unescape":          "goes over a text of a file, one byte further at least",
	"protocols/internal/protofile.withoutAggregates": "goes over a file, whose tokens have a length",
	"protocols/internal/texts.Append":                "each turn takes a part of fixed size",
	"protocols/dhcp.domain":                          "compression goes back, as often as a bound allows",
	"protocols/http2.number":                         "an end of the bytes or of the number's width ends it",
	"protocols/http3.find":                           "goes down to a number",
	"protocols/json.rows":                            "the decoder of the standard library moves on or fails",
	"protocols/kaillera.count":                       "each turn takes an entry of a ring away",
	"protocols/kaillera.hasData":                     "shifts a bit out each turn",
	"protocols/kaillera.expertNumbers":               "clears a bit each turn",
	"protocols/netbios.decode":                       "compression goes back, as often as a bound allows",
	"protocols/openvpn.take":                         "each turn takes a held packet away",
	"protocols/rtp.feedback":                         "shifts a bit out each turn",
	"protocols/sctp.add":                             "each turn takes a fragment away",
	"protocols/sctp.reach": "goes along neighbours that are there, whose numbers do not repeat before all " +
		"are seen",
	"protocols/soaprun.nextMessage": "goes up by one at least",
	"protocols/tls.prf":             "appends until it is long enough",
	"protocols/touhou.watch":        "counts down",
	"protocols/websocket.add":       "looks at each window twice at most: what it passes over is not used then",
	"protocols/websocket.chain":     "follows numbers of a list up to a bound",
	"protocols/websocket.text":      "appends until it is long enough",
}

// TestLoopsProgress looks for loops over input that could stand still. Such a loop stops the program with one packet. A
// loop is sound when its head asks Elements or Progress of package dissect, which end it when it does not move on, or
// when it counts: its last statement moves a variable of its condition by a step, and nothing else in it sets the
// variable back. Range loops are sound. Loops whose head asks the cursor must ask Elements even where they count, since
// counts come from the packet.
func TestLoopsProgress(t *testing.T) {
	seen, used := 0, map[string]bool{}
	sources(t, func(folder, name string, file *ast.File) {
		if !slices.ContainsFunc(inputFolders, func(p string) bool { return matches(p, folder) }) {
			return
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				loop, ok := n.(*ast.ForStmt)
				if !ok {
					return true
				}
				seen++
				if key := folder + "." + f.Name.Name; otherLoops[key] != "" {
					used[key] = true
				} else if !progresses(loop) {
					t.Errorf("%s: the loop at %s in %s may stand still: ask d.Elements or dissect.Progress in its condition",
						name, lineOf(loop.Pos()), f.Name.Name)
				}
				return true
			})
		}
	})
	for key := range otherLoops {
		if !used[key] {
			t.Errorf("%s has no loop, but stands among the exceptions", key)
		}
	}
	if seen < 300 {
		t.Errorf("only %d loops seen: is this the tree?", seen)
	}
}

// positions are those of the files that sources parsed last.
var positions *token.FileSet

func lineOf(p token.Pos) string { return fmt.Sprintf("line %d", positions.Position(p).Line) }

// progresses tells whether a loop is sound.
func progresses(loop *ast.ForStmt) bool {
	guarded, cursor := asks(loop.Cond)
	if guarded {
		return true
	}
	return loop.Cond != nil &&
		(!cursor && counts(loop, loop.Post) || slices.ContainsFunc(loop.Body.List, func(s ast.Stmt) bool {
			return counts(loop, s) && !continues(loop.Body)
		}))
}

// asks tells whether a condition asks the guards of loops, and whether it asks the cursor for what is left.
func asks(cond ast.Expr) (guarded, cursor bool) {
	each(cond, func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		guarded = guarded || slices.Contains([]string{"Next", "NextAt", "Up", "Down"}, s.Sel.Name)
		cursor = cursor || slices.Contains([]string{"More", "Left"}, s.Sel.Name)
	})
	return guarded, cursor
}

// counts tells whether a statement moves a variable of the loop's condition by a step, always the same way, and no
// other statement of the loop moves it another way.
func counts(loop *ast.ForStmt, step ast.Stmt) bool {
	variable, up := stepOf(step)
	if variable == "" || !mentions(loop.Cond, variable) {
		return false
	}
	sound := true
	each(loop.Body, func(n ast.Node) {
		switch s := n.(type) {
		case *ast.IncDecStmt:
			v, same := stepOf(s)
			sound = sound && (v != variable || same == up)
		case *ast.AssignStmt:
			if v, same := stepOf(s); v == variable && same == up {
				return
			}
			for _, x := range s.Lhs {
				sound = sound && (s.Tok == token.DEFINE || written(x) != variable)
			}
		}
	})
	return sound
}

// stepOf is the variable that a statement moves by one, or by a constant, and whether it goes up. A slice that loses
// its beginning goes down.
func stepOf(s ast.Stmt) (variable string, up bool) {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		return written(s.X), s.Tok == token.INC
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 {
			return "", false
		}
		number, constant := s.Rhs[0].(*ast.BasicLit)
		constant = constant && number.Value != "0"
		switch part, ok := s.Rhs[0].(*ast.SliceExpr); {
		case constant && (s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN):
			return written(s.Lhs[0]), s.Tok == token.ADD_ASSIGN
		case constant && (s.Tok == token.SHR_ASSIGN || s.Tok == token.QUO_ASSIGN && number.Value != "1"):
			return written(s.Lhs[0]), false
		case ok && s.Tok == token.ASSIGN && part.High == nil && written(part.X) == written(s.Lhs[0]):
			if low, ok := part.Low.(*ast.BasicLit); ok && low.Value != "0" {
				return written(s.Lhs[0]), false
			}
		}
	}
	return "", false
}

// written is a variable or a field of one as it is written, "" for anything else.
func written(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if of := written(x.X); of != "" {
			return of + "." + x.Sel.Name
		}
	}
	return ""
}

func mentions(x ast.Expr, variable string) (found bool) {
	each(x, func(n ast.Node) {
		if e, ok := n.(ast.Expr); ok && written(e) == variable {
			found = true
		}
	})
	return found
}

func continues(b *ast.BlockStmt) (found bool) {
	each(b, func(n ast.Node) {
		if s, ok := n.(*ast.BranchStmt); ok && s.Tok == token.CONTINUE {
			found = true
		}
	})
	return found
}

func each(n ast.Node, do func(ast.Node)) {
	if n == nil || n == ast.Expr(nil) {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if n != nil {
			do(n)
		}
		return true
	})
}

// TestProgresses holds the rule against loops that can and cannot stand still.
func TestProgresses(t *testing.T) {
	for text, want := range map[string]bool{
		"for d.More() { read() }":                                                   false,
		"for d.Left() >= 4 { read() }":                                              false,
		"for n := count; n > 0 && d.More(); n-- { read() }":                         false,
		"for more := d.Elements(); more.Next(); { read() }":                         true,
		"for more := d.Elements(); n > 0 && more.Next(); n-- { read() }":            true,
		"for len(b) > 0 { b = after(b) }":                                           false,
		"for len(b) > 0 { b = b[n:] }":                                              false,
		"for len(b) > 0 { b = b[0:] }":                                              false,
		"for p := (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); { b = f(b) }": true,
		"for len(b) >= 8 { sum += le(b); b = b[8:] }":                               true,
		"for len(b) >= 8 { if odd { continue }; b = b[8:] }":                        false,
		"for i := 0; i < len(b); i++ { if b[i] == 1 { i++ } }":                      true,
		"for i := 0; i < len(b); i++ { if b[i] == 1 { i = jump(i) } }":              false,
		"for i := 0; i < len(b); i++ { if b[i] == 1 { i-- } }":                      false,
		"for i < len(b) && b[i] == ' ' { i++ }":                                     true,
		"for i < len(b) { i += n }":                                                 false,
		"for { if done() { break } }":                                               false,
		"for s.from < s.to { s.from++ }":                                            true,
		"for v != 0 { v >>= 1 }":                                                    true,
	} {
		if got := progresses(parseLoop(t, text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func parseLoop(t *testing.T, text string) *ast.ForStmt {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func f() { "+text+" }", 0)
	if err != nil {
		t.Fatal(err)
	}
	return file.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.ForStmt)
}
