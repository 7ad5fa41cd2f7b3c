package ksy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
)

// TestTheSteps follows docs/own-dissectors.md: its packets, read by each of its descriptions, say what it shows.
func TestTheSteps(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "own-dissectors.md"))
	if err != nil {
		t.Fatal(err)
	}
	var packets []string
	var s *dissect.Session
	steps := 0
	for i, block := range strings.Split(string(doc), "```") {
		kind, body, _ := strings.Cut(block, "\n")
		if i%2 == 0 {
			continue
		}
		lines := strings.Split(strings.TrimSpace(body), "\n")
		switch kind {
		case "hex":
			packets = lines
		case "yaml":
			conv := dissecttest.Conversation{T: t, Plugins: around(made(t, body))}
			for _, p := range packets {
				from, to := client, server
				if strings.HasPrefix(p, "02") {
					from, to = to, from
				}
				conv.Say(1, from, to, p)
			}
			s = conv.Session()
		case "info":
			for n, want := range lines {
				steps++
				if got := strings.TrimSpace(s.Tree(dissect.FrameNum(n + 1)).InfoLine()); got != want {
					t.Errorf("packet %d says %q, not %q", n+1, got, want)
				}
			}
		case "filter":
			steps++
			f, err := filter.Compile(s.Registry(), lines[0])
			if err != nil {
				t.Fatal(err)
			}
			l := s.Dissector()
			for n, want := range []bool{true, true, false} {
				if got := f.Match(l, dissect.FrameNum(n+1)); got != want {
					t.Errorf("%s is %v of packet %d", lines[0], got, n+1)
				}
			}
		}
	}
	if steps != 7 {
		t.Errorf("%d steps are shown", steps)
	}
}
