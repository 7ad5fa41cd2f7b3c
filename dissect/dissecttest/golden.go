package dissecttest

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"remora/dissect"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Updating tells whether the test was started with -update: what it would compare it then writes.
func Updating() bool { return *update }

// Dump writes a tree as text: a line of its own for every node with its bytes, range, field and label. Layers whose
// names are given are left out.
func Dump(t *dissect.Tree, without ...string) string {
	b := appendSummary(make([]byte, 0, 128*(len(t.Nodes)+1)), t)
	out := false
	for i, n := range t.Nodes {
		if n.Depth == 0 {
			out = slices.Contains(without, t.Field(i).Name())
		}
		if !out {
			b = appendNode(b, t, i)
		}
	}
	for i := range t.Messages {
		b = appendMessage(b, &t.Messages[i])
	}
	for i, s := range t.Sources()[1:] {
		b = fmt.Appendf(b, "  source %d: %s, %d bytes\n", i+1, s.Name, len(s.Data))
	}
	return string(b)
}

// appendSummary appends a frame's own line.
func appendSummary(b []byte, t *dissect.Tree) []byte {
	b = append(strconv.AppendUint(b, uint64(t.Frame), 10), ' ')
	b = append(time.Unix(0, t.Time()).UTC().AppendFormat(b, "15:04:05.000000000"), ' ')
	return fmt.Appendf(b, "%s → %s %s %d | %s\n", t.Src, t.Dst, t.ProtocolText(), t.Len(), t.InfoLine())
}

// Widths of the columns in front of a node's name, in runes.
const (
	rawWidth = 17
	atWidth  = 10
)

// appendNode appends the line of a node.
func appendNode(b []byte, t *dissect.Tree, i int) []byte {
	n := &t.Nodes[i]
	b = append(b, ' ', ' ')
	raw, from := t.Raw(i), len(b)
	b = hex.AppendEncode(b, raw[:min(len(raw), 8)])
	wide := len(b) - from
	if len(raw) > 8 {
		b = append(b, "…"...)
		wide++
	}
	b = append(padded(b, rawWidth-wide), ' ')
	from = len(b)
	if n.Len > 0 {
		b = append(strconv.AppendUint(b, uint64(n.Src), 10), ':')
		b = append(strconv.AppendUint(b, uint64(n.Off), 10), '-')
		b = strconv.AppendUint(b, uint64(n.Off+n.Len-1), 10)
	} else {
		b = append(b, '-')
	}
	b = padded(padded(b, atWidth-(len(b)-from)), 1+2*int(n.Depth))
	b = append(append(b, t.Field(i).Name()...), ' ', ' ')
	return append(append(b, t.Label(i)...), '\n')
}

func padded(b []byte, n int) []byte {
	for ; n > 0; n-- {
		b = append(b, ' ')
	}
	return b
}

// appendMessage appends the line of a message.
func appendMessage(b []byte, m *dissect.Message) []byte {
	return fmt.Appendf(b, "  message %s %#x at %d:%d+%d dir %d id %d tick %d repeat of %d\n", m.Protocol.Name(), m.Kind,
		m.Src, m.Off,
		m.Len, m.Dir, m.ID, m.Tick, m.RepeatOf)
}

// Golden compares the trees of a session's frames with the file beside the capture (its name and ".tree"), or writes it
// when the test runs with -update. Layers whose names are given are left out. The file has each line of a tree once:
// the first with its field, below the same fields. Of frames that have none such it has those whose summary has words
// of its own. A sum at the end covers all lines: what differs in those left out is found by diff between folders of
// whole trees, see wholeTrees.
func Golden(t *testing.T, s *dissect.Session, file string, without ...string) {
	t.Helper()
	g := newThinned()
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		g.add(l.Tree(n), without)
	}
	if dir := os.Getenv(wholeTrees); dir != "" {
		writeWhole(t, filepath.Join(dir, strings.TrimLeft(filepath.ToSlash(file), "./")), g.whole.Bytes())
	}
	Compare(t, file, g.text())
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
