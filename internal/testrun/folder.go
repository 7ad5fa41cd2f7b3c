package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// A folder is one of the protocols' whose tests see it from outside, as package ntp_test sees ntp.
type folder struct {
	name  string
	files []string
	tests []test
}

// A test is a function that the go command would run: TestValues is of the kind "Test" and has the name "Values".
type test struct{ kind, name string }

// read finds the folders below a path of which all tests see their package from outside.
func read(path string) (list []folder, err error) {
	files, err := filepath.Glob(filepath.Join(path, "*", "*_test.go"))
	if err != nil {
		return nil, err
	}
	inside := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(filepath.Dir(file))
		inside[name] = inside[name] || parsed.Name.Name != name+"_test"
		if len(list) == 0 || list[len(list)-1].name != name {
			list = append(list, folder{name: name})
		}
		f := &list[len(list)-1]
		f.files = append(f.files, file)
		f.tests = append(f.tests, tests(parsed)...)
	}
	return slices.DeleteFunc(list, func(f folder) bool { return inside[f.name] }), nil
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
