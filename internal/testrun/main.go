// Command testrun runs go test over the whole tree, with the tests in the folders of the protocols linked into one
// program: to link all protocols once for each of eighty folders takes longer than the tests themselves. Its arguments
// are flags of go test.
//
// The folders stay as they are, and go test ./protocols/ntp runs the tests of one. In what testrun runs, the tests of a
// folder are among those of ./protocols and have its name in theirs: TestValues of ntp is Test_ntp_Values.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

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
	folders, err := read(filepath.Join(root, "protocols"))
	if err != nil {
		return err
	}
	packages, err := others(folders)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "testrun")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := write(dir, root, folders)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", append(append([]string{"test", "-overlay", overlay}, flags...), packages...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

// others are the packages of the tree but for those of the folders.
func others(folders []folder) ([]string, error) {
	out, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		return nil, err
	}
	in := map[string]bool{}
	for _, f := range folders {
		in["remora/protocols/"+f.name] = true
	}
	var rest []string
	for _, p := range strings.Fields(string(out)) {
		if !in[p] {
			rest = append(rest, p)
		}
	}
	return rest, nil
}

// write puts an overlay for the go command into dir, and is its path. In it the files of a folder's tests are those of
// a package that is no test, and a test of ./protocols calls what they declare.
func write(dir, root string, folders []folder) (string, error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for _, f := range folders {
		for _, file := range f.files {
			name := strings.TrimSuffix(filepath.Base(file), "_test.go") + ".go"
			overlay.Replace[filepath.Join(root, "protocols", "testrun", f.name, name)] = file
		}
	}
	calls := filepath.Join(dir, "folders_test.go")
	overlay.Replace[filepath.Join(root, "protocols", "folders_test.go")] = calls
	if err := os.WriteFile(calls, []byte(caller(folders)), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}

// caller is a file of tests, each of which calls one of a folder, in that folder.
func caller(folders []folder) string {
	var imports, tests strings.Builder
	for _, f := range folders {
		fmt.Fprintf(&imports, "\t%s_test \"remora/protocols/testrun/%[1]s\"\n", f.name)
		for _, test := range f.tests {
			fmt.Fprintf(&tests, "\nfunc %s_%s_%s(t *testing.%s) {\n\tt.Chdir(%[2]q)\n\t%[2]s_test.%[1]s%[3]s(t)\n}\n",
				test.kind, f.name, test.name, test.kind[:1])
		}
	}
	return "package protocols_test\n\nimport (\n\t\"testing\"\n\n" + imports.String() + ")\n" + tests.String()
}
