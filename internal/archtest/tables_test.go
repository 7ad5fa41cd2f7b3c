package archtest

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compiled are the packages of the protocols, and where the compiler left what every package that they import declares.
func compiled(t *testing.T) (packages map[string][]string, exports map[string]string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles",
		"./protocols/...")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages, exports = map[string][]string{}, map[string]string{}
	for list := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
		}
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return packages, exports
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if matches(module+"/protocols/…", p.ImportPath) {
			for _, f := range p.GoFiles {
				packages[p.ImportPath] = append(packages[p.ImportPath], filepath.Join(p.Dir, f))
			}
		}
	}
}

// isTable reports whether a type is dissect.Table.
func isTable(t types.Type) bool { return t != nil && t.String() == module+"/dissect.Table" }

// declaredTables are the literals of constants that are tables.
func declaredTables(file *ast.File) map[*ast.BasicLit]bool {
	out := map[*ast.BasicLit]bool{}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			ast.Inspect(g, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok {
					out[lit] = true
				}
				return true
			})
		}
	}
	return out
}

// TestTablesAreDeclaredOnce: protocols name a table by the constant that declares it, and no two constants are one
// table.
func TestTablesAreDeclaredOnce(t *testing.T) {
	packages, exports := compiled(t)
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	engine, err := imports.Import(module + "/dissect")
	if err != nil {
		t.Fatal(err)
	}
	where := map[string]string{} // where a table is declared, by its name in quotes
	for _, name := range engine.Scope().Names() {
		if c, ok := engine.Scope().Lookup(name).(*types.Const); ok && isTable(c.Type()) {
			where[c.Val().ExactString()] = "dissect." + name
		}
	}
	own := len(where)
	for path, names := range packages {
		var files []*ast.File
		for _, name := range names {
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if _, err := (&types.Config{Importer: imports}).Check(path, set, files, &info); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			declares := declaredTables(file)
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || !isTable(info.Types[lit].Type) {
					return true
				}
				at, name := set.Position(lit.Pos()).String(), info.Types[lit].Value.ExactString()
				switch {
				case !declares[lit]:
					t.Errorf("%s: declare a constant for the table %s, or use the one there is (%s)", at, name, where[name])
				case where[name] != "":
					t.Errorf("%s: the table %s is declared already: %s", at, name, where[name])
				default:
					where[name] = at
				}
				return true
			})
		}
	}
	if own == 0 || len(where)-own < 50 {
		t.Errorf("only %d tables of protocols seen, %d of the engine's: is this the tree?", len(where)-own, own)
	}
}
