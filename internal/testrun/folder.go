package main

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A folder is one with tests, below one of those in groups.
type folder struct {
	path  string // slash-separated, below the group
	files []file
	alone bool // its tests have to stay in a program of their own
}

// A file is one of tests.
type file struct {
	path    string
	outside bool // it sees its package from outside, as package ntp_test sees ntp
	tests   []test
}

// A test is a function that the go command would run: TestValues is of the kind "Test" and has the name "Values".
type test struct{ kind, name string }

// aloneMark is a line in files of tests. It stands where tests that see their package from inside need another one
// whose tests, in turn, need the package: as parts of their packages both would import each other.
const aloneMark = "\n//testrun:alone\n"

// read finds the folders below a path whose tests another program can run: neither marked nor run by a TestMain.
func read(root string) (list []folder, err error) {
	err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		dir := filepath.Dir(path)
		if err != nil || dir == root || !strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		if fits, err := build.Default.MatchFile(dir, filepath.Base(path)); !fits || err != nil {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(list, func(f folder) bool { return f.path == filepath.ToSlash(below) })
		if i < 0 {
			i, list = len(list), append(list, folder{path: filepath.ToSlash(below)})
		}
		f := &list[i]
		tests := tests(parsed)
		f.files = append(f.files, file{path, strings.HasSuffix(parsed.Name.Name, "_test"), tests})
		f.alone = f.alone || slices.Contains(tests, test{"Test", "Main"}) || bytes.Contains(source, []byte(aloneMark))
		return nil
	})
	return slices.DeleteFunc(list, func(f folder) bool { return f.alone }), err
}

// tests are those that a file declares. Fuzz targets run with the inputs that are stored.
func tests(file *ast.File) (list []test) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		for _, kind := range []string{"Test", "Fuzz"} {
			if name, ok := strings.CutPrefix(f.Name.Name, kind); ok {
				list = append(list, test{kind, name})
			}
		}
	}
	return list
}

// name is what the folder is called where names have no slashes.
func (f folder) name() string { return strings.ReplaceAll(f.path, "/", "_") }

// beside is where tests are put that see their package from outside. It is no internal folder: their caller imports it.
func (f folder) beside() string {
	return path.Join("testrun", strings.ReplaceAll(f.path, "internal/", "within/"))
}
