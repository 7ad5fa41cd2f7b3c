package dissecttest

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/internal/testall"
)

// rows holds the rows and the trees of packets that are printed as they pass against those of re-dissections, and what
// the first pass leaves then against what it leaves otherwise. They take turns.
func rows(t *testing.T, s *dissect.Session, path string) {
	t.Helper()
	for turn := range dissect.FrameNum(testall.Of(1, 2)) {
		own := session(t, s.Registry(), openFile(t, path))
		wants := s.Registry().RowWants()
		pass, again := own.Guard().Past(), own.Guard().Past()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			var passed, later string
			if n&1 == turn {
				pass.Run(func(l *dissect.Dissector) { passed = row(l, l.PassRow(n, wants)) })
				again.Run(func(l *dissect.Dissector) { later = row(l, l.Redissect(n, wants)) })
			} else {
				pass.Run(func(l *dissect.Dissector) { passed = whole(l, l.PassTree(n)) })
				again.Run(func(l *dissect.Dissector) { later = text(l.Redissect(n, dissect.TreeWants()).Clone()) })
			}
			if passed != later && passed != "" { // otherwise it is to be dissected again
				t.Errorf("frame %d is when it passes\n%s\nand later\n%s", n, passed, later)
				return
			}
		}
		// Who records a tree verifies checksums, too.
		if got, want := own.ExpertInfos(), s.ExpertInfos(); got < want {
			t.Errorf("%d expert infos where rows and trees are wanted, %d otherwise", got, want)
		}
		if got, want := own.Conversations(), s.Conversations(); got != want {
			t.Errorf("%d conversations where rows are wanted, %d otherwise", got, want)
		}
	}
}

func row(l *dissect.Dissector, tree *dissect.Tree) string {
	return strings.Join([]string{tree.ProtocolText(), tree.Kind(), tree.InfoLine(), tree.Src.String(), tree.Dst.String(),
		l.Session().StackPath(tree.LayerStack)}, "\t")
}

// whole is all that a tree tells that has just passed, in a copy where it can be copied.
func whole(l *dissect.Dissector, tree *dissect.Tree) string {
	if tree == nil {
		return ""
	}
	var c dissect.Tree
	if !tree.CopyTo(&c) {
		return text(tree)
	}
	l.Adopt(&c)
	return text(&c)
}

func text(tree *dissect.Tree) string {
	var b strings.Builder
	fmt.Fprintln(&b, tree.Src, tree.Dst, tree.Dir, tree.Severity, tree.Kind())
	for i := range tree.Nodes {
		n := tree.Nodes[i]
		n.Val = 0 // where texts lie may differ
		fmt.Fprintln(&b, n, tree.Label(i), tree.Show(i))
	}
	return b.String()
}
