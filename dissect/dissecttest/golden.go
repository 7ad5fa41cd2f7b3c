package dissecttest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"remora/dissect"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Updating tells whether the test was started with -update: what it would compare it then writes.
func Updating() bool { return *update }

// Dump writes a tree as text: a line of its own for every node with its bytes, range, field and label. Layers whose names
// are given are left out.
func Dump(t *dissect.Tree, without ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s %s → %s %s %d | %s\n", t.Frame, time.Unix(0, t.Time()).UTC().Format("15:04:05.000000000"), t.Src, t.Dst, t.ProtocolText(), t.Len(), t.InfoLine())
	out := false
	for i, n := range t.Nodes {
		if n.Depth == 0 {
			out = slices.Contains(without, t.Field(i).Name())
		}
		if out {
			continue
		}
		raw := t.Raw(i)
		hex := fmt.Sprintf("%x", raw[:min(len(raw), 8)])
		if len(raw) > 8 {
			hex += "…"
		}
		at := "-"
		if n.Len > 0 {
			at = fmt.Sprintf("%d:%d-%d", n.Src, n.Off, n.Off+n.Len-1)
		}
		fmt.Fprintf(&b, "  %-17s %-10s %s%s  %s", hex, at, strings.Repeat("  ", int(n.Depth)), t.Field(i).Name(), t.Label(i))
		b.WriteByte('\n')
	}
	for _, m := range t.Messages {
		fmt.Fprintf(&b, "  message %s %#x at %d:%d+%d dir %d id %d tick %d repeat of %d\n", m.Protocol.Name(), m.Kind, m.Src, m.Off, m.Len, m.Dir, m.ID, m.Tick, m.RepeatOf)
	}
	for i, s := range t.Sources()[1:] {
		fmt.Fprintf(&b, "  source %d: %s, %d bytes\n", i+1, s.Name, len(s.Data))
	}
	return b.String()
}

// Golden compares the trees of a session's frames with the file beside the capture (its name and ".tree"), or writes
// it when the test runs with -update. Frames of a shape after the first are listed by their summary alone, layers whose names are given
// not at all.
func Golden(t *testing.T, s *dissect.Session, file string, without ...string) {
	t.Helper()
	var b strings.Builder
	l := s.Looker()
	seen := map[uint32]int{}
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		dump := Dump(l.Tree(n), without...)
		sh := s.ShapeOf(n).ID
		if seen[sh]++; seen[sh] > 1 {
			dump, _, _ = strings.Cut(dump, "\n")
			dump += "\n"
		}
		b.WriteString(dump)
	}
	Compare(t, file, b.String())
}

// Compare holds text against a golden file, or writes the file when the test runs with -update.
func Compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (make golden writes it)", err)
	}
	if string(want) != got {
		t.Errorf("%s differs (make golden writes it anew):\n%s", file, difference(string(want), got))
	}
}

// difference shows the first lines in which two texts differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := 0; i < len(w) || i < len(g); i++ {
		a, b := line(w, i), line(g, i)
		if a != b {
			return fmt.Sprintf("line %d\n- %s\n+ %s\n- %s\n+ %s", i+1, a, b, line(w, i+1), line(g, i+1))
		}
	}
	return ""
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
