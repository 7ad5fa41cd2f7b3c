package dissecttest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"remora/dissect"
)

// wholeTrees is an environment variable: Golden writes all lines of all trees into the folder that it names. `diff -r`
// between two such folders says what a change does to lines that the golden files leave out.
const wholeTrees = "REMORA_WHOLE_TREES"

// thinned is the text of a golden file as it grows, and the whole that it stands for.
type thinned struct {
	out   strings.Builder
	whole bytes.Buffer
	lines int
	seen  map[string]bool
	left  int // frames left out since the last that was kept
}

func newThinned() *thinned { return &thinned{seen: map[string]bool{}} }

// first tells whether a line of this kind is the first.
func (g *thinned) first(kind string) bool {
	if g.seen[kind] {
		return false
	}
	g.seen[kind] = true
	return true
}

// add takes in the next frame.
func (g *thinned) add(t *dissect.Tree, without []string) {
	dump := Dump(t, without...)
	g.whole.WriteString(dump)
	g.lines += strings.Count(dump, "\n")
	summary, rest, _ := strings.Cut(dump, "\n")
	kept := g.kept(t, strings.SplitAfter(strings.TrimSuffix(rest, "\n"), "\n"), without)
	if !g.first("summary "+words(t.ProtocolText()+" "+t.InfoLine())) && len(kept) == 0 {
		g.left++
		return
	}
	g.reportLeft()
	g.out.WriteString(summary + "\n")
	for _, line := range kept {
		g.out.WriteString(strings.TrimSuffix(line, "\n") + "\n")
	}
}

// kept are those lines below a frame's summary that are the first of their kind.
func (g *thinned) kept(t *dissect.Tree, lines, without []string) (kept []string) {
	out, above := false, []string(nil)
	for i, n := range t.Nodes {
		if n.Depth == 0 {
			out = slices.Contains(without, t.Field(i).Name())
		}
		if out {
			continue
		}
		above = append(above[:min(len(above), int(n.Depth))], t.Field(i).Name())
		if g.first(strings.Join(above, " ")) {
			kept = append(kept, lines[0])
		}
		lines = lines[1:]
	}
	for i := range t.Messages {
		if m := &t.Messages[i]; g.first(fmt.Sprintf("message %s %d %v", m.Protocol.Name(), m.Kind, m.RepeatOf != 0)) {
			kept = append(kept, lines[0])
		}
		lines = lines[1:]
	}
	for _, s := range t.Sources()[1:] {
		if g.first("source " + words(s.Name)) {
			kept = append(kept, lines[0])
		}
		lines = lines[1:]
	}
	return kept
}

func (g *thinned) reportLeft() {
	if g.left > 0 {
		fmt.Fprintf(&g.out, "… %d\n", g.left)
	}
	g.left = 0
}

// text is the golden file.
func (g *thinned) text() string {
	g.reportLeft()
	fmt.Fprintf(&g.out, "%d lines, SHA-256 %x\n", g.lines, sha256.Sum256(g.whole.Bytes()))
	return g.out.String()
}

// words is text without the words that have digits: numbers, addresses, identifiers.
func words(text string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text),
		func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }), " ")
}

func writeWhole(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
