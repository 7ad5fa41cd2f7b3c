// Command testrun runs go test over the whole tree, with the tests in the folders of the protocols linked into one
// program, and those in the folders of the screen into another: to link all protocols once for each of 150 folders
// takes longer than the tests themselves. Its arguments are flags of go test. Where up to three tests fail, they are
// run once more by themselves, and named if they pass then.
//
// The folders stay as they are, and go test ./protocols/ntp runs the tests of one. In what testrun runs, the tests of a
// folder are among those of ./protocols and have its name in theirs: TestValues of ntp is Test_ntp_Values.
//
// Packages without tests are left out, and so are those whose tests do no more where all tests are asked for (testall).
//
// With -c, a group and a file, it builds the group's program and runs nothing. What -overlay replaces otherwise stays
// so: testrun -c protocols protocols.exe -overlay=wine.json.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"remora/internal/testall"
)

// groups are the folders below which all tests run in one program.
var groups = []string{"protocols", "ui"}

// first are the packages whose tests take longest. They begin first, so that none is waited for alone in the end.
var first = []string{"remora/ui", "remora/protocols", "remora/fixtures", "remora/internal/cli"}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(1)
	}
}

func run(flags []string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "testrun")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	replace, grouped := map[string]string{}, map[string]bool{}
	built, flags, err := onlyBuilt(flags, replace)
	if err != nil {
		return err
	}
	for _, g := range groups {
		folders, err := read(filepath.Join(root, g))
		if err != nil {
			return err
		}
		for _, f := range folders {
			grouped[path.Join("remora", g, f.path)] = true
		}
		if err := overlay(replace, dir, root, g, folders); err != nil {
			return err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	if built != nil {
		return command(file, flags, built, io.Discard).Run()
	}
	packages, err := others(grouped)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	run := func(args ...string) *exec.Cmd { return command(file, flags, args, &said) }
	if err = run(packages...).Run(); err == nil {
		return nil
	}
	if failed := failures(said.String()); repeatable(failed) {
		return again(failed, os.Stdout, run)
	}
	return err
}

// command is go test, whose output is kept, too.
func command(overlay string, flags, args []string, said io.Writer) *exec.Cmd {
	cmd := exec.Command("go", slices.Concat([]string{"test", "-overlay", overlay}, flags, args)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, io.MultiWriter(os.Stdout, said), os.Stderr
	return cmd
}

// onlyBuilt takes -c, its group and its file from the flags, and what -overlay replaces: built are the words that have
// go test build the group's program, nil without -c.
func onlyBuilt(flags []string, replace map[string]string) (built, rest []string, err error) {
	if len(flags) >= 3 && flags[0] == "-c" {
		built, flags = []string{"-c", "-o", flags[2], "./" + flags[1]}, flags[3:]
	}
	for _, f := range flags {
		file, ok := strings.CutPrefix(f, "-overlay=")
		if !ok {
			rest = append(rest, f)
			continue
		}
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &struct{ Replace map[string]string }{replace})
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return built, rest, nil
}

// others are the packages of the tree but for those whose tests run in a group's program, and these programs. Where all
// tests are asked for, packages whose tests do no more then are left out: make test has run them.
func others(grouped map[string]bool) ([]string, error) {
	out, err := exec.Command("go", "list", "-test", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./...").Output()
	if err != nil {
		return nil, err
	}
	rest := slices.Clone(first)
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		p, isTest := strings.CutSuffix(words[0], ".test")
		if !isTest || grouped[p] || slices.Contains(first, p) {
			continue
		}
		if !testall.On() || slices.Contains(words, "remora/internal/testall") {
			rest = append(rest, p)
		}
	}
	return rest, nil
}

// overlay has the go command see a test of a group that calls those of its folders. Tests that see their package from
// inside become a part of it, which is no test then; those that see it from outside become a package below testrun.
func overlay(replace map[string]string, dir, root, group string, folders []folder) error {
	for _, f := range folders {
		for _, file := range f.files {
			name := strings.TrimSuffix(filepath.Base(file.path), "_test.go") + "_testrun.go"
			to := filepath.Join(root, group, f.path, name)
			if file.outside {
				to = filepath.Join(root, group, f.beside(), name)
			}
			replace[to] = file.path
		}
	}
	calls := filepath.Join(dir, group+"_test.go")
	replace[filepath.Join(root, group, "folders_test.go")] = calls
	return os.WriteFile(calls, []byte(caller(group, folders)), 0o600)
}

// caller is a file of tests, each of which calls one of a folder, in that folder.
func caller(group string, folders []folder) string {
	var imports, tests strings.Builder
	for _, f := range folders {
		imported := map[string]bool{}
		for _, file := range f.files {
			from, as := path.Join("remora", group, f.path), f.name()
			if file.outside {
				from, as = path.Join("remora", group, f.beside()), f.name()+"_test"
			}
			for _, test := range file.tests {
				if !imported[as] {
					fmt.Fprintf(&imports, "\t%s %q\n", as, from)
					imported[as] = true
				}
				fmt.Fprintf(&tests, "\nfunc %s_%s_%s(t *testing.%s) {\n\tt.Chdir(%q)\n\t%s.%[1]s%[3]s(t)\n}\n",
					test.kind, f.name(), test.name, test.kind[:1], f.path, as)
			}
		}
	}
	return "package " + group + "_test\n\nimport (\n\t\"testing\"\n\n" + imports.String() + ")\n" + tests.String()
}
