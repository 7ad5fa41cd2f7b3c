package main

import (
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryFolderIsCalled makes folders of tests, most of which can be called from elsewhere.
func TestEveryFolderIsCalled(t *testing.T) {
	dir := t.TempDir()
	group := filepath.Join(dir, "group")
	for path, text := range map[string]string{
		"a/a_test.go":    "package a_test\nfunc TestA(t *testing.T) {}\nfunc help() {}\nfunc (x) TestMethod() {}",
		"a/more_test.go": "package a_test\nfunc FuzzA(f *testing.F) {}\nfunc BenchmarkA(b *testing.B) {}",
		"b/b_test.go":    "package b_test\nfunc TestB(t *testing.T) {}",
		"b/in_test.go":   "package b\nfunc TestInside(t *testing.T) {}",
		"c/c.go":         "package c",
		"d/e/e_test.go":  "package e\nfunc TestE(t *testing.T) {}",
		"f/f_test.go":    "package f\nfunc TestMain(m *testing.M) {}\nfunc TestF(t *testing.T) {}",
		"g/g_test.go":    "package g\n\n//testrun:alone\n\nfunc TestG(t *testing.T) {}",
		"own_test.go":    "package group\nfunc TestOwn(t *testing.T) {}",
	} {
		path = filepath.Join(group, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folders, err := read(group)
	if err != nil || len(folders) != 3 || folders[0].path != "a" || len(folders[0].files) != 2 ||
		folders[2].path != "d/e" {
		t.Fatalf("the folders are %v (%v)", folders, err)
	}
	replace := map[string]string{}
	if err := overlay(replace, dir, dir, "group", folders); err != nil {
		t.Fatal(err)
	}
	want := []string{"b/in_testrun.go", "d/e/e_testrun.go", "folders_test.go", "testrun/a/a_testrun.go",
		"testrun/a/more_testrun.go", "testrun/b/b_testrun.go"}
	for i := range want {
		want[i] = filepath.Join(group, want[i])
	}
	if got := slices.Sorted(maps.Keys(replace)); !slices.Equal(got, want) {
		t.Errorf("the overlay has %q, want %q", got, want)
	}
	text := caller("group", folders)
	if _, err := format.Source([]byte(text)); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	for _, want := range []string{
		"\ta_test \"remora/group/testrun/a\"\n",
		"\tb_test \"remora/group/testrun/b\"\n",
		"\tb \"remora/group/b\"\n",
		"\td_e \"remora/group/d/e\"\n",
		"func Test_a_A(t *testing.T) {\n\tt.Chdir(\"a\")\n\ta_test.TestA(t)\n}\n",
		"func Fuzz_a_A(t *testing.F) {\n\tt.Chdir(\"a\")\n\ta_test.FuzzA(t)\n}\n",
		"func Test_b_Inside(t *testing.T) {\n\tt.Chdir(\"b\")\n\tb.TestInside(t)\n}\n",
		"func Test_d_e_E(t *testing.T) {\n\tt.Chdir(\"d/e\")\n\td_e.TestE(t)\n}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks\n%s", text, want)
		}
	}
	for _, other := range []string{"Benchmark", "Method", "help", "TestF", "TestG", "Own"} {
		if strings.Contains(text, other) {
			t.Errorf("%s, which is not the folders' to test, is in\n%s", other, text)
		}
	}
}

// TestFoldersOfTheTree looks at the tree: most folders have tests that can run elsewhere.
func TestFoldersOfTheTree(t *testing.T) {
	for _, group := range groups {
		folders, err := read(filepath.Join("..", "..", group))
		if err != nil || len(folders) < 50 {
			t.Errorf("%d folders in %s (%v)", len(folders), group, err)
		}
	}
}
