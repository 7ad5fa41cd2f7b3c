package archtest

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// drawn are the folders of the tree that docs/architecture.md draws, each with what it says of it.
func drawn(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n## Packages\n")
	_, rest, fenced := strings.Cut(rest, "```\n")
	tree, _, closed := strings.Cut(rest, "\n```")
	if !found || !fenced || !closed {
		t.Fatal("docs/architecture.md draws no tree")
	}
	out, above := map[string]string{}, []string{} // the folders above, by depth
	for line := range strings.Lines(tree) {
		name, about, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasSuffix(name, "/") {
			continue
		}
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		above = append(above[:min(depth, len(above))], strings.TrimSuffix(name, "/"))
		name = path.Join(above...)
		out[name] = strings.TrimSpace(about)
	}
	return out
}

// TestArchitectureDrawsTheTree: every folder with a package is in docs/architecture.md with a line of its own.
// Protocols are told of together, as are the programs for the fixtures; a program that makes a package's tables belongs
// to that package.
func TestArchitectureDrawsTheTree(t *testing.T) {
	tree, packages := drawn(t), map[string]bool{}
	sources(t, func(folder, _ string, _ *ast.File) { packages[folder] = true })
	packages["internal/archtest"] = true
	for folder := range packages {
		first, _, _ := strings.Cut(folder, "/")
		if together := first == "protocols" || first == "fixtures"; folder == "." || together && tree[first] != "" {
			continue
		}
		if tree[strings.TrimSuffix(folder, "/make")] == "" {
			t.Errorf("docs/architecture.md says nothing of %s", folder)
		}
	}
	for folder := range tree {
		below := false
		for p := range packages {
			below = below || matches(folder+"/…", p)
		}
		if !below {
			t.Errorf("docs/architecture.md draws %s, and there is no package", folder)
		}
	}
}
