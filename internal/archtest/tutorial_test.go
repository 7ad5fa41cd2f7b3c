package archtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tutorial are the files that docs/plugins.md writes, by their paths; blocks of one file follow each other.
func tutorial(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "plugins.md"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for i, part := range strings.Split(string(text), "```") {
		code, isGo := strings.CutPrefix(part, "go\n// file: ")
		if path, body, ok := strings.Cut(code, "\n"); i%2 == 1 && isGo && ok {
			files[path] += body
		}
	}
	return files
}

// TestTutorial builds and tests what docs/plugins.md writes, as if it stood in the tree.
func TestTutorial(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	packages := map[string]bool{}
	for path, body := range tutorial(t) {
		file := filepath.Join(t.TempDir(), filepath.Base(path))
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, path)] = file
		packages["./"+filepath.Dir(path)] = true
	}
	if len(packages) != 2 {
		t.Fatalf("docs/plugins.md writes the packages %v", packages)
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	args := []string{"test", "-c", "-o", bin + string(filepath.Separator), "-overlay", file, "-vet=off", "-pgo=off"}
	for p := range packages {
		args = append(args, p)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("what docs/plugins.md writes does not build: %v\n%s", err, out)
	}
	for p := range packages {
		test := exec.CommandContext(t.Context(), filepath.Join(bin, filepath.Base(p)+".test"), "-test.v")
		test.Dir = t.TempDir()
		if out, err := test.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("the tests of %s: %v\n%s", p, err, out)
		}
	}
}
