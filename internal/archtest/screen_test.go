package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The screen's model is a frame for its views and panes: what belongs to one of them is in its package. The bounds may
// only fall.
const (
	modelFields    = 28
	modelMethods   = 83
	contextMethods = 15
)

// parsed are the files of a folder but its tests.
func parsed(t *testing.T, folder string) []*ast.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s holds no Go files (%v)", folder, err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// declared is the type of a name in some files, nil for none.
func declared(files []*ast.File, name string) (found ast.Expr) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok && s.Name.Name == name {
				found = s.Type
			}
			return found == nil
		})
	}
	return found
}

// TestTheModelStaysSmall counts what the screen's model holds and does itself.
func TestTheModelStaysSmall(t *testing.T) {
	files := parsed(t, "../../ui")
	model, ok := declared(files, "model").(*ast.StructType)
	if !ok {
		t.Fatal("ui has no model")
	}
	if n := model.Fields.NumFields(); n > modelFields {
		t.Errorf("the model has %d fields, more than %d: what belongs to one view or pane goes to its package", n,
			modelFields)
	}
	methods := 0
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			if star, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok && star.X.(*ast.Ident).Name == "model" {
				methods++
			}
		}
	}
	if methods > modelMethods {
		t.Errorf("the model has %d methods, more than %d: what belongs to one view or pane goes to its package", methods,
			modelMethods)
	}
	t.Logf("the model has %d fields and %d methods", model.Fields.NumFields(), methods)
}

// contexts are what may be asked of the screen, by who asks.
func contexts(t *testing.T) map[string]*ast.InterfaceType {
	t.Helper()
	out := map[string]*ast.InterfaceType{}
	folders, err := filepath.Glob("../../ui/pane/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{
		"view", "view/coloring", "view/columns", "help", "search", "keying", "dialog", "prompt", "palette", "favourites",
		"decode", "chooser", "undo", "copying", "comments", "saving", "control", "header", "foot",
	} {
		folders = append(folders, "../../ui/"+folder)
	}
	for _, folder := range folders {
		context, ok := declared(parsed(t, folder), "Context").(*ast.InterfaceType)
		if !ok {
			t.Fatalf("%s has no Context", folder)
		}
		out[folder] = context
	}
	return out
}

// TestViewsAndPanesKnowLittle bounds what a view or a pane may ask of the screen.
func TestViewsAndPanesKnowLittle(t *testing.T) {
	for folder, context := range contexts(t) {
		if n := context.Methods.NumFields(); n > contextMethods {
			t.Errorf("%s may ask %d things of the screen, more than %d", folder, n, contextMethods)
		}
	}
}
