package main

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryFolderIsCalled makes folders of tests, some of which can be called from elsewhere.
func TestEveryFolderIsCalled(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{
		"a/a_test.go":    "package a_test\nfunc TestA(t *testing.T) {}\nfunc help() {}\nfunc (x) TestMethod() {}",
		"a/more_test.go": "package a_test\nfunc FuzzA(f *testing.F) {}\nfunc BenchmarkA(b *testing.B) {}",
		"b/b_test.go":    "package b_test\nfunc TestB(t *testing.T) {}",
		"b/in_test.go":   "package b\nfunc TestInside(t *testing.T) {}",
		"c/c.go":         "package c",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folders, err := read(dir)
	if err != nil || len(folders) != 1 || folders[0].name != "a" || len(folders[0].files) != 2 {
		t.Fatalf("the folders are %v (%v)", folders, err)
	}
	text := caller(folders)
	if _, err := format.Source([]byte(text)); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	for _, want := range []string{
		"\ta_test \"remora/protocols/testrun/a\"\n",
		"func Test_a_A(t *testing.T) {\n\tt.Chdir(\"a\")\n\ta_test.TestA(t)\n}\n",
		"func Fuzz_a_A(t *testing.F) {\n\tt.Chdir(\"a\")\n\ta_test.FuzzA(t)\n}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks\n%s", text, want)
		}
	}
	if strings.Contains(text, "Benchmark") || strings.Contains(text, "Method") || strings.Contains(text, "help") {
		t.Errorf("what is no test is called in\n%s", text)
	}
}

// TestFoldersOfProtocols looks at the tree: most folders have tests that see them from outside.
func TestFoldersOfProtocols(t *testing.T) {
	folders, err := read(filepath.Join("..", "..", "protocols"))
	if err != nil || len(folders) < 60 {
		t.Errorf("%d folders (%v)", len(folders), err)
	}
}
