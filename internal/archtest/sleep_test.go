package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoSleepInsteadOfWaiting looks for tests that sleep where they could wait. A test may sleep between two looks at a
// condition, in a loop that the condition ends, or on a line with a comment that says why there is nothing to look at.
func TestNoSleepInsteadOfWaiting(t *testing.T) {
	root := os.DirFS(filepath.Join("..", ".."))
	sleeps := 0
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, sleep := range unexplained(set, file, &sleeps) {
			t.Errorf("%s: a test sleeps: wait for a condition, or say on this line why there is none", set.Position(sleep))
		}
		return nil
	})
	if err != nil || sleeps < 10 {
		t.Errorf("%d calls of time.Sleep were seen (%v)", sleeps, err)
	}
}

// unexplained are the calls of time.Sleep in a file that stand in no loop over a condition and have no comment on their
// line. It counts all calls.
func unexplained(set *token.FileSet, file *ast.File, all *int) (list []token.Pos) {
	said := map[int]bool{}
	for _, group := range file.Comments {
		said[set.Position(group.Pos()).Line] = true
	}
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if isSleep(n) {
			if *all++; !polls(stack) && !said[set.Position(n.Pos()).Line] {
				list = append(list, n.Pos())
			}
		}
		return true
	})
	return list
}

func isSleep(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || name.Sel.Name != "Sleep" {
		return false
	}
	of, ok := name.X.(*ast.Ident)
	return ok && of.Name == "time"
}

// polls says whether the innermost loop around a node, given with all that it stands in, ends by a condition: its own,
// or that of an if in it.
func polls(stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		switch loop := stack[i].(type) {
		case *ast.ForStmt:
			return loop.Cond != nil || leaves(loop.Body)
		case *ast.RangeStmt:
			return leaves(loop.Body)
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// leaves says whether an if right in a loop's body leaves the loop.
func leaves(body *ast.BlockStmt) bool {
	for _, s := range body.List {
		branch, ok := s.(*ast.IfStmt)
		if !ok {
			continue
		}
		found := false
		ast.Inspect(branch, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			case *ast.BranchStmt:
				found = found || n.Tok == token.BREAK
			}
			return true
		})
		if found {
			return true
		}
	}
	return false
}

func TestUnexplainedSleeps(t *testing.T) {
	const text = `package x
func f() {
	time.Sleep(1)
	time.Sleep(2) // why
	for !done() { time.Sleep(3) }
	for { if done() { break }; time.Sleep(4) }
	for range 5 { time.Sleep(5) }
	for { if done() { return }; go func() { time.Sleep(6) }() }
}`
	set, all := token.NewFileSet(), 0
	file, err := parser.ParseFile(set, "x.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, p := range unexplained(set, file, &all) {
		lines = append(lines, set.Position(p).Line)
	}
	if all != 6 || len(lines) != 3 || lines[0] != 3 || lines[1] != 7 || lines[2] != 8 {
		t.Errorf("of %d calls those in lines %v are unexplained", all, lines)
	}
}
